//! The pictures in `docs/pictures`, drawn from what the generator makes: a test fails if one of them is not what would be drawn now.

mod blocks;
mod svg;
mod tile;
mod timeline;

use std::fs;
use std::path::Path;

/// Set by `scripts/refresh`: write instead of compare.
const REFRESH: &str = "EVA_REFRESH_PICTURES";

/// Compares the picture of this name with the one that is kept, or keeps it.
fn compare(name: &str, drawn: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/pictures").join(name);
    if std::env::var_os(REFRESH).is_some() {
        fs::write(path, drawn).unwrap();
        return;
    }
    let kept =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}; run scripts/refresh", path.display()));
    assert!(kept == drawn, "{} is not what the generator makes now: run scripts/refresh", path.display());
}

#[test]
fn blocks_of_a_core() {
    compare("core.svg", &blocks::picture());
}

#[test]
fn one_tile() {
    compare("tile.svg", &tile::picture());
}

#[test]
fn steps_that_overlap() {
    compare("steps.svg", &timeline::picture());
}
