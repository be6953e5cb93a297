//! IEEE 754 binary16 operands.

use crate::hdl::Signal;

/// Bits of a significand with its hidden bit.
pub const SIGNIFICAND: u32 = 11;

/// Bits of a significand with its sign, two's complement.
pub const SIGNED: u32 = SIGNIFICAND + 1;

/// A binary16 value taken apart. A finite value is `(-1)^sign * significand * 2^(exponent - 25)`.
#[derive(Clone, Copy)]
pub struct Fp16<'m> {
    /// 1 bit: negative.
    pub sign: Signal<'m>,
    /// 5 bits: the biased exponent, 1 for subnormals as for the smallest normals; 31 for infinities and NaN.
    pub exponent: Signal<'m>,
    /// 11 bits, the hidden one included.
    pub significand: Signal<'m>,
    /// 1 bit: plus or minus zero.
    pub zero: Signal<'m>,
    /// Infinity or NaN.
    pub special: Signal<'m>,
    /// 1 bit: plus or minus infinity.
    pub inf: Signal<'m>,
    /// 1 bit: not a number.
    pub nan: Signal<'m>,
}

impl<'m> Fp16<'m> {
    /// The significand with its sign, [`SIGNED`] bits.
    #[track_caller]
    pub fn signed_significand(self) -> Signal<'m> {
        let positive = self.significand.zext(SIGNED);
        self.sign.mux(positive.neg(), positive).named("signed_sig")
    }
}

/// Takes a 16-bit signal apart; `name` prefixes the names of its parts.
#[track_caller]
pub fn unpack<'m>(name: &str, bits: Signal<'m>) -> Fp16<'m> {
    let part = |signal: Signal<'m>, what: &str| signal.named(&format!("{name}_{what}"));
    let field = part(bits.slice(10, 5), "exp");
    let mantissa = part(bits.trunc(10), "man");
    let normal = part(field.any(), "normal");
    let special = part(field.all(), "special");
    let fraction = part(mantissa.any(), "fraction");
    Fp16 {
        sign: bits.bit(15),
        exponent: bits.scope().cat(&[field.bits_from(1), field.bit(0) | !normal]),
        significand: bits.scope().cat(&[normal, mantissa]),
        zero: !(normal | fraction),
        special,
        inf: special & !fraction,
        nan: special & fraction,
    }
}
