//! `eva estimate`.

use serde_json::Value;

use super::{eva, grouped, refusal, stdout};

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&stdout(args)).unwrap()
}

#[test]
fn the_table_of_a_model() {
    insta::assert_snapshot!(stdout(&["estimate", "--model", "llama-2-7b", "--prefill", "128"]));
}

#[test]
fn json_says_the_same() {
    let estimate = json(&["estimate", "--model", "llama-3-8b", "--clock", "250", "--batch", "2", "--json"]);
    let layers = estimate["layers"].as_array().unwrap();
    assert_eq!(layers.len(), 7);
    let sum = |field: &str| layers.iter().map(|layer| layer[field].as_u64().unwrap()).sum::<u64>();
    for field in ["cycles", "bound_cycles"] {
        assert_eq!(estimate["block"][field], sum(field), "{field}");
    }
    let cycles = estimate["cycles"].as_u64().unwrap();
    assert_eq!(cycles, 32 * sum("cycles"));
    let rate = estimate["tokens_per_second"].as_f64().unwrap();
    assert!((rate - 2.0 * 250e6 / cycles as f64).abs() < 1e-9, "{rate}");
    assert_eq!(layers[1]["outputs"], 1024);
    assert_eq!(estimate["parameters"]["array"]["rows"], 32);
    let bits = estimate["memory_bits"].as_object().unwrap();
    assert_eq!(estimate["memory_bits_total"], bits.values().map(|bits| bits.as_u64().unwrap()).sum::<u64>());
    assert!(estimate.get("prefill").is_none());
}

/// Least and most of a number of `memory`.
fn range(estimate: &Value, what: &str) -> [f64; 2] {
    ["least", "most"].map(|end| estimate["memory"][format!("{end}_{what}")].as_f64().unwrap())
}

/// A layer that the cycle model and a simulated core with stalled streams agree on.
#[test]
fn a_slow_memory_costs_what_a_core_with_stalls_takes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("layer.toml");
    let layer = "name = 'layer'\nblocks = 1\n[[stage]]\nlayers = [{ name = 'a', inputs = 1024, outputs = 1024 }]\n";
    std::fs::write(&path, layer).unwrap();
    let model = ["estimate", "--model", path.to_str().unwrap(), "--json", "--clock", "100MHz", "--preset"];
    // Limited by the stream, and by lookups, behind which the stream hides: 32 and 16 bytes per cycle.
    for (core, bandwidth, limit) in [("small", "2.24", "memory"), ("fpga", "1.12", "lookups")] {
        let estimate = json(&[&model[..], &[core, "--bandwidth", bandwidth]].concat());
        let memory = &estimate["memory"];
        assert!((memory["beats_per_cycle"].as_f64().unwrap() - 0.7).abs() < 1e-12, "{memory}");
        assert_eq!(memory["limited_by"], limit);
        let [cycles, bound] = ["cycles", "bound_cycles"].map(|key| estimate["block"][key].as_f64().unwrap());
        let [least, most] = range(&estimate, "cycles");
        assert_eq!([least, most], [cycles.max((bound / 0.7).ceil()), cycles + (bound * 0.3 / 0.7).ceil()]);
        let rates = range(&estimate, "tokens_per_second");
        assert!((rates[0] - 100e6 / most).abs() < 1e-6 && (rates[1] - 100e6 / least).abs() < 1e-6, "{rates:?}");

        let cosim = ["cosim", "--preset", core, "--random", "1024,1024", "--json"];
        assert_eq!(json(&cosim)["cycles"], estimate["cycles"]);
        let stalled = json(&[&cosim[..], &["--stalls", "0.3"]].concat())["cycles"].as_f64().unwrap();
        // Outputs and activations stall as well there, and stalls are random.
        assert!((0.98 * least..1.02 * most).contains(&stalled), "{core}: {least} {stalled} {most}");
    }
}

#[test]
fn the_bandwidth_of_port_and_memory_is_told() {
    let model = ["estimate", "--model", "llama-2-7b", "--clock", "250MHz", "--prefill", "64"];
    let of = |more: &[&str]| stdout(&[&model[..], more].concat());
    let port = "\nmemory port: 1,024 bits in a cycle, 32.0 GB/s, of which 31.7 GB/s are used on average\n";
    assert!(of(&[]).contains(port) && !of(&[]).contains("memory of"), "{}", of(&[]));
    let slow = of(&["--bandwidth", "25"]);
    let told = "\nmemory of 25 GB/s: 0.781 beats in a cycle; limited by memory: 15.20 to 15.32 tokens/s, 16,319,456 to 16,448,352 cycles\n";
    assert!(slow.contains(port) && slow.contains(told), "{slow}");
    let page = include_str!("../../docs/parameters.md");
    assert!(page.contains(port) && page.contains(told));
    assert!(slow.contains(" 19.41 tokens/s at 250 MHz, if memory were as fast as the port\n"), "{slow}");
    let fast = of(&["--bandwidth", "32"]);
    assert!(fast.contains("\nmemory of 32 GB/s: as fast as the port or faster; limited by port\n"), "{fast}");
    assert!(fast.contains(" 19.41 tokens/s at 250 MHz\n"), "{fast}");

    let numbers = json(&[&model[..], &["--bandwidth", "2.5", "--json"]].concat());
    assert_eq!(numbers["port_gb_per_second"], 32.0);
    assert_eq!(numbers["memory"]["gb_per_second"], 2.5);
    let prefill = &numbers["prefill"];
    let [least, most] = range(prefill, "cycles");
    let needs = prefill["block"]["needs"]["stream"].as_f64().unwrap();
    assert!(least < most && least >= 32.0 * needs * 32.0 / 2.5, "{prefill}");
    assert_eq!(range(prefill, "seconds"), [least, most].map(|cycles| cycles / 250e6));
}

