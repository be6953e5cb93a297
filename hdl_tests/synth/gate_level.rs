//! What Yosys makes of a PE, a row and an epilogue unit computes what the golden model does.

use eva_rtl::config::CoreConfig;
use eva_rtl::golden::{self, Accumulator, Value, decode_fp16};
use eva_rtl::hdl::{Design, Scope, elaborate};
use eva_rtl::rtl::{self, epilogue_unit, pe::PRODUCT, row};
use eva_rtl::synth::{Mapping, Netlist};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::asic::cells;
use super::gates::{Response, Stimuli, simulate};
use super::{map, one_at_a_time, shared_cache, tools};
use crate::bench::{config, pack};
use crate::values::{any, corners, finite};
use crate::whole::{whole_pe, whole_row};

fn design(name: &str, describe: impl FnOnce(&Scope)) -> Design {
    elaborate(name, rtl::clocking(), describe).expect("elaborates").design
}

fn netlist(design: &Design) -> Netlist {
    map(design, Mapping::Asic(Box::new(cells())), None, shared_cache(), &tools()).netlist
}

fn halves(values: &[u16]) -> Vec<u64> {
    pack(values.iter().map(|v| u64::from(*v)), 16)
}

fn bytes(values: &[i8]) -> Vec<u64> {
    pack(values.iter().map(|v| u64::from(*v as u8)), 8)
}

/// More cycles than a result takes to leave.
fn idle(stimuli: &mut Stimuli) {
    for _ in 0..10 {
        stimuli.step();
    }
}

/// FP16 and INT8 operands of a PE, and in which cycle each entered.
struct PeWork {
    stimuli: Stimuli,
    fp16: Vec<(usize, u16, u16)>,
    int8: Vec<(usize, [i8; 4], [i8; 4])>,
}

impl PeWork {
    fn new(design: &Design) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(31);
        let mut stimuli = Stimuli::new(design);
        stimuli.set("load", vec![1]);
        stimuli.set("live", vec![1]);
        let corners = corners();
        let crossed = corners.iter().flat_map(|a| corners.iter().map(|b| (*a, *b)));
        let pairs: Vec<_> = crossed.chain((0..3000).map(|_| (any(&mut rng), any(&mut rng)))).collect();
        let fp16 = pairs.into_iter().map(|(w, x)| {
            stimuli.set("w_fp16", halves(&[w]));
            stimuli.set("x_fp16", halves(&[x]));
            (stimuli.step(), w, x)
        });
        let fp16 = fp16.collect();
        idle(&mut stimuli);
        stimuli.set("int8", vec![1]);
        let mut draw = |i: u32| -> [i8; 4] {
            let edge = [-128, 127, -1, 0];
            [0; 4].map(|_| if i.is_multiple_of(2) { *edge.choose(&mut rng).unwrap() } else { rng.random() })
        };
        let int8 = (0..3000).map(|i| {
            let (w, x) = (draw(i), draw(i / 2));
            stimuli.set("w_int8", bytes(&w));
            stimuli.set("x_int8", bytes(&x));
            (stimuli.step(), w, x)
        });
        let int8 = int8.collect();
        idle(&mut stimuli);
        Self { stimuli, fp16, int8 }
    }

    /// The first product that is wrong.
    fn mistake(&self, response: &Response, latency: usize) -> Option<String> {
        let read = |cycle: usize| {
            let of = |name| response.get(cycle + latency, name);
            let [value, exponent, nan, inf] = ["p_value", "p_exponent", "p_nan", "p_inf"].map(of);
            Some(((value? as i128) << (128 - PRODUCT) >> (128 - PRODUCT), exponent?, nan? == 1, inf? == 1))
        };
        for (cycle, w, x) in &self.fp16 {
            let seen = read(*cycle);
            let is_right =
                seen.is_some_and(|(value, exponent, nan, inf)| match decode_fp16(*w).product(decode_fp16(*x)) {
                    Value::Nan => nan,
                    Value::Infinity { negative } => (nan, inf, value < 0) == (false, true, negative),
                    // In units of 2^-50, which no product undercuts.
                    Value::Finite { mantissa, exponent: unit } => {
                        (nan, inf) == (false, false) && value << exponent == mantissa << (unit + 50)
                    }
                });
            if !is_right {
                return Some(format!("{w:04x} * {x:04x} gives {seen:?}"));
            }
        }
        self.int8.iter().find_map(|(cycle, w, x)| {
            let expected: i128 = w.iter().zip(x).map(|(w, x)| i128::from(*w) * i128::from(*x)).sum();
            // The exponent is that of a value that is not shifted.
            let seen = read(*cycle).map(|(value, exponent, ..)| (value, exponent));
            (seen != Some((expected, 2))).then(|| format!("{w:?} . {x:?} gives {seen:?}, not {expected}"))
        })
    }
}

