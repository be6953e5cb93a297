//! `eva pack`, and programs, batches and groups in `eva cosim`.

use std::fs;
use std::path::Path;

use eva_rtl::vq::gptvq::{GptvqShape, random_gptvq_layer, write_gptvq_safetensors};
use eva_rtl::vq::{Distribution, Layer, LayerShape, random_layer, write_safetensors};
use serde_json::Value;

use super::{files_below, grouped, refusal, run, stdout};

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--json"]].concat())).unwrap()
}

/// A checkpoint with two blocks of small layers for the preset `tiny`.
fn checkpoint(path: &Path) {
    let layer = |name: &str, inputs, outputs| -> Layer {
        let shape = LayerShape { inputs, outputs, dim: 4, index_bits: 4, codebooks: 1 };
        random_layer(shape, Distribution::Realistic, name.len() as u64).unwrap().renamed(name)
    };
    let layers = [
        layer("model.layers.0.mlp.down_proj", 96, 32),
        layer("model.layers.0.mlp.gate_proj", 32, 96),
        layer("model.layers.0.mlp.up_proj", 32, 96),
        layer("model.layers.0.self_attn.k_proj", 32, 8),
        layer("model.layers.0.self_attn.o_proj", 32, 32),
        layer("model.layers.0.self_attn.q_proj", 32, 32),
        layer("model.layers.0.self_attn.v_proj", 32, 8),
        layer("model.layers.1.self_attn.q_proj", 32, 32),
    ];
    write_safetensors(&layers, path).unwrap();
}

#[test]
fn a_block_of_a_checkpoint_becomes_a_program_that_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (model, out) = (folder.path().join("m.safetensors"), folder.path().join("new/block"));
    checkpoint(&model);
    let [model, out] = [&model, &out].map(|path| path.to_str().unwrap());
    let pack = ["pack", "--preset", "tiny", "--weights", model, "--out", out];
    let packed = json(&[&pack[..], &["--prefix", "model.layers.0"]].concat());
    assert_eq!(packed["layers"], 7);
    assert_eq!(files_below(Path::new(out)), ["program.json", "weights.bin"]);
    let program: Value = serde_json::from_slice(&fs::read(Path::new(out).join("program.json")).unwrap()).unwrap();
    let names: Vec<&str> = program["layers"].as_array().unwrap().iter().map(|l| l["name"].as_str().unwrap()).collect();
    let expected = ["self_attn.q", "self_attn.k", "self_attn.v", "self_attn.o", "mlp.gate", "mlp.up", "mlp.down"];
    assert_eq!(names, expected.map(|name| format!("model.layers.0.{name}_proj")));
    let inputs: Vec<u64> = program["layers"].as_array().unwrap().iter().map(|l| l["input"].as_u64().unwrap()).collect();
    assert_eq!(inputs, [0, 0, 0, 1, 2, 2, 3]);
    // One load of activations for each input.
    let commands = program["commands"].as_array().unwrap();
    assert_eq!(commands.iter().filter(|command| command["bits"].as_str().unwrap().ends_with("02")).count(), 4);

    let cosim = ["cosim", "--preset", "tiny", "--program", out];
    let report = json(&cosim);
    assert_eq!(report["bit_exact"], true);
    assert_eq!(report["outputs"], 32 + 8 + 8 + 32 + 96 + 96 + 32);
    let layers = report["layers"].as_array().unwrap();
    assert_eq!(layers.iter().map(|layer| layer["name"].as_str().unwrap()).collect::<Vec<_>>(), names);
    let sum = |key: &str| layers.iter().map(|layer| layer[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("bound_cycles"), report["bound_cycles"].as_u64().unwrap());
    assert_eq!(sum("cycles"), report["cycles"].as_u64().unwrap(), "{layers:?}");
    assert_eq!((&layers[5]["inputs"], &layers[5]["outputs"]), (&32.into(), &96.into()));
    let text = stdout(&cosim);
    assert!(text.contains("layer model.layers.0.mlp.up_proj: K=32 N=96"), "{text}");
    let row = |name: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.trim_start().starts_with(name)).unwrap_or_else(|| panic!("{text}"));
        line.split_whitespace().map(str::to_owned).collect()
    };
    let quotient = |value: &Value| {
        let [cycles, bound] = ["cycles", "bound_cycles"].map(|key| value[key].as_u64().unwrap());
        [grouped(cycles), grouped(bound), format!("{:.4}", cycles as f64 / bound as f64)]
    };
    assert_eq!(
        row("model.layers.0.mlp.up_proj")[1..],
        [&["32".into(), "96".into()][..], &quotient(&layers[5])].concat()
    );
    assert_eq!(row("all")[1..], quotient(&report));

    // Layers by name, in the order given, replace it.
    let some = ["--prefix", "model.layers.1.self_attn.q_proj", "--prefix", "model.layers.0.mlp.up_proj."];
    assert_eq!(json(&[&pack[..], &some].concat())["layers"], 2);
    assert_eq!(json(&cosim)["outputs"], 32 + 96);
    let twice = refusal(&[&pack[..], &["--prefix", "model.layers.0.mlp", "--prefix", "model.layers.0"]].concat());
    assert!(twice.contains("--prefix: layer `model.layers.0.mlp.gate_proj` is named twice"), "{twice}");
    let unknown = refusal(&[&pack[..], &["--prefix", "model.layers.0.ml"]].concat());
    assert!(unknown.contains("no quantised layer `model.layers.0.ml`; nearest of its 8"), "{unknown}");
    assert_eq!(json(&cosim)["outputs"], 32 + 96, "what was there is still there");
}

