//! The text of each node: in place of its only use, or as a wire of its own.

use super::expr::{BREAK, BREAK_ALL, Expr, Level};
use super::lower::{MAX_SHIFT_BITS, Sign};
use super::module::{Statement, Writer};
use crate::hdl::bits::{Bits, index_width};
use crate::hdl::ir::{BinOp, NodeId, Op, RedOp};

/// Longest expression that is written in place of an operand; longer ones get a wire.
const NESTED: usize = 60;
/// The same where the expression is of the same kind as the one around it, so that it stays readable when broken into
/// lines.
const CHAINED: usize = 400;

impl Writer<'_> {
    /// Writes what live node `id` computes, as a statement or for later use in place. Its operands have been visited.
    pub(super) fn visit(&mut self, id: NodeId) {
        let expr = match &self.low.ops[id.index()] {
            Op::Const(_) | Op::Wire(None) => return,
            Op::Input(_) | Op::Reg(_) | Op::MemRead { .. } | Op::InstOut { .. } => return,
            Op::Select { sel, cases } => {
                let (sel, cases) = (*sel, cases.clone());
                match cases[..] {
                    [first, second] => self.choose_of_two(sel, first, second),
                    _ => return self.push_case(id, sel, &cases),
                }
            }
            op => {
                let op = op.clone();
                self.expression(id, &op)
            }
        };
        let is_short = matches!(self.low.ops[id.index()], Op::Slice { .. } | Op::Not(_)) && expr.len() <= 24;
        let is_needed = self.names.nodes[id.index()].is_some() || self.low.sliced[id.index()];
        if is_needed || (self.low.uses[id.index()] > 1 && !is_short) {
            self.push_net(id, expr.text);
        } else {
            self.in_place[id.index()] = Some(expr);
        }
    }

    /// The value of `id` as the whole of an assignment.
    pub(super) fn whole(&mut self, id: NodeId) -> Expr {
        let id = self.low.resolve(id);
        let i = id.index();
        if let (Op::Const(bits), None) = (&self.low.ops[i], self.constant_name(id)) {
            return Expr::literal(bits);
        }
        if self.low.uses[i] == 1
            && let Some(expr) = self.in_place[i].take()
        {
            return expr;
        }
        if let Some(expr) = &self.in_place[i] {
            return expr.clone();
        }
        self.read_all(id);
        Expr::new(Level::Atom, self.name(id))
    }

    /// The value of `id` inside a larger expression; what is too long or may not stand there gets a wire first.
    pub(super) fn nested(&mut self, id: NodeId) -> Expr {
        self.nested_up_to(id, |_| NESTED)
    }

    fn nested_up_to(&mut self, id: NodeId, limit: impl Fn(&Expr) -> usize) -> Expr {
        let expr = self.whole(id);
        let is_literal = self.low.constant(id).is_some();
        if is_literal || (expr.level != Level::Signed && expr.len() <= limit(&expr)) {
            return expr;
        }
        let id = self.low.resolve(id);
        self.push_net(id, expr.text);
        self.read_all(id);
        Expr::new(Level::Atom, self.name(id))
    }

    fn expression(&mut self, id: NodeId, op: &Op) -> Expr {
        let width = self.module.node(id).width;
        match op {
            Op::Wire(Some(driver)) => self.whole(*driver),
            Op::Not(a) => Expr::new(Level::Not, format!("~{}", self.nested(*a).tight())),
            Op::Binary(op, a, b) => self.binary(id, *op, *a, *b),
            Op::Mux { sel, t, f } => {
                let sel = self.nested(*sel);
                let t = self.nested(*t);
                let f = self.nested_up_to(*f, |e| if e.level == Level::Ternary { CHAINED } else { NESTED });
                ternary(sel, t, f)
            }
            Op::Concat(parts) => {
                let mut text = Vec::new();
                for run in parts.chunk_by(|a, b| a == b) {
                    let part = self.nested_up_to(run[0], |e| if e.level == Level::Concat { CHAINED } else { NESTED });
                    text.push(if run.len() > 1 { repeat(run.len(), part) } else { part.part() });
                }
                match &text[..] {
                    [one] => Expr::new(Level::Atom, one),
                    _ => Expr::new(Level::Concat, format!("{{{}}}", text.join(&format!(", {BREAK}")))),
                }
            }
            Op::Slice { a, lo } => Expr::new(Level::Atom, self.bits_of(*a, *lo, width)),
            Op::Zext(a) => self.extend(*a, width, false),
            Op::Sext(a) => self.extend(*a, width, true),
            Op::Reduce(op, a) => {
                let symbol = match op {
                    RedOp::And => "&",
                    RedOp::Or => "|",
                    RedOp::Xor => "^",
                };
                Expr::new(Level::Reduce, format!("{symbol}{}", self.nested(*a).tight()))
            }
            Op::Const(_)
            | Op::Input(_)
            | Op::Wire(None)
            | Op::Reg(_)
            | Op::MemRead { .. }
            | Op::InstOut { .. }
            | Op::Select { .. } => {
                unreachable!("these are not expressions")
            }
        }
    }

    fn binary(&mut self, id: NodeId, op: BinOp, a: NodeId, b: NodeId) -> Expr {
        let width = self.module.node(id).width;
        match op {
            BinOp::And => self.infix("&", a, b),
            BinOp::Or => self.infix("|", a, b),
            BinOp::Xor => self.infix("^", a, b),
            BinOp::Add => self.infix("+", a, b),
            BinOp::Sub => self.infix("-", a, b),
            BinOp::Eq => self.infix("==", a, b),
            BinOp::Ne => self.infix("!=", a, b),
            BinOp::LtU => self.infix("<", a, b),
            BinOp::LeU => self.infix("<=", a, b),
            BinOp::LtS => self.signed_compare("<", a, b),
            BinOp::LeS => self.signed_compare("<=", a, b),
            // Operands as wide as the product: linters see no implicit extension, and synthesis (Yosys wreduce) finds
            // the repeated top bits and makes the multiplier as small as the operands.
            BinOp::MulU => {
                let (a, b) = (self.extend(a, width, false), self.extend(b, width, false));
                Expr::new(Level::Binary("*"), format!("{} {BREAK}* {}", a.operand(), b.operand()))
            }
            BinOp::MulS => {
                let [a_unsigned, b_unsigned] = self.low.unsigned_factors(id);
                let (a, b) = (self.extend(a, width, !a_unsigned), self.extend(b, width, !b_unsigned));
                Expr::new(Level::Signed, format!("$signed({}) {BREAK}* $signed({})", a.text, b.text))
            }
            BinOp::Shl => self.shift("<<", a, b),
            BinOp::Shr => self.shift(">>", a, b),
            BinOp::Sra => {
                let a = self.nested(a).text;
                // Shifting by one bit less than the width leaves nothing but the sign either.
                let amount = self.shift_amount(width - 1, b);
                Expr::new(Level::Signed, format!("$signed({a}) {BREAK}>>> {amount}"))
            }
        }
    }

    fn infix(&mut self, symbol: &'static str, a: NodeId, b: NodeId) -> Expr {
        let a = self.nested_up_to(a, |e| if e.chains_with(symbol) { CHAINED } else { NESTED });
        let b = self.nested(b);
        Expr::new(Level::Binary(symbol), format!("{} {BREAK}{symbol} {}", a.left_operand(symbol), b.operand()))
    }

    fn signed_compare(&mut self, symbol: &'static str, a: NodeId, b: NodeId) -> Expr {
        let (a, b) = (self.nested(a).text, self.nested(b).text);
        Expr::new(Level::Binary(symbol), format!("$signed({a}) {BREAK}{symbol} $signed({b})"))
    }

    fn shift(&mut self, symbol: &'static str, a: NodeId, amount: NodeId) -> Expr {
        let width = self.module.node(a).width;
        let a = self.nested(a).operand();
        let amount = self.shift_amount(width, amount);
        Expr::new(Level::Binary(symbol), format!("{a} {BREAK}{symbol} {amount}"))
    }

    /// The amount of a shift for which `most` is as good as anything more: constants and wide amounts are limited to
    /// it.
    fn shift_amount(&mut self, most: u32, amount: NodeId) -> String {
        if let Some(value) = self.low.constant(amount) {
            let value = value.to_u64().map_or(most, |v| v.min(u64::from(most)) as u32);
            return Expr::literal(&Bits::from_u64(u64::from(value), index_width(u64::from(value) + 1))).text;
        }
        let bits = self.module.node(amount).width;
        if bits <= MAX_SHIFT_BITS {
            return self.nested(amount).operand();
        }
        let low = index_width(u64::from(most) + 1);
        let high_bits = self.bits_of(amount, low, bits - low);
        let low_bits = self.bits_of(amount, 0, low);
        format!("((|{high_bits}) ? {} : {low_bits})", Expr::literal(&Bits::ones(low)).text)
    }

    /// `a` extended to `width` bits.
    fn extend(&mut self, a: NodeId, width: u32, is_signed: bool) -> Expr {
        let own = self.module.node(a).width;
        let count = width - own;
        if let Some(bits) = self.low.constant(a) {
            let words = if is_signed { bits.sign_extended(width) } else { Bits::from_words(bits.words(), width) };
            return Expr::literal(&words);
        }
        if !is_signed {
            return self.append(Expr::literal(&Bits::zero(count)).text, a);
        }
        let sign = match self.low.sign(self.module, &self.names, a) {
            Sign::Fixed => unreachable!("constants have been extended"),
            Sign::Itself => {
                let bit = self.nested(a);
                return Expr::new(Level::Atom, repeat(width as usize, bit));
            }
            Sign::BitOf(base, index) => self.bits_of(base, index, 1),
            Sign::TopBit => self.bits_of(a, own - 1, 1),
        };
        self.append(if count == 1 { sign } else { format!("{{{count}{{{sign}}}}}") }, a)
    }

    fn append(&mut self, high: String, a: NodeId) -> Expr {
        let low = self.nested_up_to(a, |e| if e.level == Level::Concat { CHAINED } else { NESTED }).part();
        Expr::new(Level::Concat, format!("{{{high}, {BREAK}{low}}}"))
    }

    /// `width` bits of an identifier, from `lo` on.
    fn bits_of(&mut self, a: NodeId, lo: u32, width: u32) -> String {
        if width == self.module.node(a).width {
            self.read_all(a);
            return self.name(a);
        }
        self.read(a, lo, width);
        let name = self.name(a);
        if width == 1 { format!("{name}[{lo}]") } else { format!("{name}[{}:{lo}]", lo + width - 1) }
    }

    fn choose_of_two(&mut self, sel: NodeId, first: NodeId, second: NodeId) -> Expr {
        let width = self.module.node(sel).width;
        let sel = self.nested(sel);
        let (first, second) = (self.nested(first), self.nested(second));
        if width == 1 {
            return ternary(sel, second, first);
        }
        let zero = Expr::literal(&Bits::zero(width)).text;
        ternary(Expr::new(Level::Binary("=="), format!("{} == {zero}", sel.operand())), first, second)
    }

    /// A `case` statement; the last case is the default, so every value of the selector is covered.
    fn push_case(&mut self, id: NodeId, sel: NodeId, cases: &[NodeId]) {
        let width = self.module.node(sel).width;
        let name = self.name(id);
        let sel = self.nested(sel).text;
        let mut arms = Vec::new();
        let (default, listed) = cases.split_last().expect("a selection has cases");
        for (index, case) in listed.iter().enumerate().filter(|(_, c)| *c != default) {
            let label = Expr::literal(&Bits::from_u64(index as u64, width)).text;
            arms.push(format!("{label}: {name} = {BREAK}{};", self.whole(*case).text));
        }
        arms.push(format!("default: {name} = {BREAK}{};", self.whole(*default).text));
        self.declared[id.index()] = true;
        self.statements.push(Statement::Case { id, sel, arms });
    }

    /// Declares a wire for `id` (or drives the output port that it is) with the given text.
    fn push_net(&mut self, id: NodeId, text: String) {
        self.declared[id.index()] = true;
        self.name(id);
        self.statements.push(Statement::Net { id, text });
    }
}

fn ternary(sel: Expr, t: Expr, f: Expr) -> Expr {
    let t = if t.level == Level::Ternary { t.operand() } else { t.text };
    Expr::new(Level::Ternary, format!("{} ? {BREAK}{t} {BREAK_ALL}: {}", sel.operand(), f.text))
}

fn repeat(count: usize, part: Expr) -> String {
    format!("{{{count}{{{}}}}}", part.part())
}
