//! What elaboration produces and every backend reads: a list of modules, each a flat graph of nodes.
//!
//! A [`Design`] that elaboration has returned is checked: every wire, register, memory port and instance input has
//! exactly one driver, widths agree, there is no combinational loop, names are legal and unique.

use super::bits::Bits;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::panic::Location;
use std::rc::Rc;

/// A place in the user's Rust code. Compares equal to any other, so that modules built at
/// different places can still be recognised as identical.
#[derive(Clone, Copy)]
pub struct Loc(pub &'static Location<'static>);

impl Loc {
    /// The line that calls the function that calls this, if that has `#[track_caller]`, and so on outwards.
    #[track_caller]
    pub fn caller() -> Loc {
        Loc(Location::caller())
    }
}

impl PartialEq for Loc {
    fn eq(&self, _: &Loc) -> bool {
        true
    }
}
impl Eq for Loc {}
impl Hash for Loc {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}
impl fmt::Display for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.0.file(), self.0.line(), self.0.column())
    }
}
impl fmt::Debug for Loc {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub struct $name(pub u32);
        impl $name {
            /// The number as an index.
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}
id!(/** Index into [`Design::modules`]. */ ModuleId);
id!(/** Index into [`Module::nodes`]. */ NodeId);
id!(/** Index into [`Module::ports`]. */ PortId);
id!(/** Index into [`Module::regs`]. */ RegId);
id!(/** Index into [`Module::mems`]. */ MemId);
id!(/** Index into [`Module::instances`]. */ InstId);

/// A whole elaborated hierarchy. Children stand before their parents, the top module is last.
#[derive(Clone, Debug)]
pub struct Design {
    /// The one clock and the one reset.
    pub clocking: Clocking,
    /// What the names of all modules start with, those of memories included; may be empty.
    pub prefix: String,
    /// Every module once.
    pub modules: Vec<Rc<Module>>,
    /// The module that nothing instances.
    pub top: ModuleId,
}

/// Names of the one clock (rising edge) and the one reset (synchronous, active low) that every module with state has.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Clocking {
    /// Port name of the clock.
    pub clock: String,
    /// Port name of the reset.
    pub reset: String,
}

impl Clocking {
    /// Clock and reset by their port names, as in `Clocking::new("clk", "rst_n")`.
    pub fn new(clock: &str, reset: &str) -> Clocking {
        Clocking { clock: clock.to_string(), reset: reset.to_string() }
    }
}

/// A module: ports, and nodes that compute the outputs from the inputs and from state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Module {
    /// Unique in the design.
    pub name: String,
    /// One or a few sentences, printed above the module.
    pub doc: String,
    /// Generator parameters that made this module, printed above it.
    pub params: Vec<(String, String)>,
    /// All values; operands may stand behind the nodes that use them.
    pub nodes: Vec<Node>,
    /// In order of declaration; clock and reset are implied, not listed.
    pub ports: Vec<Port>,
    /// Registers.
    pub regs: Vec<Reg>,
    /// Memories.
    pub mems: Vec<Mem>,
    /// Instances of modules that stand before this one in the design.
    pub instances: Vec<Instance>,
    /// Nodes declared as deliberately unused.
    pub discards: Vec<NodeId>,
    /// Where it was defined first.
    pub loc: Loc,
}

/// One value of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// What it is.
    pub op: Op,
    /// Bits, at least 1.
    pub width: u32,
    /// Wanted name; the backends make it unique within the module.
    pub name: Option<String>,
    /// Where it was made.
    pub loc: Loc,
}