#[test]
fn activations_of_programs_come_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    checkpoint(Path::new(&path("m.safetensors")));
    let (model, out) = (path("m.safetensors"), path("out"));
    let prefix = ["--prefix", "model.layers.0.mlp"];
    stdout(&[&["pack", "--preset", "tiny", "--weights", &model, "--out", &out], &prefix[..]].concat());
    let (narrow, wide, y) = (path("narrow.npy"), path("wide.npy"), path("y.npy"));
    super::cosim::write_npy(Path::new(&narrow), &[0x3c00; 32]);
    super::cosim::write_npy(Path::new(&wide), &[0x3c00; 96]);
    let cosim = ["cosim", "--preset", "tiny", "--program", &out];
    assert_eq!(json(&[&cosim[..], &["--x", &narrow, "--x", &wide]].concat())["bit_exact"], true);
    let one = refusal(&[&cosim[..], &["--x", &narrow]].concat());
    let expected = "--x is given 1 times, but the program has 2 inputs: model.layers.0.mlp.gate_proj, \
                    model.layers.0.mlp.up_proj; model.layers.0.mlp.down_proj";
    assert!(one.contains(expected), "{one}");
    let swapped = refusal(&[&cosim[..], &["--x", &wide, "--x", &narrow]].concat());
    assert!(swapped.contains("wide.npy: activations of 1 tokens and 96 inputs, expected 1 and 32"), "{swapped}");
    let one = refusal(&[&cosim[..], &["--y", &y]].concat());
    let expected = "--y is given 1 times, but the program has 3 layers, whose outputs go to a file each: \
                    model.layers.0.mlp.gate_proj, model.layers.0.mlp.up_proj, model.layers.0.mlp.down_proj";
    assert!(one.contains(expected), "{one}");
    assert!(!Path::new(&y).exists());
}

