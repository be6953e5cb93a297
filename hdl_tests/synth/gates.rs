//! Mapped modules on Verilator, with the cells as Yosys reads them from the library.

use std::collections::BTreeMap;
use std::fs;
use std::process::Command;

use eva_rtl::cosim::verilator::{CompiledModel, Verilator, VerilogModel};
use eva_rtl::cosim::{Direction, PortSpec, Simulator};
use eva_rtl::hdl::Design;
use eva_rtl::hdl::ir::Dir;
use eva_rtl::hdl::verilog;
use eva_rtl::synth::{Netlist, Tools, default_library};

use super::shared_cache;
use crate::tools_of_tests::expect_success;

/// What a module is given, cycle by cycle.
pub struct Stimuli {
    /// Names and widths, the reset included.
    inputs: Vec<(String, u32)>,
    now: BTreeMap<String, Vec<u64>>,
    /// For each cycle the inputs as they are set in it.
    cycles: Vec<BTreeMap<String, Vec<u64>>>,
}

/// What a module showed, cycle by cycle.
pub struct Response {
    /// The values of the outputs in each cycle, once for every start.
    starts: [Vec<BTreeMap<String, u128>>; 2],
}

impl Stimuli {
    /// For the top module of `design`: all inputs 0, and two cycles of reset.
    pub fn new(design: &Design) -> Self {
        let mut inputs = ports(design, Dir::Input);
        inputs.push((design.clocking.reset.clone(), 1));
        let mut stimuli = Self { inputs, now: BTreeMap::new(), cycles: Vec::new() };
        stimuli.step();
        stimuli.step();
        stimuli.set(&design.clocking.reset, vec![1]);
        stimuli
    }

    /// Sets an input from now on; missing words are 0.
    pub fn set(&mut self, name: &str, mut words: Vec<u64>) {
        let input = self.inputs.iter().find(|(input, _)| input == name);
        let (_, width) = input.unwrap_or_else(|| panic!("no input {name}"));
        words.resize(width.div_ceil(64) as usize, 0);
        self.now.insert(name.to_owned(), words);
    }

    /// Ends a cycle; returns its number.
    pub fn step(&mut self) -> usize {
        self.cycles.push(self.now.clone());
        self.cycles.len() - 1
    }
}

impl Response {
    /// An output of up to 128 bits before the clock edge that ends the cycle; `None` if it depends on what registers and
    /// memories held in the beginning.
    pub fn get(&self, cycle: usize, name: &str) -> Option<u128> {
        let [one, other] = self.starts.each_ref().map(|start| start[cycle][name]);
        (one == other).then_some(one)
    }
}

/// Simulates the top module of `design`, mapped to `netlist`.
pub fn simulate(design: &Design, netlist: &Netlist, tools: &Tools, stimuli: &Stimuli) -> Response {
    let memories = verilog::memory_modules(design);
    let models = verilog::emit(design, &verilog::Options::default());
    let is_memory = |file: &verilog::File| memories.iter().any(|memory| file.name == format!("{}.v", memory.name));
    let memories = models.into_iter().filter(is_memory).map(|file| (file.name, file.text));
    let modules = netlist.modules.iter().map(|(name, text)| (format!("{name}.v"), text.clone()));
    // Compilers take less time for several small functions than for one of all gates.
    let apart: String = netlist.modules.iter().map(|(name, _)| format!("no_inline -module \"{name}\"\n")).collect();
    let common = [("cells.v", cells(tools)), ("apart.vlt", format!("`verilator_config\n{apart}"))];
    let (_, has_reset) = design.clock_and_reset_use()[design.top.index()];
    let clocking = &design.clocking;
    let is_port = |name: &str| has_reset || name != clocking.reset;
    let outputs = ports(design, Dir::Output);
    let inputs = stimuli.inputs.iter().filter(|(name, _)| is_port(name));
    let specs = inputs.map(|port| (port, Direction::Input)).chain(outputs.iter().map(|port| (port, Direction::Output)));
    let clock = PortSpec { name: clocking.clock.clone(), direction: Direction::Input, width: 1 };
    let model = VerilogModel {
        top: design.top_module().name.clone(),
        clock: clocking.clock.clone(),
        files: common.map(|(name, text)| (name.to_owned(), text)).into_iter().chain(memories).chain(modules).collect(),
        ports: specs
            .map(|((name, width), direction)| PortSpec { name: name.clone(), direction, width: *width })
            .chain([clock])
            .collect(),
    };
    let verilator = Verilator::find().unwrap_or_else(|error| panic!("{error}")).with_cache(shared_cache());
    let compiled = verilator.compile(&model, false).unwrap_or_else(|error| panic!("{error}"));
    Response { starts: [1, 2].map(|seed| run(&compiled, seed, stimuli, &outputs)) }
}

/// The outputs in each cycle, from a random start.
fn run(model: &CompiledModel, seed: u64, stimuli: &Stimuli, outputs: &[(String, u32)]) -> Vec<BTreeMap<String, u128>> {
    let mut sim = model.simulator(seed);
    let cycle = |inputs: &BTreeMap<String, Vec<u64>>| {
        for (name, words) in inputs {
            // The reset of a module without one.
            if let Ok(port) = sim.input(name) {
                sim.set(port, words);
            }
        }
        sim.settle();
        let value = |(name, _): &(String, u32)| {
            let port = sim.output(name).expect("an output");
            let mut words = vec![0; port.words()];
            sim.get(port, &mut words);
            (name.clone(), words.iter().rev().fold(0, |value, word| value << 64 | u128::from(*word)))
        };
        let values = outputs.iter().map(value).collect();
        sim.step();
        values
    };
    stimuli.cycles.iter().map(cycle).collect()
}

/// Verilog of the cells of the default library.
fn cells(tools: &Tools) -> String {
    let library = default_library().unwrap_or_else(|error| panic!("{error}"));
    let folder = tempfile::tempdir().expect("a folder");
    fs::copy(library, folder.path().join("cells.lib")).expect("the library can be read");
    let script = "read_liberty -ignore_miss_func cells.lib; write_verilog -noattr cells.v";
    let mut yosys = Command::new(tools.yosys.executable());
    expect_success("Yosys writes cells", yosys.args(["-q", "-p", script]).current_dir(folder.path()), false);
    fs::read_to_string(folder.path().join("cells.v")).expect("it was written")
}

/// Names and widths of ports of the top module, clock and reset excepted.
fn ports(design: &Design, direction: Dir) -> Vec<(String, u32)> {
    let top = design.top_module();
    let ports = top.ports.iter().filter(|port| port.dir == direction);
    ports.map(|port| (port.name.clone(), port.width)).collect()
}
