//! The EVA hardware, described in the language of [`crate::hdl`]. It touches no files and starts no processes.
//!
//! Each file describes one module: a function on a [`Scope`](crate::hdl::Scope) that declares its ports and content,
//! and its `NAME`. Latencies are functions of the parameters, so that a module and its neighbours agree on them.

pub mod accumulator;
pub mod arith;
pub mod array;
pub mod baseline;
pub mod batch;
pub mod board;
pub mod command;
pub mod completion;
pub mod core;
pub mod dot;
pub mod epilogue_control;
pub mod epilogue_unit;
pub mod gemm_control;
pub mod int8_control;
pub mod lane_buffer;
pub mod loader;
pub mod oc_bank;
pub mod operand;
pub mod pass_walker;
pub mod pe;
pub mod row;
pub mod scaler;
pub mod turn;
pub mod unpacker;
pub mod weight_control;

use crate::config::CoreConfig;
use crate::hdl::{Clocking, Diagnostics, Elaborated, Signal, elaborate};

/// What the names of all modules start with.
pub const PREFIX: &str = "eva_";

/// Clock and reset of all modules.
pub fn clocking() -> Clocking {
    Clocking { clock: "aclk".to_string(), reset: "aresetn".to_string() }
}

/// Elaborates a whole core.
///
/// # Errors
/// A valid configuration elaborates without errors; anything returned is a defect of the generator.
pub fn eva_core(cfg: &CoreConfig) -> Result<Elaborated, Diagnostics> {
    let Elaborated { design, warnings } = elaborate(core::NAME, clocking(), |m| core::core(m, cfg))?;
    Ok(Elaborated { design: design.with_prefix(PREFIX), warnings })
}

/// An unsigned number in `width` bits, where it is known to fit.
#[track_caller]
fn fit(signal: Signal<'_>, width: u32) -> Signal<'_> {
    if width < signal.width() { signal.trunc(width) } else { signal.zext(width) }
}