/// Each layer's outputs are those that it has alone, for one token and for two.
#[test]
fn outputs_of_programs_go_to_a_file_for_each_layer() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, out) = (path("m.safetensors"), path("out"));
    checkpoint(Path::new(&model));
    let prefix = "model.layers.0.self_attn";
    let names = ["q", "k", "v"].map(|name| format!("{prefix}.{name}_proj"));
    for (batch, shape) in [("1", &[][..]), ("2", &[2])] {
        let pack = ["pack", "--preset", "tiny", "--weights", &model, "--out", &out, "--batch", batch];
        stdout(&[&pack[..], &["--prefix", &names[0], "--prefix", &names[1], "--prefix", &names[2]]].concat());
        let files = ["a.npy", "b.npy", "c.npy"].map(path);
        stdout(&["cosim", "--program", &out, "--y", &files[0], "--y", &files[1], "--y", &files[2]]);
        for ((name, file), outputs) in names.iter().zip(&files).zip([32, 8, 8]) {
            let alone = path("alone.npy");
            let layer = ["cosim", "--preset", "tiny", "--weights", &model, "--prefix", name, "--batch", batch];
            stdout(&[&layer[..], &["--y", &alone]].concat());
            let bytes = fs::read(file).unwrap();
            assert_eq!(npyz::NpyFile::new(&bytes[..]).unwrap().shape(), [shape, &[outputs]].concat(), "{name}");
            assert_eq!(bytes, fs::read(alone).unwrap(), "{name}");
        }
        let twice = refusal(&["cosim", "--program", &out, "--y", &files[0], "--y", &files[1], "--y", &files[0]]);
        assert!(twice.contains("two --y both write to "), "{twice}");
    }
    let two = refusal(&["cosim", "--preset", "tiny", "--random", "8,8", "--y", &path("a"), "--y", &path("b")]);
    assert!(two.contains("--y is given 2 times, but there is one layer"), "{two}");
    let two = refusal(&["cosim", "--preset", "tiny", "--int8", "1,8,8", "--y", &path("a"), "--y", &path("b")]);
    assert!(two.contains("--y is given 2 times, but there is one layer"), "{two}");
    assert_eq!(files_below(folder.path()).iter().filter(|file| file.ends_with(".npy")).count(), 4);
}

/// The core of a program is in its description; register stages are not, and may be given.
#[test]
fn programs_know_their_core() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    stdout(&["pack", "--preset", "tiny", "--max-k", "128", "--random", "64,24", "--out", out]);
    let report = json(&["cosim", "--program", out]);
    assert_eq!(report["bit_exact"], true);
    let parameters = &report["parameters"];
    assert_eq!((&parameters["array"]["rows"], &parameters["buffers"]["max_k"]), (&2.into(), &128.into()));
    let deep = json(&["cosim", "--program", out, "--pipe-scale", "4"]);
    assert_eq!(deep["parameters"]["pipeline"]["scale"], 4);
    for (flags, expected) in [
        (&["--max-k", "256"][..], "the program is for another core: buffers.max_k is 128, here 256"),
        (&["--preset", "tiny"], "the program is for another core: buffers.max_k is 128, here 256"),
        (&["--rows", "1"], "array.rows = 1 (--rows)"),
    ] {
        let message = refusal(&[&["cosim", "--program", out], flags].concat());
        assert!(message.contains(expected), "{message}");
    }
    json(&["cosim", "--program", out, "--preset", "tiny", "--max-k", "128"]);
}

/// A note on standard error, of layers and of programs.
#[test]
fn a_batch_that_does_not_pay_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let layer = ["--preset", "tiny", "--random", "64,64", "--batch", "2"];
    // Blocks of 32 outputs, while a step takes the array 32 cycles; then the memory port limits, and blocks are larger.
    let pays =
        [&layer[..], &["--stream-width", "32", "--max-n-block", "128", "--index-bits", "3", "--epilogue-units", "8"]]
            .concat();
    let slow = [&layer[..], &["--max-n-block", "16"]].concat();
    for (args, slower) in [(slow, true), (pays, false)] {
        stdout(&[&["pack", "--out", out], &args[..]].concat());
        for args in [[&["cosim"], &args[..]].concat(), vec!["cosim", "--program", out]] {
            let message = String::from_utf8(run(&args, 0).stderr).unwrap();
            let told = message.starts_with("note: 2 tokens together take ") && message.contains(" cycles, one by one ");
            assert_eq!(told, slower, "{args:?}: {message}");
            assert_eq!(message.contains("a batch pays if --max-n-block is at least 64 here"), slower, "{message}");
        }
    }
}

