//! Arbitration among requests for one thing.

use crate::hdl::lib::priority::lowest_one;
use crate::hdl::{ModuleRef, Scope, Signal};

/// Grants one of the `requests` (one bit each): the result has that bit alone, or none when there is no request. Once
/// granted, a request keeps the grant until a cycle in which `accept` is 1 (it must stay up that long); then the turn
/// passes to the next higher bit that requests, and from the highest to the lowest, so that a request waits for at most
/// one grant of each other. The grant does not depend on
/// `accept` in the same cycle. An instance `name` of module `round_robin_<n>`.
#[track_caller]
pub fn round_robin<'m>(name: &str, requests: Signal<'m>, accept: Signal<'m>) -> Signal<'m> {
    let scope = requests.scope();
    scope.library(|| {
        let arbiter = scope.instance(name, &module(scope, requests.width()));
        arbiter.set("requests", requests).set("accept", accept);
        arbiter.get("grant")
    })
}

fn module(scope: &Scope, count: u32) -> ModuleRef {
    scope.define(&format!("round_robin_{count}"), |m| {
        m.doc(&format!("Round-robin arbiter of {count} requests; a grant stays until it is accepted."));
        let requests = m.input("requests", count);
        let accept = m.input("accept", 1);
        // Bits above the one that was accepted last come first.
        let above = m.reg("above", count).reset(0);
        let held = m.reg("held", count).reset(0);

        let ahead = (requests & above.q()).named("ahead");
        let candidates = ahead.any().mux(ahead, requests).named("candidates");
        let grant = held.q().any().mux(held.q(), lowest_one(candidates)).named("grant");
        held.next(grant.gate(!accept));
        above.on(accept & grant.any(), !(grant | (grant - 1)));
        m.output("grant", grant);
    })
}
