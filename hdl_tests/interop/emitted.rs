//! What rust-hdl's `generate_verilog` returns, in other tools.

use crate::common::lint::scratch;
use crate::common::tools::{command, expect_success, run};
use std::fs;
use std::path::PathBuf;

/// Verilator without style and Icarus Verilog must accept the text; rust-hdl's own part of it has no better style.
/// Returns the file, in a folder of its own called `name`.
pub fn lint(text: &str, name: &str) -> PathBuf {
    let folder = scratch(&format!("rust_hdl/{name}"));
    fs::create_dir_all(&folder).expect("a writable folder");
    let file = folder.join("top.v");
    fs::write(&file, text).expect("a writable folder");
    let mut verilator = command("verilator");
    // The default of `--lint-only`: what may be a mistake, widths among it.
    verilator.args(["--lint-only", "--default-language", "1364-2005", "--top-module", "top"]).arg(&file);
    expect_success(&format!("verilator: {name}"), &mut verilator, false);
    let mut icarus = command("iverilog");
    expect_success("iverilog", icarus.args(["-g2005", "-t", "null", "-s", "top"]).arg(&file), true);
    file
}

/// Compiles the file with a testbench, module `bench`, in Icarus Verilog and returns what it prints.
pub fn simulate(file: &PathBuf, bench: &str) -> String {
    let (bench_file, program) = (file.with_file_name("bench.v"), file.with_file_name("bench.vvp"));
    fs::write(&bench_file, bench).expect("a writable folder");
    let mut icarus = command("iverilog");
    expect_success(
        "iverilog",
        icarus.args(["-g2005", "-s", "bench", "-o"]).arg(&program).args([&bench_file, file]),
        true,
    );
    let output = run(std::process::Command::new("vvp").arg("-n").arg(&program));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// How often the text defines a module.
pub fn definitions(text: &str, module: &str) -> usize {
    let head = format!("module {module}");
    text.lines()
        .filter(|line| line.trim_start().strip_prefix(&head).is_some_and(|rest| rest.starts_with([' ', '('])))
        .count()
}
