//! Modules of the elaborated form, put together by hand.

use eva_rtl::hdl::bits::{Bits, index_width};
use eva_rtl::hdl::ir::*;
use std::rc::Rc;

pub struct Build(pub Module);

impl Build {
    pub fn new(name: &str) -> Build {
        Build(Module {
            name: name.into(),
            doc: String::new(),
            params: Vec::new(),
            nodes: Vec::new(),
            ports: Vec::new(),
            regs: Vec::new(),
            mems: Vec::new(),
            instances: Vec::new(),
            discards: Vec::new(),
            loc: Loc::caller(),
        })
    }

    pub fn width(&self, node: NodeId) -> u32 {
        self.0.node(node).width
    }

    #[track_caller]
    pub fn node(&mut self, op: Op, width: u32) -> NodeId {
        self.0.nodes.push(Node { op, width, name: None, loc: Loc::caller() });
        NodeId(self.0.nodes.len() as u32 - 1)
    }

    pub fn name(&mut self, node: NodeId, name: &str) {
        self.0.nodes[node.index()].name = Some(name.into());
    }

    fn port(&mut self, name: &str, dir: Dir, width: u32, node: NodeId) -> PortId {
        self.0.ports.push(Port { name: name.into(), dir, width, node, loc: Loc::caller() });
        PortId(self.0.ports.len() as u32 - 1)
    }

    pub fn input(&mut self, name: &str, width: u32) -> NodeId {
        let node = self.node(Op::Input(PortId(self.0.ports.len() as u32)), width);
        self.port(name, Dir::Input, width, node);
        node
    }

    pub fn output(&mut self, name: &str, node: NodeId) {
        let width = self.width(node);
        self.port(name, Dir::Output, width, node);
    }

    pub fn constant(&mut self, value: u64, width: u32) -> NodeId {
        self.node(Op::Const(Bits::from_u64(value, width)), width)
    }

    pub fn binary(&mut self, op: BinOp, a: NodeId, b: NodeId) -> NodeId {
        let width = match op {
            BinOp::MulU | BinOp::MulS => self.width(a) + self.width(b),
            BinOp::Eq | BinOp::Ne | BinOp::LtU | BinOp::LtS | BinOp::LeU | BinOp::LeS => 1,
            _ => self.width(a),
        };
        self.node(Op::Binary(op, a, b), width)
    }

    pub fn sext(&mut self, a: NodeId, width: u32) -> NodeId {
        self.node(Op::Sext(a), width)
    }

    /// A named connection that is driven later.
    pub fn wire(&mut self, width: u32) -> NodeId {
        self.node(Op::Wire(None), width)
    }

    pub fn drive(&mut self, wire: NodeId, driver: NodeId) {
        self.0.nodes[wire.index()].op = Op::Wire(Some(driver));
    }

    /// A register whose next value is given later.
    pub fn reg(&mut self, name: &str, width: u32, reset: Option<u64>) -> NodeId {
        let id = RegId(self.0.regs.len() as u32);
        let node = self.node(Op::Reg(id), width);
        self.name(node, name);
        let reset = reset.map(|v| Bits::from_u64(v, width));
        self.0.regs.push(Reg { node, next: None, enable: None, reset, loc: Loc::caller() });
        node
    }

    pub fn next(&mut self, reg: NodeId, next: NodeId, enable: Option<NodeId>) {
        let Op::Reg(id) = self.0.node(reg).op else { panic!("a register") };
        let reg = &mut self.0.regs[id.index()];
        (reg.next, reg.enable) = (Some(next), enable);
    }

    pub fn reg_of(&mut self, name: &str, next: NodeId, reset: Option<u64>) -> NodeId {
        let width = self.width(next);
        let reg = self.reg(name, width, reset);
        self.next(reg, next, None);
        reg
    }

    pub fn mem(&mut self, name: &str, shape: (u32, u32), latency: u32, collision: Collision, init: Option<Vec<Bits>>) -> MemId {
        let (depth, width) = shape;
        let (reads, writes) = (Vec::new(), Vec::new());
        let loc = Loc::caller();
        self.0.mems.push(Mem { name: name.into(), depth, width, init, read_latency: latency, collision, reads, writes, loc });
        MemId(self.0.mems.len() as u32 - 1)
    }

    pub fn address_width(&self, mem: MemId) -> u32 {
        index_width(u64::from(self.0.mems[mem.index()].depth))
    }

    pub fn read(&mut self, mem: MemId, addr: NodeId, enable: Option<NodeId>) -> NodeId {
        let port = self.0.mems[mem.index()].reads.len() as u32;
        let width = self.0.mems[mem.index()].width;
        let node = self.node(Op::MemRead { mem, port }, width);
        self.0.mems[mem.index()].reads.push(ReadPort { addr, enable, node });
        node
    }

    pub fn write(&mut self, mem: MemId, addr: NodeId, data: NodeId, enable: NodeId) {
        self.0.mems[mem.index()].writes.push(WritePort { addr, data, enable });
    }

    /// An instance of a child; inputs in the order of its ports. Returns its outputs.
    pub fn instance(&mut self, name: &str, id: ModuleId, child: &Module, inputs: &[NodeId]) -> Vec<NodeId> {
        let inst = InstId(self.0.instances.len() as u32);
        let mut inputs = inputs.iter();
        let (mut connections, mut outputs) = (Vec::new(), Vec::new());
        for (i, port) in child.ports.iter().enumerate() {
            connections.push(match port.dir {
                Dir::Input => inputs.next().copied(),
                Dir::Output => {
                    let node = self.node(Op::InstOut { inst, port: PortId(i as u32) }, port.width);
                    outputs.push(node);
                    Some(node)
                }
            });
        }
        self.0.instances.push(Instance { name: name.into(), module: id, connections, loc: Loc::caller() });
        outputs
    }
}

/// A design whose last module is the top.
pub fn design(modules: Vec<Module>) -> Design {
    let top = ModuleId(modules.len() as u32 - 1);
    let clocking = Clocking { clock: "clk".into(), reset: "rst_n".into() };
    Design { clocking, prefix: String::new(), modules: modules.into_iter().map(Rc::new).collect(), top }
}
