//! Plans of chains, batches, groups and several layers, executed by a machine that knows the rules only.

use eva_rtl::config::CoreConfig;
use eva_rtl::vq::gptvq::{GptvqShape, random_gptvq_layer};
use eva_rtl::vq::{
    AnyLayer, Distribution, Operation, Plan, Planner, Scales, VqGemv, pack, pack_batch, random_activations,
    random_layer,
};
use proptest::prelude::*;

use super::fixture::{Core, shape};
use super::machine::Machine;

/// Runs a plan of these layers, with the number of the activations of each; returns how many codebooks came late.
fn check(plan: &Plan, layers: &[(&AnyLayer, usize)], inputs: &[Vec<u16>], config: &CoreConfig) -> usize {
    let activations = plan.activations(inputs, config).unwrap();
    let mut machine = Machine::new(config, &plan.image, &activations);
    machine.run(plan.commands());
    let expected: Vec<u16> = layers
        .iter()
        .flat_map(|(layer, input)| {
            let outputs = layer.as_ref().golden_outputs(&inputs[*input]);
            let n = outputs.len() / plan.tokens;
            (0..outputs.len()).map(move |i| outputs[i % plan.tokens * n + i / plan.tokens])
        })
        .collect();
    assert_eq!(machine.outputs, expected);
    assert_eq!(plan.steps.iter().map(|step| step.beats).sum::<u64>(), plan.bound_cycles());
    machine.late_codebooks
}

fn check_one(layer: AnyLayer, tokens: usize, config: &CoreConfig, seed: u64) -> Plan {
    let plan = pack_batch(&layer, tokens, config).unwrap();
    let x = random_activations(tokens * layer.as_ref().shape().inputs, Distribution::Wide, seed);
    check(&plan, &[(&layer, 0)], &[x], config);
    plan
}

fn gemvs(plan: &Plan) -> Vec<VqGemv> {
    let gemv = |operation| match operation {
        Operation::VqGemv(gemv) => Some(gemv),
        _ => None,
    };
    plan.commands().filter_map(|command| gemv(command.operation)).collect()
}

/// The kinds of the commands: slot and number of codebooks, vectors loaded, or a product.
fn outline(plan: &Plan) -> String {
    let name = |operation| match operation {
        Operation::LoadCodebooks { slot, codebooks } => format!("C{slot}+{codebooks}"),
        Operation::LoadX { vectors } => format!("X{vectors}"),
        Operation::VqGemv(gemv) => {
            let ends = match (gemv.first, gemv.last) {
                (true, true) => "",
                (true, false) => "<",
                (false, true) => ">",
                (false, false) => "-",
            };
            let grouped = if gemv.grouped { "g" } else { "" };
            format!("G{ends}{grouped}{}@{}", gemv.slot, gemv.start)
        }
        Operation::Int8Gemm(_) => panic!("no INT8 layer was packed"),
    };
    plan.commands().map(|command| name(command.operation)).collect::<Vec<_>>().join(" ")
}

/// 4 lanes, 8 vectors of 2 per tile, 16 of them in the buffer, 12 outputs.
const SMALL: Core =
    Core { units: 2, rows: 4, cols: 8, dim: 2, index_bits: 3, max_codebooks: 4, max_k: 32, max_n_block: 12, width: 64 };

#[test]
fn long_layers_become_chains() {
    let config = SMALL.config();
    let layer = AnyLayer::Aqlm(random_layer(shape(2 * 40, 20, 2, 3, 1), Distribution::Wide, 1).unwrap());
    let plan = check_one(layer, 1, &config, 2);
    assert_eq!(outline(&plan), "C0+1 X16 G<0@0 X16 G-0@0 X8 G>0@0 X16 G<0@0 X16 G-0@0 X8 G>0@0");
    let outputs: Vec<_> = gemvs(&plan).iter().map(|gemv| gemv.outputs).collect();
    assert_eq!(outputs, [12, 12, 12, 8, 8, 8]);
}

#[test]
fn sums_that_the_accumulators_cannot_hold_are_refused() {
    let config = SMALL.config();
    let layer = |vectors: usize, codebooks| {
        random_layer(shape(2 * vectors, 1, 2, 3, codebooks), Distribution::Wide, 1).unwrap()
    };
    for (vectors, codebooks) in [(64, 1), (32, 2), (16, 4)] {
        check_one(AnyLayer::Aqlm(layer(vectors, codebooks)), 1, &config, 3);
    }
    assert_eq!(
        pack(&layer(65, 1), &config).unwrap_err().to_string(),
        "layer `random.1` does not fit this core: its sums have K/d * C = 65 terms, the core's accumulators hold \
         buffers.max_k/vq.dim * vq.max_codebooks = 64"
    );
}

