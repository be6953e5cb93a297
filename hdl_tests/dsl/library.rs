//! Counters, state machines, priority, carry-save addition and arbitration against plain models.

use crate::bench::*;
use eva_rtl::hdl::lib::arbiter::round_robin;
use eva_rtl::hdl::lib::counter::{counter, counter_to};
use eva_rtl::hdl::lib::csa;
use eva_rtl::hdl::lib::fsm::Fsm;
use eva_rtl::hdl::lib::priority::leading_zeros;
use rand::RngExt;

#[test]
fn counters_to_a_signal() {
    for width in 1..=10u32 {
        let rng = &mut rng(width.into());
        let mut sim = simulate(width.into(), |m| {
            let counter = counter(m, "count", m.input("step", 1), m.input("limit", width + 1));
            m.output("value", counter.value);
            m.output("last", counter.last);
            m.output("wrap", counter.wrap);
        });
        sim.reset(1);
        let (mut count, mut limit, mut wraps) = (0, 1 << width, 0);
        for _ in 0..5000 {
            // 2^width at first, then anything; it changes only while the counter is at 0.
            if count == 0 && wraps > 0 {
                limit = rng.random_range(1..=1u128 << width);
            }
            let step = rng.random_bool(0.8);
            sim.put("step", step.into());
            sim.put("limit", limit);
            assert_eq!(sim.value("value"), number(count, width));
            assert_eq!(sim.value("last"), flag(count + 1 == limit));
            assert_eq!(sim.value("wrap"), flag(step && count + 1 == limit));
            sim.step();
            wraps += u32::from(step && count + 1 == limit);
            count = if step { (count + 1) % limit } else { count };
        }
        assert!(wraps > 1, "width {width}: never wrapped");
    }
}

#[test]
fn counters_to_a_constant() {
    for limit in 1..=33u32 {
        let rng = &mut rng(limit.into());
        let mut sim = simulate(limit.into(), |m| {
            let counter = counter_to(m, "count", m.input("step", 1), limit);
            m.output("value", counter.value);
            m.output("last", counter.last);
            m.output("wrap", counter.wrap);
        });
        sim.reset(1);
        let mut count = 0;
        for _ in 0..4 * limit {
            let step = rng.random_bool(0.8);
            sim.put("step", step.into());
            assert_eq!(sim.value("value").bits, count);
            assert_eq!(sim.value("last"), flag(count + 1 == limit.into()));
            assert_eq!(sim.value("wrap"), flag(step && count + 1 == limit.into()));
            sim.step();
            count = if step { (count + 1) % u128::from(limit) } else { count };
        }
    }
}

#[test]
fn state_machines() {
    const NAMES: [&str; 5] = ["idle", "load", "run", "drain", "halt"];
    for seed in 0..30u64 {
        let rng = &mut rng(seed);
        let states = &NAMES[..rng.random_range(1..=5)];
        let any_state = |rng: &mut rand_chacha::ChaCha8Rng| rng.random_range(0..states.len());
        let transitions: Vec<_> = (0..rng.random_range(1..8)).map(|_| (any_state(rng), any_state(rng))).collect();
        let mut sim = simulate(seed, |m| {
            let fsm = Fsm::new(m, "state", states);
            let conditions = m.input("conditions", 8);
            for (i, (from, to)) in transitions.iter().enumerate() {
                fsm.go(states[*from], conditions.bit(i as u32), states[*to]);
            }
            m.output("is", m.pack(&states.iter().map(|s| fsm.is(s)).collect::<Vec<_>>()));
        });
        sim.reset(1);
        let mut state = 0;
        for _ in 0..200 {
            let conditions: u8 = rng.random();
            sim.put("conditions", conditions.into());
            assert_eq!(sim.value("is"), number(1 << state, states.len() as u32), "seed {seed}");
            sim.step();
            // The last transition that holds wins.
            let holds = |i: usize, from: usize| from == state && conditions >> i & 1 == 1;
            let taken = transitions.iter().enumerate().rev().find(|(i, (from, _))| holds(*i, *from));
            state = taken.map_or(state, |(_, (_, to))| *to);
        }
    }
}

