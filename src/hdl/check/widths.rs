//! Widths agree everywhere. The builder refuses what a user can get wrong; this finds what slipped past it.

use super::{describe, kind};
use crate::hdl::bits::index_width;
use crate::hdl::diag::Diagnostic;
use crate::hdl::ir::{BinOp, Design, Dir, Loc, Module, NodeId, Op};

pub(super) fn check(design: &Design, module: &Module, errors: &mut Vec<Diagnostic>) {
    let mut checker = Checker { design, module, errors };
    for index in 0..module.nodes.len() {
        checker.node(NodeId(index as u32));
    }
    checker.ports();
    checker.regs();
    checker.mems();
    checker.instances();
}

struct Checker<'a> {
    design: &'a Design,
    module: &'a Module,
    errors: &'a mut Vec<Diagnostic>,
}

impl Checker<'_> {
    fn node(&mut self, id: NodeId) {
        let node = self.module.node(id);
        let width = |id: NodeId| self.module.node(id).width;
        let own = node.width;
        let fits = own > 0
            && match &node.op {
                Op::Const(bits) => bits.width() == own,
                Op::Input(port) => self.module.ports[port.index()].width == own,
                Op::Wire(driver) => driver.is_none_or(|d| width(d) == own),
                Op::Reg(_) => true,
                Op::MemRead { mem, .. } => self.module.mems[mem.index()].width == own,
                Op::InstOut { inst, port } => {
                    let child = self.design.module(self.module.instances[inst.index()].module);
                    child.ports[port.index()].width == own
                }
                Op::Not(a) => width(*a) == own,
                Op::Binary(op, a, b) => binary_fits(*op, own, width(*a), width(*b)),
                Op::Mux { sel, t, f } => width(*sel) == 1 && width(*t) == own && width(*f) == own,
                Op::Select { sel, cases } => {
                    let distinguishable = 1usize.checked_shl(width(*sel)).unwrap_or(usize::MAX);
                    (2..=distinguishable).contains(&cases.len()) && cases.iter().all(|c| width(*c) == own)
                }
                Op::Concat(parts) => parts.iter().map(|p| u64::from(width(*p))).sum::<u64>() == u64::from(own),
                Op::Slice { a, lo } => u64::from(*lo) + u64::from(own) <= u64::from(width(*a)),
                Op::Zext(a) | Op::Sext(a) => width(*a) < own,
                Op::Reduce(..) => own == 1,
            };
        if fits {
            return;
        }
        let mut widths = Vec::new();
        self.module.for_each_operand(id, |a| widths.push(self.module.node(a).width.to_string()));
        let operands =
            if widths.is_empty() { String::new() } else { format!(" with operands of {} bits", widths.join(", ")) };
        let name = node.name.as_ref().map_or(String::new(), |n| format!(" `{n}`"));
        self.error(node.loc, format!("{}{name} of {own} bits{operands} is malformed", kind(&node.op)));
    }

    fn ports(&mut self) {
        for port in self.module.ports.iter().filter(|p| p.dir == Dir::Output) {
            self.agree(port.node, port.width, &format!("output `{}`", port.name), port.loc);
        }
    }

    fn regs(&mut self) {
        for reg in &self.module.regs {
            let name = describe(self.design, self.module, reg.node);
            let width = self.module.node(reg.node).width;
            if let Some(next) = reg.next {
                self.agree(next, width, &format!("register {name}"), reg.loc);
            }
            if let Some(enable) = reg.enable {
                self.agree(enable, 1, &format!("enable of register {name}"), reg.loc);
            }
            if let Some(reset) = reg.reset.as_ref().filter(|r| r.width() != width) {
                let found = reset.width();
                self.error(reg.loc, format!("register {name} has {width} bits, its reset value has {found}"));
            }
        }
    }

    fn mems(&mut self) {
        for mem in &self.module.mems {
            let name = &mem.name;
            let addr = index_width(u64::from(mem.depth));
            for read in &mem.reads {
                self.agree(read.addr, addr, &format!("read address of memory `{name}`"), mem.loc);
                if let Some(enable) = read.enable {
                    self.agree(enable, 1, &format!("read enable of memory `{name}`"), mem.loc);
                }
                if read.enable.is_some() && mem.read_latency == 0 {
                    self.error(mem.loc, format!("combinational read port of memory `{name}` has an enable"));
                }
            }
            for write in &mem.writes {
                self.agree(write.addr, addr, &format!("write address of memory `{name}`"), mem.loc);
                self.agree(write.data, mem.width, &format!("write data of memory `{name}`"), mem.loc);
                self.agree(write.enable, 1, &format!("write enable of memory `{name}`"), mem.loc);
            }
            if mem.width == 0 || mem.depth == 0 {
                self.error(mem.loc, format!("memory `{name}` has {} words of {} bits", mem.depth, mem.width));
            }
            if mem.read_latency > 1 {
                self.error(mem.loc, format!("memory `{name}` has read latency {}; 0 and 1 exist", mem.read_latency));
            }
            if let Some(init) = &mem.init
                && (init.len() != mem.depth as usize || init.iter().any(|w| w.width() != mem.width))
            {
                let message =
                    format!("initial content of memory `{name}` is not {} words of {} bits", mem.depth, mem.width);
                self.error(mem.loc, message);
            }
        }
    }

    fn instances(&mut self) {
        for instance in &self.module.instances {
            let child = self.design.module(instance.module);
            if child.ports.len() != instance.connections.len() {
                let message =
                    format!("instance `{}` does not connect each port of `{}` once", instance.name, child.name);
                self.error(instance.loc, message);
            }
            for (port, connection) in child.ports.iter().zip(&instance.connections) {
                if let Some(node) = connection {
                    self.agree(
                        *node,
                        port.width,
                        &format!("port `{}` of instance `{}`", port.name, instance.name),
                        instance.loc,
                    );
                }
            }
        }
    }

    /// Reports `node` when it is not `width` bits wide, as the driver of `target`.
    fn agree(&mut self, node: NodeId, width: u32, target: &str, loc: Loc) {
        let driver = self.module.node(node);
        if driver.width != width {
            let message = format!("{target} has {width} bits, its driver has {}", driver.width);
            self.errors.push(
                Diagnostic::new(&self.module.name, loc, message).note_at(driver.loc, "the driver comes from here"),
            );
        }
    }

    fn error(&mut self, loc: Loc, message: String) {
        self.errors.push(Diagnostic::new(&self.module.name, loc, message));
    }
}

fn binary_fits(op: BinOp, own: u32, a: u32, b: u32) -> bool {
    match op {
        BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Add | BinOp::Sub => a == own && b == own,
        BinOp::MulU | BinOp::MulS => u64::from(a) + u64::from(b) == u64::from(own),
        BinOp::Eq | BinOp::Ne | BinOp::LtU | BinOp::LtS | BinOp::LeU | BinOp::LeS => a == b && own == 1,
        BinOp::Shl | BinOp::Shr | BinOp::Sra => a == own,
    }
}
