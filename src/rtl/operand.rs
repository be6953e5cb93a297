//! What a PE holds and sees: 32 bits, either four INT8 values or one FP16 value taken apart.
//!
//! FP16 values are taken apart once, where they enter the array, and not in every PE they pass. Byte `i` is the factor
//! of multiplier `i`: an INT8 value, or one half of a significand, 5 bits high or 6 bits low, which leaves the top bits
//! of the byte free. Sign, exponent and flags travel there.

use super::arith::fp16::{self, Fp16};
use crate::hdl::{Scope, Signal};

/// Bits of an operand.
pub const BITS: u32 = 32;

/// Bits of the low half of a significand.
pub const LOW: u32 = 6;

/// Bits of the high half of a significand.
pub const HIGH: u32 = fp16::SIGNIFICAND - LOW;

/// Which side of the products an operand is on: which half of its significand each multiplier takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Passes through the array: high, high, low, low.
    Streaming,
    /// Stays in a PE: high, low, high, low.
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

    /// Bits of the half of the significand in byte `i`.
    pub fn half_bits(self, i: u32) -> u32 {
        let high = match self {
            Side::Streaming => i < 2,
            Side::Stationary => i.is_multiple_of(2),
        };
        if high { HIGH } else { LOW }
    }
}

/// An FP16 operand put back together from its 32 bits.
#[derive(Clone, Copy)]
pub struct Fields<'m> {
    pub sign: Signal<'m>,
    /// As in [`Fp16`].
    pub exponent: Signal<'m>,
    pub zero: Signal<'m>,
    pub inf: Signal<'m>,
    pub nan: Signal<'m>,
    /// 0: whatever this is multiplied by, no flag is raised.
    pub live: Signal<'m>,
}

/// The factor of multiplier `i`, 8 bits signed. The free bits of an FP16 operand do not belong to it.
pub fn factor<'m>(operand: Signal<'m>, side: Side, i: u32, int8: Signal<'m>) -> Signal<'m> {
    let byte = operand.slice(8 * i, 8);
    let half = side.half_bits(i);
    operand.scope().cat(&[byte.bits_from(half).gate(int8), byte.trunc(half)])
}

/// Sign, exponent and flags of an FP16 operand.
pub fn fields<'m>(operand: Signal<'m>, side: Side) -> Fields<'m> {
    let free: Vec<Signal> = (0..4).map(|i| operand.slice(8 * i, 8).bits_from(side.half_bits(i))).collect();
    let free = operand.scope().pack(&free);
    Fields {
        exponent: free.trunc(5),
        sign: free.bit(5),
        zero: free.bit(6),
        inf: free.bit(7),
        nan: free.bit(8),
        live: free.bit(9),
    }
}

/// An FP16 value as an operand: the inverse of [`fields`] and [`factor`].
fn take_apart<'m>(value: Fp16<'m>, live: Signal<'m>, side: Side) -> Signal<'m> {
    let scope = live.scope();
    let free = scope.pack(&[value.exponent, value.sign, value.zero, value.inf, value.nan, live]);
    let mut used = 0;
    let bytes: Vec<Signal> = (0..4)
        .map(|i| {
            let bits = side.half_bits(i);
            let half = if bits == HIGH { value.significand.bits_from(LOW) } else { value.significand.trunc(LOW) };
            used += 8 - bits;
            scope.cat(&[free.slice(used - (8 - bits), 8 - bits), half])
        })
        .collect();
    scope.pack(&bytes)
}

/// Describes the register in which an operand enters the array: `int8_in`, or with `int8` = 0 the FP16 value `fp16_in`
/// taken apart. Latency 1 cycle. A stationary operand that is not `live` is zero and raises no flag.
pub fn operand(m: &Scope, side: Side) {
    m.doc("Operand register: four INT8 values, or an FP16 value taken apart into the factors of four multipliers.");
    let int8 = m.input("int8", 1);
    let int8_in = m.input("int8_in", BITS);
    let fp16_in = m.input("fp16_in", 16);
    let (value, live) = match side {
        Side::Streaming => (fp16_in, m.high()),
        Side::Stationary => {
            let live = m.input("live", 1);
            (fp16_in.gate(live), live)
        }
    };
    let apart = take_apart(fp16::unpack("fp16", value), live, side);
    m.output("operand", int8.mux(int8_in, apart).reg("operand_q"));
}
