//! The scaling stage: the finished sum times the scale of its output, rounded once.

use super::accumulator;
use super::arith::fp16;
use super::arith::round::{Normalised, Special, WINDOW, round_pack, sign_magnitude};
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

    // Register stages, in the order in which they come: behind the product, the magnitude, normalisation, and the parts
    // of the product.
    let after_product = u32::from(stages >= 2);
    let after_magnitude = u32::from(stages >= 3);
    let after_normalise = u32::from(stages >= 4);
    let after_parts = u32::from(stages >= 5);

    let scale = unpack_scale(m, bits, fp32);
    let (sum_sign, magnitude) = sign_magnitude(sum.value);
    hw! {
        sum_inf = sum.inf_plus | sum.inf_minus;
        sum_zero = sum.value.is_zero() & !sum_inf;
        nan = sum.nan | (sum.inf_plus & sum.inf_minus) | scale.nan | (sum_inf & scale.zero) | (scale.inf & sum_zero);
        inf = sum_inf | scale.inf;
        zero = sum_zero | scale.zero;
        sign = (sum_inf.mux(sum.inf_minus, sum_sign) ^ scale.sign) & (inf | !zero);
    }

    let to_end = stages - 1;
    let significand = scale.significand.pipe("scale_sig", after_magnitude);
    let magnitude = magnitude.named("magnitude").pipe("magnitude", after_magnitude);
    let product = match after_parts {
        0 => magnitude.mul(significand),
        _ => multiply_in_parts(m, magnitude, significand),
    };
    let product = product.named("product").pipe("product", after_product);
    let to_product = after_magnitude + after_parts + after_product;
    let zero = zero.pipe("zero", to_product);
    let scale_exponent = scale.exponent.pipe("scale_exp", to_product);

    // The leading one of the product, and the biased exponent of the result that it means.
    let (count, _) = leading_zeros("u_leading_zeros", product);
    let count = count.named("product_lz");
    let top = i128::from(product.width()) - 1 - 174 + 15;
    let constant = |value| m.bits(Bits::from_i128(value, EXPONENT));
    let offset = int8.mux(constant(top + 24), constant(top));
    let biased = (scale_exponent.zext(EXPONENT) + offset - count.zext(EXPONENT)).named("biased");
    let shifted = product.shl(count).named("shifted");
    let tail = shifted.width() - 12;
    let window = m.cat(&[shifted.bits_from(tail), shifted.trunc(tail).any()]).pipe("window", after_normalise);
    let biased = biased.pipe("biased", after_normalise);
    let zero = zero.pipe("zero_norm", after_normalise);

    let value = denormalise(m, window, biased, zero);
    let special = Special { nan: nan.pipe("nan", to_end), inf: inf.pipe("inf", to_end) };
    m.output("y", round_pack(sign.pipe("sign", to_end), value, special).reg("y_q"));
}

/// A product with a register behind those with each byte of `b`.
fn multiply_in_parts<'m>(m: &'m Scope, a: Signal<'m>, b: Signal<'m>) -> Signal<'m> {
    let width = a.width() + b.width();
    let parts = b.split(8).into_iter().zip(0u32..).map(|(byte, place)| {
        let part = a.mul(byte).named(&format!("product{place}")).reg(&format!("product{place}_q"));
        part.append_zeros(8 * place).zext(width)
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

/// Brings a window (leading one on top, sticky bit lowest) with its biased exponent (two's complement) into the range
/// of binary16: below the smallest normal number it is shifted right, all of it remaining in the sticky bit.
fn denormalise<'m>(m: &'m Scope, window: Signal<'m>, biased: Signal<'m>, zero: Signal<'m>) -> Normalised<Signal<'m>> {
    let width = window.width();
    let one = m.lit(1, EXPONENT);
    let deficit = (one - biased).named("deficit");
    let subnormal = (!deficit.msb() & deficit.any()).named("subnormal");
    // As soon as everything is below the guard bit, more places change nothing: the leading one stays in the lower half
    // of `wide`.
    let places = deficit.sat(Scope::index_width(width + 1)).gate(subnormal).named("places");
    let wide = window.append_zeros(width).shr(places).named("denormal");
    Normalised {
        window: wide.bits_from(2 * width - WINDOW),
        sticky: wide.trunc(2 * width - WINDOW).any(),
        one: m.low(),
        exponent_less_one: (biased - one).trunc(EXPONENT - 1).gate(!subnormal & !zero),
    }
}
