//! Registers and memories against models of their statements.

use crate::bench::*;
use eva_rtl::hdl::bits::Bits;
use eva_rtl::hdl::{Collision, Reg};
use rand::RngExt;
use std::collections::VecDeque;

/// Reset before enable before the last `on` that holds before `next` before the old value; all combinations of what a
/// register may be given.
#[test]
fn what_a_register_takes() {
    for combination in 0..32u64 {
        let [has_reset, has_enable, has_next] = [0, 1, 2].map(|bit| combination >> bit & 1 == 1);
        let updates = (combination >> 3) as usize;
        if !has_next && updates == 0 {
            continue;
        }
        let rng = &mut rng(combination);
        let width = rng.random_range(1..=80);
        let reset_value = number(rng.random::<u64>().into(), width.min(64)).bits;
        let mut sim = simulate(combination, |m| {
            let mut reg: Reg = m.reg("r", width);
            // In any order: only that of several `on` matters.
            for i in 0..updates {
                reg = reg.on(m.input(&format!("c{i}"), 1), m.input(&format!("v{i}"), width));
            }
            if has_next {
                reg = reg.next(m.input("next", width));
            }
            if has_enable {
                reg = reg.enable(m.input("en", 1));
            }
            if has_reset {
                reg = reg.reset(reset_value as u64);
            }
            m.output("q", reg.q());
        });
        let mut expected = has_reset.then_some(reset_value);
        for cycle in 0..200 {
            let reset = rng.random_bool(0.1);
            sim.set_reset(reset);
            let mut next = expected;
            if has_next {
                let value = random_number(rng, width).bits;
                sim.put("next", value);
                next = Some(value);
            }
            for i in 0..updates {
                let (condition, value) = (rng.random_bool(0.4), random_number(rng, width).bits);
                sim.put(&format!("c{i}"), condition.into());
                sim.put(&format!("v{i}"), value);
                next = if condition { Some(value) } else { next };
            }
            if has_enable {
                let enable = rng.random_bool(0.6);
                sim.put("en", enable.into());
                next = if enable { next } else { expected };
            }
            let found = sim.value("q").bits;
            assert!(
                expected.is_none_or(|e| e == found),
                "combination {combination}, cycle {cycle}: {found} {expected:?}"
            );
            sim.step();
            expected = if has_reset && reset { Some(reset_value) } else { next };
        }
        assert!(expected.is_some(), "combination {combination}: nothing was checked");
    }
}

#[test]
fn delays() {
    for stages in 0..6 {
        let rng = &mut rng(stages);
        let width = rng.random_range(1..=100);
        let mut sim = simulate(stages, |m| {
            let (x, en) = (m.input("x", width), m.input("en", 1));
            m.output("pipe", x.pipe("p", stages as u32));
            m.output("pipe_reset", x.pipe_reset("z", stages as u32));
            m.output("once", x.reg("o"));
            m.output("once_reset", x.reg_reset("r"));
            m.output("enabled", x.reg_en("e", en));
        });
        let mut past: VecDeque<Option<u128>> = vec![None; stages as usize + 2].into();
        let mut after_reset: VecDeque<u128> = vec![0; stages as usize + 2].into();
        let mut enabled = None;
        for _ in 0..200 {
            let (x, en, reset) = (random_number(rng, width).bits, rng.random_bool(0.5), rng.random_bool(0.05));
            sim.put("x", x);
            sim.put("en", en.into());
            sim.set_reset(reset);
            past.push_front(Some(x));
            after_reset.push_front(x);
            let mut check = |output: &str, expected: Option<u128>| {
                assert!(expected.is_none_or(|e| e == sim.value(output).bits), "{output}, {stages} stages");
            };
            check("pipe", past[stages as usize]);
            check("pipe_reset", Some(after_reset[stages as usize]));
            check("once", past[1]);
            check("once_reset", Some(after_reset[1]));
            check("enabled", enabled);
            sim.step();
            enabled = if en { Some(x) } else { enabled };
            if reset {
                after_reset.iter_mut().for_each(|value| *value = 0);
            }
        }
    }
}

#[test]
fn memories() {
    for seed in 0..40u64 {
        let rng = &mut rng(seed);
        let (depth, width) = (rng.random_range(1..=20u32), rng.random_range(1..=90));
        let latency = (seed % 2) as u32;
        let is_new = seed % 4 > 1;
        let collision = if is_new { Collision::ReadNew } else { Collision::ReadOld };
        let mut words: Vec<u128> = (0..depth).map(|_| random_number(rng, width).bits).collect();
        let init: Vec<Bits> = words.iter().map(|w| Bits::from_words(&[*w as u64, (*w >> 64) as u64], width)).collect();
        let mut sim = simulate(seed, |m| {
            let mem = m.mem("mem", depth, width).read_latency(latency).on_collision(collision).init(&init);
            let addr_width = mem.addr_width();
            mem.write(m.input("waddr", addr_width), m.input("wdata", width), m.input("wen", 1));
            let raddr = m.input("raddr", addr_width);
            m.output("plain", mem.read(raddr));
            let en = m.input("ren", 1);
            if latency == 1 {
                m.output("enabled", mem.read_en(raddr, en));
            } else {
                en.discard();
            }
        });
        let (mut plain, mut enabled) = (None, None);
        for cycle in 0..200 {
            let (raddr, waddr) = (rng.random_range(0..depth), rng.random_range(0..depth));
            let (wdata, wen, ren) = (random_number(rng, width).bits, rng.random_bool(0.5), rng.random_bool(0.5));
            sim.put("raddr", raddr.into());
            sim.put("waddr", waddr.into());
            sim.put("wdata", wdata);
            sim.put("wen", wen.into());
            sim.put("ren", ren.into());
            if latency == 0 {
                plain = Some(words[raddr as usize]);
            }
            let found = sim.value("plain").bits;
            assert!(plain.is_none_or(|e| e == found), "seed {seed}, cycle {cycle}");
            if latency == 1 {
                let found = sim.value("enabled").bits;
                assert!(enabled.is_none_or(|e| e == found), "seed {seed}, cycle {cycle}, with enable");
            }
            sim.step();
            let collides = wen && raddr == waddr && is_new;
            let word = if collides { wdata } else { words[raddr as usize] };
            plain = Some(word);
            enabled = if ren { Some(word) } else { enabled };
            if wen {
                words[waddr as usize] = wdata;
            }
        }
    }
}
