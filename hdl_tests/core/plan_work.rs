//! Layers packed into one plan, with what must come of it.

use crate::harness::Work;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;
use eva_rtl::vq::gptvq::{GptvqShape, random_gptvq_layer};
use eva_rtl::vq::{AnyLayer, Distribution, LayerShape, Operation, Planner, random_activations, random_layer};
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

/// Layers of as many groups of whole passes as there are units, or slots, in the last slots.
pub fn groups_in_the_last_slots(cfg: &CoreConfig) -> Work {
    let (lanes, slots) = (cfg.lanes(), cfg.vq.max_codebooks);
    let lanes = lanes.min(cfg.max_vectors());
    let most = cfg.epilogue.units.min(slots).min(cfg.max_vectors() / lanes);
    let works = (1..=most).map(|groups| {
        let group_inputs = (lanes * cfg.vq.dim) as usize;
        let outputs = cfg.buffers.max_n_block.min(5) as usize;
        let shape = GptvqShape {
            inputs: groups as usize * group_inputs,
            outputs,
            dim: cfg.vq.dim as usize,
            index_bits: cfg.vq.index_bits,
            group_inputs,
            group_outputs: outputs,
        };
        let layer = AnyLayer::Gptvq(random_gptvq_layer(shape, Distribution::Wide, groups.into()).unwrap());
        changed_plan_work(cfg, &[layer], 1, groups.into(), |operation| match operation {
            Operation::LoadCodebooks { slot, .. } => *slot += (slots - groups) as u8,
            Operation::VqGemv(gemv) => {
                gemv.slot += (slots - groups) as u8;
                // A single group could do without.
                gemv.grouped = true;
            }
            _ => {}
        })
    });
    Work::sequence(cfg, works)
}

/// These layers as one plan; each but the first may have the activations of the one before.
pub fn plan_work(cfg: &CoreConfig, layers: &[AnyLayer], tokens: usize, seed: u64) -> Work {
    changed_plan_work(cfg, layers, tokens, seed, |_| {})
}

/// [`plan_work`] with changes to the commands that do not change the outputs.
fn changed_plan_work(
    cfg: &CoreConfig,
    layers: &[AnyLayer],
    tokens: usize,
    seed: u64,
    change: impl Fn(&mut Operation),
) -> Work {
    let mut inputs: Vec<Vec<u16>> = Vec::new();
    let mut planner = Planner::new(tokens, cfg);
    let mut expected = Vec::new();
    for layer in layers {
        let layer = layer.as_ref();
        let length = tokens * layer.shape().inputs;
        if inputs.last().is_none_or(|x| x.len() != length) {
            let mut x = random_activations(length, Distribution::Wide, seed + inputs.len() as u64);
            if tokens > 1 {
                // Of which the other tokens must not notice anything.
                x[seed as usize * 61 % length] = [0x7E00, 0x3C00, 0x7C00, 0xFC00][seed as usize / 2 % 4];
            }
            inputs.push(x);
        }
        planner.push(layer, inputs.len() - 1).unwrap();
        let y = layer.golden_outputs(&inputs[inputs.len() - 1]);
        let n = layer.shape().outputs;
        expected.extend((0..n * tokens).map(|i| u32::from(y[i % tokens * n + i / tokens])));
    }
    let mut plan = planner.finish();
    plan.steps.iter_mut().for_each(|step| change(&mut step.command.operation));
    let mut expected = expected.into_iter();
    let commands: Vec<Command> = plan
        .steps
        .iter()
        .map(|step| {
            let outputs = expected.by_ref().take(step.sent(tokens)).collect();
            Command { bits: step.command.to_bytes(), status: 0, outputs }
        })
        .collect();
    let mut activations = plan.activations(&inputs, cfg).unwrap();
    // What pads the tiles of several tokens, and beats, is noise: NaN wherever nothing comes from the inputs.
    let everywhere: Vec<_> = inputs.iter().map(|x| vec![0xFFFF; x.len()]).collect();
    let given = plan.activations(&everywhere, cfg).unwrap();
    activations.iter_mut().zip(given).filter(|(_, given)| *given == 0).for_each(|(byte, _)| *byte = 0xFF);
    Work { cfg: cfg.clone(), commands, weights: plan.image, activations }
}
