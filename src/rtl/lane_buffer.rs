//! A memory written a beat at a time and read a lane at a time.

use crate::hdl::{ModuleRef, Scope, Signal};

/// Cycles from `read_lane` to `lane`.
pub const LATENCY: u32 = 1;

/// Shape of a lane buffer: `words` words of `lanes` lanes (a power of two) of `lane_bits` bits.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Depth.
    pub words: u32,
    /// In a word; a power of two.
    pub lanes: u32,
    /// Bits of a lane.
    pub lane_bits: u32,
}

impl Shape {
    /// Bits of a word.
    pub fn word_bits(self) -> u32 {
        self.lanes * self.lane_bits
    }

    /// Bits of a word address.
    pub fn word_address(self) -> u32 {
        Scope::index_width(self.words)
    }

    /// Bits of a lane number.
    pub fn lane_address(self) -> u32 {
        self.word_address() + self.lanes.trailing_zeros()
    }
}

/// Module `eva_lane_buffer_<words>x<lanes>x<bits>`: a word `write_data` goes to `write_word` with `write_enable`; lane
/// `read_lane`, counted over the whole buffer, appears on `lane`, and the word that it is in on `word`, [`LATENCY`]
/// cycles later if `read_enable` was 1, and stay until the next read. A word must not be read in the cycle in which it is written.
pub fn lane_buffer(scope: &Scope, shape: Shape) -> ModuleRef {
    let Shape { words, lanes, lane_bits } = shape;
    scope.define(&format!("eva_lane_buffer_{words}x{lanes}x{lane_bits}"), |m| {
        m.doc(
            "Buffer written a word of several lanes at a time and read one lane at a time, 1 cycle after its number.",
        );
        m.param("words", words);
        m.param("lanes", lanes);
        m.param("lane_bits", lane_bits);
        let write_enable = m.input("write_enable", 1);
        let write_word = m.input("write_word", shape.word_address());
        let write_data = m.input("write_data", shape.word_bits());
        let read_enable = m.input("read_enable", 1);
        let read_lane = m.input("read_lane", shape.lane_address());

        let store = m.mem("store", words, shape.word_bits());
        store.write(write_word, write_data, write_enable);
        let low = lanes.trailing_zeros();
        let word = store.read_en(read_lane.bits_from(low), read_enable).named("word_q");
        let lane: Signal = if lanes == 1 {
            word
        } else {
            read_lane.trunc(low).reg_en("number", read_enable).select(&word.split(lane_bits))
        };
        m.output("lane", lane);
        m.output("word", word);
    })
}
