//! Registers, memories, reset and power-up.

use crate::build::{Build, design};
use eva_rtl::hdl::bits::Bits;
use eva_rtl::hdl::ir::*;
use eva_rtl::hdl::sim::{PowerUp, SimOptions, Simulator};

pub fn simulate(module: Module) -> Simulator {
    let options = SimOptions { power_up: PowerUp::Zero, ..SimOptions::default() };
    Simulator::new(&design(vec![module]), options).unwrap()
}

pub fn set(sim: &mut Simulator, name: &str, value: u64) {
    sim.set_u64(sim.input(name).unwrap(), value);
}

pub fn get(sim: &mut Simulator, name: &str) -> u64 {
    sim.get_u64(sim.output(name).unwrap())
}

#[test]
fn reset_comes_before_enable() {
    let mut m = Build::new("top");
    let (d, en) = (m.input("d", 8), m.input("en", 1));
    for (name, reset) in [("with", Some(7)), ("without", None)] {
        let reg = m.reg(name, 8, reset);
        m.next(reg, d, Some(en));
        m.output(name, reg);
    }
    let mut sim = simulate(m.0);
    assert_eq!((get(&mut sim, "with"), get(&mut sim, "without")), (7, 0), "power-up");
    set(&mut sim, "d", 99);
    sim.step();
    assert_eq!((get(&mut sim, "with"), get(&mut sim, "without")), (7, 0), "enable is 0");
    set(&mut sim, "en", 1);
    sim.step();
    assert_eq!((get(&mut sim, "with"), get(&mut sim, "without")), (99, 99), "enable is 1");
    set(&mut sim, "d", 50);
    sim.reset(1);
    assert_eq!((get(&mut sim, "with"), get(&mut sim, "without")), (7, 50), "reset and enable");
    set(&mut sim, "en", 0);
    sim.set_reset(true);
    assert_eq!(get(&mut sim, "with"), 7, "reset is synchronous");
    sim.step();
    sim.set_reset(false);
    assert_eq!((get(&mut sim, "with"), get(&mut sim, "without")), (7, 50), "reset without enable");
}

/// Registers that take over each other's values must not see the new ones.
#[test]
fn registers_swap_and_shift() {
    for width in [5, 70, 200] {
        let mut m = Build::new("top");
        let d = m.input("d", width);
        let (a, b) = (m.reg("a", width, Some(1)), m.reg("b", width, Some(2)));
        m.next(a, b, None);
        m.next(b, a, None);
        m.output("a", a);
        m.output("b", b);
        let mut last = d;
        for i in 0..20 {
            last = m.reg_of(&format!("s{i}"), last, None);
        }
        m.output("last", last);
        let mut sim = simulate(m.0);
        for cycle in 0..40 {
            set(&mut sim, "d", cycle % 32);
            sim.step();
            let swapped = if cycle % 2 == 0 { (2, 1) } else { (1, 2) };
            assert_eq!((get(&mut sim, "a"), get(&mut sim, "b")), swapped);
            assert_eq!(get(&mut sim, "last"), (cycle + 1).saturating_sub(20) % 32);
        }
    }
}

/// A memory of 5 words with two write ports and a read port.
fn memory(width: u32, latency: u32, collision: Collision) -> Simulator {
    let mut m = Build::new("top");
    let init = (0..5).map(|i| Bits::from_u64(0x10 + i, width)).collect();
    let mem = m.mem("mem", (5, width), latency, collision, Some(init));
    for port in 0..2 {
        let addr = m.input(&format!("wa{port}"), 3);
        let data = m.input(&format!("wd{port}"), width);
        let enable = m.input(&format!("we{port}"), 1);
        m.write(mem, addr, data, enable);
    }
    let addr = m.input("ra", 3);
    let enable = (latency == 1).then(|| m.input("re", 1));
    let data = m.read(mem, addr, enable);
    m.output("data", data);
    simulate(m.0)
}

#[test]
fn collisions() {
    for width in [8, 64, 100, 300] {
        let complement = Bits::from_i128(!0x77, width);
        let expected = [
            (Collision::ReadOld, Bits::from_u64(0x12, width)),
            (Collision::ReadNew, Bits::from_u64(0x77, width)),
            (Collision::Undefined, complement),
        ];
        for (collision, expected) in expected {
            let mut sim = memory(width, 1, collision);
            let data = sim.output("data").unwrap();
            for (name, value) in [("ra", 2), ("re", 1), ("wa0", 2), ("wd0", 0x77), ("we0", 1)] {
                set(&mut sim, name, value);
            }
            sim.step();
            assert_eq!(sim.get(data), expected, "{collision:?}, one write");
            // Elsewhere there is no collision.
            set(&mut sim, "ra", 3);
            sim.step();
            assert_eq!(sim.get(data), Bits::from_u64(0x13, width), "{collision:?}, another word");
            // A write that is not enabled does not collide.
            for (name, value) in [("ra", 2), ("we0", 0)] {
                set(&mut sim, name, value);
            }
            sim.step();
            assert_eq!(sim.get(data), Bits::from_u64(0x77, width), "{collision:?}, no write");
        }
    }
}

