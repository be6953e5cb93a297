//! Memory on chip.

use serde::Serialize;

use super::latency::Latencies;
use crate::config::CoreConfig;

/// Bits of the memories of a core, by what they hold. Queues of commands, a few hundred bits, are not counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Memory {
    /// Codebook slots.
    pub codebooks: u64,
    /// Activations, in INT8 mode two tiles of weights.
    pub activations: u64,
    /// Output codebooks, both halves.
    pub output_codebooks: u64,
    /// Exact sums of a block of outputs.
    pub accumulators: u64,
    /// Scales of a block of outputs.
    pub scales: u64,
    /// Outputs on their way.
    pub output_queue: u64,
}

impl Memory {
    /// Of a core of this configuration.
    pub fn new(config: &CoreConfig) -> Self {
        let (width, entry) = (u64::from(config.stream.width), 16 * u64::from(config.vq.dim));
        let slot_entries = u64::from(config.entries()).max(width / entry);
        let banks = config.max_batch();
        let block = config.buffers.max_n_block;
        let latency = Latencies::new(config);
        // In INT8 mode a row of weights in each word.
        let beats = config.max_vectors().div_ceil(2 * config.segments()).max(2 * config.array.rows);
        // What is on its way through the epilogue or the array, and some more.
        let way = (latency.epilogue + 1).max(latency.array + u64::from(config.array.rows));
        Self {
            codebooks: u64::from(config.vq.max_codebooks) * slot_entries * entry,
            activations: u64::from(beats) * u64::from(config.x_width()),
            output_codebooks: u64::from(config.tile_vectors()) * 2 * u64::from(config.entries()) * 16,
            accumulators: u64::from(banks * block.div_ceil(banks)) * u64::from(config.acc_bits() + 3),
            scales: u64::from(block).div_ceil(width / 32) * width,
            output_queue: (way + latency.scaler + u64::from(banks) + 8).next_power_of_two() * 33,
        }
    }

    /// All of them.
    pub fn total(&self) -> u64 {
        let Self { codebooks, activations, output_codebooks, accumulators, scales, output_queue } = self;
        codebooks + activations + output_codebooks + accumulators + scales + output_queue
    }
}
