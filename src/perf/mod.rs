//! The cycle model: when a core ends each command of a program, from its parameters alone.
//!
//! [`Model`] is exact to the cycle as long as no stream ever stalls; `docs/performance.md` has its formulas. On top of it,
//! [`Estimate`] says what the linear layers of a [language model](crate::models) cost. Nothing here knows the hardware
//! description: tests compare the two.

mod beats;
mod estimate;
mod int8;
mod latency;
mod limits;
mod memory;
mod model;
mod program;
mod supply;
mod units;

pub use beats::Beats;
pub use estimate::{BlockEstimate, Decoding, Estimate, EstimateError, LayerEstimate, Prefill};
pub use latency::Latencies;
pub use limits::Limits;
pub use memory::Memory;
pub use model::{Model, Stalls, Timing, cycles};
pub use program::{BlockProgram, Shape, Step};
pub use supply::Supply;