#[test]
fn random_blocks_have_the_shapes_of_a_model() {
    let message = refusal(&["pack", "--random-block", "llama-2", "--out", "/nowhere/x"]);
    assert!(message.contains("there is no model `llama-2`; did you mean `llama-"), "{message}");
    let message = refusal(&["pack", "--random-block", "llama-2-7b", "--preset", "tiny", "--out", "/nowhere/x"]);
    let expected = "--random-block: 7 layers of the block do not fit this core; --max-k 11008 would do:\n  llama-2-7b.q_proj: its sums have ";
    assert!(message.contains(expected) && message.contains("\n  llama-2-7b.down_proj: its sums"), "{message}");
    assert_eq!(message.lines().count(), 8, "{message}");
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let packed = json(&["pack", "--random-block", "llama-2-7b", "--out", out]);
    assert_eq!(packed["layers"], 7);
    assert_eq!(packed["bound_cycles"], 398_424);
    assert_eq!(packed["bytes"], 398_424 * 128);
}

/// A model from a file, two of three experts active: the program that `eva estimate` has in mind.
#[test]
fn random_blocks_are_what_is_estimated() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (model, out) = (path("mine.toml"), path("program"));
    fs::write(&model, "name = 'odd'\nblocks = 1\n[[stage]]\nlayers = [{ name = 'a', inputs = 22, outputs = 8 }]")
        .unwrap();
    let message = refusal(&["pack", "--preset", "tiny", "--random-block", &model, "--out", &out]);
    assert!(
        message.contains("--random-block: odd.a: K = 22 is no multiple of d = 4 (--dim); 24 would do"),
        "{message}"
    );
    fs::write(
        &model,
        "name = 'odd'\nblocks = 1\n[[stage]]\nlayers = [{ name = 'a', inputs = 256, outputs = 1048576, count = 4096 }]",
    )
    .unwrap();
    let message = refusal(&["pack", "--preset", "tiny", "--random-block", &model, "--out", &out]);
    assert!(
        message.contains("a block of odd has more than 1,073,741,824 indices; use fewer or smaller layers"),
        "{message}"
    );
    let text = "name = 'mine'\nblocks = 1\n\
        [[stage]]\nlayers = [{ name = 'a', inputs = 32, outputs = 20 }, { name = 'b', inputs = 32, outputs = 9, count = 3, active = 2 }]\n\
        [[stage]]\nactivations = 'own'\nlayers = [{ name = 'c', inputs = 20, outputs = 32, count = 3, active = 2 }]\n";
    fs::write(&model, text).unwrap();
    let core = ["--preset", "tiny", "--codebooks", "1"];
    let packed = json(&[&["pack", "--random-block", &model, "--out", &out][..], &core].concat());
    let estimate = json(&[&["estimate", "--model", &model][..], &core].concat());
    assert_eq!(packed["bound_cycles"], estimate["block"]["bound_cycles"]);
    let program: Value = serde_json::from_slice(&fs::read(Path::new(&out).join("program.json")).unwrap()).unwrap();
    let layers: Vec<(&str, u64)> = program["layers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|layer| (layer["name"].as_str().unwrap(), layer["input"].as_u64().unwrap()))
        .collect();
    assert_eq!(layers, [("mine.a", 0), ("mine.b.0", 0), ("mine.b.1", 0), ("mine.c.0", 1), ("mine.c.1", 2)]);
    let report = json(&["cosim", "--preset", "tiny", "--program", &out]);
    assert_eq!((&report["bit_exact"], &report["bounds"]), (&true.into(), &estimate["block"]["needs"]));
}

#[test]
fn programs_of_batches_and_groups_run() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    for layer in
        [&["--batch", "2", "--codebooks", "1"][..], &["--groups", "8,12"], &["--groups", "16,6", "--batch", "2"]]
    {
        let core = ["--preset", "tiny", "--random", "64,24"];
        stdout(&[&["pack", "--out", out], &core[..], layer].concat());
        let y = folder.path().join("y.npy");
        let report = json(&["cosim", "--preset", "tiny", "--program", out, "--y", y.to_str().unwrap()]);
        assert_eq!(report["bit_exact"], true, "{layer:?}");
        let bytes = fs::read(&y).unwrap();
        let npy = npyz::NpyFile::new(&bytes[..]).unwrap();
        let expected: &[u64] = if layer.contains(&"--batch") { &[2, 24] } else { &[24] };
        assert_eq!(npy.shape(), expected);
    }
}

