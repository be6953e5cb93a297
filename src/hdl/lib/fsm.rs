//! Finite state machines with named states.

use crate::hdl::{Reg, Scope, Signal};

/// A state register whose states have names; the first one is the reset state.
pub struct Fsm<'m> {
    state: Reg<'m>,
    states: Vec<Signal<'m>>,
    names: Vec<String>,
}

impl<'m> Fsm<'m> {
    /// A machine called `name` with the given states, binary coded.
    #[track_caller]
    pub fn new(scope: &'m Scope, name: &str, states: &[&str]) -> Fsm<'m> {
        let state = scope.reg(name, Scope::index_width(states.len() as u32)).reset(0);
        let decoded = (0u64..).zip(states).map(|(code, s)| state.q().eq(code).named(&format!("{name}_is_{s}"))).collect();
        Fsm { state, states: decoded, names: states.iter().map(|s| s.to_string()).collect() }
    }

    /// 1 while the machine is in `state`.
    #[track_caller]
    pub fn is(&self, state: &str) -> Signal<'m> {
        self.states[self.code(state)]
    }

    /// From `from` to `to` at the next clock edge when `condition` holds. Of several that hold the last one wins.
    #[track_caller]
    pub fn go(&self, from: &str, condition: Signal<'m>, to: &str) {
        let code = self.code(to) as u64;
        self.state.on(self.is(from) & condition, code);
    }

    #[track_caller]
    fn code(&self, state: &str) -> usize {
        self.names.iter().position(|n| n == state).unwrap_or_else(|| {
            let scope = self.state.q().scope();
            scope.report(format!("there is no state `{state}`; there are {}", self.names.join(", ")));
            0
        })
    }
}
