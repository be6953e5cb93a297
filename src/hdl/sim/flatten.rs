//! From the hierarchy of modules to one [`Graph`]: instances, wires and port connections disappear, and only what the
//! outputs (and, on request, the named signals) depend on is kept.

use super::SimError;
use super::graph::Graph;
use super::power_up::PowerUp;
use crate::hdl::bits::Bits;
use crate::hdl::ir::{Collision, Design, Instance, MemId, Module, ModuleId, NodeId, Op, PortId, RegId};
use crate::hdl::names::NodeNames;

/// The design without hierarchy. Ids in [`Op::Reg`] and [`Op::MemRead`] of the graph index `regs` and `mems`.
pub struct Flat {
    pub graph: Graph,
    /// For each port of the top module the node of its value.
    pub ports: Vec<NodeId>,
    pub regs: Vec<FlatReg>,
    pub mems: Vec<FlatMem>,
    /// Instances; the first is the top module. Parents come before their children.
    pub scopes: Vec<FlatScope>,
    /// Ports, registers and named nodes of all instances, grouped by scope; empty unless names are kept.
    pub signals: Vec<FlatSignal>,
}

pub struct FlatReg {
    pub node: NodeId,
    /// Value after the clock edge without reset; the enable is part of it.
    pub next: NodeId,
    pub reset: Option<Bits>,
    pub power_up: Bits,
}

pub struct FlatMem {
    /// Hierarchical path.
    pub path: String,
    pub depth: u32,
    pub width: u32,
    /// `depth` words of `words_for(width)` machine words.
    pub content: Vec<u64>,
    pub read_latency: u32,
    pub collision: Collision,
    /// `None` for a port whose data nobody uses.
    pub reads: Vec<Option<FlatRead>>,
    pub writes: Vec<FlatWrite>,
}

pub struct FlatRead {
    /// The node of its data.
    pub node: NodeId,
    pub addr: NodeId,
    pub enable: Option<NodeId>,
    /// Of a read with latency 1.
    pub power_up: Bits,
}

pub struct FlatWrite {
    pub addr: NodeId,
    pub data: NodeId,
    pub enable: NodeId,
}

pub struct FlatScope {
    pub name: String,
    pub parent: Option<u32>,
}

pub struct FlatSignal {
    pub scope: u32,
    pub name: String,
    pub node: NodeId,
    pub is_register: bool,
}

/// An instance of a module. Its nodes, registers and memories are numbered from the bases on.
struct Scope<'d> {
    id: ModuleId,
    module: &'d Module,
    parent: Option<(u32, &'d Instance)>,
    children: Vec<u32>,
    nodes: u32,
    regs: u32,
    mems: u32,
}

/// A node of an instance.
#[derive(Clone, Copy, PartialEq)]
struct At {
    scope: u32,
    node: NodeId,
}

const ABSENT: u32 = u32::MAX;
/// Mark of a node whose operands are being visited: meeting it again closes a loop.
const OPEN: u32 = u32::MAX - 1;

struct Flattener<'d> {
    scopes: Vec<Scope<'d>>,
    power_up: PowerUp,
    graph: Graph,
    /// By global node number: the node in the graph, `ABSENT` or `OPEN`.
    values: Vec<u32>,
    /// By global register number: index into `regs` or `ABSENT`; likewise for memories.
    reg_ids: Vec<u32>,
    mem_ids: Vec<u32>,
    regs: Vec<(At, RegId)>,
    mems: Vec<(u32, MemId)>,
    /// By index of `mems` and read port: the node of its data.
    mem_reads: Vec<Vec<Option<NodeId>>>,
}

/// Flattens a checked design.
pub fn flatten(design: &Design, keep_names: bool, power_up: PowerUp) -> Result<Flat, SimError> {
    let scopes = instantiate(design);
    let count =
        |of: fn(&Scope) -> u32, len: fn(&Module) -> usize| scopes.last().map_or(0, |s| of(s) as usize + len(s.module));
    let mut f = Flattener {
        values: vec![ABSENT; count(|s| s.nodes, |m| m.nodes.len())],
        reg_ids: vec![ABSENT; count(|s| s.regs, |m| m.regs.len())],
        mem_ids: vec![ABSENT; count(|s| s.mems, |m| m.mems.len())],
        scopes,
        power_up,
        graph: Graph::default(),
        regs: Vec::new(),
        mems: Vec::new(),
        mem_reads: Vec::new(),
    };
    let top = f.scopes[0].module;
    let ports = top.ports.iter().map(|p| f.visit(At { scope: 0, node: p.node })).collect::<Result<Vec<_>, _>>()?;
    let signals = if keep_names { f.visit_names(design)? } else { Vec::new() };
    let (regs, mems) = f.visit_state()?;
    let scopes = f.scopes.iter().map(|s| FlatScope {
        name: s.parent.map_or(&s.module.name, |(_, instance)| &instance.name).clone(),
        parent: s.parent.map(|(parent, _)| parent),
    });
    Ok(Flat { ports, regs, mems, scopes: scopes.collect(), signals, graph: f.graph })
}

