//! Memories as cells of a library: an access time, and an area for each bit.

use std::collections::BTreeSet;
use std::fmt::Write;

use serde::Serialize;

use crate::hdl::bits::index_width;
use crate::hdl::verilog::MemoryModule;

/// What is assumed of memories that are not mapped to gates.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MemoryModel {
    /// From the clock edge to the data, in ns; from the address if the memory is read in the same cycle.
    pub access_ns: f64,
    /// With its share of decoders, sense amplifiers and so on, in um2.
    pub area_per_bit: f64,
}

impl Default for MemoryModel {
    /// What docs/synthesis.md says about a public generator's memories in 130 nm.
    fn default() -> Self {
        Self { access_ns: 2.0, area_per_bit: 17.0 }
    }
}

/// Load that an input is, and the time in which outputs change.
const FEMTOFARADS: f64 = 5.0;
const TRANSITION_NS: f64 = 0.1;

impl MemoryModel {
    /// In um2.
    pub fn area(&self, memory: &MemoryModule) -> f64 {
        self.area_per_bit * f64::from(memory.depth) * f64::from(memory.width)
    }

    /// A library of these memories. Their inputs need no time before the clock edge; the access time comes after it.
    pub(super) fn liberty<'a>(&self, memories: impl Iterator<Item = &'a MemoryModule> + Clone, clock: &str) -> String {
        let widths = |memory: &MemoryModule| [memory.width, address_bits(memory)];
        let mut out = library("eva_memories", memories.clone().flat_map(widths));
        for memory in memories {
            self.cell(memory, clock, &mut out);
        }
        out + "}\n"
    }

    fn cell(&self, memory: &MemoryModule, clock: &str, out: &mut String) {
        let address = address_bits(memory);
        let mut line = |text: String| {
            out.push_str(&text);
            out.push('\n');
        };
        line(format!("  cell ({}) {{\n    area : {}; dont_touch : true;", memory.name, self.area(memory)));
        if memory.has_clock {
            line(clock_pin(clock));
        }
        let setup = if memory.has_clock { setup(clock) } else { String::new() };
        let input = |name: String, width: u32, timing: &str| pin(&name, width, "input", timing);
        for port in 0..memory.writes {
            line(input(format!("w{port}_en"), 1, &setup));
            line(input(format!("w{port}_addr"), address, &setup));
            line(input(format!("w{port}_data"), memory.width, &setup));
        }
        for port in 0..memory.reads {
            let delay = |related: &str, kind: &str| delay(related, kind, self.access_ns);
            let mut arcs = Vec::new();
            if memory.has_clock {
                // A word that is read in the same cycle changes when it is written.
                arcs.push(delay(clock, "rising_edge"));
            }
            if memory.read_latency == 0 {
                let bits = (0..address).map(|bit| if address == 1 { String::new() } else { format!("[{bit}]") });
                arcs.extend(bits.map(|bit| delay(&format!("r{port}_addr{bit}"), "combinational")));
                line(input(format!("r{port}_addr"), address, ""));
            } else {
                line(input(format!("r{port}_en"), 1, &setup));
                line(input(format!("r{port}_addr"), address, &setup));
            }
            line(pin(&format!("r{port}_data"), memory.width, "output", &arcs.join("\n      ")));
        }
        line("  }".to_owned());
    }
}

/// The beginning of a library with buses of these widths; a closing brace ends it.
pub(super) fn library(name: &str, widths: impl Iterator<Item = u32>) -> String {
    let mut out = format!(
        "library ({name}) {{
  delay_model : table_lookup;
  time_unit : \"1ns\"; voltage_unit : \"1V\"; current_unit : \"1mA\"; pulling_resistance_unit : \"1kohm\";
  leakage_power_unit : \"1nW\"; capacitive_load_unit (1, ff);
  nom_process : 1; nom_temperature : 25; nom_voltage : 1.8;
  input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  slew_lower_threshold_pct_rise : 20; slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_rise : 80; slew_upper_threshold_pct_fall : 80;
"
    );
    for width in widths.filter(|width| *width > 1).collect::<BTreeSet<_>>() {
        let _infallible = writeln!(
            out,
            "  type (bits_{width}) {{ base_type : array; data_type : bit; bit_width : {width}; bit_from : {}; bit_to : \
             0; downto : true; }}",
            width - 1
        );
    }
    out
}

/// Timing of an input that needs no time before the clock edge.
fn setup(clock: &str) -> String {
    let arcs = ["setup_rising", "hold_rising"].map(|kind| {
        format!(
            "timing () {{ related_pin : \"{clock}\"; timing_type : {kind}; rise_constraint (scalar) {{ values \
             (\"0.0\"); }} fall_constraint (scalar) {{ values (\"0.0\"); }} }}"
        )
    });
    arcs.join(" ")
}

/// Timing of an output that follows a pin, by clock edge or value.
fn delay(related: &str, kind: &str, ns: f64) -> String {
    format!(
        "timing () {{ related_pin : \"{related}\"; timing_type : {kind}; timing_sense : non_unate; cell_rise (scalar) {{ \
         values (\"{ns}\"); }} cell_fall (scalar) {{ values (\"{ns}\"); }} rise_transition (scalar) {{ values \
         (\"{TRANSITION_NS}\"); }} fall_transition (scalar) {{ values (\"{TRANSITION_NS}\"); }} }}"
    )
}

/// A cell with a clock and registers at all of its other ports, each a name, a width and whether it is an output.
pub(super) fn registered(name: &str, ports: &[(String, u32, bool)], clock: &str, output_ns: f64) -> String {
    let mut out = format!("  cell ({name}) {{\n    area : 0; dont_touch : true;\n{}\n", clock_pin(clock));
    for (port, width, is_output) in ports {
        let (direction, timing) =
            if *is_output { ("output", delay(clock, "rising_edge", output_ns)) } else { ("input", setup(clock)) };
        let _infallible = writeln!(out, "{}", pin(port, *width, direction, &timing));
    }
    out + "  }\n"
}

fn clock_pin(clock: &str) -> String {
    format!("    pin ({clock}) {{ direction : input; clock : true; capacitance : {FEMTOFARADS}; }}")
}

fn address_bits(memory: &MemoryModule) -> u32 {
    index_width(u64::from(memory.depth))
}

fn pin(name: &str, width: u32, direction: &str, timing: &str) -> String {
    let load = if direction == "input" { format!(" capacitance : {FEMTOFARADS};") } else { String::new() };
    match width {
        1 => format!("    pin ({name}) {{ direction : {direction};{load} {timing} }}"),
        _ => format!("    bus ({name}) {{ bus_type : bits_{width}; direction : {direction};{load} {timing} }}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hdl::ir::Collision;

    #[test]
    fn area_grows_with_the_bits_and_paths_are_those_of_the_kind_of_read() {
        let memory = |read_latency| MemoryModule {
            name: "m".into(),
            depth: 64,
            width: 8,
            reads: 1,
            writes: 1,
            read_latency,
            collision: Collision::ReadOld,
            init: None,
            has_clock: true,
        };
        let model = MemoryModel { access_ns: 1.5, area_per_bit: 2.0 };
        assert_eq!(model.area(&memory(1)), 1024.0);
        let text = |latency| model.liberty([&memory(latency)].into_iter(), "aclk");
        assert_eq!(text(1).matches("values (\"1.5\")").count(), 2);
        assert!(!text(1).contains("combinational"));
        assert_eq!(text(0).matches("timing_type : combinational").count(), 6);
        // The port order of an input that is no part of a bus.
        assert!(text(0).contains("pin (w0_en)"));
    }
}
