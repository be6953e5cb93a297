//! Mapped modules on Icarus Verilog, with the cells as Yosys reads them from the library.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use eva_rtl::hdl::Design;
use eva_rtl::hdl::ir::Dir;
use eva_rtl::hdl::verilog;
use eva_rtl::synth::{Netlist, Tools, default_library};

use crate::tools_of_tests::{command, expect_success, run};

/// What a module is given, cycle by cycle.
pub struct Stimuli {
    /// Names and widths, the reset included.
    inputs: Vec<(String, u32)>,
    now: BTreeMap<String, Vec<u64>>,
    /// A line of bits for each cycle.
    lines: String,
    cycles: usize,
}

/// What a module showed, cycle by cycle.
pub struct Response {
    /// First bit, counted from the left, and width.
    outputs: BTreeMap<String, (usize, usize)>,
    lines: Vec<String>,
}

impl Stimuli {
    /// For the top module of `design`: all inputs 0, and two cycles of reset.
    pub fn new(design: &Design) -> Self {
        let mut inputs = ports(design, Dir::Input);
        inputs.push((design.clocking.reset.clone(), 1));
        let mut stimuli = Self { inputs, now: BTreeMap::new(), lines: String::new(), cycles: 0 };
        stimuli.step();
        stimuli.step();
        stimuli.set(&design.clocking.reset, vec![1]);
        stimuli
    }

    /// Sets an input from now on; missing words are 0.
    pub fn set(&mut self, name: &str, words: Vec<u64>) {
        assert!(self.inputs.iter().any(|(input, _)| input == name), "no input {name}");
        self.now.insert(name.to_owned(), words);
    }

    /// Ends a cycle; returns its number.
    pub fn step(&mut self) -> usize {
        for (name, width) in &self.inputs {
            let words = self.now.get(name).map_or(&[][..], Vec::as_slice);
            let bit = |at: u32| words.get(at as usize / 64).map_or(0, |word| word >> (at % 64) & 1);
            self.lines.extend((0..*width).rev().map(|at| if bit(at) == 1 { '1' } else { '0' }));
        }
        self.lines.push('\n');
        self.cycles += 1;
        self.cycles - 1
    }
}

impl Response {
    /// An output before the clock edge that ends the cycle; `None` if any bit of it is unknown.
    pub fn get(&self, cycle: usize, name: &str) -> Option<u128> {
        let (at, width) = self.outputs[name];
        u128::from_str_radix(&self.lines[cycle][at..at + width], 2).ok()
    }
}

/// Simulates the top module of `design`, mapped to `netlist`.
pub fn simulate(design: &Design, netlist: &Netlist, tools: &Tools, stimuli: &Stimuli) -> Response {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).expect("a writable folder");
    cells(folder.path(), tools);
    file("netlist.v", &netlist.modules.iter().map(|(_, text)| text.as_str()).collect::<String>());
    let memories = verilog::memory_modules(design);
    let models = verilog::emit(design, &verilog::Options::default());
    let is_memory = |file: &&verilog::File| memories.iter().any(|memory| file.name == format!("{}.v", memory.name));
    file("memories.v", &models.iter().filter(is_memory).map(|file| file.text.as_str()).collect::<String>());
    file("stimuli", &stimuli.lines);
    let outputs = ports(design, Dir::Output);
    file("bench.v", &bench(design, stimuli, &outputs));
    let sources = ["cells.v", "netlist.v", "memories.v", "bench.v"];
    let mut compile = command("iverilog");
    compile.args(["-g2005", "-s", "bench", "-o", "bench"]).args(sources).current_dir(folder.path());
    expect_success("Icarus compiles a netlist", &mut compile, true);
    let output = run(Command::new("vvp").args(["-n", "bench"]).current_dir(folder.path()));
    let text = String::from_utf8(output.stdout).expect("text");
    let lines: Vec<String> = text.lines().map(str::to_owned).collect();
    assert_eq!(lines.len(), stimuli.cycles, "{text:.200}");
    let mut at = 0;
    let mut place = |(name, width): (String, u32)| {
        at += width as usize;
        (name, (at - width as usize, width as usize))
    };
    Response { outputs: outputs.into_iter().map(&mut place).collect(), lines }
}

/// Writes `cells.v`, the cells of the default library.
fn cells(folder: &Path, tools: &Tools) {
    let library = default_library().unwrap_or_else(|error| panic!("{error}"));
    fs::copy(library, folder.join("cells.lib")).expect("the library can be read");
    let script = "read_liberty -ignore_miss_func cells.lib; write_verilog -noattr cells.v";
    let mut yosys = Command::new(tools.yosys.executable());
    expect_success("Yosys writes cells", yosys.args(["-q", "-p", script]).current_dir(folder), false);
}

/// Names and widths of ports of the top module, clock and reset excepted.
fn ports(design: &Design, direction: Dir) -> Vec<(String, u32)> {
    let top = design.top_module();
    let ports = top.ports.iter().filter(|port| port.dir == direction);
    ports.map(|port| (port.name.clone(), port.width)).collect()
}

/// Applies a line of bits in each cycle and shows what comes out.
fn bench(design: &Design, stimuli: &Stimuli, outputs: &[(String, u32)]) -> String {
    let (_, has_reset) = design.clock_and_reset_use()[design.top.index()];
    let is_port = |name: &str| has_reset || name != design.clocking.reset;
    let names = |ports: &[(String, u32)]| ports.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    let declare = |kind: &str, (name, width): &(String, u32)| format!("  {kind} [{}:0] {name};\n", width - 1);
    let ports = stimuli.inputs.iter().chain(outputs).map(|(name, _)| name).filter(|name| is_port(name));
    let clock = &design.clocking.clock;
    let connections: String = ports.chain([clock]).map(|name| format!(".{name}({name}), ")).collect();
    let width: u32 = stimuli.inputs.iter().map(|(_, width)| width).sum();
    format!(
        "`timescale 1ns/1ps
module bench;
{inputs}{wires}  reg {clock} = 0;
  reg [{high}:0] stimuli [0:{last}];
  integer cycle;
  {top} dut ({connections});
  initial begin
    $readmemb(\"stimuli\", stimuli);
    for (cycle = 0; cycle <= {last}; cycle = cycle + 1) begin
      {{{applied}}} = stimuli[cycle];
      #1 $display(\"%b\", {{{shown}}});
      {clock} = 1;
      #1 {clock} = 0;
    end
  end
endmodule
",
        inputs = stimuli.inputs.iter().map(|port| declare("reg", port)).collect::<String>(),
        wires = outputs.iter().map(|port| declare("wire", port)).collect::<String>(),
        high = width - 1,
        last = stimuli.cycles - 1,
        top = design.top_module().name,
        connections = connections.trim_end_matches(", "),
        applied = names(&stimuli.inputs),
        shown = names(outputs),
    )
}
