//! When an INT8 product is done, predicted from the parameters alone.
//!
//! Without stalls everything depends on when each pass can start: behind the tokens of the one before, when all rows have
//! their weights of the one before, when its own weights are there, and not before sums that it adds to have been written.

use eva_rtl::config::CoreConfig;

/// A product as its command has it.
#[derive(Clone, Copy)]
pub struct Int8 {
    pub raw: bool,
    pub tokens: u64,
    pub tiles: u64,
    pub outputs: u64,
}

/// Cycles of an INT8 product if no stream ever holds it up.
pub fn cycles(cfg: &CoreConfig, command: Int8) -> u64 {
    let Int8 { raw, tokens, tiles, outputs } = command;
    let (rows, lanes, segments) = (u64::from(cfg.array.rows), u64::from(cfg.lanes()), u64::from(cfg.segments()));
    let (width, word) = (u64::from(cfg.stream.width), u64::from(cfg.row_word_bits()));
    let beats_per_row = word.div_ceil(width);
    let scales = if raw { 0 } else { (32 * outputs).div_ceil(width) };
    let pipeline = &cfg.pipeline;
    // From a token in the array to its sum, and the way of a sum from the memory back into it.
    let array = u64::from(2 + pipeline.pe + pipeline.tree + 1);
    let sum_to_memory = u64::from(pipeline.tree + 2 - u32::from(pipeline.tree >= 4));
    let pause = if tokens < sum_to_memory + 1 { sum_to_memory } else { 0 };

    let period = tiles.max(lanes + 1);
    let passes = period * ((outputs - 1) / lanes + 1) + (outputs - 1) % lanes;
    // Cycles are counted from the one in which the command is checked and the units are started.
    let mut fetch = 1 + scales;
    let mut next = 1;
    // Of the last two passes with weights: when the last row has taken them.
    let mut emptied = [0, 0];
    let mut sent = 0;
    for pass in 0..passes {
        let mut start = next;
        if pass % period < tiles {
            let first_row = (fetch + beats_per_row - 1).max(emptied[0]);
            let there = first_row + (rows - 1) * beats_per_row + 1;
            fetch = there;
            start = start.max(there);
            emptied = [emptied[1], start + rows];
        } else {
            fetch += 1;
        }
        sent = start + tokens - 1;
        next = (sent + 1 + pause).max(start + rows);
    }
    // From the last token to its output on the port: buffer, array, the row of the lane, register of what is emitted,
    // the way that decoded sums take through the accumulator, scaling, queue.
    let row = (outputs - 1) % lanes / segments;
    let scaling = if raw { 0 } else { u64::from(pipeline.scale) };
    let output = 1 + array + row + 1 + 2 + scaling + 1;
    // The command ends in the cycle after it has left.
    sent + output + 2
}
