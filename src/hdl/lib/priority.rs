//! Priority: the first of several, and where it is.

use crate::hdl::{ModuleRef, Scope, Signal};

/// The lowest 1 of `a` alone; 0 when there is none.
#[track_caller]
pub fn lowest_one(a: Signal<'_>) -> Signal<'_> {
    a & a.neg()
}

/// The value of the first case whose condition (one bit) holds, `otherwise` when none does: a chain of multiplexers.
#[track_caller]
pub fn choose<'m>(cases: &[(Signal<'m>, Signal<'m>)], otherwise: Signal<'m>) -> Signal<'m> {
    otherwise
        .scope()
        .library(|| cases.iter().rev().fold(otherwise, |rest, (condition, value)| condition.mux(*value, rest)))
}

/// Leading zeros of `a`: the distance of its highest 1 from the top, `ceil(log2(width))` bits, and whether `a` is zero
/// (the count then means nothing). A balanced tree of modules `leading_zeros_<width>`: logarithmic depth.
#[track_caller]
pub fn leading_zeros<'m>(name: &str, a: Signal<'m>) -> (Signal<'m>, Signal<'m>) {
    let scope = a.scope();
    scope.library(|| {
        let width = a.width().next_power_of_two().max(2);
        // Padding goes below: it leaves the count of a nonzero value as it is.
        let tree = scope.instance(name, &tree(scope, width));
        tree.set("a", a.append_zeros(width - a.width()));
        (tree.get("count").trunc(Scope::index_width(a.width())), tree.get("zero"))
    })
}

/// For a width of `2^k`, `k >= 1`: the count of `k` bits and whether all are zero.
fn tree(scope: &Scope, width: u32) -> ModuleRef {
    scope.define(&format!("leading_zeros_{width}"), |m| {
        m.doc("Distance of the highest 1 from the top, and whether there is none.");
        let a = m.input("a", width);
        if width == 2 {
            m.output("count", !a.bit(1));
            m.output("zero", !a.any());
            return;
        }
        let half = tree(m, width / 2);
        let [high, low] = [("u_high", a.bits_from(width / 2)), ("u_low", a.trunc(width / 2))].map(|(name, part)| {
            let inst = m.instance(name, &half);
            inst.set("a", part);
            inst
        });
        let high_zero = high.get("zero").named("high_zero");
        m.output("count", m.cat(&[high_zero, high_zero.mux(low.get("count"), high.get("count"))]));
        m.output("zero", high_zero & low.get("zero"));
    })
}
