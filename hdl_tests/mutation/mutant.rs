//! One change in one place of a design.

use crate::describe::Describe;
use eva_rtl::hdl::Bits;
use eva_rtl::hdl::Design;
use eva_rtl::hdl::ir::{BinOp, Dir, Loc, Module, NodeId, Op, RedOp};
use std::collections::HashMap;
use std::fmt;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub struct Mutant {
    pub place: Place,
    /// What is changed, for people: `name: before -> after`.
    text: String,
    /// Index of the module in the design.
    module: usize,
    change: Change,
}

/// A place of the generator and what is done to it: what is the same in every core that has it, so without numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// Name of the module, without the sizes in it.
    pub module: String,
    /// Source file and line.
    line: String,
    /// `name: before -> after`, with `#` for numbers.
    pub change: String,
    /// Number among equal changes of the module, from 0.
    number: u32,
}

#[derive(Clone, Debug)]
enum Change {
    Replace(usize, Op),
    DropEnable(usize),
    InvertReset(usize),
    /// The drivers of two inputs of an instance.
    Exchange(usize, [usize; 2]),
}

impl Mutant {
    /// All changes of all modules that leave a well-formed design.
    pub fn all(design: &Design) -> Vec<Mutant> {
        let mut all = Vec::new();
        let mut numbers = HashMap::new();
        for (index, module) in design.modules.iter().enumerate() {
            let mut add = |change, name: Option<&str>, loc: Loc, text: String| {
                let text = name.map_or(text.clone(), |name| format!("{name}: {text}"));
                let line = format!("{}:{}", loc.0.file(), loc.0.line());
                let mut place = Place { module: family(&module.name), line, change: without_numbers(&text), number: 0 };
                let number = numbers.entry(place.clone()).or_insert(0);
                place.number = std::mem::replace(number, *number + 1);
                all.push(Mutant { place, text, module: index, change });
            };
            let describe = Describe { design, module };
            let live = live(module);
            for (i, node) in module.nodes.iter().enumerate().filter(|(i, _)| live[*i]) {
                let id = NodeId(i as u32);
                for op in changes(module, id) {
                    let [before, after] = [&node.op, &op].map(|op| describe.operation(op, node.width));
                    let used =
                        if matches!(op, Op::Const(_)) { format!(" in {}", describe.user(id)) } else { String::new() };
                    add(Change::Replace(i, op), node.name.as_deref(), node.loc, format!("{before} -> {after}{used}"));
                }
            }
            for (i, reg) in module.regs.iter().enumerate().filter(|(_, r)| live[r.node.index()]) {
                let name = module.node(reg.node).name.as_deref();
                if reg.enable.is_some() {
                    add(Change::DropEnable(i), name, reg.loc, "without enable".to_owned());
                }
                if reg.reset.is_some() {
                    add(Change::InvertReset(i), name, reg.loc, "other reset value".to_owned());
                }
            }
            for (i, instance) in module.instances.iter().enumerate() {
                let ports = &design.module(instance.module).ports;
                let inputs: Vec<usize> = (0..ports.len()).filter(|p| ports[*p].dir == Dir::Input).collect();
                for pair in inputs.windows(2).map(|pair| [pair[0], pair[1]]) {
                    let [a, b] = pair.map(|p| &ports[p]);
                    if a.width == b.width && instance.connections[pair[0]] != instance.connections[pair[1]] {
                        let text = format!("{} exchanged with {}", a.name, b.name);
                        add(Change::Exchange(i, pair), Some(&instance.name), instance.loc, text);
                    }
                }
            }
        }
        all
    }

    /// The design with this change; it must be elaborated from the same parameters as the one in which the change was found.
    pub fn apply(&self, mut design: Design) -> Design {
        let module = Rc::make_mut(&mut design.modules[self.module]);
        match &self.change {
            Change::Replace(node, op) => module.nodes[*node].op = op.clone(),
            Change::DropEnable(reg) => module.regs[*reg].enable = None,
            Change::InvertReset(reg) => {
                let reset = module.regs[*reg].reset.as_mut().expect("has a reset value");
                *reset = Bits::from_u64(reset.words()[0] ^ 1, reset.width());
            }
            Change::Exchange(instance, [a, b]) => module.instances[*instance].connections.swap(*a, *b),
        }
        design
    }
}

impl fmt::Display for Mutant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({}): {}", self.place.module, self.place.line, self.text)
    }
}

/// Every number replaced by `#`.
fn without_numbers(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '0'..='9' if out.ends_with('#') => {}
            '0'..='9' => out.push('#'),
            other => out.push(other),
        }
    }
    out
}

/// The name of a module without sizes at its end: `eva_fifo` for `eva_fifo_16x17`.
fn family(module: &str) -> String {
    let name = module.trim_end_matches(|c: char| c.is_ascii_digit() || c == 'x' || c == '_');
    name.to_owned()
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
        Op::Mux { sel, t, f } => {
            vec![Op::Mux { sel: *sel, t: *f, f: *t }, Op::Wire(Some(*f)), Op::Wire(Some(*t))]
        }
        Op::Select { sel, cases } => {
            let mut rotated = cases.clone();
            rotated.rotate_left(1);
            vec![Op::Select { sel: *sel, cases: rotated }]
        }
        Op::Not(a) => vec![Op::Wire(Some(*a))],
        Op::Reduce(op, a) => vec![Op::Reduce(if *op == RedOp::Or { RedOp::And } else { RedOp::Or }, *a)],
        Op::Slice { a, lo } if lo + node.width < width(a) => vec![Op::Slice { a: *a, lo: lo + 1 }],
        Op::Slice { a, lo } if *lo > 0 => vec![Op::Slice { a: *a, lo: lo - 1 }],
        Op::Sext(a) => vec![Op::Zext(*a)],
        Op::Concat(parts) => {
            let differ = |i: &usize| parts[*i] != parts[i + 1] && width(&parts[*i]) == width(&parts[i + 1]);
            let swapped = |i| {
                let mut swapped = parts.clone();
                swapped.swap(i, i + 1);
                Op::Concat(swapped)
            };
            (0..parts.len() - 1).find(differ).map(swapped).into_iter().collect()
        }
        Op::Const(value) if value.width() <= 64 => vec![Op::Const(Bits::from_u64(value.words()[0] ^ 1, value.width()))],
        _ => Vec::new(),
    }
}