/// With a memory that is slow enough, reading each index once for several tokens pays where it does not otherwise.
#[test]
fn a_slow_memory_makes_batches_pay() {
    let batch = ["estimate", "--model", "llama-2-7b", "--batch", "2", "--max-n-block", "1024"];
    assert!(stdout(&batch).contains("note: 2 tokens together take "));
    assert!(!stdout(&[&batch[..], &["--bandwidth", "6"]].concat()).contains("note:"));
}

/// One clock in all commands, with a doubt where a number alone was likely meant in the unit of another.
#[test]
fn a_clock_has_its_unit_with_it() {
    let model = ["estimate", "--model", "llama-2-7b"];
    let run = |clock: &str| {
        let output = eva(&[&model[..], &["--json", "--clock", clock]].concat()).output().unwrap();
        let value: Value = serde_json::from_slice(&output.stdout).unwrap();
        (value["clock_mhz"].as_f64().unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    for clock in ["125", "125MHz", "8ns", "0.125GHz"] {
        assert_eq!(run(clock), (125.0, String::new()), "{clock}");
    }
    let (clock, note) = run("8");
    assert_eq!(clock, 8.0);
    let expected =
        "note: --clock 8 is 8 MHz here, a period of 125 ns; if something else is meant, name the unit: 8ns or 8GHz\n";
    assert_eq!(note, expected);
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().to_str().unwrap();
    for (clock, ns, doubt) in [("8", 8.0, ""), ("125MHz", 8.0, ""), ("500", 500.0, "name the unit: 500MHz or 500ps")] {
        let output = eva(&["generate", "--preset", "tiny", "--out", out, "--clock", clock]).output().unwrap();
        let note = String::from_utf8(output.stderr).unwrap();
        assert!(note.contains(doubt) && note.is_empty() == doubt.is_empty(), "{note}");
        let manifest: Value =
            serde_json::from_slice(&std::fs::read(folder.path().join("eva_core.json")).unwrap()).unwrap();
        assert_eq!(manifest["clock_ns"], ns, "{clock}");
    }
    let synth = ["synth", "--preset", "tiny", "--target", "asic", "--clock"];
    for clock in ["-3", "0", "8s"] {
        let message = refusal(&[&synth[..], &[clock]].concat());
        assert!(message.contains("must be a period in ns from 0.001 to 1000000, or have a unit"), "{message}");
    }
}

#[test]
fn scales_of_32_bits_take_more_of_the_port() {
    let bound = |scales: &str| {
        let estimate = json(&["estimate", "--model", "llama-2-7b", "--scales", scales, "--json"]);
        (estimate["scale_fp32"].as_bool().unwrap(), estimate["block"]["bound_cycles"].as_u64().unwrap())
    };
    // 42,496 outputs on a port of 1024 bits.
    assert_eq!((bound("f16"), bound("f32")), ((false, 398_424), (true, 398_424 + 664)));
}

/// Where the tokens of a batch would take less time one by one, a line says so.
#[test]
fn a_batch_that_does_not_pay_is_told() {
    let model = ["estimate", "--model", "llama-2-7b", "--batch", "2"];
    let small = ["--max-n-block", "1024"];
    let slow = stdout(&[&model[..], &small].concat());
    let of = |more: &[&str]| json(&[&model[..], more, &["--json"]].concat());
    let numbers = of(&small);
    let [together, one_by_one] = ["cycles", "one_by_one_cycles"].map(|key| numbers[key].as_u64().unwrap());
    let [long, short] = [together, one_by_one].map(grouped);
    let expected = format!(
        "note: 2 tokens together take {long} cycles, one by one {short}: a batch pays if --max-n-block is at least 2048 here"
    );
    assert!(together > one_by_one && slow.contains(&expected), "{slow}");
    let large = ["--epilogue-units", "8", "--max-n-block", "8192"];
    assert!(!stdout(&[&model[..], &large].concat()).contains("note"));
    let numbers = of(&large);
    let [together, one_by_one] = ["cycles", "one_by_one_cycles"].map(|key| numbers[key].as_u64().unwrap());
    assert!(together < one_by_one * 6 / 10, "{together} {one_by_one}");
}

/// Core flags are those of the other commands; a wider port needs more units to be of use.
#[test]
fn core_flags_change_the_machine() {
    let limit = |args: &[&str]| {
        let estimate = json(&[&["estimate", "--model", "llama-2-7b", "--json"], args].concat());
        estimate["block"]["limited_by"].as_str().unwrap().to_owned()
    };
    assert_eq!(limit(&[]), "stream");
    assert_eq!(limit(&["--stream-width", "2048"]), "lookups");
    assert_eq!(limit(&["--max-n-block", "512"]), "array");
}

/// What is too large is known at once, and what never ends is not read to its end.
#[test]
fn absurd_models_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let model = path.to_str().unwrap();
    let estimate = ["estimate", "--preset", "tiny", "--model", model];
    let layer = "{ name = 'a', inputs = 256, outputs = 1048576, count = 4096 }";
    let text = format!("name = 'mine'\nblocks = 1\n[[stage]]\nlayers = [{layer}]\n");
    std::fs::write(&path, &text).unwrap();
    let message = refusal(&estimate);
    assert!(message.contains("error: mine: the estimate of a block goes through "), "{message}");
    // A token that needs few of them, and a prompt that needs all.
    std::fs::write(&path, text.replace("4096", "4096, active = 1")).unwrap();
    assert!(stdout(&estimate).contains("\n1 block: "));
    let message = refusal(&[&estimate[..], &["--prefill", "65536"]].concat());
    assert!(message.contains(" passes of the array, and "), "{message}");
    let zero = folder.path().join("zero.toml");
    std::os::unix::fs::symlink("/dev/zero", &zero).unwrap();
    let zero = zero.to_str().unwrap();
    for args in [&["--model", zero][..], &["--model", "llama-2-7b", "--config", zero]] {
        let message = refusal(&[&["estimate"], args].concat());
        assert!(message.contains(": it has more than 1048576 bytes"), "{message}");
    }
}

#[test]
fn names_do_not_drive_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let text = "name = \"m\\u001b[31m\"\nblocks = 2\n[[stage]]\nlayers = [{ name = \"a\\u001b[2J\\n\", inputs = 256, outputs = 64 }]\n";
    std::fs::write(&path, text).unwrap();
    let estimate = ["estimate", "--preset", "tiny", "--model", path.to_str().unwrap()];
    let shown = stdout(&estimate);
    assert!(shown.contains("m\\u{1b}[31m, C = 2") && shown.contains("a\\u{1b}[2J\\n "), "{shown}");
    std::fs::write(&path, text.replace("256", "255")).unwrap();
    let misfit = refusal(&estimate);
    std::fs::write(&path, text.replace("256", "0")).unwrap();
    for message in [misfit, refusal(&estimate), refusal(&["estimate", "--model", "a\u{1b}[2J"])] {
        assert!(message.contains("a\\u{1b}[2J") && !message.contains('\u{1b}'), "{message:?}");
    }
}

