//! One module: gathers the text of its nodes and lays it out.

use super::expr::{BREAK, Expr, Level, push_lines};
use super::lower::Lowered;
use super::memory::MemoryModules;
use super::text::{Header, PortLine, finish_module, range, start_module};
use crate::hdl::ir::{Clocking, Design, Dir, MemId, Module, ModuleId, NodeId, Op};
use crate::hdl::names::NodeNames;

pub(super) struct Writer<'a> {
    pub design: &'a Design,
    pub module: &'a Module,
    pub low: Lowered,
    pub names: NodeNames,
    /// The text of nodes that are written where they are used.
    pub in_place: Vec<Option<Expr>>,
    /// Nodes that are identifiers.
    pub declared: Vec<bool>,
    pub statements: Vec<Statement>,
    /// For each identifier the bits that anything reads.
    reads: Vec<Reads>,
    is_clock_used: bool,
    is_reset_used: bool,
}

/// Combinational logic, in dependency order.
pub(super) enum Statement {
    Net { id: NodeId, text: String },
    Case { id: NodeId, sel: String, arms: Vec<String> },
}

#[derive(Clone, Default)]
struct Reads {
    all: bool,
    /// First and last bit.
    ranges: Vec<(u32, u32)>,
}

/// The file of a module. `clocks` says for each module of the design whether it has clock and reset ports.
pub(super) fn text(design: &Design, id: ModuleId, clocks: &[(bool, bool)], memories: &MemoryModules) -> String {
    let module = design.module(id);
    let mut names = NodeNames::new(module, &design.clocking);
    let low = Lowered::new(design, module, &mut names);
    let mut writer = Writer {
        design,
        module,
        low,
        names,
        in_place: vec![None; module.nodes.len()],
        declared: vec![false; module.nodes.len()],
        statements: Vec::new(),
        reads: vec![Reads::default(); module.nodes.len()],
        is_clock_used: false,
        is_reset_used: false,
    };
    writer.declare_sources();
    for node in writer.low.order.clone() {
        writer.visit(node);
    }
    // These may still add wires for expressions that are too long to stand in them.
    let registers = writer.registers();
    let memories = writer.memories(id, memories);
    let instances = writer.instances(clocks);
    let outputs = writer.outputs();

    let header = Header { name: &module.name, doc: &module.doc, params: &module.params, is_black_box: false };
    let mut out = start_module(&header, &writer.ports(clocks[id.index()]));
    for section in [
        writer.declarations(),
        writer.logic(),
        memories,
        instances,
        registers,
        outputs,
        writer.unused(clocks[id.index()]),
    ] {
        out.push_str(&section);
        if !section.is_empty() {
            out.push('\n');
        }
    }
    finish_module(&mut out);
    out
}

