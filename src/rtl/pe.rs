//! The mixed processing element: four INT8 products, or one FP16 product from the same four multipliers.

use super::arith::fp16;
use super::operand::{self, HALF, Side};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Scope, Signal};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_pe";

/// Bits of an exact product of two signed significands.
pub const PRODUCT: u32 = 2 * fp16::SIGNIFICAND + 1;

/// Bits of the sum of two biased exponents.
pub const EXPONENT_SUM: u32 = 6;

/// The exponent sum at which a product is not shifted: that of two subnormals.
pub const UNSHIFTED: u64 = 2;

bundle! {
    /// An exact product of two binary16 values: `value * 2^(exponent - 50)`, `value` two's complement, or the flags. An
    /// infinity has the sign of `value`. In INT8 mode `value` is the sum of four products, and `exponent` [`UNSHIFTED`].
    pub Product { value, exponent, nan, inf }
}

/// Widths of a product.
pub fn product_widths() -> Product<u32> {
    Product { value: PRODUCT, exponent: EXPONENT_SUM, nan: 1, inf: 1 }
}

/// Describes a PE: a stationary operand `x`, a streaming operand `w` (see [`operand`]), and their exact product, or with
/// `int8` the sum of the four products of their bytes.
///
/// `w_in` appears on `w_out`, for the PE below, one cycle later; `x_in` becomes the stationary operand one cycle after
/// `load`. The product of the two operands held leaves `pipeline.pe` cycles later. In INT8 mode the flags mean nothing.
pub fn pe(m: &Scope, cfg: &CoreConfig) {
    m.doc("Processing element: an exact FP16 product, or the sum of four INT8 products, on the same four multipliers.");
    m.param("pipeline.pe", cfg.pipeline.pe);
    let w_in = m.input("w_in", operand::BITS);
    let x_in = m.input("x_in", operand::BITS);
    let load = m.input("load", 1);
    let int8 = m.input("int8", 1).reg("int8_q");

    let w = w_in.reg("w");
    let x = x_in.reg_en("x", load);
    m.output("w_out", w);

    // Register stages: behind the sum of the four products, and behind each of them.
    let stages = cfg.pipeline.pe;
    let after_products = u32::from(stages >= 2);
    let after_sum = stages - after_products;
    let value = multiply(m, w, x, int8, after_products).named("product").pipe("product", after_sum);
    let (a, b) = (operand::fields("w", w), operand::fields("x", x));
    hw! {
        exponent = a.exponent.add_full(b.exponent);
        raised = b.special | !b.variant;
        nan = (a.special & (a.variant | b.zero)) | (b.special & (b.variant | a.zero));
        inf = a.special | b.special;
    }
    let exponent = int8.mux(UNSHIFTED, exponent).pipe("exponent", stages);
    let (nan, inf) = ((nan & raised).pipe("nan", stages), (inf & raised).pipe("inf", stages));
    m.outputs("p", Product { value, exponent, nan, inf });
}

/// Four signed products of 8 x 8 bits, each with registers behind it, added at equal weights (INT8), or at those of the
/// halves of two significands.
fn multiply<'m>(m: &'m Scope, w: Signal<'m>, x: Signal<'m>, int8: Signal<'m>, registers: u32) -> Signal<'m> {
    let product = |i, name| {
        let w = operand::factor(w, Side::Streaming, i, int8).named(&format!("w{i}"));
        let x = operand::factor(x, Side::Stationary, i, int8).named(&format!("x{i}"));
        w.mul_signed(x).named(name).pipe(name, registers)
    };
    let [mul_hh, mul_hl] = [product(0, "mul_hh"), product(1, "mul_hl")];
    let [mul_lh, mul_ll] = [product(2, "mul_lh"), product(3, "mul_ll")];
    hw! {
        inner = mul_hl.add_full_signed(mul_lh);
    }
    // Low halves are not negative, so their product stands below that of the high halves without touching it.
    let side_by_side = m.cat(&[mul_hh.trunc(PRODUCT - 2 * HALF), mul_ll.trunc(2 * HALF)]);
    hw! {
        outer = int8.mux(mul_hh.sext(PRODUCT), side_by_side);
        extra = mul_ll.sext(PRODUCT).gate(int8);
        placed = int8.mux(inner.sext(PRODUCT), inner.append_zeros(HALF));
    }
    outer + extra + placed
}
