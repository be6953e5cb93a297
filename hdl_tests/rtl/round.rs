//! Normalisation and rounding of two's complement numbers, alone.

use crate::bench::{pipeline, simulate};
use eva_rtl::golden::round_fp16;
use eva_rtl::hdl::{Bits, Scope};
use eva_rtl::rtl::arith::round::{Special, WINDOW, normalise_fixed, round_pack};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Describes the rounding of a number of `width` bits in units of `2^-point`.
fn rounding(m: &Scope, width: u32, point: u32) {
    let value = m.input("value", width);
    let normal = normalise_fixed(value, point);
    let special = Special { nan: m.low(), inf: m.low() };
    m.output("y", round_pack(value.msb(), normal, special));
}

fn check(width: u32, point: u32, values: impl Iterator<Item = i128>) -> u64 {
    let mut sim = simulate("eva_rounding", |m| rounding(m, width, point));
    let (value, y) = (sim.input("value").unwrap(), sim.output("y").unwrap());
    pipeline(
        &mut sim,
        0,
        values,
        |sim, number| sim.set(value, &Bits::from_i128(*number, width)),
        |sim, number| {
            let (got, expected) = (sim.get_u64(y) as u16, round_fp16(*number, -(point as i32)));
            assert_eq!(got, expected, "got {got:04x}, expected {expected:04x} for {number:#x} * 2^-{point}");
        },
    )
}

/// Widths and points: of a row of 8 products and of one, the narrowest point that there may be, and a sum that cannot
/// overflow.
const FORMATS: [(u32, u32); 4] = [(84, 48), (82, 48), (48, 24), (40, 30)];

/// Every content of the window at every place, with every kind of bits below it: none, one of them, all of them, so
/// that ties, powers of two, and numbers that a missing unit carries through come in both signs, normal and subnormal.
#[test]
fn every_window_at_every_place() {
    for (width, point) in FORMATS {
        let places = 0..width - WINDOW;
        let values = places.flat_map(|place| {
            let unit = 1i128 << place;
            // Bits below the window.
            let tails = [0, 1, unit >> 1, (unit >> 1) + 1, (unit >> 1) - 1, unit - 1, unit - 2];
            let windows = 0..1i128 << WINDOW;
            windows.flat_map(move |window| {
                let tails = tails.into_iter().filter(move |tail| (0..unit).contains(tail));
                tails.flat_map(move |tail| [window << place | tail, -(window << place | tail)])
            })
        });
        let most = 1i128 << (width - 1);
        let ends = [most - 1, 1 - most, -most];
        assert!(check(width, point, values.chain(ends)) > 500_000);
    }
}

#[test]
fn a_million_random_numbers() {
    let mut rng = ChaCha8Rng::seed_from_u64(24);
    for (width, point) in FORMATS {
        let values = (0..250_000).map(|_| rng.random::<i128>() >> rng.random_range(128 - width..128));
        assert_eq!(check(width, point, values), 250_000);
    }
}
