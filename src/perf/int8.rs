//! When the tokens of an INT8 product go through the array.
//!
//! Without stalls everything depends on when each pass can start: behind the tokens of the one before, when all rows have
//! their weights of the one before, when its own weights are there, and not before sums that it adds to have been written.

use super::latency::Latencies;
use crate::config::CoreConfig;
use crate::vq::Int8Gemm;

/// The passes of a product.
#[derive(Clone, Copy, Debug)]
pub(super) struct Passes {
    lanes: u64,
    tiles: u64,
    outputs: u64,
    /// `Q`: passes for each output of a lane.
    period: u64,
}

impl Passes {
    pub fn new(gemm: &Int8Gemm, config: &CoreConfig) -> Self {
        let (lanes, tiles) = (u64::from(config.lanes()), u64::from(gemm.tiles));
        Self { lanes, tiles, outputs: gemm.outputs.into(), period: tiles.max(lanes + 1) }
    }

    /// `P`.
    pub fn count(&self) -> u64 {
        self.period * ((self.outputs - 1) / self.lanes + 1) + (self.outputs - 1) % self.lanes
    }

    /// Those that take a k tile.
    pub fn with_tile(&self) -> u64 {
        self.count() / self.period * self.tiles + (self.count() % self.period).min(self.tiles)
    }
}

/// The cycle in which the last output of a product is taken: its tokens may go from `start` on, its weights may be taken
/// from `words` on.
pub(super) fn last_output(config: &CoreConfig, gemm: &Int8Gemm, start: u64, words: u64) -> u64 {
    let latency = Latencies::new(config);
    let (rows, tokens) = (u64::from(config.array.rows), u64::from(gemm.tokens));
    let beats_per_row = u64::from(config.row_word_bits().div_ceil(config.stream.width));
    let pause = latency.pause(tokens);
    let passes = Passes::new(gemm, config);

    let (mut fetch, mut next, mut sent) = (words, start, start);
    // Of the last two passes with weights: when the last row has taken them.
    let mut emptied = [0, 0];
    for pass in 0..passes.count() {
        let mut first = next;
        if pass % passes.period < passes.tiles {
            let first_row = (fetch + beats_per_row - 1).max(emptied[0]);
            fetch = first_row + (rows - 1) * beats_per_row + 1;
            first = first.max(fetch);
            emptied = [emptied[1], first + rows];
        } else {
            fetch += 1;
        }
        sent = first + tokens - 1;
        next = (sent + 1 + pause).max(first + rows);
    }
    let row = (passes.outputs - 1) % passes.lanes / u64::from(config.segments());
    sent + latency.int8_output(row, gemm.raw)
}
