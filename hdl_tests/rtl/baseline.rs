//! The plain INT8 array: matrix products against integer arithmetic, with weights that change while activations stream.

use crate::bench::{pipeline, simulate};
use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::bits::Bits;
use eva_rtl::rtl::baseline::{array, pe, row};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// All pairs of operands, with a new weight in every cycle, onto sums at the ends of their range and anywhere.
#[test]
fn all_pairs_on_several_partial_sums() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut sim = simulate(pe::NAME, pe::pe);
    let [a_in, w_in, load, sum_in] = ["a_in", "w_in", "load", "sum_in"].map(|name| sim.input(name).unwrap());
    let [a_out, sum_out] = ["a_out", "sum_out"].map(|name| sim.output(name).unwrap());
    sim.set_u64(load, 1);
    for sum in [Some(0), Some(-1), Some(i32::MIN), Some(i32::MAX), None, None] {
        // The sum enters one cycle after the operands, so each stimulus brings that of the one before.
        let mut before = 0;
        let mut stimuli: Vec<(i8, i8, i32, i32)> = Vec::new();
        for pair in 0..=u16::MAX {
            let [a, w] = pair.to_le_bytes().map(|byte| byte as i8);
            let sum = sum.unwrap_or_else(|| rng.random());
            stimuli.push((a, w, before, sum));
            before = sum;
        }
        stimuli.push((1, 1, before, before));
        let checked = pipeline(
            &mut sim,
            2,
            stimuli,
            |sim, (a, w, before, _)| {
                sim.set_u64(a_in, u64::from(*a as u8));
                sim.set_u64(w_in, u64::from(*w as u8));
                sim.set_u64(sum_in, u64::from(*before as u32));
            },
            |sim, (a, w, _, sum)| {
                let expected = sum.wrapping_add(i32::from(*a) * i32::from(*w));
                assert_eq!(sim.get_u64(sum_out) as u32 as i32, expected, "{sum} + {a} * {w}");
            },
        );
        assert_eq!(checked, 65537);
    }

    // Without `load` the weight stays; activations pass in one cycle.
    for (cycle, w) in [(0, 3), (1, 5), (2, 7)] {
        sim.set_u64(load, u64::from(cycle == 0));
        sim.set_u64(w_in, w);
        sim.set_u64(a_in, 10 + cycle);
        sim.set_u64(sum_in, 1000);
        sim.step();
        assert_eq!(sim.get_u64(a_out), 10 + cycle);
    }
    sim.step();
    assert_eq!(sim.get_u64(sum_out), 1000 + 3 * 12);
}

/// Activations, one vector per cycle, in tiles that each have weights of their own.
struct Stream {
    activations: Vec<Vec<i8>>,
    /// For each vector what the products of each row are added to.
    sums: Vec<Vec<i32>>,
    /// First vector of each tile, and its weights by row and column.
    tiles: Vec<(usize, Vec<Vec<i8>>)>,
}

impl Stream {
    fn random(rng: &mut impl Rng, rows: usize, cols: usize, tiles: usize) -> Stream {
        let mut stream = Stream { activations: Vec::new(), sums: Vec::new(), tiles: Vec::new() };
        for _ in 0..tiles {
            let start = stream.activations.len();
            stream.tiles.push((start, (0..rows).map(|_| vector(rng, cols)).collect()));
            // Shorter ones would have two rows take their weights from the bus at once.
            for _ in 0..rows + rng.random_range(0..2 * rows) {
                stream.activations.push(vector(rng, cols));
                stream.sums.push((0..rows).map(|_| rng.random()).collect());
            }
        }
        stream
    }

    fn is_start(&self, time: usize) -> bool {
        self.tiles.iter().any(|(start, _)| *start == time)
    }

    /// What is on column `column` of the bus, `time` cycles after the first activation came to it.
    fn weight(&self, time: usize, column: usize) -> Option<i8> {
        let (start, weights) = self.tiles.iter().rfind(|(start, _)| *start <= time)?;
        Some(weights.get(time - start)?[column])
    }

