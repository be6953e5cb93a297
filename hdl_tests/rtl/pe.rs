//! The PE with its operand registers: exact products.

use crate::bench::{config, pipeline, simulate};
use crate::depths::depths;
use crate::values::{any, corners};
use crate::whole::whole_pe;
use eva_rtl::golden::{Value, decode_fp16};
use eva_rtl::hdl::sim::{InputId, OutputId, Simulator};
use eva_rtl::rtl::pe::PRODUCT;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A PE on the simulator, loaded in every cycle.
struct Pe {
    sim: Simulator,
    latency: u32,
    int8: InputId,
    live: InputId,
    w: [InputId; 2],
    x: [InputId; 2],
    value: OutputId,
    exponent: OutputId,
    /// NaN, infinity.
    flags: [OutputId; 2],
}

impl Pe {
    fn new(stages: u32) -> Pe {
        let mut cfg = config(4, 1);
        cfg.pipeline.pe = stages;
        let mut sim = simulate("eva_whole_pe", |m| whole_pe(m, &cfg));
        let input = |name: &str| sim.input(name).unwrap();
        let output = |name: &str| sim.output(name).unwrap();
        let (int8, live, load) = (input("int8"), input("live"), input("load"));
        let [w, x] = ["w", "x"].map(|side| ["fp16", "int8"].map(|kind| input(&format!("{side}_{kind}"))));
        let flags = ["p_nan", "p_inf"].map(output);
        let (value, exponent) = (output("p_value"), output("p_exponent"));
        sim.set_u64(load, 1);
        sim.set_u64(live, 1);
        Pe { sim, latency: 2 + stages, int8, live, w, x, value, exponent, flags }
    }

    /// Multiplies all pairs; returns how many were checked.
    fn multiply_fp16(&mut self, pairs: impl Iterator<Item = (u16, u16)>) -> u64 {
        let (w, x, value, exponent, flags) = (self.w[0], self.x[0], self.value, self.exponent, self.flags);
        self.sim.set_u64(self.int8, 0);
        pipeline(
            &mut self.sim,
            self.latency,
            pairs,
            |sim, (a, b)| {
                sim.set_u64(w, u64::from(*a));
                sim.set_u64(x, u64::from(*b));
            },
            |sim, (a, b)| {
                let [nan, inf] = flags.map(|flag| sim.get_u64(flag) == 1);
                let (value, exponent) = (signed(sim.get_u64(value)), sim.get_u64(exponent));
                match decode_fp16(*a).product(decode_fp16(*b)) {
                    Value::Nan => assert!(nan, "{a:04x} * {b:04x} is NaN"),
                    Value::Infinity { negative: expected } => {
                        assert_eq!((nan, inf, value < 0), (false, true, expected), "{a:04x} * {b:04x}")
                    }
                    Value::Finite { mantissa, exponent: unit } => {
                        // Same value in units of 2^-50, which no product undercuts.
                        assert_eq!((nan, inf), (false, false), "{a:04x} * {b:04x}");
                        assert_eq!(value << exponent, mantissa << (unit + 50), "{a:04x} * {b:04x}");
                    }
                }
            },
        )
    }

    /// Multiplies four pairs of bytes at a time; returns how many sums were checked.
    fn multiply_int8(&mut self, operands: impl Iterator<Item = ([i8; 4], [i8; 4])>) -> u64 {
        let (w, x, value, exponent) = (self.w[1], self.x[1], self.value, self.exponent);
        let word = |bytes: &[i8; 4]| u64::from(u32::from_le_bytes(bytes.map(|b| b as u8)));
        self.sim.set_u64(self.int8, 1);
        pipeline(
            &mut self.sim,
            self.latency,
            operands,
            |sim, (a, b)| {
                sim.set_u64(w, word(a));
                sim.set_u64(x, word(b));
            },
            |sim, (a, b)| {
                let expected: i32 = a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
                assert_eq!(signed(sim.get_u64(value)), expected.into(), "{a:?} . {b:?}");
                // That of a value that is not shifted.
                assert_eq!(sim.get_u64(exponent), 2);
            },
        )
    }
}

/// The value of a product from its bits.
fn signed(bits: u64) -> i128 {
    i128::from(bits as i64) << (128 - PRODUCT) >> (128 - PRODUCT)
}

/// FP16 value with a given 11-bit significand: subnormal when the hidden bit is 0.
fn with_significand(significand: u16) -> u16 {
    if significand < 1024 { significand } else { 15 << 10 | significand & 1023 }
}

