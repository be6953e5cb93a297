//! What a PE holds and sees: 32 bits, either four INT8 values or one FP16 value taken apart.
//!
//! FP16 values are taken apart once, where they enter the array, and not in every PE they pass. Byte `i` is the factor
//! of multiplier `i`: an INT8 value, or one half of the signed significand in the low 6 bits. Exponent and flags travel
//! in the 2 bits above each half.

use super::arith::fp16::{self, Fp16};
use super::var;
use crate::hdl::{Scope, Signal};

/// Bits of an operand.
pub const BITS: u32 = 32;

/// Bits between PEs.
pub fn bits() -> u32 {
    if var("split48") { 34 } else { 32 }
}

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
    pub sign: Signal<'m>,
}

/// The factor of multiplier `i`, 8 bits signed.
pub fn factor<'m>(operand: Signal<'m>, side: Side, i: u32, int8: Signal<'m>) -> Signal<'m> {
    if var("in_pe") {
        let dead = !operand.bit(16);
        let apart = take_apart(fp16::unpack(&format!("f{i}"), operand.trunc(16)), dead, side);
        let half = apart.slice(8 * i, 8).trunc(HALF);
        return int8.mux(operand.slice(8 * i, 8), if side.is_high(i) { half.sext(8) } else { half.zext(8) });
    }
    let byte = operand.slice(8 * i, 8);
    if var("split48") {
        return if side.is_high(i) { int8.mux(byte, byte.trunc(5).sext(8)) } else { byte };
    }
    if var("split56") {
        let half = if side.is_high(i) { 5 } else { 6 };
        return operand.scope().cat(&[byte.bits_from(half).gate(int8), byte.trunc(half)]);
    }
    let half = byte.trunc(HALF);
    int8.mux(byte, if side.is_high(i) { half.sext(8) } else { half.zext(8) })
}

/// Exponent and flags of an FP16 operand; `name` starts the name of the bits they lie in.
pub fn fields<'m>(name: &str, operand: Signal<'m>, side: Side) -> Fields<'m> {
    let s = operand.scope();
    if var("in_pe") {
        let dead = !operand.bit(16);
        let v = fp16::unpack(name, operand.trunc(16));
        return Fields { exponent: v.exponent, zero: v.zero & !dead, special: v.inf | v.nan, variant: v.nan | dead, sign: v.sign };
    }
    if var("split48") || var("split56") {
        let n = |i: u32| match (var("split48"), side.is_high(i)) { (true, true) => 5, (true, false) => 8, (false, true) => 5, (false, false) => 6 };
        let mut free: Vec<Signal> = (0..4).filter(|&i| n(i) < 8).map(|i| operand.slice(8 * i, 8).bits_from(n(i))).collect();
        if var("split48") { free.push(operand.bits_from(32)); }
        let f = s.pack(&free).named(&format!("{name}_free"));
        return Fields { exponent: f.trunc(5), zero: f.bit(5), special: f.bit(6), variant: f.bit(7), sign: if var("split56") { f.bit(8) } else { s.low() } };
    }
    let free: Vec<Signal> = (0..4).map(|i| operand.slice(8 * i + HALF, 8 - HALF)).collect();
    let free = operand.scope().pack(&free).named(&format!("{name}_free"));
    Fields { exponent: free.trunc(5), zero: free.bit(5), special: free.bit(6), variant: free.bit(7), sign: s.low() }
}

/// An FP16 value as an operand: the inverse of [`fields`] and [`factor`].
fn take_apart<'m>(value: Fp16<'m>, dead: Signal<'m>, side: Side) -> Signal<'m> {
    let scope = dead.scope();
    if var("split56") {
        let f = scope.pack(&[value.exponent, value.zero & !dead, value.inf | value.nan, value.nan | dead, value.sign, scope.low()]);
        let mut used = 0;
        let bytes: Vec<Signal> = (0..4).map(|i| {
            let bits = if side.is_high(i) { 5 } else { 6 };
            let half = if bits == 5 { value.significand.bits_from(6) } else { value.significand.trunc(6) };
            used += 8 - bits;
            scope.cat(&[f.slice(used - (8 - bits), 8 - bits), half])
        }).collect();
        return scope.pack(&bytes);
    }
    if var("split48") {
        let f = scope.pack(&[value.exponent, value.zero & !dead, value.inf | value.nan, value.nan | dead]);
        let sig = value.signed_significand();
        let high = sig.bits_from(8).sext(5) + sig.bit(7).zext(5);
        let mut used = 0;
        let mut bytes: Vec<Signal> = (0..4).map(|i| {
            if side.is_high(i) { used += 3; scope.cat(&[f.slice(used - 3, 3), high]) } else { sig.trunc(8) }
        }).collect();
        bytes.push(f.slice(6, 2));
        return scope.pack(&bytes);
    }
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
    if var("in_pe") {
        m.output("operand", int8.mux(int8_in, m.cat(&[!dead, value]).zext(32)).reg("operand_q"));
        return;
    }
    let apart = take_apart(fp16::unpack("fp16", value.named("value")), dead, side).named("apart");
    let int8_in = int8_in.zext(bits());
    m.output("operand", int8.mux(int8_in, apart).reg("operand_q"));
}
