//! The scaling stage: exact product with one rounding.

use crate::bench::{config, pipeline, simulate};
use crate::values::{any, corners};
use eva_rtl::config::CoreConfig;
use eva_rtl::golden::{self, Accumulator, decode_fp16, decode_fp32};
use eva_rtl::hdl::Bits;
use eva_rtl::rtl::scaler;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A sum and the bits of its scale, FP16 or FP32.
#[derive(Clone)]
struct Case {
    sum: Accumulator,
    scale: u32,
    fp32: bool,
}

fn check(stages: u32, cases: impl Iterator<Item = Case>) -> u64 {
    let mut cfg = config(8, 1);
    cfg.pipeline.scale = stages;
    check_core(&cfg, cases)
}

fn check_core(cfg: &CoreConfig, cases: impl Iterator<Item = Case>) -> u64 {
    let width = cfg.acc_bits();
    let mut sim = simulate(scaler::NAME, |m| scaler::scaler(m, cfg));
    let [value, nan, plus, minus, scale, fp32] =
        ["sum_value", "sum_nan", "sum_inf_plus", "sum_inf_minus", "scale", "fp32"].map(|name| sim.input(name).unwrap());
    let y = sim.output("y").unwrap();
    pipeline(
        &mut sim,
        scaler::latency(cfg),
        cases,
        |sim, case| {
            sim.set(value, &Bits::from_i128(case.sum.finite, width));
            sim.set_u64(nan, u64::from(case.sum.nan));
            sim.set_u64(plus, u64::from(case.sum.positive_infinity));
            sim.set_u64(minus, u64::from(case.sum.negative_infinity));
            sim.set_u64(scale, u64::from(case.scale));
            sim.set_u64(fp32, u64::from(case.fp32));
        },
        |sim, case| {
            let scale = if case.fp32 { decode_fp32(case.scale) } else { decode_fp16(case.scale as u16) };
            let expected = golden::scale(&case.sum, scale);
            let got = sim.get_u64(y) as u16;
            assert_eq!(
                got, expected,
                "got {got:04x}, expected {expected:04x} for {:?} * {:08x} fp32 {}",
                case.sum, case.scale, case.fp32
            );
        },
    )
}

/// The sum of as many largest FP16 values as an accumulator of these parameters holds.
fn largest(cfg: &CoreConfig) -> i128 {
    i128::from(2047) << 29 << (cfg.acc_bits() - 41)
}

fn corner_sums(cfg: &CoreConfig) -> Vec<Accumulator> {
    let finite = [
        0,
        1,
        2,
        3,
        1023,
        1024,
        2047,
        2048,
        2049,
        4097,
        (1 << 24) - 1,
        1 << 24,
        (1 << 40) - 1,
        65519 << 24,
        65520 << 24,
    ];
    let finite = finite.into_iter().filter(|sum| *sum < largest(cfg)).chain([largest(cfg)]);
    let mut sums: Vec<Accumulator> =
        finite.flat_map(|f| [f, -f]).map(|finite| Accumulator { finite, ..Accumulator::default() }).collect();
    for flags in 1..8u8 {
        sums.extend([0, 5, -(1i128 << 30)].map(|finite| Accumulator {
            finite,
            nan: flags & 1 != 0,
            positive_infinity: flags & 2 != 0,
            negative_infinity: flags & 4 != 0,
        }));
    }
    sums
}

fn corner_scales32() -> Vec<u32> {
    let positive = [
        0,
        1,
        0x007F_FFFF,
        0x0080_0000,
        0x0080_0001,
        0x1000_0000,
        0x3300_0000,
        0x337F_FFFF,
        0x3380_0000,
        0x3380_0001,
        0x3800_0000,
        0x387F_E000,
        0x3880_0000,
        0x3F7F_FFFF,
        0x3F80_0000,
        0x3F80_0001,
        0x477F_EFFF,
        0x477F_F000,
        0x7F7F_FFFF,
        0x7F80_0000,
        0x7F80_0001,
        0x7FC0_0000,
    ];
    positive.into_iter().flat_map(|v: u32| [v, v | 1 << 31]).collect()
}

/// Corner sums times corner scales.
fn check_corners(cfg: &CoreConfig) {
    let halves = corners().into_iter().map(|s| (u32::from(s), false));
    let scales: Vec<(u32, bool)> = halves.chain(corner_scales32().into_iter().map(|s| (s, true))).collect();
    let sums = corner_sums(cfg);
    let cases =
        sums.iter().flat_map(|sum| scales.iter().map(|(scale, fp32)| Case { sum: *sum, scale: *scale, fp32: *fp32 }));
    assert_eq!(check_core(cfg, cases), (sums.len() * scales.len()) as u64);
}

#[test]
fn corners_crossed_at_every_depth() {
    for stages in 1..=4 {
        let mut cfg = config(8, 1);
        cfg.pipeline.scale = stages;
        check_corners(&cfg);
    }
}

/// The narrowest and the widest accumulators there can be: exponents stay in their range.
#[test]
fn corners_crossed_at_every_width() {
    for (max_k, codebooks, bits) in [(1, 1, 41), (64, 2, 48), (65536, 1, 57), (65536, 8, 60)] {
        let mut cfg = config(1, 1);
        cfg.buffers.max_k = max_k;
        cfg.vq.max_codebooks = codebooks;
        assert_eq!(cfg.acc_bits(), bits);
        check_corners(&cfg);
    }
}

/// Every FP16 value and its upper neighbour's midpoint, with scales that are powers of two down to where results are
/// subnormal.
#[test]
fn all_ties() {
    let cases = (0..0x7BFFu16).flat_map(|value| {
        let golden::Value::Finite { mantissa, .. } = decode_fp16(value) else { unreachable!("finite") };
        let half = 1i128 << (value >> 10 & 31).max(1) >> 1;
        // One bit finer than FP16, so that the midpoint is an integer; the scale takes it back.
        let midpoint = 2 * mantissa + half;
        [midpoint, midpoint - 1, midpoint + 1, -midpoint].map(|finite| Case {
            sum: Accumulator { finite, ..Accumulator::default() },
            scale: 0x3800,
            fp32: false,
        })
    });
    assert_eq!(check(3, cases), 0x7BFF * 4);
}

#[test]
fn half_a_million_random_products() {
    let mut rng = ChaCha8Rng::seed_from_u64(14);
    let cases = (0..500_000).map(|i| {
        let bits = rng.random_range(1..largest(&config(8, 1)).ilog2());
        let finite = rng.random_range(-(1i128 << bits)..=1 << bits);
        let fp32 = i % 2 == 0;
        // Mostly scales that bring the product into the range of FP16.
        let wanted = (127 - bits as i32 + 24 + rng.random_range(-28..18)).clamp(0, 255) as u32;
        let scale = match i % 8 {
            0 => rng.random(),
            1 => u32::from(any(&mut rng)),
            _ if fp32 => wanted << 23 | rng.random_range(0..1 << 23) | rng.random_range(0..2u32) << 31,
            _ => u32::from(any(&mut rng)),
        };
        Case { sum: Accumulator { finite, ..Accumulator::default() }, scale, fp32 }
    });
    assert_eq!(check(2, cases), 500_000);
}
