//! Rounding of exact values to binary16: round to nearest, ties to even (IEEE 754-2019, 4.3.1).

use crate::hdl::lib::priority::leading_zeros;
use crate::hdl::{Scope, Signal};

/// The only NaN that the hardware produces.
const NAN: u64 = 0x7E00;

/// Flags that travel beside a finite value and override it.
#[derive(Clone, Copy)]
pub struct Special<'m> {
    pub nan: Signal<'m>,
    pub inf: Signal<'m>,
}

/// A magnitude shifted so that its significand stands in the top 11 bits, with the exponent that goes with it.
#[derive(Clone, Copy)]
pub struct Normalised<'m> {
    /// Any width above 12 bits: significand with hidden bit, guard bit, and everything below.
    pub window: Signal<'m>,
    /// Biased exponent less one, unsigned; with a hidden bit of 0 it must be 0.
    pub exponent_less_one: Signal<'m>,
}

/// Normalises a fixed-point magnitude whose least significant bit weighs `2^-point`, `point >= 24`, to a binary16
/// exponent range: values below `2^-14` keep the exponent of the subnormals.
#[track_caller]
pub fn normalise_fixed<'m>(magnitude: Signal<'m>, point: u32) -> Normalised<'m> {
    let scope = magnitude.scope();
    // A leading one at or above the position of 2^-14 makes a normal number.
    let smallest_normal = point - 14;
    let above = magnitude.bits_from(smallest_normal);
    let (count, none) = leading_zeros("u_leading_zeros", above);
    let most = u64::from(above.width() - 1);
    let shift = none.mux(most, count).named("norm_shift");
    Normalised { window: magnitude.shl(shift), exponent_less_one: scope.lit(most, shift.width()) - shift }
}

/// Rounds and packs: 16 bits. An exponent that does not fit, before or after rounding, gives infinity.
#[track_caller]
pub fn round_pack<'m>(sign: Signal<'m>, value: Normalised<'m>, special: Special<'m>) -> Signal<'m> {
    let scope = sign.scope();
    let window = value.window.named("round_window");
    let below = window.width() - 12;
    let significand = window.bits_from(below + 1);
    let guard = window.bit(below);
    let sticky = window.trunc(below).any();
    let up = (guard & (sticky | significand.bit(0))).named("round_up");

    // One addition does it all: the hidden bit steps the exponent, a carry out of the mantissa does so too.
    let width = value.exponent_less_one.width() + 11;
    let biased = value.exponent_less_one.append_zeros(10).zext(width);
    let rounded = (biased + significand.zext(width) + up.zext(width)).named("rounded");
    let overflow = rounded.bits_from(10).ge(31).named("overflow");
    let infinity = scope.lit(0x7C00, 15);
    let finite = (overflow | special.inf).mux(infinity, rounded.trunc(15));
    let nan = scope.lit(NAN, 16);
    special.nan.mux(nan, scope.cat(&[sign, finite]))
}

/// Magnitude and sign of a two's complement number; the magnitude has the same width.
#[track_caller]
pub fn sign_magnitude<'m>(value: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let sign = value.msb();
    let magnitude = (value ^ sign.repeat(value.width())) + sign.zext(value.width());
    (sign, magnitude)
}

/// Number of ones, `ceil(log2(count + 1))` bits.
#[track_caller]
pub fn popcount<'m>(scope: &'m Scope, bits: &[Signal<'m>]) -> Signal<'m> {
    match bits {
        [] => scope.zeros(1),
        [one] => *one,
        _ => {
            let (low, high) = bits.split_at(bits.len() / 2);
            let sum = popcount(scope, low).add_full(popcount(scope, high));
            sum.trunc(Scope::index_width(bits.len() as u32 + 1).min(sum.width()))
        }
    }
}