impl Writer<'_> {
    /// The identifier of a node.
    pub fn name(&mut self, id: NodeId) -> String {
        self.names.name(self.design, self.module, id).to_owned()
    }

    /// The name of a node that is a named constant; one that only stands for an output port has none.
    pub fn constant_name(&self, id: NodeId) -> Option<&str> {
        let is_port = self.names.output_of[id.index()].is_some();
        self.names.nodes[id.index()].as_deref().filter(|_| !is_port)
    }

    pub fn read_all(&mut self, id: NodeId) {
        self.reads[id.index()].all = true;
    }

    pub fn read(&mut self, id: NodeId, lo: u32, width: u32) {
        self.reads[id.index()].ranges.push((lo, lo + width - 1));
    }

    fn clocking(&self) -> &Clocking {
        &self.design.clocking
    }

    /// Inputs, live registers, and outputs of memories and instances are identifiers from the start.
    fn declare_sources(&mut self) {
        for index in 0..self.module.nodes.len() {
            let id = NodeId(index as u32);
            self.declared[index] = match &self.module.nodes[index].op {
                Op::Input(_) | Op::InstOut { .. } | Op::MemRead { .. } => true,
                Op::Reg(_) => self.low.live[index],
                _ => false,
            };
            if self.declared[index] {
                self.name(id);
            }
        }
    }

    fn ports(&self, (has_clock, has_reset): (bool, bool)) -> Vec<PortLine> {
        let implied = |name: &String| PortLine { dir: Dir::Input, is_reg: false, width: 1, name: name.clone() };
        let clock = has_clock.then(|| implied(&self.clocking().clock));
        let reset = has_reset.then(|| implied(&self.clocking().reset));
        let own = self.module.ports.iter().enumerate().map(|(index, port)| {
            let is_node = port.dir == Dir::Output && self.names.output_of[port.node.index()] == Some(index as u32);
            let is_reg = is_node && self.declared[port.node.index()] && self.is_variable(port.node);
            PortLine { dir: port.dir, is_reg, width: port.width, name: port.name.clone() }
        });
        clock.into_iter().chain(reset).chain(own).collect()
    }

    /// Whether the node is assigned in an `always` block.
    fn is_variable(&self, id: NodeId) -> bool {
        match &self.low.ops[id.index()] {
            Op::Reg(_) => true,
            Op::Select { cases, .. } => cases.len() > 2,
            _ => false,
        }
    }

    /// Constants, registers, and nets driven by instances and memories.
    fn declarations(&mut self) -> String {
        let mut constants = Vec::new();
        let mut registers = Vec::new();
        let mut nets = Vec::new();
        for index in 0..self.module.nodes.len() {
            let id = NodeId(index as u32);
            let width = self.module.nodes[index].width;
            match &self.low.ops[index] {
                Op::Const(bits) if self.reads[index].all => {
                    let value = Expr::literal(bits).text;
                    constants.push((width, format!("{} = {BREAK}{value}", self.name(id))));
                }
                Op::Reg(_) if self.declared[index] && !self.is_port(id) => registers.push((width, self.name(id))),
                Op::InstOut { .. } | Op::MemRead { .. } if !self.is_port(id) => nets.push((width, self.name(id))),
                _ => {}
            }
        }
        let lists = [declare("localparam", &constants), declare("reg", &registers), declare("wire", &nets)];
        lists.into_iter().filter(|l| !l.is_empty()).collect::<Vec<_>>().join("\n")
    }

    /// Whether the node is an output port.
    fn is_port(&self, id: NodeId) -> bool {
        self.names.output_of[id.index()].is_some()
    }

    fn logic(&mut self) -> String {
        let statements = std::mem::take(&mut self.statements);
        let width = |s: &Statement| match s {
            Statement::Net { id, .. } if !self.is_port(*id) => range(self.module.node(*id).width).len(),
            _ => 0,
        };
        let range_width = statements.iter().map(width).max().unwrap_or(0);
        let mut out = String::new();
        let mut after_block = false;
        for statement in &statements {
            match statement {
                Statement::Net { id, text } => {
                    if after_block {
                        out.push('\n');
                    }
                    after_block = false;
                    let name = self.name(*id);
                    if self.is_port(*id) {
                        push_lines(&mut out, 4, &format!("assign {name} = {BREAK}{text};"));
                    } else {
                        let range = range(self.module.node(*id).width);
                        let gap = if range_width > 0 { " " } else { "" };
                        push_lines(&mut out, 4, &format!("wire{gap}{range:range_width$} {name} = {BREAK}{text};"));
                    }
                }
                Statement::Case { id, sel, arms } => {
                    if !out.is_empty() {
                        out.push('\n');
                    }
                    after_block = true;
                    if !self.is_port(*id) {
                        let declaration = declare("reg", &[(self.module.node(*id).width, self.name(*id))]);
                        out.push_str(&declaration);
                    }
                    out.push_str("    always @* begin\n");
                    push_lines(&mut out, 8, &format!("case ({sel})"));
                    arms.iter().for_each(|arm| push_lines(&mut out, 12, arm));
                    out.push_str("        endcase\n    end\n");
                }
            }
        }
        out
    }

    /// One `always` block for each group of registers.
    fn registers(&mut self) -> String {
        let mut blocks = Vec::new();
        for group in std::mem::take(&mut self.low.reg_groups) {
            self.is_clock_used = true;
            self.is_reset_used |= group.has_reset;
            let enable = group.enable.map(|e| self.nested(e).text);
            let mut resets = Vec::new();
            let mut loads = Vec::new();
            for reg in &group.regs {
                let reg = &self.module.regs[reg.index()];
                let name = self.name(reg.node);
                if let Some(value) = &reg.reset {
                    resets.push(format!("{name} <= {BREAK}{};", Expr::literal(value).text));
                }
                let Some(next) = reg.next else { continue };
                let next = match self.whole(next) {
                    // Not to be confused with the assignment arrow.
                    Expr { level: Level::Binary("<="), text } => format!("({text})"),
                    next => next.text,
                };
                loads.push(format!("{name} <= {BREAK}{next};"));
            }
            let mut out = format!("    always @(posedge {}) begin\n", self.clocking().clock);
            let mut indent = 8;
            let mut open = String::new();
            if group.has_reset {
                out.push_str(&format!("        if (!{}) begin\n", self.clocking().reset));
                resets.iter().for_each(|r| push_lines(&mut out, 12, r));
                open = "end else ".to_owned();
            }
            if let Some(enable) = &enable {
                open += &format!("if ({enable}) ");
            }
            if !open.is_empty() {
                push_lines(&mut out, 8, &format!("{open}begin"));
                indent = 12;
            }
            loads.iter().for_each(|l| push_lines(&mut out, indent, l));
            out.push_str(if open.is_empty() { "    end\n" } else { "        end\n    end\n" });
            blocks.push(out);
        }
        blocks.join("\n")
    }

    fn memories(&mut self, module: ModuleId, memories: &MemoryModules) -> String {
        let mut blocks = Vec::new();
        for (index, mem) in self.module.mems.iter().enumerate() {
            let Some(shape) = memories.get(module, MemId(index as u32)) else { continue };
            let mut pins = Vec::new();
            if shape.has_clock {
                self.is_clock_used = true;
                pins.push((self.clocking().clock.clone(), self.clocking().clock.clone()));
            }
            for (i, write) in mem.writes.iter().enumerate() {
                pins.push((format!("w{i}_en"), self.nested(write.enable).text));
                pins.push((format!("w{i}_addr"), self.nested(write.addr).text));
                pins.push((format!("w{i}_data"), self.nested(write.data).text));
            }
            for (i, read) in mem.reads.iter().enumerate() {
                if mem.read_latency > 0 {
                    let enable = read.enable.map_or("1'b1".to_owned(), |e| self.nested(e).text);
                    pins.push((format!("r{i}_en"), enable));
                }
                pins.push((format!("r{i}_addr"), self.nested(read.addr).text));
                pins.push((format!("r{i}_data"), self.name(read.node)));
            }
            blocks.push(instance(&shape.name, &mem.name, &pins));
        }
        blocks.join("\n")
    }

    fn instances(&mut self, clocks: &[(bool, bool)]) -> String {
        let mut blocks = Vec::new();
        for inst in &self.module.instances {
            let child = self.design.module(inst.module);
            let (has_clock, has_reset) = clocks[inst.module.index()];
            self.is_clock_used |= has_clock;
            self.is_reset_used |= has_reset;
            let Clocking { clock, reset } = self.clocking();
            let implied = [(has_clock, clock), (has_reset, reset)].into_iter().filter(|(has, _)| *has);
            let mut pins: Vec<_> = implied.map(|(_, name)| (name.clone(), name.clone())).collect();
            for (port, connection) in child.ports.iter().zip(&inst.connections) {
                let node = connection.expect("a checked design has every port connected");
                let text = match port.dir {
                    Dir::Input => self.nested(node).text,
                    Dir::Output => self.name(node),
                };
                pins.push((port.name.clone(), text));
            }
            blocks.push(instance(&child.name, &inst.name, &pins));
        }
        blocks.join("\n")
    }

    /// Output ports that only repeat something else.
    fn outputs(&mut self) -> String {
        let mut out = String::new();
        for (index, port) in self.module.ports.iter().enumerate().filter(|(_, p)| p.dir == Dir::Output) {
            let is_node = self.names.output_of[port.node.index()] == Some(index as u32);
            let is_constant = matches!(self.low.ops[port.node.index()], Op::Const(_));
            if !is_node || is_constant {
                let text = self.whole(port.node).text;
                push_lines(&mut out, 4, &format!("assign {} = {BREAK}{text};", port.name));
            }
        }
        out
    }

    /// A wire that reads what nothing else reads.
    fn unused(&mut self, (has_clock, has_reset): (bool, bool)) -> String {
        let mut parts = vec!["1'b0".to_owned()];
        let Clocking { clock, reset } = self.clocking();
        if has_clock && !self.is_clock_used {
            parts.push(clock.clone());
        }
        if has_reset && !self.is_reset_used {
            parts.push(reset.clone());
        }
        for index in 0..self.module.nodes.len() {
            let id = NodeId(index as u32);
            if !self.declared[index] || self.is_port(id) || self.reads[index].all {
                continue;
            }
            let width = self.module.nodes[index].width;
            for (lo, hi) in gaps(&mut self.reads[index].ranges, width) {
                let name = self.name(id);
                parts.push(match hi - lo + 1 {
                    all if all == width => name,
                    1 => format!("{name}[{lo}]"),
                    _ => format!("{name}[{hi}:{lo}]"),
                });
            }
        }
        if parts.len() == 1 {
            return String::new();
        }
        let mut out = "    // Bits that nothing reads.\n".to_owned();
        let name = self.names.unique("unused");
        push_lines(&mut out, 4, &format!("wire {name} = &{{{}}};", parts.join(&format!(", {BREAK}"))));
        out
    }
}

