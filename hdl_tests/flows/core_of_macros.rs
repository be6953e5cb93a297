//! A whole core whose memories are SkyWater's macros.

use std::fs;
use std::process::Command;

use super::tools::{command, expect_success, run};
use super::{Generated, SKY130, SKY130_MODEL};

fn core() -> Generated {
    let folder = tempfile::tempdir().unwrap();
    let config = folder.path().join("core.toml");
    fs::write(&config, format!("preset = \"tiny\"\n[memory]\nstyle = \"macro\"\n{SKY130}")).unwrap();
    Generated::new(&["--config", config.to_str().unwrap()])
}

#[test]
fn a_layer_goes_through_it() {
    let core = core();
    // Once with the macros, once with the models of the memories.
    for (list, with_macros) in [("eva_core.f", true), ("eva_core_sim.f", false)] {
        let program = core.path("bench");
        let mut compiler = command("iverilog");
        compiler.current_dir(core.path("")).args(["-g2005", "-s", "eva_core_tb", "-f", list, "-o"]).arg(&program);
        compiler.args(with_macros.then_some(SKY130_MODEL)).args(core.listed("testbenches"));
        expect_success(list, &mut compiler, true);
        let output = run(Command::new("vvp").arg("-n").arg(&program));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.starts_with("eva_core_tb: passed after "), "{list}: {text}");
    }
}

#[test]
fn linters_accept_it() {
    let core = core();
    let model = fs::read_to_string(SKY130_MODEL).unwrap();
    // Only its ports, as tools know a macro.
    let ports = model.split_once(");").unwrap().0.replace("output reg ", "output wire");
    let stub = core.path("sky130_sram_1kbyte_1rw1r_32x256_8.v");
    let off = "/* verilator lint_off UNUSEDSIGNAL */\n/* verilator lint_off UNDRIVEN */";
    fs::write(&stub, format!("{off}\n(* blackbox *)\n{ports});\nendmodule\n")).unwrap();
    let mut verilator = command("verilator");
    verilator.current_dir(core.path("")).args(["--lint-only", "-Wall", "--default-language", "1364-2005"]);
    verilator.args(["--top-module", "eva_core", "-f", "eva_core.f"]).arg(&stub);
    expect_success("verilator", &mut verilator, false);
    for script in ["slang_check.py", "yosys_check.py"] {
        let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts").join(script);
        let mut check = command("python");
        check.current_dir(core.path("")).arg(&script).arg("eva_core").args(core.listed("files")).arg(&stub);
        expect_success(&script.display().to_string(), &mut check, false);
    }
}

#[test]
fn the_manifest_says_what_to_order() {
    let core = core();
    let manifest = core.manifest();
    let modules = manifest["memory_modules"].as_array().unwrap();
    let (mut count, mut used) = (0, 0);
    for module in modules.iter().filter(|module| module["can_be_macro"] == true) {
        assert_eq!(module["macro"]["module"], "sky130_sram_1kbyte_1rw1r_32x256_8", "{module}");
        let [banks, slices, instances, depth, width] = [
            &module["macro"]["banks"],
            &module["macro"]["slices"],
            &module["instances"],
            &module["depth"],
            &module["width"],
        ]
        .map(|number| number.as_u64().unwrap());
        assert_eq!((banks, slices), (1, width.div_ceil(32)), "{module}");
        assert_eq!(module["total_bits"], depth * width * instances, "{module}");
        count += banks * slices * instances;
        used += depth * width * instances;
        let ports: Vec<String> = module["ports"]
            .as_array()
            .unwrap()
            .iter()
            .map(|port| {
                assert!(!port["meaning"].as_str().unwrap().is_empty());
                format!("{} {} {}", port["direction"].as_str().unwrap(), port["width"], port["name"].as_str().unwrap())
            })
            .collect();
        let address = 64 - (depth - 1).leading_zeros();
        let expected = [
            "input 1 aclk".to_owned(),
            "input 1 w0_en".to_owned(),
            format!("input {address} w0_addr"),
            format!("input {width} w0_data"),
            "input 1 r0_en".to_owned(),
            format!("input {address} r0_addr"),
            format!("output {width} r0_data"),
        ];
        assert_eq!(ports, expected);
    }
    assert_eq!(manifest["macros"].as_array().unwrap().len(), 1);
    assert_eq!(manifest["macros"][0]["instances"], count);
    assert_eq!(manifest["macros"][0]["total_bits"], count * 8192);
    let line = format!("\n{count} RAM macros, {used} of {} bits used (", count * 8192);
    assert!(core.stdout.contains(&line), "{line}: {}", core.stdout);
    let config = core.text("flows/openroad/config.mk");
    assert!(config.contains("/sky130_sram_1kbyte_1rw1r_32x256_8.lef\n"), "{config}");
}
