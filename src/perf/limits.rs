//! What each resource of a core needs at least.

use serde::Serialize;

use super::beats::{Beats, IndexWords};
use crate::config::CoreConfig;
use crate::vq::Operation;

/// Cycles that each resource needs for some commands. They work at the same time, so the largest is a bound.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Limits {
    /// Beats of the weight image on `s_axis_w`.
    pub stream: u64,
    /// One index word in a cycle: steps times outputs.
    pub lookups: u64,
    /// Of decoding, one codebook entry in a cycle; of INT8 products, one token and k tile in a cycle in each lane.
    pub array: u64,
    /// Beats of `s_axis_x`.
    pub activations: u64,
    /// Beats of `m_axis_y`.
    pub outputs: u64,
}

impl Limits {
    /// Adds what a command needs.
    pub fn add(&mut self, operation: &Operation, config: &CoreConfig) {
        let beats = Beats::new(operation, config);
        self.stream += beats.stream();
        self.activations += beats.activations;
        self.outputs += beats.outputs;
        match operation {
            Operation::VqGemv(gemv) => {
                let steps = IndexWords::new(gemv, config).steps;
                self.lookups += steps * u64::from(gemv.outputs);
                let pass = config.entries().max(config.array.rows);
                self.array += steps * u64::from(config.epilogue.units) * u64::from(pass);
            }
            Operation::Int8Gemm(gemm) => {
                let work = u64::from(gemm.tiles) * u64::from(gemm.tokens) * u64::from(gemm.outputs);
                self.array += work.div_ceil(config.lanes().into());
            }
            Operation::LoadCodebooks { .. } | Operation::LoadX { .. } => {}
        }
    }

    /// The resource that needs most, the stream if none needs more.
    pub fn largest(&self) -> &'static str {
        let Self { stream, lookups, array, activations, outputs } = *self;
        let mut largest = ("stream", stream);
        for next in [("lookups", lookups), ("array", array), ("activations", activations), ("outputs", outputs)] {
            if next.1 > largest.1 {
                largest = next;
            }
        }
        largest.0
    }
}
