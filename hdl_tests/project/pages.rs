//! What pages say about the project that is written down elsewhere too.

use super::read;

#[test]
fn the_stated_version_of_rust_is_that_of_the_manifest() {
    let stated = env!("CARGO_PKG_RUST_VERSION").trim_end_matches(".0");
    assert!(read("README.md").contains(&format!("needs Rust alone ({stated} or later)")), "{stated}");
    assert!(read("docs/verification.md").contains(&format!("Rust {stated}")), "{stated}");
}

#[test]
fn this_version_is_in_the_changelog() {
    let text = read("CHANGELOG.md");
    assert!(text.contains(&format!("\n## [{}]", env!("CARGO_PKG_VERSION"))));
    let unreleased = text.find("\n## [Unreleased]").expect("changes to come have a place");
    assert!(unreleased < text.find(&format!("\n## [{}]", env!("CARGO_PKG_VERSION"))).unwrap());
}

#[test]
fn licences_are_there_in_full() {
    assert!(read("LICENSE-MIT").contains("Copyright (c) 2026 The eva-rtl authors"));
    let apache = read("LICENSE-APACHE");
    assert!(apache.contains("Copyright 2026 The eva-rtl authors") && apache.lines().count() > 190);
    assert_eq!(env!("CARGO_PKG_LICENSE"), "MIT OR Apache-2.0");
}
