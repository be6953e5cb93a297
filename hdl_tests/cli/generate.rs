//! `eva generate`: what is written, and that nothing is written when something is wrong.

use std::fs;
use std::path::Path;

use eva_rtl::config::{CoreConfig, PRESETS};
use serde_json::Value;

use super::{files_below, refusal, stdout};

/// Generates into `out`, which must succeed.
fn generate(out: &Path, args: &[&str]) -> String {
    stdout(&[&["generate", "--out", out.to_str().unwrap()], args].concat())
}

/// The message of a generation that is refused.
fn refused(out: &Path, args: &[&str]) -> String {
    refusal(&[&["generate", "--out", out.to_str().unwrap()], args].concat())
}

fn manifest(out: &Path) -> Value {
    serde_json::from_slice(&fs::read(out.join("eva_core.json")).unwrap()).unwrap()
}

#[test]
fn a_core_is_written_as_described_by_its_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("new/core");
    generate(&out, &["--preset", "tiny", "--max-k", "128"]);

    let manifest = manifest(&out);
    let parameters: CoreConfig = serde_json::from_value(manifest["parameters"].clone()).unwrap();
    let mut expected = CoreConfig::preset("tiny").unwrap();
    expected.buffers.max_k = 128;
    assert_eq!(parameters, expected);

    let files: Vec<String> = serde_json::from_value(manifest["files"].clone()).unwrap();
    let list = fs::read_to_string(out.join("eva_core.f")).unwrap();
    assert_eq!(list.lines().collect::<Vec<_>>(), files);
    let mut written = files.clone();
    written.extend(["eva_core.f", "eva_core.json"].map(str::to_owned));
    let around = ["constraints", "testbenches", "flows"].map(|key| {
        let files: Vec<String> = serde_json::from_value(manifest[key].clone()).unwrap();
        files
    });
    assert_eq!(around[0], ["constraints/eva_core.sdc"]);
    assert_eq!(around[1], ["tb/eva_core_tb.v"]);
    assert_eq!(around[2], ["eva_core.core", "flows/openroad/config.mk", "flows/yosys.tcl"]);
    written.extend(around.concat());
    written.sort();
    assert_eq!(files_below(&out), written);

    // One module per file, called like it.
    for file in &files {
        let name = file.strip_prefix("rtl/").and_then(|name| name.strip_suffix(".v")).unwrap();
        let text = fs::read_to_string(out.join(file)).unwrap();
        assert!(text.contains(&format!("module {name}")), "{file}");
        assert_eq!(text.lines().filter(|line| *line == "endmodule").count(), 1, "{file}");
    }
    let modules = manifest["modules"].as_array().unwrap();
    for module in modules {
        let name = module["name"].as_str().unwrap();
        assert!(files.contains(&format!("rtl/{name}.v")), "{name}");
        assert!(module["instances"].as_u64().unwrap() >= 1, "{name}");
    }
    assert_eq!(manifest["top"], "eva_core");
    let ports: Vec<_> =
        manifest["ports"].as_array().unwrap().iter().map(|port| port["name"].as_str().unwrap()).collect();
    let expected: Vec<String> = eva_rtl::cosim::core_ports(&parameters).into_iter().map(|port| port.name).collect();
    assert_eq!(ports[..2], ["aclk", "aresetn"]);
    for name in &expected {
        assert!(ports.contains(&name.as_str()), "{name}");
    }
    assert_eq!(ports.len(), expected.len());
}

#[test]
fn memories_can_be_macros_with_models() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("core");
    generate(&out, &["--preset", "tiny", "--memory-style", "macro"]);
    let lines = |name: &str| -> Vec<String> {
        let text = fs::read_to_string(out.join(name)).unwrap();
        text.lines().map(str::to_owned).collect()
    };
    let description = manifest(&out);
    let macros: Vec<_> = description["memory_modules"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|memory| memory["can_be_macro"] == true)
        .map(|memory| memory["name"].as_str().unwrap())
        .collect();
    assert!(!macros.is_empty());
    let (synthesis, simulation) = (lines("eva_core.f"), lines("eva_core_sim.f"));
    assert_eq!(synthesis.len(), simulation.len());
    for name in macros {
        let (black_box, model) = (format!("rtl/{name}.v"), format!("rtl/models/{name}.v"));
        assert!(synthesis.contains(&black_box) && !simulation.contains(&black_box), "{name}");
        assert!(simulation.contains(&model) && !synthesis.contains(&model), "{name}");
        assert!(out.join(model).is_file() && out.join(black_box).is_file(), "{name}");
    }
    // Nothing of it is left once the memories are to be inferred again, and nothing for one target with another.
    generate(&out, &["--preset", "tiny"]);
    assert!(!out.join("rtl/models").exists());
    assert!(!out.join("eva_core_sim.f").exists());
    generate(&out, &["--preset", "tiny", "--target", "ice40"]);
    let around: Vec<_> = files_below(&out).into_iter().filter(|file| !file.starts_with("rtl/")).collect();
    let expected = ["constraints/eva_core.pcf", "eva_core.core", "eva_core.f", "eva_core.json", "tb/eva_core_tb.v"];
    assert_eq!(around, expected);
    assert!(!out.join("flows").exists());
}

