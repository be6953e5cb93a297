//! The order of things on the weight stream.

use super::epilogue_control::output_bits;
use super::gemm_control::codebook_bits;
use super::{accumulator, epilogue_unit, scaler};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::fsm::Fsm;
use crate::hdl::{Bundle, PortStyle, Scope};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_weight_control";

bundle! {
    /// What a command takes from the weight stream. `loads`: `codebooks` codebooks into the slots of `mask`, from `slot`
    /// on. Otherwise, with `scales`, scales of `outputs` outputs, FP32 or not; then row words with `int8`, or index words.
    pub Job { loads, codebooks, slot, mask, scales, scale_fp32, outputs, int8 }
}

/// Widths of [`Job`].
pub fn job_widths(cfg: &CoreConfig) -> Job<u32> {
    Job {
        loads: 1,
        codebooks: codebook_bits(cfg),
        slot: Scope::index_width(cfg.vq.max_codebooks),
        mask: cfg.vq.max_codebooks,
        scales: 1,
        scale_fp32: 1,
        outputs: output_bits(cfg),
        int8: 1,
    }
}

/// Describes the control: takes the jobs (stream `job`) one after the other.
///
/// `start_codebooks` and `start_scales` start the loaders, `job_*` stay as they are until the job has ended; they have
/// ended at `codebooks_end` and `scales_end`. `to_index` and `to_rows` lead the stream to index or row words until
/// `words_end`. Scales are loaded when nothing in the pipeline needs the former ones any more.
pub fn weight_control(m: &Scope, cfg: &CoreConfig) {
    m.doc(
        "Weight control: leads the weight stream to codebooks, scales, index words and row words, command by command.",
    );
    let jobs = m.stream_in("job", PortStyle::Plain, job_widths(cfg));
    let codebooks_end = m.input("codebooks_end", 1);
    let scales_end = m.input("scales_end", 1);
    let words_end = m.input("words_end", 1);

    // From an index word to the last use of its scale.
    let drain = epilogue_unit::latency(cfg) + accumulator::LATENCY + scaler::latency(cfg);
    m.param("drain", drain);
    let fsm = Fsm::new(m, "state", &["idle", "begin", "codebooks", "scales", "words"]);
    let taken = jobs.take(fsm.is("idle"));
    let job = taken.payload.map(|field, s| s.reg_en(&format!("{field}_q"), taken.fire));
    let draining = m.reg("draining", Scope::index_width(drain + 1)).reset(0);
    hw! {
        in_words = fsm.is("words");
        counting = draining.q().any();
        start_codebooks = fsm.is("begin") & job.loads;
        start_scales = fsm.is("begin") & !job.loads & job.scales & !counting;
        start_words = fsm.is("begin") & !job.loads & !job.scales;
    }
    draining.on(counting, draining.q() - 1).on(in_words, u64::from(drain));
    fsm.go("idle", taken.fire, "begin");
    fsm.go("begin", start_codebooks, "codebooks");
    fsm.go("begin", start_scales, "scales");
    fsm.go("begin", start_words, "words");
    fsm.go("codebooks", codebooks_end, "idle");
    fsm.go("scales", scales_end, "words");
    fsm.go("words", words_end, "idle");

    m.output("start_codebooks", start_codebooks);
    m.output("start_scales", start_scales);
    m.output("to_index", in_words & !job.int8);
    m.output("to_rows", in_words & job.int8);
    m.outputs(
        "loading",
        Loading {
            codebooks: job.codebooks,
            slot: job.slot,
            mask: job.mask,
            outputs: job.outputs,
            scale_fp32: job.scale_fp32,
        },
    );
}

bundle! {
    /// What the loaders need to know of a job.
    pub Loading { codebooks, slot, mask, outputs, scale_fp32 }
}