#[test]
fn batches_that_units_or_buffers_cannot_hold_are_refused() {
    let layer = random_layer(shape(8, 1, 2, 3, 1), Distribution::Wide, 1).unwrap();
    let refusal = |tokens, core: Core| pack_batch(&layer, tokens, &core.config()).unwrap_err().to_string();
    let units = Core { units: 6, max_k: 64, ..SMALL };
    assert!(refusal(4, units).ends_with("M = 4 tokens do not share epilogue.units = 6; possible are 1, 2"));
    assert!(refusal(3, units).contains("M = 3 tokens do not share"));
    assert!(refusal(0, units).contains("M = 0 tokens do not share"));
    assert!(refusal(2, Core { max_n_block: 1, ..SMALL }).ends_with("M = 2 tokens exceed buffers.max_n_block = 1"));
    assert!(
        refusal(2, Core { max_k: 14, ..SMALL })
            .ends_with("M = 2 tokens need a tile of 16 inputs in the buffer, and buffers.max_k is 14")
    );
}

#[test]
fn groups_that_suit_the_units_share_commands() {
    let config = SMALL.config();
    let gptvq = |inputs, group_inputs, outputs, group_outputs| {
        let shape = GptvqShape { inputs, outputs, dim: 2, index_bits: 3, group_inputs, group_outputs };
        AnyLayer::Gptvq(random_gptvq_layer(shape, Distribution::Wide, 5).unwrap())
    };
    // Four groups of 4 vectors, as many as lanes: two in each command, the next two in the other slots meanwhile.
    let plan = check_one(gptvq(32, 8, 12, 6), 1, &config, 6);
    assert_eq!(outline(&plan), "C0+2 C2+2 X16 G<g0@0 C0+2 G>g2@4 C2+2 G<g0@0 G>g2@4");
    // A group left over needs no such command.
    let plan = check_one(gptvq(24, 8, 6, 6), 1, &config, 6);
    assert_eq!(outline(&plan), "C0+2 C3+1 X12 G<g0@0 G>3@4");
    // Other groups have a command each.
    let plan = check_one(gptvq(24, 12, 6, 6), 1, &config, 6);
    assert_eq!(outline(&plan), "C0+1 C3+1 X12 G<0@0 G>3@3");
    // A place that no word of the buffer begins at, and inputs that the buffer does not hold: each group is loaded by itself.
    let plan = check_one(gptvq(12, 6, 6, 6), 1, &config, 6);
    assert_eq!(outline(&plan), "C0+1 C3+1 X3 G<0@0 X3 G>3@0");
    let plan = check_one(gptvq(64, 32, 6, 6), 1, &config, 6);
    assert_eq!(outline(&plan), "C0+1 C3+1 X16 G<0@0 X16 G>3@0");
    // Groups larger than the buffer, and blocks smaller than groups.
    let plan = check_one(gptvq(2 * 40, 2 * 40, 13, 13), 1, &config, 6);
    assert_eq!(outline(&plan), "C0+1 X16 G<0@0 X16 G-0@0 X8 G>0@0 X16 G<0@0 X16 G-0@0 X8 G>0@0");
    // Without slots to spare, codebooks wait for the command before.
    let config = Core { max_codebooks: 2, ..SMALL }.config();
    let plan = check_one(gptvq(32, 8, 6, 6), 1, &config, 6);
    assert_eq!(outline(&plan), "C0+2 X16 G<g0@0 C0+2 G>g0@4");
}

#[test]
fn layers_one_after_the_other_share_activations_and_load_codebooks_ahead() {
    let config = SMALL.config();
    let layer =
        |outputs, seed| AnyLayer::Aqlm(random_layer(shape(32, outputs, 2, 3, 2), Distribution::Wide, seed).unwrap());
    let (q, k, o) = (layer(20, 1), layer(5, 2), layer(3, 3));
    let mut planner = Planner::new(1, &config);
    for (layer, input) in [(&q, 0), (&k, 0), (&o, 1)] {
        planner.push(layer.into(), input).unwrap();
    }
    let plan = planner.finish();
    assert_eq!(outline(&plan), "C0+2 X16 G0@0 C2+2 G0@0 C0+2 G2@0 X16 G0@0");
    let x = [1, 2].map(|seed| random_activations(32, Distribution::Wide, seed)).to_vec();
    assert_eq!(check(&plan, &[(&q, 0), (&k, 0), (&o, 1)], &x, &config), 0);
    let layers: Vec<usize> = plan.steps.iter().map(|step| step.layer).collect();
    assert_eq!(layers, [0, 0, 0, 1, 0, 2, 1, 2, 2]);
}

/// The seven linear layers of LLaMA-2-7B take the beats of the performance contract, in whatever order they are loaded.
#[test]
fn a_block_has_no_more_beats_than_its_layers() {
    let config = Core::PAPER.config();
    let layers = [(256, 96), (256, 96), (96, 256)];
    let layers: Vec<AnyLayer> = layers
        .iter()
        .map(|&(k, n)| AnyLayer::Aqlm(random_layer(shape(k, n, 8, 8, 2), Distribution::Realistic, 1).unwrap()))
        .collect();
    let mut planner = Planner::new(1, &config);
    let mut alone = 0;
    for layer in &layers {
        planner.push(layer.as_ref(), 0).unwrap();
        alone += pack(layer, &config).unwrap().bound_cycles();
    }
    assert_eq!(planner.finish().bound_cycles(), alone);
}

