//! Random well-formed designs: every operation, widths from 1 to 200 bits, registers, memories, instances.
//!
//! They are built as elaborated form directly, so that backends also meet what the builder would simplify or never
//! make.

use eva_rtl::hdl::bits::{Bits, index_width};
use eva_rtl::hdl::ir::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::rc::Rc;

/// What the designs may contain.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Operations per module.
    pub nodes: u32,
    /// Modules below the top one, each instanced once or twice by modules above it.
    pub children: u32,
    /// Only what is defined in every cycle after reset: all registers have a reset value, all memories initial content,
    /// a power of two of words and a defined collision.
    pub is_defined: bool,
}

/// A design with clock `clk` and reset `rst_n`; the same seed gives the same design.
pub fn random_design(seed: u64, shape: Shape) -> Design {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut modules: Vec<Rc<Module>> = Vec::new();
    for index in 0..=shape.children {
        let is_top = index == shape.children;
        let name = if is_top { "top".to_owned() } else { format!("child_{index}") };
        let module = Generator::new(&mut rng, shape, &modules, name).module(is_top);
        modules.push(Rc::new(module));
    }
    let top = ModuleId(modules.len() as u32 - 1);
    Design { clocking: Clocking { clock: "clk".into(), reset: "rst_n".into() }, prefix: String::new(), modules, top }
}

struct Generator<'a> {
    rng: &'a mut ChaCha8Rng,
    shape: Shape,
    below: &'a [Rc<Module>],
    module: Module,
}

