//! The end of a row: exact sum of products, and its one rounding or the running INT8 sum.

use super::arith::round::{Special, normalise_fixed, round_pack};
use super::pe::{EXPONENT_SUM, PRODUCT, UNSHIFTED, product_widths};
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::{Bundle, Scope, Signal};
use crate::hw;

pub const NAME: &str = "eva_dot";

/// Bits of an INT8 sum.
pub const SUM: u32 = 32;

/// The sum is a multiple of `2^-48`: the product of two smallest subnormals.
const POINT: u32 = 48;

/// Bits of an aligned product: 22 bits at any of the 59 exponents of finite factors.
const ALIGNED: u32 = PRODUCT + 58;

/// Register stages, by `pipeline.tree`: behind alignment, carry-save tree, carry propagation, normalisation.
struct Cuts {
    align: u32,
    tree: u32,
    sum: u32,
    normalise: u32,
}

fn cuts(cfg: &CoreConfig) -> Cuts {
    let stages = cfg.pipeline.tree;
    let from = |least| u32::from(stages >= least);
    Cuts { align: from(4), tree: from(2), sum: from(1), normalise: from(3) }
}

/// Cycles from products to result.
pub fn latency(cfg: &CoreConfig) -> u32 {
    cfg.pipeline.tree + 1
}

/// Cycles from products to the cycle in which `psum` must be there.
pub fn psum_delay(cfg: &CoreConfig) -> u32 {
    cuts(cfg).align
}

/// Describes the reduction of the `d` products of a segment, side by side, element 0 lowest.
///
/// `y` leaves [`latency`] cycles later: `RNE16` of their exact sum, twice side by side; with `int8` the sum of their
/// values and of `psum`, which is taken [`psum_delay`] cycles after the products, modulo 2^32. `psum` must be 0 in FP16
/// mode.
pub fn dot(m: &Scope, cfg: &CoreConfig) {
    let d = cfg.vq.dim;
    m.doc("Exact sum of the products of one segment of a row: rounded once to FP16, or added to an INT32 sum.");
    m.param("vq.dim", d);
    m.param("pipeline.tree", cfg.pipeline.tree);
    let int8 = m.input("int8", 1);
    let products = m.inputs("p", product_widths().map(|_, width| d * width));
    let (value, exponent, signs) =
        (products.value.split(PRODUCT), products.exponent.split(EXPONENT_SUM), products.sign);
    let psum = m.input("psum", SUM);
    let cuts = cuts(cfg);

    // A negative product is inverted, and one added. An INT8 value is negative already: `sign` only extends it.
    let width = ALIGNED + 1 + d.next_power_of_two().trailing_zeros();
    let negative = signs.gate(!int8).named("negative");
    let skipped = UNSHIFTED as u32;
    let terms: Vec<Signal> = (0..d as usize)
        .map(|j| {
            let aligned = value[j].zext(ALIGNED + skipped).shl(exponent[j]).bits_from(skipped).zext(width);
            let inverted =
                m.cat(&[signs.bit(j as u32).repeat(width - PRODUCT), negative.bit(j as u32).repeat(PRODUCT)]);
            (aligned ^ inverted).named(&format!("term{j}")).pipe(&format!("term{j}"), cuts.align)
        })
        .collect();
    let ones = negative.pipe("ones", cuts.align).split(1);
    // One of the ones finds no place among the carries, but the lowest bit of the other mode's addend is free.
    let (last, ones) = ones.split_last().expect("d is at least 1");
    let addend = psum.zext(width) | last.zext(width);

    hw! {
        inf_plus = (products.inf & !signs).any();
        inf_minus = (products.inf & signs).any();
        nan_now = products.nan.any() | (inf_plus & inf_minus);
        inf_now = inf_plus | inf_minus;
    }
    let special = Special { nan: nan_now.pipe("nan", cfg.pipeline.tree), inf: inf_now.pipe("inf", cfg.pipeline.tree) };
    let inf_sign = inf_minus.pipe("inf_sign", cfg.pipeline.tree);

    let operands: Vec<Signal> = terms.into_iter().chain([addend]).collect();
    let (partial, carry) = csa::reduce_with(m, &operands, ones);
    let total = partial.pipe("partial", cuts.tree) + carry.pipe("carry", cuts.tree);
    let total = total.named("total").pipe("total", cuts.sum);

    let normal = normalise_fixed(total, POINT).map(|name, s| s.pipe(name, cuts.normalise));
    let sign = special.inf.mux(inf_sign, total.msb().pipe("total_sign", cuts.normalise));
    let rounded = round_pack(sign, normal, special);
    let sum = total.trunc(SUM).pipe("sum", cuts.normalise);
    m.output("y", int8.mux(sum, m.cat(&[rounded, rounded])).reg("y_q"));
}
