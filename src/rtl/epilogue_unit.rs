//! An epilogue unit: `R*S` OC banks, a lookup in each, and the exact sum of what they hold.

use super::arith::fp16;
use super::arith::round::popcount;
use super::array::{self, ArrayOut};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::{Scope, Signal};
use crate::hw;

pub const NAME: &str = "eva_epilogue_unit";

/// Bits of one binary16 value as a two's complement multiple of 2^-24.
const FIXED: u32 = 41;

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
/// `in_*` are the results of the array; those with `pass == number` are written. `index` holds `R*S` indices, bank 0 lowest (bank `r*S + s` for
/// row `r`, segment `s`), looked up in `half`; the sum leaves [`latency`] cycles later.
pub fn epilogue_unit(m: &Scope, cfg: &CoreConfig) {
    let (rows, segments, n) = (cfg.array.rows, cfg.segments(), cfg.vq.index_bits);
    let lookups = cfg.pass_vectors();
    let stages = cfg.pipeline.epilogue;
    m.doc("Epilogue unit: one lookup in each of its OC banks per cycle, and the exact sum of what they hold.");
    m.param("lookups", lookups);
    m.param("vq.index_bits", n);
    m.param("pipeline.epilogue", stages);
    let widths = write_widths(cfg);
    let number = m.input("number", widths.pass / rows);
    let write = m.inputs("in", widths);
    let index = m.input("index", lookups * n).split(n);
    let half = m.input("half", 1);

    let (valid, address) = (write.valid.split(1), write.index.split(n));
    let (pass, write_half) = (write.pass.split(widths.pass / rows), write.half.split(1));
    let y = write.y.split(16);
    let words: Vec<Signal> = (0..lookups as usize)
        .map(|bank| {
            let row = bank / segments as usize;
            let oc = m.mem(&format!("oc{bank}"), 2 << n, 16);
            let mine = valid[row] & pass[row].eq(number);
            oc.write(m.cat(&[write_half[row], address[row]]), y[bank], mine);
            oc.read(m.cat(&[half, index[bank]])).named(&format!("word{bank}"))
        })
        .collect();

    let after_bank = u32::from(stages >= 4);
    let after_convert = u32::from(stages >= 3);
    let after_tree = u32::from(stages >= 2);
    let width = sum_bits(cfg);
    let mut signs = Vec::with_capacity(words.len());
    let mut flags = Vec::with_capacity(words.len());
    let terms: Vec<Signal> = words
        .iter()
        .enumerate()
        .map(|(bank, word)| {
            let v = fp16::unpack(&format!("v{bank}"), word.pipe(&format!("word{bank}"), after_bank));
            // Shifted by the exponent, which starts at 1: one bit more than is kept.
            let magnitude = v.significand.zext(FIXED).shl(v.exponent).bits_from(1);
            signs.push(v.sign);
            flags.push((v.nan, v.inf & !v.sign, v.inf & v.sign));
            let term = (magnitude.zext(width) ^ v.sign.repeat(width)).named(&format!("term{bank}"));
            term.pipe(&format!("term{bank}"), after_convert)
        })
        .collect();
    // Inverting is one short of negating.
    let negatives = popcount(m, &signs).pipe("negatives", after_convert).zext(width);
    let operands: Vec<Signal> = terms.into_iter().chain([negatives]).collect();
    let (partial, carry) = csa::reduce(m, &operands);
    let value = partial.pipe("partial", after_tree) + carry.pipe("carry", after_tree);
    hw! {
        nan_now = m.pack(&flags.iter().map(|f| f.0).collect::<Vec<_>>()).any();
        inf_plus_now = m.pack(&flags.iter().map(|f| f.1).collect::<Vec<_>>()).any();
        inf_minus_now = m.pack(&flags.iter().map(|f| f.2).collect::<Vec<_>>()).any();
    }
    let flag_stages = stages - after_bank;
    m.outputs(
        "sum",
        Sum {
            value: value.reg("value"),
            nan: nan_now.pipe("nan", flag_stages),
            inf_plus: inf_plus_now.pipe("inf_plus", flag_stages),
            inf_minus: inf_minus_now.pipe("inf_minus", flag_stages),
        },
    );
}
