//! Commands: decoding, checking, and handing them to the units that they need.

use super::batch;
use super::completion::{self, Event, Pending};
use super::epilogue_control::{self, output_bits};
use super::gemm_control::{self, codebook_bits, vector_bits};
use super::int8_control::{self, Gemm};
use super::weight_control;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::fsm::Fsm;
use crate::hdl::{Data, PortStyle, Reg, Scope, Signal, Stream};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_command";

/// Bits of a command and of a status.
pub const COMMAND: u32 = 128;
/// Bits of a status.
pub const STATUS: u32 = 64;

bundle! {
    /// One-cycle pulses that start what has no queue.
    pub Start { x, int8 }
    /// What the units report: codebooks in the slots of `loaded` are complete at `codebooks_end`; the array has sent all
    /// entries of a command, of the slots of `used`, at `gemm_end`; `x_busy`: activations are being loaded; `idle`: no
    /// command is on its way.
    pub Reports { codebooks_end, loaded, gemm_end, used, x_busy, idle }
}

/// `VQ_GEMV` commands that the array has to do at a time: one in work, two waiting.
const GEMVS: u32 = 3;

/// Widths of [`Reports`].
pub fn report_widths(cfg: &CoreConfig) -> Reports<u32> {
    let slots = cfg.vq.max_codebooks;
    Reports { codebooks_end: 1, loaded: slots, gemm_end: 1, used: slots, x_busy: 1, idle: 1 }
}

