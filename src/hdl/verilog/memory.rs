//! Memories: one module per shape, so that a vendor's macro can take its place.

use super::expr::Expr;
use super::text::{Header, PortLine, finish_module, start_module};
use super::{File, MODELS, MemoryStyle};
use crate::hdl::bits::{Bits, index_width};
use crate::hdl::ir::{Collision, Design, Dir, Mem, MemId, ModuleId};
use crate::hdl::names::Names;
use std::collections::HashMap;
use std::fmt::Write;

/// What distinguishes one memory module from another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemoryModule {
    /// Name of the Verilog module.
    pub name: String,
    /// Words.
    pub depth: u32,
    /// Bits of a word.
    pub width: u32,
    /// Read ports.
    pub reads: u32,
    /// Write ports.
    pub writes: u32,
    /// 0 or 1.
    pub read_latency: u32,
    /// [`Collision::ReadOld`] where it makes no difference.
    pub collision: Collision,
    /// `depth` words.
    pub init: Option<Vec<Bits>>,
    /// Whether it has a clock port: all but combinational ROMs.
    pub has_clock: bool,
}

/// A port of a [`MemoryModule`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemoryPort {
    /// Its name.
    pub name: String,
    /// Input or output.
    pub dir: Dir,
    /// Bits.
    pub width: u32,
    /// What it is, in a few words.
    pub meaning: &'static str,
}

impl MemoryPort {
    /// Its line in a port list, as a net.
    pub(super) fn line(&self) -> PortLine {
        PortLine { dir: self.dir, is_reg: false, width: self.width, name: self.name.clone() }
    }
}

/// The memory modules of a design and which one each memory is an instance of.
pub(super) struct MemoryModules {
    pub modules: Vec<MemoryModule>,
    index_of: HashMap<(ModuleId, MemId), usize>,
}

impl MemoryModules {
    pub fn new(design: &Design) -> MemoryModules {
        let mut names = Names::default();
        design.modules.iter().for_each(|m| {
            names.reserve(&m.name);
        });
        let mut modules: Vec<MemoryModule> = Vec::new();
        let mut index_of = HashMap::new();
        let mut by_shape: HashMap<MemoryModule, usize> = HashMap::new();
        for (m, module) in design.modules.iter().enumerate() {
            for (i, mem) in module.mems.iter().enumerate().filter(|(_, m)| !m.reads.is_empty()) {
                let shape = MemoryModule::new(mem, &design.prefix);
                let index = *by_shape.entry(shape).or_insert_with_key(|shape| {
                    modules.push(MemoryModule { name: names.unique(&shape.name), ..shape.clone() });
                    modules.len() - 1
                });
                index_of.insert((ModuleId(m as u32), MemId(i as u32)), index);
            }
        }
        MemoryModules { modules, index_of }
    }

    /// The module of a memory; `None` when nobody reads it, it then does not exist.
    pub fn get(&self, module: ModuleId, mem: MemId) -> Option<&MemoryModule> {
        self.index_of.get(&(module, mem)).map(|i| &self.modules[*i])
    }
}

impl MemoryModule {
    fn new(mem: &Mem, prefix: &str) -> MemoryModule {
        let (reads, writes) = (mem.reads.len() as u32, mem.writes.len() as u32);
        let collides = mem.read_latency > 0 && writes > 0;
        let collision = if collides { mem.collision } else { Collision::ReadOld };
        let kind = if writes == 0 { "rom" } else { "mem" };
        let mut name = format!("{prefix}{kind}_{}x{}_{reads}r", mem.depth, mem.width);
        if writes > 0 {
            name += &format!("{writes}w");
        }
        if mem.read_latency == 0 {
            name += "_async";
        }
        name += match collision {
            Collision::ReadOld => "",
            Collision::ReadNew => "_new",
            Collision::Undefined => "_any",
        };
        if let Some(init) = &mem.init {
            let mut hasher = blake3::Hasher::new();
            for word in init.iter().flat_map(|w| w.words()) {
                hasher.update(&word.to_le_bytes());
            }
            name += &format!("_{}", &hasher.finalize().to_hex()[..8]);
        }
        MemoryModule {
            name,
            depth: mem.depth,
            width: mem.width,
            reads,
            writes,
            read_latency: mem.read_latency,
            collision,
            init: mem.init.clone(),
            has_clock: mem.has_clock(),
        }
    }

    /// Whether a RAM macro can take its place: it is synchronous and powers up with any content.
    pub fn can_be_macro(&self) -> bool {
        self.read_latency > 0 && self.init.is_none()
    }

    /// The file of the module, or the two of a black box and its model.
    pub(super) fn files(&self, clock: &str, style: MemoryStyle) -> Vec<File> {
        let behavioural = self.text(clock, true);
        if style == MemoryStyle::Inferred || !self.can_be_macro() {
            return vec![File { name: format!("{}.v", self.name), text: behavioural }];
        }
        vec![
            File { name: format!("{}.v", self.name), text: self.text(clock, false) },
            File { name: format!("{MODELS}{}.v", self.name), text: behavioural },
        ]
    }

