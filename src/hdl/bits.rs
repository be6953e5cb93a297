//! Constant bit vectors of any width.

use std::fmt;

/// A bit vector: `width` bits in little-endian 64-bit words; bits beyond `width` are zero.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Bits {
    width: u32,
    words: Vec<u64>,
}

impl Bits {
    /// All zeros. `width` must be at least 1.
    pub fn zero(width: u32) -> Bits {
        Bits { width, words: vec![0; words_for(width)] }
    }

    /// All ones.
    pub fn ones(width: u32) -> Bits {
        let mut bits = Bits { width, words: vec![u64::MAX; words_for(width)] };
        bits.mask_top();
        bits
    }

    /// The value modulo `2^width`.
    pub fn from_u64(value: u64, width: u32) -> Bits {
        let mut bits = Bits::zero(width);
        bits.words[0] = value;
        bits.mask_top();
        bits
    }

    /// Two's complement of the value modulo `2^width`.
    pub fn from_i128(value: i128, width: u32) -> Bits {
        let sign = if value < 0 { u64::MAX } else { 0 };
        let low = [value as u64, (value >> 64) as u64];
        let words = (0..words_for(width)).map(|i| low.get(i).copied().unwrap_or(sign)).collect();
        let mut bits = Bits { width, words };
        bits.mask_top();
        bits
    }

    /// From little-endian words; missing words are zero, bits beyond `width` are dropped.
    pub fn from_words(words: &[u64], width: u32) -> Bits {
        let words = (0..words_for(width)).map(|i| words.get(i).copied().unwrap_or(0)).collect();
        let mut bits = Bits { width, words };
        bits.mask_top();
        bits
    }

    /// Bits, at least 1.
    pub fn width(&self) -> u32 {
        self.width
    }

    /// Little-endian words, `ceil(width/64)` of them.
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Bit `index`, counted from the least significant.
    pub fn bit(&self, index: u32) -> bool {
        index < self.width && self.words[index as usize / 64] >> (index % 64) & 1 == 1
    }

    /// The two's complement value in `width` bits, which must be at least its own width.
    pub fn sign_extended(&self, width: u32) -> Bits {
        if !self.bit(self.width - 1) {
            return Bits::from_words(&self.words, width);
        }
        let mut words = vec![u64::MAX; words_for(width)];
        words[..self.words.len()].copy_from_slice(&self.words);
        let used = self.width % 64;
        if used != 0 {
            words[self.words.len() - 1] |= u64::MAX << used;
        }
        Bits::from_words(&words, width)
    }

    /// The value when it fits into 64 bits.
    pub fn to_u64(&self) -> Option<u64> {
        self.words[1..].iter().all(|w| *w == 0).then_some(self.words[0])
    }

    /// The value as a two's complement number when `width <= 128`.
    pub fn to_i128(&self) -> Option<i128> {
        if self.width > 128 {
            return None;
        }
        let raw = u128::from(self.words[0]) | u128::from(self.words.get(1).copied().unwrap_or(0)) << 64;
        let shift = 128 - self.width;
        Some((raw << shift) as i128 >> shift)
    }

    /// Whether all bits are 0.
    pub fn is_zero(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }

    /// Hexadecimal digits, `ceil(width/4)` of them, without prefix.
    pub fn to_hex(&self) -> String {
        let digits = self.width.div_ceil(4);
        (0..digits)
            .rev()
            .map(|d| char::from_digit((self.words[d as usize / 16] >> (d % 16 * 4) & 15) as u32, 16).expect("a nibble"))
            .collect()
    }

    fn mask_top(&mut self) {
        let used = self.width % 64;
        if used != 0
            && let Some(top) = self.words.last_mut()
        {
            *top &= (1 << used) - 1;
        }
    }
}

impl fmt::Debug for Bits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}'h{}", self.width, self.to_hex())
    }
}

/// 64-bit words that hold `width` bits.
pub fn words_for(width: u32) -> usize {
    width.div_ceil(64).max(1) as usize
}

/// Bits needed to tell `count` things apart: `ceil(log2(count))`, at least 1.
pub fn index_width(count: u64) -> u32 {
    (64 - count.saturating_sub(1).leading_zeros()).max(1)
}
