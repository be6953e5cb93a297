//! What constants decide. Linters warn of expressions that could be simpler because an operand is constant.

use crate::hdl::bits::Bits;
use crate::hdl::ir::{BinOp, RedOp};
use std::cmp::Ordering;

/// The result of an operation with constant operands.
pub(super) enum Folded {
    Constant(Bits),
    /// The left or the right operand.
    Left,
    Right,
}

/// `a op a`.
pub(super) fn same(op: BinOp, width: u32) -> Option<Folded> {
    match op {
        BinOp::And | BinOp::Or => Some(Folded::Left),
        BinOp::Xor | BinOp::Sub | BinOp::Ne | BinOp::LtU | BinOp::LtS => Some(Folded::Constant(Bits::zero(width))),
        BinOp::Eq | BinOp::LeU | BinOp::LeS => Some(Folded::Constant(Bits::ones(width))),
        BinOp::Add | BinOp::MulU | BinOp::MulS | BinOp::Shl | BinOp::Shr | BinOp::Sra => None,
    }
}

/// `a op b` with a result of `width` bits, when the operands that are known decide it; both operands are
/// `operand_width` wide except for products and shifts.
pub(super) fn binary(op: BinOp, width: u32, operand_width: u32, a: Option<&Bits>, b: Option<&Bits>) -> Option<Folded> {
    use Folded::*;
    if let (Some(a), Some(b)) = (a, b)
        && let Some(bits) = both(op, width, a, b)
    {
        return Some(Constant(bits));
    }
    let is = |bits: Option<&Bits>, property: fn(&Bits) -> bool| bits.is_some_and(property);
    let (a_zero, b_zero) = (is(a, Bits::is_zero), is(b, Bits::is_zero));
    let (a_ones, b_ones) = (is(a, is_ones), is(b, is_ones));
    let truth = |value: bool| Some(Constant(Bits::from_u64(u64::from(value), 1)));
    match op {
        BinOp::And if a_zero || b_zero => Some(Constant(Bits::zero(width))),
        BinOp::And if b_ones => Some(Left),
        BinOp::And if a_ones => Some(Right),
        BinOp::Or if a_ones || b_ones => Some(Constant(Bits::ones(width))),
        BinOp::Or | BinOp::Xor | BinOp::Add if a_zero => Some(Right),
        BinOp::Or | BinOp::Xor | BinOp::Add | BinOp::Sub | BinOp::Shl | BinOp::Shr | BinOp::Sra if b_zero => Some(Left),
        BinOp::MulU | BinOp::MulS if a_zero || b_zero => Some(Constant(Bits::zero(width))),
        BinOp::Shl | BinOp::Shr | BinOp::Sra if a_zero => Some(Left),
        BinOp::Shl | BinOp::Shr if b.is_some_and(|b| at_least(b, operand_width)) => Some(Constant(Bits::zero(width))),
        BinOp::Sra if operand_width == 1 || is(a, is_ones) => Some(Left),
        BinOp::LtU if b_zero || a_ones => truth(false),
        BinOp::LeU if a_zero || b_ones => truth(true),
        BinOp::LtS if is(b, is_least) || is(a, is_greatest) => truth(false),
        BinOp::LeS if is(a, is_least) || is(b, is_greatest) => truth(true),
        _ => None,
    }
}

/// The result for constants; products of more than 64 bits and shifts are left to the tools.
fn both(op: BinOp, width: u32, a: &Bits, b: &Bits) -> Option<Bits> {
    let truth = |value: bool| Some(Bits::from_u64(u64::from(value), 1));
    match op {
        BinOp::And => Some(wordwise(a, b, |a, b| a & b)),
        BinOp::Or => Some(wordwise(a, b, |a, b| a | b)),
        BinOp::Xor => Some(wordwise(a, b, |a, b| a ^ b)),
        BinOp::Add => Some(sum(a, b, false)),
        BinOp::Sub => Some(sum(a, &not(b), true)),
        BinOp::MulU if width <= 64 => Some(Bits::from_u64(a.to_u64()?.wrapping_mul(b.to_u64()?), width)),
        BinOp::MulS if width <= 64 => Some(Bits::from_i128(a.to_i128()?.wrapping_mul(b.to_i128()?), width)),
        BinOp::MulU | BinOp::MulS | BinOp::Shl | BinOp::Shr | BinOp::Sra => None,
        BinOp::Eq => truth(a == b),
        BinOp::Ne => truth(a != b),
        BinOp::LtU => truth(compare(a, b) == Ordering::Less),
        BinOp::LeU => truth(compare(a, b) != Ordering::Greater),
        BinOp::LtS => truth(compare_signed(a, b) == Ordering::Less),
        BinOp::LeS => truth(compare_signed(a, b) != Ordering::Greater),
    }
}

pub(super) fn not(a: &Bits) -> Bits {
    wordwise(a, a, |a, _| !a)
}

pub(super) fn reduce(op: RedOp, a: &Bits) -> Bits {
    let result = match op {
        RedOp::And => is_ones(a),
        RedOp::Or => !a.is_zero(),
        RedOp::Xor => a.words().iter().map(|w| w.count_ones()).sum::<u32>() % 2 == 1,
    };
    Bits::from_u64(u64::from(result), 1)
}

