//! `scripts/area`: that its figures add up, and what it says to wrong use.

use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::tools;

/// The script, with the program of this build.
fn command(args: &[&str]) -> Command {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/area");
    // The Python of the tests is that of the script.
    let python = tools::command("python").get_program().to_owned();
    let mut command = Command::new(script);
    command.args(args).env("EVA_PYTHON", python).env("EVA", env!("CARGO_BIN_EXE_eva"));
    command
}

fn area(args: &[&str]) -> Output {
    command(args).output().expect("the script starts")
}

/// Cells, area and flip-flops.
fn size(json: &Value) -> [f64; 3] {
    ["cells", "area", "flip_flops"].map(|field| json[field].as_f64().unwrap())
}

#[test]
fn the_parts_add_up() {
    let folder = tempfile::tempdir().unwrap();
    // The result goes through a link, and names may have spaces.
    let [file, link, keep] = ["area.json", "link", "kept files"].map(|name| folder.path().join(name));
    symlink("area.json", &link).unwrap();
    // Without OpenSTA the recipes are few.
    let small = ["--preset", "tiny", "--rows", "3", "--max-k", "96", "--no-sta"];
    let output = area(&[&small[..], &["--json", link.to_str().unwrap(), "--keep", keep.to_str().unwrap()]].concat());
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
    assert_eq!(block("eva_epilogue_unit")["instances"], json["parameters"]["epilogue"]["units"]);
    assert!(["eva_array", "eva_row", "eva_pe"].into_iter().map(|name| &block(name)["depth"]).eq([0, 1, 2].iter()));

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
    // Marks at the paths that are too long, and a line that says what they mean.
    let late = blocks.iter().filter(|block| block["path"].as_f64().unwrap() > 10.0).count();
    assert_eq!(blocks.iter().filter(|block| block["meets_clock"] == false).count(), late);
    assert_eq!(printed.matches('!').count(), late + usize::from(late > 0), "{printed}");

    let progress = String::from_utf8(output.stderr).unwrap();
    assert!(progress.contains(&format!("mapping eva_pe (5 of {})", progress.lines().count())), "{progress}");
    assert!(keep.join("core/eva_core.json").is_file() && link.is_symlink());
}

#[test]
fn ctrl_c_is_one_line() {
    let folder = tempfile::tempdir().unwrap();
    let mut script = command(&["--preset", "tiny", "--no-sta", "--json", "area.json"]);
    script.current_dir(folder.path()).env("TMPDIR", folder.path());
    let mut script = tools::with_signals(&script).stderr(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut messages = BufReader::new(script.stderr.take().unwrap());
    let mut line = String::new();
    messages.read_line(&mut line).unwrap();
    assert!(line.starts_with("mapping "), "{line}");
    let kill = Command::new("kill").args(["-INT", &script.id().to_string()]).status().unwrap();
    assert!(kill.success());
    let rest: Vec<String> = messages.lines().map(Result::unwrap).filter(|line| !line.starts_with("mapping")).collect();
    assert_eq!(rest, ["area: interrupted"]);
    assert_eq!(script.wait().unwrap().code(), Some(130));
    // Yosys leaves files of its own.
    let left = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert!(left.into_iter().all(|name| name.starts_with("yosys-")));
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
    fs::write(below("bad.lib.gz"), b"\x1f\x8b\x08\0\0\0\0\0\0\0damaged").unwrap();
    fs::write(below("number.lib"), "library (number) { cell (INV) { area : 1.2.3; } }").unwrap();
    for (args, message) in [
        (["--liberty", &below("bad.lib.gz")], "bad.lib.gz: "),
        (["--liberty", &below("number.lib")], "number.lib: area 1.2.3 is not a number"),
        (["--liberty", ""], "the name is empty"),
        (["--json", ""], "the name is empty"),
        (["--json", folder.path().to_str().unwrap()], "it is not a file"),
        (["--json", "/dev/null"], "--json /dev/null: it is not a file"),
        (["--eva", "true"], "true did not write a design"),
        (["--eva", "false"], "false exits with 1"),
        (["--eva", &below("empty.lib")], "empty.lib: Permission denied"),
        (["--liberty", &below("missing.lib")], "missing.lib: No such file or directory"),
        (["--liberty", &below("empty.lib")], "empty.lib: no cells in it"),
        (["--liberty", &below("plain.lib.gz")], "plain.lib.gz: Not a gzipped file"),
        (["--clock", "0"], "--clock 0.0: a period in ns is needed"),
        (["--json", &below("missing/area.json")], "missing/area.json: No such file or directory"),
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
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 4, "nothing is left behind");
}
