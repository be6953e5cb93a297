//! Exact accumulation over tiles and codebooks: one accumulator per output of a block.

use super::epilogue_unit::{self, Sum};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::{Bundle, Scope, Signal};
use crate::hw;

pub const NAME: &str = "eva_accumulator";

/// Cycles from the sums of the units to the finished sum.
pub const LATENCY: u32 = 2;

/// Two accesses to one accumulator must be this many cycles apart: the read-modify-write has no forwarding.
pub const ACCESS_DISTANCE: u32 = 3;

bundle! {
    /// What goes with the sums of a cycle: `address` of the output within the block; `first` ignores what the
    /// accumulator holds; `last` sends the result on instead of keeping it.
    pub Access { valid, address, first, last }
}

/// Widths of an access.
pub fn access_widths(cfg: &CoreConfig) -> Access<u32> {
    Access { valid: 1, address: Scope::index_width(cfg.buffers.max_n_block), first: 1, last: 1 }
}

/// Widths of a finished sum.
pub fn result_widths(cfg: &CoreConfig) -> Sum<u32> {
    Sum { value: cfg.acc_bits(), nan: 1, inf_plus: 1, inf_minus: 1 }
}

/// Describes the accumulator memory with its adder.
///
/// `access` arrives together with the sums of all units (unit 0 lowest); [`LATENCY`] cycles later `result_valid` is 1
/// if the access was valid and `last`, with the finished sum on `result`. Accesses to one address must be
/// [`ACCESS_DISTANCE`] cycles apart.
pub fn accumulator(m: &Scope, cfg: &CoreConfig) {
    let units = cfg.epilogue.units;
    let width = cfg.acc_bits();
    m.doc("Accumulator memory: adds the sums of all epilogue units to the exact accumulator of one output per cycle.");
    m.param("epilogue.units", units);
    m.param("buffers.max_n_block", cfg.buffers.max_n_block);
    m.param("acc_bits", width);
    let access = m.inputs("access", access_widths(cfg));
    let unit_bits = epilogue_unit::sum_bits(cfg);
    let sums = m.inputs("sum", Sum { value: units * unit_bits, nan: units, inf_plus: units, inf_minus: units });

    // Cycle 1: the sum over the units, and what the accumulator holds.
    let terms: Vec<Signal> = sums
        .value
        .split(unit_bits)
        .into_iter()
        .map(|s| if width >= unit_bits { s.sext(width) } else { s.trunc(width) })
        .collect();
    let (partial, carry) = csa::reduce(m, &terms);
    let combined = Sum {
        value: (partial + carry).reg("combined"),
        nan: sums.nan.any().reg("combined_nan"),
        inf_plus: sums.inf_plus.any().reg("combined_inf_plus"),
        inf_minus: sums.inf_minus.any().reg("combined_inf_minus"),
    };
    let now = access.map(|field, s| {
        let name = format!("{field}_q1");
        if field == "valid" { s.reg_reset(&name) } else { s.reg(&name) }
    });
    let memory = m.mem("acc", cfg.buffers.max_n_block, width + 3);
    let held = memory.read_en(access.address, access.valid).named("held").gate(!now.first);
    let old = Sum {
        value: held.trunc(width),
        nan: held.bit(width),
        inf_plus: held.bit(width + 1),
        inf_minus: held.bit(width + 2),
    };

    // Cycle 2: the new sum, kept or sent on.
    let result = Sum {
        value: (old.value + combined.value).reg("result"),
        nan: (old.nan | combined.nan).reg("result_nan"),
        inf_plus: (old.inf_plus | combined.inf_plus).reg("result_inf_plus"),
        inf_minus: (old.inf_minus | combined.inf_minus).reg("result_inf_minus"),
    };
    hw! {
        keep = now.valid & !now.last;
        send = now.valid & now.last;
    }
    let word = m.pack(&[result.value, result.nan, result.inf_plus, result.inf_minus]);
    memory.write(now.address.reg("address_q2"), word, keep.reg("keep_q2"));
    m.output("result_valid", send.reg_reset("send_q2"));
    m.outputs("result", result);
}
