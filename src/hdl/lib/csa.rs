//! Carry-save addition: many operands reduced to two without carry propagation.

use crate::hdl::{Bits, Scope, Signal};

/// Reduces operands of equal width to two with the same sum modulo `2^width`, by levels of 3:2 counters taken column
/// by column as whole words (Wallace 1964). One operand gives itself and zero.
#[track_caller]
pub fn reduce<'m>(scope: &'m Scope, operands: &[Signal<'m>]) -> (Signal<'m>, Signal<'m>) {
    scope.library(|| {
        let mut layer = equally_wide(scope, operands);
        while layer.len() > 2 {
            let mut next = Vec::with_capacity(layer.len() * 2 / 3 + 2);
            for group in layer.chunks(3) {
                if let [a, b, c] = *group {
                    let (sum, carry) = full_adder(a, b, c);
                    next.extend([sum, carry]);
                } else {
                    next.extend(group);
                }
            }
            layer = next;
        }
        match layer[..] {
            [a, b] => (a, b),
            [a] => (a, scope.zeros(a.width())),
            _ => {
                scope.report("carry-save reduction of no operands");
                (scope.zeros(1), scope.zeros(1))
            }
        }
    })
}

/// Those that are as wide as the first; others are reported.
#[track_caller]
fn equally_wide<'m>(scope: &'m Scope, operands: &[Signal<'m>]) -> Vec<Signal<'m>> {
    let Some(first) = operands.first().map(|operand| operand.width()) else { return Vec::new() };
    if let Some(odd) = operands.iter().map(|operand| operand.width()).find(|width| *width != first) {
        scope.report(format!("operands of a carry-save addition have {first} and {odd} bits; they must agree"));
    }
    operands.iter().copied().filter(|operand| operand.width() == first).collect()
}

/// Two's complement operands of equal width as words of `width` bits, at least one bit wider, whose sum modulo `2^width`
/// is that of the operands extended by their signs, without copies of the signs in it.
///
/// An operand of `w` bits is its lower bits and its inverted sign at bit `w - 1`, less `2^(w-1)`. What is taken off too
/// much or too little stands in the upper bits of the first word, where it depends on one sign only.
#[track_caller]
pub fn extend_signed<'m>(scope: &'m Scope, operands: &[Signal<'m>], width: u32) -> Vec<Signal<'m>> {
    scope.library(|| {
        let operands = equally_wide(scope, operands);
        let Some((first, others)) = operands.split_first() else { return Vec::new() };
        let low = first.width() - 1;
        if low == 0 || first.width() >= width {
            return operands.iter().map(|operand| operand.sext(width)).collect();
        }
        let offset = -i128::try_from(operands.len()).expect("a number of operands");
        let upper = |value: i128| scope.bits(Bits::from_i128(value, width - low));
        let head = scope.cat(&[first.msb().mux(upper(offset), upper(offset + 1)), first.trunc(low)]);
        let tail = others.iter().map(|other| scope.cat(&[!other.msb(), other.trunc(low)]).zext(width));
        std::iter::once(head).chain(tail).collect()
    })
}

/// `a + b + c = sum + carry` modulo `2^width`, bit by bit.
fn full_adder<'m>(a: Signal<'m>, b: Signal<'m>, c: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let half = (a ^ b).named("csa_half");
    let sum = (half ^ c).named("csa_sum");
    let majority = ((a & b) | (half & c)).named("csa_carry");
    let carry = if a.width() == 1 { a.scope().zeros(1) } else { majority.trunc(a.width() - 1).append_zeros(1) };
    (sum, carry)
}
