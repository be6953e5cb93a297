//! From beats of `s_axis_w` to index words.

use crate::config::CoreConfig;
use crate::hdl::lib::counter::counter_to;
use crate::hdl::{Data, PortStyle, Scope, Stream};

pub const NAME: &str = "eva_index_unpacker";

/// Describes the conversion of beats (stream `beat`) into index words (stream `word`), in both cases of the format:
/// several words per beat, or several beats per word. `last` accompanies a word that ends a step: what remains of its
/// beat is dropped.
pub fn index_unpacker(m: &Scope, cfg: &CoreConfig) {
    let (width, bits) = (cfg.stream.width, cfg.index_word_bits());
    m.doc("Index unpacker: turns beats of the weight stream into index words, one per cycle.");
    m.param("stream.width", width);
    m.param("index_word_bits", bits);
    let beat = m.stream_in("beat", PortStyle::Plain, Data { data: width });
    let last = m.input("last", 1);

    if cfg.beats_per_index_word() > 1 {
        // The beats before the last one wait in a shift register.
        last.discard();
        let beats = cfg.beats_per_index_word();
        let step = m.wire("step", 1);
        let position = counter_to(m, "position", step.get(), beats);
        let word = Stream::new("word_out", beat.valid & position.last, Data { data: m.zeros(1) });
        let taken = beat.take(!position.last | word.ready());
        step.drive(taken.fire);
        let held_bits = (beats - 1) * width;
        let held = m.reg("held", held_bits);
        let data = m.cat(&[taken.payload.data, held.q()]);
        held.on(taken.fire, data.bits_from(width));
        let rest = data.bits_from(bits.min(data.width() - 1));
        if data.width() > bits {
            rest.discard();
        }
        m.stream_out("word", PortStyle::Plain, word.map(|_| Data { data: data.trunc(bits) }));
        return;
    }

    let words = cfg.index_words_per_beat();
    let candidates: Vec<_> = (0..words).map(|i| beat.payload.data.slice(i * bits, bits)).collect();
    if words == 1 {
        last.discard();
        m.stream_out("word", PortStyle::Plain, beat.map(|_| Data { data: candidates[0] }));
        return;
    }
    let position = m.reg("position", Scope::index_width(words)).reset(0);
    let word = Stream::new("word_out", beat.valid, Data { data: position.q().select(&candidates) });
    let end = (last | position.q().eq(u64::from(words - 1))).named("end_of_beat");
    let step = (beat.valid & word.ready()).named("step");
    beat.take(word.ready() & end);
    position.on(step, end.mux(0, position.q() + 1));
    m.stream_out("word", PortStyle::Plain, word);
}
