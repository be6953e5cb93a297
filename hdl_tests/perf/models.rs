//! Language models: their shapes, and what they cost in the machine of the paper.

use eva_rtl::config::CoreConfig;
use eva_rtl::models::{LanguageModel, ModelError};
use eva_rtl::perf::{Beats, BlockProgram, Decoding, Estimate, EstimateError, Limits, Model, Prefill};
use eva_rtl::vq::{LayerShape, Operation, VqGemv};

fn paper() -> CoreConfig {
    CoreConfig::preset("paper").unwrap()
}

fn estimate(model: &str, codebooks: usize) -> Estimate {
    Estimate::new(&LanguageModel::find(model).unwrap(), &paper(), decoding(codebooks, 1)).unwrap()
}

/// With FP16 scales.
fn decoding(codebooks: usize, tokens: usize) -> Decoding {
    Decoding { codebooks, tokens, scale_fp32: false }
}

/// Weights of the linear layers of a block: all of them, and those that a token needs.
#[test]
fn models_have_the_published_shapes() {
    let expected = [
        ("llama-1-7b", 32, 202_375_168, 202_375_168),
        ("llama-1-13b", 40, 317_194_240, 317_194_240),
        ("llama-1-30b", 60, 535_035_904, 535_035_904),
        ("llama-1-65b", 80, 809_500_672, 809_500_672),
        ("llama-2-7b", 32, 202_375_168, 202_375_168),
        ("llama-2-13b", 40, 317_194_240, 317_194_240),
        ("llama-3-8b", 32, 218_103_808, 218_103_808),
        ("mixtral-8x7b", 32, 1_451_229_184, 394_264_576),
        ("qwen3-30b-a3b", 48, 622_854_144, 56_623_104),
    ];
    assert!(LanguageModel::names().eq(expected.iter().map(|model| model.0)));
    for (name, blocks, weights, active) in expected {
        let model = LanguageModel::find(name).unwrap();
        assert_eq!(model.name, name);
        assert_eq!((model.blocks, model.block_weights(), model.active_weights()), (blocks, weights, active), "{name}");
    }
}

/// Names, activations and waits of the products of a block, in order.
fn execution(model: &LanguageModel) -> Vec<(String, usize, bool)> {
    model.execution().map(|part| (part.name(), part.input, part.waits)).collect()
}

#[test]
fn products_of_a_block_come_in_order_with_their_activations() {
    let expected = |list: &[(&str, usize, bool)]| -> Vec<(String, usize, bool)> {
        list.iter().map(|&(name, input, waits)| (name.to_owned(), input, waits)).collect()
    };
    let attention = [("q_proj", 0, false), ("k_proj", 0, false), ("v_proj", 0, false), ("o_proj", 1, true)];
    let dense = [("gate_proj", 2, true), ("up_proj", 2, false), ("down_proj", 3, true)];
    assert_eq!(execution(&LanguageModel::find("llama-2-7b").unwrap()), expected(&[&attention[..], &dense].concat()));
    let experts = [
        ("gate_proj.0", 2, true),
        ("gate_proj.1", 2, false),
        ("up_proj.0", 2, false),
        ("up_proj.1", 2, false),
        ("down_proj.0", 3, true),
        ("down_proj.1", 4, false),
    ];
    let mixtral = LanguageModel::find("mixtral-8x7b").unwrap();
    assert_eq!(execution(&mixtral), expected(&[&attention[..], &experts].concat()));
    let numbers: Vec<usize> = mixtral.execution().map(|part| part.number).collect();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 4, 5, 5, 6, 6]);
    for name in LanguageModel::names() {
        let model = LanguageModel::find(name).unwrap();
        let weights: u64 = model.execution().map(|part| part.layer.weights()).sum();
        assert_eq!(weights, model.active_weights(), "{name}");
    }
}

