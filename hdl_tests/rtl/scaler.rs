//! The scaling stage: exact product with one rounding.

use crate::bench::{config, pipeline, simulate};
use crate::depths::depths;
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
    let [value, nan, plus, minus, scale, fp32, int8] =
        ["sum_value", "sum_nan", "sum_inf_plus", "sum_inf_minus", "scale", "fp32", "int8"]
            .map(|name| sim.input(name).unwrap());
    let y = sim.output("y").unwrap();
    sim.set_u64(int8, 0);
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
    for stages in depths("scale") {
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

/// Scales INT32 sums by FP32 scales.
fn check_int8(stages: u32, acc_bits: Option<u32>, cases: impl Iterator<Item = (i32, u32)>) -> u64 {
    let mut cfg = config(8, 1);
    cfg.pipeline.scale = stages;
    if let Some(bits) = acc_bits {
        cfg = config(1, 1);
        (cfg.buffers.max_k, cfg.vq.max_codebooks, cfg.pipeline.scale) = (1, 1, stages);
        assert_eq!(cfg.acc_bits(), bits);
    }
    let width = cfg.acc_bits();
    let mut sim = simulate(scaler::NAME, |m| scaler::scaler(m, &cfg));
    let [value, scale] = ["sum_value", "scale"].map(|name| sim.input(name).unwrap());
    let y = sim.output("y").unwrap();
    for (name, level) in [("sum_nan", 0), ("sum_inf_plus", 0), ("sum_inf_minus", 0), ("fp32", 1), ("int8", 1)] {
        let port = sim.input(name).unwrap();
        sim.set_u64(port, level);
    }
    pipeline(
        &mut sim,
        scaler::latency(&cfg),
        cases,
        |sim, (sum, bits)| {
            sim.set(value, &Bits::from_i128((*sum).into(), width));
            sim.set_u64(scale, u64::from(*bits));
        },
        |sim, (sum, bits)| {
            let (got, expected) = (sim.get_u64(y) as u16, golden::int8_scale(*sum, *bits));
            assert_eq!(got, expected, "got {got:04x}, expected {expected:04x} for {sum} * {bits:08x}");
        },
    )
}

/// Ends of the range of sums, powers of two and their neighbours.
fn corner_int8_sums() -> Vec<i32> {
    let powers = (0..31).map(|bit| 1i32 << bit).flat_map(|p| [p - 1, p, p + 1]);
    powers.flat_map(|s| [s, -s]).chain([i32::MAX, i32::MIN, i32::MIN + 1, 2047, 2049, 4097, -4099]).collect()
}

#[test]
fn int8_corners_crossed() {
    let sums = corner_int8_sums();
    let exponents = (0..=255u32).flat_map(|e| [0, 1, 0x7F_FFFF].map(|fraction| e << 23 | fraction));
    let scales: Vec<u32> = corner_scales32().into_iter().chain(exponents).flat_map(|s| [s, s ^ 1 << 31]).collect();
    let expected = (sums.len() * scales.len()) as u64;
    for stages in depths("scale") {
        for acc_bits in [None, Some(41)] {
            let cases = sums.iter().flat_map(|sum| scales.iter().map(|scale| (*sum, *scale)));
            assert_eq!(check_int8(stages, acc_bits, cases), expected);
        }
    }
}

#[test]
fn half_a_million_random_int8_sums() {
    let mut rng = ChaCha8Rng::seed_from_u64(25);
    let cases = (0..500_000).map(|_| {
        let bits = rng.random_range(0..32);
        let sum = rng.random::<i32>() >> bits;
        // Mostly scales that bring the product into the range of FP16, or near it.
        let exponent = (127 - (32 - bits) + rng.random_range(-27..18)).clamp(0, 255) as u32;
        let scale = if rng.random_ratio(1, 8) { rng.random() } else { exponent << 23 | rng.random_range(0..1 << 23) };
        (sum, scale | rng.random::<u32>() & 1 << 31)
    });
    assert_eq!(check_int8(2, None, cases), 500_000);
}
