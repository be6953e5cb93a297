//! From beats of a stream to the words that it carries.

use crate::hdl::lib::counter::counter_to;
use crate::hdl::{Data, ModuleRef, PortStyle, Scope, Stream};

/// Module `eva_unpacker_<beat>x<word>`: converts beats of `beat_bits` (stream `beat`) into words of `word_bits` (stream
/// `word`): as many whole words per beat as fit, low bits first, or as many beats per word as it needs. `last`
/// accompanies a word: what remains of its beat is dropped.
pub fn unpacker(scope: &Scope, beat_bits: u32, word_bits: u32) -> ModuleRef {
    scope.define(&format!("eva_unpacker_{beat_bits}x{word_bits}"), |m| {
        m.doc("Unpacker: turns beats of a stream into the words that they carry, one per cycle.");
        m.param("beat_bits", beat_bits);
        m.param("word_bits", word_bits);
        describe(m, beat_bits, word_bits);
    })
}

fn describe(m: &Scope, beat_bits: u32, word_bits: u32) {
    let beat = m.stream_in("beat", PortStyle::Plain, Data { data: beat_bits });
    let last = m.input("last", 1);

    let beats = word_bits.div_ceil(beat_bits);
    if beats > 1 {
        // The beats before the last one wait in a shift register.
        last.discard();
        let step = m.wire("step", 1);
        let position = counter_to(m, "position", step.get(), beats);
        let word = Stream::new("word_out", beat.valid & position.last, Data { data: m.zeros(1) });
        let taken = beat.take(!position.last | word.ready());
        step.drive(taken.fire);
        let held = m.reg("held", (beats - 1) * beat_bits);
        let data = m.cat(&[taken.payload.data, held.q()]);
        held.on(taken.fire, data.bits_from(beat_bits));
        if data.width() > word_bits {
            data.bits_from(word_bits).discard();
        }
        m.stream_out("word", PortStyle::Plain, word.map(|_| Data { data: data.trunc(word_bits) }));
        return;
    }

    let words = beat_bits / word_bits;
    let candidates: Vec<_> = (0..words).map(|i| beat.payload.data.slice(i * word_bits, word_bits)).collect();
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