/// Describes the command unit. It takes a command, checks it, and hands it as jobs to the queues of the units that it
/// needs as soon as these and what it replaces allow; or refuses it. Either way it goes to the completion, in order.
///
/// `gemm` and `vectors` are those of the command that is started by a pulse; `int8` and `raw` tell the mode: they change
/// when an accepted command starts. The encoding is that of `docs/interface.md`.
pub fn command(m: &Scope, cfg: &CoreConfig) {
    let slots = cfg.vq.max_codebooks;
    m.doc("Command unit: checks commands and hands them to the units that execute them.");
    m.param("max_vectors", cfg.max_vectors());
    m.param("vq.max_codebooks", slots);
    m.param("buffers.max_n_block", cfg.buffers.max_n_block);
    m.param("max_tokens", cfg.max_tokens());
    m.param("max_k_tiles", cfg.max_k_tiles());
    let commands = m.stream_in("cmd", PortStyle::Plain, Data { data: COMMAND });
    let reports = m.inputs("report", report_widths(cfg));

    let fsm = Fsm::new(m, "state", &["idle", "check", "dispatch", "alone"]);
    let taken = commands.take(fsm.is("idle"));
    let word = taken.payload.data.reg_en("command", taken.fire);

    // Fields, and which of them each command may set.
    hw! {
        opcode = word.trunc(8);
        first = word.bit(8);
        last = word.bit(9);
        scale_fp32 = word.bit(10);
        raw = word.bit(11);
        slot = word.slice(12, 3);
        grouped = word.bit(15);
        tag = word.slice(16, 16);
        codebooks = word.slice(32, 8);
        int8_tokens = word.slice(40, 24);
        tokens = word.slice(40, 8);
        from_word = word.slice(48, 16);
        vectors = word.slice(64, 32);
        outputs = word.slice(96, 32);
        is_codebooks = opcode.eq(1);
        is_x = opcode.eq(2);
        is_gemv = opcode.eq(3);
        is_int8 = opcode.eq(4);
        is_load = is_codebooks | is_x;
        known = is_load | is_gemv | is_int8;
        stray_flags = !is_gemv & (word.slice(8, 3).any() | grouped);
        stray_raw = !is_int8 & raw;
        stray_codebooks = (is_x | is_int8) & (codebooks.any() | slot.any());
        stray_tokens = is_load & int8_tokens.any();
        stray_vectors = is_codebooks & vectors.any();
        stray_outputs = is_load & outputs.any();
        stray = stray_flags | stray_raw | stray_codebooks | stray_tokens | stray_vectors | stray_outputs;
    }

    // The slots that a command writes or reads: as many as it has codebooks, or units with vectors of their own group.
    let units = cfg.epilogue.units;
    let bits = codebook_bits(cfg).max(Scope::index_width(units + 1)).max(3);
    let unit_vectors = u64::from(cfg.lanes());
    let groups =
        (1..u64::from(units)).fold(m.lit(1, bits), |groups, unit| groups + vectors.gt(unit * unit_vectors).zext(bits));
    let count = grouped.mux(groups.named("groups"), super::fit(codebooks, bits)).named("slots_needed");
    let end = (slot.zext(bits + 1) + count.zext(bits + 1)).named("slots_end");
    // A command that names slots has at least one.
    let mask: Vec<Signal> =
        (0..u64::from(slots)).map(|s| if s == 0 { slot.is_zero() } else { slot.le(s) & end.gt(s) }).collect();
    let mask = m.pack(&mask).named("slots");

    let loaded_vectors = m.reg("loaded_vectors", vector_bits(cfg)).reset(0);
    let one_token = tokens.eq(1).named("one_token");
    // Several tokens need whole tiles.
    let ends_well = match cfg.max_batch() {
        1 => m.high(),
        _ => one_token | batch::is_whole_tiles(m, cfg, loaded_vectors.q()).named("whole_tiles"),
    };
    let loaded_slots = m.reg("loaded_slots", slots).reset(0);
    // A chain of VQ_GEMV commands that add up is open between one without `last` and the one with it.
    let chain_open = m.reg("chain_open", 1).reset(0);
    let chain_outputs = m.reg("chain_outputs", output_bits(cfg));
    let chain_split = m.reg("chain_split", batch::split_bits(cfg));
    let split = one_hot_index(m, cfg, tokens).named("split");
    let outputs_of_block = super::fit(outputs, output_bits(cfg));
    let tile_vectors = u64::from(cfg.tile_vectors());
    let word_vectors = 2 * cfg.segments();
    let first_vector = from_word.mul(m.lit(word_vectors.into(), Scope::index_width(word_vectors + 1)));
    // Vectors of all tokens.
    let all_bits = vectors.width() + cfg.max_batch().trailing_zeros();
    let all_vectors = batch::choose(cfg, split, |tokens| vectors.append_zeros(tokens.trailing_zeros()).zext(all_bits));
    let sum_bits = first_vector.width().max(all_bits) + 1;
    hw! {
        codebooks_ok = (within(codebooks, slots) & end.le(u64::from(slots))) | !(is_codebooks | is_gemv);
        tokens_ok = is_int8.mux(within(int8_tokens, cfg.max_tokens()), is_choice(m, cfg, tokens)) | is_load;
        vectors_ok = is_int8.mux(within(vectors, cfg.max_k_tiles()), within(vectors, cfg.max_vectors())) | is_codebooks;
        groups_ok = !grouped | (codebooks.eq(1) & vectors.le(tile_vectors) & one_token);
        from_ok = !(is_gemv & !one_token & from_word.any());
        batch_ok = batch::choose(cfg, split, |tokens| within(outputs, cfg.buffers.max_n_block / tokens));
        outputs_ok = is_int8.mux(within(outputs, cfg.buffers.max_n_block), batch_ok) | is_load;
        in_range = codebooks_ok & tokens_ok & vectors_ok & groups_ok & from_ok & outputs_ok;
        continues = is_gemv & !first;
        same_shape = outputs_of_block.eq(chain_outputs.q()) & split.eq(chain_split.q());
        chained = !continues | (chain_open.q() & same_shape);
        needed_vectors = first_vector.zext(sum_bits) + all_vectors.zext(sum_bits);
        vectors_loaded = needed_vectors.le(loaded_vectors.q().zext(sum_bits)) & ends_well;
        slots_loaded = !(mask & !loaded_slots.q()).any();
        loaded = !is_gemv | (vectors_loaded & slots_loaded);
        accepted_now = known & !stray & in_range & loaded & chained;
    }
    // Later refusals in this list give way to earlier ones.
    let verdict = [(!known, 1), (stray, 3), (!in_range, 2), (!loaded, 4), (!chained, 5)]
        .into_iter()
        .rev()
        .fold(m.lit(0, 8), |otherwise, (refused, code)| refused.mux(m.lit(code, 8), otherwise));
    let checked = fsm.is("check");
    let (status, accepted) = (verdict.reg_en("status", checked), accepted_now.reg_en("accepted", checked));

    // ---- when a command may start: what it replaces is not needed any more, and all its queues have room
    let loading = m.reg("loading", slots).reset(0);
    let users: Vec<_> =
        (0..slots).map(|s| m.reg(&format!("users{s}"), Scope::index_width(GEMVS + 1)).reset(0)).collect();
    let used = m.pack(&users.iter().map(|u| u.q().any()).collect::<Vec<_>>()).named("used");
    let dispatched = m.wire("dispatched", 1);
    let gemm_job = gemm_control::Job {
        vectors: super::fit(vectors, vector_bits(cfg)),
        from_word,
        codebooks: super::fit(codebooks, codebook_bits(cfg)),
        slot: super::fit(slot, gemm_control::job_widths(cfg).slot),
        grouped,
        mask,
        split,
    };
    let epilogue_job = epilogue_control::Job {
        vectors: gemm_job.vectors,
        codebooks: gemm_job.codebooks,
        outputs: outputs_of_block,
        first,
        last,
        scale_fp32,
        split,
    };
    let weight_job = weight_control::Job {
        loads: is_codebooks,
        codebooks: gemm_job.codebooks,
        slot: gemm_job.slot,
        mask,
        scales: (is_gemv & last) | (is_int8 & !raw),
        scale_fp32: scale_fp32 | is_int8,
        outputs: outputs_of_block,
        int8: is_int8,
    };
    let awaits = |event: Event| m.lit(event as u64, completion::pending_widths().awaits);
    let event = is_codebooks.mux(
        awaits(Event::Codebooks),
        is_x.mux(awaits(Event::X), (is_int8 | last).mux(awaits(Event::Outputs), awaits(Event::Sums))),
    );
    let pending = Pending { opcode, status, tag, awaits: accepted.mux(event, awaits(Event::Nothing)) };

    let go = dispatched.get();
    let starts = (go & accepted).named("starts");
    let to_gemm = Stream::new("to_gemm", starts & is_gemv, gemm_job);
    let to_epilogue = Stream::new("to_epilogue", starts & is_gemv, epilogue_job);
    let to_weights = Stream::new("to_weights", starts & !is_x, weight_job);
    let to_completion = Stream::new("to_completion", go, pending);
    hw! {
        replaceable = !(mask & (loading.q() | used)).any();
        x_free = !used.any() & !reports.x_busy;
        queues_free = (to_gemm.ready() & to_epilogue.ready() | !is_gemv) & (to_weights.ready() | is_x);
        may_start = queues_free & (replaceable | !is_codebooks) & (x_free | !is_x) & (reports.idle | !is_int8);
    }
    dispatched.drive(fsm.is("dispatch") & to_completion.ready() & (may_start | !accepted));

    // ---- what is loaded and in use
    let starts_codebooks = starts & is_codebooks;
    let starts_gemv = starts & is_gemv;
    let pulses = Start { x: starts & is_x, int8: starts & is_int8 };
    loaded_slots.on(starts_codebooks, loaded_slots.q() | mask);
    // Activations give way to INT8 weights.
    loaded_vectors.on(pulses.x, gemm_job.vectors).on(pulses.int8, 0);
    chain_open.on(starts_gemv, !last);
    chain_outputs.on(starts_gemv, outputs_of_block);
    chain_split.on(starts_gemv, split);
    let ended = reports.loaded.gate(reports.codebooks_end);
    loading.next((loading.q() | mask.gate(starts_codebooks)) & !ended);
    for ((users, takes), leaves) in users.into_iter().zip(mask.split(1)).zip(reports.used.split(1)) {
        count_users(users, starts_gemv & takes, reports.gemm_end & leaves);
    }
    let int8 = m.reg("int8_q", 1).reset(0);
    int8.on(starts, is_int8);
    let raw_outputs = m.reg("raw_outputs", 1);
    raw_outputs.on(starts, raw);

    fsm.go("idle", taken.fire, "check");
    fsm.go("check", m.high(), "dispatch");
    fsm.go("dispatch", go, "idle");
    fsm.go("dispatch", pulses.int8, "alone");
    fsm.go("alone", reports.idle, "idle");

    let gemm = int8_control::widths(cfg);
    m.output("taken", taken.fire);
    m.output("idle", fsm.is("idle"));
    m.outputs("start", pulses);
    m.outputs(
        "gemm",
        Gemm {
            tokens: super::fit(int8_tokens, gemm.tokens),
            tiles: super::fit(vectors, gemm.tiles),
            outputs: outputs_of_block,
        },
    );
    m.output("vectors", gemm_job.vectors);
    m.output("int8", int8.q());
    m.output("raw", raw_outputs.q());
    m.output("loading", loading.q());
    m.stream_out("gemm_job", PortStyle::Plain, to_gemm);
    m.stream_out("epilogue_job", PortStyle::Plain, to_epilogue);
    m.stream_out("weight_job", PortStyle::Plain, to_weights);
    m.stream_out("pending", PortStyle::Plain, to_completion);
}

