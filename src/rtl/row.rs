//! A row of the array: `F` PEs, reduced to `S = F/d` dot products per cycle.

use super::{dot, operand, pe};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Scope, Signal};

/// Name of the module.
pub const NAME: &str = "eva_row";

bundle! {
    /// What enters a row: the streaming operands of its `F` PEs from the row above; on a shared bus the stationary
    /// operands, taken at `load`.
    pub RowIn { w, x, load }
}

/// Widths of [`RowIn`].
pub fn input_widths(cfg: &CoreConfig) -> RowIn<u32> {
    let operands = operand::BITS * cfg.fp16_cols();
    RowIn { w: operands, x: operands, load: 1 }
}

/// Cycles from a streaming operand at the input of a row to its result.
pub fn latency(cfg: &CoreConfig) -> u32 {
    1 + cfg.pipeline.pe + dot::latency(cfg)
}

/// Cycles from a streaming operand at the input of a row to the cycle in which `psum` must be there.
pub fn psum_delay(cfg: &CoreConfig) -> u32 {
    1 + cfg.pipeline.pe + dot::psum_delay(cfg)
}

/// Describes a row. `in_w` appears on `w_out` one cycle later; `y` (32 bits for each segment, segment 0 lowest) follows
/// [`latency`] cycles after `in_w`, with the `psum` of [`psum_delay`] cycles after it.
pub fn row(m: &Scope, cfg: &CoreConfig) {
    let (f, d, s) = (cfg.fp16_cols() as usize, cfg.vq.dim as usize, cfg.segments());
    m.doc("Row of the array: one dot product per segment of the operands held and those that pass through.");
    m.param("fp16_cols", f);
    m.param("segments", s);
    m.param("vq.dim", d);
    // A copy for each row: there is time, and one register could not drive them all.
    let int8 = m.input("int8", 1).reg("int8_q");
    let input = m.inputs("in", input_widths(cfg));
    let psum = m.input("psum", s * dot::SUM).split(dot::SUM);

    let pe_module = m.define(pe::NAME, |m| pe::pe(m, cfg));
    let dot_module = m.define(dot::NAME, |m| dot::dot(m, cfg));
    let (w, x) = (input.w.split(operand::BITS), input.x.split(operand::BITS));
    let mut w_out = Vec::with_capacity(f);
    let products: Vec<pe::Product<Signal>> = (0..f)
        .map(|i| {
            let pe = m.instance(&format!("u_pe{i}"), &pe_module);
            pe.set("w_in", w[i]).set("x_in", x[i]).set("load", input.load).set("int8", int8);
            w_out.push(pe.get("w_out"));
            pe.get_bundle("p")
        })
        .collect();

    let results: Vec<Signal> = products
        .chunks(d)
        .zip(psum)
        .enumerate()
        .map(|(segment, (products, psum))| {
            let dot = m.instance(&format!("u_dot{segment}"), &dot_module);
            dot.set("int8", int8).set("psum", psum);
            dot.set_bundle("p", side_by_side(m, products));
            dot.get("y")
        })
        .collect();
    m.output("w_out", m.pack(&w_out));
    m.output("y", m.pack(&results));
}

/// Each field of all products, element 0 lowest.
fn side_by_side<'m>(m: &'m Scope, products: &[pe::Product<Signal<'m>>]) -> pe::Product<Signal<'m>> {
    let pack =
        |field: fn(&pe::Product<Signal<'m>>) -> Signal<'m>| m.pack(&products.iter().map(field).collect::<Vec<_>>());
    pe::Product { value: pack(|p| p.value), exponent: pack(|p| p.exponent), nan: pack(|p| p.nan), inf: pack(|p| p.inf) }
}
