//! Operand registers: FP16 values taken apart, INT8 values as they are.

use crate::bench::{pipeline, simulate};
use eva_rtl::golden::{Value, decode_fp16};
use eva_rtl::hdl::Scope;
use eva_rtl::rtl::operand::{self, Side};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Describes an operand register with all that [`operand::factor`] and [`operand::fields`] make of it.
fn register_and_parts(m: &Scope, side: Side) {
    let module = m.define(side.module(), |m| operand::operand(m, side));
    let register = m.instance("u_operand", &module);
    let int8 = m.input("int8", 1);
    register.set("int8", int8).set("int8_in", m.input("int8_in", 32)).set("fp16_in", m.input("fp16_in", 16));
    if side == Side::Stationary {
        register.set("live", m.input("live", 1));
    }
    let operand = register.get("operand");
    m.output("operand", operand);
    for i in 0..4 {
        m.output(&format!("factor{i}"), operand::factor(operand, side, i, int8));
    }
    let fields = operand::fields("operand", operand);
    m.output("exponent", fields.exponent);
    m.output("flags", m.pack(&[fields.zero, fields.special, fields.variant]));
}

#[test]
fn every_fp16_value_is_taken_apart() {
    for (side, live) in [(Side::Streaming, true), (Side::Stationary, true), (Side::Stationary, false)] {
        let mut sim = simulate("eva_parts", |m| register_and_parts(m, side));
        let [int8, bytes, fp16] = ["int8", "int8_in", "fp16_in"].map(|name| sim.input(name).unwrap());
        let [exponent, flags] = ["exponent", "flags"].map(|name| sim.output(name).unwrap());
        let factors = [0, 1, 2, 3].map(|i| sim.output(&format!("factor{i}")).unwrap());
        sim.set_u64(int8, 0);
        sim.set_u64(bytes, 0xFFFF_FFFF);
        if side == Side::Stationary {
            let port = sim.input("live").unwrap();
            sim.set_u64(port, live.into());
        }
        let checked = pipeline(
            &mut sim,
            1,
            0..=u16::MAX,
            |sim, value| sim.set_u64(fp16, u64::from(*value)),
            |sim, value| {
                let [a, b, c, d] = factors.map(|f| i128::from(sim.get_u64(f) as i8));
                // The halves of the significand: the first and the last multiplier see equal ones on both sides.
                let (high, low) = (a, d);
                assert_eq!((b, c), if side == Side::Streaming { (high, low) } else { (low, high) }, "{value:04x}");
                let (significand, exponent) = ((high << operand::HALF) + low, sim.get_u64(exponent));
                let flags = sim.get_u64(flags);
                let flags = [0, 1, 2].map(|bit| flags >> bit & 1 == 1);
                let decoded = decode_fp16(if live { *value } else { 0 });
                let expected_flags = match decoded {
                    Value::Nan => [false, true, true],
                    Value::Infinity { .. } => [false, true, false],
                    Value::Finite { mantissa, .. } => [live && mantissa == 0, false, !live],
                };
                assert_eq!(flags, expected_flags, "{value:04x}: zero, special, variant");
                match decoded {
                    // In units of 2^-24; exponent 1 is that of the subnormals.
                    Value::Finite { mantissa, .. } => assert_eq!(significand << exponent, mantissa << 1, "{value:04x}"),
                    // An infinity has the sign of its significand.
                    Value::Infinity { negative } => {
                        assert_eq!(significand < 0, negative && significand != 0, "{value:04x}")
                    }
                    Value::Nan => {}
                }
            },
        );
        assert_eq!(checked, 65536);
    }
}

#[test]
fn int8_values_pass() {
    for side in [Side::Streaming, Side::Stationary] {
        let mut sim = simulate("eva_parts", |m| register_and_parts(m, side));
        let [int8, bytes, fp16] = ["int8", "int8_in", "fp16_in"].map(|name| sim.input(name).unwrap());
        let operand = sim.output("operand").unwrap();
        let factors = [0, 1, 2, 3].map(|i| sim.output(&format!("factor{i}")).unwrap());
        let live = sim.input("live").ok();
        sim.set_u64(int8, 1);
        let mut rng = ChaCha8Rng::seed_from_u64(18);
        let random: Vec<u32> = (0..10_000).map(|_| rng.random()).collect();
        let each_byte = (0..=255u32).flat_map(|byte| [0, 8, 16, 24].map(|at| byte << at));
        let checked = pipeline(
            &mut sim,
            1,
            each_byte.chain(random),
            |sim, value| {
                sim.set_u64(bytes, u64::from(*value));
                // Neither the FP16 value nor whether it is live matters.
                sim.set_u64(fp16, u64::from(!value & 0xFFFF));
                if let Some(live) = live {
                    sim.set_u64(live, u64::from(value >> 7 & 1));
                }
            },
            |sim, value| {
                assert_eq!(sim.get_u64(operand), u64::from(*value));
                let seen = factors.map(|f| sim.get_u64(f) as u8);
                assert_eq!(seen, value.to_le_bytes());
            },
        );
        assert_eq!(checked, 11_024);
    }
}