/// Operands of one node. Unless stated otherwise operands have the node's own width.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)] // the fields of a variant are explained with it
pub enum Op {
    /// A constant of the width of the node.
    Const(Bits),
    /// The value of an input port.
    Input(PortId),
    /// A named connection; `None` only while the module is being built.
    Wire(Option<NodeId>),
    /// The present value of a register.
    Reg(RegId),
    /// Data of read port `port` of a memory.
    MemRead { mem: MemId, port: u32 },
    /// Output port `port` (index into the child's ports) of an instance.
    InstOut { inst: InstId, port: PortId },
    /// Each bit inverted.
    Not(NodeId),
    /// An operation on two operands; see [`BinOp`] for their widths.
    Binary(BinOp, NodeId, NodeId),
    /// `sel` has one bit: `t` when it is 1.
    Mux { sel: NodeId, t: NodeId, f: NodeId },
    /// `cases[sel]`; the last case stands for all higher values of `sel`. At least two cases, at most `2^width(sel)`.
    Select { sel: NodeId, cases: Vec<NodeId> },
    /// First operand most significant; widths add up.
    Concat(Vec<NodeId>),
    /// Bits `lo .. lo+width` of a wider operand.
    Slice { a: NodeId, lo: u32 },
    /// Zero extension of a narrower operand.
    Zext(NodeId),
    /// Sign extension of a narrower operand.
    Sext(NodeId),
    /// One bit from all bits of an operand of any width.
    Reduce(RedOp, NodeId),
}

/// Operations on two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinOp {
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// Modulo `2^width`.
    Add,
    /// Modulo `2^width`.
    Sub,
    /// Unsigned; the node's width is the sum of the operands' widths, which may differ.
    MulU,
    /// Two's complement; the node's width is the sum of the operands' widths, which may differ.
    MulS,
    /// Comparisons: operands of equal width, one result bit.
    Eq,
    /// Different.
    Ne,
    /// Unsigned less than.
    LtU,
    /// Two's complement less than.
    LtS,
    /// Unsigned less than or equal.
    LeU,
    /// Two's complement less than or equal.
    LeS,
    /// Shifts: second operand of any width, unsigned; amounts of `width` or more shift everything out.
    Shl,
    /// Filling with zeros.
    Shr,
    /// Filling with the sign.
    Sra,
}

/// Reductions of all bits to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RedOp {
    /// Whether all are 1.
    And,
    /// Whether any is 1.
    Or,
    /// Whether an odd number is 1.
    Xor,
}

/// Direction of a port, seen from its module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dir {
    /// Driven from outside.
    Input,
    /// Driven by the module.
    Output,
}

/// A port of a module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Port {
    /// Unique among ports, instances and memories of the module.
    pub name: String,
    /// Direction.
    pub dir: Dir,
    /// Bits, at least 1.
    pub width: u32,
    /// The `Op::Input` node of an input; the driver of an output.
    pub node: NodeId,
    /// Where it was declared.
    pub loc: Loc,
}

/// A register on the rising clock edge: reset (if it has a value) before enable before next.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Reg {
    /// Its `Op::Reg` node.
    pub node: NodeId,
    /// `None` only while the module is being built.
    pub next: Option<NodeId>,
    /// One bit; the register keeps its value while it is 0.
    pub enable: Option<NodeId>,
    /// Value after a clock edge with active reset; without one the register ignores reset and powers up undefined.
    pub reset: Option<Bits>,
    /// Where it was declared.
    pub loc: Loc,
}

/// What a read of a word sees that is written in the same cycle. With a read latency of 0 a read always sees the old
/// word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Collision {
    /// The word from before the write.
    ReadOld,
    /// The word being written.
    ReadNew,
    /// Anything: the user promises not to depend on it (the native simulator returns the complement of the new word).
    Undefined,
}

/// A memory; content is undefined at power-up unless `init` is given; reset does not touch it.
/// Reads beyond `depth` return an undefined word (zero in the native simulator), writes beyond it are lost.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Mem {
    /// Unique among ports, instances and memories of the module.
    pub name: String,
    /// Words, at least 1.
    pub depth: u32,
    /// Bits of a word, at least 1.
    pub width: u32,
    /// `depth` words.
    pub init: Option<Vec<Bits>>,
    /// 0: combinational; 1: data appears after the clock edge and stays while the read enable is 0.
    pub read_latency: u32,
    /// What reads see of words written in the same cycle.
    pub collision: Collision,
    /// Read ports.
    pub reads: Vec<ReadPort>,
    /// When several write the same word in one cycle the last one wins.
    pub writes: Vec<WritePort>,
    /// Where it was declared.
    pub loc: Loc,
}