impl<'a> Generator<'a> {
    fn new(rng: &'a mut ChaCha8Rng, shape: Shape, below: &'a [Rc<Module>], name: String) -> Generator<'a> {
        let module = Module {
            name,
            doc: "Random logic.".into(),
            params: vec![("nodes".into(), shape.nodes.to_string())],
            nodes: Vec::new(),
            ports: Vec::new(),
            regs: Vec::new(),
            mems: Vec::new(),
            instances: Vec::new(),
            discards: Vec::new(),
            loc: Loc::caller(),
        };
        Generator { rng, shape, below, module }
    }

    fn module(mut self, is_top: bool) -> Module {
        for i in 0..self.rng.random_range(1..6) {
            let width = self.width();
            let port = PortId(self.module.ports.len() as u32);
            let name = format!("in_{i}");
            let node = self.push(Op::Input(port), width, Some(name.clone()));
            self.module.ports.push(Port { name, dir: Dir::Input, width, node, loc: Loc::caller() });
        }
        for i in 0..self.rng.random_range(1..5) {
            let width = self.width();
            self.register(i, width);
        }
        let forward: Vec<NodeId> = (0..self.rng.random_range(0..3)).map(|_| self.forward_wire()).collect();
        let before_logic = self.module.nodes.len() as u32;
        let mut instances: Vec<usize> = (0..self.below.len()).filter(|_| is_top || self.rng.random_bool(0.3)).collect();
        if is_top && !instances.is_empty() {
            instances.push(self.rng.random_range(0..self.below.len()));
        }
        for i in 0..self.shape.nodes {
            self.operation();
            if self.rng.random_range(0..self.shape.nodes) == 0 && self.module.mems.len() < 3 {
                self.memory();
            }
            if i % (self.shape.nodes / 4).max(1) == 0
                && let Some(child) = instances.pop()
            {
                self.instance(child);
            }
        }
        for wire in forward {
            // From before the wires exist: no combinational path can lead back.
            let width = self.module.node(wire).width;
            let driver = self.pick_below(before_logic, width, wire.0);
            self.module.nodes[wire.index()].op = Op::Wire(Some(driver));
        }
        for index in 0..self.module.regs.len() {
            let width = self.module.node(self.module.regs[index].node).width;
            let has_reset = self.shape.is_defined || self.rng.random_bool(0.6);
            // A register without reset takes an input now and then: if it could depend on itself alone it would have no
            // driver in the eyes of synthesis.
            let next = if has_reset { self.pick(width) } else { self.input_of_width(width) };
            let enable = (has_reset && self.rng.random_bool(0.5)).then(|| self.pick(1));
            let reset = has_reset.then(|| self.bits(width));
            let reg = &mut self.module.regs[index];
            (reg.next, reg.enable, reg.reset) = (Some(next), enable, reset);
        }
        for (i, node) in self.outputs().into_iter().enumerate() {
            let name = match &self.module.node(node).name {
                Some(name) if self.rng.random_bool(0.5) && name.starts_with("n_") && self.is_free(name) => name.clone(),
                _ => format!("out_{i}"),
            };
            let width = self.module.node(node).width;
            self.module.ports.push(Port { name, dir: Dir::Output, width, node, loc: Loc::caller() });
        }
        self.module
    }

    /// Most of what nothing else uses, so that nearly every operation can be observed, and something that is used.
    fn outputs(&mut self) -> Vec<NodeId> {
        let mut used = vec![false; self.module.nodes.len()];
        let module = &self.module;
        for id in (0..module.nodes.len() as u32).map(NodeId) {
            module.for_each_operand(id, |o| used[o.index()] = true);
        }
        let next = module.regs.iter().flat_map(|r| r.next.into_iter().chain(r.enable));
        let writes = module.mems.iter().flat_map(|m| &m.writes).flat_map(|w| [w.addr, w.data, w.enable]);
        let instances = module.instances.iter().flat_map(|i| &i.connections).flatten().copied();
        next.chain(writes).chain(instances).for_each(|id| used[id.index()] = true);
        let unused = (0..used.len() as u32).map(NodeId).filter(|id| !used[id.index()]);
        let mut outputs: Vec<NodeId> = unused.filter(|_| self.rng.random_bool(0.8)).collect();
        outputs.push(self.any());
        outputs
    }

    fn is_free(&self, name: &str) -> bool {
        self.module.ports.iter().all(|p| p.name != name)
    }

    fn push(&mut self, op: Op, width: u32, name: Option<String>) -> NodeId {
        self.module.nodes.push(Node { op, width, name, loc: Loc::caller() });
        NodeId(self.module.nodes.len() as u32 - 1)
    }

    fn width(&mut self) -> u32 {
        match self.rng.random_range(0..10) {
            0..3 => 1,
            3..7 => self.rng.random_range(2..=17),
            7..9 => self.rng.random_range(30..=70),
            _ => self.rng.random_range(1..=200),
        }
    }

    fn bits(&mut self, width: u32) -> Bits {
        match self.rng.random_range(0..6) {
            0 => Bits::zero(width),
            1 => Bits::ones(width),
            2 => Bits::from_u64(1, width),
            _ => {
                let words: Vec<u64> = (0..width.div_ceil(64)).map(|_| self.rng.random()).collect();
                Bits::from_words(&words, width)
            }
        }
    }

    fn any(&mut self) -> NodeId {
        NodeId(self.rng.random_range(0..self.module.nodes.len() as u32))
    }

    /// A node of `width` bits; made from another one if there is none.
    fn pick(&mut self, width: u32) -> NodeId {
        self.pick_below(self.module.nodes.len() as u32, width, u32::MAX)
    }

    /// A node of `width` bits that depends only on nodes before `end` without `except` and other wires.
    fn pick_below(&mut self, end: u32, width: u32, except: u32) -> NodeId {
        for _ in 0..6 {
            let id = NodeId(self.rng.random_range(0..end));
            let is_loop = except != u32::MAX && matches!(self.module.node(id).op, Op::Wire(_));
            if self.module.node(id).width == width && !is_loop {
                return id;
            }
        }
        if self.rng.random_bool(0.2) || except != u32::MAX {
            let bits = self.bits(width);
            return self.push(Op::Const(bits), width, None);
        }
        let a = NodeId(self.rng.random_range(0..end));
        let own = self.module.node(a).width;
        if own > width {
            let lo = self.rng.random_range(0..=own - width);
            self.push(Op::Slice { a, lo }, width, None)
        } else if own < width {
            let op = if self.rng.random_bool(0.5) { Op::Zext(a) } else { Op::Sext(a) };
            self.push(op, width, None)
        } else {
            a
        }
    }

    fn input_of_width(&mut self, width: u32) -> NodeId {
        let inputs = self.module.ports.len();
        let a = self.module.ports[self.rng.random_range(0..inputs)].node;
        match self.module.node(a).width {
            own if own > width => self.push(Op::Slice { a, lo: 0 }, width, None),
            own if own < width => self.push(Op::Zext(a), width, None),
            _ => a,
        }
    }

    /// Sometimes a name, not always a free or legal one.
    fn name(&mut self) -> Option<String> {
        const CLASHING: [&str; 6] = ["in_0", "clk", "reg", "logic", "sum_0", "unused"];
        match self.rng.random_range(0..12) {
            0 => Some(CLASHING[self.rng.random_range(0..CLASHING.len())].to_owned()),
            1..4 => Some(format!("n_{}", self.rng.random_range(0..30))),
            _ => None,
        }
    }

    fn register(&mut self, index: u32, width: u32) {
        let id = RegId(self.module.regs.len() as u32);
        let name = self.rng.random_bool(0.8).then(|| format!("r_{index}"));
        let node = self.push(Op::Reg(id), width, name);
        self.module.regs.push(Reg { node, next: None, enable: None, reset: None, loc: Loc::caller() });
    }

    fn forward_wire(&mut self) -> NodeId {
        let width = self.width();
        let name = self.name();
        self.push(Op::Wire(None), width, name)
    }

    fn operation(&mut self) {
        let width = self.width();
        let name = self.name();
        let (op, width) = match self.rng.random_range(0..34) {
            0 => (Op::Const(self.bits(width)), width),
            1 => {
                let a = self.any();
                (Op::Wire(Some(a)), self.module.node(a).width)
            }
            2..4 => (Op::Not(self.pick(width)), width),
            4..20 => return self.binary(width, name),
            20..23 => (Op::Mux { sel: self.pick(1), t: self.pick(width), f: self.pick(width) }, width),
            23..25 => {
                let sel = self.any();
                let most = 1u64.checked_shl(self.module.node(sel).width).map_or(9, |n| n.min(9));
                let cases = (0..self.rng.random_range(2..=most)).map(|_| self.pick(width)).collect();
                (Op::Select { sel, cases }, width)
            }
            25..27 => {
                let mut parts: Vec<NodeId> = (0..self.rng.random_range(1..6)).map(|_| self.any()).collect();
                let first = parts[0];
                parts.extend((0..self.rng.random_range(0..3)).map(|_| first));
                let width = parts.iter().map(|p| self.module.node(*p).width).sum();
                (Op::Concat(parts), width)
            }
            27..29 => {
                let a = self.any();
                let own = self.module.node(a).width;
                let width = self.rng.random_range(1..=own);
                (Op::Slice { a, lo: self.rng.random_range(0..=own - width) }, width)
            }
            29..32 => {
                let a = self.any();
                let width = self.module.node(a).width + self.rng.random_range(1..20);
                (if self.rng.random_bool(0.5) { Op::Zext(a) } else { Op::Sext(a) }, width)
            }
            _ => {
                let op = [RedOp::And, RedOp::Or, RedOp::Xor][self.rng.random_range(0..3)];
                (Op::Reduce(op, self.any()), 1)
            }
        };
        self.push(op, width, name);
    }

    fn binary(&mut self, width: u32, name: Option<String>) {
        use BinOp::*;
        const ALL: [BinOp; 16] = [And, Or, Xor, Add, Sub, MulU, MulS, Eq, Ne, LtU, LtS, LeU, LeS, Shl, Shr, Sra];
        let op = ALL[self.rng.random_range(0..ALL.len())];
        let (b, width, result) = match op {
            And | Or | Xor | Add | Sub => (self.pick(width), width, width),
            MulU | MulS => {
                let width = width.min(40);
                let other = self.rng.random_range(1..30);
                (self.pick(other), width, width + other)
            }
            Eq | Ne | LtU | LtS | LeU | LeS => (self.pick(width), width, 1),
            // Mostly amounts that leave something.
            Shl | Shr | Sra if self.rng.random_bool(0.2) => (self.any(), width, width),
            Shl | Shr | Sra => (self.pick(index_width(u64::from(width))), width, width),
        };
        let a = self.pick(width);
        self.push(Op::Binary(op, a, b), result, name);
    }

    fn memory(&mut self) {
        let depth = if self.shape.is_defined { 1 << self.rng.random_range(1..6) } else { self.rng.random_range(1..40) };
        let width = self.width();
        let addr_width = index_width(u64::from(depth));
        let mem = MemId(self.module.mems.len() as u32);
        let is_rom = self.rng.random_bool(0.2);
        let has_init = is_rom || self.shape.is_defined || self.rng.random_bool(0.3);
        let init = has_init.then(|| (0..depth).map(|_| self.bits(width)).collect());
        let read_latency = self.rng.random_range(0..2);
        let collisions = [Collision::ReadOld, Collision::ReadNew, Collision::Undefined];
        let collision = collisions[self.rng.random_range(0..if self.shape.is_defined { 2 } else { 3 })];
        let reads: Vec<ReadPort> = (0..self.rng.random_range(1..3))
            .map(|port| {
                let addr = self.pick(addr_width);
                let enable = (read_latency > 0 && self.rng.random_bool(0.5)).then(|| self.pick(1));
                let name = self.name();
                ReadPort { addr, enable, node: self.push(Op::MemRead { mem, port }, width, name) }
            })
            .collect();
        let writes = (0..if is_rom { 0 } else { self.rng.random_range(1..3) })
            .map(|_| WritePort { addr: self.pick(addr_width), data: self.pick(width), enable: self.pick(1) })
            .collect();
        let name = format!("store_{}", mem.0);
        self.module.mems.push(Mem {
            name,
            depth,
            width,
            init,
            read_latency,
            collision,
            reads,
            writes,
            loc: Loc::caller(),
        });
    }

    fn instance(&mut self, child: usize) {
        let inst = InstId(self.module.instances.len() as u32);
        let module = self.below[child].clone();
        // Inputs first: what they depend on exists already, so no loop can close through the instance.
        let mut connections: Vec<Option<NodeId>> = vec![None; module.ports.len()];
        for (port, connection) in module.ports.iter().zip(&mut connections).filter(|(p, _)| p.dir == Dir::Input) {
            *connection = Some(self.pick(port.width));
        }
        for (index, port) in module.ports.iter().enumerate().filter(|(_, p)| p.dir == Dir::Output) {
            let name = self.name();
            connections[index] = Some(self.push(Op::InstOut { inst, port: PortId(index as u32) }, port.width, name));
        }
        let name = format!("u_{}", inst.0);
        self.module.instances.push(Instance { name, module: ModuleId(child as u32), connections, loc: Loc::caller() });
    }
}
