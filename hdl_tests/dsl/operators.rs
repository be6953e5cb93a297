//! Every operator of signals against plain integers.

use crate::bench::*;
use eva_rtl::hdl::lib::priority::{choose, lowest_one};
use eva_rtl::hdl::{Scope, Signal};
use rand::RngExt;

/// What operators are applied to: `a` and `b` of one width, `c` of another, `f` of one bit, and numbers known at
/// elaboration.
#[derive(Clone, Copy, Debug)]
struct Operands<T> {
    a: T,
    b: T,
    c: T,
    f: T,
    /// At most the width of `a`, at least 1.
    k: u32,
    /// Fits into `a`.
    constant: u64,
}

struct Operator {
    name: &'static str,
    build: for<'m> fn(&'m Scope, Operands<Signal<'m>>) -> Signal<'m>,
    expect: fn(Operands<Number>) -> Number,
}

macro_rules! operators {
    ($($name:ident: $build:expr => $expect:expr;)*) => {
        &[$(Operator { name: stringify!($name), build: $build, expect: $expect }),*]
    };
}

const OPERATORS: &[Operator] = operators! {
    add: |_, o| o.a + o.b => |o| number(o.a.bits.wrapping_add(o.b.bits), o.a.width);
    add_constant: |_, o| o.a + o.constant => |o| number(o.a.bits.wrapping_add(o.constant.into()), o.a.width);
    sub: |_, o| o.a - o.b => |o| number(o.a.bits.wrapping_sub(o.b.bits), o.a.width);
    neg: |_, o| o.a.neg() => |o| number(o.a.bits.wrapping_neg(), o.a.width);
    and: |_, o| o.a & o.b => |o| number(o.a.bits & o.b.bits, o.a.width);
    or: |_, o| o.a | o.b => |o| number(o.a.bits | o.b.bits, o.a.width);
    xor: |_, o| o.a ^ o.b => |o| number(o.a.bits ^ o.b.bits, o.a.width);
    not: |_, o| !o.a => |o| number(!o.a.bits, o.a.width);
    add_full: |_, o| o.a.add_full(o.c) => |o| number(o.a.bits + o.c.bits, o.a.width.max(o.c.width) + 1);
    add_full_signed: |_, o| o.a.add_full_signed(o.c)
        => |o| signed(o.a.signed() + o.c.signed(), o.a.width.max(o.c.width) + 1);
    mul: |_, o| o.a.mul(o.c) => |o| number(o.a.bits * o.c.bits, o.a.width + o.c.width);
    mul_signed: |_, o| o.a.mul_signed(o.c) => |o| signed(o.a.signed() * o.c.signed(), o.a.width + o.c.width);
    eq: |_, o| o.a.eq(o.b) => |o| flag(o.a.bits == o.b.bits);
    eq_constant: |_, o| o.a.eq(o.constant) => |o| flag(o.a.bits == o.constant.into());
    ne: |_, o| o.a.ne(o.b) => |o| flag(o.a.bits != o.b.bits);
    lt: |_, o| o.a.lt(o.b) => |o| flag(o.a.bits < o.b.bits);
    le: |_, o| o.a.le(o.b) => |o| flag(o.a.bits <= o.b.bits);
    gt: |_, o| o.a.gt(o.b) => |o| flag(o.a.bits > o.b.bits);
    gt_constant: |_, o| o.a.gt(o.constant) => |o| flag(o.a.bits > o.constant.into());
    ge: |_, o| o.a.ge(o.b) => |o| flag(o.a.bits >= o.b.bits);
    lt_signed: |_, o| o.a.lt_signed(o.b) => |o| flag(o.a.signed() < o.b.signed());
    le_signed: |_, o| o.a.le_signed(o.b) => |o| flag(o.a.signed() <= o.b.signed());
    gt_signed: |_, o| o.a.gt_signed(o.b) => |o| flag(o.a.signed() > o.b.signed());
    ge_signed: |_, o| o.a.ge_signed(o.b) => |o| flag(o.a.signed() >= o.b.signed());
    mux: |_, o| o.f.mux(o.a, o.b) => |o| if o.f.bits == 1 { o.a } else { o.b };
    mux_constant: |_, o| o.f.mux(o.constant, o.b) => |o| if o.f.bits == 1 { number(o.constant.into(), o.b.width) } else { o.b };
    select_of_2: |_, o| o.c.select(&[o.a, o.b]) => |o| [o.a, o.b][o.c.bits.min(1) as usize];
    select_of_some: |_, o| o.c.select(&cases(o.c.width(), o.a, o.b, !o.a))
        => |o| {
            let cases = cases(o.c.width, o.a, o.b, number(!o.a.bits, o.a.width));
            cases[o.c.bits.min(cases.len() as u128 - 1) as usize]
        };
    gate: |_, o| o.a.gate(o.f) => |o| number(o.a.bits * o.f.bits, o.a.width);
    slice: |_, o| o.a.slice(o.a.width() - o.k, o.k) => |o| number(o.a.bits >> (o.a.width - o.k), o.k);
    bit: |_, o| o.a.bit(o.k - 1) => |o| number(o.a.bits >> (o.k - 1), 1);
    msb: |_, o| o.a.msb() => |o| flag(o.a.signed() < 0);
    trunc: |_, o| o.a.trunc(o.k) => |o| number(o.a.bits, o.k);
    bits_from: |_, o| o.a.bits_from(o.k - 1) => |o| number(o.a.bits >> (o.k - 1), o.a.width - o.k + 1);
    zext: |_, o| o.a.zext(o.a.width() + o.k - 1) => |o| number(o.a.bits, o.a.width + o.k - 1);
    sext: |_, o| o.a.sext(o.a.width() + o.k - 1) => |o| signed(o.a.signed(), o.a.width + o.k - 1);
    sat: |_, o| o.a.sat(o.k) => |o| number(o.a.bits.min(mask(o.k)), o.k);
    sat_signed: |_, o| o.a.sat_signed(o.k)
        => |o| signed(o.a.signed().clamp(-(1 << (o.k - 1)), (1 << (o.k - 1)) - 1), o.k);
    append_zeros: |_, o| o.a.append_zeros(o.k - 1) => |o| number(o.a.bits << (o.k - 1), o.a.width + o.k - 1);
    repeat_bit: |_, o| o.f.repeat(o.k) => |o| number(o.f.bits * mask(o.k), o.k);
    repeat: |_, o| o.a.repeat(2) => |o| number(o.a.bits | o.a.bits << o.a.width, 2 * o.a.width);
    cat: |m, o| m.cat(&[o.a, o.f, o.c])
        => |o| number((o.a.bits << 1 | o.f.bits) << o.c.width | o.c.bits, o.a.width + 1 + o.c.width);
    pack: |m, o| m.pack(&[o.a, o.f, o.c])
        => |o| number((o.c.bits << 1 | o.f.bits) << o.a.width | o.a.bits, o.a.width + 1 + o.c.width);
    split: |m, o| {
            let mut parts = o.a.repeat(2).split(o.a.width());
            parts[1] = !parts[1];
            m.pack(&parts)
        }
        => |o| number(o.a.bits | number(!o.a.bits, o.a.width).bits << o.a.width, 2 * o.a.width);
    split_bits: |m, o| m.cat(&o.a.split(1)) => |o| number(o.a.bits.reverse_bits() >> (128 - o.a.width), o.a.width);
    shl: |_, o| o.a.shl(o.c) => |o| number(shift(o.c, |n| o.a.bits << n, 0), o.a.width);
    shr: |_, o| o.a.shr(o.c) => |o| number(shift(o.c, |n| o.a.bits >> n, 0), o.a.width);
    shr_signed: |_, o| o.a.shr_signed(o.c)
        => |o| signed(o.a.signed() >> o.c.bits.min(127), o.a.width);
    any: |_, o| o.a.any() => |o| flag(o.a.bits != 0);
    all: |_, o| o.a.all() => |o| flag(o.a.bits == mask(o.a.width));
    parity: |_, o| o.a.parity() => |o| flag(o.a.bits.count_ones() % 2 == 1);
    is_zero: |_, o| o.a.is_zero() => |o| flag(o.a.bits == 0);
    onehot: |_, o| o.c.onehot(o.a.width()) => |o| number(shift(o.c, |n| 1 << n, 0), o.a.width);
    lowest_one: |_, o| lowest_one(o.a) => |o| number(o.a.bits & o.a.bits.wrapping_neg(), o.a.width);
    choose: |_, o| choose(&[(o.a.msb(), o.b), (o.f, o.a), (o.b.msb(), !o.b)], o.a + 1)
        => |o| {
            if o.a.signed() < 0 {
                o.b
            } else if o.f.bits == 1 {
                o.a
            } else if o.b.signed() < 0 {
                number(!o.b.bits, o.b.width)
            } else {
                number(o.a.bits + 1, o.a.width)
            }
        };
    literals: |m, o| m.cat(&[m.lit(o.constant, 64), m.lit_signed(-(o.k as i64), 8), m.zeros(3), m.ones(3), m.high(), m.low()])
        => |o| number(u128::from(o.constant) << 16 | u128::from(-(o.k as i64) as u8) << 8 | 0b00011110, 80);
};

