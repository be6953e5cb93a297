//! Every operation at many widths, and random designs, against the reference.

use crate::build::{Build, design};
use crate::random::{bits, random_design, rng, width};
use crate::random_design::{Shape, random_design as shared_random_design};
use crate::reference::Reference;
use eva_rtl::hdl::bits::Bits;
use eva_rtl::hdl::ir::*;
use eva_rtl::hdl::sim::{PowerUp, SimOptions, Simulator};
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;

/// Runs random stimulus and compares all outputs in every cycle.
fn compare(design: &Design, rng: &mut impl Rng, keep_names: bool, cycles: u32, what: &str) {
    let options = SimOptions { power_up: PowerUp::Zero, keep_names };
    let mut sim = Simulator::new(design, options).unwrap();
    let mut reference = Reference::new(design);
    let ports = |dir: Dir| {
        let ports = design.top_module().ports.iter().enumerate().filter(move |(_, p)| p.dir == dir);
        ports.map(|(i, p)| (PortId(i as u32), p)).collect::<Vec<_>>()
    };
    let (inputs, outputs) = (ports(Dir::Input), ports(Dir::Output));
    let output_ids: Vec<PortId> = outputs.iter().map(|(id, _)| *id).collect();
    for cycle in 0..cycles {
        // Sometimes look twice in one cycle, with some of the inputs changed in between.
        for _ in 0..rng.random_range(1..=2) {
            for (id, port) in &inputs {
                if rng.random_bool(0.8) {
                    let value = bits(rng, port.width);
                    sim.set(sim.input(&port.name).unwrap(), &value);
                    reference.set(*id, &value);
                }
            }
            let expected = reference.ports(&output_ids);
            for ((_, port), expected) in outputs.iter().zip(expected) {
                let got = sim.get(sim.output(&port.name).unwrap());
                assert_eq!(got, expected, "{what}: {} in cycle {cycle}", port.name);
            }
        }
        let reset = rng.random_bool(0.1);
        sim.set_reset(reset);
        sim.step();
        reference.step(reset);
    }
}

/// Operations that `operation` can make.
const KINDS: usize = 28;

/// One operation of operands of random widths; each operand is an input or a constant.
fn operation(rng: &mut ChaCha8Rng, index: usize) -> (Design, String) {
    use BinOp::*;
    const BINARY: [BinOp; 16] = [And, Or, Xor, Add, Sub, MulU, MulS, Eq, Ne, LtU, LtS, LeU, LeS, Shl, Shr, Sra];
    let mut m = Build::new("operation");
    let w = width(rng);
    let mut count = 0;
    let mut operand = |m: &mut Build, rng: &mut ChaCha8Rng, width: u32| {
        count += 1;
        if rng.random_bool(0.2) {
            let value = bits(rng, width);
            m.node(Op::Const(value), width)
        } else {
            m.input(&format!("i{count}"), width)
        }
    };
    let node = match index % KINDS {
        i @ 0..16 => {
            let op = BINARY[i];
            let other = match op {
                MulU | MulS => width(rng),
                Shl | Shr | Sra if rng.random_bool(0.8) => rng.random_range(1..=8),
                Shl | Shr | Sra => width(rng),
                _ => w,
            };
            let (a, b) = (operand(&mut m, rng, w), operand(&mut m, rng, other));
            m.binary(op, a, b)
        }
        16 => {
            let a = operand(&mut m, rng, w);
            m.node(Op::Not(a), w)
        }
        17 => {
            let (sel, t, f) = (operand(&mut m, rng, 1), operand(&mut m, rng, w), operand(&mut m, rng, w));
            m.node(Op::Mux { sel, t, f }, w)
        }
        18 => {
            let bits = rng.random_range(1..=3);
            let sel = operand(&mut m, rng, bits);
            let cases = (0..rng.random_range(2..=1 << bits)).map(|_| operand(&mut m, rng, w)).collect();
            m.node(Op::Select { sel, cases }, w)
        }
        19 => {
            let parts: Vec<NodeId> = (0..rng.random_range(1..=6))
                .map(|_| {
                    let w = width(rng);
                    operand(&mut m, rng, w)
                })
                .collect();
            let w = parts.iter().map(|p| m.width(*p)).sum();
            m.node(Op::Concat(parts), w)
        }
        20 => {
            let a = operand(&mut m, rng, w);
            let lo = rng.random_range(0..w);
            let w = rng.random_range(1..=w - lo);
            m.node(Op::Slice { a, lo }, w)
        }
        i @ (21 | 22) => {
            let a = operand(&mut m, rng, w);
            let to = w + rng.random_range(0..=130);
            m.node(if i == 21 { Op::Zext(a) } else { Op::Sext(a) }, to)
        }
        // What instruction selection joins: complements, cut or extended results, extended or cut factors.
        23 => {
            let (a, b) = (operand(&mut m, rng, w), operand(&mut m, rng, w));
            let not = m.node(Op::Not(b), w);
            let (a, b) = if rng.random() { (a, not) } else { (not, a) };
            m.binary(And, a, b)
        }
        24 => {
            let op = *[Add, Sub, MulU, MulS].choose(rng).unwrap();
            let w = w.min(100);
            let (a, b) = (operand(&mut m, rng, w), operand(&mut m, rng, w));
            let a = m.binary(op, a, b);
            let w = rng.random_range(1..=m.width(a));
            m.node(Op::Slice { a, lo: 0 }, w)
        }
        25 => {
            let (wa, wb) = (rng.random_range(1..=64), rng.random_range(1..=64));
            let (a, b) = (operand(&mut m, rng, wa), operand(&mut m, rng, wb));
            let product = m.binary(MulS, a, b);
            let w = m.width(product) + rng.random_range(0..=40);
            m.sext(product, w)
        }
        26 => {
            let op = *[MulU, MulS].choose(rng).unwrap();
            let mut factor = |m: &mut Build, rng: &mut ChaCha8Rng| {
                let (w, to) = (rng.random_range(1..=70), rng.random_range(0..=30));
                let a = operand(m, rng, w);
                match rng.random_range(0..3) {
                    0 => m.node(Op::Zext(a), w + to),
                    1 => m.sext(a, w + to),
                    _ => {
                        let lo = rng.random_range(0..w);
                        m.node(Op::Slice { a, lo }, w - lo)
                    }
                }
            };
            let (a, b) = (factor(&mut m, rng), factor(&mut m, rng));
            m.binary(op, a, b)
        }
        _ => {
            let a = operand(&mut m, rng, w);
            let op = *[RedOp::And, RedOp::Or, RedOp::Xor].choose(rng).unwrap();
            m.node(Op::Reduce(op, a), 1)
        }
    };
    m.output("y", node);
    let what = format!("{:?} of width {}", m.0.node(node).op, m.width(node));
    (design(vec![m.0]), what)
}

