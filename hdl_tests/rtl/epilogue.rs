//! An epilogue unit: banks, lookups, exact sums.

use crate::bench::{config, pipeline, simulate};
use crate::values::{any, finite};
use eva_rtl::golden::{Accumulator, decode_fp16};
use eva_rtl::hdl::Bits;
use eva_rtl::hdl::sim::Simulator;
use eva_rtl::rtl::epilogue_unit;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Fills both halves of all banks through the write ports, then looks up random indices.
fn check(rows: u32, segments: u32, stages: u32, seed: u64) -> u64 {
    let mut cfg = config(4, segments);
    cfg.array.rows = rows;
    cfg.pipeline.epilogue = stages;
    cfg.epilogue.units = 3;
    let n = cfg.vq.index_bits;
    let entries = cfg.entries() as usize;
    let lookups = cfg.pass_vectors() as usize;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut sim = simulate(epilogue_unit::NAME, |m| epilogue_unit::epilogue_unit(m, &cfg));
    let input = |sim: &Simulator, name: &str| sim.input(name).unwrap();
    let number = 1;
    let port = input(&sim, "number");
    sim.set_u64(port, number);
    let valid = input(&sim, "valid");
    sim.set_u64(valid, 1);

    // content[half][bank][entry]; results of other units pass by and must leave no trace.
    let spread = rng.random_range(1..16);
    let mut value = |special: bool| if special { any(&mut rng) } else { finite(&mut rng, 15, spread) };
    let content: Vec<Vec<Vec<u16>>> = (0..2)
        .map(|half| (0..lookups).map(|_| (0..entries).map(|e| value(half == 1 && e < 4)).collect()).collect())
        .collect();
    let [valid, index, pass, half, y] =
        ["in_valid", "in_index", "in_pass", "in_half", "in_y"].map(|name| input(&sim, name));
    let pack = |values: &[u64], width: u32| {
        let mut words = vec![0u64; (values.len() as u32 * width).div_ceil(64) as usize];
        for (i, v) in values.iter().enumerate() {
            for bit in (0..width).filter(|bit| v >> bit & 1 == 1) {
                let at = i as u32 * width + bit;
                words[at as usize / 64] |= 1 << (at % 64);
            }
        }
        words
    };
    for unit in [0, 1, 2] {
        for h in 0..2usize {
            for e in 0..entries {
                let row_wise = |v: u64| vec![v; rows as usize];
                let words: Vec<u64> = content[h]
                    .iter()
                    .map(|bank| u64::from(if unit == number { bank[e] } else { 0x1234 ^ bank[e] }))
                    .collect();
                // After its own results come those of unit 2, and before them those of unit 0.
                sim.set_words(valid, &pack(&row_wise(1), 1));
                sim.set_words(index, &pack(&row_wise(e as u64), n));
                sim.set_words(pass, &pack(&row_wise(unit), 2));
                sim.set_words(half, &pack(&row_wise(h as u64), 1));
                sim.set_words(y, &pack(&words, 16));
                sim.step();
            }
        }
    }
    sim.set_words(valid, &pack(&vec![0; rows as usize], 1));

    let [index, half] = ["index", "half"].map(|name| input(&sim, name));
    let [value, nan, plus, minus] =
        ["sum_value", "sum_nan", "sum_inf_plus", "sum_inf_minus"].map(|name| sim.output(name).unwrap());
    let lookups: Vec<(usize, Vec<u64>)> = (0..2000)
        .map(|_| (rng.random_range(0..2), (0..lookups).map(|_| rng.random_range(0..entries as u64)).collect()))
        .collect();
    pipeline(
        &mut sim,
        epilogue_unit::latency(&cfg),
        lookups,
        |sim, (h, indices)| {
            sim.set_words(index, &pack(indices, n));
            sim.set_u64(half, *h as u64);
        },
        |sim, (h, indices)| {
            let expected: Accumulator =
                indices.iter().enumerate().map(|(bank, i)| decode_fp16(content[*h][bank][*i as usize])).collect();
            let flags = [nan, plus, minus].map(|flag| sim.get_u64(flag) == 1);
            assert_eq!(flags, [expected.nan, expected.positive_infinity, expected.negative_infinity]);
            if flags == [false; 3] {
                assert_eq!(sim.get(value), Bits::from_i128(expected.finite, epilogue_unit::sum_bits(&cfg)));
            }
        },
    )
}

#[test]
fn sums_are_exact_at_every_depth() {
    let mut seed = 20;
    for stages in 1..=4 {
        for (rows, segments) in [(2, 1), (4, 2), (7, 3), (32, 1)] {
            seed += 1;
            assert_eq!(check(rows, segments, stages, seed), 2000);
        }
    }
}
