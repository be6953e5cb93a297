//! Commands: decoding, checking, sequencing, status.

use super::epilogue_control::{Block, output_bits};
use super::gemm_control::{Work, codebook_bits, vector_bits};
use super::int8_control::{self, Gemm};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::fsm::Fsm;
use crate::hdl::{Data, PortStyle, Scope, Signal, Stream};
use crate::hw;

pub const NAME: &str = "eva_command";

/// Bits of a command and of a status.
pub const COMMAND: u32 = 128;
pub const STATUS: u32 = 64;

bundle! {
    /// One-cycle pulses that start the units.
    pub Start { codebooks, x, gemv, int8, scales }
}

/// Describes the command unit. It takes a command, checks it, starts the units it needs, waits until `units_busy` is 0
/// and reports.
///
/// `work`, `block`, `gemm` and `scale_fp32` are those of the running command, `raw` too; `int8` tells what it or the
/// last one before was: it changes when an accepted command starts. The encoding is that of `docs/interface.md`.
pub fn command(m: &Scope, cfg: &CoreConfig) {
    m.doc("Command unit: executes one command at a time and reports the status of each.");
    m.param("max_vectors", cfg.max_vectors());
    m.param("vq.max_codebooks", cfg.vq.max_codebooks);
    m.param("buffers.max_n_block", cfg.buffers.max_n_block);
    m.param("max_tokens", cfg.max_tokens());
    m.param("max_k_tiles", cfg.max_k_tiles());
    let commands = m.stream_in("cmd", PortStyle::Plain, Data { data: COMMAND });
    let units_busy = m.input("units_busy", 1);

    let fsm = Fsm::new(m, "state", &["idle", "check", "run", "report"]);
    let taken = commands.take(fsm.is("idle"));
    let word = taken.payload.data.reg_en("command", taken.fire);

    // Fields, and which of them each command may set.
    hw! {
        opcode = word.trunc(8);
        first = word.bit(8);
        last = word.bit(9);
        scale_fp32 = word.bit(10);
        raw = word.bit(11);
        tag = word.slice(16, 16);
        codebooks = word.slice(32, 8);
        tokens = word.slice(40, 24);
        vectors = word.slice(64, 32);
        outputs = word.slice(96, 32);
        reserved = word.slice(12, 4).any();
        is_codebooks = opcode.eq(1);
        is_x = opcode.eq(2);
        is_gemv = opcode.eq(3);
        is_int8 = opcode.eq(4);
        is_load = is_codebooks | is_x;
        known = is_load | is_gemv | is_int8;
        stray_flags = (!is_gemv & word.slice(8, 3).any()) | (!is_int8 & raw);
        stray_codebooks = (is_x | is_int8) & codebooks.any();
        stray_tokens = !is_int8 & tokens.any();
        stray_vectors = is_codebooks & vectors.any();
        stray_outputs = is_load & outputs.any();
        stray = reserved | stray_flags | stray_codebooks | stray_tokens | stray_vectors | stray_outputs;
    }
    let loaded_vectors = m.reg("loaded_vectors", vector_bits(cfg)).reset(0);
    let loaded_codebooks = m.reg("loaded_codebooks", codebook_bits(cfg)).reset(0);
    // A chain of VQ_GEMV commands that add up is open between one without `last` and the one with it.
    let chain_open = m.reg("chain_open", 1).reset(0);
    let chain_outputs = m.reg("chain_outputs", output_bits(cfg));
    let outputs_of_block = super::fit(outputs, output_bits(cfg));
    let work =
        Work { vectors: super::fit(vectors, vector_bits(cfg)), codebooks: super::fit(codebooks, codebook_bits(cfg)) };
    hw! {
        codebooks_ok = within(codebooks, cfg.vq.max_codebooks) | is_x | is_int8;
        tokens_ok = within(tokens, cfg.max_tokens()) | !is_int8;
        vectors_ok = is_int8.mux(within(vectors, cfg.max_k_tiles()), within(vectors, cfg.max_vectors())) | is_codebooks;
        outputs_ok = within(outputs, cfg.buffers.max_n_block) | is_load;
        in_range = codebooks_ok & tokens_ok & vectors_ok & outputs_ok;
        continues = is_gemv & !first;
        chained = !continues | (chain_open.q() & outputs_of_block.eq(chain_outputs.q()));
        loaded = !is_gemv | (work.vectors.le(loaded_vectors.q()) & work.codebooks.le(loaded_codebooks.q()));
        accepted = known & !stray & in_range & loaded & chained;
    }
    // Later refusals in this list give way to earlier ones.
    let verdict = [(!known, 1), (stray, 3), (!in_range, 2), (!loaded, 4), (!chained, 5)]
        .into_iter()
        .rev()
        .fold(m.lit(0, 8), |otherwise, (refused, code)| refused.mux(m.lit(code, 8), otherwise));

    let start = (fsm.is("check") & accepted).named("start");
    let pulses = Start {
        codebooks: start & is_codebooks,
        x: start & is_x,
        gemv: start & is_gemv,
        int8: start & is_int8,
        scales: start & ((is_gemv & last) | (is_int8 & !raw)),
    };
    loaded_codebooks.on(pulses.codebooks, work.codebooks);
    // Activations give way to INT8 weights.
    loaded_vectors.on(pulses.x, work.vectors).on(pulses.int8, 0);
    let int8 = m.reg("int8_q", 1).reset(0);
    int8.on(start, is_int8);
    chain_open.on(pulses.gemv, !last);
    chain_outputs.on(pulses.gemv, outputs_of_block);

    let cycles = m.reg("cycles", 32);
    cycles.on(fsm.is("check") | fsm.is("run"), cycles.q() + 1).on(taken.fire, 0);
    let report = m.cat(&[cycles.q(), tag, verdict.reg_en("status", fsm.is("check")), opcode]);
    let reports = Stream::new("report", fsm.is("report"), Data { data: report });

    fsm.go("idle", taken.fire, "check");
    fsm.go("check", accepted, "run");
    fsm.go("check", !accepted, "report");
    fsm.go("run", !units_busy, "report");
    fsm.go("report", reports.ready(), "idle");

    m.output("busy", !fsm.is("idle"));
    m.output("executing", fsm.is("check") | fsm.is("run"));
    m.outputs("start", pulses);
    m.outputs("work", work);
    m.outputs("block", Block { outputs: outputs_of_block, first, last });
    let gemm = int8_control::widths(cfg);
    m.outputs(
        "gemm",
        Gemm {
            tokens: super::fit(tokens, gemm.tokens),
            tiles: super::fit(vectors, gemm.tiles),
            outputs: outputs_of_block,
        },
    );
    m.output("int8", int8.q());
    m.output("raw", raw);
    m.output("scale_fp32", scale_fp32 | is_int8);
    m.stream_out("sts", PortStyle::Plain, reports);
}

/// Whether a count is between 1 and `most`.
fn within(field: Signal<'_>, most: u32) -> Signal<'_> {
    let most = u64::from(most);
    if most >> field.width() == 0 { field.any() & field.le(most) } else { field.any() }
}
