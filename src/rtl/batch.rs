//! Decoding several tokens at once: the units are divided among `M` of them, a power of two.

use crate::config::CoreConfig;
use crate::hdl::{Scope, Signal};

/// Bits of the logarithm of `M`.
pub fn split_bits(cfg: &CoreConfig) -> u32 {
    Scope::index_width(cfg.max_batch().trailing_zeros() + 1)
}

/// Every `M` there is.
pub fn choices(cfg: &CoreConfig) -> impl Iterator<Item = u32> {
    (0..=cfg.max_batch().trailing_zeros()).map(|split| 1 << split)
}

/// The signal for the present `M`, whose logarithm is `split`.
#[track_caller]
pub fn choose<'m>(cfg: &CoreConfig, split: Signal<'m>, signal: impl FnMut(u32) -> Signal<'m>) -> Signal<'m> {
    if cfg.max_batch() == 1 {
        split.discard();
    }
    split.select(&choices(cfg).map(signal).collect::<Vec<_>>())
}

/// Whether a number of vectors is a multiple of the tile. For an odd divisor `B` and `w` bits these are the numbers whose
/// product with the inverse of `B` modulo `2^w` is at most `(2^w - 1)/B`: division without remainder undoes
/// multiplication (Warren, Hacker's Delight, "Test for zero remainder after division by a constant").
pub fn is_whole_tiles<'m>(m: &'m Scope, cfg: &CoreConfig, vectors: Signal<'m>) -> Signal<'m> {
    let tile = cfg.tile_vectors();
    let even = tile.trailing_zeros();
    if even >= vectors.width() {
        return vectors.is_zero();
    }
    let odd = u64::from(tile >> even);
    let quotient = vectors.bits_from(even);
    let bits = quotient.width();
    let mask = u64::MAX >> (64 - bits);
    // Newton's iteration doubles the correct bits in each step, from three.
    let inverse = (0..5).fold(odd, |inverse, _| inverse.wrapping_mul(2u64.wrapping_sub(odd.wrapping_mul(inverse))));
    let divides = match odd {
        1 => m.high(),
        _ => quotient.mul(m.lit(inverse & mask, bits)).trunc(bits).le(mask / odd),
    };
    if even == 0 { divides } else { divides & vectors.trunc(even).is_zero() }
}
