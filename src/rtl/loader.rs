//! Loading of codebooks, scales and activations into their buffers.

use super::lane_buffer::Shape;
use crate::config::CoreConfig;
use crate::hdl::{Data, ModuleRef, PortStyle, Scope, Signal};

/// Codebook buffer: an entry per lane, whole words for each slot.
pub fn codebook_shape(cfg: &CoreConfig) -> Shape {
    let entry = 16 * cfg.vq.dim;
    let lanes = (cfg.stream.width / entry).max(1);
    Shape { words: cfg.vq.max_codebooks * slot_lanes(cfg) / lanes, lanes, lane_bits: entry }
}

/// Lanes of the codebook buffer for each slot, a power of two.
pub fn slot_lanes(cfg: &CoreConfig) -> u32 {
    cfg.entries().max(cfg.stream.width / (16 * cfg.vq.dim))
}

/// Scale buffer: an FP32 scale or two FP16 scales per lane.
pub fn scale_shape(cfg: &CoreConfig) -> Shape {
    let lanes = cfg.stream.width / 32;
    Shape { words: cfg.buffers.max_n_block.div_ceil(lanes), lanes, lane_bits: 32 }
}

/// Activation buffer: the `F` values of one row in one pass per lane, two lanes per beat. In INT8 mode it holds two
/// tiles of weights, a row in a word.
pub fn x_shape(cfg: &CoreConfig) -> Shape {
    let words = cfg.max_vectors().div_ceil(2 * cfg.segments());
    Shape { words: words.max(2 * cfg.array.rows), lanes: 2, lane_bits: 16 * cfg.fp16_cols() }
}

/// How a loader counts.
#[derive(Clone, Copy, Debug)]
pub struct Counting {
    /// Bits of the number of elements.
    pub count_bits: u32,
    /// Elements in a word of the buffer.
    pub per_word: u32,
}

/// Module `name`: takes beats from stream `beat` and writes them as words of `shape` from word `from` on, until `count`
/// elements have come.
///
/// `start` (one cycle, with `count >= 1` and `from`, the first word) starts it; `busy` is 1 from the next cycle until all
/// is written, in the cycle of `done`. Beats narrower than a word are gathered, low bits first.
pub fn loader(scope: &Scope, name: &str, cfg_width: u32, shape: Shape, counting: Counting) -> ModuleRef {
    let beats_per_word = shape.word_bits() / cfg_width;
    scope.define(name, |m| {
        m.doc("Loader: fills a buffer from a stream, from its first word on.");
        m.param("beat_bits", cfg_width);
        m.param("word_bits", shape.word_bits());
        m.param("elements_per_word", counting.per_word);
        let start = m.input("start", 1);
        let count = m.input("count", counting.count_bits);
        let from = m.input("from", shape.word_address());
        let beat = m.stream_in("beat", PortStyle::Plain, Data { data: cfg_width });

        let busy = m.reg("busy_q", 1).reset(0);
        let taken = beat.take(busy.q());
        let (complete, data): (Signal, Signal) = if beats_per_word == 1 {
            (taken.fire, taken.payload.data)
        } else {
            let held = m.reg("held", (beats_per_word - 1) * cfg_width);
            let gathered = m.cat(&[taken.payload.data, held.q()]);
            held.on(taken.fire, gathered.bits_from(cfg_width));
            let position = crate::hdl::lib::counter::counter_to(m, "position", taken.fire, beats_per_word);
            (position.wrap, gathered)
        };

        let per_word = u64::from(counting.per_word);
        let last = if per_word >> counting.count_bits == 0 {
            let remaining = m.reg("remaining", counting.count_bits);
            remaining.on(complete, remaining.q() - per_word).on(start, count);
            remaining.q().le(per_word)
        } else {
            // Whatever the count, one word holds it.
            count.discard();
            m.high()
        }
        .named("last_word");
        let address = m.reg("address", shape.word_address());
        address.on(complete, address.q() + 1).on(start, from);
        let done = (complete & last).named("done");
        busy.on(done, 0).on(start, 1);
        m.output("done", done);
        m.output("busy", busy.q());
        m.output("write_enable", complete);
        m.output("write_word", address.q());
        m.output("write_data", data);
    })
}