    pub(super) fn doc(&self) -> String {
        let MemoryModule { depth, width, .. } = self;
        let mut doc = format!("Memory of {depth} words of {width} bits. ");
        doc += match (self.writes, self.init.is_some()) {
            (0, _) => "Its content never changes. ",
            (_, true) => "It powers up with the content below. ",
            (_, false) => "It powers up with any content. ",
        };
        doc += match self.read_latency {
            0 => "r*_data follows r*_addr in the same cycle. ",
            _ => "r*_data shows the word at r*_addr after a clock edge with r*_en high, and otherwise stays. ",
        };
        doc += match (self.writes > 0 && self.read_latency > 0, self.collision) {
            (false, _) => "",
            (true, Collision::ReadOld) => "A read of a word that is being written sees the old word. ",
            (true, Collision::ReadNew) => "A read of a word that is being written sees the new word. ",
            (true, Collision::Undefined) => "A read of a word that is being written may return anything. ",
        };
        if self.writes > 0 {
            doc += "w*_data is stored at w*_addr at a clock edge with w*_en high";
            doc += if self.writes > 1 { "; of several writes to one word the last port wins. " } else { ". " };
        }
        if !self.depth.is_power_of_two() {
            doc += "Addresses beyond the last word read anything and store nothing.";
        }
        doc.trim_end().to_owned()
    }

    fn text(&self, clock: &str, with_body: bool) -> String {
        let header = Header { name: &self.name, doc: &self.doc(), params: &[], is_black_box: !with_body };
        let is_reg = with_body && self.read_latency > 0;
        let line = |port: &MemoryPort| PortLine { is_reg: is_reg && port.dir == Dir::Output, ..port.line() };
        let ports: Vec<PortLine> = self.ports(clock).iter().map(line).collect();
        let mut out = start_module(&header, &ports);
        if with_body {
            self.body(clock, &mut out);
        }
        finish_module(&mut out);
        out
    }

    /// The ports of the module in their order; `clock` is the name of the design's clock.
    pub fn ports(&self, clock: &str) -> Vec<MemoryPort> {
        let addr = index_width(u64::from(self.depth));
        let mut ports = Vec::new();
        let mut push = |dir, width, name: String, meaning| ports.push(MemoryPort { name, dir, width, meaning });
        if self.has_clock {
            push(Dir::Input, 1, clock.to_owned(), "clock, rising edge");
        }
        for i in 0..self.writes {
            push(Dir::Input, 1, format!("w{i}_en"), "write enable, active high");
            push(Dir::Input, addr, format!("w{i}_addr"), "write address");
            push(Dir::Input, self.width, format!("w{i}_data"), "word to write, all bits of it");
        }
        let data = match self.read_latency {
            0 => "word at the read address, in the same cycle",
            _ => "word read at the last clock edge with the read enable high; stays until the next one",
        };
        for i in 0..self.reads {
            if self.read_latency > 0 {
                push(Dir::Input, 1, format!("r{i}_en"), "read enable, active high");
            }
            push(Dir::Input, addr, format!("r{i}_addr"), "read address");
            push(Dir::Output, self.width, format!("r{i}_data"), data);
        }
        ports
    }

    /// The templates that Yosys and the vendors' tools infer block or distributed RAM from.
    fn body(&self, clock: &str, out: &mut String) {
        let range = if self.width == 1 { String::new() } else { format!("[{}:0] ", self.width - 1) };
        out.push_str(&format!("    reg {range}words [0:{}];\n\n", self.depth - 1));
        if let Some(init) = &self.init {
            out.push_str("    initial begin\n");
            for (i, word) in init.iter().enumerate() {
                let literal = Expr::literal(word).text.replace(super::expr::BREAK, "");
                writeln!(out, "        words[{i}] = {literal};").expect("writing to a string");
            }
            out.push_str("    end\n\n");
        }
        if self.has_clock {
            out.push_str(&format!("    always @(posedge {clock}) begin\n"));
            for i in 0..self.writes {
                out.push_str(&format!("        if (w{i}_en) words[w{i}_addr] <= w{i}_data;\n"));
            }
            if self.read_latency > 0 {
                (0..self.reads).for_each(|i| self.synchronous_read(i, out));
            }
            out.push_str("    end\n");
        }
        if self.read_latency == 0 {
            if self.has_clock {
                out.push('\n');
            }
            for i in 0..self.reads {
                out.push_str(&format!("    assign r{i}_data = words[r{i}_addr];\n"));
            }
        }
    }

    fn synchronous_read(&self, i: u32, out: &mut String) {
        // Non-blocking assignments: the read sees the words as they were before the writes above.
        let read = format!("r{i}_data <= words[r{i}_addr];");
        if self.collision == Collision::ReadOld {
            out.push_str(&format!("        if (r{i}_en) {read}\n"));
            return;
        }
        out.push_str(&format!("        if (r{i}_en) begin\n            {read}\n"));
        for w in 0..self.writes {
            // The unknown value is what lets Yosys use a block RAM without logic around it that orders read and write.
            let value = match self.collision {
                Collision::ReadNew => format!("w{w}_data"),
                _ => format!("{{{}{{1'bx}}}}", self.width),
            };
            out.push_str(&format!("            if (w{w}_en && w{w}_addr == r{i}_addr) r{i}_data <= {value};\n"));
        }
        out.push_str("        end\n");
    }
}
