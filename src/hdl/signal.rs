//! Signals and their operators.
//!
//! Operators take equal widths; growing and narrowing are named verbs. Values have no sign of their own: operations whose result
//! depends on it come in an unsigned form and a `_signed` form (two's complement).

use super::bits::Bits;
use super::ir::{BinOp, Loc, NodeId, Op, RedOp};
use super::scope::Scope;
use std::fmt;
use std::ops;

/// A value of a module being described: a small handle to be copied freely.
#[derive(Clone, Copy)]
pub struct Signal<'m> {
    pub(super) scope: &'m Scope,
    pub(super) id: NodeId,
    pub(super) width: u32,
}

/// The right operand of an operator: a signal, or a number that takes the left operand's width.
pub trait Operand<'m> {
    fn operand(self, left: Signal<'m>, loc: Loc) -> Signal<'m>;
}

impl<'m> Operand<'m> for Signal<'m> {
    fn operand(self, _: Signal<'m>, _: Loc) -> Signal<'m> {
        self
    }
}

impl<'m> Operand<'m> for u64 {
    fn operand(self, left: Signal<'m>, loc: Loc) -> Signal<'m> {
        if left.width < 64 && self >> left.width != 0 {
            left.scope.error(
                loc,
                format!("constant {self} does not fit into the {} bits of the other operand", left.width),
                vec![(Some(left.loc()), "the other operand comes from here".to_string())],
            );
        }
        left.scope.add(Op::Const(Bits::from_u64(self, left.width)), left.width, loc)
    }
}

impl<'m> Signal<'m> {
    pub fn width(self) -> u32 {
        self.width
    }

    /// The module this signal belongs to.
    pub fn scope(self) -> &'m Scope {
        self.scope
    }