#[test]
fn gates_of_a_pe_multiply_and_a_wrong_gate_is_noticed() {
    let _lock = one_at_a_time();
    let cfg = config(4, 1);
    let design = design("eva_whole_pe", |m| whole_pe(m, &cfg));
    let mut netlist = netlist(&design);
    let work = PeWork::new(&design);
    let latency = 2 + cfg.pipeline.pe as usize;
    let run = |netlist: &Netlist| work.mistake(&simulate(&design, netlist, &tools(), &work.stimuli), latency);
    assert_eq!(run(&netlist), None);

    // One gate in the middle of the PE.
    let (_, text) = netlist.modules.iter_mut().find(|(name, _)| name == "eva_pe").unwrap();
    let gates: Vec<usize> = text.match_indices(" NAND2X1 ").map(|(at, _)| at).collect();
    let at = gates[gates.len() / 2];
    text.replace_range(at..at + " NAND2X1 ".len(), " NOR2X1 ");
    assert!(run(&netlist).is_some(), "a NOR in the place of a NAND");
}

/// Vectors of a row: corner values, any values, and such that cancel.
fn vectors(cfg: &CoreConfig, rng: &mut ChaCha8Rng, count: usize) -> Vec<Vec<u16>> {
    let corners = corners();
    let mut draw = |kind: usize| match kind % 4 {
        0 => *corners.choose(rng).unwrap(),
        1 => any(rng),
        2 => finite(rng, 15, 2),
        _ => finite(rng, 1, 3),
    };
    (0..count).map(|i| (0..cfg.fp16_cols()).map(|_| draw(i)).collect()).collect()
}

#[test]
fn gates_of_a_row_sum_and_round() {
    let _lock = one_at_a_time();
    let cfg = config(4, 1);
    let design = design("eva_whole_row", |m| whole_row(m, &cfg));
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let mut stimuli = Stimuli::new(&design);
    stimuli.set("load", vec![1]);
    stimuli.set("live", vec![u64::MAX]);
    let (xs, ws) = (vectors(&cfg, &mut rng, 1500), vectors(&cfg, &mut rng, 1500));
    let fp16: Vec<usize> = xs
        .iter()
        .zip(&ws)
        .map(|(x, w)| {
            stimuli.set("x_fp16", halves(x));
            stimuli.set("w_fp16", halves(w));
            stimuli.step()
        })
        .collect();
    idle(&mut stimuli);
    stimuli.set("int8", vec![1]);
    let mut word = || -> Vec<i8> {
        let extreme = rng.random_ratio(1, 3);
        (0..4 * cfg.fp16_cols())
            .map(|_| if extreme { *[-128, 127].choose(&mut rng).unwrap() } else { rng.random() })
            .collect()
    };
    let int8: Vec<(Vec<i8>, Vec<i8>)> = (0..1000).map(|_| (word(), word())).collect();
    let int8: Vec<_> = int8
        .into_iter()
        .map(|(x, w)| {
            let psum: i32 = rng.random();
            stimuli.set("x_int8", bytes(&x));
            stimuli.set("w_int8", bytes(&w));
            stimuli.set("psum", vec![u64::from(psum as u32)]);
            let sum: i64 = x.iter().zip(&w).map(|(x, w)| i64::from(*x) * i64::from(*w)).sum();
            (stimuli.step(), (sum + i64::from(psum)) as u32)
        })
        .collect();
    idle(&mut stimuli);

    let response = simulate(&design, &netlist(&design), &tools(), &stimuli);
    let latency = 1 + row::latency(&cfg) as usize;
    for (cycle, (x, w)) in fp16.into_iter().zip(xs.iter().zip(&ws)) {
        let expected = u128::from(golden::dot(x, w)) * 0x1_0001;
        assert_eq!(response.get(cycle + latency, "y"), Some(expected), "{x:04x?} . {w:04x?}");
    }
    for (cycle, expected) in int8 {
        assert_eq!(response.get(cycle + latency, "y"), Some(expected.into()), "INT8, cycle {cycle}");
    }
}

