//! Programs: written, opened, decoded, and damaged in every way.

use std::fs;
use std::path::Path;

use eva_rtl::config::CoreConfig;
use eva_rtl::vq::block::{shared_inputs, sort_by_execution};
use eva_rtl::vq::gptvq::{GptvqShape, random_gptvq_layer};
use eva_rtl::vq::program::{PROGRAM_FILE, Program, ProgramBuilder, WEIGHTS_FILE};
use eva_rtl::vq::{AnyLayer, Distribution, Error, random_activations, random_layer};

use super::fixture::{Core, Folder, shape};
use super::machine::Machine;

/// 4 lanes, 8 vectors of 2 per tile, 16 of them in the buffer, 12 outputs.
const CORE: Core =
    Core { units: 2, rows: 4, cols: 8, dim: 2, index_bits: 3, max_codebooks: 4, max_k: 32, max_n_block: 12, width: 64 };

/// Layers of both forms, with and without chains, and their inputs.
fn layers() -> Vec<(AnyLayer, usize)> {
    let aqlm =
        |k, n, bits, c, seed| AnyLayer::Aqlm(random_layer(shape(k, n, 2, bits, c), Distribution::Wide, seed).unwrap());
    let shape = GptvqShape { inputs: 32, outputs: 12, dim: 2, index_bits: 3, group_inputs: 8, group_outputs: 6 };
    let gptvq = AnyLayer::Gptvq(random_gptvq_layer(shape, Distribution::Wide, 4).unwrap());
    vec![(aqlm(32, 20, 3, 2, 1), 0), (aqlm(32, 5, 2, 1, 2), 0), (gptvq, 1), (aqlm(70, 3, 3, 1, 3), 2)]
}

fn write(folder: &Path, layers: &[(AnyLayer, usize)], tokens: usize, config: &CoreConfig) {
    let mut builder = ProgramBuilder::new(tokens, config);
    for (layer, input) in layers {
        builder.push(layer, *input).unwrap();
    }
    let files = builder.finish();
    fs::write(folder.join(PROGRAM_FILE), files.description).unwrap();
    fs::write(folder.join(WEIGHTS_FILE), files.plan.image).unwrap();
}

#[test]
fn programs_survive_writing_and_opening() {
    let config = CORE.config();
    for tokens in [1, 2] {
        let folder = Folder::new();
        let layers = layers();
        write(folder.root(), &layers, tokens, &config);
        let program = Program::open(folder.root(), &config).unwrap();
        assert_eq!((program.tokens(), program.inputs()), (tokens, &[32, 32, 70][..]));
        let mut decoded = Vec::new();
        program
            .for_each_layer(&config, |number, layer| {
                assert_eq!(number, decoded.len());
                decoded.push((layer, program.layers()[number].input));
                Ok::<(), Error>(())
            })
            .unwrap();
        assert_eq!(decoded, layers);

        // What is in the files computes the layers.
        let inputs: Vec<Vec<u16>> =
            program.inputs().iter().map(|k| random_activations(tokens * k, Distribution::Wide, *k as u64)).collect();
        let x = program.activations(&inputs, &config).unwrap();
        let mut machine = Machine::new(&config, program.weights(), &x);
        machine.run(program.steps().iter().map(|step| step.command));
        let mut outputs = machine.outputs.as_slice();
        for (layer, input) in &layers {
            let n = layer.as_ref().shape().outputs;
            let (these, rest) = outputs.split_at(n * tokens);
            outputs = rest;
            let expected = layer.as_ref().golden_outputs(&inputs[*input]);
            assert!((0..n * tokens).all(|i| these[i] == expected[i % tokens * n + i / tokens]));
        }
        assert!(outputs.is_empty());

        let missing = program.activations(&inputs[..2], &config).unwrap_err().to_string();
        assert_eq!(missing, "activations: those of input 2 are missing");
        let short = [&inputs[0][..], &inputs[1][1..], &inputs[2]];
        assert!(program.activations(&short, &config).unwrap_err().to_string().contains("given for"));
    }
}