/// The tokens of a batch are computed as each alone.
#[test]
fn batches_have_a_row_for_each_token() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (x, y) = (path("x.npy"), path("y.npy"));
    let tokens: Vec<Vec<u16>> = (0..2).map(|t| (0..64).map(|i| 0x3000 + 37 * i + 500 * t).collect()).collect();
    let layer = ["cosim", "--preset", "tiny", "--random", "64,24", "--seed", "5", "--x", &x, "--y", &y];
    let outputs = || {
        let bytes = fs::read(&y).unwrap();
        let npy = npyz::NpyFile::new(&bytes[..]).unwrap();
        npy.into_vec::<half::f16>().unwrap()
    };
    let alone: Vec<half::f16> = tokens
        .iter()
        .flat_map(|token| {
            super::cosim::write_npy(Path::new(&x), token);
            stdout(&layer);
            outputs()
        })
        .collect();
    write_matrix(Path::new(&x), &tokens);
    let report = json(&[&layer[..], &["--batch", "2"]].concat());
    assert_eq!((&report["bit_exact"], &report["outputs"]), (&Value::Bool(true), &Value::from(48)));
    assert_eq!(report["parameters"]["workload"]["tokens"], 2);
    assert_eq!(outputs(), alone);
    // The file says how many there are.
    assert_eq!(json(&layer)["outputs"], 48);
    let wrong = refusal(&[&layer[..], &["--batch", "1"]].concat());
    assert!(
        wrong.contains("x.npy: activations of 2 tokens and 64 inputs, expected 1 and 64 as of the layer"),
        "{wrong}"
    );
}

fn write_matrix(path: &Path, rows: &[Vec<u16>]) {
    let header = format!("{{'descr': '<f2', 'fortran_order': False, 'shape': ({}, {}), }}", rows.len(), rows[0].len());
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(rows.iter().flatten().flat_map(|bits| bits.to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

#[test]
fn layers_with_groups_are_listed_and_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("m.safetensors");
    let shape = GptvqShape { inputs: 64, outputs: 16, dim: 4, index_bits: 4, group_inputs: 16, group_outputs: 8 };
    let layer = random_gptvq_layer(shape, Distribution::Realistic, 3).unwrap();
    write_gptvq_safetensors(&[layer], &path).unwrap();
    let path = path.to_str().unwrap();
    let listed = json(&["inspect", path, "--preset", "tiny"]);
    let expected = [("codebooks", 1), ("index_bits", 4), ("group_inputs", 16), ("group_outputs", 8)];
    for (key, value) in expected {
        assert_eq!(listed[0][key], value, "{key}");
    }
    assert_eq!((&listed[0]["format"], &listed[0]["runs"]), (&"GPTVQ".into(), &true.into()));
    let text = stdout(&["inspect", path, "--preset", "tiny"]);
    assert!(text.contains("random.3  GPTVQ   64  16  1  4  4  16 x 8  yes"), "{text}");
    let report = json(&["cosim", "--preset", "tiny", "--weights", path, "--prefix", "random.3"]);
    assert_eq!(report["bit_exact"], true);
    let workload = &report["parameters"]["workload"];
    assert_eq!((&workload["group_inputs"], &workload["group_outputs"]), (&16.into(), &8.into()));
}

#[test]
fn nothing_but_programs_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let pack = |outputs: &str| ["pack", "--preset", "tiny", "--out", out, "--random", outputs].map(str::to_owned);
    let pack = |outputs: &str, code| {
        let args = pack(outputs);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        String::from_utf8(run(&args, code).stderr).unwrap()
    };
    for name in ["weights.bin", "program.json"] {
        fs::write(folder.path().join(name), "mine").unwrap();
        let message = pack("64,24", 2);
        assert!(message.contains("there is a file of this name that `eva pack` did not write"), "{message}");
        assert_eq!(fs::read(folder.path().join(name)).unwrap(), b"mine");
        assert_eq!(files_below(folder.path()), [name]);
        fs::remove_file(folder.path().join(name)).unwrap();
    }
    // A name in a file of something else does not make it one of ours.
    for text in ["{\"format\": \"eva-program\"}", "{\"format\": \"eva-program\", \"version\": 1}"] {
        fs::write(folder.path().join("program.json"), text).unwrap();
        assert!(pack("64,24", 2).contains("program.json: there is a file of this name"));
        fs::remove_file(folder.path().join("program.json")).unwrap();
    }
    fs::write(folder.path().join("notes"), "mine").unwrap();
    pack("64,24", 0);
    pack("64,12", 0);
    assert_eq!(files_below(folder.path()), ["notes", "program.json", "weights.bin"]);
    assert_eq!(json(&["cosim", "--preset", "tiny", "--program", out])["outputs"], 12);
    // An image that the description beside it does not describe.
    let image = folder.path().join("weights.bin");
    let bytes = fs::read(&image).unwrap();
    for foreign in [&b"mine"[..], &[&bytes[..bytes.len() - 1], &[!bytes[bytes.len() - 1]]].concat()] {
        fs::write(&image, foreign).unwrap();
        assert!(pack("64,24", 2).contains("weights.bin: there is a file of this name"));
        assert_eq!(fs::read(&image).unwrap(), foreign);
    }
    fs::write(&image, &bytes).unwrap();
    // Links to a program elsewhere: they are replaced, it stays.
    let far = tempfile::tempdir().unwrap();
    for name in ["program.json", "weights.bin"] {
        fs::rename(folder.path().join(name), far.path().join(name)).unwrap();
        std::os::unix::fs::symlink(far.path().join(name), folder.path().join(name)).unwrap();
    }
    pack("64,24", 0);
    assert!(!image.is_symlink() && fs::read(far.path().join("weights.bin")).unwrap() == bytes);
    fs::remove_file(&image).unwrap();
    pack("64,12", 0);
    // A layer that does not fit leaves all as it was, and makes no folder.
    pack("64,0", 2);
    pack("62,8", 2);
    assert_eq!(json(&["cosim", "--preset", "tiny", "--program", out])["outputs"], 12);
    let none = folder.path().join("none");
    refusal(&["pack", "--preset", "tiny", "--out", none.to_str().unwrap(), "--random", "62,8"]);
    assert!(!none.exists());
}

/// Others may write to the folder while packing takes its time.
#[test]
fn files_that_appear_meanwhile_are_not_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_eva"));
    program.args(["pack", "--random", "4096,8192", "--out", out]).stderr(std::process::Stdio::piped());
    let mut program = program.spawn().unwrap();
    while fs::read_dir(out).unwrap().count() == 0 {
        assert!(program.try_wait().unwrap().is_none(), "it should take a while");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    fs::write(folder.path().join("weights.bin"), "mine").unwrap();
    let output = program.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().contains("weights.bin: there is a file of this name"));
    assert_eq!(fs::read(folder.path().join("weights.bin")).unwrap(), b"mine");
    assert_eq!(files_below(folder.path()), ["weights.bin"]);
}

