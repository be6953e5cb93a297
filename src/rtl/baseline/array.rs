//! The INT8 array: rows, and the load that travels through them.

use super::{SUM, row};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Scope, Signal};

/// Name of the module.
pub const NAME: &str = "eva_baseline_array";

bundle! {
    /// What enters the array in one cycle. Column `j` of `a` and `w` is `j` cycles late.
    ///
    /// `load` comes with the first activations of a tile, and reaches column `j` of row `r` after `r + j` cycles: the
    /// weight for it must then be on column `j` of `w`. `sum` has an element per row, row 0 lowest; that of row `r`
    /// belongs to the activation that entered column 0 of the top row `r + 1` cycles before.
    pub ArrayIn { a, w, load, sum }
}

/// Widths of [`ArrayIn`].
pub fn input_widths(cfg: &CoreConfig) -> ArrayIn<u32> {
    let row::RowIn { a, w, .. } = row::input_widths(cfg);
    ArrayIn { a, w, load: 1, sum: SUM * cfg.array.rows }
}

/// Describes the array. The sum of row `r` leaves on `sum`, row 0 lowest, `r +` [`row::latency`] cycles after its
/// activation has entered column 0 of the top row.
pub fn array(m: &Scope, cfg: &CoreConfig) {
    let (rows, cols) = (cfg.array.rows as usize, cfg.array.cols as usize);
    m.doc("Plain INT8 systolic array: activations move down, partial sums to the right, weights stay.");
    m.param("array.rows", rows);
    m.param("array.cols", cols);
    let input = m.inputs("in", input_widths(cfg));

    // All PEs on a diagonal load in the same cycle: one chain serves them.
    let mut load = vec![input.load];
    for stage in 1..rows + cols - 1 {
        load.push(load[stage - 1].reg(&format!("load_q{stage}")));
    }

    let row_module = m.define(row::NAME, |m| row::row(m, cfg));
    let mut a = input.a;
    let mut sums: Vec<Signal> = Vec::with_capacity(rows);
    for (r, sum) in input.sum.split(SUM).into_iter().enumerate() {
        let row = m.instance(&format!("u_row{r}"), &row_module);
        row.set_bundle("in", row::RowIn { a, w: input.w, load: m.pack(&load[r..r + cols]), sum });
        a = row.get("a_out");
        sums.push(row.get("sum_out"));
    }
    a.discard();
    m.output("sum", m.pack(&sums));
}
