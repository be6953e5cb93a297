//! Combinational loops, also those that close through instances.
//!
//! Modules are visited children first. For each one, strongly connected components of the graph "node needs operand"
//! (Tarjan 1972) give both the loops and, operands first, the set of inputs that each output depends on in the same
//! cycle; an instance then stands for edges from its outputs to those inputs. A loop is reported once, in the module in
//! which it closes.

use super::describe;
use crate::hdl::diag::Diagnostic;
use crate::hdl::ir::{Design, Dir, Loc, Module, NodeId, Op, PortId};
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;

pub(super) fn check(design: &Design, errors: &mut Vec<Diagnostic>) {
    let mut paths = Paths { design, through: Vec::with_capacity(design.modules.len()) };
    for module in &design.modules {
        let graph = paths.graph(module);
        let mut reach: Vec<InputSet> = vec![InputSet::default(); module.nodes.len()];
        for component in graph.components() {
            let mut inputs = InputSet::default();
            for id in &component {
                if let Op::Input(port) = module.node(*id).op {
                    inputs.insert(port, module.ports.len());
                }
                graph.operands(*id).iter().for_each(|o| inputs.unite(&reach[o.index()]));
            }
            component.iter().for_each(|id| reach[id.index()] = inputs.clone());
            if component.len() > 1 || graph.operands(component[0]).contains(&component[0]) {
                errors.push(paths.report(module, &graph, &component));
            }
        }
        let outputs = module.ports.iter().map(|p| (p.dir == Dir::Output).then(|| reach[p.node.index()].clone()));
        let depends_on = outputs.map(|set| set.map_or(Vec::new(), |s| s.ports())).collect();
        paths.through.push(depends_on);
    }
}

/// A set of input ports, shared as long as it does not change.
#[derive(Clone, Default)]
struct InputSet(Option<Rc<[u64]>>);

impl InputSet {
    fn insert(&mut self, port: PortId, ports: usize) {
        let mut words = self.0.take().unwrap_or_else(|| vec![0; ports.div_ceil(64)].into());
        Rc::make_mut(&mut words)[port.index() / 64] |= 1 << (port.index() % 64);
        self.0 = Some(words);
    }

    fn unite(&mut self, other: &InputSet) {
        let Some(theirs) = &other.0 else { return };
        match &mut self.0 {
            None => self.0 = Some(theirs.clone()),
            Some(ours) => {
                if !Rc::ptr_eq(ours, theirs) && ours.iter().zip(theirs.iter()).any(|(a, b)| b & !a != 0) {
                    Rc::make_mut(ours).iter_mut().zip(theirs.iter()).for_each(|(a, b)| *a |= b);
                }
            }
        }
    }

    fn ports(&self) -> Vec<PortId> {
        let words = self.0.as_deref().unwrap_or_default();
        let is_in = |i: &usize| words[i / 64] >> (i % 64) & 1 == 1;
        (0..words.len() * 64).filter(is_in).map(|i| PortId(i as u32)).collect()
    }
}

/// The operands of each node of one module, those of an instance output included.
struct Graph {
    /// Operands of node `i` are `edges[start[i]..start[i + 1]]`.
    start: Vec<u32>,
    edges: Vec<NodeId>,
}

impl Graph {
    fn operands(&self, node: NodeId) -> &[NodeId] {
        &self.edges[self.start[node.index()] as usize..self.start[node.index() + 1] as usize]
    }

    /// Strongly connected components, each after those it depends on.
    fn components(&self) -> Vec<Vec<NodeId>> {
        const UNSEEN: u32 = u32::MAX;
        let nodes = self.start.len() - 1;
        let mut number = vec![UNSEEN; nodes];
        let mut low = vec![0u32; nodes];
        let mut on_stack = vec![false; nodes];
        let mut next_number = 0;
        let mut stack: Vec<NodeId> = Vec::new();
        let mut calls: Vec<(NodeId, usize)> = Vec::new();
        let mut components = Vec::new();
        for root in (0..nodes as u32).map(NodeId) {
            if number[root.index()] != UNSEEN {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, visited)) = calls.pop() {
                let n = node.index();
                if visited == 0 {
                    number[n] = next_number;
                    low[n] = next_number;
                    next_number += 1;
                    stack.push(node);
                    on_stack[n] = true;
                } else {
                    let child = self.operands(node)[visited - 1].index();
                    low[n] = low[n].min(low[child]);
                }
                let mut descend = None;
                for (i, operand) in self.operands(node).iter().enumerate().skip(visited) {
                    let o = operand.index();
                    if number[o] == UNSEEN {
                        descend = Some((i, *operand));
                        break;
                    }
                    if on_stack[o] {
                        low[n] = low[n].min(number[o]);
                    }
                }
                if let Some((i, operand)) = descend {
                    calls.push((node, i + 1));
                    calls.push((operand, 0));
                } else if low[n] == number[n] {
                    let first =
                        stack.iter().rposition(|s| *s == node).expect("the root of a component is on the stack");
                    let mut component = stack.split_off(first);
                    component.iter().for_each(|id| on_stack[id.index()] = false);
                    component.sort_unstable();
                    components.push(component);
                }
            }
        }
        components
    }

    /// A shortest way from `from` to `to` over operands, at least one step, both ends included.
    fn shortest_path(&self, from: NodeId, to: NodeId) -> Option<Vec<NodeId>> {
        let mut came_from: HashMap<NodeId, NodeId> = HashMap::new();
        let mut queue = VecDeque::from([from]);
        let mut queued = HashSet::new();
        while let Some(node) = queue.pop_front() {
            for operand in self.operands(node) {
                if queued.insert(*operand) {
                    came_from.insert(*operand, node);
                    queue.push_back(*operand);
                }
            }
            if let Some(mut at) = came_from.get(&to).copied() {
                let mut path = vec![to, at];
                while at != from {
                    at = came_from[&at];
                    path.push(at);
                }
                path.reverse();
                return Some(path);
            }
        }
        None
    }
}

