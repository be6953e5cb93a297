//! A row: exact dot products with one rounding.

use crate::bench::config;
use crate::depths::depths;
use crate::values::{any, corners, finite, is_special};
use crate::whole::{Operands, Row};
use eva_rtl::config::CoreConfig;
use eva_rtl::golden;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Runs FP16 operands `(x, w)` through a row; returns how many dot products were checked.
fn check_fp16(row: &mut Row, cfg: &CoreConfig, operands: impl Iterator<Item = (Vec<u16>, Vec<u16>)>) -> u64 {
    let dim = cfg.vq.dim as usize;
    row.mode(false);
    row.run(operands.map(|(x, w)| Operands::Fp16 { x, w }), |operands, y| {
        let Operands::Fp16 { x, w } = operands else { unreachable!("FP16 only") };
        for ((xs, ws), got) in x.chunks(dim).zip(w.chunks(dim)).zip(y) {
            let expected = golden::dot(xs, ws);
            // The same in both halves.
            let twice = u32::from(expected) * 0x1_0001;
            assert_eq!(*got, twice, "got {got:08x}, expected {expected:04x} for {xs:04x?} . {ws:04x?}");
        }
    })
}

/// Runs INT8 operands through a row; returns how many sums were checked.
fn check_int8(row: &mut Row, cfg: &CoreConfig, operands: impl Iterator<Item = Operands>) -> u64 {
    let k_tile = cfg.k_tile() as usize;
    row.mode(true);
    row.run(operands, |operands, y| {
        let Operands::Int8 { x, w, psum } = operands else { unreachable!("INT8 only") };
        for (((xs, ws), psum), got) in x.chunks(k_tile).zip(w.chunks(k_tile)).zip(psum).zip(y) {
            let sum: i64 = xs.iter().zip(ws).map(|(x, w)| i64::from(*x) * i64::from(*w)).sum();
            let expected = (sum + i64::from(*psum)) as u32;
            assert_eq!(*got, expected, "{psum} + {xs:?} . {ws:?}");
        }
    })
}

/// Vectors with one or a few corner values among ordinary ones, and vectors of one corner value only.
fn corner_vectors(len: usize) -> Vec<Vec<u16>> {
    let corners = corners();
    let mut vectors: Vec<Vec<u16>> = corners.iter().map(|c| vec![*c; len]).collect();
    for (i, c) in corners.iter().enumerate() {
        let mut mixed: Vec<u16> =
            (0..len).map(|j| corners[(i * 7 + j * 5) % corners.len()]).filter(|v| !is_special(*v)).collect();
        mixed.resize(len, 0x3C00);
        mixed[i % len] = *c;
        vectors.push(mixed);
        // Opposite signs side by side: sums cancel.
        vectors.push((0..len).map(|j| c ^ (j as u16 & 1) << 15).collect());
    }
    vectors
}

#[test]
fn corner_vectors_crossed() {
    let cfg = config(8, 1);
    let vectors = corner_vectors(8);
    let crossed = vectors.iter().flat_map(|a| vectors.iter().map(|b| (a.clone(), b.clone())));
    assert_eq!(check_fp16(&mut Row::new(&cfg), &cfg, crossed), (vectors.len() * vectors.len()) as u64);
}

#[test]
fn a_million_random_vectors() {
    let cfg = config(8, 1);
    let mut rng = ChaCha8Rng::seed_from_u64(12);
    let mut draw = move |i: u32| -> Vec<u16> {
        (0..8)
            .map(|_| match i % 4 {
                0 => any(&mut rng),
                1 => finite(&mut rng, 15, 15),
                2 => finite(&mut rng, 15, 2),
                _ => finite(&mut rng, 1, 3),
            })
            .collect()
    };
    assert_eq!(check_fp16(&mut Row::new(&cfg), &cfg, (0..1_000_000).map(|i| (draw(i), draw(i / 4)))), 1_000_000);
}

/// Sums exactly between two neighbours, and a hair (2^-48) to either side, for every FP16 value.
fn ties() -> impl Iterator<Item = (Vec<u16>, Vec<u16>)> {
    const ONE: u16 = 0x3C00;
    const HAIR: u16 = 0x0001;
    (0..0x7C00u16).flat_map(|value| [value, value | 0x8000]).flat_map(|value| {
        let exponent = (value >> 10 & 31).max(1);
        // Half a unit in the last place, 2^(exponent - 26), as a product of two FP16 numbers.
        let (half_a, half_b) = if exponent > 11 { ((exponent - 11) << 10, ONE) } else { (1 << (exponent - 1), 0x3800) };
        let sign = value & 0x8000;
        [0, HAIR, HAIR | 0x8000].map(|hair| {
            let w = vec![value, half_a | sign, hair, 0, 0, 0, 0, 0];
            let x = vec![ONE, half_b, HAIR, 0, 0, 0, 0, 0];
            (x, w)
        })
    })
}