    /// Gives the signal a name; the emitted Verilog keeps it (with a suffix if the name is taken).
    pub fn named(self, name: &str) -> Signal<'m> {
        let is_plain = {
            let body = self.scope.body();
            let node = body.node(self.id);
            node.name.is_none() && !matches!(node.op, Op::Const(_))
        };
        if is_plain {
            self.scope.body_mut().nodes[self.id.index()].name = Some(name.to_string());
            return self;
        }
        let loc = self.loc();
        let id = self.scope.push(Op::Wire(Some(self.id)), self.width, Some(name.to_string()), loc);
        Signal { id, ..self }
    }

    /// States that not using this signal is deliberate.
    pub fn discard(self) {
        self.scope.body_mut().discards.push(self.id);
    }

    // ---- arithmetic ------------------------------------------------------------------------------------------------

    /// Unsigned sum, one bit wider than the wider operand.
    #[track_caller]
    pub fn add_full(self, rhs: Signal<'m>) -> Signal<'m> {
        let width = self.width.max(rhs.width) + 1;
        self.zext(width).binary(BinOp::Add, rhs.zext(width), width, Loc::caller())
    }

    /// Two's complement sum, one bit wider than the wider operand.
    #[track_caller]
    pub fn add_full_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        let width = self.width.max(rhs.width) + 1;
        self.sext(width).binary(BinOp::Add, rhs.sext(width), width, Loc::caller())
    }

    /// Unsigned product of `self.width() + rhs.width()` bits.
    #[track_caller]
    pub fn mul(self, rhs: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::MulU, rhs, self.width + rhs.width, Loc::caller())
    }

    /// Two's complement product of `self.width() + rhs.width()` bits.
    #[track_caller]
    pub fn mul_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::MulS, rhs, self.width + rhs.width, Loc::caller())
    }

    /// Two's complement negation modulo `2^width`.
    #[track_caller]
    pub fn neg(self) -> Signal<'m> {
        let loc = Loc::caller();
        let zero = self.scope.add(Op::Const(Bits::zero(self.width)), self.width, loc);
        zero.binary(BinOp::Sub, self, self.width, loc)
    }

    // ---- comparisons: one bit --------------------------------------------------------------------------------------

    #[track_caller]
    pub fn eq(self, rhs: impl Operand<'m>) -> Signal<'m> {
        self.compare(BinOp::Eq, rhs, Loc::caller())
    }

    #[track_caller]
    pub fn ne(self, rhs: impl Operand<'m>) -> Signal<'m> {
        self.compare(BinOp::Ne, rhs, Loc::caller())
    }

    /// Unsigned `self < rhs`.
    #[track_caller]
    pub fn lt(self, rhs: impl Operand<'m>) -> Signal<'m> {
        self.compare(BinOp::LtU, rhs, Loc::caller())
    }

    /// Unsigned `self <= rhs`.
    #[track_caller]
    pub fn le(self, rhs: impl Operand<'m>) -> Signal<'m> {
        self.compare(BinOp::LeU, rhs, Loc::caller())
    }

    /// Unsigned `self > rhs`.
    #[track_caller]
    pub fn gt(self, rhs: impl Operand<'m>) -> Signal<'m> {
        let loc = Loc::caller();
        rhs.operand(self, loc).compare(BinOp::LtU, self, loc)
    }

    /// Unsigned `self >= rhs`.
    #[track_caller]
    pub fn ge(self, rhs: impl Operand<'m>) -> Signal<'m> {
        let loc = Loc::caller();
        rhs.operand(self, loc).compare(BinOp::LeU, self, loc)
    }

    /// Two's complement `self < rhs`.
    #[track_caller]
    pub fn lt_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        self.compare(BinOp::LtS, rhs, Loc::caller())
    }

    /// Two's complement `self <= rhs`.
    #[track_caller]
    pub fn le_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        self.compare(BinOp::LeS, rhs, Loc::caller())
    }

    // ---- choice ----------------------------------------------------------------------------------------------------

    /// `self` (one bit) chooses: `t` when 1, `f` when 0.
    #[track_caller]
    pub fn mux(self, t: impl Operand<'m>, f: Signal<'m>) -> Signal<'m> {
        let loc = Loc::caller();
        let sel = self.scope.checked_driver(self.id, 1, "mux select", loc, loc);
        let t = t.operand(f, loc);
        let (t, f) = t.paired("mux", f, loc);
        self.scope.add(Op::Mux { sel, t: t.id, f: f.id }, f.width, loc)
    }

    /// `cases[self]`; the last case stands for all higher values.
    #[track_caller]
    pub fn select(self, cases: &[Signal<'m>]) -> Signal<'m> {
        let loc = Loc::caller();
        let Some(first) = cases.first() else {
            self.scope.error(loc, "select without cases".to_string(), Vec::new());
            return self;
        };
        if cases.len() == 1 {
            return *first;
        }
        if self.width < 32 && cases.len() as u64 > 1 << self.width {
            let message = format!("{} cases cannot be told apart by {} bits", cases.len(), self.width);
            self.scope.error(loc, message, vec![(Some(self.loc()), "the select comes from here".to_string())]);
        }
        let ids = cases.iter().map(|case| case.paired("select", *first, loc).0.id).collect();
        self.scope.add(Op::Select { sel: self.id, cases: ids }, first.width, loc)
    }

    /// All bits while `enable` (one bit) is 1, zero otherwise.
    #[track_caller]
    pub fn gate(self, enable: Signal<'m>) -> Signal<'m> {
        self & enable.repeat(self.width)
    }

    // ---- width -----------------------------------------------------------------------------------------------------

    /// Bits `lo .. lo+width`.
    #[track_caller]
    pub fn slice(self, lo: u32, width: u32) -> Signal<'m> {
        let loc = Loc::caller();
        if width == 0 || u64::from(lo) + u64::from(width) > u64::from(self.width) {
            self.scope.error(
                loc,
                format!("bits {lo}..{} of a signal of {} bits", u64::from(lo) + u64::from(width), self.width),
                vec![(Some(self.loc()), "the signal comes from here".to_string())],
            );
            return self.scope.add(Op::Const(Bits::zero(width.max(1))), width.max(1), loc);
        }
        if width == self.width {
            return self;
        }
        self.scope.add(Op::Slice { a: self.id, lo }, width, loc)
    }

    /// One bit, counted from the least significant.
    #[track_caller]
    pub fn bit(self, index: u32) -> Signal<'m> {
        self.slice(index, 1)
    }

    /// The most significant bit: the sign of a two's complement number.
    #[track_caller]
    pub fn msb(self) -> Signal<'m> {
        self.slice(self.width - 1, 1)
    }

    /// The low `width` bits, dropping the others.
    #[track_caller]
    pub fn trunc(self, width: u32) -> Signal<'m> {
        self.slice(0, width)
    }

    /// The high bits from `lo` on.
    #[track_caller]
    pub fn bits_from(self, lo: u32) -> Signal<'m> {
        self.slice(lo, self.width.saturating_sub(lo))
    }

    /// Zero extension to `width` bits.
    #[track_caller]
    pub fn zext(self, width: u32) -> Signal<'m> {
        self.extend(width, Loc::caller(), Op::Zext(self.id))
    }

    /// Sign extension to `width` bits.
    #[track_caller]
    pub fn sext(self, width: u32) -> Signal<'m> {
        self.extend(width, Loc::caller(), Op::Sext(self.id))
    }

    /// Two's complement saturation to `width` bits.
    #[track_caller]
    pub fn sat_signed(self, width: u32) -> Signal<'m> {
        let loc = Loc::caller();
        let low = self.trunc(width);
        if width >= self.width {
            return low;
        }
        let sign = self.msb();
        let beyond = self.bits_from(width - 1);
        let fits = beyond.binary(BinOp::Eq, sign.repeat(beyond.width), 1, loc);
        let limit = if width == 1 { sign } else { self.scope.cat(&[sign, (!sign).repeat(width - 1)]) };
        fits.mux(low, limit)
    }

    /// Unsigned saturation to `width` bits.
    #[track_caller]
    pub fn sat(self, width: u32) -> Signal<'m> {
        let low = self.trunc(width);
        if width >= self.width {
            return low;
        }
        low | self.bits_from(width).any().repeat(width)
    }

    /// `count` zero bits below the signal: times `2^count`, exactly.
    #[track_caller]
    pub fn append_zeros(self, count: u32) -> Signal<'m> {
        if count == 0 { self } else { self.scope.cat(&[self, self.scope.zeros(count)]) }
    }

    /// `count` copies side by side.
    #[track_caller]
    pub fn repeat(self, count: u32) -> Signal<'m> {
        if self.width == 1 && count > 1 { self.sext(count) } else { self.scope.cat(&vec![self; count as usize]) }
    }

    /// Splits into elements of `width` bits, the lowest first; the width must be a multiple.
    #[track_caller]
    pub fn split(self, width: u32) -> Vec<Signal<'m>> {
        if width == 0 || !self.width.is_multiple_of(width) {
            let message = format!("{} bits do not split into elements of {width}", self.width);
            self.scope.error(Loc::caller(), message, vec![(Some(self.loc()), "the signal comes from here".to_string())]);
            return vec![self];
        }
        (0..self.width / width).map(|i| self.slice(i * width, width)).collect()
    }

    // ---- shifts by a signal: amounts of `width` or more shift everything out ---------------------------------------

    #[track_caller]
    pub fn shl(self, amount: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::Shl, amount, self.width, Loc::caller())
    }

    /// Filling with zeros.
    #[track_caller]
    pub fn shr(self, amount: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::Shr, amount, self.width, Loc::caller())
    }

    /// Filling with the sign.
    #[track_caller]
    pub fn shr_signed(self, amount: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::Sra, amount, self.width, Loc::caller())
    }

    // ---- reductions to one bit -------------------------------------------------------------------------------------

    /// Whether any bit is 1.
    #[track_caller]
    pub fn any(self) -> Signal<'m> {
        self.reduce(RedOp::Or, Loc::caller())
    }

    /// Whether all bits are 1.
    #[track_caller]
    pub fn all(self) -> Signal<'m> {
        self.reduce(RedOp::And, Loc::caller())
    }

    /// Whether an odd number of bits is 1.
    #[track_caller]
    pub fn parity(self) -> Signal<'m> {
        self.reduce(RedOp::Xor, Loc::caller())
    }

    /// Whether all bits are 0.
    #[track_caller]
    pub fn is_zero(self) -> Signal<'m> {
        !self.any()
    }

    // ---- state -----------------------------------------------------------------------------------------------------

    /// This signal one clock cycle later; without reset.
    #[track_caller]
    pub fn reg(self, name: &str) -> Signal<'m> {
        self.scope.reg(name, self.width).next(self).q()
    }

    /// This signal one clock cycle later, 0 after reset.
    #[track_caller]
    pub fn reg_reset(self, name: &str) -> Signal<'m> {
        self.scope.reg(name, self.width).reset(0).next(self).q()
    }

    /// This signal as it was at the last clock edge with `enable` high; without reset.
    #[track_caller]
    pub fn reg_en(self, name: &str, enable: Signal<'m>) -> Signal<'m> {
        self.scope.reg(name, self.width).enable(enable).next(self).q()
    }

    /// This signal `stages` clock cycles later, through registers without reset; 0 stages is the signal itself.
    #[track_caller]
    pub fn pipe(self, name: &str, stages: u32) -> Signal<'m> {
        (0..stages).fold(self, |s, i| s.reg(&stage_name(name, i, stages)))
    }

    /// Like [`pipe`](Signal::pipe), with registers that are 0 after reset.
    #[track_caller]
    pub fn pipe_reset(self, name: &str, stages: u32) -> Signal<'m> {
        (0..stages).fold(self, |s, i| s.reg_reset(&stage_name(name, i, stages)))
    }

    // ---- inside ----------------------------------------------------------------------------------------------------

    pub(super) fn loc(self) -> Loc {
        self.scope.body().node(self.id).loc
    }

    fn extend(self, width: u32, loc: Loc, op: Op) -> Signal<'m> {
        if width < self.width {
            self.scope.error(
                loc,
                format!("extension of {} bits to {width}; narrowing is `trunc` or `sat`", self.width),
                vec![(Some(self.loc()), "the signal comes from here".to_string())],
            );
            return self.scope.add(Op::Slice { a: self.id, lo: 0 }, width.max(1), loc);
        }
        if width == self.width { self } else { self.scope.add(op, width, loc) }
    }

    fn reduce(self, op: RedOp, loc: Loc) -> Signal<'m> {
        if self.width == 1 { self } else { self.scope.add(Op::Reduce(op, self.id), 1, loc) }
    }

    fn compare(self, op: BinOp, rhs: impl Operand<'m>, loc: Loc) -> Signal<'m> {
        let rhs = rhs.operand(self, loc);
        let (a, b) = self.paired(symbol(op), rhs, loc);
        a.binary(op, b, 1, loc)
    }

    fn equal_widths(self, op: BinOp, rhs: impl Operand<'m>, loc: Loc) -> Signal<'m> {
        let rhs = rhs.operand(self, loc);
        let (a, b) = self.paired(symbol(op), rhs, loc);
        a.binary(op, b, a.width, loc)
    }

    fn binary(self, op: BinOp, rhs: Signal<'m>, width: u32, loc: Loc) -> Signal<'m> {
        let rhs = self.scope.own(rhs, loc);
        self.scope.add(Op::Binary(op, self.id, rhs), width, loc)
    }

    /// Both operands, of equal width; a mismatch is reported with both ends, and `self` then gets the width of `rhs`.
    fn paired(self, what: &str, rhs: Signal<'m>, loc: Loc) -> (Signal<'m>, Signal<'m>) {
        if self.width == rhs.width {
            let scope = rhs.scope;
            let id = scope.own(self, loc);
            return (Signal { scope, id, width: rhs.width }, rhs);
        }
        rhs.scope.error(
            loc,
            format!("operands of `{what}` have {} and {} bits; use zext, sext or trunc", self.width, rhs.width),
            vec![
                (Some(self.loc()), format!("the {}-bit operand comes from here", self.width)),
                (Some(rhs.loc()), format!("the {}-bit operand comes from here", rhs.width)),
            ],
        );
        (rhs, rhs)
    }
}

impl fmt::Debug for Signal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let body = self.scope.body();
        write!(f, "{}[{}]", body.node(self.id).name.as_deref().unwrap_or("_"), self.width)
    }
}

