//! `eva cosim` with INT8 layers.

use std::fs;
use std::path::Path;

use eva_rtl::golden;
use eva_rtl::vq::int8::{
    Int8Distribution, Int8Layer, Int8Shape, random_int8_activations, random_int8_layer, write_int8_safetensors,
};
use npyz::WriterBuilder;
use serde_json::Value;

use super::{files_below, refusal, stdout};

const TINY: &[&str] = &["cosim", "--preset", "tiny", "--int8", "10,70,9"];

/// The JSON report of a run that succeeds.
fn report(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--json"]].concat())).unwrap()
}

fn write_npy(path: &Path, shape: &[u64], values: &[i8]) {
    let mut bytes = Vec::new();
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut bytes).begin_nd().unwrap();
    writer.extend(values.iter().copied()).unwrap();
    writer.finish().unwrap();
    fs::write(path, bytes).unwrap();
}

#[test]
fn a_random_layer_is_bit_exact() {
    let report = report(TINY);
    assert_eq!(report["bit_exact"], true);
    assert_eq!((&report["outputs"], &report["mismatches"]), (&Value::from(90), &Value::from(0)));
    let workload = serde_json::json!({"layer": "random.1", "inputs": 70, "outputs": 9, "tokens": 10, "raw": false});
    assert_eq!(report["parameters"]["workload"], workload);
    assert!(report["max_rel_err"].as_f64().unwrap() < 1e-3);

    let [cycles, bound] = ["cycles", "bound_cycles"].map(|key| report[key].as_f64().unwrap());
    let bounds = report["bounds"].as_object().unwrap();
    let largest = bounds.values().map(|cycles| cycles.as_f64().unwrap()).fold(0.0, f64::max);
    assert!(largest == bound && bound <= cycles, "{report}");
    let int8 = &report["int8"];
    assert_eq!(int8["macs"], 10 * 70 * 9);
    assert_eq!(int8["array_macs_per_cycle"], 2 * 16);
    let rate = int8["macs_per_cycle"].as_f64().unwrap();
    assert!((rate - 6300.0 / cycles).abs() < 1e-9);
    assert!((int8["array_utilization"].as_f64().unwrap() - rate / 32.0).abs() < 1e-9);
    let steady = int8["steady_macs_per_cycle"].as_f64().unwrap();
    assert!(steady > rate && steady <= 32.0, "{int8}");
    assert!((int8["steady_array_utilization"].as_f64().unwrap() - steady / 32.0).abs() < 1e-9);
}

#[test]
fn sums_are_exact() {
    let report = report(&[TINY, &["--raw", "--stalls", "0.3", "--seed", "4"]].concat());
    assert_eq!((&report["bit_exact"], &report["max_rel_err"]), (&Value::from(true), &Value::Null));
    assert_eq!(report["parameters"]["workload"]["raw"], true);
}

#[test]
fn people_are_told_the_rate() {
    let text = stdout(TINY);
    assert!(text.contains("layer random.1: INT8 K=70 N=9, 10 tokens"), "{text}");
    assert!(text.contains("6300 MACs, ") && text.contains(" MACs/cycle of 32 ("), "{text}");
    assert!(text.contains("while all lanes work"), "{text}");
    // One output keeps one lane busy.
    assert!(!stdout(&["cosim", "--preset", "tiny", "--int8", "3,16,1"]).contains("while all lanes work"));
}

