//! When things happen: cycles of commands and counters, predicted from the parameters alone.
//!
//! The model knows the machine as a set of rates and latencies: the array fills one half of the output codebook per
//! step, the epilogue reads one index word per cycle from a filled half, and the two overlap as far as two halves
//! allow. Without stalls it is exact to the cycle; so a pause that costs a single cycle anywhere is noticed.

use crate::harness::Work;
use crate::int8_timing::{self, Int8};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Command, Report, RunOptions};

/// What cannot be in the counters and the cycles of a run that passed otherwise.
pub fn problems(work: &Work, options: &RunOptions, report: &Report) -> Vec<String> {
    let cfg = &work.cfg;
    let starved = options.sources != Stalls::None;
    let stalled = starved || options.sinks != Backpressure::default();
    let mut problems = Vec::new();
    let mut expect = |what: String, got: u64, low: u64, high: u64| {
        if !(low..=high).contains(&got) {
            problems.push(format!("{what} is {got}, expected {low} to {high}"));
        }
    };
    // Waits for beats, as far as the commands' own cycles show them: a load takes a beat in every cycle in which one is
    // there.
    let (mut all, mut x_waits, mut codebook_waits, mut gemv, mut int8) = (0, 0, 0, 0, 0);
    for (number, (command, result)) in work.commands.iter().zip(&report.commands).enumerate() {
        let (cycles, least) = (u64::from(result.cycles), least_cycles(cfg, command));
        let held_up = match command.opcode() {
            3 | 4 => stalled,
            _ => starved,
        };
        let most = if held_up && command.status == 0 { u64::MAX } else { least };
        expect(format!("cycles of command {number} (opcode {})", command.opcode()), cycles, least, most);
        all += cycles;
        match command.opcode() {
            _ if command.status != 0 => {}
            1 => codebook_waits += cycles.saturating_sub(least),
            2 => x_waits += cycles.saturating_sub(least),
            4 => int8 += cycles,
            _ => gemv += cycles,
        }
    }
    let counters = &report.counters;
    expect("stat_cycles".into(), counters.cycles.into(), all, all);
    expect("stat_x_stalls".into(), counters.x_stalls.into(), x_waits, x_waits + int8);
    let most = if starved { codebook_waits + gemv + int8 } else { int8 };
    expect("stat_w_stalls".into(), counters.w_stalls.into(), codebook_waits, most);
    problems
}

/// Cycles of a command as its status gives them, if no stream ever holds it up.
pub fn least_cycles(cfg: &CoreConfig, command: &Command) -> u64 {
    const CHECK: u64 = 1;
    const LOAD: u64 = 2;
    let bits = u128::from_le_bytes(command.bits);
    let field = |lo: u32, width: u32| (bits >> lo) as u64 & ((1 << width) - 1);
    let (codebooks, vectors, outputs) = (field(32, 8), field(64, 32), field(96, 32));
    let w_beats = |bits: u64| bits.div_ceil(u64::from(cfg.stream.width));
    let dim = u64::from(cfg.vq.dim);
    match command.opcode() {
        _ if command.status != 0 => CHECK,
        1 => LOAD + w_beats(16 * codebooks * u64::from(cfg.entries()) * dim),
        2 => LOAD + (16 * vectors * dim).div_ceil(u64::from(cfg.x_width())),
        4 => int8_timing::cycles(cfg, Int8 { raw: field(11, 1) == 1, tokens: field(40, 24), tiles: vectors, outputs }),
        _ => {
            let (last, fp32) = (field(9, 1) == 1, field(10, 1) == 1);
            let scales = if last { w_beats(outputs * if fp32 { 32 } else { 16 }) } else { 0 };
            gemv(cfg, Gemv { codebooks, vectors, outputs, scales, last })
        }
    }
}

struct Gemv {
    codebooks: u64,
    vectors: u64,
    outputs: u64,
    /// Beats of scales.
    scales: u64,
    last: bool,
}

fn gemv(cfg: &CoreConfig, command: Gemv) -> u64 {
    let Gemv { codebooks, vectors, outputs, scales, last } = command;
    let pipeline = &cfg.pipeline;
    let (rows, entries, units) = (u64::from(cfg.array.rows), u64::from(cfg.entries()), u64::from(cfg.epilogue.units));
    // From an entry's number in the control to its result in the bank of the last row: buffer, row, and the way down.
    const BUFFER: u64 = 2;
    let array = BUFFER + u64::from(1 + pipeline.pe + pipeline.tree + 1) + rows;
    // From an index word to its output on the port: banks, adders, accumulator, scaling, queue.
    let epilogue = u64::from(2 + pipeline.epilogue + 2 + pipeline.scale + 1);
    let pass = entries.max(rows);
    let step = units * pass;
    let filling = (units - 1) * pass + entries - 1;
    let beats_per_word = u64::from(cfg.beats_per_index_word());
    // Two visits of an accumulator are three cycles apart.
    let pause = if outputs < 3 { 2 } else { 0 };

    let steps = vectors.div_ceil(u64::from(cfg.tile_vectors())) * codebooks;
    // Cycles are counted from the one in which the command is checked and the units are started.
    let (mut array_free, mut word_there) = (1, scales + beats_per_word);
    let mut reader_free = 0;
    let mut half_free = [0, 0];
    let mut issued = 0;
    for number in 0..steps as usize {
        let half = &mut half_free[number % 2];
        let start = array_free.max(*half);
        array_free = start + step;
        let first = (start + filling + array).max(reader_free).max(word_there);
        issued = first + (outputs - 1) * beats_per_word;
        word_there = issued + beats_per_word;
        reader_free = issued + 1 + pause;
        *half = issued + 1;
    }
    // The command ends in the cycle after the last word has been issued, or after its output has left.
    issued + if last { epilogue + 2 } else { 2 }
}