/// Bits `lo .. lo+width`.
pub(super) fn slice(bits: &Bits, lo: u32, width: u32) -> Bits {
    let (skip, shift) = (lo as usize / 64, lo % 64);
    let word = |i: usize| bits.words().get(i).copied().unwrap_or(0);
    let words: Vec<u64> = (skip..skip + width.div_ceil(64) as usize)
        .map(|i| if shift == 0 { word(i) } else { word(i) >> shift | word(i + 1) << (64 - shift) })
        .collect();
    Bits::from_words(&words, width)
}

/// First part most significant.
pub(super) fn concat(parts: &[&Bits], width: u32) -> Bits {
    let mut words = vec![0u64; width.div_ceil(64) as usize];
    let mut at = 0;
    for part in parts.iter().rev() {
        for (i, word) in part.words().iter().enumerate() {
            let (index, shift) = ((at as usize + 64 * i) / 64, at % 64);
            words[index] |= word << shift;
            if shift != 0 && index + 1 < words.len() {
                words[index + 1] |= word >> (64 - shift);
            }
        }
        at += part.width();
    }
    Bits::from_words(&words, width)
}

fn wordwise(a: &Bits, b: &Bits, f: impl Fn(u64, u64) -> u64) -> Bits {
    let words: Vec<u64> = a.words().iter().zip(b.words()).map(|(a, b)| f(*a, *b)).collect();
    Bits::from_words(&words, a.width())
}

fn sum(a: &Bits, b: &Bits, mut carry: bool) -> Bits {
    let add = |(a, b): (&u64, &u64)| {
        let (sum, first) = a.overflowing_add(*b);
        let (sum, second) = sum.overflowing_add(u64::from(carry));
        carry = first || second;
        sum
    };
    let words: Vec<u64> = a.words().iter().zip(b.words()).map(add).collect();
    Bits::from_words(&words, a.width())
}

fn compare(a: &Bits, b: &Bits) -> Ordering {
    a.words().iter().rev().cmp(b.words().iter().rev())
}

fn compare_signed(a: &Bits, b: &Bits) -> Ordering {
    let sign = |bits: &Bits| bits.bit(bits.width() - 1);
    sign(b).cmp(&sign(a)).then_with(|| compare(a, b))
}

/// Whether the value is `limit` or more.
pub(super) fn at_least(bits: &Bits, limit: u32) -> bool {
    bits.to_u64().is_none_or(|v| v >= u64::from(limit))
}

fn is_ones(bits: &Bits) -> bool {
    *bits == Bits::ones(bits.width())
}

/// Whether it is the most negative two's complement number.
fn is_least(bits: &Bits) -> bool {
    let sign = bits.width() - 1;
    bits.bit(sign) && (0..sign).all(|i| !bits.bit(i))
}

/// Whether it is the greatest two's complement number.
fn is_greatest(bits: &Bits) -> bool {
    let sign = bits.width() - 1;
    !bits.bit(sign) && (0..sign).all(|i| bits.bit(i))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constant(op: BinOp, a: i128, b: i128, width: u32) -> i128 {
        let (a, b) = (Bits::from_i128(a, width), Bits::from_i128(b, width));
        let out = match op {
            BinOp::MulU | BinOp::MulS => 2 * width,
            BinOp::And | BinOp::Or | BinOp::Xor | BinOp::Add | BinOp::Sub => width,
            _ => 1,
        };
        match binary(op, out, width, Some(&a), Some(&b)) {
            Some(Folded::Constant(bits)) => bits.to_i128().expect("at most 128 bits"),
            Some(Folded::Left) => a.to_i128().expect("at most 128 bits"),
            Some(Folded::Right) => b.to_i128().expect("at most 128 bits"),
            None => panic!("{op:?} of constants is not folded"),
        }
    }

    #[test]
    fn constants_are_computed_over_word_boundaries() {
        let big = i128::from(u64::MAX);
        assert_eq!(constant(BinOp::Add, big, 1, 100), big + 1);
        assert_eq!(constant(BinOp::Sub, big + 1, 1, 100), big);
        assert_eq!(constant(BinOp::Sub, 0, 1, 100), -1);
        assert_eq!(constant(BinOp::MulS, -3, 5, 8), -15);
        // One result bit: true reads as -1.
        assert_eq!(constant(BinOp::LtS, -1, 1, 70), -1);
        assert_eq!(constant(BinOp::LtU, -1, 1, 70), 0);
        assert_eq!(constant(BinOp::LeS, -2, -2, 70), -1);
    }

    #[test]
    fn slices_and_concatenations_are_inverse() {
        let words = [0x0123_4567_89ab_cdef, 0xfedc_ba98_7654_3210, 0x5a5a];
        let bits = Bits::from_words(&words, 150);
        for cut in [1, 63, 64, 65, 100, 149] {
            let (low, high) = (slice(&bits, 0, cut), slice(&bits, cut, 150 - cut));
            assert_eq!(concat(&[&high, &low], 150), bits, "cut at {cut}");
        }
    }
}
