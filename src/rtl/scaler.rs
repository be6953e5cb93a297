//! The scaling stage: the finished sum times the scale of its output, rounded once.

use super::accumulator;
use super::arith::fp16;
use super::arith::round::{Normalised, Special, WINDOW, round_pack};
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::lib::priority::leading_zeros;
use crate::hdl::{Bits, Scope, Signal};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_scaler";

/// Bits of a binary32 significand with its hidden bit.
const SIGNIFICAND32: u32 = 24;

/// Bits of exponents here, two's complement: biased for binary16 they lie between -158 and 179, for any scale and any
/// accumulator.
const EXPONENT: u32 = 9;

/// A scale taken apart: `(-1)^sign * significand * 2^(exponent - 150)`, whatever its format.
struct Scale<'m> {
    sign: Signal<'m>,
    exponent: Signal<'m>,
    significand: Signal<'m>,
    zero: Signal<'m>,
    inf: Signal<'m>,
    nan: Signal<'m>,
}

/// Cycles from sum and scale to the output.
pub fn latency(cfg: &CoreConfig) -> u32 {
    cfg.pipeline.scale
}

/// Describes the scaling stage. `y` = `RNE16(sum * scale)` follows sum and scale by [`latency`] cycles.
///
/// The sum is in units of 2^-24, or with `int8` of 1. `scale` is FP32, or with `fp32` = 0 an FP16 value in its low half. A product that is exactly zero gives +0.
pub fn scaler(m: &Scope, cfg: &CoreConfig) {
    let stages = cfg.pipeline.scale;
    m.doc("Scaling stage: exact sum times scale, rounded once to FP16.");
    m.param("acc_bits", cfg.acc_bits());
    m.param("pipeline.scale", stages);
    let sum = m.inputs("sum", accumulator::result_widths(cfg));
    let bits = m.input("scale", 32);
    let fp32 = m.input("fp32", 1);
    let int8 = m.input("int8", 1);

    // Register stages, in the order in which they come: behind the inputs, the parts of the product, the product, and
    // normalisation.
    let after_inputs = u32::from(stages >= 3);
    let after_parts = u32::from(stages >= 5);
    let after_product = u32::from(stages >= 2);
    let after_normalise = u32::from(stages >= 4);

    let scale = unpack_scale(m, bits, fp32);
    hw! {
        sum_inf = sum.inf_plus | sum.inf_minus;
        sum_zero = sum.value.is_zero() & !sum_inf;
        nan = sum.nan | (sum.inf_plus & sum.inf_minus) | scale.nan | (sum_inf & scale.zero) | (scale.inf & sum_zero);
        inf = sum_inf | scale.inf;
        zero = sum_zero | scale.zero;
        sign = (sum_inf.mux(sum.inf_minus, sum.value.msb()) ^ scale.sign) & (inf | !zero);
    }

    let to_end = stages - 1;
    let significand = scale.significand.pipe("scale_sig", after_inputs);
    let value = sum.value.pipe("sum", after_inputs);
    // One bit more than the magnitude, as the significand is not negative.
    let product = match after_parts {
        0 => value.mul_signed(significand.zext(SIGNIFICAND32 + 1)).trunc(cfg.acc_bits() + SIGNIFICAND32),
        _ => multiply_in_parts(m, value, significand),
    };
    let product = product.named("product").pipe("product", after_product);
    let to_product = after_inputs + after_parts + after_product;
    let zero = zero.pipe("zero", to_product);

    // A negative product is inverted only, which is one unit short of its magnitude: rounding adds what of it reaches
    // the window.
    let below = product.trunc(product.width() - 1);
    let inverted = (below ^ product.msb().repeat(below.width())).named("inverted");
    let (count, none) = leading_zeros("u_leading_zeros", inverted);
    let most = u64::from(below.width() - 1);
    let count = none.mux(most, count).named("product_lz");
    let shifted = below.shl(count).named("shifted");
    let tail = shifted.width() - WINDOW;
    let window = m.cat(&[product.msb(), shifted.bits_from(tail), shifted.trunc(tail).any()]);

    // The biased exponent of the result less one: that of the highest bit, less the zeros above the leading one. Its
    // negative is by how much a result is too small to be normal.
    let top = i128::from(most) - 174 + 15 - 1;
    let constant = |value| m.bits(Bits::from_i128(value, EXPONENT));
    let highest = (scale.exponent.zext(EXPONENT) + int8.mux(constant(top + 24), constant(top))).named("highest");
    let highest = highest.pipe("highest", to_product);
    let count = count.zext(EXPONENT);
    let deficit = (count - highest).named("deficit");
    let subnormal = (!deficit.msb() & deficit.any()).named("subnormal");
    let exponent_less_one = (highest - count).trunc(EXPONENT - 1).gate(!subnormal & !zero);
    // As soon as everything is below the guard bit, more places change nothing.
    let places = deficit.sat(Scope::index_width(window.width())).gate(subnormal).named("places");

    let window = window.pipe("window", after_normalise);
    let places = places.pipe("places", after_normalise);
    let exponent_less_one = exponent_less_one.named("exponent").pipe("exponent", after_normalise);

    let (negative, width) = (window.msb(), window.width() - 1);
    let wide = window.append_zeros(width).shr_signed(places).named("denormal");
    let (kept, dropped) = (wide.slice(2 * width - WINDOW, WINDOW), wide.trunc(2 * width - WINDOW));
    let sticky = dropped.any().named("sticky");
    let value =
        Normalised { window: kept ^ negative.repeat(WINDOW), sticky, one: negative & !sticky, exponent_less_one };
    let special = Special { nan: nan.pipe("nan", to_end), inf: inf.pipe("inf", to_end) };
    m.output("y", round_pack(sign.pipe("sign", to_end), value, special).reg("y_q"));
}

/// A product of a signed and an unsigned factor, with a register behind those with each byte of the latter.
fn multiply_in_parts<'m>(m: &'m Scope, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let parts = b.split(8).into_iter().zip(0u32..).map(|(byte, place)| {
        let part = a.mul_signed(byte.zext(9)).trunc(a.width() + 8).named(&format!("product{place}"));
        part.reg(&format!("product{place}_q")).append_zeros(8 * place).sext(a.width() + b.width())
    });
    let (partial, carry) = csa::reduce(m, &parts.collect::<Vec<_>>());
    partial + carry
}

/// Takes a scale apart, FP32 or, with `fp32` = 0, FP16 in the low half.
fn unpack_scale<'m>(m: &'m Scope, bits: Signal<'m>, fp32: Signal<'m>) -> Scale<'m> {
    let half = fp16::unpack("half", bits.trunc(16));
    let (field, mantissa) = (bits.slice(23, 8), bits.trunc(23));
    hw! {
        normal = field.any();
        special = field.all();
        fraction = mantissa.any();
    }
    let exponent = m.cat(&[field.bits_from(1), field.bit(0) | !normal]);
    Scale {
        sign: fp32.mux(bits.bit(31), half.sign),
        // 2^(e - 25) is 2^(e + 125 - 150).
        exponent: fp32.mux(exponent, half.exponent.zext(8) + 125).named("scale_exp"),
        significand: fp32.mux(m.cat(&[normal, mantissa]), half.significand.zext(SIGNIFICAND32)).named("scale_sig"),
        zero: fp32.mux(!(normal | fraction), half.zero),
        inf: fp32.mux(special & !fraction, half.inf),
        nan: fp32.mux(special & fraction, half.nan),
    }
}