/// One of two epilogue units with four banks.
fn epilogue() -> (CoreConfig, Design) {
    let mut cfg = config(4, 1);
    cfg.array.rows = 4;
    cfg.epilogue.units = 2;
    let design = design(epilogue_unit::NAME, |m| epilogue_unit::epilogue_unit(m, &cfg));
    (cfg, design)
}

#[test]
fn gates_of_an_epilogue_unit_look_up_and_sum() {
    let _lock = one_at_a_time();
    let (cfg, design) = epilogue();
    let (n, banks, entries) = (cfg.vq.index_bits, cfg.lanes() as usize, cfg.entries() as usize);
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    let mut stimuli = Stimuli::new(&design);
    let corners = corners();
    // content[half][bank][entry], written through the ports; a result for another unit in between leaves no trace.
    let mut value = |half: usize| match half {
        0 => finite(&mut rng, 15, 8),
        _ => *corners.choose(&mut rng).unwrap(),
    };
    let content: Vec<Vec<Vec<u16>>> =
        (0..2).map(|half| (0..banks).map(|_| (0..entries).map(|_| value(half)).collect()).collect()).collect();
    stimuli.set("number", vec![1]);
    let each = |value: u64, width: u32| pack(vec![value; banks], width);
    for pass in [1, 0] {
        for (half, banks) in content.iter().enumerate() {
            for entry in 0..entries {
                let words =
                    banks.iter().map(|bank| u64::from(bank[entry] ^ if pass == 1 { 0 } else { 0x1234 }) * 0x1_0001);
                stimuli.set("in_valid", each(1, 1));
                stimuli.set("in_index", each(entry as u64, n));
                stimuli.set("in_pass", each(pass, 1));
                stimuli.set("in_half", each(half as u64, 1));
                stimuli.set("in_y", pack(words, 32));
                stimuli.step();
            }
        }
    }
    stimuli.set("in_valid", Vec::new());
    stimuli.set("valid", vec![1]);
    let lookups: Vec<_> = (0..2000)
        .map(|_| {
            let half = rng.random_range(0..2usize);
            let indices: Vec<u64> = (0..banks).map(|_| rng.random_range(0..entries as u64)).collect();
            stimuli.set("half", vec![half as u64]);
            stimuli.set("index", pack(indices.iter().copied(), n));
            let sum: Accumulator =
                indices.iter().zip(&content[half]).map(|(i, bank)| decode_fp16(bank[*i as usize])).collect();
            (stimuli.step(), sum)
        })
        .collect();
    idle(&mut stimuli);

    let response = simulate(&design, &netlist(&design), &tools(), &stimuli);
    let latency = epilogue_unit::latency(&cfg) as usize;
    let mut finite_sums = 0;
    for (cycle, sum) in lookups {
        let get = |name| response.get(cycle + latency, name);
        let flags = ["sum_nan", "sum_inf_plus", "sum_inf_minus"].map(|name| get(name).map(|bit| bit == 1));
        let expected = [sum.nan, sum.positive_infinity, sum.negative_infinity];
        assert_eq!(flags, expected.map(Some), "cycle {cycle}");
        if expected == [false; 3] {
            let mask = (1 << epilogue_unit::sum_bits(&cfg)) - 1;
            assert_eq!(get("sum_value"), Some(sum.finite as u128 & mask), "cycle {cycle}");
            finite_sums += 1;
        }
        assert_eq!(get("psum"), Some(0), "no INT8 sums in FP16 mode");
    }
    assert!(finite_sums > 500, "{finite_sums}");
}