struct Paths<'a> {
    design: &'a Design,
    /// For each module seen so far and each of its ports, the inputs that an output depends on in the same cycle.
    through: Vec<Vec<Vec<PortId>>>,
}

impl Paths<'_> {
    fn graph(&self, module: &Module) -> Graph {
        let mut graph = Graph { start: vec![0], edges: Vec::with_capacity(2 * module.nodes.len()) };
        for (index, node) in module.nodes.iter().enumerate() {
            module.for_each_operand(NodeId(index as u32), |o| graph.edges.push(o));
            if let Op::InstOut { inst, port } = node.op {
                let instance = &module.instances[inst.index()];
                let inputs = &self.through[instance.module.index()][port.index()];
                graph.edges.extend(inputs.iter().filter_map(|input| instance.connections[input.index()]));
            }
            graph.start.push(graph.edges.len() as u32);
        }
        graph
    }

    /// The loop through the first node of `component` that the user can recognise.
    fn report(&self, module: &Module, graph: &Graph, component: &[NodeId]) -> Diagnostic {
        let named = component.iter().copied().find(|id| module.node(*id).name.is_some());
        let start = named.unwrap_or(component[0]);
        let mut path =
            graph.shortest_path(start, start).expect("a strongly connected component has a cycle through each node");
        // Operands come last in `path`; the reader follows the signal flow.
        path.reverse();
        let name = describe(self.design, module, start);
        let message =
            format!("combinational loop: {name} depends on itself in the same cycle; break it with a register");
        let loc = module.node(start).loc;
        let mut error = Diagnostic::new(&module.name, loc, message);
        self.hops(module, &path, "", &mut error.notes);
        error.note_at(loc, format!("back to {name}"))
    }

    /// Notes each hop of a path in the direction of signal flow, without its first node; inside instances too.
    fn hops(&self, module: &Module, path: &[NodeId], prefix: &str, notes: &mut Vec<(Option<Loc>, String)>) {
        for (index, step) in path.windows(2).enumerate() {
            let [from, to] = [step[0], step[1]];
            let node = module.node(to);
            if let Op::InstOut { inst, port } = node.op {
                let instance = &module.instances[inst.index()];
                let child = self.design.module(instance.module);
                let inputs = &self.through[instance.module.index()][port.index()];
                let input = inputs.iter().find(|i| instance.connections[i.index()] == Some(from));
                let input = &child.ports[input.expect("the edge came from an input").index()];
                let output = &child.ports[port.index()];
                let inner = format!("{prefix}{}.", instance.name);
                notes.push((
                    Some(instance.loc),
                    format!("into `{inner}{}`, an input of module {}", input.name, child.name),
                ));
                if let Some(mut inside) = self.graph(child).shortest_path(output.node, input.node) {
                    inside.reverse();
                    self.hops(child, &inside, &inner, notes);
                }
                notes.push((Some(output.loc), format!("out of `{inner}{}`", output.name)));
            }
            // The last node is the first one again; the caller says so.
            let is_last = index + 2 == path.len() && prefix.is_empty();
            let is_unnamed_output = matches!(node.op, Op::InstOut { .. }) && node.name.is_none();
            if !is_last && !is_unnamed_output {
                let what = match &node.name {
                    Some(name) => format!("`{prefix}{name}`"),
                    None => describe(self.design, module, to),
                };
                notes.push((Some(node.loc), format!("through {what}")));
            }
        }
    }
}