/// The INT8 array has files of its own, and a core in the same folder is left alone.
#[test]
fn the_int8_array_is_written_beside_a_core() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("both");
    let core = ["--preset", "tiny"];
    let baseline = ["--preset", "tiny", "--cols", "64", "--design", "baseline"];
    generate(&out, &core);
    let of_the_core = files_below(&out);
    generate(&out, &baseline);

    let rtl = ["array", "pe", "row"].map(|module| format!("rtl/eva_baseline_{module}.v"));
    let mut expected = of_the_core.clone();
    expected.extend(["eva_baseline_array.f", "eva_baseline_array.json"].map(str::to_owned));
    expected.extend(rtl.clone());
    expected.sort();
    assert_eq!(files_below(&out), expected);
    let text = fs::read_to_string(out.join("eva_baseline_array.json")).unwrap();
    let manifest: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(manifest["top"], "eva_baseline_array");
    assert_eq!(manifest["constraints"], serde_json::json!([]));
    assert_eq!(manifest["latencies"], serde_json::json!({ "row": 65 }));
    let rows = CoreConfig::preset("tiny").unwrap().array.rows;
    let instances: Vec<_> = manifest["modules"].as_array().unwrap().iter().map(|module| &module["instances"]).collect();
    assert_eq!(instances, [64 * rows, rows, 1]);
    let mut listed: Vec<String> = serde_json::from_value(manifest["files"].clone()).unwrap();
    listed.sort();
    assert_eq!(listed, rtl);

    generate(&out, &core);
    assert_eq!(files_below(&out), expected);
    let refusal = refused(&out, &["--design", "base"]);
    assert!(refusal.contains("core") && refusal.contains("baseline"), "{refusal}");
}

#[test]
fn two_runs_write_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let [one, two] = ["one", "two"].map(|name| folder.path().join(name));
    generate(&one, &["--preset", "tiny"]);
    generate(&two, &["--preset", "tiny"]);
    let names = files_below(&one);
    assert_eq!(names, files_below(&two));
    for name in names {
        let [one, two] = [&one, &two].map(|out| fs::read(out.join(&name)).unwrap());
        assert!(one == two, "{name}");
    }
}

#[test]
fn only_files_of_an_earlier_core_are_removed() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("core");
    generate(&out, &["--preset", "tiny"]);
    fs::write(out.join("rtl/mine.v"), "// mine").unwrap();
    fs::write(out.join("rtl/old.v"), "// of an earlier core").unwrap();
    let outside = folder.path().join("outside.v");
    fs::write(&outside, "// elsewhere").unwrap();
    let mut earlier = manifest(&out);
    let files = earlier["files"].as_array_mut().unwrap();
    for file in ["rtl/old.v", "rtl/gone.v", "../outside.v", outside.to_str().unwrap()] {
        files.push(file.into());
    }
    fs::write(out.join("eva_core.json"), earlier.to_string()).unwrap();

    generate(&out, &["--preset", "tiny", "--max-k", "128"]);
    let left = files_below(&out);
    assert!(left.contains(&"rtl/mine.v".to_owned()));
    assert!(!left.contains(&"rtl/old.v".to_owned()));
    assert!(outside.exists());
    assert_eq!(manifest(&out)["parameters"]["buffers"]["max_k"], 128);
}

