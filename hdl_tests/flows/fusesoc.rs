//! The core file, in FuseSoC itself.

use std::path::Path;
use std::process::{Command, Output};

use eva_rtl::flows::Target;

use super::Generated;
use super::tools::{command, run};

/// Runs a target of the core file.
fn fusesoc(core: &Generated, target: &str, options: &[&str]) -> Output {
    let mut fusesoc: Command = command("python");
    // FuseSoC takes tools from the PATH.
    let program = command("verilator").get_program().to_owned();
    let folder = Path::new(&program).parent().unwrap_or(Path::new(""));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = std::iter::once(folder.to_owned()).chain(std::env::split_paths(&path));
    fusesoc.env("PATH", std::env::join_paths(folders).unwrap());
    // Nor is it to look at anybody's settings or write to their caches.
    let home = core.path("home");
    fusesoc.env("HOME", &home).env("XDG_CONFIG_HOME", &home).env("XDG_CACHE_HOME", &home).env("XDG_DATA_HOME", &home);
    fusesoc.current_dir(core.path("")).args(["-m", "fusesoc.main", "--cores-root", "."]);
    fusesoc.args(["run", "--work-root", target, &format!("--target={target}")]).args(options).arg("eva_core");
    let output = run(&mut fusesoc);
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{target}: {text}{}", String::from_utf8_lossy(&output.stdout));
    output
}

#[test]
fn lint_with_verilator_and_simulation_with_icarus() {
    // Behavioural memories, and models in the place of black boxes.
    for style in ["inferred", "macro"] {
        let core = Generated::new(&["--preset", "tiny", "--memory-style", style]);
        fusesoc(&core, "lint", &[]);
        let output = fusesoc(&core, "sim", &[]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("eva_core_tb: passed after "), "{text}");
    }
}

/// Synthesis is set up: every file is found and every option is known. Only some of the tools are here to run it.
#[test]
fn synthesis_is_understood() {
    for (target, expected) in [
        (Target::Asic, "yosys.tcl"),
        (Target::Xilinx, "xc7a200tfbg676-2"),
        (Target::Ecp5, "synth_ecp5"),
        (Target::Ice40, "synth_ice40"),
    ] {
        let core = Generated::tiny(target);
        fusesoc(&core, "synth", &["--setup"]);
        let mut text = String::new();
        for entry in std::fs::read_dir(core.path("synth")).unwrap() {
            text += &std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        }
        assert!(text.contains(expected), "{}: {text}", target.name());
        let [constraints] = &core.listed("constraints")[..] else { panic!("one file") };
        assert!(text.contains(constraints), "{}: {text}", target.name());
    }
}

/// Presets of other sizes pass the smoke test too: narrow and wide streams, one index word per beat or many.
#[test]
fn the_smoke_test_suits_any_core() {
    for args in [
        &["--preset", "fpga"][..],
        &["--preset", "tiny", "--stream-width", "4096", "--index-bits", "2"],
        &["--preset", "tiny", "--cols", "64", "--dim", "16", "--epilogue-units", "3", "--index-bits", "7"],
        &["--preset", "tiny", "--cols", "4", "--dim", "1", "--rows", "7", "--max-n-block", "1"],
    ] {
        let core = Generated::new(args);
        let program = core.path("bench");
        let mut compiler = command("iverilog");
        compiler.current_dir(core.path("")).args(["-g2005", "-Wall", "-s", "eva_core_tb", "-f", "eva_core.f", "-o"]);
        compiler.arg(&program).args(core.listed("testbenches"));
        super::tools::expect_success("iverilog", &mut compiler, true);
        let output = run(Command::new("vvp").arg("-n").arg(&program));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with("eva_core_tb: passed after "), "{args:?}: {text}");
    }
}
