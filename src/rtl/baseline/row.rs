//! A row of the INT8 array: one output channel.

use super::{OPERAND, SUM, pe};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::Scope;

/// Name of the module.
pub const NAME: &str = "eva_baseline_row";

bundle! {
    /// What enters a row: activations from the row above and, on a shared bus, weights; each taken by its PE when its
    /// bit of `load` is 1. Column `j` is `j` cycles late in all three. `sum` is what the products are added to: 0, or
    /// the result of earlier columns of k; it belongs to the activation that entered column 0 one cycle before.
    pub RowIn { a, w, load, sum }
}

/// Widths of [`RowIn`].
pub fn input_widths(cfg: &CoreConfig) -> RowIn<u32> {
    let operands = OPERAND * cfg.array.cols;
    RowIn { a: operands, w: operands, load: cfg.array.cols, sum: SUM }
}

/// Cycles from an activation at column 0 to the sum that it is part of.
pub fn latency(cfg: &CoreConfig) -> u32 {
    1 + cfg.array.cols
}

/// Describes a row. `in_a` appears on `a_out` one cycle later; `sum_out` follows [`latency`] cycles after `in_a` of
/// column 0.
pub fn row(m: &Scope, cfg: &CoreConfig) {
    m.doc("Row of the INT8 array: a dot product, one element per cycle.");
    m.param("array.cols", cfg.array.cols);
    let input = m.inputs("in", input_widths(cfg));
    let (a, w, load) = (input.a.split(OPERAND), input.w.split(OPERAND), input.load.split(1));

    let pe_module = m.define(pe::NAME, pe::pe);
    let mut sum = input.sum;
    let mut a_out = Vec::with_capacity(a.len());
    for column in 0..a.len() {
        let pe = m.instance(&format!("u_pe{column}"), &pe_module);
        pe.set("a_in", a[column]).set("w_in", w[column]).set("load", load[column]).set("sum_in", sum);
        a_out.push(pe.get("a_out"));
        sum = pe.get("sum_out");
    }
    m.output("a_out", m.pack(&a_out));
    m.output("sum_out", sum);
}
