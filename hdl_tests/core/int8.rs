//! INT8 products: random ones in random cores, corner values, and between the commands of other layers.

use crate::configurations::draw;
use crate::harness::{Work, activations, assert_passed, native, play, play_with, work};
use crate::int8_work::{int8_layer, int8_work};
use crate::programs::{executed, layer, refused};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Int8Work, RunOptions};
use eva_rtl::golden;
use eva_rtl::vq::int8::{Int8Distribution, Int8Layer, Int8Plan, Int8Shape};
use eva_rtl::vq::{Distribution, Operation, Packer, VqGemv};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn tiny() -> CoreConfig {
    CoreConfig::preset("tiny").unwrap()
}

const DISTRIBUTIONS: [Int8Distribution; 2] = [Int8Distribution::Realistic, Int8Distribution::Extreme];

/// Tokens, inputs and outputs of a size that the native simulator runs in moments, more than one block of each included.
pub fn draw_size(cfg: &CoreConfig, rng: &mut ChaCha8Rng) -> (usize, usize, usize) {
    let (lanes, max_n) = (cfg.lanes() as usize, cfg.buffers.max_n_block as usize);
    let (tile, max_tokens) = (cfg.k_tile() as usize, cfg.max_tokens() as usize);
    loop {
        let tokens = match rng.random_range(0..6) {
            0 => 1,
            1 => max_tokens,
            2 => rng.random_range(1..=2 * max_tokens + 1),
            _ => rng.random_range(1..=12),
        };
        let tiles = match rng.random_range(0..3) {
            0 => rng.random_range(1..=3),
            _ => rng.random_range(1..=lanes + 4),
        };
        let inputs = tiles * tile - [0, rng.random_range(0..tile)].choose(rng).unwrap();
        let outputs = match rng.random_range(0..5) {
            0 => rng.random_range(1..=lanes),
            1 => rng.random_range(max_n..=2 * max_n + 1),
            2 => lanes * rng.random_range(1..=3),
            _ => rng.random_range(1..=3 * lanes),
        };
        let rounds = outputs.div_ceil(lanes.min(max_n)) + 1;
        if rounds * tiles.max(lanes + 1) * tokens.max(cfg.array.rows as usize) <= 10_000 {
            return (tokens, inputs, outputs);
        }
    }
}

#[test]
fn random_configurations_shapes_and_stalls() {
    for seed in 3000..3060 {
        let e = draw(seed);
        let mut sim = native(&e.cfg, seed);
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        for round in 0..2 {
            let (tokens, inputs, outputs) = draw_size(&e.cfg, &mut rng);
            let distribution = *DISTRIBUTIONS.choose(&mut rng).unwrap();
            let (layer, x) = int8_layer(inputs, outputs, tokens, distribution, seed + round);
            let work = int8_work(&e.cfg, &layer, &x, tokens, rng.random());
            let report = play(&mut sim, &work, e.sources, e.sinks, seed + round);
            assert_passed(&report, &format!("{tokens},{inputs},{outputs} {distribution:?} {}", e.describe()));
        }
    }
}

/// The edges of every range, alone and together.
#[test]
fn smallest_and_largest_sizes() {
    let cfg = tiny();
    let (lanes, most, tile) = (cfg.lanes() as usize, cfg.max_tokens() as usize, cfg.k_tile() as usize);
    let block = cfg.buffers.max_n_block as usize;
    let mut sim = native(&cfg, 5);
    let mut seed = 100;
    for tokens in [1, 2, 3, most - 1, most, most + 1] {
        for inputs in [1, tile - 1, tile, tile + 1, tile * lanes, tile * (lanes + 1), tile * (lanes + 2) + 1] {
            for outputs in [1, lanes - 1, lanes, lanes + 1, 2 * lanes, block, block + 1] {
                seed += 1;
                let (layer, x) = int8_layer(inputs, outputs, tokens, Int8Distribution::Extreme, seed);
                let work = int8_work(&cfg, &layer, &x, tokens, seed % 2 == 0);
                let report = play(&mut sim, &work, Stalls::None, Backpressure::default(), 1);
                assert_passed(&report, &format!("{tokens},{inputs},{outputs}"));
            }
        }
    }
}

/// Operands of one value each, and the largest sums that there are.
#[test]
fn corner_values_and_the_largest_sums() {
    let cfg = tiny();
    let mut sim = native(&cfg, 6);
    let mut extremes = (0, 0);
    for (inputs, tokens, outputs) in [(1, 2, 2), (70, 5, 7), (1 << 16, 1, 1), (1 << 16, 2, 3)] {
        for (weight, x) in
            [(-128i8, -128i8), (127, 127), (-128, 127), (127, -128), (-1, -1), (-128, 0), (0, -128), (1, -1)]
        {
            let shape = Int8Shape { inputs, outputs };
            // 2^-16, so that the largest scaled sum is 2^14, and a NaN.
            let scales = (0..outputs).map(|o| if o == 1 { 0x7FC0_0000 } else { 0x3780_0000 }).collect();
            let layer = Int8Layer::new("corner", shape, vec![weight; inputs * outputs], scales).unwrap();
            let work = int8_work(&cfg, &layer, &vec![x; inputs * tokens], tokens, outputs != 3);
            let sum = weight as i32 * x as i32 * inputs as i32;
            extremes = (sum.min(extremes.0), sum.max(extremes.1));
            let report = play(&mut sim, &work, Stalls::None, Backpressure::default(), 1);
            assert_passed(&report, &format!("{weight} * {x}, {inputs} times"));
        }
    }
    assert_eq!(extremes, (-127 << 23, 1 << 30));
}

