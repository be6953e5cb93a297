//! A row: exact dot products with one rounding.

use crate::bench::{config, pipeline, simulate};
use crate::values::{any, corners, finite, is_special};
use eva_rtl::config::CoreConfig;
use eva_rtl::golden;
use eva_rtl::rtl::row;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Stationary and streaming operands of all `F` PEs of a row.
type Operands = (Vec<u16>, Vec<u16>);

fn words(values: &[u16]) -> Vec<u64> {
    values.chunks(4).map(|c| c.iter().rev().fold(0, |w, v| w << 16 | u64::from(*v))).collect()
}

/// Runs operands through a row, new stationary ones in every cycle; returns how many dot products were checked.
fn check_row(cfg: &CoreConfig, operands: impl Iterator<Item = Operands>) -> u64 {
    let mut sim = simulate(row::NAME, |m| row::row(m, cfg));
    let [w, x, load, live] = ["in_w", "in_x", "in_load", "in_live"].map(|name| sim.input(name).unwrap());
    let y = sim.output("y").unwrap();
    let (dim, segments) = (cfg.vq.dim as usize, cfg.segments() as usize);
    sim.set_u64(load, 1);
    sim.set_u64(live, (1 << segments) - 1);
    let cycles = pipeline(
        &mut sim,
        row::latency(cfg),
        operands,
        |sim, (xs, ws)| {
            sim.set_words(x, &words(xs));
            sim.set_words(w, &words(ws));
        },
        |sim, (xs, ws)| {
            let got = sim.get_words(y).to_vec();
            for (segment, (xs, ws)) in xs.chunks(dim).zip(ws.chunks(dim)).enumerate() {
                let got = (got[segment / 4] >> (segment % 4 * 16)) as u16;
                let expected = golden::dot(xs, ws);
                assert_eq!(got, expected, "got {got:04x}, expected {expected:04x} for {xs:04x?} . {ws:04x?}");
            }
        },
    );
    cycles * segments as u64
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
    assert_eq!(check_row(&cfg, crossed), (vectors.len() * vectors.len()) as u64);
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
    assert_eq!(check_row(&cfg, (0..1_000_000).map(|i| (draw(i), draw(i / 4)))), 1_000_000);
}

/// Sums exactly between two neighbours, and a hair (2^-48) to either side, for every FP16 value.
#[test]
fn all_ties() {
    const ONE: u16 = 0x3C00;
    const HAIR: u16 = 0x0001;
    let cfg = config(8, 1);
    let ties = (0..0x7C00u16).flat_map(|value| [value, value | 0x8000]).flat_map(|value| {
        let exponent = (value >> 10 & 31).max(1);
        // Half a unit in the last place, 2^(exponent - 26), as a product of two FP16 numbers.
        let (half_a, half_b) = if exponent > 11 { ((exponent - 11) << 10, ONE) } else { (1 << (exponent - 1), 0x3800) };
        let sign = value & 0x8000;
        [0, HAIR, HAIR | 0x8000].map(|hair| {
            let w = vec![value, half_a | sign, hair, 0, 0, 0, 0, 0];
            let x = vec![ONE, half_b, HAIR, 0, 0, 0, 0, 0];
            (x, w)
        })
    });
    assert_eq!(check_row(&cfg, ties), 0x7C00 * 6);
}

/// Every register placement, vector length and number of segments.
#[test]
fn shapes_and_pipelines() {
    let mut rng = ChaCha8Rng::seed_from_u64(13);
    for (dim, segments) in [(1, 1), (2, 4), (4, 2), (8, 1), (8, 3), (16, 1), (32, 1)] {
        for pe in 0..=1 {
            for tree in 0..=4 {
                let mut cfg = config(dim, segments);
                cfg.pipeline.pe = pe;
                cfg.pipeline.tree = tree;
                let len = (dim * segments) as usize;
                let spread = rng.random_range(1..16);
                let operands: Vec<Operands> = (0..500)
                    .map(|i| {
                        let mut draw = || {
                            (0..len)
                                .map(|_| if i % 8 == 0 { any(&mut rng) } else { finite(&mut rng, 14, spread) })
                                .collect()
                        };
                        (draw(), draw())
                    })
                    .collect();
                assert_eq!(check_row(&cfg, operands.into_iter()), 500 * u64::from(segments));
            }
        }
    }
}