#[test]
fn names_of_layers_do_not_drive_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let layer = |name: &str, seed| {
        let shape = LayerShape { inputs: 64, outputs: 8, dim: 4, index_bits: 4, codebooks: 1 };
        random_layer(shape, Distribution::Realistic, seed).unwrap().renamed(name)
    };
    write_safetensors(&[layer("a.\u{1b}[2J", 1), layer("a.b", 2)], Path::new(&path("m.safetensors"))).unwrap();
    let (model, out, x) = (path("m.safetensors"), path("out"), path("x.npy"));
    stdout(&["pack", "--preset", "tiny", "--weights", &model, "--prefix", "a", "--out", &out]);
    super::cosim::write_npy(Path::new(&x), &[0x3c00; 8]);
    let cosim = ["cosim", "--preset", "tiny", "--program", &out];
    let twice = refusal(&["pack", "--weights", &model, "--prefix", "a", "--prefix", "a", "--out", &path("other")]);
    let [one, wrong] = [&["--x", &x][..], &["--x", &x, "--x", &x]].map(|x| refusal(&[&cosim[..], x].concat()));
    assert!(one.contains("--x is given 1 times") && wrong.contains("expected 1 and 64 for "), "{one} {wrong}");
    for shown in [stdout(&cosim), twice, one, wrong] {
        assert!(shown.contains("a.\\u{1b}[2J") && !shown.contains('\u{1b}'), "{shown:?}");
    }
}