/// Addresses have exactly `index_width(depth)` bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ReadPort {
    /// The word to read.
    pub addr: NodeId,
    /// Always `None` with a read latency of 0.
    pub enable: Option<NodeId>,
    /// Its `Op::MemRead` node.
    pub node: NodeId,
}

/// A synchronous write port; its address too has `index_width(depth)` bits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WritePort {
    /// The word to write.
    pub addr: NodeId,
    /// Its new value.
    pub data: NodeId,
    /// One bit; nothing is written while it is 0.
    pub enable: NodeId,
}

/// A module used inside another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Instance {
    /// Unique among ports, instances and memories of the module.
    pub name: String,
    /// What it is an instance of.
    pub module: ModuleId,
    /// One for each port of the child, in its order: the driver of an input (`None` only while the module is being
    /// built), the `Op::InstOut` node of an output.
    pub connections: Vec<Option<NodeId>>,
    /// Where it was made.
    pub loc: Loc,
}

impl Design {
    /// The module of this index.
    pub fn module(&self, id: ModuleId) -> &Module {
        &self.modules[id.index()]
    }

    /// The design with `prefix` before the name of every module that does not start with it, so that library modules
    /// such as queues do not clash with those of other designs.
    pub fn with_prefix(mut self, prefix: &str) -> Design {
        for module in &mut self.modules {
            if !module.name.starts_with(prefix) {
                Rc::make_mut(module).name.insert_str(0, prefix);
            }
        }
        self.prefix = prefix.to_owned();
        self
    }

    /// The module that nothing instances.
    pub fn top_module(&self) -> &Module {
        self.module(self.top)
    }

    /// For each module, in the order of `modules`, whether it has a clock port and whether it has a reset port: it or a
    /// module below it has a register or a memory with a clock, or a register with a reset value.
    pub fn clock_and_reset_use(&self) -> Vec<(bool, bool)> {
        let mut uses: Vec<(bool, bool)> = Vec::with_capacity(self.modules.len());
        for module in &self.modules {
            let mut clock = !module.regs.is_empty() || module.mems.iter().any(Mem::has_clock);
            let mut reset = module.regs.iter().any(|r| r.reset.is_some());
            for instance in &module.instances {
                let (c, r) = uses[instance.module.index()];
                clock |= c;
                reset |= r;
            }
            uses.push((clock, reset));
        }
        uses
    }
}

impl Mem {
    /// Whether any port is synchronous: all but a combinational ROM.
    pub fn has_clock(&self) -> bool {
        self.read_latency > 0 || !self.writes.is_empty()
    }
}

impl Module {
    /// The node of this index.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Calls `f` for each node that the value of `node` depends on in the same cycle within this module.
    pub fn for_each_operand(&self, node: NodeId, mut f: impl FnMut(NodeId)) {
        match &self.node(node).op {
            Op::Const(_) | Op::Input(_) | Op::Reg(_) | Op::InstOut { .. } => {}
            Op::MemRead { mem, port } => {
                let mem = &self.mems[mem.index()];
                if mem.read_latency == 0 {
                    f(mem.reads[*port as usize].addr);
                }
            }
            Op::Wire(driver) => {
                if let Some(d) = driver {
                    f(*d);
                }
            }
            Op::Not(a) | Op::Slice { a, .. } | Op::Zext(a) | Op::Sext(a) | Op::Reduce(_, a) => f(*a),
            Op::Binary(_, a, b) => {
                f(*a);
                f(*b);
            }
            Op::Mux { sel, t, f: other } => {
                f(*sel);
                f(*t);
                f(*other);
            }
            Op::Select { sel, cases } => {
                f(*sel);
                cases.iter().for_each(|c| f(*c));
            }
            Op::Concat(parts) => parts.iter().for_each(|p| f(*p)),
        }
    }
}