/// The message of a folder that is refused.
fn refusal(folder: &Folder, config: &CoreConfig) -> String {
    let message = match Program::open(folder.root(), config) {
        Ok(program) => {
            let decoded = program.for_each_layer(config, |_, _| Ok::<(), Error>(()));
            decoded.expect_err("something must be wrong").to_string()
        }
        Err(error) => error.to_string(),
    };
    assert_eq!(message.lines().count(), 1, "{message}");
    folder.relative(message)
}

#[test]
fn damaged_files_are_refused() {
    let config = CORE.config();
    let folder = Folder::new();
    write(folder.root(), &layers(), 1, &config);
    let (json, bin) = (folder.path(PROGRAM_FILE), folder.path(WEIGHTS_FILE));
    let (text, image) = (fs::read(&json).unwrap(), fs::read(&bin).unwrap());
    let refusal = || refusal(&folder, &config);

    // Any byte of the description that is another one; any truncation; anything after its end.
    for at in (0..text.len()).step_by(5) {
        let mut changed = text.clone();
        changed[at] ^= 1 << (at % 7);
        fs::write(&json, &changed).unwrap();
        let message = refusal();
        assert!(message.starts_with("program.json: "), "{message}");
    }
    for length in (0..text.len()).step_by(7).chain([text.len() - 1]) {
        fs::write(&json, &text[..length]).unwrap();
        assert!(refusal().starts_with("program.json: "));
    }
    fs::write(&json, [&text[..], b"\n"].concat()).unwrap();
    assert!(refusal().contains("its checksum is wrong"));
    fs::write(&json, &text).unwrap();

    for at in (0..image.len()).step_by(13) {
        let mut changed = image.clone();
        changed[at] ^= 1 << (at % 8);
        fs::write(&bin, &changed).unwrap();
        assert_eq!(
            refusal(),
            "weights.bin: its checksum is wrong: changed, or of another program; pack the program again"
        );
    }
    for changed in [&image[..image.len() - 1], &[], &[&image[..], &[0]].concat()] {
        fs::write(&bin, changed).unwrap();
        assert!(refusal().starts_with("weights.bin: ") && refusal().contains(" bytes, "));
    }
    fs::remove_file(&bin).unwrap();
    assert!(refusal().starts_with("weights.bin: cannot open"));
    fs::write(&bin, &image).unwrap();
    fs::remove_file(&json).unwrap();
    assert!(refusal().starts_with("program.json: cannot read"));
    for foreign in [&b"{}"[..], b"", b"\xFF\xFE", b"[1, 2]", br#"{"format": "something else"}"#] {
        fs::write(&json, foreign).unwrap();
        assert!(refusal().contains("not the description of a program"), "{}", refusal());
    }
}

/// Replaces text in the description and gives it a checksum that is right.
fn edit(folder: &Folder, from: &str, to: &str) {
    let path = folder.path(PROGRAM_FILE);
    let text = fs::read_to_string(&path).unwrap();
    let (body, _) = text.rsplit_once("  \"checksum\": ").unwrap();
    assert!(body.contains(from), "{from} is not in the description");
    let body = body.replacen(from, to, 1);
    let sum = blake3::hash(body.as_bytes());
    fs::write(&path, format!("{body}  \"checksum\": \"{sum}\"\n}}\n")).unwrap();
}

