//! Which nodes anything outside depends on.

use crate::hdl::diag::Diagnostic;
use crate::hdl::ir::{Design, Dir, Module, NodeId, Op};

/// Nodes that an output, a memory, an instance or a used register needs, directly or not.
pub(in crate::hdl) struct Usage<'a> {
    module: &'a Module,
    used: Vec<bool>,
    todo: Vec<NodeId>,
}

impl<'a> Usage<'a> {
    pub fn new(design: &Design, module: &'a Module) -> Usage<'a> {
        let mut usage = Usage { module, used: vec![false; module.nodes.len()], todo: Vec::new() };
        for port in module.ports.iter().filter(|p| p.dir == Dir::Output) {
            usage.mark(port.node);
        }
        for mem in &module.mems {
            for read in &mem.reads {
                usage.mark(read.addr);
                read.enable.into_iter().for_each(|e| usage.mark(e));
            }
            for write in &mem.writes {
                [write.addr, write.data, write.enable].into_iter().for_each(|n| usage.mark(n));
            }
        }
        for instance in &module.instances {
            let ports = &design.module(instance.module).ports;
            for (_, input) in ports.iter().zip(&instance.connections).filter(|(p, _)| p.dir == Dir::Input) {
                input.iter().for_each(|n| usage.mark(*n));
            }
        }
        usage
    }

    pub fn is_used(&self, node: NodeId) -> bool {
        self.used[node.index()]
    }

    /// Marks `node` and all that it depends on, through registers too.
    pub fn mark(&mut self, node: NodeId) {
        self.todo.push(node);
        while let Some(node) = self.todo.pop() {
            if std::mem::replace(&mut self.used[node.index()], true) {
                continue;
            }
            self.module.for_each_operand(node, |operand| self.todo.push(operand));
            if let Op::Reg(reg) = &self.module.node(node).op {
                let reg = &self.module.regs[reg.index()];
                self.todo.extend(reg.next.into_iter().chain(reg.enable));
            }
        }
    }
}

/// Warns of inputs, named signals and memories that nothing needs, unless they are declared as discarded.
pub(super) fn check(design: &Design, module: &Module, warnings: &mut Vec<Diagnostic>) {
    for mem in module.mems.iter().filter(|m| m.reads.is_empty()) {
        let message = format!("memory `{}` is never read; it is left out", mem.name);
        warnings.push(Diagnostic::new(&module.name, mem.loc, message));
    }
    let mut usage = Usage::new(design, module);
    module.discards.iter().for_each(|n| usage.mark(*n));
    let mut unused = Vec::new();
    // From the last node to the first: what only an unused signal needs is not worth a warning of its own.
    for (index, node) in module.nodes.iter().enumerate().rev() {
        let id = NodeId(index as u32);
        if let (false, Some(name)) = (usage.is_used(id), &node.name) {
            let message = match node.op {
                Op::Const(_) => continue,
                Op::Input(_) => format!("input `{name}` is never read; remove it or `discard` it"),
                Op::Reg(_) => format!("register `{name}` is never used; remove it or `discard` it"),
                _ => format!("signal `{name}` is never used; remove it or `discard` it"),
            };
            unused.push(Diagnostic::new(&module.name, node.loc, message));
            usage.mark(id);
        }
    }
    warnings.extend(unused.into_iter().rev());
}
