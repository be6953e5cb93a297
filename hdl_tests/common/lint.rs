//! What every emitted design must pass: Verilator with all warnings and no waiver, Icarus Verilog, Yosys, slang.

use super::tools::{command, expect_success};
use eva_rtl::hdl::verilog::File;
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the files below `folder` and returns the paths of those that simulation and lint take: models instead of black boxes.
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

const YOSYS: &str = r#"
import sys
from pyosys import libyosys as ys

top, paths = sys.argv[1], sys.argv[2:]
design = ys.Design()
for step in ["read_verilog " + " ".join(paths), "hierarchy -check -top " + top, "proc"]:
    ys.run_pass("tee -q " + step, design)
ys.run_pass("check -assert", design)
ys.run_pass("select -assert-none t:$dlatch t:$_DLATCH_* t:$sr t:$dlatchsr", design)
"#;

/// Elaboration without problems and without latches.
pub fn yosys(paths: &[PathBuf], top: &str, what: &str) {
    expect_success(&format!("yosys: {what}"), command("python3").args(["-c", YOSYS, top]).args(paths), false);
}

const SLANG: &str = r#"
import sys
from pyslang.driver import Driver

driver = Driver()
driver.addStandardArgs()
if not driver.parseCommandLine("slang -Wextra -Werror --top " + " ".join(sys.argv[1:])) or not driver.processOptions():
    sys.exit("slang: command line")
if not driver.parseAllSources() or not driver.runFullCompilation(True):
    sys.exit("slang found errors")
"#;

pub fn slang(paths: &[PathBuf], top: &str, what: &str) {
    expect_success(&format!("slang: {what}"), command("python3").args(["-c", SLANG, top]).args(paths), false);
}
