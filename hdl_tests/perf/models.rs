//! Language models: their shapes, and what they cost in the machine of the paper.

use eva_rtl::config::CoreConfig;
use eva_rtl::perf::{
    BlockProgram, Decoding, Estimate, EstimateError, LanguageModel, Limits, Model, ModelError, Prefill, cycles,
};
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
    let limits: Vec<_> = qwen.layers.iter().map(|layer| layer.cost.needs.largest()).collect();
    assert_eq!(limits, ["stream", "array", "array", "stream", "array", "array", "stream"]);
    let mut cfg = paper();
    cfg.stream.width = 4096;
    let model = LanguageModel::find("llama-2-7b").unwrap();
    let wide = Estimate::new(&model, &cfg, decoding(2, 1)).unwrap();
    assert_eq!(wide.block.needs.largest(), "lookups");
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
        assert_eq!(alone.one_by_one, alone.block.cycles);
        let together = Estimate::new(&model, &cfg, decoding(2, 4)).unwrap();
        assert_eq!(together.one_by_one, 4 * alone.block.cycles);
        together.block.cycles as f64 / together.one_by_one as f64
    };
    // A = 1024, so that four tokens need blocks of 4096 outputs of all tokens.
    assert!(estimate(1024, 1024) > 2.0);
    assert!((0.9..1.1).contains(&estimate(4096, 1024)));
    assert!(estimate(4096, 256) < 0.27);
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
    assert!(matches!(LanguageModel::find("no/such.toml"), Err(ModelError::Unreadable { .. })));
}

/// A number with thousands separators.
fn number(text: &str) -> u64 {
    text.replace(',', "").parse().unwrap_or_else(|_| panic!("`{text}` is no number"))
}

/// The table of the page: cycles, bound, their ratio and tokens per second, as estimated now.
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
        assert_eq!(row[7], format!("{:.1}", estimate.tokens_per_second(500e6)), "{row:?}");
        seen.push(row[1].to_owned());
    }
    assert!(LanguageModel::names().all(|name| seen.iter().any(|seen| seen == name)), "{seen:?}");

    // Activations known in advance: no step waits for the host.
    let cfg = paper();
    let steps = BlockProgram::of_block(&LanguageModel::find("llama-2-7b").unwrap(), decoding(2, 1), &cfg);
    let cycles = cycles(steps.iter().map(|step| step.operation), &cfg);
    let told = page.split_once("a block of LLaMA-2-7B would take ").unwrap().1;
    assert_eq!(number(told.split(' ').next().unwrap()), cycles);
}
