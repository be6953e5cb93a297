//! What every emitted design must pass: Verilator with all warnings and no waiver, Icarus Verilog, Yosys, slang.

use super::tools::{command, expect_success};
use eva_rtl::hdl::verilog::File;
use std::fs;
use std::path::{Path, PathBuf};

/// A fresh folder for the files of one test, below the target folder, where they stay to be looked at.
pub fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("verilog").join(name);
    let _ = fs::remove_dir_all(&folder);
    folder
}

/// Writes the files below `folder` and returns the paths of those that simulation and lint take: models instead of
/// black boxes.
pub fn write(files: &[File], folder: &Path) -> Vec<PathBuf> {
    fs::create_dir_all(folder.join("models")).expect("a writable folder");
    for file in files {
        fs::write(folder.join(&file.name), &file.text).expect("a writable folder");
    }
    let has_model = |f: &File| files.iter().any(|m| m.name == format!("models/{}", f.name));
    files.iter().filter(|f| !has_model(f)).map(|f| folder.join(&f.name)).collect()
}

/// Runs all four tools on a design with top module `top`.
pub fn lint(paths: &[PathBuf], top: &str, what: &str) {
    verilator(paths, top, what);
    let icarus = |c: &mut std::process::Command| expect_success(&format!("iverilog: {what}"), c, true);
    icarus(command("iverilog").args(["-g2005", "-Wall", "-t", "null", "-s", top]).args(paths));
    yosys(paths, top, what);
    slang(paths, top, what);
}

pub fn verilator(paths: &[PathBuf], top: &str, what: &str) {
    let mut verilator = command("verilator");
    verilator.args(["--lint-only", "-Wall", "--default-language", "1364-2005", "--top-module", top]).args(paths);
    // Any warning makes it fail; it prints a report in any case.
    expect_success(&format!("verilator: {what}"), &mut verilator, false);
}

/// Elaboration without problems and without latches.
pub fn yosys(paths: &[PathBuf], top: &str, what: &str) {
    script("scripts/yosys_check.py", paths, top, what);
}

pub fn slang(paths: &[PathBuf], top: &str, what: &str) {
    script("scripts/slang_check.py", paths, top, what);
}

fn script(name: &str, paths: &[PathBuf], top: &str, what: &str) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    expect_success(&format!("{name}: {what}"), command("python").arg(script).arg(top).args(paths), false);
}
