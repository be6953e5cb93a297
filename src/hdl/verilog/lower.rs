//! A module's graph as Verilog wants it: identities and constants resolved, unneeded nodes gone, everything counted.

use super::fold::{self, Folded};
use crate::hdl::bits::Bits;
use crate::hdl::ir::{BinOp, Design, Dir, Instance, Mem, Module, NodeId, Op, PortId, RegId};
use crate::hdl::names::NodeNames;
use std::collections::HashMap;

/// Shift amounts wider than this are clamped: tools refuse to shift by numbers of more than 32 bits.
pub(super) const MAX_SHIFT_BITS: u32 = 31;

pub(super) struct Lowered {
    /// What each node computes; operands are resolved. Only live nodes are of interest.
    pub ops: Vec<Op>,
    /// Live nodes, operands first.
    pub order: Vec<NodeId>,
    pub live: Vec<bool>,
    /// How many times the text of each node would be printed.
    pub uses: Vec<u32>,
    /// Nodes of which bits are selected: Verilog selects bits of identifiers only.
    pub sliced: Vec<bool>,
    /// Live registers by what they have in common, in order of first appearance.
    pub reg_groups: Vec<RegGroup>,
    /// For signed products, which factors are zero-extended instead of sign-extended to the width of the product.
    unsigned_factors: HashMap<NodeId, [bool; 2]>,
    same_as: Vec<NodeId>,
}

/// Registers that share one `always` block.
pub(super) struct RegGroup {
    pub has_reset: bool,
    pub enable: Option<NodeId>,
    pub regs: Vec<RegId>,
}

impl Lowered {
    pub fn new(design: &Design, module: &Module, names: &mut NodeNames) -> Lowered {
        let nodes = module.nodes.len();
        let mut lowered = Lowered {
            ops: module.nodes.iter().map(|_| Op::Wire(None)).collect(),
            order: operands_first(module),
            live: vec![false; nodes],
            uses: vec![0; nodes],
            sliced: vec![false; nodes],
            reg_groups: Vec::new(),
            unsigned_factors: HashMap::new(),
            same_as: (0..nodes as u32).map(NodeId).collect(),
        };
        for id in lowered.order.clone() {
            match lowered.simplify(module, names, id) {
                // A node that the user named is kept even when it only repeats another one.
                Simple::Same(other) if module.node(id).name.is_none() => {
                    names.forget_port(id);
                    lowered.same_as[id.index()] = other;
                }
                Simple::Same(other) => {
                    let constant = lowered.constant(other).cloned();
                    lowered.ops[id.index()] = constant.map_or(Op::Wire(Some(other)), Op::Const);
                }
                Simple::Op(op) => lowered.ops[id.index()] = op,
                Simple::Product(op, unsigned) => {
                    lowered.ops[id.index()] = op;
                    lowered.unsigned_factors.insert(id, unsigned);
                }
            }
        }
        lowered.mark_live(design, module);
        lowered.group_registers(module);
        lowered.count_uses(design, module);
        lowered.mark_sliced(module, names);
        lowered
    }

    /// The node that stands for `id`.
    pub fn resolve(&self, id: NodeId) -> NodeId {
        self.same_as[id.index()]
    }

    pub fn constant(&self, id: NodeId) -> Option<&Bits> {
        match &self.ops[self.resolve(id).index()] {
            Op::Const(bits) => Some(bits),
            _ => None,
        }
    }