#[test]
fn descriptions_that_make_no_sense_are_refused() {
    let config = CORE.config();
    let mut messages = Vec::new();
    for (from, to) in [
        ("\"version\": 1", "\"version\": 2"),
        ("\"eva-program\"", "\"eva-programme\""),
        ("\"tokens\": 1", "\"tokens\": 2"),
        ("\"tokens\": 1", "\"tokens\": 0"),
        ("\"tokens\": 1", "\"tokens\": -1"),
        ("\"tokens\": 1", "\"token\": 1"),
        ("\"array.rows\": 4", "\"array.rows\": 5"),
        ("\"array.rows\": 4", "\"array.lines\": 4"),
        ("\"weights.bin\"", "\"../weights.bin\""),
        ("\"form\": \"aqlm\"", "\"form\": \"other\""),
        ("\"dim\": 2", "\"dim\": 0"),
        ("\"dim\": 2", "\"dim\": 4"),
        ("\"index_bits\": 3", "\"index_bits\": 17"),
        ("\"index_bits\": 3", "\"index_bits\": 2"),
        ("\"codebooks\": 2", "\"codebooks\": 1"),
        ("\"outputs\": 20", "\"outputs\": 21"),
        ("\"outputs\": 20", "\"outputs\": 19"),
        ("\"outputs\": 20", "\"outputs\": 4000000000"),
        ("\"inputs\": 32", "\"inputs\": 34"),
        ("\"scale_fp32\": false", "\"scale_fp32\": true"),
        ("\"group_inputs\": 8", "\"group_inputs\": 0"),
        ("\"group_inputs\": 8", "\"group_inputs\": 16"),
        ("\"group_outputs\": 6", "\"group_outputs\": 4"),
        ("\"input\": 2", "\"input\": 3"),
        // Commands: another opcode, an unused bit, another layer, other numbers of beats, vectors and outputs.
        ("0000000200000001\"", "0000000200000005\""),
        ("0000000200000001\"", "0000000200000801\""),
        ("0000000200000001\"", "0000000200007001\""),
        ("0000000200000001\"", "0000000100000001\""),
        ("0000000200000001\"", "0000000200000004\""),
        ("0000000200000001\"", "0000000200000001ff\""),
        ("\"layer\": 0", "\"layer\": 1"),
        ("\"layer\": 0", "\"layer\": 9"),
        ("\"layer\": 3", "\"layer\": 2"),
        ("\"beats\": 0", "\"beats\": 1"),
        ("        16\n", "        17\n"),
        ("        16\n", "        15\n"),
        ("        12\n", "        11\n"),
        ("        12,\n", "        13,\n"),
    ] {
        let folder = Folder::new();
        write(folder.root(), &layers(), 1, &config);
        edit(&folder, from, to);
        messages.push(format!("{} -> {}: {}", from.trim(), to.trim(), refusal(&folder, &config)));
    }
    insta::assert_snapshot!(messages.join("\n"));
}

/// Changes a description and gives it a checksum that is right.
fn rewrite(folder: &Folder, change: impl FnOnce(&mut serde_json::Value)) {
    let path = folder.path(PROGRAM_FILE);
    let mut value: serde_json::Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    value.as_object_mut().unwrap().shift_remove("checksum");
    change(&mut value);
    let text = serde_json::to_string_pretty(&value).unwrap();
    let body = format!("{},\n", text.strip_suffix("\n}").unwrap());
    let sum = blake3::hash(body.as_bytes());
    fs::write(&path, format!("{body}  \"checksum\": \"{sum}\"\n}}\n")).unwrap();
}

