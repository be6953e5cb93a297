//! Priority encoding.

use crate::hdl::{Scope, Signal};

/// Leading zeros of `a`: the distance of its highest 1 from the top, `ceil(log2(width))` bits, and whether `a` is zero (the count is then
/// undefined). A balanced tree of pairs: logarithmic depth.
#[track_caller]
pub fn leading_zeros<'m>(a: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let scope = a.scope();
    let width = a.width().next_power_of_two();
    if width == 1 {
        return (scope.zeros(1), !a);
    }
    // Padding goes below: it leaves the count of a nonzero value as it is.
    let padded = a.append_zeros(width - a.width());
    let (count, zero) = tree(padded);
    (count.trunc(Scope::index_width(a.width())), zero)
}

/// For a width of `2^k`, `k >= 1`: the count of `k` bits and whether all are zero.
fn tree(a: Signal<'_>) -> (Signal<'_>, Signal<'_>) {
    if a.width() == 2 {
        return (!a.bit(1), !a.any());
    }
    let half = a.width() / 2;
    let (low, low_zero) = tree(a.trunc(half));
    let (high, high_zero) = tree(a.bits_from(half));
    (a.scope().cat(&[high_zero, high_zero.mux(low, high)]), high_zero & low_zero)
}