#[test]
fn last_write_wins_and_data_is_held() {
    for width in [8, 100] {
        let mut sim = memory(width, 1, Collision::ReadNew);
        for (name, value) in
            [("ra", 4), ("re", 1), ("wa0", 4), ("wd0", 1), ("we0", 1), ("wa1", 4), ("wd1", 2), ("we1", 1)]
        {
            set(&mut sim, name, value);
        }
        sim.step();
        assert_eq!(get(&mut sim, "data"), 2, "the last write wins");
        for (name, value) in [("re", 0), ("ra", 0), ("wd1", 3)] {
            set(&mut sim, name, value);
        }
        sim.step();
        assert_eq!(get(&mut sim, "data"), 2, "held without enable");
        for (name, value) in [("re", 1), ("ra", 4), ("we0", 0), ("we1", 0)] {
            set(&mut sim, name, value);
        }
        sim.step();
        assert_eq!(get(&mut sim, "data"), 3);
        set(&mut sim, "ra", 7);
        assert_eq!(get(&mut sim, "data"), 3, "an address acts at the edge");
        sim.step();
        assert_eq!(get(&mut sim, "data"), 0, "beyond the depth");
        for (name, value) in [("wa0", 6), ("we0", 1), ("ra", 1)] {
            set(&mut sim, name, value);
        }
        sim.step();
        assert_eq!(
            (0..5).map(|i| sim.peek_memory("mem", i).unwrap().to_u64().unwrap()).collect::<Vec<_>>(),
            [16, 17, 18, 19, 3]
        );
        assert_eq!(sim.peek_memory("mem", 5), None);
    }
}

#[test]
fn combinational_read_sees_the_old_word_until_the_edge() {
    for collision in [Collision::ReadOld, Collision::ReadNew, Collision::Undefined] {
        let mut sim = memory(70, 0, collision);
        for (name, value) in [("ra", 1), ("wa0", 1), ("wd0", 0x55), ("we0", 1)] {
            set(&mut sim, name, value);
        }
        assert_eq!(get(&mut sim, "data"), 0x11);
        sim.step();
        assert_eq!(get(&mut sim, "data"), 0x55);
        set(&mut sim, "ra", 5);
        assert_eq!(get(&mut sim, "data"), 0, "beyond the depth");
    }
}

/// Read data that is the address of the next read, of this memory and of another one.
#[test]
fn synchronous_read_data_as_an_address() {
    let mut m = Build::new("top");
    let next = [3, 0, 1, 2].map(|v| Bits::from_u64(v, 2)).to_vec();
    let ring = m.mem("ring", (4, 2), 1, Collision::ReadOld, Some(next));
    let wire = m.wire(2);
    let at = m.read(ring, wire, None);
    m.drive(wire, at);
    let table = m.mem("table", (4, 8), 1, Collision::ReadOld, Some((10..14).map(|v| Bits::from_u64(v, 8)).collect()));
    let value = m.read(table, at, None);
    let copy = m.reg_of("copy", value, None);
    m.output("at", at);
    m.output("value", value);
    m.output("copy", copy);
    let mut sim = simulate(m.0);
    let mut seen = Vec::new();
    for _ in 0..6 {
        seen.push((get(&mut sim, "at"), get(&mut sim, "value"), get(&mut sim, "copy")));
        sim.step();
    }
    assert_eq!(seen, [(0, 0, 0), (3, 10, 0), (2, 13, 10), (1, 12, 13), (0, 11, 12), (3, 10, 11)]);
}

fn power_up_design() -> Design {
    let mut m = Build::new("top");
    for (name, width, reset) in [("r0", 100, None), ("r1", 9, None), ("r2", 9, Some(5))] {
        let reg = m.reg(name, width, reset);
        m.next(reg, reg, None);
        m.output(name, reg);
    }
    let addr = m.input("addr", 2);
    for (name, latency) in [("m0", 0), ("m1", 1)] {
        let mem = m.mem(name, (4, 70), latency, Collision::ReadOld, None);
        let data = m.read(mem, addr, None);
        m.output(name, data);
    }
    design(vec![m.0])
}

#[test]
fn power_up_content() {
    let design = power_up_design();
    let values = |power_up, keep_names| {
        let mut sim = Simulator::new(&design, SimOptions { power_up, keep_names }).unwrap();
        let outputs = ["r0", "r1", "r2", "m0", "m1"].map(|name| sim.get(sim.output(name).unwrap()));
        let words = ["m0", "m1"].map(|name| sim.peek_memory(name, 3).unwrap());
        outputs.into_iter().chain(words).collect::<Vec<_>>()
    };
    let zero = values(PowerUp::Zero, false);
    assert!(zero.iter().enumerate().all(|(i, v)| v.to_u64() == Some(if i == 2 { 5 } else { 0 })), "{zero:?}");
    let random = values(PowerUp::Random(1), false);
    assert_eq!(random, values(PowerUp::Random(1), true), "names make no difference");
    let other = values(PowerUp::Random(2), false);
    for (i, value) in random.iter().enumerate() {
        assert_eq!(*value == other[i], i == 2, "value {i} is {value:?} and {:?}", other[i]);
        assert_eq!(random.iter().filter(|v| v == &value).count(), 1, "{random:?}");
    }
}
