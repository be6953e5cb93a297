//! Modules that take the place of black boxes: a memory made of a vendor's RAM macros.

use super::memory::MemoryModule;
use super::text::{Header, finish_module, range, start_module};
use super::{File, MemoryPort};
use crate::hdl::bits::index_width;
use crate::hdl::ir::Collision;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Write;

/// A vendor's RAM macro with a write port and a read port, and what its pins are called.
///
/// It takes address, data and enables at the rising edge of the clock, and shows what it read before the next rising
/// edge. What a read of a word returns that is written in the same cycle does not matter.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RamMacro {
    /// Name of the vendor's module.
    pub module: String,
    /// Words.
    pub depth: u32,
    /// Bits of a word.
    pub width: u32,
    /// Whether the data stays on the read port while that is not enabled. If not, registers keep it.
    pub holds_output: bool,
    /// The port that is written.
    pub write: RamMacroPort,
    /// The port that is read; it may have the clock pin of the other one.
    pub read: RamMacroPort,
    /// Constants for all other inputs, by pin, as sized Verilog literals: `4'b1111`.
    pub tie: BTreeMap<String, String>,
    /// Outputs that are not used, and how many bits they have.
    pub open: BTreeMap<String, u32>,
}

/// The pins of one port of a [`RamMacro`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RamMacroPort {
    /// Of the clock.
    pub clock: String,
    /// Of one bit each, all active in an access; `!` before the name: active low. A write port has at least one.
    pub enable: Vec<String>,
    /// `ceil(log2(depth))` bits.
    pub address: String,
    /// `width` bits; an input of the write port, an output of the read port.
    pub data: String,
}

/// What decoders, drivers and sense amplifiers of a macro take, in bits, when one macro is chosen among several. A
/// guess: in small macros they take more than the bits themselves.
const PERIPHERY: u64 = 4096;

/// How a memory is made of macros: `banks` of them for its depth, in each `slices` for its width.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RamMacroBinding<'a> {
    /// The macro.
    pub ram: &'a RamMacro,
    /// Macros over the depth.
    pub banks: u32,
    /// Macros over the width.
    pub slices: u32,
}

impl RamMacro {
    /// Words of a macro that are used if the memory needs several banks: a power of two, so that address bits choose
    /// the bank.
    fn bank_depth(&self) -> u32 {
        1 << self.depth.ilog2()
    }

    fn binding(&self, memory: &MemoryModule) -> RamMacroBinding<'_> {
        let banks = if memory.depth <= self.depth { 1 } else { memory.depth.div_ceil(self.bank_depth()) };
        RamMacroBinding { ram: self, banks, slices: memory.width.div_ceil(self.width) }
    }
}

impl<'a> RamMacroBinding<'a> {
    /// The macro of `macros` that makes `memory` with the least area, in bits, where what is around the bits of a macro
    /// counts as 4096 of them; of several the first. `None` if there is none, or if the memory has other ports than
    /// one for writing and one for reading, or promises something about reads of a word that is being written.
    pub fn choose(memory: &MemoryModule, macros: &'a [RamMacro]) -> Option<Self> {
        let is_plain = (memory.reads, memory.writes) == (1, 1) && memory.collision == Collision::Undefined;
        if !memory.can_be_macro() || !is_plain {
            return None;
        }
        macros.iter().map(|ram| ram.binding(memory)).min_by_key(|binding| binding.bits() + PERIPHERY * binding.count())
    }

    /// Macros in the memory.
    pub fn count(&self) -> u64 {
        u64::from(self.banks) * u64::from(self.slices)
    }

    /// Bits of these macros, used or not.
    pub fn bits(&self) -> u64 {
        self.count() * u64::from(self.ram.depth) * u64::from(self.ram.width)
    }

    /// The file of the module that takes the place of the black box `memory`.
    pub fn file(&self, memory: &MemoryModule, clock: &str) -> File {
        let wrapper = Wrapper { memory, clock, ram: self.ram, banks: self.banks, slices: self.slices };
        File { name: format!("{}.v", memory.name), text: wrapper.text() }
    }
}

