//! An epilogue unit: `R*S` OC banks, a lookup in each, and the exact sum of what they hold.

use super::arith::round::popcount;
use super::array::{self, ArrayOut};
use super::oc_bank::{self, FIXED, Term};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::{Scope, Signal};

pub const NAME: &str = "eva_epilogue_unit";

bundle! {
    /// An exact sum in units of 2^-24, or the flags: NaN, +Inf, -Inf among the terms.
    pub Sum { value, nan, inf_plus, inf_minus }
}

/// Bits of the sum of one unit.
pub fn sum_bits(cfg: &CoreConfig) -> u32 {
    FIXED + cfg.pass_vectors().next_power_of_two().trailing_zeros()
}

/// Cycles from `index` to the sum: one for the banks, and `pipeline.epilogue`.
pub fn latency(cfg: &CoreConfig) -> u32 {
    1 + cfg.pipeline.epilogue
}

/// Widths of what the array writes into the banks of a unit; `valid` has one bit per row.
pub fn write_widths(cfg: &CoreConfig) -> ArrayOut<u32> {
    let rows = cfg.array.rows;
    let input = array::input_widths(cfg);
    ArrayOut {
        valid: rows,
        index: rows * input.index,
        pass: rows * input.pass,
        half: rows * input.half,
        y: rows * cfg.segments() * 16,
    }
}

/// Describes an epilogue unit.
///
/// `in_*` are the results of the array; those with `pass == number` are written. `index` holds `R*S` indices, bank 0
/// lowest (bank `r*S + s` for row `r`, segment `s`), looked up in `half`; if `valid`, the sum leaves [`latency`] cycles
/// later.
pub fn epilogue_unit(m: &Scope, cfg: &CoreConfig) {
    let (rows, segments, n) = (cfg.array.rows, cfg.segments(), cfg.vq.index_bits);
    let lookups = cfg.pass_vectors();
    m.doc("Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they hold.");
    m.param("lookups", lookups);
    m.param("vq.index_bits", n);
    m.param("pipeline.epilogue", cfg.pipeline.epilogue);
    let widths = write_widths(cfg);
    let number = m.input("number", widths.pass / rows);
    let write = m.inputs("in", widths);
    let index = m.input("index", lookups * n).split(n);
    let half = m.input("half", 1);
    let valid = m.input("valid", 1);

    let bank_module = m.define(oc_bank::NAME, |m| oc_bank::oc_bank(m, cfg));
    let pass = write.pass.split(widths.pass / rows);
    let mine: Vec<Signal> =
        pass.into_iter().zip(write.valid.split(1)).map(|(pass, valid)| valid & pass.eq(number)).collect();
    let (address, write_half, y) = (write.index.split(n), write.half.split(1), write.y.split(16));
    let terms: Vec<Term<Signal>> = (0..lookups as usize)
        .map(|number| {
            let row = number / segments as usize;
            let bank = m.instance(&format!("u_bank{number}"), &bank_module);
            bank.set("write_enable", mine[row]).set("write_address", m.cat(&[write_half[row], address[row]]));
            bank.set("write_data", y[number])
                .set("read_enable", valid)
                .set("read_address", m.cat(&[half, index[number]]));
            bank.get_bundle("out")
        })
        .collect();

    let after_tree = u32::from(cfg.pipeline.epilogue >= 2);
    let flag_stages = latency(cfg) - oc_bank::latency(cfg);
    let width = sum_bits(cfg);
    // Inverting is one short of negating.
    let negatives = popcount(m, &terms.iter().map(|t| t.negative).collect::<Vec<_>>()).named("negatives");
    let operands: Vec<Signal> = terms.iter().map(|t| t.term.sext(width)).chain([negatives.zext(width)]).collect();
    let (partial, carry) = csa::reduce(m, &operands);
    let value = partial.pipe("partial", after_tree) + carry.pipe("carry", after_tree);
    m.outputs(
        "sum",
        Sum {
            value: value.reg("value"),
            nan: any_of(m, &terms, |t| t.nan).pipe("nan", flag_stages),
            inf_plus: any_of(m, &terms, |t| t.inf_plus).pipe("inf_plus", flag_stages),
            inf_minus: any_of(m, &terms, |t| t.inf_minus).pipe("inf_minus", flag_stages),
        },
    );
}

/// Whether a flag is raised by any of the terms.
fn any_of<'m>(m: &'m Scope, terms: &[Term<Signal<'m>>], flag: impl Fn(&Term<Signal<'m>>) -> Signal<'m>) -> Signal<'m> {
    m.pack(&terms.iter().map(flag).collect::<Vec<_>>()).any()
}