/// As many cases as an index of `width` bits can tell apart, at most 7.
fn cases<T: Copy>(width: u32, a: T, b: T, c: T) -> Vec<T> {
    [a, b, c, b, c, a, c].into_iter().take(1 << width.min(3)).collect()
}

/// A shift by any amount; `beyond` is the result of large ones.
fn shift(amount: Number, by: impl Fn(u32) -> u128, beyond: u128) -> u128 {
    if amount.bits < 128 { by(amount.bits as u32) } else { beyond }
}

/// Widths such that all results have at most 128 bits.
fn check(widths: impl Iterator<Item = (u32, u32)>, values: usize) {
    for (seed, (wide, other)) in widths.enumerate() {
        let rng = &mut rng(seed as u64);
        let k = rng.random_range(1..=wide);
        let constant = random_number(rng, wide.min(64)).bits as u64;
        let mut sim = simulate(seed as u64, |m| {
            let (a, b) = (m.input("a", wide), m.input("b", wide));
            let operands = Operands { a, b, c: m.input("c", other), f: m.input("f", 1), k, constant };
            for operator in OPERATORS {
                m.output(&format!("{}_out", operator.name), (operator.build)(m, operands));
            }
        });
        for _ in 0..values {
            let [a, b] = [(); 2].map(|()| random_number(rng, wide));
            let operands = Operands { a, b, c: random_number(rng, other), f: random_number(rng, 1), k, constant };
            sim.put("a", a.bits);
            sim.put("b", b.bits);
            sim.put("c", operands.c.bits);
            sim.put("f", operands.f.bits);
            for operator in OPERATORS {
                let (found, expected) = (sim.value(&format!("{}_out", operator.name)), (operator.expect)(operands));
                assert_eq!(found, expected, "{} of {operands:?}, seed {seed}", operator.name);
            }
        }
    }
}

#[test]
fn small_widths_all_pairs() {
    let pairs = (1..=9).flat_map(|a| (1..=9).map(move |b| (a, b)));
    check(pairs, 30);
}

#[test]
fn random_widths() {
    let rng = &mut rng(1);
    let widths: Vec<_> = (0..150).map(|_| (rng.random_range(1..=63), rng.random_range(1..=63))).collect();
    check(widths.into_iter(), 30);
}

#[test]
fn one_bit_exhaustively_through_named_signals() {
    let mut sim = simulate(0, |m| {
        let (a, b) = (m.input("a", 1), m.input("b", 1));
        eva_rtl::hw! {
            sum = a + b;
            named = sum & a;
        }
        m.output("y", m.cat(&[sum, named, b]));
    });
    for (a, b) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
        sim.put("a", a);
        sim.put("b", b);
        assert_eq!(sim.value("y"), number((a ^ b) << 2 | ((a ^ b) & a) << 1 | b, 3));
    }
}
