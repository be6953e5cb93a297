//! The result of a run, as shown to people and written for machines.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::config::CoreConfig;
use crate::perf::Limits;

/// Everything a run has to say. Serialised field by field as the JSON of `eva cosim --report`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// Every expected output came, at least one was expected, and each had the right bits.
    pub bit_exact: bool,
    /// Outputs compared.
    pub outputs: u64,
    /// Of these, those with wrong data or `tlast`.
    pub mismatches: u64,
    /// The first mismatches, in order.
    pub first_mismatches: Vec<Mismatch>,
    /// What else went wrong: protocol, statuses, counters, time-outs. Empty in a good run.
    pub failures: Vec<String>,
    /// From the cycle in which the first command was offered to the one in which the last output was taken (the last
    /// status if there are no outputs), both included.
    pub cycles: u64,
    /// What each resource of the core needs at least; `None` if its configuration was not given.
    pub bounds: Option<Limits>,
    /// Beats of the weight image: no run of it can take fewer cycles. With INT8 commands the largest of
    /// [`bounds`](Self::bounds).
    pub bound_cycles: u64,
    /// `bound_cycles / cycles`.
    pub utilization: f64,
    /// How INT8 commands used the array, if there are any.
    pub int8: Option<Int8Use>,
    /// The layers of a program, in order.
    pub layers: Vec<LayerResult>,
    /// Largest relative error of the outputs against the reference evaluation, if one was given.
    pub max_rel_err: Option<f64>,
    /// Outputs that are not finite where that reference is, if one was given.
    pub non_finite: Option<u64>,
    /// `native` or `verilator`.
    pub sim: String,
    /// Of the stall patterns.
    pub seed: u64,
    /// Stall pattern of the sources.
    pub source_stalls: String,
    /// Stall pattern of the sinks.
    pub sink_stalls: String,
    /// The caller's description of core and workload.
    pub parameters: serde_json::Value,
    /// One per status.
    pub commands: Vec<CommandResult>,
    /// One per stream.
    pub streams: Vec<StreamResult>,
    /// The core's own counters at the end.
    pub counters: Counters,
    /// Cycles simulated in all, reset and drain included.
    pub simulated_cycles: u64,
    /// Wall-clock time of these.
    pub seconds: f64,
    /// Speed of the simulation.
    pub cycles_per_second: f64,
    /// `tdata` of the beats of `m_axis_y`, in order; not in the JSON.
    #[serde(skip)]
    pub received: Vec<u64>,
}

impl Report {
    /// Bit-exact and without any other failure.
    pub fn passed(&self) -> bool {
        self.bit_exact && self.failures.is_empty()
    }
}

/// How long a layer took, beside others that overlap with it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LayerResult {
    /// Of the layer.
    pub name: String,
    /// `K`.
    pub inputs: usize,
    /// `N`.
    pub outputs: usize,
    /// From the last output of the layer before (of the first one, from the first command offered) to its own last output, that included.
    pub cycles: u64,
    /// Beats of `s_axis_w` of the commands from the layer before to its own last one; codebooks that are loaded ahead count where they are loaded.
    pub bound_cycles: u64,
    /// `bound_cycles / cycles`.
    pub utilization: f64,
}

/// How INT8 commands used the array.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Int8Use {
    /// Multiply-accumulates in all.
    pub macs: u64,
    /// Those that the array can do in a cycle: `R * cols`.
    pub array_macs_per_cycle: u64,
    /// `macs / cycles`.
    pub macs_per_cycle: f64,
    /// `macs_per_cycle / array_macs_per_cycle`.
    pub array_utilization: f64,
    /// Multiply-accumulates per cycle while all lanes had work, as measured; `None` if that was too short.
    pub steady_macs_per_cycle: Option<f64>,
    /// `steady_macs_per_cycle / array_macs_per_cycle`.
    pub steady_array_utilization: Option<f64>,
}

impl Int8Use {
    pub(super) fn new(config: &CoreConfig, macs: u64, cycles: u64, steady_macs: u64, steady_cycles: u64) -> Self {
        let array = u64::from(config.array.rows) * u64::from(config.array.cols);
        let macs_per_cycle = macs as f64 / cycles.max(1) as f64;
        let steady = (steady_cycles > 0).then(|| steady_macs as f64 / steady_cycles as f64);
        Self {
            macs,
            array_macs_per_cycle: array,
            macs_per_cycle,
            array_utilization: macs_per_cycle / array as f64,
            steady_macs_per_cycle: steady,
            steady_array_utilization: steady.map(|rate| rate / array as f64),
        }
    }
}

