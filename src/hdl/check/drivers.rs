//! Everything that needs a driver has one. (That nothing has two is refused where the second one is given.)

use super::describe;
use crate::hdl::diag::Diagnostic;
use crate::hdl::ir::{Design, Dir, Module, NodeId, Op};

pub(super) fn check(design: &Design, module: &Module, errors: &mut Vec<Diagnostic>) {
    for (index, node) in module.nodes.iter().enumerate() {
        if node.op == Op::Wire(None) {
            let wire = describe(design, module, NodeId(index as u32));
            errors.push(Diagnostic::new(
                &module.name,
                node.loc,
                format!("wire {wire} has no driver; give it one with `drive`"),
            ));
        }
    }
    for reg in module.regs.iter().filter(|r| r.next.is_none()) {
        let name = describe(design, module, reg.node);
        let message = format!("register {name} has no next value; give it one with `next` or `on`");
        errors.push(Diagnostic::new(&module.name, reg.loc, message));
    }
    for instance in &module.instances {
        let child = design.module(instance.module);
        for (port, connection) in child.ports.iter().zip(&instance.connections) {
            if port.dir == Dir::Input && connection.is_none() {
                let message = format!(
                    "input `{}` of instance `{}` has no driver; give it one with `set`",
                    port.name, instance.name
                );
                let error = Diagnostic::new(&module.name, instance.loc, message);
                errors.push(error.note_at(port.loc, format!("the port is declared in module `{}`", child.name)));
            }
        }
    }
    for mem in module.mems.iter().filter(|m| m.writes.is_empty() && m.init.is_none()) {
        let message =
            format!("memory `{}` has neither a write port nor initial content; reads are undefined", mem.name);
        errors.push(Diagnostic::new(&module.name, mem.loc, message));
    }
}
