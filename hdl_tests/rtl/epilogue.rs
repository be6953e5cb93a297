//! An epilogue unit: banks, lookups, exact sums; running INT8 sums.

use crate::bench::{config, pipeline, set_packed, simulate, unpack};
use crate::depths::depths;
use crate::values::{any, finite};
use eva_rtl::golden::{Accumulator, decode_fp16};
use eva_rtl::hdl::Bits;
use eva_rtl::hdl::sim::Simulator;
use eva_rtl::rtl::epilogue_unit;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Fills both halves of all banks through the write ports, then looks up random indices.
fn check(rows: u32, segments: u32, stages: u32, seed: u64) -> u64 {
    let mut cfg = config(4, segments);
    cfg.array.rows = rows;
    cfg.pipeline.epilogue = stages;
    cfg.epilogue.units = 3;
    let n = cfg.vq.index_bits;
    let entries = cfg.entries() as usize;
    let lookups = cfg.pass_vectors() as usize;
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut sim = simulate(epilogue_unit::NAME, |m| epilogue_unit::epilogue_unit(m, &cfg));
    let input = |sim: &Simulator, name: &str| sim.input(name).unwrap();
    let number = 1;
    let port = input(&sim, "number");
    sim.set_u64(port, number);
    let int8 = input(&sim, "int8");
    sim.set_u64(int8, 0);

    // content[half][bank][entry]; results of other units pass by and must leave no trace.
    let spread = rng.random_range(1..16);
    let mut value = |special: bool| if special { any(&mut rng) } else { finite(&mut rng, 15, spread) };
    let content: Vec<Vec<Vec<u16>>> = (0..2)
        .map(|half| (0..lookups).map(|_| (0..entries).map(|e| value(half == 1 && e < 4)).collect()).collect())
        .collect();
    let [valid, index, pass, half, y] =
        ["in_valid", "in_index", "in_pass", "in_half", "in_y"].map(|name| input(&sim, name));
    for unit in [0, 1, 2] {
        for (h, banks) in content.iter().enumerate() {
            for e in 0..entries {
                let row_wise = |v: u64| vec![v; rows as usize];
                let words: Vec<u64> = banks
                    .iter()
                    .map(|bank| if unit == number { bank[e] } else { 0x1234 ^ bank[e] })
                    // The array gives each result twice.
                    .map(|value| u64::from(value) * 0x1_0001)
                    .collect();
                // After its own results come those of unit 2, and before them those of unit 0.
                set_packed(&mut sim, valid, row_wise(1), 1);
                set_packed(&mut sim, index, row_wise(e as u64), n);
                set_packed(&mut sim, pass, row_wise(unit), 2);
                set_packed(&mut sim, half, row_wise(h as u64), 1);
                set_packed(&mut sim, y, words, 32);
                sim.step();
            }
        }
    }
    set_packed(&mut sim, valid, [], 1);

    let [index, half, valid] = ["index", "half", "valid"].map(|name| input(&sim, name));
    let psum = sim.output("psum").unwrap();
    let [value, nan, plus, minus] =
        ["sum_value", "sum_nan", "sum_inf_plus", "sum_inf_minus"].map(|name| sim.output(name).unwrap());
    // Half, indices, and whether a lookup is wanted at all.
    let lookups: Vec<(usize, Vec<u64>, bool)> = (0..2000)
        .map(|_| {
            let indices = (0..lookups).map(|_| rng.random_range(0..entries as u64)).collect();
            (rng.random_range(0..2), indices, rng.random_ratio(7, 8))
        })
        .collect();
    pipeline(
        &mut sim,
        epilogue_unit::latency(&cfg),
        lookups,
        |sim, (h, indices, wanted)| {
            set_packed(sim, index, indices.iter().copied(), n);
            sim.set_u64(half, *h as u64);
            sim.set_u64(valid, (*wanted).into());
        },
        |sim, (h, indices, wanted)| {
            assert!(sim.get_words(psum).iter().all(|word| *word == 0), "INT8 sums in FP16 mode");
            if !wanted {
                return;
            }
            let expected: Accumulator =
                indices.iter().enumerate().map(|(bank, i)| decode_fp16(content[*h][bank][*i as usize])).collect();
            let flags = [nan, plus, minus].map(|flag| sim.get_u64(flag) == 1);
            assert_eq!(flags, [expected.nan, expected.positive_infinity, expected.negative_infinity]);
            if flags == [false; 3] {
                assert_eq!(sim.get(value), Bits::from_i128(expected.finite, epilogue_unit::sum_bits(&cfg)));
            }
        },
    )
}

