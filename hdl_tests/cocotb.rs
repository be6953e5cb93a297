//! A core driven by cocotb and cocotbext-axi in Icarus Verilog, by Python written from the documentation alone.

#[allow(dead_code)] // a part of it is for other tests
#[path = "common/tools.rs"]
mod tools;

use std::path::Path;

use assert_cmd::Command;

#[test]
fn the_documentation_suffices_to_drive_a_core() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    Command::cargo_bin("eva")
        .expect("the program is built with the tests")
        .args(["generate", "--preset", "tiny", "--out"])
        .arg(folder.path())
        .assert()
        .success();

    let runner = Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl_tests/cocotb/run.py");
    tools::expect_success("cocotb", tools::command("python").arg(runner).arg(folder.path()), false);
}
