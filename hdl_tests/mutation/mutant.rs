//! One change in one place of a design.

use eva_rtl::hdl::Bits;
use eva_rtl::hdl::Design;
use eva_rtl::hdl::ir::{BinOp, Module, NodeId, Op, RedOp};
use std::fmt;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Mutant {
    /// Name of the module.
    pub module: String,
    index: usize,
    change: Change,
    /// What is changed, for people: source line and operation.
    place: String,
}

#[derive(Clone, Debug)]
enum Change {
    Replace(usize, Op),
    DropEnable(usize),
    InvertReset(usize),
}

impl Mutant {
    /// All changes of all modules that leave a well-formed design.
    pub fn all(design: &Design) -> Vec<Mutant> {
        let mut all = Vec::new();
        for (index, module) in design.modules.iter().enumerate() {
            let mut add = |change, place| all.push(Mutant { module: module.name.clone(), index, change, place });
            let live = live(module);
            for (i, node) in module.nodes.iter().enumerate().filter(|(i, _)| live[*i]) {
                for op in changes(module, NodeId(i as u32)) {
                    let name = node.name.as_deref().unwrap_or("_");
                    add(Change::Replace(i, op.clone()), format!("{} {name}: {} for {}", node.loc, short(&op), short(&node.op)));
                }
            }
            for (i, reg) in module.regs.iter().enumerate().filter(|(_, r)| live[r.node.index()]) {
                let name = module.node(reg.node).name.as_deref().unwrap_or("_");
                if reg.enable.is_some() {
                    add(Change::DropEnable(i), format!("{} {name}: without enable", reg.loc));
                }
                if reg.reset.is_some() {
                    add(Change::InvertReset(i), format!("{} {name}: other reset value", reg.loc));
                }
            }
        }
        all
    }

    pub fn apply(&self, mut design: Design) -> Design {
        let module = Rc::make_mut(&mut design.modules[self.index]);
        match &self.change {
            Change::Replace(node, op) => module.nodes[*node].op = op.clone(),
            Change::DropEnable(reg) => module.regs[*reg].enable = None,
            Change::InvertReset(reg) => {
                let reset = module.regs[*reg].reset.as_mut().expect("has a reset value");
                *reset = Bits::from_u64(reset.words()[0] ^ 1, reset.width());
            }
        }
        design
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} in {}", self.place, self.module)
    }
}

fn short(op: &Op) -> String {
    let text = format!("{op:?}");
    text.chars().take(60).collect()
}

/// Nodes that something observable depends on.
fn live(module: &Module) -> Vec<bool> {
    let mut live = vec![false; module.nodes.len()];
    let mut work: Vec<NodeId> = module.ports.iter().map(|p| p.node).collect();
    work.extend(module.instances.iter().flat_map(|i| i.connections.iter().flatten()));
    work.extend(module.mems.iter().flat_map(|m| m.writes.iter().flat_map(|w| [w.addr, w.data, w.enable])));
    work.extend(module.mems.iter().flat_map(|m| m.reads.iter().map(|r| r.addr)));
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut live[node.index()], true) {
            continue;
        }
        module.for_each_operand(node, |operand| work.push(operand));
        if let Op::Reg(reg) = module.node(node).op {
            let reg = &module.regs[reg.index()];
            work.extend(reg.next.iter().chain(&reg.enable));
        }
    }
    live
}

fn changes(module: &Module, id: NodeId) -> Vec<Op> {
    let node = module.node(id);
    let width = |n: &NodeId| module.node(*n).width;
    match &node.op {
        Op::Binary(op, a, b) => {
            let others: &[BinOp] = match op {
                BinOp::And => &[BinOp::Or],
                BinOp::Or => &[BinOp::And, BinOp::Xor],
                BinOp::Xor => &[BinOp::Or],
                BinOp::Add => &[BinOp::Sub],
                BinOp::Sub => &[BinOp::Add],
                BinOp::Eq => &[BinOp::Ne],
                BinOp::Ne => &[BinOp::Eq],
                BinOp::LtU => &[BinOp::LeU],
                BinOp::LeU => &[BinOp::LtU],
                BinOp::Shl => &[BinOp::Shr],
                BinOp::Shr => &[BinOp::Shl],
                BinOp::MulU | BinOp::MulS | BinOp::LtS | BinOp::LeS | BinOp::Sra => &[],
            };
            others.iter().map(|op| Op::Binary(*op, *a, *b)).collect()
        }
        Op::Mux { sel, t, f } => vec![Op::Mux { sel: *sel, t: *f, f: *t }, Op::Wire(Some(*f))],
        Op::Not(a) => vec![Op::Wire(Some(*a))],
        Op::Reduce(op, a) => vec![Op::Reduce(if *op == RedOp::Or { RedOp::And } else { RedOp::Or }, *a)],
        Op::Slice { a, lo } if lo + node.width < width(a) => vec![Op::Slice { a: *a, lo: lo + 1 }],
        Op::Slice { a, lo } if *lo > 0 => vec![Op::Slice { a: *a, lo: lo - 1 }],
        Op::Sext(a) => vec![Op::Zext(*a)],
        Op::Concat(parts) if parts.len() == 2 && width(&parts[0]) == width(&parts[1]) => vec![Op::Concat(vec![parts[1], parts[0]])],
        Op::Const(value) if value.width() <= 64 => vec![Op::Const(Bits::from_u64(value.words()[0] ^ 1, value.width()))],
        _ => Vec::new(),
    }
}