#[test]
fn sums_are_exact_at_every_depth() {
    let mut seed = 20;
    for stages in depths("epilogue") {
        for (rows, segments) in [(2, 1), (4, 2), (7, 3), (32, 1)] {
            seed += 1;
            assert_eq!(check(rows, segments, stages, seed), 2000);
        }
    }
}

/// Running INT8 sums: random writes and reads of all rows in every cycle, with those of other units among them. Reads
/// give what was written, but 0 to lanes that start and to those whose sum another unit holds.
fn check_sums(rows: u32, segments: u32, stages: u32, seed: u64) -> u64 {
    let mut cfg = config(4, segments);
    cfg.array.rows = rows;
    cfg.pipeline.epilogue = stages;
    cfg.epilogue.units = 3;
    let n = cfg.vq.index_bits;
    let (rows, lanes, segments) = (rows as usize, cfg.lanes() as usize, segments as usize);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut sim = simulate(epilogue_unit::NAME, |m| epilogue_unit::epilogue_unit(m, &cfg));
    let number = rng.random_range(0..3);
    let input = |sim: &Simulator, name: &str| sim.input(name).unwrap();
    // Lookups of the other mode do not matter.
    for (name, value) in [("number", number), ("int8", 1), ("valid", 1), ("half", 1)] {
        let port = input(&sim, name);
        sim.set_u64(port, value);
    }
    let [in_valid, in_index, in_pass, in_half, in_y, read_valid, read_index, read_pass, read_first] =
        ["in_valid", "in_index", "in_pass", "in_half", "in_y", "read_valid", "read_index", "read_pass", "read_first"]
            .map(|name| input(&sim, name));
    let psum = sim.output("psum").unwrap();
    // The mode comes before anything else.
    sim.step();

    // held[lane][address], as far as something has been written.
    let mut held = vec![vec![None::<u32>; cfg.entries() as usize]; lanes];
    let mut expected: Vec<Option<u32>> = vec![None; lanes];
    let mut checked = 0;
    for _ in 0..3000 {
        let words = sim.get_words(psum).to_vec();
        for (lane, expected) in expected.iter().enumerate() {
            if let Some(expected) = expected {
                assert_eq!(unpack(&words, lane, 32), u64::from(*expected), "lane {lane}");
                checked += u64::from(*expected != 0);
            }
        }

        // A row does not read what it writes.
        let draw = |rng: &mut ChaCha8Rng| {
            let address: usize = rng.random_range(0..cfg.entries() as usize);
            let unit = if rng.random() { number } else { rng.random_range(0..3) };
            (rng.random_ratio(5, 6), address, unit)
        };
        let writes: Vec<_> = (0..rows).map(|_| draw(&mut rng)).collect();
        let reads: Vec<_> = writes
            .iter()
            .map(|write| std::iter::repeat_with(|| draw(&mut rng)).find(|read| read.1 != write.1).expect("another"))
            .collect();
        let y: Vec<u32> = (0..lanes).map(|_| rng.random()).collect();
        let firsts: Vec<bool> = (0..lanes).map(|_| rng.random_ratio(1, 4)).collect();
        set_packed(&mut sim, in_valid, writes.iter().map(|w| w.0.into()), 1);
        set_packed(&mut sim, in_index, writes.iter().map(|w| w.1 as u64), n);
        set_packed(&mut sim, in_pass, writes.iter().map(|w| w.2), 2);
        set_packed(&mut sim, in_half, writes.iter().map(|_| rng.random_range(0..2)), 1);
        set_packed(&mut sim, in_y, y.iter().map(|y| u64::from(*y)), 32);
        set_packed(&mut sim, read_valid, reads.iter().map(|r| r.0.into()), 1);
        set_packed(&mut sim, read_index, reads.iter().map(|r| r.1 as u64), n);
        set_packed(&mut sim, read_pass, reads.iter().map(|r| r.2), 2);
        set_packed(&mut sim, read_first, firsts.iter().map(|f| (*f).into()), 1);
        sim.step();

        for lane in 0..lanes {
            let (valid, address, unit) = reads[lane / segments];
            let own = valid && unit == number && !firsts[lane];
            expected[lane] = if own { held[lane][address] } else { Some(0) };
            let (valid, address, unit) = writes[lane / segments];
            if valid && unit == number {
                held[lane][address] = Some(y[lane]);
            }
        }
    }
    checked
}

#[test]
fn running_sums_come_back() {
    for stages in depths("epilogue") {
        for (rows, segments) in [(2, 1), (4, 2), (7, 3)] {
            let checked = check_sums(rows, segments, stages, u64::from(10 * stages + rows));
            assert!(checked > 500 * u64::from(rows * segments), "{checked}");
        }
    }
}
