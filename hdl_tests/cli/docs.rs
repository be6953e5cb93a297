//! Programs and tables in docs/ that no compiler looks at.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use eva_rtl::vq::{Distribution, LayerShape, random_layer, write_safetensors};
use serde_json::Value;

use super::{eva, stdout};

#[test]
fn the_layer_written_in_python_runs() {
    let page = include_str!("../../docs/checkpoints.md");
    let (_, rest) = page.split_once("```python\n").unwrap();
    let (program, rest) = rest.split_once("```").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let python = Command::new("python3").args(["-c", program]).current_dir(folder.path()).output().unwrap();
    assert!(python.status.success(), "{}", String::from_utf8_lossy(&python.stderr));

    let (_, rest) = rest.split_once("```sh\n").unwrap();
    let (commands, _) = rest.split_once("```").unwrap();
    let mut printed = String::new();
    for command in commands.lines() {
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        let output = eva(&args).current_dir(folder.path()).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        printed += &String::from_utf8(output.stdout).unwrap();
    }
    assert!(printed.contains("1 of 1 layers can run on this core"), "{printed}");
    assert!(printed.contains("bit-exact: 24 outputs compared, 0 wrong"), "{printed}");
    // Outputs of zero would be bit-exact too.
    assert!(printed.contains("largest error against double precision"), "{printed}");
}

#[test]
fn every_field_of_the_json_is_explained() {
    let page = include_str!("../../docs/report.md");
    let explained: BTreeSet<&str> = page.split('`').skip(1).step_by(2).collect();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    stdout(&["generate", "--preset", "tiny", "--out", out]);
    let manifest = fs::read_to_string(folder.path().join("eva_core.json")).unwrap();
    let report = stdout(&["cosim", "--preset", "tiny", "--random", "64,16", "--json"]);
    let int8 = stdout(&["cosim", "--preset", "tiny", "--int8", "5,40,8", "--json"]);
    let program = folder.path().join("program");
    let program = program.to_str().unwrap();
    stdout(&["pack", "--preset", "tiny", "--random", "64,16", "--out", program]);
    let program = stdout(&["cosim", "--preset", "tiny", "--program", program, "--json"]);
    let layer = stdout(&[
        "pack",
        "--preset",
        "tiny",
        "--random",
        "64,16",
        "--out",
        folder.path().join("b").to_str().unwrap(),
        "--json",
    ]);
    let estimate = stdout(&["estimate", "--model", "llama-2-7b", "--prefill", "8", "--bandwidth", "9", "--json"]);
    let checkpoint = folder.path().join("m.safetensors");
    let shape = LayerShape { inputs: 64, outputs: 16, dim: 4, index_bits: 4, codebooks: 1 };
    write_safetensors(&[random_layer(shape, Distribution::Realistic, 1).unwrap()], &checkpoint).unwrap();
    let layers = stdout(&["inspect", checkpoint.to_str().unwrap(), "--json"]);
    let script = stdout(&["completions", "bash", "--json"]);
    let manual = stdout(&["man", "--json"]);
    let pages = stdout(&["man", "--out", folder.path().join("man").to_str().unwrap(), "--json"]);
    // A list of one layer.
    let layers = layers.trim().trim_start_matches('[').trim_end_matches(']').to_owned();
    for text in [report, int8, program, manifest, layer, estimate, layers, script, manual, pages] {
        let json: Value = serde_json::from_str(&text).unwrap();
        for (name, value) in json.as_object().unwrap() {
            assert!(explained.contains(name.as_str()), "{name}");
            // Parameters are explained where they are set.
            let parts = match value {
                Value::Array(list) => list.first().unwrap_or(&Value::Null),
                value if name == "parameters" => &value["workload"],
                value => value,
            };
            for part in parts.as_object().into_iter().flat_map(|parts| parts.keys()) {
                assert!(explained.contains(part.as_str()), "{name}.{part}");
            }
        }
    }
}

#[test]
fn every_field_of_a_program_is_explained() {
    let page = include_str!("../../docs/programs.md");
    let explained: BTreeSet<&str> = page.split('`').skip(1).step_by(2).collect();
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    for form in [&["--codebooks", "2"][..], &["--groups", "8,8"]] {
        stdout(&[&["pack", "--preset", "tiny", "--random", "64,16", "--out", out], form].concat());
        let json: Value = serde_json::from_slice(&fs::read(folder.path().join("program.json")).unwrap()).unwrap();
        for (name, value) in json.as_object().unwrap() {
            assert!(explained.contains(name.as_str()), "{name}");
            let parts = match value {
                Value::Array(list) => list.last().unwrap(),
                // Named as in configuration files.
                _ if name == "core" => continue,
                value => value,
            };
            for part in parts.as_object().into_iter().flat_map(|parts| parts.keys()) {
                assert!(explained.contains(part.as_str()), "{name}.{part}");
            }
        }
    }
}