#[test]
fn outputs_are_a_matrix_of_tokens_and_outputs() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let [weights, x_file, y, dump] = ["w.safetensors", "x.npy", "y.npy", "dump"].map(path);
    // Two blocks of tokens and two of outputs.
    let (tokens, shape) = (33, Int8Shape { inputs: 20, outputs: 66 });
    let random = random_int8_layer(shape, Int8Distribution::Realistic, 3).unwrap();
    let layer = Int8Layer::new("a.b", shape, random.weights().to_vec(), random.scales().to_vec()).unwrap();
    write_int8_safetensors(std::slice::from_ref(&layer), &weights).unwrap();
    let x = random_int8_activations(tokens * shape.inputs, Int8Distribution::Extreme, 5);
    write_npy(&x_file, &[33, 20], &x);
    let [w, x_arg, y_arg, dump_arg] = [&weights, &x_file, &y, &dump].map(|path| path.to_str().unwrap());
    let args = ["cosim", "--preset", "tiny", "--int8-weights", w, "--prefix", "a.b", "--x", x_arg, "--y", y_arg];

    let text = stdout(&[&args[..], &["--dump", dump_arg]].concat());
    assert!(text.contains("activations: 660 I8 values"), "{text}");
    let bytes = fs::read(&y).unwrap();
    let npy = npyz::NpyFile::new(&bytes[..]).unwrap();
    assert_eq!(npy.shape(), [33, 66]);
    let sent: Vec<u16> = npy.into_vec::<half::f16>().unwrap().into_iter().map(half::f16::to_bits).collect();
    let expected = golden::int8_gemm(&x, layer.weights(), 20, layer.scales());
    let transposed = |at: usize| at % 66 * 33 + at / 66;
    assert!((0..33 * 66).all(|at| sent[at] == expected[transposed(at)]));
    assert!(sent.iter().any(|bits| *bits != 0));

    assert_eq!(files_below(&dump), ["activations.hex", "commands.hex", "outputs.hex", "statuses.hex", "weights.hex"]);
    let lines = |name: &str| {
        let text = fs::read_to_string(dump.join(name)).unwrap();
        text.lines().filter(|line| !line.starts_with("//")).map(str::to_owned).collect::<Vec<_>>()
    };
    let commands = lines("commands.hex");
    assert_eq!(commands.len(), 4);
    // 34 outputs, 2 k tiles, 17 tokens.
    assert_eq!(commands[0], "00000022000000020000110000000004");
    let outputs = lines("outputs.hex");
    assert_eq!(outputs.len(), 33 * 66);
    assert_eq!(outputs.iter().filter(|line| line.ends_with("// tlast")).count(), 4);
    assert_eq!(outputs[1], format!("{:08x}", expected[1]));

    stdout(&[&args[..], &["--raw"]].concat());
    let bytes = fs::read(&y).unwrap();
    let sent = npyz::NpyFile::new(&bytes[..]).unwrap().into_vec::<i32>().unwrap();
    let expected = golden::int8_sums(&x, layer.weights(), 20);
    assert!((0..33 * 66).all(|at| sent[at] == expected[transposed(at)]));
}

