//! Checks of a whole hierarchy, in linear time, before any backend sees it.
//!
//! One topic per file: `drivers`, `widths`, `naming`, `loops` find errors, `usage` finds what is legal but suspicious.

mod drivers;
mod loops;
mod naming;
pub(super) mod usage;
mod widths;

use super::diag::{Diagnostic, without_repetitions};
use super::ir::{Design, Module, NodeId, Op};

/// What [`check`] found, in a deterministic order, each thing once.
pub struct Checked {
    /// A design with any of these must not be given to a backend.
    pub errors: Vec<Diagnostic>,
    /// What is legal but looks like a mistake.
    pub warnings: Vec<Diagnostic>,
}

/// Checks a design that may still have missing drivers. Children must stand before their parents in `design.modules`.
///
/// Errors: wires, registers and instance inputs without driver; memories that can hold nothing; operands whose widths
/// do not agree; illegal, reserved and clashing names; combinational loops, also through instances. Warnings: inputs
/// and named signals that nobody uses.
pub fn check(design: &Design) -> Checked {
    let mut errors = Vec::new();
    let mut warnings = Vec::new();
    naming::check_design(design, &mut errors);
    for module in &design.modules {
        naming::check_module(design, module, &mut errors);
        drivers::check(design, module, &mut errors);
        widths::check(design, module, &mut errors);
        usage::check(design, module, &mut warnings);
    }
    loops::check(design, &mut errors);
    Checked { errors: without_repetitions(errors), warnings: without_repetitions(warnings) }
}

/// How a message refers to a node: by its name, otherwise by what it computes.
fn describe(design: &Design, module: &Module, id: NodeId) -> String {
    let node = module.node(id);
    match (&node.name, &node.op) {
        (Some(name), _) => format!("`{name}`"),
        (None, Op::InstOut { inst, port }) => {
            let instance = &module.instances[inst.index()];
            format!("`{}.{}`", instance.name, design.module(instance.module).ports[port.index()].name)
        }
        (None, Op::MemRead { mem, .. }) => format!("a read of memory `{}`", module.mems[mem.index()].name),
        (None, op) => format!("an unnamed {}", kind(op)),
    }
}

/// The field's word for an operation.
fn kind(op: &Op) -> &'static str {
    use super::ir::BinOp::*;
    match op {
        Op::Const(_) => "constant",
        Op::Input(_) => "input",
        Op::Wire(_) => "wire",
        Op::Reg(_) => "register",
        Op::MemRead { .. } => "memory read",
        Op::InstOut { .. } => "instance output",
        Op::Not(_) => "inverter",
        Op::Binary(op, ..) => match op {
            And => "AND",
            Or => "OR",
            Xor => "XOR",
            Add => "adder",
            Sub => "subtractor",
            MulU | MulS => "multiplier",
            Eq | Ne | LtU | LtS | LeU | LeS => "comparison",
            Shl | Shr | Sra => "shift",
        },
        Op::Mux { .. } => "multiplexer",
        Op::Select { .. } => "selection",
        Op::Concat(_) => "concatenation",
        Op::Slice { .. } => "slice",
        Op::Zext(_) => "zero extension",
        Op::Sext(_) => "sign extension",
        Op::Reduce(..) => "reduction",
    }
}