#[test]
fn a_model_of_ones_own() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let text = "name = 'mine'\nblocks = 3\n[[stage]]\nlayers = [{ name = 'only', inputs = 256, outputs = 64 }]\n";
    std::fs::write(&path, text).unwrap();
    let estimate = json(&["estimate", "--model", path.to_str().unwrap(), "--preset", "tiny", "--json"]);
    assert_eq!((&estimate["model"], &estimate["blocks"]), (&"mine".into(), &3.into()));
    std::fs::write(&path, text.replace("256", "0")).unwrap();
    let message = refusal(&["estimate", "--model", path.to_str().unwrap()]);
    assert!(message.contains("inputs of layer `only` = 0, must be from 1 to 1048576"), "{message}");
}

#[test]
fn mistakes_get_one_clear_message() {
    let messages = [
        vec!["--model", "llama-2-70b"],
        vec!["--model", "gpt"],
        vec!["--model", "missing.toml"],
        vec!["--model", "llama-2-7b", "--batch", "3"],
        vec!["--model", "llama-2-7b", "--tokens", "2"],
        vec!["--model", "llama-2-7b", "--scales", "bf16"],
        vec!["--model", "llama-2-7b", "--codebooks", "5"],
        vec!["--model", "llama-2-7b", "--dim", "4", "--cols", "16", "--codebooks", "9"],
        vec!["--model", "llama-2-7b", "--clock", "0"],
        vec!["--model", "llama-2-7b", "--clock", "-3"],
        vec!["--model", "llama-2-7b", "--bandwidth", "-3"],
        vec!["--model", "llama-2-7b", "--prefill", "0"],
        vec!["--model", "llama-2-7b", "--preset", "small"],
        vec!["--model", "llama-2-7b", "--preset", "small", "--codebooks", "3"],
    ]
    .map(|args| refusal(&[vec!["estimate"], args].concat()));
    insta::assert_snapshot!(messages.join("\n"));
}
