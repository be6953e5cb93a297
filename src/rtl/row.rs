//! A row of the array: `F` PEs, reduced to `S = F/d` rounded dot products per cycle.

use super::{dot, pe};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Bundle, Scope, Signal};

pub const NAME: &str = "eva_row";

bundle! {
    /// What enters a row: the streaming operands of its `F` PEs from the row above; on a shared bus the stationary
    /// operands, taken at `load` together with `live`, one bit per segment: 0 makes the results of a segment +0 as long
    /// as `x` is zero.
    pub RowIn { w, x, load, live }
}

/// Widths of [`RowIn`].
pub fn input_widths(cfg: &CoreConfig) -> RowIn<u32> {
    let operands = 16 * cfg.fp16_cols();
    RowIn { w: operands, x: operands, load: 1, live: cfg.segments() }
}

/// Cycles from a streaming operand at the input of a row to its rounded dot product.
pub fn latency(cfg: &CoreConfig) -> u32 {
    1 + cfg.pipeline.pe + dot::latency(cfg)
}

/// Describes a row. `in_w` appears on `w_out` one cycle later; `y` (segment 0 lowest) follows [`latency`] cycles after
/// `in_w`.
pub fn row(m: &Scope, cfg: &CoreConfig) {
    let (f, d, s) = (cfg.fp16_cols() as usize, cfg.vq.dim as usize, cfg.segments());
    m.doc("Row of the array: one entry of a codebook times the vectors held, one exact dot product per segment.");
    m.param("fp16_cols", f);
    m.param("segments", s);
    m.param("vq.dim", d);
    let input = m.inputs("in", input_widths(cfg));
    let live = input.live.reg_en("live", input.load).split(1);

    let pe_module = m.define(pe::NAME, |m| pe::pe(m, cfg));
    let dot_module = m.define(dot::NAME, |m| dot::dot(m, cfg));
    let (w, x) = (input.w.split(16), input.x.split(16));
    let mut w_out = Vec::with_capacity(f);
    let products: Vec<pe::Product<Signal>> = (0..f)
        .map(|i| {
            let pe = m.instance(&format!("u_pe{i}"), &pe_module);
            pe.set("w_in", w[i]).set("x_in", x[i]).set("load", input.load).set("live", live[i / d]);
            w_out.push(pe.get("w_out"));
            pe.get_bundle("p")
        })
        .collect();

    let results: Vec<Signal> = products
        .chunks(d)
        .enumerate()
        .map(|(segment, products)| {
            let dot = m.instance(&format!("u_dot{segment}"), &dot_module);
            pe::product_widths().map(|field, _| {
                let parts: Vec<Signal> = products.iter().map(|p| field_of(p, field)).collect();
                dot.set(field, m.pack(&parts));
            });
            dot.get("y")
        })
        .collect();
    m.output("w_out", m.pack(&w_out));
    m.output("y", m.pack(&results));
}

fn field_of<'m>(product: &pe::Product<Signal<'m>>, field: &str) -> Signal<'m> {
    let mut found = product.sign;
    product.map(|name, signal| {
        if name == field {
            found = signal;
        }
    });
    found
}