#[test]
fn all_ties() {
    let cfg = config(8, 1);
    assert_eq!(check_fp16(&mut Row::new(&cfg), &cfg, ties()), 0x7C00 * 6);
}

/// Vector lengths and numbers of segments with every register placement.
fn shapes_and_pipelines(mut check: impl FnMut(&CoreConfig)) {
    for (dim, segments) in [(1, 1), (2, 4), (4, 2), (8, 1), (8, 3), (16, 1), (32, 1)] {
        for pe in depths("pe") {
            for tree in depths("tree") {
                let mut cfg = config(dim, segments);
                cfg.pipeline.pe = pe;
                cfg.pipeline.tree = tree;
                check(&cfg);
            }
        }
    }
}

/// FP16 operands of a row, one in eight of any values, the others of exponents within a spread.
fn random_fp16(cfg: &CoreConfig, rng: &mut ChaCha8Rng, count: usize) -> Vec<(Vec<u16>, Vec<u16>)> {
    let spread = rng.random_range(1..16);
    let mut draw = |i: usize| {
        let value = |_| if i.is_multiple_of(8) { any(rng) } else { finite(rng, 14, spread) };
        (0..cfg.fp16_cols()).map(value).collect()
    };
    (0..count).map(|i| (draw(i), draw(i))).collect()
}

/// INT8 operands of a row, extreme values among them, and running sums at the edges of their range.
fn random_int8(cfg: &CoreConfig, rng: &mut ChaCha8Rng, count: usize) -> Vec<Operands> {
    let bytes = |rng: &mut ChaCha8Rng| -> Vec<i8> {
        let kind = rng.random_range(0..4);
        let byte = |rng: &mut ChaCha8Rng| match kind {
            0 => -128,
            1 => *[-128, 127].choose(rng).unwrap(),
            _ => rng.random(),
        };
        (0..4 * cfg.fp16_cols()).map(|_| byte(rng)).collect()
    };
    let sum = |rng: &mut ChaCha8Rng| {
        let edge = *[0, 0, i32::MIN, i32::MAX, 1 << 30].choose(rng).unwrap();
        if rng.random() { rng.random() } else { edge.wrapping_add(rng.random_range(-2..=2)) }
    };
    (0..count)
        .map(|_| {
            let (x, w) = (bytes(rng), bytes(rng));
            Operands::Int8 { x, w, psum: (0..cfg.segments()).map(|_| sum(rng)).collect() }
        })
        .collect()
}

#[test]
fn shapes_and_pipelines_fp16() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    shapes_and_pipelines(|cfg| {
        let operands = random_fp16(cfg, &mut rng, 500);
        assert_eq!(check_fp16(&mut Row::new(cfg), cfg, operands.into_iter()), 500 * u64::from(cfg.segments()));
    });
}

#[test]
fn shapes_and_pipelines_int8() {
    let mut rng = ChaCha8Rng::seed_from_u64(17);
    shapes_and_pipelines(|cfg| {
        let operands = random_int8(cfg, &mut rng, 500);
        assert_eq!(check_int8(&mut Row::new(cfg), cfg, operands.into_iter()), 500 * u64::from(cfg.segments()));
    });
}

/// Nothing that one mode leaves behind shows in the other, wherever registers are: short runs in turn.
#[test]
fn modes_in_turn() {
    let mut rng = ChaCha8Rng::seed_from_u64(19);
    shapes_and_pipelines(|cfg| {
        let mut row = Row::new(cfg);
        for _ in 0..20 {
            let count = rng.random_range(1..12);
            let (fp16, int8) = (random_fp16(cfg, &mut rng, count), random_int8(cfg, &mut rng, count));
            let expected = count as u64 * u64::from(cfg.segments());
            assert_eq!(check_int8(&mut row, cfg, int8.into_iter()), expected);
            assert_eq!(check_fp16(&mut row, cfg, fp16.into_iter()), expected);
        }
    });
}

/// Corner values, and sums next to ties, in an array that computes INT8 products in between.
#[test]
fn corner_vectors_and_ties_between_int8_products() {
    let cfg = config(8, 1);
    let mut rng = ChaCha8Rng::seed_from_u64(21);
    let mut row = Row::new(&cfg);
    let vectors = corner_vectors(8);
    let crossed: Vec<_> = vectors.iter().flat_map(|a| vectors.iter().map(|b| (a.clone(), b.clone()))).collect();
    let mut fp16: Vec<_> = crossed.into_iter().chain(ties().step_by(17)).collect();
    fp16.shuffle(&mut rng);
    let expected = fp16.len() as u64;
    let mut checked = 0;
    for chunk in fp16.chunks(50) {
        let int8 = random_int8(&cfg, &mut rng, 3);
        assert_eq!(check_int8(&mut row, &cfg, int8.into_iter()), 3);
        checked += check_fp16(&mut row, &cfg, chunk.iter().cloned());
    }
    assert_eq!(checked, expected);
}
