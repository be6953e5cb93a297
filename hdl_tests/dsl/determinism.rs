//! The same description gives the same bytes, and every module once.

use crate::clocking;
use crate::mistakes::places::everything;
use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::{Design, Scope, elaborate, verilog};
use eva_rtl::rtl;
use std::collections::HashSet;
use std::process::Command;

fn core(preset: &str, rows: Option<u32>) -> Design {
    let mut cfg = CoreConfig::preset(preset).expect("a preset");
    cfg.array.rows = rows.unwrap_or(cfg.array.rows);
    rtl::eva_core(&cfg).expect("elaborates").design
}

/// All files of a design that uses everything and of a whole core, one after the other.
fn emitted() -> String {
    let designs = [elaborate("everything", clocking(), everything).unwrap().design, core("tiny", None)];
    let files = designs.iter().flat_map(|d| verilog::emit(d, &verilog::Options::default()));
    files.map(|f| format!("==== {}\n{}", f.name, f.text)).collect()
}

#[test]
fn twice_in_one_process() {
    let first = emitted();
    assert!(first.lines().count() > 1000, "only {} lines", first.lines().count());
    assert_eq!(first, emitted());
}

const OUTPUT: &str = "EVA_RTL_TEST_EMIT_TO";

/// The other process of the next test.
#[test]
#[ignore = "run by in_two_processes"]
fn emit_to_file() {
    std::fs::write(std::env::var_os(OUTPUT).expect("set by in_two_processes"), emitted()).unwrap();
}

/// Hash maps are seeded per process: an order that comes from one differs between processes.
#[test]
fn in_two_processes() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let status = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "determinism::emit_to_file", "--ignored", "--quiet"])
        .env(OUTPUT, file.path())
        .stdout(std::process::Stdio::null())
        .status()
        .unwrap();
    assert!(status.success());
    assert_eq!(std::fs::read_to_string(file.path()).unwrap(), emitted());
}

#[test]
fn the_same_child_defined_twice_is_emitted_once() {
    let adder = |m: &Scope| m.output("y", m.input("a", 8) + m.input("b", 8));
    let design = elaborate("top", clocking(), |m| {
        let a = m.input("a", 8);
        let sums: Vec<_> = (0..5)
            .map(|i| {
                let inst = m.instance(&format!("u_{i}"), &m.define("adder", adder));
                inst.set("a", a).set("b", a);
                inst.get("y")
            })
            .collect();
        // Also when another module defines it.
        let outer = m.define("outer", |m| {
            let inst = m.instance("u_adder", &m.define("adder", adder));
            let x = m.input("x", 8);
            inst.set("a", x).set("b", x);
            m.output("y", inst.get("y"));
        });
        let inst = m.instance("u_outer", &outer);
        inst.set("x", a);
        m.output("y", m.cat(&sums));
        m.output("z", inst.get("y"));
    })
    .unwrap()
    .design;
    let names: Vec<&str> = design.modules.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["adder", "outer", "top"]);
    assert_eq!(verilog::emit(&design, &verilog::Options::default()).len(), 3);
}

#[test]
fn every_file_has_a_name_of_its_own() {
    let files = verilog::emit(&core("small", None), &verilog::Options::default());
    let names: HashSet<_> = files.iter().map(|f| &f.name).collect();
    assert_eq!(names.len(), files.len());
}

/// More rows are more instances, not more modules. Where two units happen to need the same widths, they share one.
#[test]
fn the_number_of_modules_does_not_depend_on_the_number_of_rows() {
    let modules = |rows| core("small", Some(rows)).modules.len();
    let counts = [4, 8, 16, 32].map(modules);
    assert!(counts.iter().all(|c| c.abs_diff(counts[0]) <= 1), "{counts:?}");
    assert!(counts[0] < 60, "tens of modules, not {}", counts[0]);
}