impl fmt::Display for Int8Use {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { macs, array_macs_per_cycle, macs_per_cycle, array_utilization, .. } = self;
        write!(
            f,
            "{macs} MACs, {macs_per_cycle:.1} MACs/cycle of {array_macs_per_cycle} ({:.2} %)",
            100.0 * array_utilization
        )?;
        match (self.steady_macs_per_cycle, self.steady_array_utilization) {
            (Some(rate), Some(share)) => write!(f, ", {rate:.1} ({:.2} %) while all lanes work", 100.0 * share),
            _ => Ok(()),
        }
    }
}

/// An output that is not what it should be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mismatch {
    /// Number of the command, from 0.
    pub command: usize,
    /// Number of the output within the command, from 0.
    pub index: usize,
    /// What the golden model says.
    pub expected: u32,
    /// What the core sent.
    pub got: u32,
    /// Whether `tlast` was to be high.
    pub expected_last: bool,
    /// Whether it was.
    pub got_last: bool,
}

/// A status beat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CommandResult {
    /// Of the command.
    pub opcode: u8,
    /// 0: done; the others are those of `docs/interface.md`.
    pub status: u8,
    /// Of the command.
    pub tag: u16,
    /// As the core counted them.
    pub cycles: u32,
}

impl CommandResult {
    /// Takes a beat of `m_axis_sts` apart.
    pub fn from_beat(beat: u64) -> Self {
        Self { opcode: beat as u8, status: (beat >> 8) as u8, tag: (beat >> 16) as u16, cycles: (beat >> 32) as u32 }
    }
}

/// What happened on a stream, as seen from outside the core.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StreamResult {
    /// `s_axis_w` and so on.
    pub name: String,
    /// Beats that moved.
    pub beats: u64,
    /// Cycles in which a beat was offered and not taken.
    pub waits: u64,
    /// Inputs: cycles in which the core was ready and the stall pattern held a beat back.
    pub starved: u64,
}

/// The counter ports of the core, described in `docs/interface.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counters {
    /// Cycles in which a command was executing.
    pub cycles: u32,
    /// Beats of `s_axis_w` that were used.
    pub w_beats: u32,
    /// Beats of `s_axis_x` that were used.
    pub x_beats: u32,
    /// Outputs taken from `m_axis_y`.
    pub y_beats: u32,
    /// Cycles in which a beat of `s_axis_w` was wanted and none was there.
    pub w_stalls: u32,
    /// Cycles in which a beat of `s_axis_x` was wanted and none was there.
    pub x_stalls: u32,
    /// Cycles in which an output waited for `m_axis_y` to be taken.
    pub y_stalls: u32,
    /// Cycles in which the array waited for codebooks or vectors.
    pub load_stalls: u32,
    /// Cycles in which a lookup waited for its entries.
    pub oc_stalls: u32,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(
            f,
            "command {}, output {}: expected {:#010x}, got {:#010x}",
            self.command, self.index, self.expected, self.got
        )?;
        match (self.expected_last, self.got_last) {
            (true, false) => f.write_str(", without tlast"),
            (false, true) => f.write_str(", with tlast too early"),
            _ => Ok(()),
        }
    }
}

/// A few lines for a terminal or a failed assertion.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let verdict = if self.passed() { "bit-exact" } else { "FAILED" };
        writeln!(
            f,
            "{verdict}: {} outputs compared, {} wrong ({}, seed {})",
            self.outputs, self.mismatches, self.sim, self.seed
        )?;
        for failure in &self.failures {
            writeln!(f, "  {failure}")?;
        }
        for mismatch in &self.first_mismatches {
            writeln!(f, "  {mismatch}")?;
        }
        let unlisted = self.mismatches - self.first_mismatches.len() as u64;
        if unlisted > 0 {
            writeln!(f, "  ... and {unlisted} more")?;
        }
        write!(f, "{} cycles, bound {}, utilization {:.4}", self.cycles, self.bound_cycles, self.utilization)?;
        let Counters { w_stalls, x_stalls, y_stalls, load_stalls, oc_stalls, .. } = self.counters;
        write!(f, "\nstalls: w {w_stalls}, x {x_stalls}, y {y_stalls}, loads {load_stalls}, OC {oc_stalls}")?;
        if let Some(bounds) = &self.bounds {
            write!(f, "\nbounds: {bounds}")?;
        }
        if let Some(int8) = &self.int8 {
            write!(f, "\n{int8}")?;
        }
        Ok(())
    }
}
