//! Random designs and values from a seed.

use crate::build::{Build, design};
use eva_rtl::hdl::bits::Bits;
use eva_rtl::hdl::ir::*;
use rand::prelude::*;
use rand_chacha::ChaCha8Rng;

pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Widths around the sizes at which instructions change, and others up to 200.
pub fn width(rng: &mut impl Rng) -> u32 {
    const EDGES: [u32; 16] = [1, 2, 8, 31, 32, 33, 63, 64, 65, 66, 127, 128, 129, 191, 192, 193];
    match rng.random_range(0..4) {
        0 => *EDGES.choose(rng).unwrap(),
        1 => rng.random_range(1..=200),
        2 => rng.random_range(65..=128),
        _ => rng.random_range(1..=64),
    }
}

/// Uniform bits, small numbers, or extremes.
pub fn bits(rng: &mut impl Rng, width: u32) -> Bits {
    let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| rng.random()).collect();
    match rng.random_range(0..6) {
        0 => Bits::from_u64(rng.random_range(0..300), width),
        1 => Bits::from_i128(-rng.random_range(0i128..300), width),
        2 => {
            // One bit, or all but one.
            let at = rng.random_range(0..width);
            let mut words = vec![0; words.len()];
            words[at as usize / 64] = 1 << (at % 64);
            let flip = rng.random::<bool>();
            words.iter_mut().for_each(|w| *w ^= if flip { u64::MAX } else { 0 });
            Bits::from_words(&words, width)
        }
        _ => Bits::from_words(&words, width),
    }
}

struct Generator<'r, R> {
    rng: &'r mut R,
    build: Build,
    /// Nodes that can be used as operands.
    pool: Vec<NodeId>,
}

impl<R: Rng> Generator<'_, R> {
    fn any(&mut self) -> NodeId {
        // Recent nodes make deep logic.
        let from = if self.rng.random() { self.pool.len().saturating_sub(8) } else { 0 };
        self.pool[self.rng.random_range(from..self.pool.len())]
    }

    /// Some node, brought to a width.
    fn fit(&mut self, width: u32) -> NodeId {
        let same: Vec<NodeId> = self.pool.iter().copied().filter(|n| self.build.width(*n) == width).collect();
        if !same.is_empty() && self.rng.random_bool(0.6) {
            return *same.choose(self.rng).unwrap();
        }
        let node = self.any();
        let have = self.build.width(node);
        match have.cmp(&width) {
            std::cmp::Ordering::Equal => node,
            std::cmp::Ordering::Less if self.rng.random() => self.build.node(Op::Zext(node), width),
            std::cmp::Ordering::Less => self.build.node(Op::Sext(node), width),
            std::cmp::Ordering::Greater => {
                let lo = if self.rng.random() { 0 } else { self.rng.random_range(0..=have - width) };
                self.build.node(Op::Slice { a: node, lo }, width)
            }
        }
    }

    fn grow(&mut self) {
        use BinOp::*;
        let width = width(self.rng);
        let node = match self.rng.random_range(0..20) {
            0 => {
                let value = bits(self.rng, width);
                self.build.node(Op::Const(value), width)
            }
            1 => {
                let a = self.fit(width);
                self.build.node(Op::Not(a), width)
            }
            2..=8 => {
                let op = *[And, Or, Xor, Add, Sub, Eq, Ne, LtU, LtS, LeU, LeS].choose(self.rng).unwrap();
                let (a, b) = (self.fit(width), self.fit(width));
                self.build.binary(op, a, b)
            }
            9 => {
                let op = *[MulU, MulS].choose(self.rng).unwrap();
                let width = width.min(100);
                let other = self.rng.random_range(1..=100);
                let (a, b) = (self.fit(width), self.fit(other));
                self.build.binary(op, a, b)
            }
            10 => {
                let op = *[Shl, Shr, Sra].choose(self.rng).unwrap();
                let amount_width = if self.rng.random_bool(0.8) { self.rng.random_range(1..=8) } else { width };
                let (a, b) = (self.fit(width), self.fit(amount_width));
                self.build.binary(op, a, b)
            }
            11 | 12 => {
                let (sel, t, f) = (self.fit(1), self.fit(width), self.fit(width));
                self.build.node(Op::Mux { sel, t, f }, width)
            }
            13 => {
                let sel_width = self.rng.random_range(1..=4);
                let operand_width = if self.rng.random_bool(0.9) { sel_width } else { 70 };
                let sel = self.fit(operand_width);
                let count = self.rng.random_range(2..=1 << sel_width);
                let cases = (0..count).map(|_| self.fit(width)).collect();
                self.build.node(Op::Select { sel, cases }, width)
            }
            14 | 15 => {
                let parts: Vec<NodeId> = (0..self.rng.random_range(2..=4)).map(|_| self.any()).collect();
                let width: u32 = parts.iter().map(|p| self.build.width(*p)).sum();
                if width > 400 {
                    return;
                }
                self.build.node(Op::Concat(parts), width)
            }
            16 => {
                let a = self.any();
                let op = *[RedOp::And, RedOp::Or, RedOp::Xor].choose(self.rng).unwrap();
                self.build.node(Op::Reduce(op, a), 1)
            }
            17 => {
                let a = self.any();
                let wire = self.build.wire(self.build.width(a));
                self.build.drive(wire, a);
                wire
            }
            _ => self.fit(width),
        };
        self.pool.push(node);
    }

    fn memory(&mut self, index: usize) {
        let depth = self.rng.random_range(1..=9);
        let width = width(self.rng);
        let latency = self.rng.random_range(0..=1);
        let collision = *[Collision::ReadOld, Collision::ReadNew, Collision::Undefined].choose(self.rng).unwrap();
        let init = self.rng.random::<bool>().then(|| (0..depth).map(|_| bits(self.rng, width)).collect());
        let mem = self.build.mem(&format!("m{index}"), (depth, width), latency, collision, init);
        let address_width = self.build.address_width(mem);
        for _ in 0..self.rng.random_range(1..=2) {
            let addr = self.fit(address_width);
            let enable = (latency == 1 && self.rng.random()).then(|| self.fit(1));
            let data = self.build.read(mem, addr, enable);
            self.pool.push(data);
        }
        for _ in 0..self.rng.random_range(0..=2) {
            let (addr, data, enable) = (self.fit(address_width), self.fit(width), self.fit(1));
            self.build.write(mem, addr, data, enable);
        }
    }
}

