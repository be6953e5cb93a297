//! `scripts/area`: that its figures add up, and what it says to wrong use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

use crate::tools;

fn area(args: &[&str]) -> Output {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/area");
    // The Python of the tests is that of the script.
    let python = tools::command("python").get_program().to_owned();
    let mut command = Command::new(script);
    command.args(args).env("EVA_PYTHON", python).env("EVA", env!("CARGO_BIN_EXE_eva"));
    command.output().expect("the script starts")
}

/// Cells, area and flip-flops.
fn size(json: &Value) -> [f64; 3] {
    ["cells", "area", "flip_flops"].map(|field| json[field].as_f64().unwrap())
}

#[test]
fn the_parts_add_up() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("area.json");
    // Without OpenSTA the recipes are few.
    let output =
        area(&["--preset", "tiny", "--rows", "3", "--max-k", "96", "--no-sta", "--json", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let json: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    let result = &json["results"][0];
    let blocks = result["blocks"].as_array().unwrap();
    let block = |name: &str| blocks.iter().find(|block| block["module"] == name).unwrap_or_else(|| panic!("no {name}"));

    for parent in blocks {
        let mut sum = size(&parent["own"]);
        for (child, count) in parent["children"].as_object().unwrap() {
            // Memories are not measured.
            let Some(child) = blocks.iter().find(|block| block["module"] == child.as_str()) else {
                assert!(child.starts_with("eva_mem_"), "{child}");
                continue;
            };
            let count = count.as_f64().unwrap();
            let parts = size(child);
            sum.iter_mut().zip(parts).for_each(|(sum, part)| *sum += count * part);
        }
        for (sum, total) in sum.into_iter().zip(size(parent)) {
            assert!((sum - total).abs() <= 1e-6 * total, "{parent}: {sum}");
        }
    }
    // What the INT8 array has by definition: operands and sum in each PE, and the chain that loads the weights.
    let (rows, cols) = (3, json["parameters"]["array"]["cols"].as_u64().unwrap());
    let flip_flops = rows * cols * (8 + 8 + 32) + rows + cols - 2;
    assert_eq!(block("eva_baseline_array")["flip_flops"], flip_flops);
    assert_eq!(block("eva_baseline_pe")["instances"], rows * cols);
    assert_eq!(block("eva_pe")["instances"], rows * cols / 4);

    let total = |name: &str| size(block(name))[1];
    let units = json["parameters"]["epilogue"]["units"].as_f64().unwrap();
    for (name, line, ratio) in [
        ("array", "array: mixed / INT8", total("eva_array") / total("eva_baseline_array")),
        ("row", "row: mixed / INT8", total("eva_row") / total("eva_baseline_row")),
        ("epilogue_units", "epilogue units / mixed array", units * total("eva_epilogue_unit") / total("eva_array")),
    ] {
        assert!((result["ratios"][name].as_f64().unwrap() - ratio).abs() < 1e-9, "{name}: {ratio}");
        let line = printed.lines().find(|printed| printed.contains(line)).unwrap();
        assert!(line.ends_with(&format!(" {ratio:.3}")), "{line}: {ratio}");
    }
    for path in blocks.iter().map(|block| block["path"].as_f64().unwrap()) {
        assert!(path > 0.0 && path < 30.0, "{path} ns");
    }
}

#[test]
fn wrong_use_exits_with_2_and_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let below = |name: &str| -> String {
        let path: PathBuf = folder.path().join(name);
        path.to_str().unwrap().to_owned()
    };
    fs::write(below("empty.lib"), "library (empty) {}").unwrap();
    fs::write(below("plain.lib.gz"), "library (plain) {}").unwrap();
    for (args, message) in [
        (["--liberty", &below("missing.lib")], "missing.lib: No such file or directory"),
        (["--liberty", &below("empty.lib")], "empty.lib: no cells in it"),
        (["--liberty", &below("plain.lib.gz")], "plain.lib.gz: Not a gzipped file"),
        (["--clock", "0"], "--clock 0.0: a period in ns is needed"),
        (["--json", &below("missing/area.json")], "No such file or directory"),
        (["--keep", folder.path().to_str().unwrap()], "File exists"),
        (["--rows", "1"], "array.rows"),
        (["--rowz", "3"], "unexpected argument '--rowz'"),
    ] {
        let output = area(&args);
        let text = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {text}");
        assert!(text.contains(message), "{args:?}: {text}");
        assert!(!text.contains("Traceback"), "{args:?}: {text}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left behind");
}
