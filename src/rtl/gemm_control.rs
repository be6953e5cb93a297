//! The GEMM side of a VQ-GEMV: walks tiles, codebooks, passes and entries, and feeds the array.

use super::lane_buffer;
use super::loader;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Bundle, Scope, Signal};
use crate::hw;

pub const NAME: &str = "eva_gemm_control";

bundle! {
    /// Size of a command: `vectors` = V, `codebooks` = C, both at least 1.
    pub Work { vectors, codebooks }
    /// Control for the array, aligned with the data that the buffers return.
    pub Steering { valid, index, pass, half, step_end, load, live }
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

/// Describes the control. `start` (one cycle, `work` held until the end) starts it, `busy` is 1 from the next cycle
/// until the last entry has been sent. A step starts only when one of the two OC halves is free: taken by each step,
/// freed by `freed`.
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
    let start = m.input("start", 1);
    let work = m.inputs("work", Work { vectors: vector_bits(cfg), codebooks: codebook_bits(cfg) });
    let freed = m.input("freed", 1);

    let busy = m.reg("busy_q", 1).reset(0);
    let entry = m.reg("entry", Scope::index_width(cycles)).reset(0);
    let pass = m.reg("pass", Scope::index_width(units)).reset(0);
    let codebook = m.reg("codebook", codebook_bits(cfg)).reset(0);
    let half = m.reg("half", 1).reset(0);
    let occupied = m.reg("occupied", 2).reset(0);

    hw! {
        first_entry = entry.q().is_zero();
        step_start = first_entry & pass.q().is_zero();
        go = busy.q() & !(step_start & occupied.q().eq(2));
        entry_last = entry.q().eq(u64::from(cycles - 1));
        pass_last = pass.q().eq(u64::from(units - 1));
        codebook_last = (codebook.q() + 1).eq(work.codebooks);
        step_last = go & entry_last & pass_last;
        tile_last = step_last & codebook_last;
    }
    entry.on(go, entry_last.mux(0, entry.q() + 1));
    pass.on(go & entry_last, pass_last.mux(0, pass.q() + 1));
    codebook.on(step_last, codebook_last.mux(0, codebook.q() + 1));
    half.on(step_last, !half.q());
    let taken = (go & step_start).named("taken");
    occupied.on(taken & !freed, occupied.q() + 1).on(freed & !taken, occupied.q() - 1);

    // Vectors are fetched in order, once per codebook: every codebook of a tile starts again where the tile starts.
    let lanes = loader::x_shape(cfg).lane_address();
    let x_lane = m.reg("x_lane", lanes);
    let tile_lane = m.reg("tile_lane", lanes);
    let left = m.reg("left", vector_bits(cfg));
    let tile_left = m.reg("tile_left", vector_bits(cfg));
    let load = match cycles > rows {
        true => go & entry.q().lt(u64::from(rows)),
        false => go,
    }
    .named("load");
    let per_load = u64::from(segments);
    hw! {
        lane_next = x_lane.q() + load.zext(lanes);
        left_after = left.q().gt(per_load).mux(left.q() - per_load, m.zeros(left.q().width()));
        left_next = load.mux(left_after, left.q());
    }
    x_lane.next(lane_next).on(step_last & !codebook_last, tile_lane.q()).on(start, 0);
    left.next(left_next).on(step_last & !codebook_last, tile_left.q()).on(start, work.vectors);
    tile_lane.on(tile_last, lane_next).on(start, 0);
    tile_left.on(tile_last, left_next).on(start, work.vectors);
    busy.on(tile_last & left_next.is_zero(), 0).on(start, 1);

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
    m.output("busy", busy.q());
    let codebook_lane = m.cat(&[codebook.q(), index]);
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