prop_compose! {
    fn cores()(
        units in prop::sample::select(vec![1u32, 2, 3, 4, 6, 8]),
        rows in prop::sample::select(vec![2u32, 3, 4]),
        dim in prop::sample::select(vec![1u32, 2, 4]),
        segments in 1u32..=2,
        index_bits in 2u32..=5,
        max_codebooks in 1u32..=8,
        max_vectors in 1u32..=60,
        max_n_block in 1u32..=20,
        width in prop::sample::select(vec![32u32, 64, 128, 512]),
    ) -> Core {
        let (cols, max_k) = (4 * dim * segments, max_vectors * dim);
        Core { units, rows, cols, dim, index_bits, max_codebooks, max_k, max_n_block, width }
    }
}

/// A layer of either form that may exceed every buffer, but not the accumulators.
fn random_any(core: Core, seed: u64) -> AnyLayer {
    use rand::{RngExt, SeedableRng};
    let rng = &mut rand_chacha::ChaCha8Rng::seed_from_u64(seed);
    let (dim, index_bits) = (core.dim as usize, rng.random_range(1.max(core.index_bits - 1)..=core.index_bits));
    let terms = core.max_k as usize / dim * core.max_codebooks as usize;
    let outputs = rng.random_range(1..=2 * core.max_n_block as usize + 3);
    if rng.random() {
        let codebooks = rng.random_range(1..=core.max_codebooks as usize);
        let vectors = rng.random_range(1..=(terms / codebooks).min(100));
        let layer = random_layer(shape(vectors * dim, outputs, dim, index_bits, codebooks), Distribution::Wide, seed);
        return AnyLayer::Aqlm(layer.unwrap());
    }
    let lanes = (core.rows * (core.cols / 4 / core.dim)) as usize;
    let group_vectors = if rng.random() { lanes } else { rng.random_range(1..=20) }.min(terms);
    let input_groups = rng.random_range(1..=(terms / group_vectors).min(7));
    let output_groups = rng.random_range(1..=3);
    let shape = GptvqShape {
        inputs: input_groups * group_vectors * dim,
        outputs: outputs * output_groups,
        dim,
        index_bits,
        group_inputs: group_vectors * dim,
        group_outputs: outputs,
    };
    AnyLayer::Gptvq(random_gptvq_layer(shape, Distribution::Wide, seed).unwrap())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]
    #[test]
    fn every_plan_computes_its_layers(core in cores(), tokens in prop::sample::select(vec![1usize, 1, 2, 4, 8]), seeds: [u64; 3]) {
        let config = core.config();
        prop_assume!((core.units as usize).is_multiple_of(tokens) && tokens <= core.max_n_block as usize);
        prop_assume!(tokens == 1 || config.max_vectors() >= config.tile_vectors());
        let layers = seeds.map(|seed| random_any(core, seed));
        let inputs: Vec<Vec<u16>> = layers
            .iter()
            .map(|layer| random_activations(tokens * layer.as_ref().shape().inputs, Distribution::Wide, seeds[0]))
            .collect();
        let mut planner = Planner::new(tokens, &config);
        let numbered: Vec<(&AnyLayer, usize)> = layers.iter().zip(0..).collect();
        for (layer, input) in &numbered {
            planner.push(layer.as_ref(), *input).unwrap();
        }
        let late = check(&planner.finish(), &numbered, &inputs, &config);
        // With slots for two sets, every one is loaded ahead.
        let most = layers.iter().map(|layer| match layer {
            AnyLayer::Aqlm(layer) => layer.shape().codebooks,
            AnyLayer::Gptvq(_) => core.units as usize,
        });
        if 2 * most.max().unwrap() <= core.max_codebooks as usize {
            prop_assert_eq!(late, 0);
        }
    }
}

/// FP32 scales come with the last command of a chain only.
#[test]
fn chains_with_fp32_scales() {
    let config = SMALL.config();
    let plain = random_layer(shape(2 * 40, 20, 2, 3, 1), Distribution::Wide, 1).unwrap();
    let scales = Scales::F32((0..20u32).map(|i| 0x3E00_0000 + i * 0x0012_3456).collect());
    let layer =
        eva_rtl::vq::Layer::new("fp32", plain.shape(), plain.centroids().to_vec(), plain.codes().to_vec(), scales);
    let plan = check_one(AnyLayer::Aqlm(layer.unwrap()), 1, &config, 2);
    assert!(gemvs(&plan).iter().all(|gemv| gemv.scale_fp32 == gemv.last));
}