    fn expected(&self, time: usize, row: usize) -> i32 {
        let (_, weights) = self.tiles.iter().rfind(|(start, _)| *start <= time).unwrap();
        let products = weights[row].iter().zip(&self.activations[time]).map(|(w, a)| i32::from(*w) * i32::from(*a));
        self.sums[time][row].wrapping_add(products.sum())
    }
}

/// Often of one extreme value.
fn vector(rng: &mut impl Rng, len: usize) -> Vec<i8> {
    match rng.random_range(0..6) {
        0 => vec![i8::MIN; len],
        1 => vec![i8::MAX; len],
        _ => (0..len).map(|_| rng.random()).collect(),
    }
}

/// Side by side in a port, element 0 lowest.
fn pack<T>(elements: impl IntoIterator<Item = T>, width: u32, bits: impl Fn(T) -> u64) -> Bits {
    let (mut words, mut position) = (vec![0_u64], 0_u32);
    for element in elements {
        words.resize(position as usize / 64 + 1, 0);
        words[position as usize / 64] |= bits(element) << (position % 64);
        position += width;
    }
    Bits::from_words(&words, position)
}

/// Streams `tiles` tiles through an array, or if there is one row, through the row alone; returns how many sums were
/// checked.
fn stream(rows: usize, cols: usize, tiles: usize, seed: u64) -> usize {
    let mut cfg = CoreConfig::preset("tiny").unwrap();
    (cfg.array.rows, cfg.array.cols) = (rows as u32, cols as u32);
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let stream = Stream::random(&mut rng, rows, cols, tiles);
    let is_row = rows == 1;
    let mut sim = if is_row {
        simulate(row::NAME, |m| row::row(m, &cfg))
    } else {
        simulate(array::NAME, |m| array::array(m, &cfg))
    };
    let [a, w, load, sum] = ["in_a", "in_w", "in_load", "in_sum"].map(|name| sim.input(name).unwrap());
    let out = sim.output(if is_row { "sum_out" } else { "sum" }).unwrap();
    let latency = row::latency(&cfg) as usize;
    let mut checked = 0;
    for cycle in 0..stream.activations.len() + latency + rows {
        let time = |delay: usize| cycle.checked_sub(delay);
        // Column j is j cycles late; whatever nobody takes is random.
        let activations: Vec<i8> = (0..cols)
            .map(|j| time(j).and_then(|t| stream.activations.get(t)).map_or_else(|| rng.random(), |vector| vector[j]))
            .collect();
        let weights: Vec<i8> =
            (0..cols).map(|j| time(j).and_then(|t| stream.weight(t, j)).unwrap_or_else(|| rng.random())).collect();
        let sums: Vec<i32> = (0..rows)
            .map(|r| time(r + 1).and_then(|t| stream.sums.get(t)).map_or_else(|| rng.random(), |sums| sums[r]))
            .collect();
        let loads = (0..if is_row { cols } else { 1 }).map(|j| time(j).is_some_and(|t| stream.is_start(t)));
        sim.set(a, &pack(activations, 8, |v| u64::from(v as u8)));
        sim.set(w, &pack(weights, 8, |v| u64::from(v as u8)));
        sim.set(load, &pack(loads, 1, u64::from));
        sim.set(sum, &pack(sums, 32, |v| u64::from(v as u32)));
        let got = sim.get_words(out).to_vec();
        for row in 0..rows {
            let Some(t) = time(row + latency).filter(|t| *t < stream.activations.len()) else { continue };
            let got = (got[row / 2] >> (row % 2 * 32)) as u32 as i32;
            assert_eq!(got, stream.expected(t, row), "seed {seed}: vector {t}, row {row} of {rows} x {cols}");
            checked += 1;
        }
        sim.step();
    }
    assert_eq!(checked, stream.activations.len() * rows);
    checked
}

#[test]
fn rows_multiply_vectors() {
    for (seed, cols) in [(1, 4), (2, 8), (3, 32), (4, 36)] {
        assert!(stream(1, cols, 2000, seed) >= 2000);
    }
}

#[test]
fn arrays_multiply_matrices() {
    for (seed, (rows, cols)) in [(2, 4), (3, 8), (8, 4), (16, 16), (32, 32)].into_iter().enumerate() {
        assert!(stream(rows, cols, 40, seed as u64) >= 40 * rows * rows);
    }
}
