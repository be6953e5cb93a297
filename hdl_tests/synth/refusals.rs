//! Wrong use and missing tools: one message, the right exit code, nothing left behind.

use std::fs;
use std::path::Path;

use super::{eva, output, shell_script};

#[track_caller]
fn refused(args: &[&str], environment: &[(&str, &Path)], code: i32) -> String {
    let folder = tempfile::tempdir().unwrap();
    let mut command = eva(args, &folder.path().join("cache"), folder.path());
    command.envs(environment.iter().copied());
    let (output, stderr) = output(&mut command);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
    assert_eq!(stderr.matches("error: ").count(), 1, "{stderr}");
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert!(left.iter().all(|name| name == "cache"), "{left:?}");
    stderr
}

#[test]
fn bad_input_is_one_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let verilog = file("adder.v", b"module adder (input a, output y);\nassign y = a;\nendmodule\n");
    let binary = file("binary.lib", &[0xff, 0xfe, 0, 1]);
    let zip = file("broken.lib.gz", b"library (x) { }");
    let empty = file("empty.lib", b"library (x) { /* nothing */ }");
    let cut = file("cut.lib", b"library (x) { cell (INV) { area : 1; pin (A) { direction");
    for (args, expected) in [
        (&["--liberty", "/nowhere/cells.lib"][..], "/nowhere/cells.lib: No such file"),
        (&["--liberty", folder.path().to_str().unwrap()], "Is a directory"),
        (&["--liberty", &verilog], "adder.v: line 1: `:` or `(` is expected instead of `adder"),
        (&["--liberty", &binary], "it is not text"),
        (&["--liberty", &zip], "cannot be unpacked"),
        (&["--liberty", &empty], "there are no cells in it; a cell library in the Liberty format is needed"),
        (&["--liberty", &cut], "it ends within a group"),
        (&["--top", "eva_epilog_unit"], "no module `eva_epilog_unit`; did you mean eva_epilogue_unit?"),
        (&["--top", "eva_mem_64x32_1r1w_any"], "`eva_mem_64x32_1r1w_any` is a memory, a black box for this target"),
        (&["--clock", "0"], "must be a period in ns from 0.001 to 1000000"),
        (&["--clock", "nan"], "must be a period in ns from 0.001 to 1000000"),
        (&["--memory-area", "-1"], "must be a number of um2"),
        (&["--target", "ecp5", "--liberty", &empty], "--liberty is for --target asic only"),
        (&["--target", "generic", "--clock", "5"], "--clock is for --target asic only"),
        (&["--report", "/nowhere/report.json"], "there is no folder /nowhere"),
        (&["--report", "-", "--picture", "-"], "--report and --picture both write to"),
        (&["--rows", "1000"], "array.rows"),
    ] {
        let message = refused(&[&["--preset", "tiny"], args].concat(), &[], 2);
        assert!(message.contains(expected), "{args:?}: {message}");
    }
}

#[test]
fn a_missing_tool_is_named_with_how_to_install_it() {
    let folder = tempfile::tempdir().unwrap();
    let tool = |name: &str, text: &str| shell_script(folder.path().join(name), text);
    let args = ["--preset", "tiny", "--target", "generic"];
    let nowhere = folder.path().join("nowhere");
    let old = tool("old", "echo 'Yosys 0.23 (git sha1 7ce5011c24b)'");
    let other = tool("other", "echo 'something else 1.0'");
    let dead = tool("dead", "echo 'no library' >&2; exit 1");
    for (path, expected) in [
        (&nowhere, "cannot be run"),
        (&old, "is version 0.23, too old (at least 0."),
        (&other, "does not tell the version of a Yosys"),
        (&dead, "does not work: no library"),
    ] {
        let message = refused(&args, &[("EVA_YOSYS", path)], 3);
        assert!(message.contains("Yosys is needed but EVA_YOSYS") && message.contains(expected), "{message}");
        assert!(message.contains("scripts/setup"), "{message}");
    }
    let message = refused(&["--preset", "tiny"], &[("EVA_STA", &nowhere)], 3);
    assert!(message.contains("OpenSTA is needed but EVA_STA"), "{message}");
}

#[test]
fn macros_of_the_configuration_are_not_counted_and_it_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let text = "[ \"$1\" = -V ] && echo 'Yosys 0.70' && exit\nexit 1";
    let yosys = shell_script(folder.path().join("yosys"), text);
    let config = folder.path().join("core.toml");
    let ram = include_str!("../flows/sky130.toml");
    fs::write(&config, format!("preset = \"tiny\"\n[memory]\nstyle = \"macro\"\n{ram}")).unwrap();
    let config = config.to_str().unwrap();
    let figures = ["--memory-area", "20", "--memory-access", "3"];
    for (args, expected) in [
        (&[][..], Some("note: memories are counted by their own bits, not by the macros of the configuration")),
        (&["--memory-area", "20"], Some("give --memory-area and --memory-access of the macro")),
        (&["--target", "ecp5"], Some("note: memories become RAM of the FPGA")),
        (&["--memory-style", "inferred"], None),
        (&figures, None),
    ] {
        let message = refused(&[&["--config", config, "--top", "eva_pe"], args].concat(), &[("EVA_YOSYS", &yosys)], 1);
        assert_eq!(message.matches("note: ").count(), expected.iter().len(), "{args:?}: {message}");
        assert!(expected.is_none_or(|text| message.contains(text)), "{args:?}: {message}");
    }
}

#[test]
fn a_tool_that_fails_is_quoted() {
    let folder = tempfile::tempdir().unwrap();
    let yosys = |name: &str, text: &str| {
        let text = format!("[ \"$1\" = -V ] && echo 'Yosys 0.70' && exit\n{text}");
        shell_script(folder.path().join(name), &text)
    };
    let failing = yosys("failing", "echo 'ERROR: it broke'; exit 1");
    let silent = yosys("silent", "exit 0");
    let garbage = yosys("garbage", "echo rubbish >statistics.json; echo module >netlist.v");
    for (path, expected) in [
        (&failing, "ERROR: it broke"),
        (&silent, "statistics.json: No such file"),
        (&garbage, "Yosys's statistics cannot be read"),
    ] {
        let args = ["--preset", "tiny", "--target", "generic", "--top", "eva_pe"];
        let code = if path == &silent { 2 } else { 1 };
        let message = refused(&args, &[("EVA_YOSYS", path)], code);
        assert!(message.contains(expected), "{message}");
    }
}