struct Wrapper<'a> {
    memory: &'a MemoryModule,
    clock: &'a str,
    ram: &'a RamMacro,
    banks: u32,
    slices: u32,
}

impl Wrapper<'_> {
    fn text(&self) -> String {
        let doc = format!("{} Made of {} of {}.", self.memory.doc(), self.banks * self.slices, self.ram.module);
        let header = Header { name: &self.memory.name, doc: &doc, params: &[], is_black_box: false };
        let ports: Vec<_> = self.memory.ports(self.clock).iter().map(MemoryPort::line).collect();
        let mut out = start_module(&header, &ports);
        self.addresses(&mut out);
        for bank in 0..self.banks {
            let _ = writeln!(out, "    wire {}word{bank};", gap(self.memory.width));
        }
        let unused = self.unused();
        for (name, width) in &unused {
            let _ = writeln!(out, "    wire {}{name};", gap(*width));
        }
        out.push('\n');
        for bank in 0..self.banks {
            for slice in 0..self.slices {
                self.instance(bank, slice, &mut out);
            }
        }
        let word = self.chosen_word(&mut out);
        self.output(word, &mut out);
        if !unused.is_empty() {
            let names: String = unused.iter().map(|(name, _)| format!(",\n        {name}")).collect();
            let _ =
                write!(out, "\n    // Bits that nothing reads.\n    wire unused = &{{\n        1'b0{names}\n    }};\n");
        }
        finish_module(&mut out);
        out
    }

    /// Outputs of macros that nothing reads: names and widths.
    fn unused(&self) -> Vec<(String, u32)> {
        let spare =
            (0..self.banks).map(|bank| (format!("spare{bank}"), self.padding())).filter(|(_, width)| *width > 0);
        let places = (0..self.banks).flat_map(|bank| (0..self.slices).map(move |slice| (bank, slice)));
        let open = places.flat_map(|(bank, slice)| {
            self.ram.open.iter().map(move |(pin, width)| (format!("bank{bank}_slice{slice}_{pin}"), *width))
        });
        spare.chain(open).collect()
    }

    /// Bits of the last slice that the memory does not have.
    fn padding(&self) -> u32 {
        self.slices * self.ram.width - self.memory.width
    }

    /// Bits of the memory's address that go to every bank.
    fn low_address(&self) -> u32 {
        match self.banks {
            1 => self.memory_address(),
            _ => self.ram.bank_depth().ilog2(),
        }
    }

    fn memory_address(&self) -> u32 {
        index_width(u64::from(self.memory.depth))
    }

    /// Addresses of the macros, and for several banks which one is meant.
    fn addresses(&self, out: &mut String) {
        let (width, low) = (index_width(u64::from(self.ram.depth)), self.low_address());
        for (port, address) in [("write", "w0_addr"), ("read", "r0_addr")] {
            let used = bits(address, self.memory_address(), 0, low);
            let whole = match width - low {
                0 => used,
                more => format!("{{{{{more}{{1'b0}}}}, {used}}}"),
            };
            let _ = writeln!(out, "    wire {}{port}_address = {whole};", gap(width));
        }
        if self.banks == 1 {
            return;
        }
        let bank_bits = self.memory_address() - low;
        for (port, enable, address) in [("write", "w0_en", "w0_addr"), ("read", "r0_en", "r0_addr")] {
            let bank = bits(address, self.memory_address(), low, bank_bits);
            for number in 0..self.banks {
                let _ = writeln!(out, "    wire {port}_bank{number} = {enable} & ({bank} == {bank_bits}'d{number});");
            }
        }
    }

    fn instance(&self, bank: u32, slice: u32, out: &mut String) {
        let ram = self.ram;
        let low = slice * ram.width;
        let used = ram.width.min(self.memory.width - low);
        let (mut written, mut read) =
            (bits("w0_data", self.memory.width, low, used), bits(&format!("word{bank}"), self.memory.width, low, used));
        if used < ram.width {
            written = format!("{{{{{}{{1'b0}}}}, {written}}}", ram.width - used);
            read = format!("{{spare{bank}, {read}}}");
        }
        let [write_enable, read_enable] = match self.banks {
            1 => ["w0_en".to_owned(), "r0_en".to_owned()],
            _ => [format!("write_bank{bank}"), format!("read_bank{bank}")],
        };

        let mut pins: Vec<(&str, String)> = vec![(&ram.write.clock, self.clock.to_owned())];
        pins.extend(ram.write.enable.iter().map(|pin| enable_pin(pin, &write_enable)));
        pins.push((&ram.write.address, "write_address".to_owned()));
        pins.push((&ram.write.data, written));
        if ram.read.clock != ram.write.clock {
            pins.push((&ram.read.clock, self.clock.to_owned()));
        }
        pins.extend(ram.read.enable.iter().map(|pin| enable_pin(pin, &read_enable)));
        pins.push((&ram.read.address, "read_address".to_owned()));
        pins.push((&ram.read.data, read));
        pins.extend(ram.tie.iter().map(|(pin, value)| (pin.as_str(), value.clone())));
        pins.extend(ram.open.keys().map(|pin| (pin.as_str(), format!("bank{bank}_slice{slice}_{pin}"))));

        let width = pins.iter().map(|(pin, _)| pin.len()).max().unwrap_or(0);
        let lines: Vec<String> = pins.iter().map(|(pin, value)| format!("        .{pin:width$} ({value})")).collect();
        let _ = writeln!(out, "    {} u_bank{bank}_slice{slice} (\n{}\n    );\n", ram.module, lines.join(",\n"));
    }

    /// What the bank shows that was read last: the name of a signal.
    fn chosen_word(&self, out: &mut String) -> &'static str {
        if self.banks == 1 {
            return "word0";
        }
        let low = self.low_address();
        let bank_bits = self.memory_address() - low;
        let bank = bits("r0_addr", self.memory_address(), low, bank_bits);
        let clock = self.clock;
        let _ = write!(
            out,
            "    reg {}bank_q;\n    always @(posedge {clock}) if (r0_en) bank_q <= {bank};\n\n",
            gap(bank_bits)
        );
        let _ = write!(out, "    reg {}word;\n    always @* begin\n        case (bank_q)\n", gap(self.memory.width));
        for number in 0..self.banks - 1 {
            let _ = writeln!(out, "            {bank_bits}'d{number}: word = word{number};");
        }
        let _ = write!(out, "            default: word = word{};\n        endcase\n    end\n\n", self.banks - 1);
        "word"
    }

    fn output(&self, word: &str, out: &mut String) {
        if self.ram.holds_output {
            let _ = writeln!(out, "    assign r0_data = {word};");
            return;
        }
        let clock = self.clock;
        let _ = write!(
            out,
            "    // The macro shows a word for one cycle only.\n    reg is_fresh;\n    reg {}held;\n    \
             always @(posedge {clock}) begin\n        is_fresh <= r0_en;\n        if (is_fresh) held <= {word};\n    \
             end\n\n    assign r0_data = is_fresh ? {word} : held;\n",
            gap(self.memory.width)
        );
    }
}

/// Pin and value of an enable, which is active when `signal` is 1.
fn enable_pin<'p>(pin: &'p str, signal: &str) -> (&'p str, String) {
    match pin.strip_prefix('!') {
        Some(pin) => (pin, format!("~{signal}")),
        None => (pin, signal.to_owned()),
    }
}

/// `count` bits from `low` on of `name`, which has `width`.
fn bits(name: &str, width: u32, low: u32, count: u32) -> String {
    match count {
        _ if count == width => name.to_owned(),
        1 => format!("{name}[{low}]"),
        _ => format!("{name}[{}:{low}]", low + count - 1),
    }
}

/// The range of a declaration and a space, nothing for one bit.
fn gap(width: u32) -> String {
    let range = range(width);
    if range.is_empty() { range } else { range + " " }
}
