//! The systolic array: `R` rows, and the control that travels with the entries through them.

use super::row;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Bundle, Scope, Signal};

pub const NAME: &str = "eva_array";

bundle! {
    /// What enters the top row in one cycle.
    ///
    /// `entry` is a codebook entry (`d` FP16 values), valid with `valid`. `load` starts a pass: it enters with the
    /// first entry of the pass and reaches row `r` `r` cycles later, in the cycle in which `x` must hold the vectors of
    /// row `r` and `live` their validity. `index`, `pass`, `half`: where the results belong in the OC memories.
    /// `step_end` marks the last entry of a step, and nothing else.
    pub ArrayIn { valid, entry, index, pass, half, step_end, load, x, live }
    /// Results of all rows, row 0 lowest: `y` (segment 0 lowest) belongs to address `{half, index}` of the banks of
    /// epilogue unit `pass`, if `valid`.
    pub ArrayOut { valid, index, pass, half, y }
}

/// Widths of [`ArrayIn`].
pub fn input_widths(cfg: &CoreConfig) -> ArrayIn<u32> {
    ArrayIn {
        valid: 1,
        entry: 16 * cfg.vq.dim,
        index: cfg.vq.index_bits,
        pass: Scope::index_width(cfg.epilogue.units),
        half: 1,
        step_end: 1,
        load: 1,
        x: 16 * cfg.fp16_cols(),
        live: cfg.segments(),
    }
}

/// Describes the array. A result of row `r` leaves `r +` [`row::latency`] cycles after its entry has entered the top
/// row; `filled` is 1 in the cycle in which the last result of a step leaves.
pub fn array(m: &Scope, cfg: &CoreConfig) {
    let rows = cfg.array.rows as usize;
    m.doc("Systolic array: entries move down one row per cycle past the vectors that the rows hold.");
    m.param("array.rows", rows);
    m.param("segments", cfg.segments());
    let input = m.inputs("in", input_widths(cfg));

    let row_module = m.define(row::NAME, |m| row::row(m, cfg));
    let mut w = m.pack(&vec![input.entry; cfg.segments() as usize]);
    let mut load = input.load;
    let mut results = Vec::with_capacity(rows);
    for r in 0..rows {
        let row = m.instance(&format!("u_row{r}"), &row_module);
        row.set_bundle("in", row::RowIn { w, x: input.x, load, live: input.live });
        results.push(row.get("y"));
        if r + 1 < rows {
            w = row.get("w_out");
            load = load.reg(&format!("load_row{}", r + 1));
        } else {
            row.get("w_out").discard();
        }
    }

    // One chain of control serves all rows: row r takes it r cycles after row 0. Only the end of a step is counted and
    // must not come from before a reset; results that do are overwritten before they are looked up.
    let address_widths = Address { index: input.index.width(), pass: input.pass.width(), half: 1 };
    let (mut valid, mut step_end) = (input.valid, input.step_end);
    let mut address = m.cat(&[input.half, input.pass, input.index]);
    let first = row::latency(cfg) as usize;
    let mut taps: Vec<(Signal, Address<Signal>)> = Vec::with_capacity(rows);
    for stage in 1..first + rows {
        valid = valid.reg(&format!("valid_q{stage}"));
        step_end = step_end.reg_reset(&format!("step_end_q{stage}"));
        address = address.reg(&format!("address_q{stage}"));
        if stage >= first {
            let mut lo = 0;
            let fields = address_widths.map(|_, width| {
                lo += width;
                address.slice(lo - width, width)
            });
            taps.push((valid, fields));
        }
    }
    m.outputs(
        "out",
        ArrayOut {
            valid: m.pack(&taps.iter().map(|(valid, _)| *valid).collect::<Vec<_>>()),
            index: m.pack(&taps.iter().map(|(_, a)| a.index).collect::<Vec<_>>()),
            pass: m.pack(&taps.iter().map(|(_, a)| a.pass).collect::<Vec<_>>()),
            half: m.pack(&taps.iter().map(|(_, a)| a.half).collect::<Vec<_>>()),
            y: m.pack(&results),
        },
    );
    m.output("filled", step_end);
}

bundle! {
    /// Where a result belongs; packed in this order, lowest first.
    Address { index, pass, half }
}
