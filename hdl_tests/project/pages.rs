//! What pages say about the project that is written down elsewhere too.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::{files_below, read};

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

/// The one command that rewrites what tests compare with must reach every snapshot.
#[test]
fn scripts_refresh_knows_all_snapshots() {
    let script = read("scripts/refresh");
    let names = files_below("hdl_tests").into_iter().filter(|file| file.ends_with(".snap"));
    let names = names.map(|file| file.rsplit('/').next().unwrap_or_default().to_owned());
    // Named after the test binary, the module and the test, if the test is in a module.
    let places: BTreeSet<(String, Option<String>)> = names
        .map(|name| {
            let parts: Vec<&str> = name.split("__").collect();
            (parts[0].to_owned(), (parts.len() > 2).then(|| format!(" {}::", parts[1])))
        })
        .collect();
    assert!(places.len() > 10, "{places:?}");
    for (binary, module) in places {
        let runs = |line: &str| {
            line.split_whitespace().any(|word| word == binary)
                && module.as_ref().map_or(!line.contains(" -- "), |module| line.contains(module))
        };
        assert!(script.lines().any(runs), "scripts/refresh does not run {binary}{}", module.unwrap_or_default());
    }
}

/// What a heading is called in links to it.
fn anchor(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

/// Every link within the project leads to a file, and to a heading of it if it names one.
#[test]
fn links_lead_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let pages = [".", "docs"].iter().flat_map(|folder| fs::read_dir(root.join(folder)).unwrap());
    let pages = pages.map(|entry| entry.unwrap().path());
    let mut links = 0;
    for page in pages.filter(|path| path.extension().is_some_and(|extension| extension == "md")) {
        let text = fs::read_to_string(&page).unwrap();
        let prose: String = text.split("\n```").step_by(2).collect();
        for target in prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            if target.starts_with("https://") {
                continue;
            }
            let (file, heading) = target.split_once('#').unwrap_or((target, ""));
            let file = if file.is_empty() { page.clone() } else { page.parent().unwrap().join(file) };
            assert!(file.exists(), "{}: no {target}", page.display());
            if !heading.is_empty() {
                let linked = fs::read_to_string(&file).unwrap();
                let mut headings = linked.lines().filter(|line| line.starts_with('#'));
                let is_there = headings.any(|line| anchor(line.trim_start_matches('#')) == heading);
                assert!(is_there, "{}: no heading of {target}", page.display());
            }
            links += 1;
        }
    }
    assert!(links > 80, "{links} links");
}

#[test]
fn licences_are_there_in_full() {
    assert!(read("LICENSE-MIT").contains("Copyright (c) 2026 The eva-rtl authors"));
    let apache = read("LICENSE-APACHE");
    assert!(apache.contains("Copyright 2026 The eva-rtl authors") && apache.lines().count() > 190);
    assert_eq!(env!("CARGO_PKG_LICENSE"), "MIT OR Apache-2.0");
}
