//! `docs/designs.md` and its pictures.

use crate::EXAMPLES;
use std::fs;
use std::path::Path;

const PAGE: &str = include_str!("../../docs/designs.md");
/// Set to rewrite the pictures instead of comparing them.
const REFRESH: &str = "EVA_REFRESH_PICTURES";

#[test]
fn pictures_show_what_the_examples_do() {
    for example in EXAMPLES {
        let svg = example.picture.svg(&example.waves(&example.files("picture")));
        let name = format!("waves/{}.svg", example.name);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(&name);
        if std::env::var_os(REFRESH).is_some() {
            fs::write(&path, &svg).expect("a writable folder");
        }
        let shown = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}; {REFRESH}=1 writes it"));
        assert!(shown == svg, "docs/{name} is out of date; scripts/refresh rewrites it");
        assert!(PAGE.contains(&format!("({name})")), "the page has no {name}");
    }
}

/// Every block of the page in Rust stands in one of the examples, word by word.
#[test]
fn the_page_quotes_the_examples() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let sources = EXAMPLES.map(|example| fs::read_to_string(folder.join(example.name).with_extension("rs")).unwrap());
    let mut quoted = [0; EXAMPLES.len()];
    for block in PAGE.split("```rust\n").skip(1).map(|rest| rest.split("```").next().unwrap_or(rest)) {
        let source = sources.iter().position(|source| source.contains(block));
        quoted[source.unwrap_or_else(|| panic!("in no example:\n{block}"))] += 1;
    }
    assert!(quoted.iter().all(|count| *count > 0), "{quoted:?}");
}

#[test]
fn the_page_has_command_and_source_of_each() {
    for example in EXAMPLES {
        assert!(PAGE.contains(&format!("cargo run --example {} build/{}\n", example.name, example.name)));
        assert!(PAGE.contains(&format!("(../examples/{}.rs)", example.name)));
    }
}
