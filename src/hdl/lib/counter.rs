//! Counters.

use crate::hdl::{Scope, Signal};

/// A counter that runs `0 .. limit` and starts again.
#[derive(Clone, Copy)]
pub struct Counter<'m> {
    /// The count, from 0 to `limit - 1`.
    pub value: Signal<'m>,
    /// 1 while the counter shows its last value, `limit - 1`.
    pub last: Signal<'m>,
    /// 1 in the cycle in which the last value is counted: `last` and the step.
    pub wrap: Signal<'m>,
}

/// Counts the cycles in which `step` is 1, from 0 to `limit - 1`, and wraps. `limit` is a signal one bit wider than the
/// value, so that it can be `2^width`; it must be at least 1 and must not change while the counter is not at 0.
#[track_caller]
pub fn counter<'m>(scope: &'m Scope, name: &str, step: Signal<'m>, limit: Signal<'m>) -> Counter<'m> {
    scope.library(|| {
        if limit.width() < 2 {
            scope.report(format!("the limit of counter `{name}` has 1 bit; it is one bit wider than the count"));
        }
        let width = limit.width().max(2) - 1;
        let limit = limit.zext(width + 1);
        let count = scope.reg(name, width).reset(0);
        let step = step.flag("the step of a counter", scope.here());
        let next = count.q().zext(width + 1) + 1;
        let last = next.eq(limit).named(&format!("{name}_last"));
        let wrap = step & last;
        count.on(step, last.mux(0, next.trunc(width)));
        Counter { value: count.q(), last, wrap }
    })
}

/// Like [`counter`] with a constant limit, at least 1.
#[track_caller]
pub fn counter_to<'m>(scope: &'m Scope, name: &str, step: Signal<'m>, limit: u32) -> Counter<'m> {
    scope.library(|| {
        if limit == 0 {
            scope.report(format!("counter `{name}` counts to 0; its limit must be at least 1"));
        }
        let limit = limit.max(1);
        let step = step.flag("the step of a counter", scope.here());
        let count = scope.reg(name, Scope::index_width(limit)).reset(0);
        let last = count.q().eq(u64::from(limit - 1)).named(&format!("{name}_last"));
        let wrap = step & last;
        count.on(step, last.mux(0, count.q() + 1));
        Counter { value: count.q(), last, wrap }
    })
}
