//! The end of a row: exact sum of products, and its one rounding or the running INT8 sum.

use super::arith::round::{Special, normalise_fixed, round_pack};
use super::pe::{EXPONENT_SUM, PRODUCT, UNSHIFTED, product_widths};
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::{Bundle, Scope, Signal};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_dot";

/// Bits of an INT8 sum.
pub const SUM: u32 = 32;

/// The sum is a multiple of `2^-48`: the product of two smallest subnormals.
const POINT: u32 = 48;

/// Bits of an aligned product: at any of the 59 exponent sums of finite factors.
const ALIGNED: u32 = PRODUCT + 58;

/// Register stages, by `pipeline.tree`: behind the sum, in the middle of its carry propagation, behind normalisation, and
/// behind alignment.
struct Cuts {
    align: u32,
    carry: u32,
    sum: u32,
    normalise: u32,
}

fn cuts(cfg: &CoreConfig) -> Cuts {
    let stages = cfg.pipeline.tree;
    let from = |least| u32::from(stages >= least);
    Cuts { align: from(4), carry: from(2), sum: from(1), normalise: from(3) }
}

/// Cycles from products to result.
pub fn latency(cfg: &CoreConfig) -> u32 {
    cfg.pipeline.tree + 1
}

/// Cycles from products to the cycle in which `psum` must be there.
pub fn psum_delay(cfg: &CoreConfig) -> u32 {
    let cuts = cuts(cfg);
    cuts.align + cuts.carry + cuts.sum
}

/// Describes the reduction of the `d` products of a segment, side by side, element 0 lowest.
///
/// `y` leaves [`latency`] cycles later: `RNE16` of their exact sum, twice side by side; with `int8` the sum of their
/// values and of `psum`, which is taken [`psum_delay`] cycles after the products, modulo 2^32.
pub fn dot(m: &Scope, cfg: &CoreConfig) {
    let d = cfg.vq.dim;
    m.doc("Exact sum of the products of one segment of a row: rounded once to FP16, or added to an INT32 sum.");
    m.param("vq.dim", d);
    m.param("pipeline.tree", cfg.pipeline.tree);
    let int8 = m.input("int8", 1);
    let products = m.inputs("p", product_widths().map(|_, width| d * width));
    let psum = m.input("psum", SUM);
    let cuts = cuts(cfg);

    let (value, exponent) = (products.value.split(PRODUCT), products.exponent.split(EXPONENT_SUM));
    let width = ALIGNED + d.next_power_of_two().trailing_zeros();
    let skipped = UNSHIFTED as u32;
    let terms: Vec<Signal> = (0..d as usize)
        .map(|j| {
            let aligned = value[j].sext(ALIGNED + skipped).shl(exponent[j]).bits_from(skipped);
            aligned.named(&format!("term{j}")).pipe(&format!("term{j}"), cuts.align)
        })
        .collect();
    let operands = csa::extend_signed(m, &terms, width);

    let signs = m.pack(&value.iter().map(|v| v.msb()).collect::<Vec<_>>()).named("signs");
    hw! {
        inf_plus = (products.inf & !signs).any();
        inf_minus = (products.inf & signs).any();
        nan_now = products.nan.any() | (inf_plus & inf_minus);
        inf_now = inf_plus | inf_minus;
    }
    let special = Special { nan: nan_now.pipe("nan", cfg.pipeline.tree), inf: inf_now.pipe("inf", cfg.pipeline.tree) };
    let inf_sign = inf_minus.pipe("inf_sign", cfg.pipeline.tree);

    let (partial, carry) = csa::reduce(m, &operands);
    let total = if cuts.carry == 0 { partial + carry } else { add_in_two(m, partial, carry, cuts.carry) };
    let total = total.named("total").pipe("total", cuts.sum);

    let normal = normalise_fixed(total, POINT).map(|name, s| s.pipe(name, cuts.normalise));
    let sign = special.inf.mux(inf_sign, total.msb().pipe("total_sign", cuts.normalise));
    let fp16 = round_pack(sign, normal, special).named("fp16");
    let sum = (total.trunc(SUM) + psum).named("sum").pipe("sum", cuts.normalise);
    m.output("y", int8.mux(sum, m.cat(&[fp16, fp16])).reg("y_q"));
}

/// A sum with `stages` registers in the middle of its carry propagation: the carry passes the low half before, the high
/// half behind them.
fn add_in_two<'m>(m: &'m Scope, a: Signal<'m>, b: Signal<'m>, stages: u32) -> Signal<'m> {
    let half = a.width() / 2;
    let low = a.trunc(half).add_full(b.trunc(half)).pipe("low_sum", stages);
    let [high_a, high_b] = [("high_a", a), ("high_b", b)].map(|(name, s)| s.bits_from(half).pipe(name, stages));
    m.cat(&[high_a + high_b + low.msb().zext(a.width() - half), low.trunc(half)])
}