/// A module of about `size` nodes that may instantiate those before it, some of them several times.
fn module(rng: &mut impl Rng, below: &[Module], size: usize) -> Module {
    let mut g = Generator { build: Build::new(&format!("module_{}", below.len())), pool: Vec::new(), rng };
    for i in 0..g.rng.random_range(2..=4) {
        let width = width(g.rng);
        let node = g.build.input(&format!("in{i}"), width);
        g.pool.push(node);
    }
    let mut regs = Vec::new();
    for i in 0..g.rng.random_range(2..=8) {
        let reset = g.rng.random::<bool>().then(|| g.rng.random());
        let width = width(g.rng);
        let reg = g.build.reg(&format!("r{i}"), width, reset);
        g.pool.push(reg);
        regs.push(reg);
    }
    for i in 0..size {
        g.grow();
        if i % 12 == 5 {
            g.memory(i);
        }
        if i % 10 == 3 && !below.is_empty() {
            let id = g.rng.random_range(0..below.len());
            let inputs: Vec<NodeId> =
                below[id].ports.iter().filter(|p| p.dir == Dir::Input).map(|p| g.fit(p.width)).collect();
            let outputs = g.build.instance(&format!("u{i}"), ModuleId(id as u32), &below[id], &inputs);
            g.pool.extend(outputs);
        }
        if i % 7 == 2 {
            let node = *g.pool.last().unwrap();
            if g.build.0.node(node).name.is_none() {
                g.build.name(node, &format!("s{i}"));
            }
        }
    }
    for reg in regs {
        let next = g.fit(g.build.width(reg));
        let enable = g.rng.random::<bool>().then(|| g.fit(1));
        g.build.next(reg, next, enable);
    }
    for i in 0..g.rng.random_range(1..=6) {
        let node = g.any();
        g.build.output(&format!("out{i}"), node);
    }
    g.build.0
}

/// A design of a few modules.
pub fn random_design(rng: &mut impl Rng) -> Design {
    let mut modules: Vec<Module> = Vec::new();
    for _ in 0..rng.random_range(1..=3) {
        let size = rng.random_range(10..=60);
        let next = module(rng, &modules, size);
        modules.push(next);
    }
    design(modules)
}
