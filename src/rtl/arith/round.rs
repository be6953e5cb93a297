//! Rounding of exact values to binary16: round to nearest, ties to even (IEEE 754-2019, 4.3.1).

use super::fp16::SIGNIFICAND;
use crate::bundle;
use crate::hdl::Signal;
use crate::hdl::lib::priority::leading_zeros;

/// The only NaN that the hardware produces.
const NAN: u64 = 0x7E00;

/// Bits that decide the result beside the sticky bit: significand and guard.
pub const WINDOW: u32 = SIGNIFICAND + 1;

/// Flags that travel beside a finite value and override it.
#[derive(Clone, Copy)]
pub struct Special<'m> {
    /// 1 bit: the result is not a number.
    pub nan: Signal<'m>,
    /// 1 bit: the result is infinite.
    pub inf: Signal<'m>,
}

bundle! {
    /// A magnitude on its way to binary16: `window` (significand with hidden bit, and guard bit) with everything below it
    /// in `sticky`, plus one unit of the guard bit if `one`, which excludes `sticky`. `exponent_less_one`: biased, unsigned; with a
    /// hidden bit of 0 it must be 0.
    pub Normalised { window, sticky, one, exponent_less_one }
}

/// Normalises the magnitude of a two's complement fixed-point number whose least significant bit weighs `2^-point`,
/// `point >= 24`, to a binary16 exponent range: values below `2^-14` keep the exponent of the subnormals.
///
/// A negative number is inverted only, which is one unit short of its magnitude. That unit reaches the window only if
/// everything below the window is zero, and otherwise leaves the sticky bit as it is.
#[track_caller]
pub fn normalise_fixed<'m>(value: Signal<'m>, point: u32) -> Normalised<Signal<'m>> {
    let scope = value.scope();
    let sign = value.msb();
    // A leading one at or above the position of 2^-14 makes a normal number.
    let above = value.bits_from(point - 14);
    let above = (above ^ sign.repeat(above.width())).named("above");
    let (count, none) = leading_zeros("u_leading_zeros", above);
    let most = u64::from(above.width() - 1);
    let shift = none.mux(most, count).named("norm_shift");
    let (window, sticky) = shift_out(value, shift);
    Normalised {
        window: (window ^ sign.repeat(WINDOW)).named("window"),
        sticky,
        one: (sign & !sticky).named("one"),
        exponent_less_one: scope.lit(most, shift.width()) - shift,
    }
}

/// The top [`WINDOW`] bits of `value << shift`, and whether any bit below them is 1. What can no longer reach the window
/// is dropped after each stage of the shifter.
fn shift_out<'m>(value: Signal<'m>, shift: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let scope = value.scope();
    let (mut rest, mut dropped) = (value, Vec::new());
    for stage in (0..shift.width()).rev() {
        let (by, take) = (1 << stage, shift.bit(stage));
        let kept = (WINDOW + by - 1).min(rest.width());
        let below = rest.width() - kept;
        if below > by {
            dropped.push(rest.trunc(below - by).any());
        }
        if below > 0 {
            dropped.push(rest.trunc(below).bits_from(below.saturating_sub(by)).any() & !take);
        }
        let shifted = match below.checked_sub(by) {
            Some(lo) => rest.slice(lo, kept),
            None => rest.trunc(rest.width() - by).append_zeros(by - below),
        };
        rest = take.mux(shifted, rest.bits_from(below)).named(&format!("shifted{by}"));
    }
    (rest, scope.pack(&dropped).named("dropped").any().named("sticky"))
}

/// Rounds and packs: 16 bits. An exponent that does not fit, before or after rounding, gives infinity.
#[track_caller]
pub fn round_pack<'m>(sign: Signal<'m>, value: Normalised<Signal<'m>>, special: Special<'m>) -> Signal<'m> {
    let scope = sign.scope();
    let (guard, significand) = (value.window.bit(0), value.window.bits_from(1));
    let odd = significand.bit(0);
    // With `one`, a guard bit of 1 carries into the significand, and one of 0 makes a tie.
    let up = value.one.mux(guard | odd, guard & (value.sticky | odd)).named("round_up");

    // One addition does it all: the hidden bit steps the exponent, a carry out of the mantissa does so too.
    let width = value.exponent_less_one.width() + 11;
    let biased = value.exponent_less_one.append_zeros(10).zext(width);
    let rounded = (biased + significand.zext(width) + up.zext(width)).named("rounded");
    let overflow = rounded.bits_from(10).ge(31).named("overflow");
    let infinity = scope.lit(0x7C00, 15);
    let finite = (overflow | special.inf).mux(infinity, rounded.trunc(15)).named("finite");
    let nan = scope.lit(NAN, 16);
    special.nan.mux(nan, scope.cat(&[sign, finite]))
}
