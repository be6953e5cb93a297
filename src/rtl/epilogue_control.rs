//! The epilogue side of a VQ-GEMV: walks tiles, codebooks and outputs, and issues index words.

use super::accumulator::{self, ACCESS_DISTANCE, Access};
use super::batch;
use super::gemm_control::{codebook_bits, vector_bits};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Data, PortStyle, Scope};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_epilogue_control";

bundle! {
    /// A command: `vectors` = V, `codebooks` = C, `outputs` = N, all at least 1; what it does with the accumulators;
    /// `split`: logarithm of the number of tokens.
    pub Job { vectors, codebooks, outputs, first, last, scale_fp32, split }
}

/// Widths of [`Job`].
pub fn job_widths(cfg: &CoreConfig) -> Job<u32> {
    Job {
        vectors: vector_bits(cfg),
        codebooks: codebook_bits(cfg),
        outputs: output_bits(cfg),
        first: 1,
        last: 1,
        scale_fp32: 1,
        split: batch::split_bits(cfg),
    }
}

/// Bits that hold 1..=max_n_block.
pub fn output_bits(cfg: &CoreConfig) -> u32 {
    Scope::index_width(cfg.buffers.max_n_block + 1)
}

/// Whether a tile, divided among as many tokens as there can be, does not hold all vectors that there can be.
fn counts_tiles(cfg: &CoreConfig) -> bool {
    cfg.tile_vectors() / cfg.max_batch() < cfg.max_vectors()
}

/// Describes the control: takes the jobs (stream `job`) one after the other; `done` is 1 when the last index word of one
/// is issued, with `keeps` if its sums are not sent on. Steps are issued when the array has `filled` an OC half, and
/// `stalled` is 1 while one waits for that; `freed` gives it back.
///
/// The word taken from stream `word` (with `word_last`: it ends a step) is on `index` one cycle later, with `access_*`,
/// `half` and `scale_fp32`. On the last step of a command with `last`, words are issued only while `room` is 1; `output_last` marks
/// the last output.
pub fn epilogue_control(m: &Scope, cfg: &CoreConfig) {
    m.doc("Epilogue control: issues one index word per cycle while a filled OC half is there, for each output of the block.");
    m.param("buffers.max_n_block", cfg.buffers.max_n_block);
    m.param("tile_vectors", cfg.tile_vectors());
    let jobs = m.stream_in("job", PortStyle::Plain, job_widths(cfg));
    let filled = m.input("filled", 1);
    let room = m.input("room", 1);
    let word = m.stream_in("word", PortStyle::Plain, Data { data: cfg.index_word_bits() });

    let busy = m.reg("busy_q", 1).reset(0);
    let taken_job = jobs.take(!busy.q());
    let start = taken_job.fire;
    let job = taken_job.payload;
    let (codebooks, outputs) = (job.codebooks.reg_en("codebooks", start), job.outputs.reg_en("outputs", start));
    let (first, last) = (job.first.reg_en("first", start), job.last.reg_en("last", start));
    let output = m.reg("output", output_bits(cfg)).reset(0);
    let codebook = m.reg("codebook", codebook_bits(cfg)).reset(0);
    let half = m.reg("half", 1).reset(0);
    let ready_halves = m.reg("ready_halves", 2).reset(0);
    let first_step = m.reg("first_step", 1);
    let split = job.split.reg_en("split", start);
    let pause = ACCESS_DISTANCE.max(cfg.max_batch());
    let cooling = m.reg("cooling", Scope::index_width(pause)).reset(0);

    // Vectors of a token from the present tile on; not counted where one tile holds all that there can be.
    let tile_bits = vector_bits(cfg).max(Scope::index_width(cfg.tile_vectors() + 1));
    let left = counts_tiles(cfg).then(|| m.reg("left", vector_bits(cfg)));
    let tile =
        batch::choose(cfg, split, |tokens| m.lit(u64::from(cfg.tile_vectors() / tokens), tile_bits)).named("tile");
    let last_tile = left.map_or(m.high(), |left| left.q().zext(tile_bits).le(tile));
    hw! {
        codebook_last = (codebook.q() + 1).eq(codebooks);
        final_step = codebook_last & last_tile;
        sends = final_step & last;
        output_last = (output.q() + 1).eq(outputs);
        oc_there = ready_halves.q().any();
        open = busy.q() & oc_there & cooling.q().is_zero() & (room | !sends);
    }
    let taken = word.take(open);
    hw! {
        fire = taken.fire;
        step_last = fire & output_last;
    }
    output.on(fire, output_last.mux(0, output.q() + 1));
    codebook.on(step_last, codebook_last.mux(0, codebook.q() + 1));
    half.on(step_last, !half.q());
    first_step.on(step_last, 0).on(start, 1);
    match left {
        Some(left) => {
            let after = (left.q().zext(tile_bits) - tile).trunc(vector_bits(cfg));
            left.on(step_last & codebook_last, after).on(start, job.vectors);
        }
        None => {
            job.vectors.discard();
            tile.discard();
        }
    }
    let done = (step_last & final_step).named("done");
    busy.on(done, 0).on(start, 1);
    ready_halves.on(filled & !step_last, ready_halves.q() + 1).on(step_last & !filled, ready_halves.q() - 1);

    // An accumulator must not be touched again too soon: short steps are followed by a pause. So is every word whose
    // sums of several tokens are sent on. After the step that sends sums the next command takes longer to begin.
    let pause = u64::from(ACCESS_DISTANCE - 1);
    let distance = u64::from(ACCESS_DISTANCE);
    let short = if distance >> output_bits(cfg) == 0 { outputs.lt(distance) } else { m.high() };
    let counting = cooling.q().any().named("counting");
    let mut cools = cooling.on(counting, cooling.q() - 1);
    if cfg.max_batch() > 1 {
        let sending = batch::choose(cfg, split, |tokens| m.lit(u64::from(tokens - 1), cooling.q().width()));
        cools = cools.on(fire & sends, sending);
    }
    cools.on(step_last & short & !sends, pause);

    let access = Access {
        valid: fire,
        address: super::fit(output.q(), accumulator::access_widths(cfg).address),
        first: first_step.q() & first,
        last: sends,
        split,
    };
    m.output("scale_fp32", job.scale_fp32.reg_en("scale_fp32", start).reg("scale_fp32_q1"));
    m.output("split", split);
    m.output("done", done);
    m.output("keeps", done & !last);
    m.output("stalled", busy.q() & !oc_there);
    m.output("freed", step_last);
    m.output("issued", fire & sends);
    m.output("word_last", output_last);
    m.output("index", taken.payload.data.reg_en("index_q", fire));
    m.output("half", half.q().reg("half_q"));
    m.output("output_last", (sends & output_last).reg("output_last_q"));
    m.outputs("access", accumulator::delay(access, 1));
}