#[test]
fn layers_of_checkpoints_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.safetensors");
    let layer = random_int8_layer(Int8Shape { inputs: 50, outputs: 5 }, Int8Distribution::Realistic, 3).unwrap();
    write_int8_safetensors(&[layer], &path).unwrap();
    let args = ["cosim", "--preset", "tiny", "--int8-weights", path.to_str().unwrap(), "--prefix"];
    let with = |more: &[&'static str]| [&args[..], more].concat();
    assert_eq!(report(&with(&["random.3"]))["parameters"]["workload"]["tokens"], 1);
    let several = report(&with(&["random.3", "--tokens", "7"]));
    assert_eq!((&several["bit_exact"], &several["outputs"]), (&Value::from(true), &Value::from(35)));

    let message = refusal(&with(&["other"]));
    assert!(message.contains("no INT8 layer `other`; nearest of its 1: random.3"), "{message}");
    let aqlm = |prefix| refusal(&["cosim", "--preset", "tiny", "--weights", args[4], "--prefix", prefix]);
    let message = aqlm("random.3");
    assert!(message.contains("layer `random.3` is INT8: load it with --int8-weights"), "{message}");
    let message = aqlm("other");
    assert!(message.contains("all quantised layers of it are INT8: load them with --int8-weights"), "{message}");
    let message = refusal(&with(&["random.3", "--tokens", "0"]));
    assert!(
        message.contains("invalid value '0' for '--tokens <M>': must be a whole number from 1 to 4294967295"),
        "{message}"
    );
    let message = refusal(&with(&["random.3", "--tokens", "4000000000"]));
    assert!(message.contains("INT8 K=50 N=5 with 4000000000 tokens is too large"), "{message}");
    let x = folder.path().join("x.npy");
    write_npy(&x, &[2, 49], &[0; 98]);
    let message = refusal(&[&with(&["random.3", "--x"])[..], &[x.to_str().unwrap()]].concat());
    let expected = "x.npy: activations of 49 inputs, but the layer has 50";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn wrong_use_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let x = folder.path().join("x.npy");
    write_npy(&x, &[3, 16], &[0; 48]);
    let x = x.to_str().unwrap();
    for (args, expected) in [
        (&["--int8", "1,2"][..], "must be three positive numbers, tokens, inputs and outputs: 128,1024,512"),
        (&["--int8", "1,2,3,4"], "must be three positive numbers"),
        (&["--int8", "0,16,2"], "must be three positive numbers"),
        (&["--int8", "1,0,2"], "must be three positive numbers"),
        (&["--int8", "1,16,0"], "must be three positive numbers"),
        (&["--int8", "1,16,x"], "must be three positive numbers"),
        (&["--int8", "1,16,4294967296"], "must be three positive numbers"),
        (&["--int8", "1,65537,2"], "K = 65537 is too large"),
        (&["--int8", "4000000000,65536,4000000000"], "is too large: its streams and outputs take more than 4 GiB"),
        (&["--int8", "1,65536,1000000"], "is too large"),
        (&["--int8", "100000,65536,8"], "is too large"),
        (&["--int8", "65536,16,4096"], "is too large"),
        (&["--int8", "4096,65536,1024", "--preset", "tiny"], "is too large"),
        (&["--int8", "1,16,2", "--random", "64,16"], "cannot be used with"),
        (&["--int8", "1,16,2", "--weights", "f", "--prefix", "p"], "cannot be used with"),
        (&["--int8", "1,16,2", "--int8-weights", "f", "--prefix", "p"], "cannot be used with"),
        (&["--int8", "1,16,2", "--prefix", "p"], "cannot be used with"),
        (&["--int8", "1,16,2", "--codebooks", "2"], "'--int8 <M,K,N>' cannot be used with '--codebooks <C>'"),
        (&["--int8", "1,16,2", "--tokens", "2"], "cannot be used with"),
        (&["--int8-weights", "f", "--prefix", "p", "--tokens", "2", "--x", x], "cannot be used with"),
        (&["--int8-weights", "f", "--prefix", "p", "--codebooks", "2"], "cannot be used with"),
        (&["--int8-weights", "f"], "--prefix <NAME>"),
        (&["--int8-weights", "none", "--prefix", "p"], "none: cannot open"),
        (&["--random", "64,16", "--raw"], "cannot be used with"),
        (&["--random", "64,16", "--tokens", "2"], "cannot be used with"),
        (&["--random", "64,16", "--x", x], "found type '|i1', expected float16"),
        (&["--int8", "3,17,2", "--x", x], "activations of 16 inputs, but the layer has 17"),
        (&["--int8", "2,16,2", "--x", x], "activations of 3 tokens, but --int8 says 2"),
        (&["--int8", "2,16,2", "--x", "none.npy"], "none.npy: cannot open"),
    ] {
        let message = refusal(&[&["cosim"], args].concat());
        assert!(message.contains(expected), "{args:?}: {message}");
    }
}

/// Passes that take nothing, one after the other, in a core with many lanes and few outputs: slow, not hung.
#[test]
fn slow_is_not_hung() {
    let many = ["--rows", "128", "--cols", "4", "--dim", "1", "--index-bits", "10", "--epilogue-units", "1"];
    stdout(&[&["cosim", "--preset", "tiny", "--max-k", "64"], &many[..], &["--int8", "900,4,1"]].concat());
}
