//! Exact accumulation over tiles and codebooks: one accumulator per output of a block and token.

use super::batch;
use super::epilogue_unit::{self, Sum};
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::csa;
use crate::hdl::{Bundle, Scope, Signal};

/// Name of the module.
pub const NAME: &str = "eva_accumulator";
/// Name of the module of one bank.
pub const BANK: &str = "eva_accumulator_bank";

/// Cycles from the sums of the units to the finished sum of the first token.
pub const LATENCY: u32 = 3;

/// Two accesses to one accumulator must be this many cycles apart: the read-modify-write has no forwarding.
pub const ACCESS_DISTANCE: u32 = 3;

bundle! {
    /// What goes with the sums of a cycle: `address` of the output within the block; `first` ignores what the
    /// accumulators hold; `last` sends the results on instead of keeping them; `split`: logarithm of the number of tokens.
    pub Access { valid, address, first, last, split }
}

/// Widths of an access.
pub fn access_widths(cfg: &CoreConfig) -> Access<u32> {
    let address = Scope::index_width(cfg.buffers.max_n_block);
    Access { valid: 1, address, first: 1, last: 1, split: batch::split_bits(cfg) }
}

/// Widths of a finished sum.
pub fn result_widths(cfg: &CoreConfig) -> Sum<u32> {
    Sum { value: cfg.acc_bits(), nan: 1, inf_plus: 1, inf_minus: 1 }
}