    fn simplify(&self, module: &Module, names: &NodeNames, id: NodeId) -> Simple {
        let node = module.node(id);
        let width = |id: NodeId| module.node(id).width;
        let get = |id: &NodeId| self.resolve(*id);
        // What an operand computes, if it may be computed anew here instead of being referred to.
        let inner = |id: NodeId| names.nodes[id.index()].is_none().then(|| &self.ops[id.index()]);
        if let Op::Binary(op, a, b) = &node.op
            && let Some(folded) = (get(a) == get(b))
                .then(|| fold::same(*op, node.width))
                .flatten()
                .or_else(|| fold::binary(*op, node.width, width(*a), self.constant(*a), self.constant(*b)))
        {
            return match folded {
                Folded::Constant(bits) => Simple::Op(Op::Const(bits)),
                Folded::Left => Simple::Same(get(a)),
                Folded::Right => Simple::Same(get(b)),
            };
        }
        match &node.op {
            Op::Wire(driver) => driver.as_ref().map_or(Simple::Op(Op::Wire(None)), |d| Simple::Same(get(d))),
            Op::Slice { a, lo } => {
                let (mut a, mut lo) = (get(a), *lo);
                while let Some(op) = inner(a) {
                    let hi = lo + node.width;
                    match op {
                        Op::Slice { a: base, lo: base_lo } => (a, lo) = (*base, lo + base_lo),
                        Op::Zext(base) | Op::Sext(base) if hi <= width(*base) => a = *base,
                        Op::Zext(base) if lo >= width(*base) => return Simple::Op(Op::Const(Bits::zero(node.width))),
                        _ => break,
                    }
                }
                if let Some(bits) = self.constant(a) {
                    return Simple::Op(Op::Const(fold::slice(bits, lo, node.width)));
                }
                if node.width == width(a) { Simple::Same(a) } else { Simple::Op(Op::Slice { a, lo }) }
            }
            Op::Zext(a) => {
                let a = get(a);
                match (self.constant(a), inner(a)) {
                    (Some(bits), _) => Simple::Op(Op::Const(Bits::from_words(bits.words(), node.width))),
                    (None, Some(Op::Zext(base))) => Simple::Op(Op::Zext(*base)),
                    _ => Simple::Op(Op::Zext(a)),
                }
            }
            Op::Sext(a) => {
                let a = get(a);
                match (self.constant(a), inner(a)) {
                    (Some(bits), _) => Simple::Op(Op::Const(bits.sign_extended(node.width))),
                    (None, Some(Op::Zext(base))) => Simple::Op(Op::Zext(*base)),
                    (None, Some(Op::Sext(base))) => Simple::Op(Op::Sext(*base)),
                    _ => Simple::Op(Op::Sext(a)),
                }
            }
            Op::Concat(parts) => match parts.as_slice() {
                [one] => Simple::Same(get(one)),
                _ => match parts.iter().map(|p| self.constant(*p)).collect::<Option<Vec<_>>>() {
                    Some(all) => Simple::Op(Op::Const(fold::concat(&all, node.width))),
                    None => Simple::Op(Op::Concat(parts.iter().map(get).collect())),
                },
            },
            Op::Reduce(_, a) if width(*a) == 1 => Simple::Same(get(a)),
            Op::Reduce(op, a) => match self.constant(*a) {
                Some(bits) => Simple::Op(Op::Const(fold::reduce(*op, bits))),
                None => Simple::Op(Op::Reduce(*op, get(a))),
            },
            Op::Not(a) => match self.constant(*a) {
                Some(bits) => Simple::Op(Op::Const(fold::not(bits))),
                None => Simple::Op(Op::Not(get(a))),
            },
            Op::Mux { sel, t, f } => match self.constant(*sel) {
                Some(bits) => Simple::Same(get(if bits.bit(0) { t } else { f })),
                None if get(t) == get(f) || self.constant(*t).is_some() && self.constant(*t) == self.constant(*f) => {
                    Simple::Same(get(t))
                }
                None => Simple::Op(Op::Mux { sel: get(sel), t: get(t), f: get(f) }),
            },
            Op::Select { sel, cases } => match self.constant(*sel) {
                Some(bits) => {
                    let last = cases.len() - 1;
                    let index = bits.to_u64().map_or(last, |v| v.min(last as u64) as usize);
                    Simple::Same(get(&cases[index]))
                }
                None => Simple::Op(Op::Select { sel: get(sel), cases: cases.iter().map(get).collect() }),
            },
            // The factors of a product are extended to its width anyway.
            Op::Binary(op @ (BinOp::MulU | BinOp::MulS), a, b) => {
                let factor = |id: &NodeId| match (op, inner(get(id))) {
                    (_, Some(Op::Zext(base))) => (*base, true),
                    (BinOp::MulS, Some(Op::Sext(base))) => (*base, false),
                    _ => (get(id), *op == BinOp::MulU),
                };
                let ((a, a_unsigned), (b, b_unsigned)) = (factor(a), factor(b));
                Simple::Product(Op::Binary(*op, a, b), [a_unsigned, b_unsigned])
            }
            Op::Binary(op, a, b) => Simple::Op(Op::Binary(*op, get(a), get(b))),
            Op::Const(_) | Op::Input(_) | Op::Reg(_) | Op::MemRead { .. } | Op::InstOut { .. } => {
                Simple::Op(node.op.clone())
            }
        }
    }

