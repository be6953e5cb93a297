//! Layers packed into one plan, with what must come of it.

use crate::harness::Work;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;
use eva_rtl::vq::gptvq::{GptvqShape, random_gptvq_layer};
use eva_rtl::vq::{AnyLayer, Distribution, LayerShape, Planner, random_activations, random_layer};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};

const DISTRIBUTIONS: [Distribution; 4] =
    [Distribution::Realistic, Distribution::Wide, Distribution::Finite, Distribution::Any];

/// A random layer of either form, of at most as many terms as the accumulators of the core hold.
pub fn draw_layer(cfg: &CoreConfig, rng: &mut impl Rng, seed: u64) -> AnyLayer {
    let (dim, index_bits) = (cfg.vq.dim as usize, cfg.vq.index_bits);
    let terms = (cfg.max_vectors() * cfg.vq.max_codebooks) as usize;
    let outputs = rng.random_range(1..=2 * cfg.buffers.max_n_block as usize + 3).min(70);
    let distribution = *DISTRIBUTIONS.choose(rng).unwrap();
    if rng.random() {
        let codebooks = rng.random_range(1..=cfg.vq.max_codebooks as usize);
        let vectors = rng.random_range(1..=(terms / codebooks).min(300));
        let shape = LayerShape { inputs: vectors * dim, outputs, dim, index_bits, codebooks };
        return AnyLayer::Aqlm(random_layer(shape, distribution, seed).unwrap());
    }
    let lanes = cfg.lanes() as usize;
    let group_vectors = if rng.random_range(0..3) > 0 { lanes } else { rng.random_range(1..=30) }.min(terms);
    let input_groups = rng.random_range(1..=(terms / group_vectors).min(9));
    let (output_groups, group_outputs) = (rng.random_range(1..=3), outputs.min(20));
    let shape = GptvqShape {
        inputs: input_groups * group_vectors * dim,
        outputs: group_outputs * output_groups,
        dim,
        index_bits,
        group_inputs: group_vectors * dim,
        group_outputs,
    };
    AnyLayer::Gptvq(random_gptvq_layer(shape, distribution, seed).unwrap())
}

/// These layers as one plan; each but the first may have the activations of the one before.
pub fn plan_work(cfg: &CoreConfig, layers: &[AnyLayer], tokens: usize, seed: u64) -> Work {
    let mut inputs: Vec<Vec<u16>> = Vec::new();
    let mut planner = Planner::new(tokens, cfg);
    let mut expected = Vec::new();
    for layer in layers {
        let layer = layer.as_ref();
        let length = tokens * layer.shape().inputs;
        if inputs.last().is_none_or(|x| x.len() != length) {
            inputs.push(random_activations(length, Distribution::Wide, seed + inputs.len() as u64));
        }
        planner.push(layer, inputs.len() - 1).unwrap();
        let y = layer.golden_outputs(&inputs[inputs.len() - 1]);
        let n = layer.shape().outputs;
        expected.extend((0..n * tokens).map(|i| u32::from(y[i % tokens * n + i / tokens])));
    }
    let plan = planner.finish();
    let mut expected = expected.into_iter();
    let commands: Vec<Command> = plan
        .steps
        .iter()
        .map(|step| {
            let outputs = expected.by_ref().take(step.sent(tokens)).collect();
            Command { bits: step.command.to_bytes(), status: 0, outputs }
        })
        .collect();
    let activations = plan.activations(&inputs, cfg).unwrap();
    Work { cfg: cfg.clone(), commands, weights: plan.image, activations }
}
