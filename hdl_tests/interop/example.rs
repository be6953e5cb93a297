//! `examples/rust_hdl.rs` does what it says.

use crate::emitted::{definitions, lint};

#[allow(dead_code)] // `main` takes arguments
#[path = "../../examples/rust_hdl.rs"]
mod program;

#[test]
fn the_example_runs() {
    let folder = tempfile::tempdir().unwrap();
    // It compares the sums itself.
    program::run(folder.path()).unwrap();
    let text = std::fs::read_to_string(folder.path().join("squares.v")).unwrap();
    lint(&text, "example");
    assert_eq!(definitions(&text, "multiply_accumulate"), 1);
    let waves = std::fs::read(folder.path().join("squares.vcd")).unwrap();
    assert!(vcd::Parser::new(&waves[..]).all(|command| command.is_ok()));
    // The last sum, 285.
    assert!(String::from_utf8(waves).unwrap().contains("b00000000000000000000000100011101 "));
}