    fn mark_live(&mut self, design: &Design, module: &Module) {
        let mut todo = Vec::new();
        for_each_root(design, module, |id| todo.push(self.resolve(id)));
        while let Some(id) = todo.pop() {
            if std::mem::replace(&mut self.live[id.index()], true) {
                continue;
            }
            for_each_operand(&self.ops[id.index()], |o| todo.push(o));
            if let Op::Reg(reg) = &self.ops[id.index()] {
                let reg = &module.regs[reg.index()];
                todo.extend(reg.next.into_iter().chain(reg.enable).map(|n| self.same_as[n.index()]));
            }
        }
        let live = &self.live;
        self.order.retain(|id| live[id.index()]);
    }

    fn group_registers(&mut self, module: &Module) {
        let mut index_of = HashMap::new();
        for (index, reg) in module.regs.iter().enumerate().filter(|(_, r)| self.live[r.node.index()]) {
            let always = |enable: &NodeId| self.constant(*enable).is_some_and(|b| b.bit(0));
            let enable = reg.enable.filter(|e| !always(e)).map(|e| self.resolve(e));
            let has_reset = reg.reset.is_some();
            let groups = &mut self.reg_groups;
            let group = *index_of.entry((has_reset, enable)).or_insert_with(|| {
                groups.push(RegGroup { has_reset, enable, regs: Vec::new() });
                groups.len() - 1
            });
            groups[group].regs.push(RegId(index as u32));
        }
    }

    fn count_uses(&mut self, design: &Design, module: &Module) {
        let uses = &mut self.uses;
        let same_as = &self.same_as;
        for_each_root(design, module, |id| uses[same_as[id.index()].index()] += 1);
        for group in &self.reg_groups {
            let next = group.regs.iter().filter_map(|r| module.regs[r.index()].next).map(|n| same_as[n.index()]);
            next.chain(group.enable).for_each(|n| uses[n.index()] += 1);
        }
        for id in &self.order {
            match &self.ops[id.index()] {
                // Repetitions are printed once, with a factor.
                Op::Concat(parts) => parts.chunk_by(|a, b| a == b).for_each(|run| uses[run[0].index()] += 1),
                op => for_each_operand(op, |o| uses[o.index()] += 1),
            }
        }
    }

    fn mark_sliced(&mut self, module: &Module, names: &NodeNames) {
        for id in &self.order {
            let mut mark = |id: NodeId| self.sliced[id.index()] = true;
            match &self.ops[id.index()] {
                Op::Slice { a, .. } => mark(*a),
                Op::Sext(a) if sign(&self.ops, module, names, *a) == Sign::TopBit => mark(*a),
                Op::Binary(BinOp::MulS, a, b) => {
                    for (factor, unsigned) in [*a, *b].into_iter().zip(self.unsigned_factors[id]) {
                        if !unsigned && sign(&self.ops, module, names, factor) == Sign::TopBit {
                            mark(factor);
                        }
                    }
                }
                Op::Binary(BinOp::Shl | BinOp::Shr | BinOp::Sra, _, amount)
                    if module.node(*amount).width > MAX_SHIFT_BITS
                        && !matches!(self.ops[amount.index()], Op::Const(_)) =>
                {
                    mark(*amount);
                }
                _ => {}
            }
        }
    }

    /// How to write the sign bit of `id`.
    pub fn sign(&self, module: &Module, names: &NodeNames, id: NodeId) -> Sign {
        sign(&self.ops, module, names, id)
    }