/// Of a batch, whole tiles are loaded, so that the counts of vectors alone do not tell what is in them.
#[test]
fn batches_use_what_is_loaded_to_the_vector() {
    let config = CORE.config();
    // Tiles of 4 vectors for each of two tokens.
    let layer = AnyLayer::Aqlm(random_layer(shape(12, 3, 2, 3, 1), Distribution::Wide, 1).unwrap());
    let command = |value: &mut serde_json::Value, opcode: &str| -> usize {
        let commands = value["commands"].as_array().unwrap();
        commands.iter().position(|command| command["bits"].as_str().unwrap().ends_with(opcode)).unwrap()
    };
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let folder = Folder::new();
        write(folder.root(), &[(layer.clone(), 0)], 2, &config);
        rewrite(&folder, change);
        refusal(&folder, &config)
    };
    for vectors in [[0, 5], [1, 6]] {
        let message = refused(&|value| {
            let load = command(value, "02");
            value["commands"][load]["vectors"] = vectors.into();
        });
        assert!(message.contains("vectors 0..6 of input 0 are not the 6 from "), "{message}");
    }
    // A chain whose first command ends within a tile that has more vectors in it.
    let message = refused(&|value| {
        let gemv = command(value, "03");
        let bits = u128::from_str_radix(value["commands"][gemv]["bits"].as_str().unwrap(), 16).unwrap();
        let (scales, last) = (1, 1 << 9);
        let vectors = |count: u128, bits: u128| format!("{:032x}", bits & !(0xFFFF_FFFF << 64) | count << 64);
        let steps = value["commands"][gemv]["beats"].as_u64().unwrap() - scales;
        let mut rest = value["commands"][gemv].clone();
        rest["bits"] = vectors(3, bits & !(1 << 8)).into();
        rest["vectors"] = [3, 6].into();
        rest["beats"] = (scales + steps / 2).into();
        let load = command(value, "02");
        let mut again = value["commands"][load].clone();
        again["vectors"] = [3, 6].into();
        again["bits"] = "00000000000000080000000000000002".into();
        value["commands"][gemv]["bits"] = vectors(3, bits & !last).into();
        value["commands"][gemv]["vectors"] = [0, 3].into();
        value["commands"][gemv]["beats"] = (steps / 2).into();
        value["commands"].as_array_mut().unwrap().extend([again, rest]);
    });
    assert!(message.contains("vectors 0..3 of input 0 are not the 3 from 0 on of those loaded, 0..6"), "{message}");
}

#[test]
fn tokens_are_a_power_of_two() {
    let config = Core { units: 6, ..CORE }.config();
    let folder = Folder::new();
    write(folder.root(), &layers()[1..2], 1, &config);
    rewrite(&folder, |value| value["tokens"] = 3.into());
    let expected = "3 tokens do not share the epilogue units, powers of two up to 2 do";
    assert!(refusal(&folder, &config).contains(expected), "{}", refusal(&folder, &config));
}

/// Sizes that nothing in the image bounds would be memory that runs out.
#[test]
fn sizes_are_those_of_the_image() {
    let config = CORE.config();
    let refused = |change: &dyn Fn(&mut serde_json::Value)| {
        let folder = Folder::new();
        write(folder.root(), &layers(), 1, &config);
        rewrite(&folder, change);
        let error = Program::open(folder.root(), &config).err().expect("known before anything is computed");
        folder.relative(error.to_string())
    };
    for unused in [1u64, 1 << 50] {
        let message = refused(&|value| value["inputs"].as_array_mut().unwrap().push(unused.into()));
        assert!(message.contains("no layer computes activations 3"), "{message}");
    }
    let message = refused(&|value| {
        value["inputs"][2] = (1u64 << 28).into();
        value["layers"][3]["inputs"] = (1u64 << 28).into();
    });
    assert!(message.contains("layer `random.3`: its sums have K/d * C = 134217728 terms"), "{message}");
    let message = refused(&|value| value["layers"][3]["outputs"] = (1u64 << 26).into());
    assert!(message.contains("layer `random.3`: it has more indices than the image"), "{message}");
}

