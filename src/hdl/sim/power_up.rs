//! What registers and memories hold before anything was written to them.

use crate::hdl::bits::{Bits, words_for};

/// Content at power-up of registers without a reset value, of memories without initial content, and of the read data of
/// synchronous memories. Registers with a reset value power up at it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PowerUp {
    /// All zeros.
    Zero,
    /// Pseudo-random from a seed, so that a design that relies on its power-up content is found out. It depends on the
    /// seed and on the place in the hierarchy only.
    Random(u64),
}

impl PowerUp {
    /// The value of register `number`.
    pub(super) fn value(self, number: u64, width: u32) -> Bits {
        Bits::from_words(&self.words(number, words_for(width)), width)
    }

    /// The words of memory `number`, one after the other.
    pub(super) fn memory(self, number: u64, depth: u32, width: u32) -> Vec<u64> {
        // Registers are numbered from 0 on, memories from 2^32 on.
        let per_word = words_for(width);
        let mut content = self.words(number | 1 << 32, per_word * depth as usize);
        content.chunks_mut(per_word).for_each(|word| super::wide::mask_top(word, width));
        content
    }

    fn words(self, number: u64, count: usize) -> Vec<u64> {
        match self {
            PowerUp::Zero => vec![0; count],
            PowerUp::Random(seed) => {
                let mut state = split_mix(seed ^ split_mix(number));
                let mut next = || {
                    state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
                    split_mix(state)
                };
                (0..count).map(|_| next()).collect()
            }
        }
    }
}

/// The finaliser of the SplitMix64 generator.
fn split_mix(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