/// Sums that meet every kind of scale: zeros, subnormals, infinities and NaN among them, and ties.
#[test]
fn every_kind_of_scale() {
    let cfg = tiny();
    let powers =
        (0..=255u32).flat_map(|exponent| [0, 1, 0x40_0000, 0x7F_FFFF].map(|fraction| exponent << 23 | fraction));
    let scales: Vec<u32> = powers.flat_map(|bits| [bits, bits | 1 << 31]).collect();
    let shape = Int8Shape { inputs: 2, outputs: scales.len() };
    // Each output sees the sums 0, 1, -1, 2049 (a tie at scale 1) and -2^14.
    let x = [[0, 0], [0, 1], [0, -1], [16, 1], [-128, 0]].concat();
    let weights = (0..shape.outputs).flat_map(|_| [127, 1]).collect();
    let layer = Int8Layer::new("scales", shape, weights, scales).unwrap();
    let work = int8_work(&cfg, &layer, &x, 5, false);
    let kinds: std::collections::BTreeSet<u32> = work.commands.iter().flat_map(|c| &c.outputs).copied().collect();
    for kind in [0, 0x8000, 0x7C00, 0xFC00, 0x7E00, 1, 0x8001] {
        assert!(kinds.contains(&kind), "{kind:#x}");
    }
    let report = play(&mut native(&cfg, 6), &work, Stalls::None, Backpressure::default(), 1);
    assert_passed(&report, "scales");
}

/// Modes in random order on one core without a reset between: what is left in buffers, banks and pipelines of one must not
/// show in the next.
#[test]
fn modes_in_random_order() {
    for seed in 4000..4030 {
        let e = draw(seed);
        let cfg = &e.cfg;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let decode = work(cfg, &e.layer, &e.x);
        let small = layer(cfg, 1, 1, 1, Distribution::Any, seed);
        let mut works = vec![decode.clone(), decode, work(cfg, &small.0, &small.1)];
        for _ in 0..4 {
            let (tokens, inputs, outputs) = draw_size(cfg, &mut rng);
            let (layer, x) = int8_layer(inputs, outputs, tokens, Int8Distribution::Extreme, rng.random());
            works.push(int8_work(cfg, &layer, &x, tokens, rng.random()));
        }
        works.shuffle(&mut rng);
        let all = Work::sequence(cfg, works);
        let report = play(&mut native(cfg, seed), &all, e.sources, e.sinks, seed);
        assert_passed(&report, &e.describe());
    }
}

/// A chain of ranges of inputs goes on after INT8 products in between.
#[test]
fn chains_survive_int8_products() {
    let cfg = tiny();
    let (layer, x) = layer(&cfg, 24, 9, 2, Distribution::Wide, 5);
    let shape = layer.shape();
    let packer = Packer::new(&layer, &cfg).unwrap();
    let expected = golden::vq_gemv(&x, &layer.golden());
    let codebooks = shape.codebooks as u8;
    for stalls in [Stalls::None, Stalls::Random { probability: 0.4 }] {
        let mut all = Work::empty(&cfg);
        all.commands.push(executed(0, Operation::LoadCodebooks { slot: 0, codebooks }, &[]));
        all.weights.extend(packer.codebooks(0..usize::from(codebooks)));
        for (i, range) in [0..7, 7..8, 8..24].into_iter().enumerate() {
            let (first, last) = (i == 0, i == 2);
            let (vectors, outputs) = (range.len() as u32, shape.outputs as u32);
            let gemv = VqGemv { first, last, codebooks, vectors, outputs, ..VqGemv::default() };
            all.commands.push(executed(1, Operation::LoadX { vectors }, &[]));
            all.activations.extend(activations(&cfg, &x[range.start * shape.dim..range.end * shape.dim]));
            all.commands.push(executed(2, Operation::VqGemv(gemv), if last { &expected } else { &[] }));
            if last {
                all.weights.extend(packer.scales(0..shape.outputs));
            }
            all.weights.extend(packer.indices(0..shape.outputs, range));
            let (layer, x) = int8_layer(50 * (i + 1), 5 + i, 6, Int8Distribution::Extreme, i as u64);
            all.append(int8_work(&cfg, &layer, &x, 6, i == 1));
        }
        let report = play(&mut native(&cfg, 3), &all, stalls, Backpressure { stalls, after_valid: false }, 3);
        assert_passed(&report, "a chain with INT8 products");
    }
}

