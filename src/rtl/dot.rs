//! The end of a row: exact sum of products and its one rounding.

use super::arith::round::{Special, normalise_fixed, popcount, round_pack, sign_magnitude};
use super::pe::{EXPONENT_SUM, PRODUCT};
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::{Scope, Signal};
use crate::hw;

pub const NAME: &str = "eva_dot";

/// The sum is a multiple of `2^-48`: the product of two smallest subnormals.
const POINT: u32 = 48;

/// Bits of an aligned product: 22 bits at any of the 59 exponents of finite factors.
const ALIGNED: u32 = PRODUCT + 58;

/// Register stages, by `pipeline.tree`: behind alignment, carry-save tree, carry propagation, magnitude.
fn cuts(stages: u32) -> [bool; 4] {
    [stages >= 4, stages >= 1, stages >= 3, stages >= 2]
}

/// Cycles from products to rounded result.
pub fn latency(cfg: &CoreConfig) -> u32 {
    cfg.pipeline.tree + 1
}

/// Describes the reduction of `d` products to `RNE16` of their exact sum.
///
/// Inputs are the products of a segment side by side, element 0 lowest; `y` leaves [`latency`] cycles later.
pub fn dot(m: &Scope, cfg: &CoreConfig) {
    let d = cfg.vq.dim;
    m.doc("Exact sum of the products of one segment of a row, rounded once to FP16.");
    m.param("vq.dim", d);
    m.param("pipeline.tree", cfg.pipeline.tree);
    let magnitude = m.input("magnitude", d * PRODUCT).split(PRODUCT);
    let exponent = m.input("exponent", d * EXPONENT_SUM).split(EXPONENT_SUM);
    let signs = m.input("sign", d);
    let sign = signs.split(1);
    let nan_in = m.input("nan", d);
    let inf_in = m.input("inf", d);

    let width = ALIGNED + 1 + d.next_power_of_two().trailing_zeros();
    let [after_align, after_tree, after_sum, after_magnitude] = cuts(cfg.pipeline.tree).map(u32::from);

    // Exponent sums start at 2: two bits more are shifted through than are kept.
    let terms: Vec<Signal> = (0..d as usize)
        .map(|j| {
            let aligned = magnitude[j].zext(ALIGNED + 2).shl(exponent[j]).bits_from(2).zext(width);
            (aligned ^ sign[j].repeat(width)).named(&format!("term{j}")).pipe(&format!("term{j}"), after_align)
        })
        .collect();
    // Inverting is one short of negating.
    let negatives = popcount(m, &sign).pipe("negatives", after_align).zext(width);

    hw! {
        inf_plus = (inf_in & !signs).any();
        inf_minus = (inf_in & signs).any();
        nan_now = nan_in.any() | (inf_plus & inf_minus);
        inf_now = inf_plus | inf_minus;
    }
    let special = Special { nan: nan_now.pipe("nan", cfg.pipeline.tree), inf: inf_now.pipe("inf", cfg.pipeline.tree) };
    let inf_sign = inf_minus.pipe("inf_sign", cfg.pipeline.tree);

    let operands: Vec<Signal> = terms.into_iter().chain([negatives]).collect();
    let (partial, carry) = csa::reduce(m, &operands);
    let total = partial.pipe("partial", after_tree) + carry.pipe("carry", after_tree);
    let total = total.named("total").pipe("total", after_sum);
    let (negative, size) = sign_magnitude(total);
    let negative = negative.pipe("negative", after_magnitude);
    let size = size.named("size").pipe("size", after_magnitude);

    let rounded = round_pack(special.inf.mux(inf_sign, negative), normalise_fixed(size, POINT), special);
    m.output("y", rounded.reg("y_q"));
}