/// The parts of `0..width` that none of `ranges` covers, from the lowest.
fn gaps(ranges: &mut [(u32, u32)], width: u32) -> Vec<(u32, u32)> {
    ranges.sort_unstable();
    let mut gaps = Vec::new();
    let mut next = 0;
    for (lo, hi) in ranges.iter().copied() {
        if lo > next {
            gaps.push((next, lo - 1));
        }
        next = next.max(hi + 1);
    }
    if next < width {
        gaps.push((next, width - 1));
    }
    gaps
}

/// Declarations with their names aligned.
fn declare(keyword: &str, list: &[(u32, String)]) -> String {
    let range_width = list.iter().map(|(w, _)| range(*w).len()).max().unwrap_or(0);
    let gap = if range_width > 0 { " " } else { "" };
    let mut out = String::new();
    for (width, text) in list {
        push_lines(&mut out, 4, &format!("{keyword}{gap}{:range_width$} {text};", range(*width)));
    }
    out
}

/// An instance with one connection per line.
fn instance(module: &str, name: &str, pins: &[(String, String)]) -> String {
    let pin_width = pins.iter().map(|(p, _)| p.len()).max().unwrap_or(0);
    let mut out = format!("    {module} {name} (\n");
    for (index, (pin, text)) in pins.iter().enumerate() {
        let comma = if index + 1 < pins.len() { "," } else { "" };
        push_lines(&mut out, 8, &format!(".{pin:pin_width$} ({text}){comma}"));
    }
    out.push_str("    );\n");
    out
}