/// INT8 weights wait where activations do: a `VQ_GEMV` must load its own again. Codebooks stay.
#[test]
fn an_int8_product_takes_the_place_of_loaded_activations() {
    let cfg = tiny();
    let (layer, x) = layer(&cfg, 8, 7, 2, Distribution::Wide, 50);
    let mut all = work(&cfg, &layer, &x);
    let (load_x, gemv) = (all.commands[1].clone(), all.commands[2].clone());
    let again = all.clone();
    let codebooks = Packer::new(&layer, &cfg).unwrap().codebooks(0..layer.shape().codebooks).len();
    let not_loaded = refused(u128::from_le_bytes(gemv.bits), 4);

    // A refused INT8 product takes nothing away.
    all.commands.extend([refused(4, 2), gemv.clone()]);
    all.weights.extend(&again.weights[codebooks..]);
    let (int8, int8_x) = int8_layer(40, 3, 4, Int8Distribution::Extreme, 1);
    all.append(int8_work(&cfg, &int8, &int8_x, 4, true));
    let mut one = u128::from_le_bytes(not_loaded.bits) & !(0xFFFF_FFFF << 64);
    one |= 1 << 64;
    all.commands.extend([not_loaded.clone(), refused(one, 4), load_x, gemv]);
    all.weights.extend(&again.weights[codebooks..]);
    all.activations.extend(&again.activations);
    let report = play(&mut native(&cfg, 3), &all, Stalls::None, Backpressure::default(), 3);
    assert_passed(&report, "decode, INT8, decode");
    assert_eq!(report.outputs, 3 * 7 + 12);
}

/// Reset at any moment; the next layer, of either mode, is right.
#[test]
fn reset_in_the_middle() {
    let cfg = tiny();
    let (first, x) = int8_layer(100, 9, 20, Int8Distribution::Extreme, 60);
    let first = int8_work(&cfg, &first, &x, 20, false);
    let (second, x) = int8_layer(37, 5, 7, Int8Distribution::Extreme, 61);
    let (decode, decode_x) = layer(&cfg, 16, 11, 2, Distribution::Wide, 70);
    let seconds = [int8_work(&cfg, &second, &x, 7, true), work(&cfg, &decode, &decode_x)];
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut sim = native(&cfg, 9);
    for round in 0..40 {
        let limit = rng.random_range(5..1500);
        let options = RunOptions { cycle_limit: Some(limit), seed: round, ..RunOptions::default() };
        play_with(&mut sim, &first, &options);
        let second = &seconds[round as usize % 2];
        let report = play(&mut sim, second, Stalls::None, Backpressure::default(), round);
        assert_passed(&report, &format!("after a reset in cycle {limit}"));
    }
}

/// One product, many cores, the same bits.
#[test]
fn same_bits_from_every_configuration() {
    let (layer, x) = int8_layer(130, 21, 10, Int8Distribution::Extreme, 77);
    for seed in 5000..5015 {
        let cfg = draw(seed).cfg;
        for raw in [false, true] {
            let plan = Int8Plan::new(layer.shape(), 10, raw, &cfg).unwrap();
            let work = int8_work(&cfg, &layer, &x, 10, raw);
            let report = play(&mut native(&cfg, seed), &work, Stalls::None, Backpressure::default(), 1);
            assert_passed(&report, &format!("{cfg:?}"));
            // By output and token the same, in whatever order they came.
            let sums = golden::int8_sums(&x, layer.weights(), 130);
            for ((output, token), got) in plan.stream_order().zip(&report.received) {
                let sum = sums[output * 10 + token];
                let expected = if raw { sum as u32 } else { golden::int8_scale(sum, layer.scales()[output]).into() };
                assert_eq!(*got as u32, expected);
            }
        }
    }
}

/// In steady state the whole array works in nearly every cycle.
#[test]
fn the_array_is_used_in_steady_state() {
    let cfg = CoreConfig::preset("small").unwrap();
    let (tokens, inputs, outputs) = (256, 512, 32);
    let (layer, x) = int8_layer(inputs, outputs, tokens, Int8Distribution::Realistic, 1);
    let plan = Int8Plan::new(layer.shape(), tokens, false, &cfg).unwrap();
    let int8 = Some(Int8Work { macs: plan.macs(), steady: plan.full_passes() });
    let options = RunOptions { config: Some(cfg.clone()), int8, ..RunOptions::default() };
    let report = play_with(&mut native(&cfg, 1), &int8_work(&cfg, &layer, &x, tokens, false), &options);
    assert_passed(&report, "small");
    let used = report.int8.unwrap();
    assert_eq!(used.macs, (tokens * inputs * outputs) as u64);
    let share = used.steady_array_utilization.unwrap();
    assert!((0.97..=1.0).contains(&share), "{used}");
    assert!(used.array_utilization < share, "{used}");
}
