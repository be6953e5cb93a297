//! Streams as sequences of bits.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Bits, the lowest first.
#[derive(Default)]
pub struct Bits(Vec<bool>);

impl Bits {
    /// Numbers of `width` bits, one after the other.
    pub fn of(values: impl IntoIterator<Item = u64>, width: u64) -> Self {
        let mut bits = Self::default();
        for value in values {
            bits.0.extend((0..width).map(|bit| value >> bit & 1 != 0));
        }
        bits
    }

    /// Words of one length as they travel in beats: several in one, or each in several. What is left of a beat is noise.
    pub fn words(words: impl IntoIterator<Item = Self>, beat: u64, rng: &mut ChaCha8Rng) -> Self {
        let mut bits = Self::default();
        for (number, mut word) in (0..).zip(words) {
            let length = word.0.len() as u64;
            if length > beat || number % (beat / length) == 0 {
                bits.pad(beat, rng);
            }
            bits.0.append(&mut word.0);
        }
        bits.pad(beat, rng);
        bits
    }

    /// Adds noise up to the end of a beat.
    fn pad(&mut self, beat: u64, rng: &mut ChaCha8Rng) {
        let length = self.0.len().next_multiple_of(beat as usize);
        self.0.resize_with(length, || rng.random());
    }

    /// Whole beats of it, as bytes.
    pub fn beats(mut self, beat: u64, rng: &mut ChaCha8Rng) -> Vec<u8> {
        self.pad(beat, rng);
        let byte = |bits: &[bool]| bits.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit));
        self.0.chunks(8).map(byte).collect()
    }
}