#[test]
fn every_operation_at_many_widths() {
    let mut rng = rng(1);
    for index in 0..KINDS * 150 {
        let (design, what) = operation(&mut rng, index);
        compare(&design, &mut rng, false, 8, &what);
    }
}

#[test]
fn random_designs() {
    for seed in 0..400 {
        let mut rng = rng(seed);
        let design = random_design(&mut rng);
        compare(&design, &mut rng, seed % 2 == 1, 25, &format!("seed {seed}"));
    }
}

/// Designs of the generator that the other backends are tested with.
#[test]
fn shared_random_designs() {
    for seed in 0..60 {
        let shape =
            Shape { nodes: 20 + (seed % 5) as u32 * 30, children: (seed % 4) as u32, is_defined: seed % 3 == 0 };
        let design = shared_random_design(seed, shape);
        compare(&design, &mut rng(seed), seed % 2 == 1, 12, &format!("shared seed {seed}"));
    }
}

/// Concatenations and slices as wide as memory ports, at all alignments.
#[test]
fn wide_concatenations_and_slices() {
    let mut rng = rng(2);
    for round in 0..20 {
        let mut m = Build::new("wide");
        let lanes: Vec<NodeId> = (0..64)
            .map(|i| {
                let w = if round % 2 == 0 { 64 } else { rng.random_range(1..=90) };
                m.input(&format!("lane{i}"), w)
            })
            .collect();
        let total = lanes.iter().map(|l| m.width(*l)).sum();
        let all = m.node(Op::Concat(lanes), total);
        let reg = m.reg_of("all", all, None);
        m.output("all", all);
        for i in 0..20 {
            let lo = rng.random_range(0..total);
            let w = rng.random_range(1..=total - lo);
            let part = m.node(Op::Slice { a: reg, lo }, w);
            m.output(&format!("part{i}"), part);
        }
        compare(&design(vec![m.0]), &mut rng, false, 4, &format!("round {round}"));
    }
}

/// The reference itself, on numbers that can be checked by eye.
#[test]
fn reference_is_right_on_known_values() {
    let value = |op: BinOp, a: i128, b: i128, w: u32| {
        let mut m = Build::new("known");
        let (x, y) = (m.input("a", w), m.input("b", w));
        let node = m.binary(op, x, y);
        m.output("y", node);
        let design = design(vec![m.0]);
        let mut reference = Reference::new(&design);
        reference.set(PortId(0), &Bits::from_i128(a, w));
        reference.set(PortId(1), &Bits::from_i128(b, w));
        reference.get(PortId(2)).to_i128().unwrap()
    };
    assert_eq!(value(BinOp::Add, 100, 27, 9), 127);
    assert_eq!(value(BinOp::Sub, 3, 5, 9), -2);
    assert_eq!(value(BinOp::MulS, -3, 5, 9), -15);
    assert_eq!(value(BinOp::MulU, 200, 3, 8), 600);
    assert_eq!(value(BinOp::LtS, -1, 1, 8), -1);
    assert_eq!(value(BinOp::LtU, -1, 1, 8), 0);
    assert_eq!(value(BinOp::Sra, -16, 2, 8), -4);
    assert_eq!(value(BinOp::Shr, 0x70, 4, 8), 7);
    assert_eq!(value(BinOp::Shl, 7, 4, 8), 0x70);
}
