//! Finite state machines with named states.

use crate::hdl::{Reg, Scope, Signal};
use std::collections::HashSet;

/// A state register whose states have names; the first one is the reset state.
pub struct Fsm<'m> {
    name: String,
    state: Reg<'m>,
    states: Vec<Signal<'m>>,
    names: Vec<String>,
}

impl<'m> Fsm<'m> {
    /// A machine called `name` with the given states, binary coded. The signal `<name>_is_<state>` is 1 in that state.
    #[track_caller]
    pub fn new(scope: &'m Scope, name: &str, states: &[&str]) -> Fsm<'m> {
        scope.library(|| {
            if states.is_empty() {
                scope.report(format!("state machine `{name}` has no states"));
            }
            let mut seen = HashSet::new();
            if let Some(twice) = states.iter().find(|s| !seen.insert(**s)) {
                scope.report(format!("state machine `{name}` has two states `{twice}`"));
            }
            let state = scope.reg(name, Scope::index_width(states.len() as u32)).reset(0);
            let is = |(code, s): (u64, &&str)| state.q().eq(code).named(&format!("{name}_is_{s}"));
            let decoded = (0u64..).zip(states).map(is).collect();
            Fsm {
                name: name.to_string(),
                state,
                states: decoded,
                names: states.iter().map(|s| s.to_string()).collect(),
            }
        })
    }

    /// 1 while the machine is in `state`.
    #[track_caller]
    pub fn is(&self, state: &str) -> Signal<'m> {
        match self.code(state) {
            Some(code) => self.states[code],
            None => self.state.q().scope().low(),
        }
    }

    /// From `from` to `to` at the next clock edge when `condition` (one bit) holds. Of several that hold the last one
    /// wins.
    #[track_caller]
    pub fn go(&self, from: &str, condition: Signal<'m>, to: &str) {
        let condition = condition.flag("the condition of `go`", condition.scope().here());
        let is_from = self.is(from);
        if let Some(code) = self.code(to) {
            self.state.on(is_from & condition, code as u64);
        }
    }

    #[track_caller]
    fn code(&self, state: &str) -> Option<usize> {
        let code = self.names.iter().position(|n| n == state);
        if code.is_none() {
            let names = self.names.join(", ");
            let message = format!("state machine `{}` has no state `{state}`; it has {names}", self.name);
            self.state.q().scope().report(message);
        }
        code
    }
}
