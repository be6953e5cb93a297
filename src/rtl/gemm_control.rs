//! The GEMM side of a VQ-GEMV: walks tiles, codebooks, passes and entries, and feeds the array.

use super::batch;
use super::lane_buffer;
use super::loader;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Bundle, PortStyle, Scope, Signal};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_gemm_control";

bundle! {
    /// A command: `vectors` = V from word `from_word` of the activation buffer on; `codebooks` = C from `slot` on, or with
    /// `grouped` one for each pass; `mask` has a bit for each slot that is needed; `split`: logarithm of the number of tokens.
    pub Job { vectors, from_word, codebooks, slot, grouped, mask, split }
    /// Control for the array, aligned with the data that the buffers return.
    pub Steering { valid, index, pass, half, step_end, load, live }
}

/// Widths of [`Job`].
pub fn job_widths(cfg: &CoreConfig) -> Job<u32> {
    let slots = cfg.vq.max_codebooks;
    Job {
        vectors: vector_bits(cfg),
        from_word: 16,
        codebooks: codebook_bits(cfg),
        slot: Scope::index_width(slots),
        grouped: 1,
        mask: slots,
        split: batch::split_bits(cfg),
    }
}

/// Bits that hold 1..=max_vectors and the vectors of a pass.
pub fn vector_bits(cfg: &CoreConfig) -> u32 {
    Scope::index_width(cfg.max_vectors().max(cfg.segments()) + 1)
}

/// Bits that hold 1..=max_codebooks.
pub fn codebook_bits(cfg: &CoreConfig) -> u32 {
    Scope::index_width(cfg.vq.max_codebooks + 1)
}

/// Cycles per pass: the entries, or the rows to be loaded where these are more.
pub fn pass_cycles(cfg: &CoreConfig) -> u32 {
    cfg.entries().max(cfg.array.rows)
}

