//! A bank of the output codebook, and what it holds as an integer.

use super::arith::fp16;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Scope, Signal};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_oc_bank";

/// Bits of one binary16 value as a two's complement multiple of 2^-24.
pub const FIXED: u32 = 41;

bundle! {
    /// One looked-up value in units of 2^-24, two's complement, or the flags.
    pub Term { term, nan, inf_plus, inf_minus }
}

/// Register stages by `pipeline.epilogue`: behind the memory, behind the conversion.
fn stages(cfg: &CoreConfig) -> (u32, u32) {
    (u32::from(cfg.pipeline.epilogue >= 3), u32::from(cfg.pipeline.epilogue >= 4))
}

/// Cycles from the read address to the term.
pub fn latency(cfg: &CoreConfig) -> u32 {
    let (after_memory, after_convert) = stages(cfg);
    1 + after_memory + after_convert
}

/// Describes a bank: two halves of `2^n` FP16 values, memories of their own, one written by the array while the other
/// is looked up. In INT8 mode they are the low and high halves of `2^n` running sums, written and read together.
///
/// `write_enable` and `read_enable` have a bit for each half, half 0 lowest. The term of `read_half` follows
/// `read_address` by [`latency`] cycles, `psum` (half 0 lowest) by one cycle.
pub fn oc_bank(m: &Scope, cfg: &CoreConfig) {
    let n = cfg.vq.index_bits;
    m.doc("OC bank: both halves of one row of the output codebook, looked up as an integer in units of 2^-24.");
    m.param("vq.index_bits", n);
    m.param("pipeline.epilogue", cfg.pipeline.epilogue);
    let write_enable = m.input("write_enable", 2).split(1);
    let write_address = m.input("write_address", n);
    let write_data = m.input("write_data", 32).split(16);
    let read_enable = m.input("read_enable", 2).split(1);
    let read_address = m.input("read_address", n);
    let read_half = m.input("read_half", 1);

    let (after_memory, after_convert) = stages(cfg);
    let halves: Vec<Signal> = (0..2)
        .map(|half| {
            let oc = m.mem(&format!("oc{half}"), 1 << n, 16);
            oc.write(write_address, write_data[half], write_enable[half]);
            oc.read_en(read_address, read_enable[half]).named(&format!("word{half}"))
        })
        .collect();
    m.output("psum", m.pack(&halves));
    let word = read_half.reg("half").mux(halves[1], halves[0]).named("word").pipe("word", after_memory);
    let value = fp16::unpack("word", word);
    // Shifted by the exponent, which starts at 1: one bit more than is kept.
    hw! {
        negative = value.sign;
        term = value.signed_significand().sext(FIXED + 1).shl(value.exponent).bits_from(1);
    }
    m.outputs(
        "out",
        Term {
            term: term.pipe("term", after_convert),
            nan: value.nan.pipe("nan", after_convert),
            inf_plus: (value.inf & !negative).pipe("inf_plus", after_convert),
            inf_minus: (value.inf & negative).pipe("inf_minus", after_convert),
        },
    );
}
