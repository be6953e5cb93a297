//! What a PE holds and sees: 32 bits, either four INT8 values or one FP16 value taken apart.
//!
//! FP16 values are taken apart once, where they enter the array, and not in every PE they pass. Byte `i` is the factor
//! of multiplier `i`: an INT8 value, or one half of the signed significand in the low 6 bits. Exponent and flags travel
//! in the 2 bits above each half.

use super::arith::fp16::{self, Fp16};
use crate::hdl::{Scope, Signal};

/// Bits of an operand.
pub const BITS: u32 = 32;

/// Bits of half a signed significand: the high one signed, the low one unsigned.
pub const HALF: u32 = fp16::SIGNED / 2;

/// Which side of the products an operand is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Passes through the array.
    Streaming,
    /// Stays in a PE.
    Stationary,
}

impl Side {
    /// Name of the module of [`operand`].
    pub fn module(self) -> &'static str {
        match self {
            Side::Streaming => "eva_streaming_operand",
            Side::Stationary => "eva_stationary_operand",
        }
    }

    /// Whether multiplier `i` takes the high half of this operand: together with the other side all four pairs of halves,
    /// high times high first, low times low last.
    fn is_high(self, i: u32) -> bool {
        match self {
            Side::Streaming => i < 2,
            Side::Stationary => i.is_multiple_of(2),
        }
    }
}

/// What an FP16 operand says beside its significand. For a value that is neither zero nor special all flags are 0.
#[derive(Clone, Copy)]
pub struct Fields<'m> {
    /// As in [`Fp16`].
    pub exponent: Signal<'m>,
    /// Zero, of which `0 * infinity` is made.
    pub zero: Signal<'m>,
    /// Infinity or NaN.
    pub special: Signal<'m>,
    /// Of a special value: it is NaN. Otherwise: a dead operand, no product with it raises a flag.
    pub variant: Signal<'m>,
}

/// The factor of multiplier `i`, 8 bits signed.
pub fn factor<'m>(operand: Signal<'m>, side: Side, i: u32, int8: Signal<'m>) -> Signal<'m> {
    let byte = operand.slice(8 * i, 8);
    let half = byte.trunc(HALF);
    int8.mux(byte, if side.is_high(i) { half.sext(8) } else { half.zext(8) })
}

/// Exponent and flags of an FP16 operand; `name` starts the name of the bits they lie in.
pub fn fields<'m>(name: &str, operand: Signal<'m>) -> Fields<'m> {
    let free: Vec<Signal> = (0..4).map(|i| operand.slice(8 * i + HALF, 8 - HALF)).collect();
    let free = operand.scope().pack(&free).named(&format!("{name}_free"));
    Fields { exponent: free.trunc(5), zero: free.bit(5), special: free.bit(6), variant: free.bit(7) }
}

/// An FP16 value as an operand: the inverse of [`fields`] and [`factor`].
fn take_apart<'m>(value: Fp16<'m>, dead: Signal<'m>, side: Side) -> Signal<'m> {
    let scope = dead.scope();
    let signed = value.signed_significand();
    let free = scope.pack(&[value.exponent, value.zero & !dead, value.special, value.nan | dead]).named("free");
    let free = free.split(8 - HALF);
    let half = |i: u32| if side.is_high(i) { signed.bits_from(HALF) } else { signed.trunc(HALF) };
    let bytes: Vec<Signal> = free.into_iter().zip(0..).map(|(free, i)| scope.cat(&[free, half(i)])).collect();
    scope.pack(&bytes)
}

/// Describes the register in which an operand enters the array: `int8_in`, or with `int8` = 0 the FP16 value `fp16_in`
/// taken apart. Latency 1 cycle. A stationary operand that is not `live` is zero and dead.
pub fn operand(m: &Scope, side: Side) {
    m.doc("Operand register: four INT8 values, or an FP16 value taken apart into the factors of four multipliers.");
    let int8 = m.input("int8", 1);
    let int8_in = m.input("int8_in", BITS);
    let fp16_in = m.input("fp16_in", 16);
    let (value, dead) = match side {
        Side::Streaming => (fp16_in, m.low()),
        Side::Stationary => {
            let live = m.input("live", 1);
            (fp16_in.gate(live), !live)
        }
    };
    let apart = take_apart(fp16::unpack("fp16", value.named("value")), dead, side).named("apart");
    m.output("operand", int8.mux(int8_in, apart).reg("operand_q"));
}