#[test]
fn carry_save_sums() {
    for operands in 1..=33u32 {
        let rng = &mut rng(operands.into());
        for width in [1, 2, 7, rng.random_range(3..=64), rng.random_range(65..=128)] {
            let mut sim = simulate(0, |m| {
                let inputs: Vec<_> = (0..operands).map(|i| m.input(&format!("x{i}"), width)).collect();
                let (sum, carry) = csa::reduce(m, &inputs);
                m.output("y", sum + carry);
            });
            for _ in 0..20 {
                let values: Vec<_> = (0..operands).map(|_| random_number(rng, width)).collect();
                values.iter().enumerate().for_each(|(i, v)| sim.put(&format!("x{i}"), v.bits));
                let sum = values.iter().fold(0u128, |sum, v| sum.wrapping_add(v.bits));
                assert_eq!(sim.value("y"), number(sum, width), "{operands} operands of {width} bits");
            }
        }
    }
}

/// Signed operands without copies of their signs: of all signs, at the ends of their range, and any.
#[test]
fn carry_save_sums_of_signed_operands() {
    for operands in 1..=33u32 {
        let rng = &mut rng(operands.into());
        for (bits, width) in [(1, 2), (1, 7), (2, 3), (2, 9), (7, 8), (7, 14), (23, 60), (41, 47), (80, 81), (80, 90)] {
            let mut sim = simulate(0, |m| {
                let inputs: Vec<_> = (0..operands).map(|i| m.input(&format!("x{i}"), bits)).collect();
                let extended = csa::extend_signed(m, &inputs, width);
                assert_eq!(extended.len(), inputs.len());
                let (sum, carry) = csa::reduce(m, &extended);
                m.output("y", sum + carry);
            });
            for round in 0..20 {
                let smallest = 1u128 << (bits - 1);
                let values: Vec<_> = (0..operands)
                    .map(|i| match round {
                        0 => number(smallest, bits),
                        1 => number(smallest - 1, bits),
                        2 => number(if i == 0 { smallest } else { 0 }, bits),
                        3 => number(if i == 0 { 0 } else { smallest }, bits),
                        _ => random_number(rng, bits),
                    })
                    .collect();
                values.iter().enumerate().for_each(|(i, v)| sim.put(&format!("x{i}"), v.bits));
                let sum = values.iter().map(|v| v.signed()).sum();
                assert_eq!(sim.value("y"), signed(sum, width), "{operands} operands of {bits} in {width} bits");
            }
        }
    }
}

#[test]
fn leading_zeros_of_every_width() {
    for width in 1..=70u32 {
        let rng = &mut rng(width.into());
        let mut sim = simulate(0, |m| {
            let (count, zero) = leading_zeros("u_lz", m.input("a", width));
            m.output("count", count);
            m.output("zero", zero);
        });
        // Each position of the highest 1, with random bits below, and zero.
        let values = (0..width).flat_map(|top| [1u128 << top, 1 << top | rng.random::<u128>() & ((1 << top) - 1)]);
        let values: Vec<u128> = values.chain([0]).collect();
        for a in values {
            sim.put("a", a);
            assert_eq!(sim.value("zero"), flag(a == 0), "{a:#x} of {width} bits");
            if a != 0 {
                let expected = a.leading_zeros() - (128 - width);
                assert_eq!(sim.value("count").bits, expected.into(), "{a:#x} of {width} bits");
            }
        }
    }
}

/// The arbiter as it is described: a held grant stays, otherwise the turn goes round.
#[test]
fn round_robin_arbiters() {
    for count in 1..=9u32 {
        let rng = &mut rng(count.into());
        let mut sim = simulate(count.into(), |m| {
            m.output("grant", round_robin("u_arbiter", m.input("requests", count), m.input("accept", 1)));
        });
        sim.reset(1);
        let mut last = count - 1;
        let mut held: Option<u32> = None;
        for cycle in 0..2000 {
            let mut requests: u128 = rng.random::<u128>() & rng.random::<u128>() & mask(count);
            if let Some(held) = held {
                requests |= 1 << held;
            }
            let next_in_turn = (1..=count).map(|i| (last + i) % count).find(|i| requests >> i & 1 == 1);
            let granted = held.or(next_in_turn);
            sim.put("requests", requests);
            // The grant must not depend on whether it is accepted.
            let accept = rng.random_bool(0.5);
            for accept in [!accept, accept] {
                sim.put("accept", accept.into());
                let expected = granted.map_or(0, |i| 1 << i);
                assert_eq!(sim.value("grant"), number(expected, count), "{count} requests, cycle {cycle}");
            }
            sim.step();
            match (granted, accept) {
                (Some(index), true) => (last, held) = (index, None),
                (granted, _) => held = granted,
            }
        }
    }
}