/// The performance that the machine of the paper is built for: one block of LLaMA-2-7B, of which three layers start cold.
#[test]
fn a_block_of_llama_2_7b_meets_its_contract() {
    let estimate = estimate("llama-2-7b", 2);
    assert_eq!(estimate.block.bound(), 398_424);
    assert!(estimate.block.cycles <= 403_200, "{}", estimate.block.cycles);
    // The paper's model: 2, 3 and 4 codebooks.
    assert!(estimate.block.cycles < 405_978);
    assert!(self::estimate("llama-2-7b", 3).block.cycles < 604_634);
    assert!(self::estimate("llama-2-7b", 4).block.cycles < 803_290);
    let sum: u64 = estimate.layers.iter().map(|layer| layer.cost.cycles).sum();
    assert_eq!(sum, estimate.block.cycles);
    assert_eq!(estimate.cycles(), 32 * sum);
    // Layers that follow others lose less than one part in a thousand.
    for layer in ["k_proj", "v_proj", "up_proj"] {
        let layer = estimate.layers.iter().find(|estimate| estimate.name == layer).unwrap();
        assert!(layer.cost.utilization() > 0.999, "{layer:?}");
    }
}

#[test]
fn single_layers_meet_their_contract() {
    let cfg = paper();
    for (outputs, bound, most) in [(4096, 32_896, 1.04), (11008, 88_300, 1.02)] {
        let mut core = Model::new(&cfg);
        let mut needs = Limits::default();
        let mut last = 0;
        let shape = LayerShape { inputs: 4096, outputs, dim: 8, index_bits: 8, codebooks: 2 };
        let blocks = eva_rtl::vq::block_sizes(outputs, false, 1, &cfg);
        let vectors = shape.vectors() as u32;
        let loads = [Operation::LoadCodebooks { slot: 0, codebooks: 2 }, Operation::LoadX { vectors }];
        let gemvs = blocks.into_iter().map(|outputs| {
            Operation::VqGemv(VqGemv { codebooks: 2, vectors, outputs: outputs as u32, ..VqGemv::default() })
        });
        for operation in loads.into_iter().chain(gemvs) {
            needs.add(&operation, &cfg);
            last = core.command(&operation).last_output.unwrap_or(last);
        }
        assert_eq!(needs.stream, bound);
        assert!((last + 1) as f64 <= most * bound as f64, "{last}");
    }
}

/// What limits: the stream if outputs are many, the array if they are few, the lookups if a token costs as much as all.
#[test]
fn the_limit_is_named() {
    let qwen = estimate("qwen3-30b-a3b", 2);
    let limits: Vec<_> = qwen.layers.iter().map(|layer| layer.cost.needs.largest().0).collect();
    assert_eq!(limits, ["stream", "array", "array", "stream", "array", "array", "stream"]);
    let mut cfg = paper();
    cfg.stream.width = 4096;
    let model = LanguageModel::find("llama-2-7b").unwrap();
    let wide = Estimate::new(&model, &cfg, decoding(2, 1)).unwrap();
    assert_eq!(wide.block.needs.largest().0, "lookups");
}

#[test]
fn tokens_together_share_index_words() {
    let model = LanguageModel::find("llama-2-7b").unwrap();
    let cycles = |tokens| Estimate::new(&model, &paper(), decoding(2, tokens)).unwrap().block.cycles;
    // One index serves all, but the lookups are as many.
    let (one, two, four) = (cycles(1), cycles(2), cycles(4));
    assert!((1.9..2.2).contains(&(two as f64 / one as f64)), "{one} {two}");
    assert!((3.9..4.5).contains(&(four as f64 / one as f64)), "{one} {four}");
}

/// A batch costs no more than its tokens where the memory port limits and blocks keep the array busy for as long as it needs.
#[test]
fn a_batch_is_compared_with_its_tokens() {
    let model = LanguageModel::find("llama-2-7b").unwrap();
    let estimate = |n_block, width| {
        let mut cfg = paper();
        cfg.buffers.max_n_block = n_block;
        cfg.stream.width = width;
        let alone = Estimate::new(&model, &cfg, decoding(2, 1)).unwrap();
        assert_eq!(alone.one_by_one(), alone.cycles());
        let together = Estimate::new(&model, &cfg, decoding(2, 4)).unwrap();
        assert_eq!(together.one_by_one(), 4 * alone.cycles());
        together.cycles() as f64 / together.one_by_one() as f64
    };
    // A = 1024, so that four tokens need blocks of 4096 outputs of all tokens.
    assert!(estimate(1024, 1024) > 2.0);
    assert!((0.9..1.1).contains(&estimate(4096, 1024)));
    assert!(estimate(4096, 256) < 0.3);
}

