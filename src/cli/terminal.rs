//! What commands print: results on standard output, as text, tables or JSON.

use std::io::{ErrorKind, Write};

use comfy_table::{Table, presets};
use serde::Serialize;

use super::Failure;

/// Prints `text` and a line end. A reader that has had enough (`eva presets | head -1`) is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::BadInput(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// Prints `value` as indented JSON.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&json_text(value))
}

/// `value` as indented JSON with a line end.
pub fn json_text(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    text.expect("results have string keys only") + "\n"
}

/// An empty table with a header; plain columns, which other programs can read too.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    table
}
