//! A slow evaluator of the elaborated form, bit by bit, that shares nothing with the simulator.

use eva_rtl::hdl::bits::Bits;
use eva_rtl::hdl::ir::*;
use std::collections::HashMap;

/// Bits, least significant first.
type Value = Vec<bool>;

pub fn to_value(bits: &Bits) -> Value {
    (0..bits.width()).map(|i| bits.bit(i)).collect()
}

pub fn to_bits(value: &Value) -> Bits {
    let mut words = vec![0u64; value.len().div_ceil(64)];
    for (i, bit) in value.iter().enumerate() {
        words[i / 64] |= u64::from(*bit) << (i % 64);
    }
    Bits::from_words(&words, value.len() as u32)
}

/// State of a module instance and of those below it. Powers up with zeros or with reset values.
struct Instance {
    module: usize,
    regs: Vec<Value>,
    mems: Vec<Vec<Value>>,
    /// By memory and read port: the data of synchronous reads.
    reads: Vec<Vec<Value>>,
    children: Vec<Instance>,
}

pub struct Reference<'d> {
    design: &'d Design,
    top: Instance,
    inputs: HashMap<PortId, Value>,
}

/// Values of nodes that are known in this cycle, by the path of instances.
type Known = HashMap<(Vec<usize>, NodeId), Value>;

