//! `eva estimate`.

use serde_json::Value;

use super::{refusal, stdout};

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
    let expected = format!(
        "note: 2 tokens together take {together} cycles, one by one {one_by_one}: a batch pays if --max-n-block is at least 2048 here"
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
        vec!["--model", "llama-2-7b", "--prefill", "0"],
    ]
    .map(|args| refusal(&[vec!["estimate"], args].concat()));
    insta::assert_snapshot!(messages.join("\n"));
}