#[test]
fn corner_values_crossed() {
    let corners = corners();
    for stages in depths("pe") {
        let pairs = corners.iter().flat_map(|a| corners.iter().map(|b| (*a, *b)));
        assert_eq!(Pe::new(stages).multiply_fp16(pairs), (corners.len() * corners.len()) as u64);
    }
}

/// So also every product of halves that a multiplier can see.
#[test]
fn every_pair_of_significands() {
    let pairs = (0..2048).flat_map(|a| (0..2048).map(move |b| (with_significand(a), with_significand(b))));
    assert_eq!(Pe::new(1).multiply_fp16(pairs), 1 << 22);
}

#[test]
fn five_million_random_pairs() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let pairs = (0..5_000_000).map(|_| (any(&mut rng), any(&mut rng)));
    assert_eq!(Pe::new(1).multiply_fp16(pairs), 5_000_000);
}

/// A dead segment raises no flag, whatever it holds and whatever streams past it.
#[test]
fn dead_segments_raise_no_flags() {
    for held in [0, 0x3C00, 0x7C00, 0xFFFF] {
        let Pe { mut sim, latency, int8, live, w, x, value, flags, .. } = Pe::new(1);
        sim.set_u64(int8, 0);
        sim.set_u64(live, 0);
        sim.set_u64(x[0], held);
        let checked = pipeline(
            &mut sim,
            latency,
            0..=u16::MAX,
            |sim, v| sim.set_u64(w[0], u64::from(*v)),
            |sim, v| {
                let seen = [value, flags[0], flags[1]].map(|port| sim.get_u64(port));
                assert_eq!(seen, [0; 3], "{v:04x} past {held:04x}");
            },
        );
        assert_eq!(checked, 65536);
    }
}

/// Every pair of bytes through every multiplier, the other three at zero, and at other values.
#[test]
fn every_int8_product_of_every_multiplier() {
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let mut pe = Pe::new(1);
    for place in 0..4 {
        for others in [false, true] {
            let operands = (0..=u16::MAX).map(|both| {
                let mut draw = || if others { rng.random() } else { [0; 4] };
                let (mut w, mut x): ([i8; 4], [i8; 4]) = (draw(), draw());
                [w[place], x[place]] = both.to_le_bytes().map(|b| b as i8);
                (w, x)
            });
            assert_eq!(pe.multiply_int8(operands), 65536);
        }
    }
}

/// All combinations of extreme bytes.
#[test]
fn extreme_int8_sums() {
    const EXTREMES: [i8; 4] = [-128, 127, -1, 0];
    let bytes = |code: u32| [0, 2, 4, 6].map(|at| EXTREMES[code as usize >> at & 3]);
    for stages in depths("pe") {
        let operands = (0..1 << 16).map(|code| (bytes(code), bytes(code >> 8)));
        assert_eq!(Pe::new(stages).multiply_int8(operands), 1 << 16);
    }
}

/// The stationary operand stays until the next `load`, the streaming one moves on in every cycle.
#[test]
fn operands_stay_and_move() {
    use eva_rtl::rtl::pe;
    let mut sim = simulate(pe::NAME, |m| pe::pe(m, &config(4, 1)));
    let [int8, w, x, load] = ["int8", "w_in", "x_in", "load"].map(|name| sim.input(name).unwrap());
    let [w_out, value] = ["w_out", "p_value"].map(|name| sim.output(name).unwrap());
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    sim.set_u64(int8, 1);
    // What is held; its product leaves one cycle later, as `pipeline.pe` is 1.
    let mut held = (0u32, 0u32);
    let mut loads = 0;
    for cycle in 0..1000 {
        let (next_w, next_x, loads_now): (u32, u32, bool) = (rng.random(), rng.random(), rng.random_ratio(1, 5));
        for (port, value) in [(w, next_w), (x, next_x), (load, loads_now.into())] {
            sim.set_u64(port, value.into());
        }
        sim.step();
        if loads > 0 {
            let [w, x] = [held.0, held.1].map(|word: u32| word.to_le_bytes().map(|b| i32::from(b as i8)));
            let expected: i32 = w.into_iter().zip(x).map(|(a, b)| a * b).sum();
            assert_eq!(signed(sim.get_u64(value)), expected.into(), "cycle {cycle}");
        }
        held = (next_w, if loads_now { next_x } else { held.1 });
        loads += u32::from(loads_now);
        assert_eq!(sim.get_u64(w_out), u64::from(next_w));
    }
    assert!(loads > 100);
}