/// An access some cycles later.
pub fn delay(access: Access<Signal<'_>>, cycles: u32) -> Access<Signal<'_>> {
    access.map(|field, s| {
        let name = format!("access_{field}");
        if field == "valid" { s.pipe_reset(&name, cycles) } else { s.pipe(&name, cycles) }
    })
}

/// Describes the accumulators: as many banks as there can be tokens.
///
/// `access` arrives together with the sums of all units (unit 0 lowest), which are added for each of the `M` tokens.
/// [`LATENCY`] cycles later `result_valid` is 1 if the access was valid and `last`, with the finished sum of token 0 on
/// `result`; those of the other tokens follow in the next cycles, the final one marked, before the next `last` access may
/// deliver. Accesses to one address must be [`ACCESS_DISTANCE`] cycles apart.
///
/// Each token has `banks/M` banks, over which its outputs are spread: output `n` lies in bank `n mod (banks/M)` of them.
pub fn accumulator<'m>(m: &'m Scope, cfg: &CoreConfig) {
    let (units, banks) = (cfg.epilogue.units, cfg.max_batch());
    m.doc("Accumulators: adds the sums of the epilogue units to the exact accumulators of one output, for each token.");
    m.param("epilogue.units", units);
    m.param("banks", banks);
    m.param("buffers.max_n_block", cfg.buffers.max_n_block);
    m.param("acc_bits", cfg.acc_bits());
    let access = m.inputs("access", access_widths(cfg));
    let unit_bits = epilogue_unit::sum_bits(cfg);
    let sums = m.inputs("sum", Sum { value: units * unit_bits, nan: units, inf_plus: units, inf_minus: units });

    // Cycle 0: for each number of tokens, the sums of each, up to the propagation of carries.
    let by_tokens = token_sums(m, cfg, sums);
    let access_q = delay(access, 1);
    let bank_module = m.define(BANK, |m| bank(m, cfg));
    let results: Vec<Sum<Signal>> = (0..banks)
        .map(|number| {
            let bank = m.instance(&format!("u_bank{number}"), &bank_module);
            // Of the banks of a token, the one in which the output lies.
            let Access { valid, address: output, first, last, split } = access_q;
            let mine = batch::choose(cfg, split, |tokens| in_bank(m, output, number, banks / tokens));
            let address = batch::choose(cfg, split, |tokens| {
                let spread = (banks / tokens).trailing_zeros();
                super::fit(output.zext(output.width() + spread + 1).bits_from(spread), bank_address_bits(cfg))
            });
            let of = |field: fn(&Sum<Signal<'m>>) -> Signal<'m>| {
                batch::choose(cfg, split, |tokens| {
                    let token = number / (banks / tokens);
                    field(&by_tokens[tokens.trailing_zeros() as usize][token as usize])
                })
            };
            let sum = Sum {
                value: of(|s| s.value),
                nan: of(|s| s.nan),
                inf_plus: of(|s| s.inf_plus),
                inf_minus: of(|s| s.inf_minus),
            };
            let access = BankAccess { valid: valid & mine, address, first, last };
            bank.set_bundle("access", access).set_bundle("sum", sum);
            bank.get_bundle("result")
        })
        .collect();

    // The finished sums of all tokens come at once and leave one after the other.
    let Access { valid, address, last, split, .. } = access_q;
    let sent = (valid & last).named("sent").pipe_reset("sent", LATENCY - 1);
    let split = split.pipe("split", LATENCY - 1);
    let low = address.trunc(banks.trailing_zeros().max(1).min(address.width())).pipe("low", LATENCY - 1);
    if banks == 1 {
        low.discard();
    }
    let packed: Vec<Signal> = results.iter().map(|r| m.pack(&[r.value, r.nan, r.inf_plus, r.inf_minus])).collect();
    let mut following = None;
    let (mut waiting, mut more) = (m.low(), m.low());
    for token in (1..banks).rev() {
        // Takes its place in the queue of tokens when the sums come, and moves up in every cycle after that.
        let comes = batch::choose(cfg, split, |tokens| if token < tokens { m.high() } else { m.low() });
        let own = batch::choose(cfg, split, |tokens| {
            let spread = banks / tokens;
            if token < tokens { of_output(&packed, token * spread, spread, low) } else { packed[0] }
        });
        let next = following.map_or(own, |following| sent.mux(own, following));
        following = Some(next.reg(&format!("token{token}")));
        more = waiting;
        waiting = sent.mux(comes, waiting).reg_reset(&format!("waits{token}"));
    }
    let present = batch::choose(cfg, split, |tokens| of_output(&packed, 0, banks / tokens, low));
    let result = following.map_or(present, |following| sent.mux(present, following)).named("result_now");
    let width = cfg.acc_bits();
    let (valid, ends) = match following {
        Some(_) => {
            let alone = batch::choose(cfg, split, |tokens| if tokens == 1 { m.high() } else { m.low() });
            (sent | waiting, sent.mux(alone, !more))
        }
        None => (sent, m.high()),
    };
    m.output("result_valid", valid);
    m.output("result_final", ends);
    m.outputs(
        "result",
        Sum {
            value: result.trunc(width),
            nan: result.bit(width),
            inf_plus: result.bit(width + 1),
            inf_minus: result.bit(width + 2),
        },
    );
}

bundle! {
    /// What concerns one bank.
    pub BankAccess { valid, address, first, last }
}

/// Bits of an address within a bank.
fn bank_address_bits(cfg: &CoreConfig) -> u32 {
    Scope::index_width(cfg.buffers.max_n_block.div_ceil(cfg.max_batch()))
}

/// Describes a bank: memory and adder. Its `sum` and `access` belong together; `result` follows two cycles later.
pub fn bank(m: &Scope, cfg: &CoreConfig) {
    let width = cfg.acc_bits();
    m.doc("Bank of accumulators: adds to one of them per cycle.");
    m.param("acc_bits", width);
    let address = bank_address_bits(cfg);
    let access = m.inputs("access", BankAccess { valid: 1, address, first: 1, last: 1 });
    let sum = m.inputs("sum", result_widths(cfg));

    // Cycle 2: what the accumulator holds.
    let new = sum.map(|field, s| s.reg(&format!("sum_{field}_q")));
    let first = access.first.reg("first_q");
    let keep = (access.valid & !access.last).named("keep").reg_reset("keep_q1");
    let memory = m.mem("acc", cfg.buffers.max_n_block.div_ceil(cfg.max_batch()), width + 3);
    let held = memory.read_en(access.address, access.valid).named("held").gate(!first);

    // Cycle 3: the new sum, kept or sent on.
    let result = Sum {
        value: (held.trunc(width) + new.value).reg("result"),
        nan: (held.bit(width) | new.nan).reg("result_nan"),
        inf_plus: (held.bit(width + 1) | new.inf_plus).reg("result_inf_plus"),
        inf_minus: (held.bit(width + 2) | new.inf_minus).reg("result_inf_minus"),
    };
    let word = m.pack(&[result.value, result.nan, result.inf_plus, result.inf_minus]);
    memory.write(access.address.pipe("address", 2), word, keep.reg("keep_q2"));
    m.outputs("result", result);
}

/// For each number of tokens, the sum of each of them over its units, a cycle later: registers are between the carry-save
/// trees and the propagation of carries.
fn token_sums<'m>(m: &'m Scope, cfg: &CoreConfig, sums: Sum<Signal<'m>>) -> Vec<Vec<Sum<Signal<'m>>>> {
    let (units, unit_bits, width) = (cfg.epilogue.units, epilogue_unit::sum_bits(cfg), cfg.acc_bits());
    let extend = |s: Signal<'m>| if width >= unit_bits { s.sext(width) } else { s.trunc(width) };
    let of_units = sums.value.split(unit_bits);
    // Needed as they are where a token has one unit or two.
    let held: Vec<Signal> = match units.is_power_of_two() {
        true => of_units.iter().enumerate().map(|(unit, sum)| sum.reg(&format!("unit{unit}_q"))).collect(),
        false => Vec::new(),
    };
    let flags = [("nan", sums.nan), ("inf_plus", sums.inf_plus), ("inf_minus", sums.inf_minus)];
    let [nan, inf_plus, inf_minus] = flags.map(|(name, flags)| flags.reg(&format!("{name}_q")));
    let sum = |tokens: u32, token: u32| {
        let each = units / tokens;
        let first = (token * each) as usize;
        let value = match each {
            1 => extend(held[first]),
            2 => extend(held[first]) + extend(held[first + 1]),
            _ => {
                let terms: Vec<Signal> = of_units[first..][..each as usize].iter().map(|sum| extend(*sum)).collect();
                let (partial, carry) = csa::reduce(m, &terms);
                let name = |what| format!("{what}{token}_of{tokens}");
                partial.reg(&name("partial")) + carry.reg(&name("carry"))
            }
        };
        let any = |flags: Signal<'m>| flags.slice(token * each, each).any();
        Sum { value, nan: any(nan), inf_plus: any(inf_plus), inf_minus: any(inf_minus) }
    };
    batch::choices(cfg).map(|tokens| (0..tokens).map(|token| sum(tokens, token)).collect()).collect()
}

/// Whether an output lies in bank `number`, if the outputs of a token are spread over `spread` banks.
fn in_bank<'m>(m: &'m Scope, output: Signal<'m>, number: u32, spread: u32) -> Signal<'m> {
    let bits = spread.trailing_zeros();
    match bits {
        0 => m.high(),
        _ if bits > output.width() => {
            let wide = output.zext(bits);
            wide.eq(u64::from(number % spread))
        }
        _ => output.trunc(bits).eq(u64::from(number % spread)),
    }
}

/// The word of the bank in which an output lies, of `spread` banks from `first` on. `low` are low bits of its number.
fn of_output<'m>(words: &[Signal<'m>], first: u32, spread: u32, low: Signal<'m>) -> Signal<'m> {
    let own = &words[first as usize..(first + spread) as usize];
    if spread == 1 { own[0] } else { super::fit(low, spread.trailing_zeros()).select(own) }
}
