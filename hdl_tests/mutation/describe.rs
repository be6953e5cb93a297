//! Parts of a design as text, with the names that the description gave them.

use eva_rtl::hdl::Design;
use eva_rtl::hdl::ir::{BinOp, Module, NodeId, Op, RedOp};

/// Operators shown inside one another; what is deeper is shown as `..`.
const DEPTH: u32 = 3;

/// Elements shown of a list.
const LISTED: usize = 3;

/// Describes values of one module.
#[derive(Clone, Copy)]
pub struct Describe<'a> {
    pub design: &'a Design,
    pub module: &'a Module,
}

impl Describe<'_> {
    /// The operation of a node of `width` bits.
    pub fn operation(self, op: &Op, width: u32) -> String {
        self.operation_to(op, width, DEPTH)
    }

    /// Where a value goes: the first operation that takes it, otherwise a register or an instance.
    pub fn user(self, id: NodeId) -> String {
        let takes = |user: &usize| {
            let mut takes = false;
            self.module.for_each_operand(NodeId(*user as u32), |operand| takes |= operand == id);
            takes
        };
        if let Some(user) = (0..self.module.nodes.len()).find(takes) {
            let node = self.module.node(NodeId(user as u32));
            return self.operation(&node.op, node.width);
        }
        let regs = self.module.regs.iter().filter(|reg| reg.next == Some(id)).map(|reg| self.value(reg.node, DEPTH));
        let instances =
            self.module.instances.iter().filter(|i| i.connections.contains(&Some(id))).map(|i| i.name.clone());
        regs.chain(instances).next().unwrap_or_else(|| "a port".to_owned())
    }

    fn value(self, id: NodeId, depth: u32) -> String {
        let node = self.module.node(id);
        match (&node.name, &node.op) {
            (Some(name), _) => name.clone(),
            (None, Op::Const(_) | Op::Input(_) | Op::Reg(_) | Op::MemRead { .. } | Op::InstOut { .. }) => {
                self.operation_to(&node.op, node.width, depth)
            }
            _ if depth == 0 => "..".to_owned(),
            (None, Op::Wire(Some(driver))) => self.value(*driver, depth),
            (None, Op::Binary(..) | Op::Mux { .. }) => {
                format!("({})", self.operation_to(&node.op, node.width, depth - 1))
            }
            (None, op) => self.operation_to(op, node.width, depth - 1),
        }
    }

    fn operation_to(self, op: &Op, width: u32, depth: u32) -> String {
        let value = |id: &NodeId| self.value(*id, depth);
        let list = |ids: &[NodeId]| {
            let shown: Vec<String> = ids.iter().take(LISTED).map(value).collect();
            format!("{}{}", shown.join(", "), if ids.len() > LISTED { ", .." } else { "" })
        };
        match op {
            Op::Const(bits) => bits.to_u64().map_or_else(|| format!("{bits:?}"), |value| value.to_string()),
            Op::Input(port) => self.module.ports[port.index()].name.clone(),
            Op::Wire(driver) => driver.as_ref().map_or("undriven".to_owned(), value),
            Op::Reg(_) => "register".to_owned(),
            Op::MemRead { mem, port } => format!("{}.read{port}", self.module.mems[mem.index()].name),
            Op::InstOut { inst, port } => {
                let instance = &self.module.instances[inst.index()];
                format!("{}.{}", instance.name, self.design.module(instance.module).ports[port.index()].name)
            }
            Op::Not(a) => format!("!{}", value(a)),
            Op::Binary(op, a, b) => format!("{} {} {}", value(a), symbol(*op), value(b)),
            Op::Mux { sel, t, f } => format!("{} ? {} : {}", value(sel), value(t), value(f)),
            Op::Select { sel, cases } => format!("select({}; {})", value(sel), list(cases)),
            Op::Concat(parts) => format!("{{{}}}", list(parts)),
            Op::Slice { a, lo } if width == 1 => format!("{}[{lo}]", value(a)),
            Op::Slice { a, lo } => format!("{}[{}:{lo}]", value(a), lo + width - 1),
            Op::Zext(a) => format!("zext({})", value(a)),
            Op::Sext(a) => format!("sext({})", value(a)),
            Op::Reduce(RedOp::And, a) => format!("all({})", value(a)),
            Op::Reduce(RedOp::Or, a) => format!("any({})", value(a)),
            Op::Reduce(RedOp::Xor, a) => format!("parity({})", value(a)),
        }
    }
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::MulU => "*",
        BinOp::MulS => "*s",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::LtU => "<",
        BinOp::LtS => "<s",
        BinOp::LeU => "<=",
        BinOp::LeS => "<=s",
        BinOp::Shl => "<<",
        BinOp::Shr => ">>",
        BinOp::Sra => ">>s",
    }
}