impl<'d> Reference<'d> {
    pub fn new(design: &'d Design) -> Reference<'d> {
        let top = power_up(design, design.top.index());
        let ports = design.top_module().ports.iter().enumerate();
        let inputs = ports.map(|(i, p)| (PortId(i as u32), vec![false; p.width as usize])).collect();
        Reference { design, top, inputs }
    }

    pub fn set(&mut self, port: PortId, value: &Bits) {
        self.inputs.insert(port, to_value(value));
    }

    /// The value of the node of a top-level port.
    pub fn get(&self, port: PortId) -> Bits {
        let node = self.design.top_module().ports[port.index()].node;
        to_bits(&self.eval(&mut Known::new(), &[], node))
    }

    pub fn ports(&self, ports: &[PortId]) -> Vec<Bits> {
        let mut known = Known::new();
        let nodes = ports.iter().map(|p| self.design.top_module().ports[p.index()].node);
        nodes.map(|node| to_bits(&self.eval(&mut known, &[], node))).collect()
    }

    fn instance(&self, path: &[usize]) -> &Instance {
        path.iter().fold(&self.top, |instance, child| &instance.children[*child])
    }

    fn eval(&self, known: &mut Known, path: &[usize], id: NodeId) -> Value {
        if let Some(value) = known.get(&(path.to_vec(), id)) {
            return value.clone();
        }
        let instance = self.instance(path);
        let module = &self.design.modules[instance.module];
        let node = module.node(id);
        let width = node.width as usize;
        let mut get = |id: &NodeId| self.eval(known, path, *id);
        let value = match &node.op {
            Op::Const(bits) => to_value(bits),
            Op::Input(port) => match path.split_last() {
                None => self.inputs[port].clone(),
                Some((child, parent)) => {
                    let parent_module = &self.design.modules[self.instance(parent).module];
                    let driver = parent_module.instances[*child].connections[port.index()].unwrap();
                    self.eval(known, parent, driver)
                }
            },
            Op::Wire(driver) => get(&driver.unwrap()),
            Op::Reg(reg) => instance.regs[reg.index()].clone(),
            Op::MemRead { mem, port } => {
                let m = &module.mems[mem.index()];
                if m.read_latency == 1 {
                    instance.reads[mem.index()][*port as usize].clone()
                } else {
                    let addr = number(&get(&m.reads[*port as usize].addr));
                    instance.mems[mem.index()].get(addr).cloned().unwrap_or(vec![false; width])
                }
            }
            Op::InstOut { inst, port } => {
                let mut child = path.to_vec();
                child.push(inst.index());
                let node = self.design.modules[self.instance(&child).module].ports[port.index()].node;
                self.eval(known, &child, node)
            }
            Op::Not(a) => get(a).iter().map(|b| !b).collect(),
            Op::Binary(op, a, b) => binary(*op, &get(a), &get(b)),
            Op::Mux { sel, t, f } => {
                let chosen = if get(sel)[0] { t } else { f };
                get(chosen)
            }
            Op::Select { sel, cases } => {
                let index = number(&get(sel)).min(cases.len() - 1);
                get(&cases[index])
            }
            Op::Concat(parts) => parts.iter().rev().flat_map(&mut get).collect(),
            Op::Slice { a, lo } => get(a)[*lo as usize..][..width].to_vec(),
            Op::Zext(a) => {
                let mut value = get(a);
                value.resize(width, false);
                value
            }
            Op::Sext(a) => extend(&get(a), width),
            Op::Reduce(op, a) => {
                let a = get(a);
                vec![match op {
                    RedOp::And => a.iter().all(|b| *b),
                    RedOp::Or => a.iter().any(|b| *b),
                    RedOp::Xor => a.iter().filter(|b| **b).count() % 2 == 1,
                }]
            }
        };
        assert_eq!(value.len(), width, "{:?}", node.op);
        known.insert((path.to_vec(), id), value.clone());
        value
    }

    pub fn step(&mut self, reset: bool) {
        let mut known = Known::new();
        let next = self.next_state(&mut known, &[], &self.top, reset);
        self.top = next;
    }

    fn next_state(&self, known: &mut Known, path: &[usize], now: &Instance, reset: bool) -> Instance {
        let module = &self.design.modules[now.module];
        let regs = module.regs.iter().zip(&now.regs).map(|(reg, value)| match (&reg.reset, reg.enable) {
            (Some(v), _) if reset => to_value(v),
            (_, Some(enable)) if !self.eval(known, path, enable)[0] => value.clone(),
            _ => self.eval(known, path, reg.next.unwrap()),
        });
        let regs = regs.collect();
        let mut mems = now.mems.clone();
        let mut reads = now.reads.clone();
        for (m, mem) in module.mems.iter().enumerate() {
            let mut written = Vec::new();
            for w in &mem.writes {
                let addr = number(&self.eval(known, path, w.addr));
                if self.eval(known, path, w.enable)[0] && addr < mem.depth as usize {
                    mems[m][addr] = self.eval(known, path, w.data);
                    written.push(addr);
                }
            }
            for (r, read) in mem.reads.iter().enumerate().filter(|_| mem.read_latency == 1) {
                if read.enable.is_some_and(|e| !self.eval(known, path, e)[0]) {
                    continue;
                }
                let addr = number(&self.eval(known, path, read.addr));
                reads[m][r] = match mem.collision {
                    _ if addr >= mem.depth as usize => vec![false; mem.width as usize],
                    Collision::ReadOld => now.mems[m][addr].clone(),
                    Collision::Undefined if written.contains(&addr) => mems[m][addr].iter().map(|b| !b).collect(),
                    Collision::ReadNew | Collision::Undefined => mems[m][addr].clone(),
                };
            }
        }
        let mut children = Vec::new();
        for (i, child) in now.children.iter().enumerate() {
            let mut below = path.to_vec();
            below.push(i);
            children.push(self.next_state(known, &below, child, reset));
        }
        Instance { module: now.module, regs, mems, reads, children }
    }
}

fn power_up(design: &Design, module: usize) -> Instance {
    let m = &design.modules[module];
    let zero = |width: u32| vec![false; width as usize];
    Instance {
        module,
        regs: m.regs.iter().map(|r| r.reset.as_ref().map_or(zero(m.node(r.node).width), to_value)).collect(),
        mems: m
            .mems
            .iter()
            .map(|mem| match &mem.init {
                Some(words) => words.iter().map(to_value).collect(),
                None => vec![zero(mem.width); mem.depth as usize],
            })
            .collect(),
        reads: m.mems.iter().map(|mem| vec![zero(mem.width); mem.reads.len()]).collect(),
        children: m.instances.iter().map(|i| power_up(design, i.module.index())).collect(),
    }
}

/// An unsigned value, saturated.
fn number(value: &Value) -> usize {
    value.iter().enumerate().filter(|(_, b)| **b).map(|(i, _)| if i < 40 { 1 << i } else { 1 << 40 }).sum()
}

fn extend(a: &Value, width: usize) -> Value {
    (0..width).map(|i| a[i.min(a.len() - 1)]).collect()
}

fn add(a: &Value, b: &Value, mut carry: bool) -> Value {
    let mut sum = Vec::new();
    for (x, y) in a.iter().zip(b) {
        let ones = u8::from(*x) + u8::from(*y) + u8::from(carry);
        sum.push(ones % 2 == 1);
        carry = ones >= 2;
    }
    sum
}

fn not(a: &Value) -> Value {
    a.iter().map(|b| !b).collect()
}

/// `width` low bits of the product of unsigned values of `width` bits.
fn multiply(a: &Value, b: &Value) -> Value {
    let mut sum = vec![false; a.len()];
    for i in (0..a.len()).filter(|i| a[*i]) {
        let shifted = (0..a.len()).map(|k| k >= i && b[k - i]).collect();
        sum = add(&sum, &shifted, false);
    }
    sum
}

fn less(a: &Value, b: &Value) -> bool {
    (0..a.len()).rev().find(|i| a[*i] != b[*i]).is_some_and(|i| b[i])
}

fn less_signed(a: &Value, b: &Value) -> bool {
    let flip = |v: &Value| {
        let mut v = v.clone();
        let top = v.len() - 1;
        v[top] = !v[top];
        v
    };
    less(&flip(a), &flip(b))
}

fn binary(op: BinOp, a: &Value, b: &Value) -> Value {
    let bitwise = |f: fn(bool, bool) -> bool| a.iter().zip(b).map(|(x, y)| f(*x, *y)).collect();
    let width = a.len();
    let zext = |v: &Value, width: usize| (0..width).map(|i| i < v.len() && v[i]).collect();
    match op {
        BinOp::And => bitwise(|x, y| x & y),
        BinOp::Or => bitwise(|x, y| x | y),
        BinOp::Xor => bitwise(|x, y| x ^ y),
        BinOp::Add => add(a, b, false),
        BinOp::Sub => add(a, &not(b), true),
        BinOp::MulU => multiply(&zext(a, width + b.len()), &zext(b, width + b.len())),
        BinOp::MulS => multiply(&extend(a, width + b.len()), &extend(b, width + b.len())),
        BinOp::Eq => vec![a == b],
        BinOp::Ne => vec![a != b],
        BinOp::LtU => vec![less(a, b)],
        BinOp::LeU => vec![!less(b, a)],
        BinOp::LtS => vec![less_signed(a, b)],
        BinOp::LeS => vec![!less_signed(b, a)],
        BinOp::Shl => (0..width).map(|i| i >= number(b) && a[i - number(b)]).collect(),
        BinOp::Shr => (0..width).map(|i| i + number(b) < width && a[i + number(b)]).collect(),
        BinOp::Sra => (0..width).map(|i| a[(i + number(b)).min(width - 1)]).collect(),
    }
}