/// Describes the control: takes the jobs (stream `job`) one after the other; `done` is 1 in the cycle of the last entry
/// of a job, with its slots in `used`; `stalled` is 1 while a pass waits for codebooks or vectors. A job starts when none of its slots is `loading`. A pass starts only when
/// its vectors are there: all, unless `x_busy`, or those in the words before `x_word`. A step starts only when one of the
/// two OC halves is free: taken by each step, freed by `freed`.
///
/// `codebook_lane` and `x_lane` address the buffers while `codebook_read` and `x_read` are 1; `steer_*` follows them by
/// the latency of the buffers.
pub fn gemm_control(m: &Scope, cfg: &CoreConfig) {
    let (units, rows, segments) = (cfg.epilogue.units, cfg.array.rows, cfg.segments());
    let n = cfg.vq.index_bits;
    let cycles = pass_cycles(cfg);
    m.doc("GEMM control: walks tiles, codebooks, passes and entries; one step of the OC per tile and codebook.");
    m.param("epilogue.units", units);
    m.param("array.rows", rows);
    m.param("pass_cycles", cycles);
    let jobs = m.stream_in("job", PortStyle::Plain, job_widths(cfg));
    let loading = m.input("loading", cfg.vq.max_codebooks);
    let x_busy = m.input("x_busy", 1);
    let x_word = m.input("x_word", loader::x_shape(cfg).word_address());
    let freed = m.input("freed", 1);

    let busy = m.reg("busy_q", 1).reset(0);
    let entry = m.reg("entry", Scope::index_width(cycles)).reset(0);
    let pass = m.reg("pass", Scope::index_width(units)).reset(0);
    let codebook = m.reg("codebook", codebook_bits(cfg)).reset(0);
    let half = m.reg("half", 1).reset(0);
    let occupied = m.reg("occupied", 2).reset(0);

    let taken_job = jobs.take(!busy.q());
    let start = taken_job.fire;
    let job = taken_job.payload;
    let (codebooks, slot) = (job.codebooks.reg_en("codebooks", start), job.slot.reg_en("slot", start));
    let (grouped, mask) = (job.grouped.reg_en("grouped", start), job.mask.reg_en("mask", start));
    let split = job.split.reg_en("split", start);
    let lanes = loader::x_shape(cfg).lane_address();
    let x_lane = m.reg("x_lane", lanes);
    let pass_end = (x_lane.q().zext(lanes + 1) + u64::from(rows)).named("pass_end");
    hw! {
        first_entry = entry.q().is_zero();
        step_start = first_entry & pass.q().is_zero();
        codebooks_there = !(mask & loading).any();
        vectors_there = !x_busy | pass_end.le(x_word.append_zeros(1).zext(lanes + 1));
        loaded = codebooks_there & vectors_there;
        may_start = loaded & !(step_start & occupied.q().eq(2));
        go = busy.q() & (may_start | !first_entry);
        entry_last = entry.q().eq(u64::from(cycles - 1));
        pass_last = pass.q().eq(u64::from(units - 1));
        codebook_last = (codebook.q() + 1).eq(codebooks);
        step_last = go & entry_last & pass_last;
        tile_last = step_last & codebook_last;
    }
    entry.on(go, entry_last.mux(0, entry.q() + 1));
    pass.on(go & entry_last, pass_last.mux(0, pass.q() + 1));
    codebook.on(step_last, codebook_last.mux(0, codebook.q() + 1));
    half.on(step_last, !half.q());
    let taken = (go & step_start).named("taken");
    occupied.on(taken & !freed, occupied.q() + 1).on(freed & !taken, occupied.q() - 1);

    // The passes of a tile are divided among the tokens.
    let next_token = match cfg.max_batch() {
        1 => {
            split.discard();
            None
        }
        _ => {
            let of_token = m.reg("of_token", pass.q().width()).reset(0);
            let token_last =
                batch::choose(cfg, split, |tokens| of_token.q().eq(u64::from(units / tokens - 1))).named("token_last");
            of_token.on(go & entry_last, token_last.mux(0, of_token.q() + 1));
            Some((go & entry_last & token_last).named("next_token"))
        }
    };

    // Vectors are fetched in order, once per codebook: every codebook of a tile starts again where the tile starts. All
    // tokens of a tile have as many.
    let tile_lane = m.reg("tile_lane", lanes);
    let left = m.reg("left", vector_bits(cfg));
    let tile_left = m.reg("tile_left", vector_bits(cfg));
    let load = match cycles > rows {
        true => go & entry.q().lt(u64::from(rows)),
        false => go,
    }
    .named("load");
    let per_load = u64::from(segments);
    let first_lane = super::fit(job.from_word.append_zeros(1), lanes);
    hw! {
        lane_next = x_lane.q() + load.zext(lanes);
        left_after = left.q().gt(per_load).mux(left.q() - per_load, m.zeros(left.q().width()));
        left_next = load.mux(left_after, left.q());
    }
    x_lane.next(lane_next).on(step_last & !codebook_last, tile_lane.q()).on(start, first_lane);
    left.next(left_next);
    if let Some(next_token) = next_token {
        left.on(next_token & !pass_last, tile_left.q());
    }
    left.on(step_last & !codebook_last, tile_left.q()).on(start, job.vectors);
    tile_lane.on(tile_last, lane_next).on(start, first_lane);
    tile_left.on(tile_last, left_next).on(start, job.vectors);
    let done = (tile_last & left_next.is_zero()).named("done");
    busy.on(done, 0).on(start, 1);

    let live: Vec<Signal> = (0..segments).map(|s| left.q().gt(u64::from(s))).collect();
    let valid = if cfg.entries() < cycles { go & entry.q().lt(u64::from(cfg.entries())) } else { go };
    let index = if entry.q().width() > n { entry.q().trunc(n) } else { entry.q() };
    let steering = Steering {
        valid,
        index,
        pass: pass.q(),
        half: half.q(),
        step_end: valid & pass_last & index.all(),
        load: go & first_entry,
        live: m.pack(&live),
    };
    m.output("done", done);
    m.output("stalled", busy.q() & first_entry & !loaded);
    m.output("used", mask);
    let slot_bits = slot.width().max(codebook_bits(cfg)).max(pass.q().width());
    let offset = grouped.mux(pass.q().zext(slot_bits), codebook.q().zext(slot_bits));
    let codebook_slot = (slot.zext(slot_bits) + offset).named("codebook_slot");
    let codebook_lane = m.cat(&[codebook_slot, index.zext(loader::slot_lanes(cfg).trailing_zeros())]);
    let codebook_lanes = loader::codebook_shape(cfg).lane_address();
    m.output("codebook_lane", super::fit(codebook_lane, codebook_lanes));
    m.output("codebook_read", valid);
    m.output("x_lane", x_lane.q());
    m.output("x_read", load);
    m.outputs(
        "steer",
        steering.map(|field, s| match field {
            "step_end" => s.pipe_reset(&format!("steer_{field}"), lane_buffer::LATENCY),
            _ => s.pipe(&format!("steer_{field}"), lane_buffer::LATENCY),
        }),
    );
}
