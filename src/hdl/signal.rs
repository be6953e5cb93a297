//! Signals and their operators.
//!
//! Operators take equal widths; growing and narrowing are named verbs. Values have no sign of their own: operations
//! whose result depends on it come in an unsigned form and a `_signed` form (two's complement).

use super::bits::Bits;
use super::ir::{BinOp, Loc, NodeId, Op, RedOp};
use super::scope::{MAX_WIDTH, Scope, bits};
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
    /// The operand as a signal of the width of `left`; a number that does not fit is reported at `loc`.
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
                format!("constant {self} does not fit into the {} of the other operand", bits(left.width)),
                vec![left.made("the other operand")],
            );
        }
        left.scope.add(Op::Const(Bits::from_u64(self, left.width)), left.width, loc)
    }
}

// Products and shifts have operands of unequal widths, and a sign that is chosen by name: not what the operators
// promise.
#[allow(clippy::should_implement_trait)]
impl<'m> Signal<'m> {
    /// Bits, at least 1.
    pub fn width(self) -> u32 {
        self.width
    }

    /// The module this signal belongs to.
    pub fn scope(self) -> &'m Scope {
        self.scope
    }

    /// Gives the signal a name; the emitted Verilog keeps it (with a suffix if the name is taken, or a
    /// word of Verilog or SystemVerilog).
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
        self.zext(width).binary(BinOp::Add, rhs.zext(width), width, self.scope.here())
    }

    /// Two's complement sum, one bit wider than the wider operand.
    #[track_caller]
    pub fn add_full_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        let width = self.width.max(rhs.width) + 1;
        self.sext(width).binary(BinOp::Add, rhs.sext(width), width, self.scope.here())
    }

    /// Unsigned product of `self.width() + rhs.width()` bits.
    #[track_caller]
    pub fn mul(self, rhs: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::MulU, rhs, self.width + rhs.width, self.scope.here())
    }

    /// Two's complement product of `self.width() + rhs.width()` bits.
    #[track_caller]
    pub fn mul_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::MulS, rhs, self.width + rhs.width, self.scope.here())
    }

    /// Two's complement negation modulo `2^width`.
    #[track_caller]
    pub fn neg(self) -> Signal<'m> {
        let loc = self.scope.here();
        let zero = self.scope.add(Op::Const(Bits::zero(self.width)), self.width, loc);
        zero.binary(BinOp::Sub, self, self.width, loc)
    }

    // ---- comparisons: one bit --------------------------------------------------------------------------------------

    /// Whether both are equal.
    #[track_caller]
    pub fn eq(self, rhs: impl Operand<'m>) -> Signal<'m> {
        self.compare(BinOp::Eq, rhs, self.scope.here())
    }

    /// Whether both are different.
    #[track_caller]
    pub fn ne(self, rhs: impl Operand<'m>) -> Signal<'m> {
        self.compare(BinOp::Ne, rhs, self.scope.here())
    }

    /// Unsigned `self < rhs`.
    #[track_caller]
    pub fn lt(self, rhs: impl Operand<'m>) -> Signal<'m> {
        self.compare(BinOp::LtU, rhs, self.scope.here())
    }

    /// Unsigned `self <= rhs`.
    #[track_caller]
    pub fn le(self, rhs: impl Operand<'m>) -> Signal<'m> {
        self.compare(BinOp::LeU, rhs, self.scope.here())
    }

    /// Unsigned `self > rhs`.
    #[track_caller]
    pub fn gt(self, rhs: impl Operand<'m>) -> Signal<'m> {
        let loc = self.scope.here();
        self.reversed(BinOp::LtU, ">", rhs.operand(self, loc), loc)
    }

    /// Unsigned `self >= rhs`.
    #[track_caller]
    pub fn ge(self, rhs: impl Operand<'m>) -> Signal<'m> {
        let loc = self.scope.here();
        self.reversed(BinOp::LeU, ">=", rhs.operand(self, loc), loc)
    }

    /// Two's complement `self < rhs`.
    #[track_caller]
    pub fn lt_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        self.compare(BinOp::LtS, rhs, self.scope.here())
    }

    /// Two's complement `self <= rhs`.
    #[track_caller]
    pub fn le_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        self.compare(BinOp::LeS, rhs, self.scope.here())
    }

    /// Two's complement `self > rhs`.
    #[track_caller]
    pub fn gt_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        self.reversed(BinOp::LtS, ">", rhs, self.scope.here())
    }

    /// Two's complement `self >= rhs`.
    #[track_caller]
    pub fn ge_signed(self, rhs: Signal<'m>) -> Signal<'m> {
        self.reversed(BinOp::LeS, ">=", rhs, self.scope.here())
    }

    // ---- choice ----------------------------------------------------------------------------------------------------

    /// `self` (one bit) chooses: `t` when 1, `f` when 0.
    #[track_caller]
    pub fn mux(self, t: impl Operand<'m>, f: Signal<'m>) -> Signal<'m> {
        let loc = self.scope.here();
        let (t, f) = t.operand(f, loc).paired("mux", f, loc);
        let scope = self.scope.inner_of(f.scope);
        let sel = scope.checked_flag(scope.own(self, loc), "the select of `mux`", loc);
        scope.add(Op::Mux { sel, t: scope.own(t, loc), f: scope.own(f, loc) }, f.width, loc)
    }

    /// `cases[self]`; the last case stands for all higher values.
    #[track_caller]
    pub fn select(self, cases: &[Signal<'m>]) -> Signal<'m> {
        let loc = self.scope.here();
        let Some(first) = cases.first() else {
            self.scope.error(loc, "select without cases".to_string(), Vec::new());
            return self;
        };
        let mut cases = cases;
        if self.width < 32 && cases.len() as u64 > 1 << self.width {
            let message = format!("{} cannot tell {} cases apart", bits(self.width), cases.len());
            self.scope.error(loc, message, vec![self.made("the select")]);
            cases = &cases[..1 << self.width];
        }
        if cases.len() == 1 {
            return *first;
        }
        let scope = cases.iter().fold(self.scope, |scope, case| scope.inner_of(case.scope));
        // Of a case that differs in width from the first one, that one takes the place.
        let fitting =
            |case: &Signal<'m>| if first.paired("select", *case, loc).0.width == first.width { *case } else { *first };
        let ids = cases.iter().map(|case| scope.own(fitting(case), loc)).collect();
        scope.add(Op::Select { sel: scope.own(self, loc), cases: ids }, first.width, loc)
    }

    /// All bits while `enable` (one bit) is 1, zero otherwise.
    #[track_caller]
    pub fn gate(self, enable: Signal<'m>) -> Signal<'m> {
        let loc = self.scope.here();
        self & enable.flag("the enable of `gate`", loc).repeat(self.width)
    }

    // ---- width -----------------------------------------------------------------------------------------------------

    /// Bits `lo .. lo+width`.
    #[track_caller]
    pub fn slice(self, lo: u32, width: u32) -> Signal<'m> {
        let loc = self.scope.here();
        let end = u64::from(lo) + u64::from(width);
        if width == 0 || end > u64::from(self.width) {
            let message = match width {
                0 => "a slice of no bits".to_string(),
                1 => format!("a signal of {} has no bit {lo}", bits(self.width)),
                _ => format!("a signal of {} has no bits {lo} to {}", bits(self.width), end - 1),
            };
            self.scope.error(loc, message, vec![self.made("the signal")]);
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
        self.slice(lo, self.width.saturating_sub(lo).max(1))
    }

    /// Zero extension to `width` bits.
    #[track_caller]
    pub fn zext(self, width: u32) -> Signal<'m> {
        self.extend(width, self.scope.here(), Op::Zext(self.id))
    }

    /// Sign extension to `width` bits.
    #[track_caller]
    pub fn sext(self, width: u32) -> Signal<'m> {
        self.extend(width, self.scope.here(), Op::Sext(self.id))
    }

    /// Two's complement saturation to `width` bits, at most its own.
    #[track_caller]
    pub fn sat_signed(self, width: u32) -> Signal<'m> {
        let Some(low) = self.narrowed(width, "sext") else { return self.sext(width.max(self.width)) };
        let sign = self.msb();
        let beyond = self.bits_from(width - 1);
        let fits = beyond.eq(sign.repeat(beyond.width));
        let limit = if width == 1 { sign } else { self.scope.cat(&[sign, (!sign).repeat(width - 1)]) };
        fits.mux(low, limit)
    }

    /// Unsigned saturation to `width` bits, at most its own.
    #[track_caller]
    pub fn sat(self, width: u32) -> Signal<'m> {
        let Some(low) = self.narrowed(width, "zext") else { return self.zext(width.max(self.width)) };
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
        let width = u64::from(self.width) * u64::from(count);
        if count == 0 || width > u64::from(MAX_WIDTH) {
            let message = format!("{count} copies of {}; a signal has 1 to {MAX_WIDTH} bits", bits(self.width));
            self.scope.error(self.scope.here(), message, Vec::new());
            return self;
        }
        if self.width == 1 && count > 1 { self.sext(count) } else { self.scope.cat(&vec![self; count as usize]) }
    }

    /// Splits into elements of `width` bits, the lowest first; the width must be a multiple.
    #[track_caller]
    pub fn split(self, width: u32) -> Vec<Signal<'m>> {
        if width == 0 || !self.width.is_multiple_of(width) {
            let message = format!("{} cannot be split into elements of {width}", bits(self.width));
            self.scope.error(self.scope.here(), message, vec![self.made("the signal")]);
            return vec![self];
        }
        self.scope.library(|| (0..self.width / width).map(|i| self.slice(i * width, width)).collect())
    }

    /// `width` bits of which bit `self` is 1 and the others are 0; all are when there is no such bit.
    #[track_caller]
    pub fn onehot(self, width: u32) -> Signal<'m> {
        self.scope.lit(1, width).shl(self)
    }

    // ---- shifts by a signal: amounts of `width` or more shift everything out ---------------------------------------

    /// Filling with zeros.
    #[track_caller]
    pub fn shl(self, amount: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::Shl, amount, self.width, self.scope.here())
    }

    /// Filling with zeros.
    #[track_caller]
    pub fn shr(self, amount: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::Shr, amount, self.width, self.scope.here())
    }

    /// Filling with the sign.
    #[track_caller]
    pub fn shr_signed(self, amount: Signal<'m>) -> Signal<'m> {
        self.binary(BinOp::Sra, amount, self.width, self.scope.here())
    }

    // ---- reductions to one bit -------------------------------------------------------------------------------------

    /// Whether any bit is 1.
    #[track_caller]
    pub fn any(self) -> Signal<'m> {
        self.reduce(RedOp::Or, self.scope.here())
    }

    /// Whether all bits are 1.
    #[track_caller]
    pub fn all(self) -> Signal<'m> {
        self.reduce(RedOp::And, self.scope.here())
    }

    /// Whether an odd number of bits is 1.
    #[track_caller]
    pub fn parity(self) -> Signal<'m> {
        self.reduce(RedOp::Xor, self.scope.here())
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
        self.scope.library(|| (0..stages).fold(self, |s, i| s.reg(&stage_name(name, i, stages))))
    }

    /// Like [`pipe`](Signal::pipe), with registers that are 0 after reset.
    #[track_caller]
    pub fn pipe_reset(self, name: &str, stages: u32) -> Signal<'m> {
        self.scope.library(|| (0..stages).fold(self, |s, i| s.reg_reset(&stage_name(name, i, stages))))
    }

    // ---- inside ----------------------------------------------------------------------------------------------------

    pub(super) fn loc(self) -> Loc {
        self.scope.body().node(self.id).loc
    }

    /// The note that says where this signal comes from.
    pub(super) fn made(self, what: &str) -> (Option<Loc>, String) {
        self.scope.made(what, self.id)
    }

    /// This signal, which must be one bit, as `what`.
    pub(super) fn flag(self, what: &str, loc: Loc) -> Signal<'m> {
        self.scope.signal(self.scope.checked_flag(self.id, what, loc))
    }

    fn extend(self, width: u32, loc: Loc, op: Op) -> Signal<'m> {
        if width < self.width {
            self.scope.error(
                loc,
                format!("{} extended to {width}; narrowing is `trunc`, `sat` or `sat_signed`", bits(self.width)),
                vec![self.made("the signal")],
            );
            return self.scope.add(Op::Slice { a: self.id, lo: 0 }, width.max(1), loc);
        }
        if width == self.width { self } else { self.scope.add(op, width, loc) }
    }

    /// The low bits for a saturation to `width` bits, `None` when there is nothing to saturate.
    #[track_caller]
    fn narrowed(self, width: u32, growing: &str) -> Option<Signal<'m>> {
        if width == 0 || width > self.width {
            let message = format!("{} saturated to {width}; growing is `{growing}`", bits(self.width));
            self.scope.error(self.scope.here(), message, vec![self.made("the signal")]);
        }
        if (1..self.width).contains(&width) { Some(self.trunc(width)) } else { None }
    }

    fn reduce(self, op: RedOp, loc: Loc) -> Signal<'m> {
        if self.width == 1 { self } else { self.scope.add(Op::Reduce(op, self.id), 1, loc) }
    }

    fn compare(self, op: BinOp, rhs: impl Operand<'m>, loc: Loc) -> Signal<'m> {
        let rhs = rhs.operand(self, loc);
        let (a, b) = self.paired(symbol(op), rhs, loc);
        a.binary(op, b, 1, loc)
    }

    /// `rhs op self`, called `what` by the user.
    fn reversed(self, op: BinOp, what: &str, rhs: Signal<'m>, loc: Loc) -> Signal<'m> {
        let (a, b) = self.paired(what, rhs, loc);
        b.binary(op, a, 1, loc)
    }

    fn equal_widths(self, op: BinOp, rhs: impl Operand<'m>, loc: Loc) -> Signal<'m> {
        let rhs = rhs.operand(self, loc);
        let (a, b) = self.paired(symbol(op), rhs, loc);
        a.binary(op, b, a.width, loc)
    }

    fn binary(self, op: BinOp, rhs: Signal<'m>, width: u32, loc: Loc) -> Signal<'m> {
        let scope = self.scope.inner_of(rhs.scope);
        let (a, b) = (scope.own(self, loc), scope.own(rhs, loc));
        scope.add(Op::Binary(op, a, b), width, loc)
    }

    /// Both operands, of equal width; a mismatch is reported with both ends, and `rhs` then stands for both.
    fn paired(self, what: &str, rhs: Signal<'m>, loc: Loc) -> (Signal<'m>, Signal<'m>) {
        if self.width == rhs.width {
            return (self, rhs);
        }
        rhs.scope.error(
            loc,
            format!(
                "operands of `{what}` have {} and {}; use `zext`, `sext` or `trunc`",
                bits(self.width),
                bits(rhs.width)
            ),
            [self, rhs].map(|s| s.made(&format!("the {}-bit operand", s.width))).into(),
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
                self.equal_widths(BinOp::$op, rhs, self.scope.here())
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
        self.scope.add(Op::Not(self.id), self.width, self.scope.here())
    }
}

/// Names signals after the Rust variables that hold them: `hw! { sum = a + b; hit = sum.eq(tag); }`.
#[macro_export]
macro_rules! hw {
    ($($name:ident = $value:expr;)*) => {
        $(let $name = $crate::hdl::Signal::named($value, stringify!($name));)*
    };
}