/// Scales on the memory port: 32 bits instead of 16 for each output.
#[test]
fn fp32_scales_take_twice_the_beats() {
    let model = LanguageModel::find("llama-2-7b").unwrap();
    let of = |scale_fp32| {
        let decoding = Decoding { scale_fp32, ..decoding(2, 1) };
        Estimate::new(&model, &paper(), decoding).unwrap().block.bound()
    };
    let outputs: u64 = model.layers().map(|layer| u64::from(layer.outputs)).sum();
    assert_eq!(of(true) - of(false), outputs * 16 / 1024);
}

#[test]
fn prefill_uses_the_array() {
    let model = LanguageModel::find("llama-2-7b").unwrap();
    let prefill = Prefill::new(&model, &paper(), 256).unwrap();
    assert_eq!(prefill.macs, 256 * 202_375_168);
    assert!((0.99..=1.0).contains(&prefill.array_utilization), "{prefill:?}");
    // Each token of a mixture of experts needs two of eight.
    let mixtral = Prefill::new(&LanguageModel::find("mixtral-8x7b").unwrap(), &paper(), 5).unwrap();
    assert_eq!(mixtral.macs, 5 * 394_264_576);
}

#[test]
fn what_does_not_fit_is_told_completely() {
    let model = LanguageModel::find("llama-2-7b").unwrap();
    let reasons = |change: fn(&mut CoreConfig), codebooks, tokens| {
        let mut cfg = paper();
        change(&mut cfg);
        match Estimate::new(&model, &cfg, decoding(codebooks, tokens)) {
            Err(EstimateError::DoesNotFit { reasons, .. }) => reasons,
            other => panic!("{other:?}"),
        }
    };
    assert!(reasons(|_| {}, 5, 1)[0].contains("1 to vq.max_codebooks = 4"));
    // Every layer has too many terms.
    assert_eq!(reasons(|cfg| cfg.buffers.max_k = 1024, 4, 1).len(), 7);
    assert!(reasons(|_| {}, 2, 3)[0].contains("powers of two up to 4"));
    assert!(reasons(|cfg| cfg.buffers.max_k = 512, 2, 2)[0].contains("buffers.max_k is 512"));
    assert_eq!(reasons(|cfg| cfg.buffers.max_n_block = 2, 2, 4).len(), 1);
}

#[test]
fn models_from_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mine.toml");
    let find = |text: &str| {
        std::fs::write(&path, text).unwrap();
        LanguageModel::find(path.to_str().unwrap())
    };
    let layer = "name = 'mine'\nblocks = 2\n[[stage]]\nlayers = [{ name = 'a', inputs = 64, outputs = 9, count = 4, active = 3 }]";
    let model = find(layer).unwrap();
    assert_eq!((model.block_weights(), model.active_weights()), (4 * 576, 3 * 576));
    for (from, to, expected) in [
        ("blocks = 2", "blocks = 0", "blocks = 0, must be from 1 to 4096"),
        ("active = 3", "active = 5", "active of layer `a` = 5, must be from 1 to 4"),
        ("outputs = 9", "outputs = 0", "outputs of layer `a` = 0"),
        ("outputs = 9", "output = 9", "unknown field `output`"),
        ("[{ name = 'a', inputs = 64, outputs = 9, count = 4, active = 3 }]", "[]", "every stage at least one layer"),
    ] {
        let error = find(&layer.replace(from, to)).unwrap_err();
        assert!(matches!(error, ModelError::Invalid { .. }) && error.to_string().contains(expected), "{error}");
    }
    let two = layer.replace("= 3 }", "= 3 }, { name = 'b', inputs = 32, outputs = 9 }");
    let error = find(&two).unwrap_err().to_string();
    assert!(error.contains("layers `a` and `b` of a stage have the same activations, but 64 and 32 inputs"), "{error}");
    assert_eq!(find(&two.replace("[[stage]]", "[[stage]]\nactivations = 'own'")).unwrap().execution().count(), 4);
    assert!(matches!(LanguageModel::find("no/such.toml"), Err(ModelError::Unreadable { .. })));
}

