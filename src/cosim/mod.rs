//! Co-simulation: the same stimulus through any simulator of `eva_core`, checked beat by beat and bit by bit.
//!
//! - [`Simulator`]: what a testbench needs of a simulator; [`verilator`] implements it for compiled Verilog.
//! - [`axis`]: AXI4-Stream drivers with random stalls, and the protocol checks of the core's outputs.
//! - [`run`]: resets the core, plays a [`Job`], waits for its outputs and statuses, returns a [`Report`].
//!
//! A cycle of a testbench is: [`set`](Simulator::set) the inputs, [`settle`](Simulator::settle), look at the outputs,
//! [`step`](Simulator::step). Everything a driver decides in a cycle depends on earlier cycles only, so one `settle`
//! per cycle is enough and combinational paths through the core (from one stream's `tready` to another's) are seen as
//! in hardware.

pub mod axis;
mod error;
mod native;
mod ports;
mod report;
mod run;
mod scoreboard;
mod simulator;
pub mod verilator;

pub use error::CosimError;
pub use native::Native;
pub use ports::{COUNTERS, core_ports};
pub use report::{CommandResult, Counters, Int8Use, LayerResult, Mismatch, Report, StreamResult};
pub use run::{Command, Int8Work, Job, LayerSpan, Progress, RunOptions, run};
pub use scoreboard::{max_rel_err, non_finite};
pub use simulator::{Direction, InPort, OutPort, PortSpec, Simulator, words_for};
