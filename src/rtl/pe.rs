//! The mixed processing element, FP16 mode.

use super::arith::fp16;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Bundle, Scope, Signal};
use crate::hw;

pub const NAME: &str = "eva_pe";

/// Bits of an exact product of two significands.
pub const PRODUCT: u32 = 2 * fp16::SIGNIFICAND;

/// Bits of the sum of two biased exponents.
pub const EXPONENT_SUM: u32 = 6;

bundle! {
    /// An exact product of two binary16 values: `(-1)^sign * magnitude * 2^(exponent - 50)`, or the flags.
    pub Product { magnitude, exponent, sign, nan, inf }
}

/// Widths of a product.
pub fn product_widths() -> Product<u32> {
    Product { magnitude: PRODUCT, exponent: EXPONENT_SUM, sign: 1, nan: 1, inf: 1 }
}

/// Describes a PE: a stationary operand `x`, a streaming operand `w`, and their exact product.
///
/// `w_in` appears on `w_out`, for the PE below, one cycle later; `x_in` becomes the stationary operand one cycle after
/// `load`. The product of the two operands held leaves `pipeline.pe` cycles later. While `live` is 0 the product raises
/// no flag.
///
/// The significands are split in two, so that four signed multipliers of 8 x 8 bits form the product.
pub fn pe(m: &Scope, cfg: &CoreConfig) {
    m.doc("Processing element: stationary operand times streaming operand, both FP16, as an exact product.");
    m.param("pipeline.pe", cfg.pipeline.pe);
    let w_in = m.input("w_in", 16);
    let x_in = m.input("x_in", 16);
    let load = m.input("load", 1);
    let live = m.input("live", 1);

    let w = w_in.reg("w");
    let x = x_in.reg_en("x", load);
    m.output("w_out", w);

    let a = fp16::unpack("w", w);
    let b = fp16::unpack("x", x);
    let magnitude = multiply(m, a.significand.named("w_sig"), b.significand.named("x_sig"));
    let nan = (a.nan | b.nan | (a.inf & b.zero) | (b.inf & a.zero)) & live;
    let product = Product {
        magnitude,
        exponent: a.exponent.add_full(b.exponent),
        sign: a.sign ^ b.sign,
        nan,
        inf: (a.inf | b.inf) & live,
    };
    let stages = cfg.pipeline.pe;
    m.outputs("p", product.map(|name, s| s.pipe(name, stages)));
}

/// Exact product of two 11-bit significands from four signed 8 x 8 multipliers.
fn multiply<'m>(m: &'m Scope, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    const LOW: u32 = 6;
    let halves = |s: Signal<'m>| (s.bits_from(LOW).zext(8), s.trunc(LOW).zext(8));
    let ((ah, al), (bh, bl)) = (halves(a), halves(b));
    let high = fp16::SIGNIFICAND - LOW;
    // The factors are not negative, so the low bits of each signed product hold all of it.
    hw! {
        mul_hh = ah.mul_signed(bh);
        mul_hl = ah.mul_signed(bl);
        mul_lh = al.mul_signed(bh);
        mul_ll = al.mul_signed(bl);
    }
    let outer = m.cat(&[mul_hh.trunc(2 * high), mul_ll.trunc(2 * LOW)]);
    let inner = mul_hl.trunc(high + LOW).add_full(mul_lh.trunc(high + LOW));
    outer + inner.append_zeros(LOW).zext(PRODUCT)
}
