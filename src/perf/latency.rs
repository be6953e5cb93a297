//! Cycles between events in a core, from the register stages of its configuration.

use crate::config::CoreConfig;

/// Latencies of a core, in cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Latencies {
    /// A pass of the array: one entry per cycle, and each row needs a cycle of its own to take its vectors.
    pub pass: u64,
    /// From an operand at the array to the result of row 0; each further row is a cycle later.
    pub array: u64,
    /// From the read address of a codebook, activation or scale buffer to its data.
    pub buffer: u64,
    /// From a lookup in the OC banks to the sum of an epilogue unit.
    pub epilogue: u64,
    /// From the sums of the units to the accumulated one.
    pub accumulator: u64,
    /// From an accumulated sum to the scaled output.
    pub scaler: u64,
    /// Least cycles between two accesses to one accumulator.
    pub access_distance: u64,
    /// INT8: least cycles between two tokens that add to the same sum.
    pub sum_distance: u64,
}

impl Latencies {
    /// Of a core of this configuration.
    pub fn new(config: &CoreConfig) -> Self {
        let pipeline = &config.pipeline;
        // Stages of the tree behind which the running sum of INT8 mode joins: all but that behind normalisation.
        let before_sum = pipeline.tree - u32::from(pipeline.tree >= 3);
        // A register behind the memories that hold it, unless it is needed at once.
        let behind_memory = u32::from(pipeline.epilogue >= 3 && pipeline.pe + before_sum > 0);
        Self {
            pass: config.entries().max(config.array.rows).into(),
            array: u64::from(3 + pipeline.pe + pipeline.tree),
            buffer: 1,
            epilogue: u64::from(1 + pipeline.epilogue),
            accumulator: 3,
            scaler: pipeline.scale.into(),
            access_distance: 3,
            sum_distance: u64::from(pipeline.tree + 3 - before_sum + behind_memory),
        }
    }

    /// From the last entry of a step in the control of the array to the first cycle in which it can be looked up.
    pub fn fill(&self, config: &CoreConfig) -> u64 {
        self.buffer + self.array + u64::from(config.array.rows)
    }

    /// From the cycle in which an index word is taken to the one in which its scale is read for the last time.
    pub fn drain(&self) -> u64 {
        self.epilogue + self.accumulator + self.scaler
    }

    /// From the cycle in which an index word of the last step is taken to the one in which its output is taken.
    pub fn output(&self) -> u64 {
        // The register of the word, and the output queue.
        1 + self.epilogue + self.accumulator + self.scaler + 1
    }

    /// INT8: cycles without a token after each pass of `tokens` of them, so that those of the next one find their sums.
    pub fn pause(&self, tokens: u64) -> u64 {
        if tokens < self.sum_distance { self.sum_distance - 1 } else { 0 }
    }

    /// INT8: from the cycle in which a token is sent to the one in which its output is taken, of a lane in this row.
    pub fn int8_output(&self, row: u64, raw: bool) -> u64 {
        let scaler = if raw { 0 } else { self.scaler };
        // The register of finished sums, and the output queue.
        self.buffer + self.array + row + 1 + self.accumulator + scaler + 1
    }
}