/// A number with thousands separators.
fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

/// Cycles by the paper's model, if there is a figure of this model and number of codebooks.
fn published(model: &str, codebooks: &str) -> Option<u64> {
    let figures =
        include_str!("../../docs/published_cycles.csv").lines().map(|line| line.split(',').collect::<Vec<_>>());
    let mut figures = figures.filter(|figure| figure.starts_with(&[model, codebooks]));
    Some(figures.next()?[2].parse().unwrap())
}

/// The figures of the paper's authors are what the page says of them: index words, and a start of each layer.
#[test]
fn published_figures_are_explained() {
    for model in LanguageModel::names().filter(|name| name.starts_with("llama")) {
        for codebooks in 2..=4 {
            let mut beyond = published(model, &codebooks.to_string()).unwrap();
            for layer in LanguageModel::find(model).unwrap().layers() {
                let steps = u64::from(layer.inputs.div_ceil(8 * 128)) * codebooks;
                // A step of the array takes 1184 cycles.
                beyond -= 1238 + u64::from(layer.outputs) + (steps - 1) * u64::from(layer.outputs.max(1184));
            }
            assert_eq!(beyond, 0, "{model}, C = {codebooks}");
        }
    }
}

/// The table of the page: cycles, bound, their ratio and tokens per second, as estimated now; the paper's figure.
#[test]
fn the_page_has_the_estimates() {
    let page = include_str!("../../docs/performance.md");
    let rows = page.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let mut seen = Vec::new();
    for row in rows.filter(|row| row.len() == 9 && LanguageModel::names().any(|name| name == row[1])) {
        let estimate = estimate(row[1], row[2].parse().unwrap());
        let block = &estimate.block;
        assert_eq!((number(row[3]), number(row[4])), (block.cycles, block.bound()), "{row:?}");
        assert_eq!(row[5], format!("{:.3}", 1.0 / block.utilization()), "{row:?}");
        assert_eq!((!row[6].is_empty()).then(|| number(row[6])), published(row[1], row[2]), "{row:?}");
        assert_eq!(row[7], format!("{:.1}", estimate.tokens_per_second(500e6)), "{row:?}");
        seen.push(row[1].to_owned());
    }
    assert!(LanguageModel::names().all(|name| seen.iter().any(|seen| seen == name)), "{seen:?}");

    let told = page.split_once("a block of LLaMA-2-7B would take ").unwrap().1;
    let rows = layers_of_the_program();
    assert_eq!(number(told.split(' ').next().unwrap()), rows.iter().map(|row| row.3).sum::<u64>());
    for (name, inputs, outputs, cycles, bound) in rows {
        let (cycles, ratio) = (thousands(cycles), cycles as f64 / bound as f64);
        let row = format!("| {name} | {inputs} | {outputs} | {cycles} | {} | {ratio:.4} |", thousands(bound));
        assert!(page.contains(&row), "{row}");
    }
}

/// Name, `K`, `N`, cycles and bound of the layers of LLaMA-2-7B if activations are known in advance, so that no step waits for the host.
fn layers_of_the_program() -> Vec<(String, u32, u32, u64, u64)> {
    let (cfg, model) = (paper(), LanguageModel::find("llama-2-7b").unwrap());
    let mut core = Model::new(&cfg);
    let (mut end, mut cycles, mut bound) = (0, 0, 0);
    let mut rows = Vec::new();
    let mut steps = Vec::new();
    BlockProgram::of_block(&model, decoding(2, 1), &cfg, |step| steps.push(step));
    for (place, step) in steps.iter().enumerate() {
        bound += Beats::new(&step.operation, &cfg).stream();
        if let Some(last) = core.command(&step.operation).last_output {
            cycles += last + 1 - end;
            end = last + 1;
        }
        if steps[place + 1..].iter().all(|later| later.layer != step.layer) {
            let layer = model.layers().nth(step.layer).unwrap();
            rows.push((layer.name.clone(), layer.inputs, layer.outputs, cycles, bound));
            (cycles, bound) = (0, 0);
        }
    }
    rows
}

/// A number of up to six digits as it is written on the page.
fn thousands(number: u64) -> String {
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}