/// Counts the commands that use something.
fn count_users<'m>(users: Reg<'m>, more: Signal<'m>, fewer: Signal<'m>) {
    users.on(more & !fewer, users.q() + 1).on(fewer & !more, users.q() - 1);
}

/// Whether a number of tokens is one that there is.
fn is_choice<'m>(m: &'m Scope, cfg: &CoreConfig, tokens: Signal<'m>) -> Signal<'m> {
    m.pack(&batch::choices(cfg).map(|choice| tokens.eq(u64::from(choice))).collect::<Vec<_>>()).any()
}

/// The logarithm of a number of tokens that there is.
fn one_hot_index<'m>(m: &'m Scope, cfg: &CoreConfig, tokens: Signal<'m>) -> Signal<'m> {
    let bits = batch::split_bits(cfg);
    batch::choices(cfg)
        .zip(0u64..)
        .skip(1)
        .map(|(choice, log)| m.lit(log, bits).gate(tokens.bit(choice.trailing_zeros())))
        .reduce(|a, b| a | b)
        .unwrap_or_else(|| m.zeros(bits))
}

/// Whether a count is between 1 and `most`.
fn within(field: Signal<'_>, most: u32) -> Signal<'_> {
    let most = u64::from(most);
    if most >> field.width() == 0 { field.any() & field.le(most) } else { field.any() }
}