/// A seal that is right does not make commands right that were moved about.
#[test]
fn commands_that_do_not_follow_each_other_are_refused() {
    let config = CORE.config();
    let folder = Folder::new();
    write(folder.root(), &layers(), 1, &config);
    let text = fs::read_to_string(folder.path(PROGRAM_FILE)).unwrap();
    let value: serde_json::Value = serde_json::from_str(&text).unwrap();
    let count = value["commands"].as_array().unwrap().len();
    let try_it = |changed: serde_json::Value| {
        rewrite(&folder, |value| {
            *value = changed;
            value.as_object_mut().unwrap().shift_remove("checksum");
        });
        Program::open(folder.root(), &config)
            .and_then(|program| program.for_each_layer(&config, |_, _| Ok::<(), Error>(())))
    };
    try_it(value.clone()).unwrap();
    for number in 0..count {
        let mut without = value.clone();
        without["commands"].as_array_mut().unwrap().remove(number);
        try_it(without).unwrap_err();
        let mut twice = value.clone();
        let command = twice["commands"][number].clone();
        twice["commands"].as_array_mut().unwrap().insert(number, command);
        // What is loaded twice needs no beats of weights only if it is activations.
        let is_x = value["commands"][number]["bits"].as_str().unwrap().ends_with("02");
        assert_eq!(try_it(twice).is_ok(), is_x, "command {number}");
    }
}

#[test]
fn a_program_is_for_one_core() {
    let folder = Folder::new();
    write(folder.root(), &layers(), 1, &CORE.config());
    let other = Core { rows: 8, width: 128, ..CORE }.config();
    assert_eq!(
        refusal(&folder, &other),
        "program.json: the program is for another core: array.rows is 4, here 8; stream.width is 64, here 128; give the \
         parameters of that core, or pack the program again"
    );
    // How the core is built does not matter.
    let mut same = CORE.config();
    same.pipeline.tree = 0;
    same.memory.style = eva_rtl::config::MemoryStyle::Macro;
    assert!(Program::open(folder.root(), &same).is_ok());
}

#[test]
fn layers_that_do_not_fit_are_refused() {
    let config = CORE.config();
    let mut builder = ProgramBuilder::new(1, &config);
    let layer = AnyLayer::Aqlm(random_layer(shape(32, 4, 4, 3, 2), Distribution::Wide, 1).unwrap());
    let message = builder.push(&layer, 0).unwrap_err().to_string();
    assert_eq!(message, "layer `random.1` does not fit this core: it has d = 4, the core vq.dim = 2");
}

#[test]
fn blocks_run_in_order_and_share_what_they_can() {
    let mut names: Vec<String> = [
        "mlp.up_proj",
        "mlp.down_proj",
        "attn.v_proj",
        "attn.o_proj",
        "attn.q_proj",
        "attn.k_proj",
        "mlp.gate_proj",
        "b",
        "a",
    ]
    .map(|name| format!("layers.0.{name}"))
    .into();
    sort_by_execution(&mut names);
    let order: Vec<&str> = names.iter().map(|name| name.strip_prefix("layers.0.").unwrap()).collect();
    assert_eq!(
        order,
        [
            "attn.q_proj",
            "attn.k_proj",
            "attn.v_proj",
            "attn.o_proj",
            "mlp.gate_proj",
            "mlp.up_proj",
            "mlp.down_proj",
            "a",
            "b"
        ]
    );
    let inputs = |layers: &[(&str, usize)]| shared_inputs(layers.iter().copied());
    let numbered: Vec<(&str, usize)> = names.iter().map(|name| (name.as_str(), 8)).collect();
    assert_eq!(inputs(&numbered), [0, 0, 0, 1, 2, 2, 3, 4, 5]);
    // Others of the same name, and layers that cannot have the same activations.
    assert_eq!(
        inputs(&[("0.q_proj", 8), ("1.q_proj", 8), ("0.k_proj", 8), ("0.v_proj", 4), ("wq", 8), ("wk", 8)]),
        [0, 1, 0, 2, 3, 3]
    );
    let mut experts = ["e.1.w1", "e.0.w2", "e.0.w3", "e.0.w1"].map(str::to_owned);
    sort_by_execution(&mut experts);
    assert_eq!(experts, ["e.0.w1", "e.0.w3", "e.0.w2", "e.1.w1"]);
}
