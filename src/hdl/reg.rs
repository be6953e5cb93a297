//! Registers.

use super::bits::Bits;
use super::ir::{Loc, RegId};
use super::scope::{Target, bits};
use super::signal::{Operand, Signal};

/// A register being described; [`q`](Reg::q) is its output.
#[derive(Clone, Copy)]
pub struct Reg<'m> {
    pub(super) q: Signal<'m>,
    pub(super) id: RegId,
}

impl<'m> Reg<'m> {
    /// The current value.
    pub fn q(self) -> Signal<'m> {
        self.q
    }

    /// Value after a clock edge with active reset. Without it the register ignores reset and powers up undefined.
    #[track_caller]
    pub fn reset(self, value: u64) -> Reg<'m> {
        let scope = self.q.scope;
        let loc = scope.here();
        if self.q.width < 64 && value >> self.q.width != 0 {
            scope.error(loc, format!("reset value {value} does not fit into {}", bits(self.q.width)), Vec::new());
        }
        self.once("reset value", scope.body().regs[self.id.index()].reset.is_some(), loc);
        scope.body_mut().regs[self.id.index()].reset = Some(Bits::from_u64(value, self.q.width));
        self
    }

    /// The register keeps its value while `enable` (one bit) is 0.
    #[track_caller]
    pub fn enable(self, enable: Signal<'m>) -> Reg<'m> {
        let scope = self.q.scope;
        let loc = scope.here();
        self.once("enable", scope.body().regs[self.id.index()].enable.is_some(), loc);
        let enable = scope.checked_flag(scope.own(enable, loc), "the enable of a register", loc);
        scope.body_mut().regs[self.id.index()].enable = Some(enable);
        self
    }

    /// The value after the next clock edge. At most once; together with [`on`](Reg::on) it is the default.
    #[track_caller]
    pub fn next(self, value: impl Operand<'m>) -> Reg<'m> {
        let scope = self.q.scope;
        let loc = scope.here();
        if scope.claim(self.q.id, "register", loc) {
            let driver = self.driver(value, loc);
            scope.body_mut().regs[self.id.index()].next = Some(driver);
        }
        self
    }

    /// Takes `value` at the next clock edge if `condition` (one bit) holds; otherwise the register keeps its value or
    /// takes what [`next`](Reg::next) or an earlier `on` says. The last `on` whose condition holds wins.
    #[track_caller]
    pub fn on(self, condition: Signal<'m>, value: impl Operand<'m>) -> Reg<'m> {
        let scope = self.q.scope;
        let loc = scope.here();
        let condition = scope.checked_flag(scope.own(condition, loc), "the condition of `on`", loc);
        let value = self.driver(value, loc);
        scope.record_update(self.id, condition, value);
        self
    }

    fn driver(self, value: impl Operand<'m>, loc: Loc) -> super::ir::NodeId {
        let scope = self.q.scope;
        let source = scope.own(value.operand(self.q, loc), loc);
        let (name, declared) = self.declaration();
        let target = Target { name: &format!("register `{name}`"), width: self.q.width, part_of: None, loc: declared };
        scope.checked_driver(source, &target, loc)
    }

    /// Reports a property that is given again.
    fn once(self, what: &str, is_given: bool, loc: Loc) {
        if is_given {
            let (name, declared) = self.declaration();
            let note = (Some(declared), "the register is declared".to_string());
            self.q.scope.error(loc, format!("register `{name}` gets a second {what}"), vec![note]);
        }
    }

    fn declaration(self) -> (String, Loc) {
        let body = self.q.scope.body();
        let node = body.node(self.q.id);
        (node.name.clone().unwrap_or_default(), node.loc)
    }
}