/// All instances of the hierarchy, breadth first.
fn instantiate(design: &Design) -> Vec<Scope<'_>> {
    let new = |id, parent, bases: (u32, u32, u32)| Scope {
        id,
        module: design.module(id),
        parent,
        children: Vec::new(),
        nodes: bases.0,
        regs: bases.1,
        mems: bases.2,
    };
    let mut bases = (0, 0, 0);
    let advance = |bases: &mut (u32, u32, u32), m: &Module| {
        bases.0 += m.nodes.len() as u32;
        bases.1 += m.regs.len() as u32;
        bases.2 += m.mems.len() as u32;
    };
    let mut scopes = vec![new(design.top, None, bases)];
    advance(&mut bases, design.top_module());
    let mut next = 0;
    while next < scopes.len() {
        let module = scopes[next].module;
        for instance in &module.instances {
            let child = design.module(instance.module);
            let id = scopes.len() as u32;
            scopes.push(new(instance.module, Some((next as u32, instance)), bases));
            advance(&mut bases, child);
            scopes[next].children.push(id);
        }
        next += 1;
    }
    scopes
}

impl<'d> Flattener<'d> {
    fn scope(&self, at: At) -> &Scope<'d> {
        &self.scopes[at.scope as usize]
    }

    fn op(&self, at: At) -> &'d Op {
        &self.scope(at).module.node(at.node).op
    }

    fn key(&self, at: At) -> usize {
        (self.scope(at).nodes + at.node.0) as usize
    }

    /// The graph node of a node and, first, of all it depends on within the cycle. Not recursive: chains may be long.
    fn visit(&mut self, root: At) -> Result<NodeId, SimError> {
        let mut stack: Vec<(At, usize)> = Vec::new();
        self.enter(root, &mut stack)?;
        while let Some((at, next)) = stack.last_mut() {
            let (at, index) = (*at, *next);
            *next += 1;
            match self.operand(at, index)? {
                Some(operand) => self.enter(operand, &mut stack)?,
                None => {
                    let value = self.convert(at)?;
                    let key = self.key(at);
                    self.values[key] = value.0;
                    stack.pop();
                }
            }
        }
        Ok(self.value(root))
    }

    fn enter(&mut self, at: At, stack: &mut Vec<(At, usize)>) -> Result<(), SimError> {
        let key = self.key(at);
        match self.values[key] {
            ABSENT => {
                self.values[key] = OPEN;
                stack.push((at, 0));
                Ok(())
            }
            OPEN => {
                let start = stack.iter().position(|(open, _)| *open == at).unwrap_or(0);
                let path = stack[start..].iter().map(|(open, _)| self.describe(*open)).collect();
                Err(SimError::Loop { path })
            }
            _ => Ok(()),
        }
    }

    /// The graph node of a visited node.
    fn value(&self, at: At) -> NodeId {
        NodeId(self.values[self.key(at)])
    }

    /// Operand `index` of a node within the cycle, looking through instance boundaries.
    fn operand(&self, at: At, index: usize) -> Result<Option<At>, SimError> {
        let scope = self.scope(at);
        let here = |node: NodeId| Some(At { scope: at.scope, node });
        let nth = |nodes: &[NodeId]| nodes.get(index).and_then(|n| here(*n));
        Ok(match self.op(at) {
            Op::Const(_) | Op::Reg(_) => None,
            Op::Input(_) | Op::Wire(_) | Op::InstOut { .. } => {
                if index == 0 {
                    self.driver(at)?
                } else {
                    None
                }
            }
            Op::MemRead { mem, port } => {
                let mem = &scope.module.mems[mem.index()];
                if mem.read_latency == 0 { nth(&[mem.reads[*port as usize].addr]) } else { None }
            }
            Op::Not(a) | Op::Slice { a, .. } | Op::Zext(a) | Op::Sext(a) | Op::Reduce(_, a) => nth(&[*a]),
            Op::Binary(_, a, b) => nth(&[*a, *b]),
            Op::Mux { sel, t, f } => nth(&[*sel, *t, *f]),
            Op::Select { sel, cases } => {
                if index == 0 {
                    here(*sel)
                } else {
                    cases.get(index - 1).and_then(|c| here(*c))
                }
            }
            Op::Concat(parts) => nth(parts),
        })
    }

    /// What a wire, an input or an instance output stands for; `None` for an input of the top module.
    fn driver(&self, at: At) -> Result<Option<At>, SimError> {
        let scope = self.scope(at);
        let undriven = || SimError::Undriven { path: self.describe(at) };
        match self.op(at) {
            Op::Wire(driver) => Ok(Some(At { scope: at.scope, node: driver.ok_or_else(undriven)? })),
            Op::Input(port) => match scope.parent {
                Some((parent, instance)) => {
                    let node = instance.connections[port.index()].ok_or_else(undriven)?;
                    Ok(Some(At { scope: parent, node }))
                }
                None => Ok(None),
            },
            Op::InstOut { inst, port } => {
                let child = scope.children[inst.index()];
                let node = self.scopes[child as usize].module.ports[port.index()].node;
                Ok(Some(At { scope: child, node }))
            }
            _ => Ok(None),
        }
    }

    /// Adds a node, whose operands have been visited, to the graph.
    fn convert(&mut self, at: At) -> Result<NodeId, SimError> {
        let &Scope { module, regs, mems, .. } = self.scope(at);
        let width = module.node(at.node).width;
        let value = |node: &NodeId| self.value(At { scope: at.scope, node: *node });
        let op = match self.op(at) {
            Op::Wire(_) | Op::Input(_) | Op::InstOut { .. } => match self.driver(at)? {
                Some(driver) => return Ok(self.value(driver)),
                None => self.op(at).clone(),
            },
            Op::Const(bits) => Op::Const(bits.clone()),
            Op::Reg(reg) => {
                let key = regs as usize + reg.index();
                if self.reg_ids[key] == ABSENT {
                    self.reg_ids[key] = self.regs.len() as u32;
                    self.regs.push((at, *reg));
                }
                Op::Reg(RegId(self.reg_ids[key]))
            }
            Op::MemRead { mem, port } => {
                let key = mems as usize + mem.index();
                if self.mem_ids[key] == ABSENT {
                    self.mem_ids[key] = self.mems.len() as u32;
                    self.mems.push((at.scope, *mem));
                    self.mem_reads.push(vec![None; module.mems[mem.index()].reads.len()]);
                }
                let id = self.mem_ids[key];
                let node = self.graph.add(Op::MemRead { mem: MemId(id), port: *port }, width);
                self.mem_reads[id as usize][*port as usize] = Some(node);
                return Ok(node);
            }
            Op::Not(a) => Op::Not(value(a)),
            Op::Binary(op, a, b) => Op::Binary(*op, value(a), value(b)),
            Op::Mux { sel, t, f } => Op::Mux { sel: value(sel), t: value(t), f: value(f) },
            Op::Select { sel, cases } => Op::Select { sel: value(sel), cases: cases.iter().map(value).collect() },
            Op::Concat(parts) => Op::Concat(parts.iter().map(value).collect()),
            Op::Slice { a, lo } => Op::Slice { a: value(a), lo: *lo },
            Op::Zext(a) => Op::Zext(value(a)),
            Op::Sext(a) => Op::Sext(value(a)),
            Op::Reduce(op, a) => Op::Reduce(*op, value(a)),
        };
        Ok(self.graph.add(op, width))
    }

    /// Visits the inputs of all registers and memories met so far, which may bring in more of them.
    fn visit_state(&mut self) -> Result<(Vec<FlatReg>, Vec<FlatMem>), SimError> {
        let mut regs = Vec::new();
        let mut visited_mems = 0;
        // Read ports, too, may come to be used late; they are cheap to look through again.
        loop {
            if regs.len() < self.regs.len() {
                let (at, reg) = self.regs[regs.len()];
                regs.push(self.visit_reg(at, reg)?);
            } else if visited_mems < self.mems.len() {
                self.visit_writes(visited_mems)?;
                visited_mems += 1;
            } else {
                let before = (self.regs.len(), self.mems.len(), self.used_reads());
                (0..self.mems.len()).try_for_each(|m| self.visit_reads(m).map(drop))?;
                if before == (self.regs.len(), self.mems.len(), self.used_reads()) {
                    break;
                }
            }
        }
        let mems = (0..self.mems.len()).map(|m| self.build_mem(m)).collect::<Result<_, _>>()?;
        Ok((regs, mems))
    }

    fn used_reads(&self) -> usize {
        self.mem_reads.iter().flatten().flatten().count()
    }

    fn visit_reg(&mut self, at: At, id: RegId) -> Result<FlatReg, SimError> {
        let module = self.scope(at).module;
        let reg = &module.regs[id.index()];
        let width = module.node(at.node).width;
        let undriven = || SimError::Undriven { path: self.describe(at) };
        let next = reg.next.ok_or_else(undriven)?;
        let mut next = self.visit(At { scope: at.scope, node: next })?;
        let node = self.value(at);
        if let Some(enable) = reg.enable {
            let sel = self.visit(At { scope: at.scope, node: enable })?;
            next = self.graph.add(Op::Mux { sel, t: next, f: node }, width);
        }
        let power_up = match &reg.reset {
            Some(value) => value.clone(),
            None => self.power_up.value(self.key(at) as u64, width),
        };
        Ok(FlatReg { node, next, reset: reg.reset.clone(), power_up })
    }

    fn visit_writes(&mut self, index: usize) -> Result<Vec<FlatWrite>, SimError> {
        let (scope, mem) = self.mems[index];
        let module = self.scopes[scope as usize].module;
        let writes = module.mems[mem.index()].writes.iter().map(|w| {
            Ok(FlatWrite {
                addr: self.visit(At { scope, node: w.addr })?,
                data: self.visit(At { scope, node: w.data })?,
                enable: self.visit(At { scope, node: w.enable })?,
            })
        });
        writes.collect()
    }

    fn visit_reads(&mut self, index: usize) -> Result<Vec<Option<FlatRead>>, SimError> {
        let (scope, mem) = self.mems[index];
        let module = self.scopes[scope as usize].module;
        let mem = &module.mems[mem.index()];
        let mut reads = Vec::with_capacity(mem.reads.len());
        for (port, read) in mem.reads.iter().enumerate() {
            let Some(node) = self.mem_reads[index][port] else {
                reads.push(None);
                continue;
            };
            let enable = read.enable.map(|node| self.visit(At { scope, node })).transpose()?;
            let power_up = self.power_up.value(self.key(At { scope, node: read.node }) as u64, mem.width);
            reads.push(Some(FlatRead { node, addr: self.visit(At { scope, node: read.addr })?, enable, power_up }));
        }
        Ok(reads)
    }

    fn build_mem(&mut self, index: usize) -> Result<FlatMem, SimError> {
        let (scope, id) = self.mems[index];
        let module = self.scopes[scope as usize].module;
        let mem = &module.mems[id.index()];
        let content = match &mem.init {
            Some(words) => words.iter().flat_map(|w| w.words()).copied().collect(),
            None => {
                let number = u64::from(self.scopes[scope as usize].mems) + id.index() as u64;
                self.power_up.memory(number, mem.depth, mem.width)
            }
        };
        Ok(FlatMem {
            path: join(&self.path(scope), &mem.name),
            depth: mem.depth,
            width: mem.width,
            content,
            read_latency: mem.read_latency,
            collision: mem.collision,
            reads: self.visit_reads(index)?,
            writes: self.visit_writes(index)?,
        })
    }

    /// Visits ports, registers and named nodes of all instances. They have the names that other backends give them.
    fn visit_names(&mut self, design: &Design) -> Result<Vec<FlatSignal>, SimError> {
        let names: Vec<NodeNames> = design.modules.iter().map(|m| NodeNames::new(m, &design.clocking)).collect();
        let mut signals = Vec::new();
        for scope in 0..self.scopes.len() as u32 {
            let Scope { module, id, .. } = self.scopes[scope as usize];
            let names = &names[id.index()];
            let ports = module.ports.iter().map(|p| (&p.name, p.node));
            let inner = names.nodes.iter().zip(&names.output_of).zip(&module.nodes).enumerate();
            let inner = inner.filter_map(|(i, ((name, output), node))| match (name, output, &node.op) {
                (Some(name), None, op) if !matches!(op, Op::Input(_)) => Some((name, NodeId(i as u32))),
                _ => None,
            });
            for (name, node) in ports.chain(inner) {
                let is_register = matches!(module.node(node).op, Op::Reg(_));
                let value = self.visit(At { scope, node })?;
                signals.push(FlatSignal { scope, name: name.clone(), node: value, is_register });
            }
            for read in module.mems.iter().flat_map(|m| &m.reads) {
                self.visit(At { scope, node: read.node })?;
            }
        }
        Ok(signals)
    }

    /// Hierarchical path of an instance below the top module, empty for the top module itself.
    fn path(&self, scope: u32) -> String {
        match self.scopes[scope as usize].parent {
            Some((parent, instance)) => join(&self.path(parent), &instance.name),
            None => String::new(),
        }
    }

    /// Path and place of a node for messages.
    fn describe(&self, at: At) -> String {
        let node = self.scope(at).module.node(at.node);
        let port = |id: PortId, of: &Module| of.ports[id.index()].name.clone();
        let name = match (&node.name, &node.op) {
            (Some(name), _) => name.clone(),
            (None, Op::Input(id)) => port(*id, self.scope(at).module),
            (None, Op::InstOut { inst, port: id }) => {
                let scope = self.scope(at);
                let child = self.scopes[scope.children[inst.index()] as usize].module;
                join(&scope.module.instances[inst.index()].name, &port(*id, child))
            }
            (None, _) => "(unnamed)".to_string(),
        };
        format!("{} ({})", join(&self.path(at.scope), &name), node.loc)
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() { name.to_string() } else { format!("{path}.{name}") }
}
