//! The INT8 processing element.

use super::{OPERAND, SUM};
use crate::hdl::Scope;

/// Name of the module.
pub const NAME: &str = "eva_baseline_pe";

/// Describes a PE. `a_in` appears on `a_out`, for the PE below, one cycle later; `w_in` becomes the weight one cycle
/// after `load`. `sum_out` follows `sum_in` by a cycle, with the product of the weight and the activation held added.
pub fn pe(m: &Scope) {
    m.doc("Processing element of the INT8 array: adds weight times activation to a passing partial sum.");
    let a_in = m.input("a_in", OPERAND);
    let w_in = m.input("w_in", OPERAND);
    let load = m.input("load", 1);
    let sum_in = m.input("sum_in", SUM);

    let a = a_in.reg("a");
    let w = w_in.reg_en("w", load);
    m.output("a_out", a);
    m.output("sum_out", (sum_in + w.mul_signed(a).sext(SUM)).reg("sum"));
}
