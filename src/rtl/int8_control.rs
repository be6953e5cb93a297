//! The control of an INT8 GEMM: weights into their buffer a tile ahead, tokens and weights into the array.

use super::array;
use super::lane_buffer;
use super::loader;
use super::pass_walker::{self, Pass, pass_walker};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::counter::counter_to;
use crate::hdl::{Bundle, Data, PortStyle, Scope, Signal};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_int8_control";

/// Tiles of weights that the buffer holds: one in use, one on its way.
const SLOTS: u32 = 2;

bundle! {
    /// Size of a command: `tokens` = M, `tiles` = T k tiles, `outputs` = N, all at least 1.
    pub Gemm { tokens, tiles, outputs }
    /// Control for the array, aligned with the weights that the buffer returns.
    pub Steering { valid, load, index, pass, turn, emit, emit_end, token }
}

/// Widths of [`Gemm`].
pub fn widths(cfg: &CoreConfig) -> Gemm<u32> {
    let pass_walker::Passes { tiles, outputs } = pass_walker::widths(cfg);
    Gemm { tokens: Scope::index_width(cfg.max_tokens() + 1), tiles, outputs }
}

/// Describes the control. `start` (one cycle, `gemm` held until the end) starts it; `busy` is 1 from the next cycle until
/// the last token has been sent; `rows_end` when the last weights come into the buffer. While `rows_wanted` is 0 no beat of
/// theirs may be taken.
///
/// Row words (stream `row_word`, `row_word_last` with the last one of a tile) go to `write_word`; `read_word` is their address when
/// they are read. Tokens (stream `token`, `token_last` with the last one of a pass) follow one another as long as there are any.
/// A pass starts as soon as its weights are there and the rows have taken those of the pass before. In passes that finish
/// an output, tokens are sent only while `room` is 1, and each raises `issued`.
pub fn int8_control(m: &Scope, cfg: &CoreConfig) {
    let rows = cfg.array.rows;
    m.doc("INT8 control: sends every token through the array once per pass, with the weights of the next pass on their way.");
    m.param("array.rows", rows);
    m.param("max_tokens", cfg.max_tokens());
    m.param("psum_distance", array::psum_distance(cfg));
    let start = m.input("start", 1);
    let gemm = m.inputs("gemm", widths(cfg));
    let room = m.input("room", 1);
    let row_words = m.stream_in("row_word", PortStyle::Plain, Data { data: cfg.row_word_bits() });
    let tokens = m.stream_in("token", PortStyle::Plain, Data { data: cfg.token_word_bits() });

    let walker_module = m.define(pass_walker::NAME, |m| pass_walker(m, cfg));
    let walker = |name: &str| {
        let walker = m.instance(name, &walker_module);
        let passes = pass_walker::Passes { tiles: gemm.tiles, outputs: gemm.outputs };
        walker.set("start", start).set_bundle("passes", passes);
        walker
    };

    // ---- weights, a tile or two ahead of the tokens
    let address = loader::x_shape(cfg).word_address();
    let full = m.reg("full", Scope::index_width(SLOTS + 1)).reset(0);
    let ahead = walker("u_weights");
    let fetched = ahead.get_bundle::<Pass<Signal>>("pass");
    fetched.turn.discard();
    fetched.emits.discard();
    let weights_busy = ahead.get("busy").named("weights_busy");
    let row_word = row_words.take(full.q().ne(u64::from(SLOTS)));
    let write = counter_to(m, "write_slot_row", row_word.fire, SLOTS * rows);
    let write_row = counter_to(m, "write_row", row_word.fire, rows);
    let next_tile = (weights_busy & (write_row.wrap | !fetched.takes_tile)).named("next_tile");
    ahead.set("step", next_tile);
    m.output("rows_end", next_tile & fetched.last);

    // ---- tokens
    let present = walker("u_tokens");
    let pass = present.get_bundle::<Pass<Signal>>("pass");
    let busy = present.get("busy").named("busy");
    let token_bits = cfg.vq.index_bits + array::input_widths(cfg).pass;
    let token = m.reg("token", token_bits).reset(0);
    let sent_row = m.wire("sent_row", 1);
    let read_row = counter_to(m, "read_row", sent_row.get(), rows);
    // A token must not come back before its sum has been written.
    let cooling = m.reg("cooling", Scope::index_width(array::psum_distance(cfg))).reset(0);
    let distance = u64::from(array::psum_distance(cfg));
    let few = if distance >> gemm.tokens.width() == 0 { gemm.tokens.lt(distance) } else { m.high() };
    hw! {
        first = token.q().is_zero();
        last = (token.q().zext(token_bits + 1) + 1).eq(gemm.tokens.zext(token_bits + 1));
        rows_free = read_row.value.is_zero();
        weights_there = !pass.takes_tile | full.q().any();
        cooled = !few | cooling.q().is_zero();
        may_start = rows_free & weights_there & cooled;
        open = busy & (may_start | !first) & (room | !pass.emits);
        token_wanted = open & pass.takes_tile;
    }
    let taken = tokens.take(token_wanted);
    hw! {
        fire = taken.fire | (open & !pass.takes_tile);
        load = fire & first;
    }
    token.on(fire, last.mux(0, token.q() + 1));
    present.set("step", fire & last);
    let counting = cooling.q().any().named("counting");
    cooling.on(counting, cooling.q() - 1).on(fire, distance - 1);

    // The rows take their weights one after the other from the first token on, whether more tokens follow or not.
    let reading_rows = m.reg("reading_rows", 1);
    reading_rows.on(load, pass.takes_tile);
    sent_row.drive(load | !rows_free);
    let reading = (load & pass.takes_tile) | (!rows_free & reading_rows.q());
    let read = counter_to(m, "read_slot_row", reading.named("reading"), SLOTS * rows);
    let emptied = (read_row.wrap & reading_rows.q()).named("emptied");
    let filled = write_row.wrap.named("filled");
    full.on(filled & !emptied, full.q() + 1).on(emptied & !filled, full.q() - 1);

    m.output("busy", busy);
    // Not in passes that take nothing: an unpacker would take beats of the next command.
    m.output("rows_wanted", weights_busy & fetched.takes_tile);
    m.output("issued", fire & pass.emits);
    m.output("row_word_last", write_row.last);
    m.output("token_last", last);
    m.output("write_enable", row_word.fire);
    m.output("write_word", super::fit(write.value, address));
    m.output("write_data", row_word.payload.data);
    m.output("read_word", super::fit(read.value, address));
    m.output("read_enable", reading);
    let steering = Steering {
        valid: fire,
        load,
        index: token.q().trunc(cfg.vq.index_bits),
        pass: token.q().bits_from(cfg.vq.index_bits),
        turn: pass.turn,
        emit: fire & pass.emits,
        emit_end: last,
        token: taken.payload.data.gate(pass.takes_tile),
    };
    m.outputs(
        "steer",
        steering.map(|field, s| match field {
            "emit" => s.pipe_reset("steer_emit", lane_buffer::LATENCY),
            _ => s.pipe(&format!("steer_{field}"), lane_buffer::LATENCY),
        }),
    );
}
