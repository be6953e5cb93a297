//! Scripts for tools that are not here: Tcl and Make run them, with commands that write down how they are called.

use std::fs;
use std::process::Command;

use eva_rtl::flows::Target;

use super::Generated;
use super::tools::{expect_success, run};

/// Runs `script` in tclsh, with `commands` standing in for the tool's; returns their calls, a line for each.
fn tcl(core: &Generated, script: &str, commands: &[&str], arguments: &[&str]) -> Vec<String> {
    let stand_ins: String =
        commands.iter().map(|name| format!("proc {name} {{args}} {{ puts \"{name} $args\" }}\n")).collect();
    let path = core.path("run.tcl");
    let script = core.path(script);
    // As if it were run itself.
    let text = format!("{stand_ins}info script {0}\nsource {0}\n", script.display());
    fs::write(&path, text).unwrap();
    let output = run(Command::new("tclsh").current_dir(core.path("")).arg(&path).args(arguments));
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", script.display());
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

const CONSTRAINTS: [&str; 4] = ["create_clock", "set_input_delay", "set_output_delay", "get_ports"];

#[test]
fn timing_constraints_are_tcl() {
    for target in [Target::Asic, Target::Xilinx] {
        let core = Generated::tiny(target);
        let [path] = &core.listed("constraints")[..] else { panic!("one file") };
        let calls = tcl(&core, path, &CONSTRAINTS, &[]);
        assert!(calls.iter().any(|call| call.starts_with("create_clock -name aclk -period 8.0")), "{calls:?}");
        let delays: Vec<_> = calls.iter().filter(|call| call.contains("_delay ")).collect();
        assert!(delays.len() >= 10 && delays.iter().all(|call| call.contains("_delay 2.4 -clock aclk")), "{calls:?}");
    }
}

#[test]
fn vivado_reads_every_file() {
    let core = Generated::tiny(Target::Xilinx);
    let commands = [
        "read_verilog",
        "read_xdc",
        "synth_design",
        "write_checkpoint",
        "report_utilization",
        "report_timing_summary",
        "opt_design",
        "place_design",
        "phys_opt_design",
        "route_design",
    ];
    for (arguments, part, is_routed) in [
        (&[][..], "xc7a200tfbg676-2", false),
        (&["xczu9eg-ffvb1156-2-e", "out", "route"], "xczu9eg-ffvb1156-2-e", true),
    ] {
        let calls = tcl(&core, "flows/vivado.tcl", &commands, arguments);
        let root = core.path("").canonicalize().unwrap();
        let read: Vec<String> = calls
            .iter()
            .filter_map(|call| call.strip_prefix("read_verilog "))
            .map(|file| std::path::Path::new(file).strip_prefix(&root).unwrap().display().to_string())
            .collect();
        assert_eq!(read, core.listed("files"));
        let xdc = root.join(&core.listed("constraints")[0]);
        assert!(calls.contains(&format!("read_xdc -mode out_of_context {}", xdc.display())), "{calls:?}");
        assert!(calls.contains(&format!("synth_design -top eva_core -part {part} -mode out_of_context")), "{calls:?}");
        assert_eq!(calls.iter().any(|call| call.starts_with("route_design")), is_routed);
    }
    assert!(core.path("vivado").is_dir() && core.path("out").is_dir());
}

#[test]
fn yosys_script_is_tcl() {
    let core = Generated::tiny(Target::Asic);
    fs::write(core.path("edalize_yosys_procs.tcl"), "proc read_files {} { puts files }\nset name netlist\n").unwrap();
    let commands = ["yosys", "hierarchy", "stat", "write_verilog"];
    let calls = tcl(&core, "flows/yosys.tcl", &commands, &[]);
    let expected = [
        "yosys -import",
        "files",
        "hierarchy -check -top eva_core",
        "yosys synth -top eva_core",
        "stat ",
        "write_verilog -noattr netlist.v",
    ];
    assert_eq!(calls, expected);
}

/// A library is unpacked if it has to be, and ABC works to the period asked for.
#[test]
fn yosys_script_takes_a_library() {
    let core = Generated::tiny(Target::Asic);
    let commands = ["yosys", "hierarchy", "dfflibmap", "abc", "opt_clean", "stat", "write_verilog"];
    let cells = "library (cells) {}\n";
    fs::write(core.path("cells.lib"), cells).unwrap();
    expect_success("gzip", Command::new("gzip").arg("-k").arg(core.path("cells.lib")), true);
    for (library, read) in [("cells.lib", "cells.lib"), ("cells.lib.gz", "liberty.lib")] {
        let procedures = format!("proc read_files {{}} {{}}\nset name netlist\nset env(LIBERTY) {library}\n");
        fs::write(core.path("edalize_yosys_procs.tcl"), procedures).unwrap();
        let calls = tcl(&core, "flows/yosys.tcl", &commands, &[]);
        let expected = [
            format!("dfflibmap -liberty {read}"),
            format!("abc -liberty {read} -D 8000"),
            "opt_clean ".to_owned(),
            format!("stat -liberty {read}"),
        ];
        assert_eq!(calls[3..7], expected, "{calls:?}");
        assert_eq!(core.text(read), cells);
    }
}

#[test]
fn openroad_finds_every_file() {
    // Black boxes: their views are asked for.
    let core = Generated::new(&["--preset", "tiny", "--memory-style", "macro"]);
    let config = core.path("flows/openroad/config.mk");
    let makefile = core.path("Makefile");
    let print = "all:\n\t@echo $(VERILOG_FILES)\n\t@echo $(SDC_FILE)\n\t@echo $(ADDITIONAL_LEFS)\n\t@env";
    fs::write(&makefile, format!("include {}\n{print}\n", config.display())).unwrap();
    let mut make = Command::new("make");
    make.current_dir(core.path("rtl"))
        .args(["--no-print-directory", "--warn-undefined-variables", "-f"])
        .arg(&makefile);
    let output = run(&mut make);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let mut lines = text.lines();
    let mut words = || lines.next().unwrap().split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let root = core.path("").canonicalize().unwrap();
    let absolute =
        |files: Vec<String>| files.iter().map(|file| root.join(file).display().to_string()).collect::<Vec<_>>();
    assert_eq!(words(), absolute(core.listed("files")));
    assert_eq!(words(), absolute(core.listed("constraints")));
    let black_boxes: Vec<String> = core
        .listed("models")
        .iter()
        .map(|model| model.replace("rtl/models/", "macros/").replace(".v", ".lef"))
        .collect();
    assert_eq!(words(), absolute(black_boxes));
    for variable in ["DESIGN_NAME=eva_core", "PLATFORM=sky130hd", "SYNTH_HIERARCHICAL=1", "SYNTH_MEMORY_MAX_BITS=4096"]
    {
        assert!(text.lines().any(|line| line == variable), "{variable}: {text}");
    }
    // Queues may be larger than what the flow allows by itself.
    let core = Generated::new(&["--preset", "tiny", "--rows", "128"]);
    let config = core.text("flows/openroad/config.mk");
    assert!(config.contains("\nexport SYNTH_MEMORY_MAX_BITS = 8448\n"), "{config}");
    assert!(!config.contains("MACRO_DIR"), "{config}");
    // And it is a makefile as such.
    expect_success("make", Command::new("make").args(["-n", "-f"]).arg(&makefile), false);
}

/// The code for LiteX is Python.
#[test]
fn the_python_of_the_page_compiles() {
    let page = include_str!("../../docs/flows.md");
    let code = page.split_once("```python\n").unwrap().1.split_once("```").unwrap().0;
    let mut python = Command::new("python3");
    expect_success("python3", python.args(["-c", "import ast, sys; ast.parse(sys.argv[1])", code]), true);
}

/// The page shows the macro that the tests use.
#[test]
fn the_macro_of_the_page_is_tested() {
    assert!(include_str!("../../docs/flows.md").contains(super::SKY130));
}
