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
    yosys_and_slang(paths, top, what);
}

pub fn verilator(paths: &[PathBuf], top: &str, what: &str) {
    let mut verilator = command("verilator");
    verilator.args(["--lint-only", "-Wall", "--default-language", "1364-2005", "--top-module", top]).args(paths);
    expect_success(&format!("verilator: {what}"), &mut verilator, true);
}

const SCRIPT: &str = r#"
import sys
from pyosys import libyosys as ys
import pyslang
from pyslang.driver import Driver

top, paths = sys.argv[1], sys.argv[2:]
design = ys.Design()
for step in ["read_verilog " + " ".join(paths), "hierarchy -check -top " + top, "proc", "check -assert"]:
    ys.run_pass(step, design)
ys.run_pass("select -assert-none t:$dlatch t:$_DLATCH_* t:$sr t:$dlatchsr", design)
driver = Driver()
driver.addStandardArgs()
if not driver.parseCommandLine("slang -Wextra --top " + top + " " + " ".join(paths)) or not driver.processOptions():
    sys.exit("slang: command line")
ok = driver.parseAllSources()
compilation = driver.createCompilation()
ok = driver.reportCompilation(compilation, False) and ok
sys.exit(0 if ok else "slang found errors")
"#;

fn yosys_and_slang(paths: &[PathBuf], top: &str, what: &str) {
    let mut python = command("python3");
    python.args(["-c", SCRIPT, top]).args(paths);
    expect_success(&format!("yosys or slang: {what}"), &mut python, false);
}
