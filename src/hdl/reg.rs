//! Registers.

use super::bits::Bits;
use super::ir::{Loc, RegId};
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
        let loc = Loc::caller();
        let scope = self.q.scope;
        if self.q.width < 64 && value >> self.q.width != 0 {
            scope.error(loc, format!("reset value {value} does not fit into {} bits", self.q.width), Vec::new());
        }
        scope.body_mut().regs[self.id.index()].reset = Some(Bits::from_u64(value, self.q.width));
        self
    }

    /// The register keeps its value while `enable` (one bit) is 0.
    #[track_caller]
    pub fn enable(self, enable: Signal<'m>) -> Reg<'m> {
        let loc = Loc::caller();
        let scope = self.q.scope;
        let enable = scope.checked_driver(scope.own(enable, loc), 1, "enable", loc, loc);
        scope.body_mut().regs[self.id.index()].enable = Some(enable);
        self
    }

    /// The value after the next clock edge. At most once; together with [`on`](Reg::on) it is the default.
    #[track_caller]
    pub fn next(self, value: impl Operand<'m>) -> Reg<'m> {
        let loc = Loc::caller();
        let scope = self.q.scope;
        if scope.claim(self.q.id, "register", loc) {
            let driver = self.driver(value, loc);
            scope.body_mut().regs[self.id.index()].next = Some(driver);
        }
        self
    }

    /// Takes `value` at the next clock edge if `condition` (one bit) holds; otherwise the register keeps its value or takes what
    /// [`next`](Reg::next) or an earlier `on` says. The last `on` whose condition holds wins.
    #[track_caller]
    pub fn on(self, condition: Signal<'m>, value: impl Operand<'m>) -> Reg<'m> {
        let loc = Loc::caller();
        let scope = self.q.scope;
        let condition = scope.checked_driver(scope.own(condition, loc), 1, "condition", loc, loc);
        let value = self.driver(value, loc);
        scope.record_update(self.id, condition, value);
        self
    }

    fn driver(self, value: impl Operand<'m>, loc: Loc) -> super::ir::NodeId {
        let scope = self.q.scope;
        let source = scope.own(value.operand(self.q, loc), loc);
        let (name, declared) = {
            let body = scope.body();
            let node = body.node(self.q.id);
            (node.name.clone().unwrap_or_default(), node.loc)
        };
        scope.checked_driver(source, self.q.width, &name, declared, loc)
    }
}
