//! The PE: exact products.

use crate::bench::{config, pipeline, simulate};
use crate::values::{any, corners};
use eva_rtl::golden::{Value, decode_fp16};
use eva_rtl::hdl::sim::Simulator;
use eva_rtl::rtl::pe;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Multiplies all pairs through a PE with `stages` pipeline stages; returns how many were checked.
fn multiply(stages: u32, pairs: impl Iterator<Item = (u16, u16)>) -> u64 {
    let mut cfg = config(4, 1);
    cfg.pipeline.pe = stages;
    let mut sim = simulate(pe::NAME, |m| pe::pe(m, &cfg));
    let input = |sim: &Simulator, name: &str| sim.input(name).unwrap();
    let output = |sim: &Simulator, name: &str| sim.output(name).unwrap();
    let (w, x) = (input(&sim, "w_in"), input(&sim, "x_in"));
    let (load, live) = (input(&sim, "load"), input(&sim, "live"));
    let [magnitude, exponent, sign, nan, inf] =
        ["p_magnitude", "p_exponent", "p_sign", "p_nan", "p_inf"].map(|name| output(&sim, name));
    sim.set_u64(load, 1);
    sim.set_u64(live, 1);
    pipeline(
        &mut sim,
        1 + stages,
        pairs,
        |sim, (a, b)| {
            sim.set_u64(w, u64::from(*a));
            sim.set_u64(x, u64::from(*b));
        },
        |sim, (a, b)| {
            let flags = (sim.get_u64(nan) == 1, sim.get_u64(inf) == 1);
            let negative = sim.get_u64(sign) == 1;
            let (magnitude, exponent) = (sim.get_u64(magnitude), sim.get_u64(exponent));
            match decode_fp16(*a).product(decode_fp16(*b)) {
                Value::Nan => assert!(flags.0, "{a:04x} * {b:04x} is NaN"),
                Value::Infinity { negative: expected } => {
                    assert_eq!((flags, negative), ((false, true), expected), "{a:04x} * {b:04x}")
                }
                Value::Finite { mantissa, exponent: unit } => {
                    // Same value in units of 2^-50, which no product undercuts.
                    let expected = mantissa << (unit + 50);
                    let got = i128::from(magnitude) << exponent;
                    assert_eq!(flags, (false, false), "{a:04x} * {b:04x}");
                    assert_eq!(if negative { -got } else { got }, expected, "{a:04x} * {b:04x}");
                }
            }
        },
    )
}

/// FP16 value with a given 11-bit significand: subnormal when the hidden bit is 0.
fn with_significand(significand: u16) -> u16 {
    if significand < 1024 { significand } else { 15 << 10 | significand & 1023 }
}

#[test]
fn corner_values_crossed() {
    let corners = corners();
    for stages in 0..=1 {
        let pairs = corners.iter().flat_map(|a| corners.iter().map(|b| (*a, *b)));
        assert_eq!(multiply(stages, pairs), (corners.len() * corners.len()) as u64);
    }
}

/// All significands against those at the corners of the two halves that the multipliers see.
#[test]
fn significands_against_corner_classes() {
    let halves = |low: u16| [0, 1, 2, 15, 16, 30, 31].map(|high: u16| high << 6 | low);
    let classes: Vec<u16> = [0, 1, 2, 31, 32, 62, 63].into_iter().flat_map(halves).collect();
    let pairs = (0..2048).flat_map(|a| classes.iter().flat_map(move |b| [(a, *b), (*b, a)]));
    let pairs = pairs.map(|(a, b)| (with_significand(a), with_significand(b)));
    assert_eq!(multiply(1, pairs), 2048 * 49 * 2);
}

#[test]
fn ten_million_random_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let pairs = (0..10_000_000).map(|_| (any(&mut rng), any(&mut rng)));
    assert_eq!(multiply(1, pairs), 10_000_000);
}

/// A dead segment raises no flag, whatever streams past it.
#[test]
fn dead_segments_raise_no_flags() {
    let cfg = config(4, 1);
    let mut sim = simulate(pe::NAME, |m| pe::pe(m, &cfg));
    let [w, x, load, live] = ["w_in", "x_in", "load", "live"].map(|name| sim.input(name).unwrap());
    let [nan, inf, magnitude] = ["p_nan", "p_inf", "p_magnitude"].map(|name| sim.output(name).unwrap());
    sim.set_u64(load, 1);
    sim.set_u64(x, 0);
    sim.set_u64(live, 0);
    let checked = pipeline(
        &mut sim,
        1 + cfg.pipeline.pe,
        0..=u16::MAX,
        |sim, v| sim.set_u64(w, u64::from(*v)),
        |sim, v| assert_eq!((sim.get_u64(nan), sim.get_u64(inf), sim.get_u64(magnitude)), (0, 0, 0), "{v:04x}"),
    );
    assert_eq!(checked, 65536);
}
