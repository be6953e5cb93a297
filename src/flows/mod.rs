//! Files with which other people's tools take a generated core: constraints, scripts, a FuseSoC core file, and a
//! testbench.

pub mod board;
mod fusesoc;
mod openroad;
mod target;
mod testbench;

pub use target::{Period, Target};

use crate::config::CoreConfig;

/// Name of the top module of a core.
pub const TOP: &str = "eva_core";

/// The device that scripts for Vivado take if none is named: of the 7 series, as `eva synth` maps to.
const XILINX_PART: &str = "xc7a200tfbg676-2";

/// A file to be written as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the output folder.
    pub path: String,
    /// All of it.
    pub text: String,
}

/// A generated core, as the tools around it see it. Paths are relative to the output folder.
#[derive(Clone, Debug)]
pub struct Core<'a> {
    /// Its parameters.
    pub config: &'a CoreConfig,
    /// What it is to become.
    pub target: Target,
    /// Of its clock.
    pub period: Period,
    /// Verilog to synthesise, in the order in which to compile it.
    pub synthesis: Vec<&'a str>,
    /// Verilog to simulate and lint, in that order.
    pub simulation: Vec<&'a str>,
    /// Modules that are not among the files to synthesise: RAM macros.
    pub macros: Vec<&'a str>,
    /// Bits of the largest memory that no RAM macro can take the place of: a queue of flip-flops.
    pub largest_queue_bits: u64,
}

impl Core<'_> {
    /// The constraints of the target.
    pub fn constraints(&self) -> File {
        let (extension, template) = match self.target {
            Target::Asic => ("sdc", include_str!("../../constraints/asic.sdc")),
            Target::Xilinx => ("xdc", include_str!("../../constraints/xilinx.xdc")),
            Target::Ecp5 => ("lpf", include_str!("../../constraints/ecp5.lpf")),
            Target::Ice40 => ("pcf", include_str!("../../constraints/ice40.pcf")),
        };
        let text = fill(template, &[("PERIOD", self.period.to_string()), ("MHZ", self.period.frequency())]);
        File { path: format!("constraints/{TOP}.{extension}"), text }
    }

    /// A testbench that sends one small layer through the core.
    pub fn testbench(&self) -> File {
        testbench::file(self.config)
    }

    /// What describes the core to other tools: for FuseSoC always, for others as the target asks.
    pub fn flows(&self) -> Vec<File> {
        let values =
            [("TOP", TOP.to_owned()), ("PART", XILINX_PART.to_owned()), ("PICOSECONDS", self.period.picoseconds())];
        let script = |path: &str, template: &str| File { path: path.to_owned(), text: fill(template, &values) };
        let mut files = vec![fusesoc::core_file(self)];
        match self.target {
            Target::Asic => {
                files.push(openroad::config(self));
                files.push(script(fusesoc::YOSYS_SCRIPT, include_str!("templates/yosys.tcl")));
            }
            Target::Xilinx => files.push(script("flows/vivado.tcl", include_str!("templates/vivado.tcl"))),
            // FuseSoC has all that Yosys and nextpnr need.
            Target::Ecp5 | Target::Ice40 => {}
        }
        files
    }
}

/// `template` with each `@NAME@` replaced by its value.
fn fill(template: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(template.to_owned(), |text, (name, value)| text.replace(&format!("@{name}@"), value))
}