#[test]
fn programs_of_other_cores_and_damaged_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    stdout(&["pack", "--preset", "tiny", "--random", "64,24", "--out", out]);
    let cosim = ["cosim", "--preset", "tiny", "--program", out];
    let other = refusal(&[&cosim[..], &["--max-k", "128"]].concat());
    assert!(other.contains("the program is for another core: buffers.max_k is 256, here 128"), "{other}");
    let weights = folder.path().join("weights.bin");
    let mut bytes = fs::read(&weights).unwrap();
    bytes[5] ^= 1;
    fs::write(&weights, &bytes).unwrap();
    assert!(refusal(&cosim).contains("weights.bin: its checksum is wrong"));
    fs::write(&weights, &bytes[1..]).unwrap();
    assert!(refusal(&cosim).contains("truncated, or of another program"));
    fs::write(folder.path().join("program.json"), "{}").unwrap();
    assert!(refusal(&cosim).contains("not the description of a program"));
    let nothing = refusal(&["cosim", "--program", "/nowhere"]);
    assert!(nothing.contains("/nowhere/program.json: cannot read"), "{nothing}");
}

#[test]
fn wrong_use_is_refused() {
    let out = ["--out", "/nowhere/x"];
    for (args, expected) in [
        (&["pack", "--random", "64,8"][..], "--out <DIR>"),
        (&["pack"], "<--random <K,N>|--weights <CHECKPOINT>|--random-block <NAME|FILE>>"),
        (&["pack", "--weights", "f"], "--prefix <NAME>"),
        (&["pack", "--weights", "none", "--prefix", "p"], "none: cannot open"),
        (&["pack", "--random", "64,8", "--prefix", "p"], "cannot be used with"),
        (&["pack", "--random", "64,8", "--weights", "f"], "cannot be used with"),
        (&["pack", "--random-block", "llama-2-7b", "--groups", "8,8"], "cannot be used with"),
        (
            &["pack", "--random", "64,8", "--batch", "3"],
            "M = 3 tokens do not share epilogue.units = 4; possible are 1, 2, 4",
        ),
        (&["pack", "--random", "64,8", "--batch", "0"], "must be a whole number from 1 to 16"),
        (&["pack", "--random", "64,8", "--seed", "-1"], "must be a whole number from 0 to 18446744073709551615"),
        (&["pack", "--random", "64,8", "--tokens", "2"], "a similar argument exists: '--batch'"),
        (&["pack", "--random", "64,8", "--groups", "8,3"], "groups of 3 outputs do not divide N = 8"),
        (&["pack", "--random", "64,8", "--groups", "12,8"], "groups of 12 inputs do not divide K = 64"),
        (&["pack", "--random", "64,8", "--groups", "4,8"], "groups of 4 inputs are no multiple of d = 8"),
        (&["pack", "--random", "64,8", "--groups", "8,8", "--codebooks", "1"], "cannot be used with"),
    ] {
        let more: &[&str] = if args.len() == 1 || !args.contains(&"64,8") || args.len() > 3 { &out } else { &[] };
        let message = refusal(&[args, more].concat());
        assert!(message.contains(expected), "{args:?}: {message}");
    }
    for (args, expected) in [
        (&["--program", "d", "--random", "64,8"][..], "cannot be used with"),
        (&["--program", "d", "--prefix", "p"], "cannot be used with"),
        (&["--program", "d", "--batch", "2"], "cannot be used with"),
        (&["--program", "d", "--codebooks", "2"], "cannot be used with"),
        (&["--program", "d", "--raw"], "cannot be used with"),
        (&["--int8", "1,16,2", "--batch", "2"], "cannot be used with"),
        (&["--random", "64,8", "--batch", "3"], "M = 3 tokens do not share"),
        (&["--random", "64,8", "--x", "a.npy", "--x", "b.npy"], "--x is given 2 times, but the layer has one input"),
        (&["--weights", "f", "--prefix", "p", "--groups", "8,8"], "cannot be used with"),
        (&["--program", "d", "--groups", "8,8"], "cannot be used with"),
    ] {
        let message = refusal(&[&["cosim"], args].concat());
        assert!(message.contains(expected), "{args:?}: {message}");
    }
}