    /// Which factors of a product are extended with zeros.
    pub fn unsigned_factors(&self, product: NodeId) -> [bool; 2] {
        self.unsigned_factors[&product]
    }
}

/// Where the sign bit of a node is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    /// The node is a constant.
    Fixed,
    /// The node has one bit.
    Itself,
    /// The node is a selection of bits, written in place, of which the top one is this bit of this node.
    BitOf(NodeId, u32),
    /// The top bit of the node, which therefore must be an identifier.
    TopBit,
}

fn sign(ops: &[Op], module: &Module, names: &NodeNames, id: NodeId) -> Sign {
    let width = module.node(id).width;
    match &ops[id.index()] {
        Op::Const(_) => Sign::Fixed,
        _ if width == 1 => Sign::Itself,
        Op::Slice { a, lo } if names.nodes[id.index()].is_none() => Sign::BitOf(*a, lo + width - 1),
        _ => Sign::TopBit,
    }
}

enum Simple {
    Same(NodeId),
    Op(Op),
    /// With what [`Lowered::unsigned_factors`] says of it.
    Product(Op, [bool; 2]),
}

/// Drivers of output ports, read memories and instance inputs.
fn for_each_root(design: &Design, module: &Module, mut f: impl FnMut(NodeId)) {
    module.ports.iter().filter(|p| p.dir == Dir::Output).for_each(|p| f(p.node));
    for mem in module.mems.iter().filter(|m| !m.reads.is_empty()) {
        for_each_mem_input(mem, &mut f);
    }
    for instance in &module.instances {
        for_each_instance_input(design, instance, |_, node| f(node));
    }
}

fn for_each_mem_input(mem: &Mem, mut f: impl FnMut(NodeId)) {
    for read in &mem.reads {
        f(read.addr);
        read.enable.into_iter().for_each(&mut f);
    }
    for write in &mem.writes {
        [write.enable, write.addr, write.data].into_iter().for_each(&mut f);
    }
}

fn for_each_instance_input(design: &Design, instance: &Instance, mut f: impl FnMut(PortId, NodeId)) {
    let ports = &design.module(instance.module).ports;
    for (index, (port, connection)) in ports.iter().zip(&instance.connections).enumerate() {
        if let (Dir::Input, Some(node)) = (port.dir, connection) {
            f(PortId(index as u32), *node);
        }
    }
}

fn for_each_operand(op: &Op, mut f: impl FnMut(NodeId)) {
    match op {
        Op::Const(_) | Op::Input(_) | Op::Reg(_) | Op::MemRead { .. } | Op::InstOut { .. } | Op::Wire(None) => {}
        Op::Wire(Some(a)) | Op::Not(a) | Op::Slice { a, .. } | Op::Zext(a) | Op::Sext(a) | Op::Reduce(_, a) => f(*a),
        Op::Binary(_, a, b) => [*a, *b].into_iter().for_each(f),
        Op::Mux { sel, t, f: other } => [*sel, *t, *other].into_iter().for_each(f),
        Op::Select { sel, cases } => std::iter::once(sel).chain(cases).for_each(|c| f(*c)),
        Op::Concat(parts) => parts.iter().for_each(|p| f(*p)),
    }
}

/// All nodes in an order in which operands stand before what uses them, otherwise as created.
fn operands_first(module: &Module) -> Vec<NodeId> {
    let mut order = Vec::with_capacity(module.nodes.len());
    let mut entered = vec![false; module.nodes.len()];
    let mut done = vec![false; module.nodes.len()];
    let mut stack = Vec::new();
    for root in (0..module.nodes.len() as u32).map(NodeId) {
        stack.push(root);
        while let Some(id) = stack.last().copied() {
            if std::mem::replace(&mut entered[id.index()], true) {
                stack.pop();
                if !std::mem::replace(&mut done[id.index()], true) {
                    order.push(id);
                }
                continue;
            }
            let first = stack.len();
            module.for_each_operand(id, |o| {
                if !entered[o.index()] {
                    stack.push(o);
                }
            });
            stack[first..].reverse();
        }
    }
    order
}