#[test]
fn what_cannot_be_written_leaves_everything_as_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("file"), "x").unwrap();
    fs::create_dir(path("blocked")).unwrap();
    fs::write(path("blocked/rtl"), "x").unwrap();
    fs::create_dir_all(path("folder/rtl/eva_core.v")).unwrap();
    fs::create_dir_all(path("manifest/eva_core.json")).unwrap();
    let before = files_below(folder.path());

    for (out, reason) in [
        ("file", "file: it is not a folder"),
        ("file/below/it", "file/below/it: Not a directory"),
        ("blocked", "blocked/rtl: it is not a folder"),
        ("folder", "folder/rtl/eva_core.v: there is a folder of that name"),
        ("manifest", "manifest/eva_core.json: there is a folder of that name"),
    ] {
        let message = refused(&path(out), &["--preset", "tiny"]);
        assert!(message.starts_with("error: cannot write to "), "{message}");
        assert!(message.contains(reason), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
    assert_eq!(files_below(folder.path()), before);
    assert!(!path("manifest/rtl").exists());
    assert_eq!(fs::read_dir(path("folder")).unwrap().count(), 1);
}

#[test]
fn a_folder_without_permission_is_left_alone() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("core");
    generate(&out, &["--preset", "tiny"]);
    let before = fs::read(out.join("eva_core.json")).unwrap();
    fs::set_permissions(&out, fs::Permissions::from_mode(0o555)).unwrap();
    // Root may write everywhere.
    let is_root = fs::write(out.join("probe"), "").is_ok();
    if !is_root {
        let message = refused(&out, &["--preset", "tiny", "--max-k", "128"]);
        assert!(message.contains("permission denied"), "{message}");
        assert_eq!(fs::read(out.join("eva_core.json")).unwrap(), before);
    }
    fs::set_permissions(&out, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn bad_parameters_are_refused_before_anything_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("core");
    let config = folder.path().join("core.toml");
    fs::write(&config, "preset = \"tiny\"\n[array]\nrows = 1\n").unwrap();
    let config = config.to_str().unwrap();

    for (args, expected) in [
        (&["--memory-style", "x"][..], "must be \"inferred\" or \"macro\""),
        (&["--preset", "tinny"], "did you mean `tiny`?"),
        (&["--preset", "tiny", "--target", "ice4"], "[possible values: asic, xilinx, ecp5, ice40]"),
        (
            &["--preset", "tiny", "--clock", "0"],
            "must be a period in ns from 0.1 to 1000, or have a unit: 8, 8ns, 125MHz",
        ),
        (&["--preset", "tiny", "--clock", "-3"], "invalid value '-3' for '--clock <CLOCK>': must be a period in ns"),
        (&["--preset", "tiny", "--clock", "-3ns"], "invalid value '-3ns' for '--clock <CLOCK>': must be a period"),
        (&["--preset", "tiny", "--clock", "20GHz"], "must be a period in ns from 0.1 to 1000"),
        (&["--preset", "tiny", "--baud", "-1"], "must be a whole number from 1 to 4294967295"),
        (
            &["--preset", "tiny", "--clock", "nan"],
            "must be a period in ns from 0.1 to 1000, or have a unit: 8, 8ns, 125MHz",
        ),
        (&["--preset", "tiny", "--config", config], "cannot be used with"),
        (&["--config", config], "core.toml:3): must be from 2 to 128; 2 would work"),
        (
            &["--config", config, "--rows", "1", "--cols", "6"],
            "error: 2 parameters cannot be used:\n  array.rows = 1 (--rows): must be from 2 to 128; 2 would work\n  \
             array.cols = 6 (--cols): must be a multiple of 4",
        ),
    ] {
        let message = refused(&out, args);
        assert!(message.contains(expected), "{args:?}: {message}");
    }
    assert!(!out.exists());
    // A flag mends what the file has wrong.
    generate(&out, &["--config", config, "--rows", "3"]);
    assert_eq!(manifest(&out)["parameters"]["array"]["rows"], 3);
}

#[test]
fn a_summary_is_printed() {
    let folder = tempfile::tempdir().unwrap();
    let text = generate(folder.path(), &["--preset", "tiny"]);
    assert!(text.starts_with("eva_core: "), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    let json: Value = serde_json::from_str(&generate(folder.path(), &["--preset", "tiny", "--json"])).unwrap();
    let files = manifest(folder.path())["files"].as_array().unwrap().len();
    assert_eq!(json["modules"], files);
    assert!(json["lines"].as_u64().unwrap() > 0);
}

/// The Verilog that is kept in the repository is what the generator writes now.
#[test]
fn the_presets_in_the_repository_are_fresh() {
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("generated");
    for preset in PRESETS.iter().map(|preset| preset.name) {
        let folder = tempfile::tempdir().unwrap();
        generate(folder.path(), &["--preset", preset]);
        let (made, kept) = (folder.path(), kept.join(preset));
        assert_eq!(files_below(made), files_below(&kept), "generated/{preset}: run scripts/refresh");
        for file in files_below(made) {
            let same = fs::read(made.join(&file)).unwrap() == fs::read(kept.join(&file)).unwrap();
            assert!(same, "generated/{preset}/{file}: run scripts/refresh");
        }
    }
}