/// Sums at the edges of 32 bits, of the halves they are kept in, and of FP16's special values in these.
const SUMS: [u32; 9] = [0, 1, u32::MAX, i32::MAX as u32, i32::MIN as u32, 0xffff, 0x1_0000, 0x7c00_7c00, 0xfe00_fc00];

/// Writes and reads of all rows in every cycle; a read gives what was written last, but 0 to lanes whose sum starts and to
/// those whose sum the other unit holds.
#[test]
fn gates_of_an_epilogue_unit_keep_running_sums() {
    let _lock = one_at_a_time();
    let (cfg, design) = epilogue();
    let (n, rows, entries) = (cfg.vq.index_bits, cfg.array.rows as usize, cfg.entries() as usize);
    assert_eq!(cfg.lanes() as usize, rows);
    let mut rng = ChaCha8Rng::seed_from_u64(34);
    let mut stimuli = Stimuli::new(&design);
    stimuli.set("number", vec![1]);
    stimuli.set("int8", vec![1]);
    // The mode comes before anything else.
    stimuli.step();

    let mut held = vec![vec![0; entries]; rows];
    let mut reads = Vec::new();
    for step in 0..3000 {
        // First all addresses in turn. Meanwhile every sum starts: what no one has written does not get out.
        let filled = step >= entries;
        let write: Vec<(usize, bool)> = (0..rows)
            .map(|_| if filled { (rng.random_range(0..entries), rng.random_ratio(2, 3)) } else { (step, true) })
            .collect();
        // A row does not read what it writes.
        let read: Vec<(usize, bool)> = write
            .iter()
            .map(|(other, _)| ((other + rng.random_range(1..entries)) % entries, rng.random_ratio(2, 3)))
            .collect();
        let mut sum = || if rng.random() { *SUMS.choose(&mut rng).unwrap() } else { rng.random() };
        let sums: Vec<u32> = (0..rows).map(|_| sum()).collect();
        let first: Vec<bool> = (0..rows).map(|_| !filled || rng.random_ratio(1, 4)).collect();
        let mut valid = || -> Vec<bool> { (0..rows).map(|_| !filled || rng.random_ratio(5, 6)).collect() };
        let (write_valid, read_valid) = (valid(), valid());
        let each = |of: &dyn Fn(usize) -> u64, width: u32| pack((0..rows).map(of), width);
        stimuli.set("in_valid", each(&|row| write_valid[row].into(), 1));
        stimuli.set("in_index", each(&|row| write[row].0 as u64, n));
        stimuli.set("in_pass", each(&|row| write[row].1.into(), 1));
        stimuli.set("in_y", each(&|row| sums[row].into(), 32));
        stimuli.set("read_valid", each(&|row| read_valid[row].into(), 1));
        stimuli.set("read_index", each(&|row| read[row].0 as u64, n));
        stimuli.set("read_pass", each(&|row| read[row].1.into(), 1));
        stimuli.set("read_first", each(&|row| first[row].into(), 1));
        // What belongs to the other mode makes no difference.
        for (name, width) in [("in_half", rows as u32), ("half", 1), ("valid", 1), ("index", n * rows as u32)] {
            stimuli.set(name, vec![rng.random::<u64>() & (u64::MAX >> (64 - width))]);
        }
        let expected = (0..rows).map(|row| {
            let is_own = read_valid[row] && read[row].1 && !first[row];
            if is_own { held[row][read[row].0] } else { 0 }
        });
        let expected: Vec<u32> = expected.collect();
        reads.push((stimuli.step(), expected));
        for row in (0..rows).filter(|row| write_valid[*row] && write[*row].1) {
            held[row][write[row].0] = sums[row];
        }
    }
    idle(&mut stimuli);

    let response = simulate(&design, &netlist(&design), &tools(), &stimuli);
    let mut sums = 0;
    for (cycle, expected) in reads {
        let packed = expected.iter().rev().fold(0, |all, sum| all << 32 | u128::from(*sum));
        assert_eq!(response.get(cycle + 1, "psum"), Some(packed), "cycle {cycle}: {expected:08x?}");
        sums += expected.iter().filter(|sum| **sum != 0).count();
    }
    assert!(sums > 2000, "{sums}");
}