fn stage_name(name: &str, stage: u32, stages: u32) -> String {
    if stages == 1 { format!("{name}_q") } else { format!("{name}_q{}", stage + 1) }
}

fn symbol(op: BinOp) -> &'static str {
    match op {
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::MulU | BinOp::MulS => "*",
        BinOp::Eq => "==",
        BinOp::Ne => "!=",
        BinOp::LtU | BinOp::LtS => "<",
        BinOp::LeU | BinOp::LeS => "<=",
        BinOp::Shl => "<<",
        BinOp::Shr | BinOp::Sra => ">>",
    }
}

macro_rules! operator {
    ($trait:ident, $method:ident, $op:ident) => {
        impl<'m, R: Operand<'m>> ops::$trait<R> for Signal<'m> {
            type Output = Signal<'m>;
            #[track_caller]
            fn $method(self, rhs: R) -> Signal<'m> {
                self.equal_widths(BinOp::$op, rhs, Loc::caller())
            }
        }
    };
}
operator!(Add, add, Add);
operator!(Sub, sub, Sub);
operator!(BitAnd, bitand, And);
operator!(BitOr, bitor, Or);
operator!(BitXor, bitxor, Xor);

impl<'m> ops::Not for Signal<'m> {
    type Output = Signal<'m>;
    #[track_caller]
    fn not(self) -> Signal<'m> {
        self.scope.add(Op::Not(self.id), self.width, Loc::caller())
    }
}

/// Names signals after the Rust variables that hold them: `hw! { sum = a + b; hit = sum.eq(tag); }`.
#[macro_export]
macro_rules! hw {
    ($($name:ident = $value:expr;)*) => {
        $(let $name = $crate::hdl::Signal::named($value, stringify!($name));)*
    };
}
