//! The cycle model: when a core ends each command of a program, from its parameters alone.
//!
//! [`Model`] is exact to the cycle as long as no stream ever stalls; `docs/performance.md` has its formulas. On top of it,
//! [`Estimate`] says what the linear layers of a language model ([`LanguageModel`]) cost. Nothing here knows the hardware
//! description: tests compare the two.

mod beats;
mod int8;
mod latency;
mod model;
mod units;

pub use beats::Beats;
pub use latency::Latencies;
pub use model::{Model, Timing};
