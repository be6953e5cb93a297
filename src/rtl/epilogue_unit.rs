//! An epilogue unit: `R*S` OC banks, a lookup in each, and the exact sum of what they hold.

use super::array;
use super::oc_bank::{self, FIXED, Term};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::{Scope, Signal};

/// Name of the module.
pub const NAME: &str = "eva_epilogue_unit";

bundle! {
    /// An exact sum in units of 2^-24, or the flags: NaN, +Inf, -Inf among the terms.
    pub Sum { value, nan, inf_plus, inf_minus }
}

/// Bits of the sum of one unit.
pub fn sum_bits(cfg: &CoreConfig) -> u32 {
    FIXED + cfg.lanes().next_power_of_two().trailing_zeros()
}

/// Cycles from `index` to the sum: one for the banks, and `pipeline.epilogue`.
pub fn latency(cfg: &CoreConfig) -> u32 {
    1 + cfg.pipeline.epilogue
}

/// Describes an epilogue unit.
///
/// `in_*` are the results of the array; those with `pass == number` are written, in INT8 mode to both halves. `index`
/// holds `R*S` indices, bank 0 lowest (bank `r*S + s` for row `r`, segment `s`), looked up in `half`; if `valid`, the
/// sum leaves [`latency`] cycles later. `int8` must be there a cycle before anything else. In INT8 mode `psum` holds what `read_*` asked for one cycle before, and is zero
/// for lanes whose sum starts or lies in another unit.
pub fn epilogue_unit(m: &Scope, cfg: &CoreConfig) {
    let (segments, n) = (cfg.segments(), cfg.vq.index_bits);
    let lookups = cfg.lanes();
    m.doc("Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they hold.");
    m.param("lookups", lookups);
    m.param("vq.index_bits", n);
    m.param("pipeline.epilogue", cfg.pipeline.epilogue);
    let int8 = m.input("int8", 1).reg("int8_q");
    let pass_bits = array::input_widths(cfg).pass;
    let number = m.input("number", pass_bits);
    let write = m.inputs("in", array::output_widths(cfg));
    let read = m.inputs("read", array::psum_read_widths(cfg));
    let index = m.input("index", lookups * n).split(n);
    let half = m.input("half", 1);
    let valid = m.input("valid", 1);

    let (written, wanted) = (mine(number, write.pass, write.valid), mine(number, read.pass, read.valid));
    let (write_index, write_half) = (write.index.split(n), write.half.split(1));
    let (y, read_index, starts) = (write.y.split(32), read.index.split(n), read.first.split(1));
    let looked_up = m.cat(&[valid & half, valid & !half]).named("looked_up");

    let bank_module = m.define(oc_bank::NAME, |m| oc_bank::oc_bank(m, cfg));
    let (mut terms, mut psums) = (Vec::new(), Vec::new());
    for lane in 0..lookups as usize {
        let row = lane / segments as usize;
        let bank = m.instance(&format!("u_bank{lane}"), &bank_module);
        let into = m.cat(&[int8 | write_half[row], int8 | !write_half[row]]);
        bank.set("write_enable", into.gate(written[row])).set("write_address", write_index[row]);
        bank.set("write_data", y[lane]).set("read_half", half);
        let sum = (wanted[row] & !starts[lane]).named(&format!("sum{lane}"));
        bank.set("read_enable", int8.mux(sum.repeat(2), looked_up));
        bank.set("read_address", int8.mux(read_index[row], index[lane]));
        let own = (int8 & sum).reg(&format!("own{lane}"));
        psums.push(bank.get("psum").gate(own));
        terms.push(bank.get_bundle::<Term<Signal>>("out"));
    }
    m.output("psum", m.pack(&psums));

    let after_tree = u32::from(cfg.pipeline.epilogue >= 2);
    let flag_stages = latency(cfg) - oc_bank::latency(cfg);
    let width = sum_bits(cfg);
    let operands: Vec<Signal> = terms.iter().map(|t| t.term).collect();
    let (partial, carry) = csa::reduce(m, &csa::extend_signed(m, &operands, width));
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

/// For each row, whether what is valid concerns the unit `number`.
fn mine<'m>(number: Signal<'m>, pass: Signal<'m>, valid: Signal<'m>) -> Vec<Signal<'m>> {
    let rows = pass.split(number.width()).into_iter().zip(valid.split(1));
    rows.map(|(pass, valid)| valid & pass.eq(number)).collect()
}

/// Whether a flag is raised by any of the terms.
fn any_of<'m>(m: &'m Scope, terms: &[Term<Signal<'m>>], flag: impl Fn(&Term<Signal<'m>>) -> Signal<'m>) -> Signal<'m> {
    m.pack(&terms.iter().map(flag).collect::<Vec<_>>()).any()
}
