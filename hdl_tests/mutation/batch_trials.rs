//! Several tokens that share what they read, in all the ways in which their number matters.

use crate::harness::{Work, activations, work};
use crate::plan_work::plan_work;
use crate::programs::{executed, layer, refused, with_fp32_scales};
use crate::trials::{Kinds, Trial};
use eva_rtl::config::CoreConfig;
use eva_rtl::vq::{self, AnyLayer, Distribution, Layer, Operation, VqGemv};

/// A random layer of `vectors` vectors.
fn draw(cfg: &CoreConfig, vectors: usize, outputs: usize, codebooks: usize, seed: u64) -> Layer {
    layer(cfg, vectors, outputs, codebooks, Distribution::Wide, seed).0
}

/// Trials of every number of tokens but one.
pub fn batch_trials(cfg: &CoreConfig, kinds: &Kinds) -> Vec<Trial> {
    let mut all = Vec::new();
    if cfg.max_vectors() < cfg.tile_vectors() {
        return all;
    }
    let most_c = cfg.vq.max_codebooks as usize;
    for tokens in [2, 4, 8].into_iter().filter(|tokens| *tokens <= cfg.max_batch() as usize) {
        let share = cfg.tile_vectors() as usize / tokens;
        let block = cfg.buffers.max_n_block as usize / tokens;
        let plan = |layers: Vec<Layer>, seed| {
            let layers: Vec<_> = layers.into_iter().map(AnyLayer::Aqlm).collect();
            plan_work(cfg, &layers, tokens, seed)
        };
        let mut add = |name, work, options| all.push(Trial::new(name, work, options));
        // As soon as the words come, with all that they look up already there.
        for outputs in [1, 2, 3] {
            let layers = |count| (0..count).map(|seed| draw(cfg, 4 * share, outputs, most_c, 300 + seed)).collect();
            add("few outputs for several tokens", plan(layers(16), 0), &kinds.starved);
            add("few outputs for several tokens, calm", plan(layers(3), 0), &kinds.calm);
        }
        for vectors in (1..=share + 2).filter(|vectors| share < 8 || vectors % 4 < 2) {
            add("parts of the tiles of several tokens", plan(vec![draw(cfg, vectors, 3, 1, 310)], 1), &kinds.calm);
        }
        let both = (0..4).map(|seed| draw(cfg, 2 * share, 2, 1, 320 + seed)).zip([false, true].into_iter().cycle());
        let both = both.map(|(layer, fp32)| if fp32 { with_fp32_scales(&layer) } else { layer }).collect();
        add("scales of both kinds for several tokens", plan(both, 2), &kinds.starved);
        let many = || plan(vec![draw(cfg, 1, 4 * block.max(24), 1, 330)], 3);
        for options in [&kinds.blocked, &kinds.random, &kinds.bursts] {
            add("more outputs of several tokens than the queue holds", many(), options);
        }
        add("what is loaded ends within a tile", partly_loaded(cfg, tokens as u8), &kinds.calm);
    }
    all
}

/// Activations of every number of vectors that is no multiple of the tile: refused for several tokens. Then a layer.
fn partly_loaded(cfg: &CoreConfig, tokens: u8) -> Work {
    let tile = cfg.tile_vectors();
    let (layer, x) = layer(cfg, 1, 1, 1, Distribution::Wide, 340);
    let mut all = Work::empty(cfg);
    all.commands.push(executed(0, Operation::LoadCodebooks { slot: 0, codebooks: 1 }, &[]));
    all.weights = vq::Packer::new(&layer, cfg).expect("fits").codebooks(0..1);
    for vectors in (1..cfg.max_vectors()).filter(|vectors| vectors % tile != 0) {
        all.commands.push(executed(1, Operation::LoadX { vectors }, &[]));
        let x = vec![0x3C00; (vectors * cfg.vq.dim) as usize];
        all.activations.extend(activations(cfg, &x));
        let gemv =
            VqGemv { first: true, last: true, codebooks: 1, vectors: 1, outputs: 1, tokens, ..VqGemv::default() };
        let bits = vq::Command { tag: 2, operation: Operation::VqGemv(gemv) }.to_bytes();
        all.commands.push(refused(u128::from_le_bytes(bits), 4));
    }
    all.append(work(cfg, &layer, &x));
    all
}
