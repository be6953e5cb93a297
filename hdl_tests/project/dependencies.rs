//! Licences of all dependencies, and the versions of Rust that they need.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;
use spdx::{Expression, ParseMode};

use super::{cargo, output_of, read};

/// All packages that the project or its tests are made of, itself included, as `cargo metadata` describes them.
static PACKAGES: LazyLock<Vec<Value>> = LazyLock::new(|| {
    // Those for other systems may not have been fetched.
    let about = output_of(cargo(&["-vV"]));
    let host = about.lines().find_map(|line| line.strip_prefix("host: ")).expect("cargo tells its host");
    let metadata = ["metadata", "--format-version=1", "--locked", "--offline", "--filter-platform", host];
    let metadata: Value = serde_json::from_str(&output_of(cargo(&metadata))).unwrap();
    metadata["packages"].as_array().unwrap().clone()
});

fn name(package: &Value) -> String {
    format!("{} {}", package["name"].as_str().unwrap(), package["version"].as_str().unwrap())
}

/// The list in `deny.toml`.
fn allowed_licences() -> BTreeSet<String> {
    let file: toml::Table = toml::from_str(&read("deny.toml")).unwrap();
    let list = file["licenses"]["allow"].as_array().unwrap();
    list.iter().map(|licence| licence.as_str().unwrap().to_owned()).collect()
}

/// Packages that cannot be used under these licences.
fn refused(allowed: &BTreeSet<String>) -> Vec<String> {
    let is_refused = |package: &&Value| {
        let Some(licence) = package["license"].as_str() else { return true };
        let expression = Expression::parse_mode(licence, ParseMode::LAX);
        !expression.is_ok_and(|expression| expression.evaluate(|one| allowed.contains(&one.to_string())))
    };
    PACKAGES.iter().filter(is_refused).map(|package| format!("{}: {}", name(package), package["license"])).collect()
}

#[test]
fn every_dependency_has_a_licence_that_is_allowed() {
    assert!(PACKAGES.len() > 100, "{} packages", PACKAGES.len());
    let allowed = allowed_licences();
    assert_eq!(refused(&allowed), Vec::<String>::new(), "not under a licence of deny.toml");
    for licence in &allowed {
        let mut others = allowed.clone();
        others.remove(licence);
        assert_ne!(refused(&others), Vec::<String>::new(), "{licence} in deny.toml is not needed");
    }
}

/// `1.89` as numbers.
fn version(text: &str) -> Vec<u32> {
    text.split('.').map(|number| number.parse().unwrap()).chain([0, 0]).take(3).collect()
}

#[test]
fn no_dependency_needs_a_newer_rust() {
    let own = version(env!("CARGO_PKG_RUST_VERSION"));
    let needed = PACKAGES.iter().filter_map(|package| Some((package["rust_version"].as_str()?, package)));
    let newer = needed.filter(|(needed, _)| version(needed) > own);
    let newer: Vec<String> = newer.map(|(needed, package)| format!("{} needs {needed}", name(package))).collect();
    assert_eq!(newer, Vec::<String>::new());
}
