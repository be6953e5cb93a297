//! FP16 bit patterns worth trying.

use rand::{Rng, RngExt};

/// Zeros, ends of the subnormal and normal ranges, neighbours of one, halves of the significand, infinities, NaN; both
/// signs.
pub fn corners() -> Vec<u16> {
    let positive = [
        0x0000, 0x0001, 0x0002, 0x003F, 0x0040, 0x0200, 0x03FF, 0x0400, 0x0401, 0x07FF, 0x0800, 0x1400, 0x2400, 0x3BFF,
        0x3C00, 0x3C01, 0x3C3F, 0x3C40, 0x3FFF, 0x4000, 0x5BFF, 0x7800, 0x7BFE, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x7FFF,
    ];
    positive.into_iter().chain(positive.map(|v| v | 0x8000)).collect()
}

/// A finite value; exponents are drawn around `centre` (biased) within `spread`, so that sums cancel often when it is
/// small.
pub fn finite(rng: &mut impl Rng, centre: i32, spread: i32) -> u16 {
    let exponent = (centre + rng.random_range(-spread..=spread)).clamp(0, 30) as u16;
    rng.random_range(0..2u16) << 15 | exponent << 10 | rng.random_range(0..1024u16)
}

/// Any bit pattern.
pub fn any(rng: &mut impl Rng) -> u16 {
    rng.random()
}

pub fn is_special(v: u16) -> bool {
    v & 0x7C00 == 0x7C00
}
