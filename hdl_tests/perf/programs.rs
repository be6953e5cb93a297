//! Programs made from shapes are those that the packer makes from weights.

use eva_rtl::config::CoreConfig;
use eva_rtl::perf::{Beats, BlockProgram, Shape};
use eva_rtl::vq::int8::{Int8Plan, Int8Shape};
use eva_rtl::vq::{Distribution, Layer, LayerShape, Planner, Scales, random_activations, random_layer};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn draw_core(rng: &mut ChaCha8Rng) -> CoreConfig {
    loop {
        let mut cfg = CoreConfig::preset("tiny").unwrap();
        cfg.array.rows = *[2, 3, 4, 8].choose(rng).unwrap();
        cfg.array.cols = 16 * rng.random_range(1..=3);
        cfg.vq.index_bits = rng.random_range(2..=5);
        cfg.vq.max_codebooks = rng.random_range(1..=8);
        cfg.epilogue.units = *[1, 2, 3, 4, 8].choose(rng).unwrap();
        cfg.buffers.max_k = 4 * rng.random_range(1..=150);
        cfg.buffers.max_n_block = *[8, 9, 30, 64].choose(rng).unwrap();
        cfg.stream.width = 32 << rng.random_range(0..6);
        if cfg.validate().is_ok() {
            return cfg;
        }
    }
}

/// The layer with scales of this type.
fn scaled(layer: Layer, fp32: bool) -> Layer {
    let scales = match fp32 {
        true => Scales::F32(vec![0x3f80_0000; layer.shape().outputs]),
        false => Scales::F16(vec![0x3c00; layer.shape().outputs]),
    };
    let (centroids, codes) = (layer.centroids().to_vec(), layer.codes().to_vec());
    Layer::new(layer.name(), layer.shape(), centroids, codes, scales).unwrap()
}

#[test]
fn programs_are_those_of_the_packer() {
    let (mut chains, mut batches) = (0, 0);
    for seed in 0..80 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let cfg = draw_core(rng);
        let mut tokens = 1 << rng.random_range(0..=cfg.max_batch().trailing_zeros());
        if cfg.max_vectors() < cfg.tile_vectors() {
            tokens = 1;
        }
        let mut planner = Planner::new(tokens, &cfg);
        let scale_fp32 = rng.random();
        let mut steps = Vec::new();
        let mut program = BlockProgram::new(tokens, scale_fp32, &cfg, |step| steps.push(step));
        let mut inputs: Vec<Vec<u16>> = Vec::new();
        for number in 0..3 {
            let codebooks = rng.random_range(1..=cfg.vq.max_codebooks as usize);
            let most = (cfg.max_vectors() * cfg.vq.max_codebooks) as usize / codebooks;
            let vectors = rng.random_range(1..=most.min(250));
            let outputs = rng.random_range(1..=100);
            let (dim, index_bits) = (cfg.vq.dim as usize, cfg.vq.index_bits);
            let shape = LayerShape { inputs: vectors * dim, outputs, dim, index_bits, codebooks };
            let layer = scaled(random_layer(shape, Distribution::Wide, seed).unwrap(), scale_fp32);
            inputs.push(random_activations(tokens * shape.inputs, Distribution::Wide, seed));
            planner.push((&layer).into(), number).unwrap();
            program.push(Shape { vectors, outputs, codebooks }, number, number, false);
            // The same layer again with the same activations.
            if rng.random() {
                planner.push((&layer).into(), number).unwrap();
                program.push(Shape { vectors, outputs, codebooks }, number, number, false);
            }
            chains += usize::from(vectors > cfg.max_vectors() as usize);
        }
        batches += usize::from(tokens > 1);
        program.finish();
        let plan = planner.finish();
        let expected: Vec<_> = plan.steps.iter().map(|step| step.command.operation).collect();
        let got: Vec<_> = steps.iter().map(|step| step.operation).collect();
        assert_eq!(got, expected, "seed {seed}: {cfg:?}");
        let beats: Vec<Beats> = steps.iter().map(|step| Beats::new(&step.operation, &cfg)).collect();
        for ((step, beats), number) in plan.steps.iter().zip(&beats).zip(0..) {
            assert_eq!(beats.stream(), step.beats, "seed {seed}, command {number}: {cfg:?}");
            assert_eq!(beats.outputs, step.sent(tokens) as u64, "seed {seed}, command {number}: {cfg:?}");
        }
        let x_beats: u64 = beats.iter().map(|beats| beats.activations).sum();
        let x_bytes = plan.activations(&inputs, &cfg).unwrap().len() as u64;
        assert_eq!(x_beats, 8 * x_bytes / u64::from(cfg.x_width()), "seed {seed}: {cfg:?}");
    }
    assert!(chains > 5 && batches > 5, "{chains} chains, {batches} batches");
}

#[test]
fn beats_of_int8_products_are_those_of_their_plans() {
    for seed in 0..100 {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let cfg = draw_core(rng);
        let shape = Int8Shape { inputs: rng.random_range(1..=600), outputs: rng.random_range(1..=150) };
        let tokens = rng.random_range(1..=2 * cfg.max_tokens() as usize);
        let plan = Int8Plan::new(shape, tokens, rng.random(), &cfg).unwrap();
        let beats = plan.commands().into_iter().map(|command| Beats::new(&command.operation, &cfg));
        let sum = |(w, x, y), beats: Beats| (w + beats.stream(), x + beats.activations, y + beats.outputs);
        let (w, x, y) = beats.fold((0, 0, 0), sum);
        let (w_bytes, x_bytes) = plan.stream_bytes();
        let expected = (8 * w_bytes / u64::from(cfg.stream.width), 8 * x_bytes / u64::from(cfg.x_width()));
        assert_eq!((w, x, y), (expected.0, expected.1, (shape.outputs * tokens) as u64), "seed {seed}: {cfg:?}");
    }
}
