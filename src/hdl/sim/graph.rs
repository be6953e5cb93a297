//! The flattened design as one graph without wires, ports and instances, simplified while it grows.

use super::fold::fold;
use super::wide;
use crate::hdl::bits::{Bits, words_for};
use crate::hdl::ir::{BinOp, NodeId, Op, RedOp};
use std::collections::HashMap;

/// Nodes in topological order: operands have smaller ids. Equal operations on equal operands are one node.
///
/// Operations are those of the elaborated form; `Input` refers to the ports of the top module, `Reg` and `MemRead` to
/// the registers and memories of the flattened design. `InstOut` and `Reduce(And | Or)` do not occur; a `Wire` is a
/// copy that must be made; shift amounts and selectors are variable and have at most 32 bits.
#[derive(Default)]
pub struct Graph {
    pub nodes: Vec<Node>,
    ids: HashMap<(Op, u32), NodeId>,
}

/// The place of a value: a value that is stored, and the word of it where this one begins.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    pub value: NodeId,
    pub word: u32,
}

pub struct Node {
    pub op: Op,
    pub width: u32,
    /// All bits from this one on are known to be zero.
    pub significant: u32,
}

/// Parts beyond which concatenations are no longer merged into each other, so that chains of them stay linear in size.
const MAX_MERGED_PARTS: usize = 256;

impl Graph {
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    pub fn width(&self, id: NodeId) -> u32 {
        self.node(id).width
    }

    pub fn as_constant(&self, id: NodeId) -> Option<&Bits> {
        match &self.node(id).op {
            Op::Const(bits) => Some(bits),
            _ => None,
        }
    }

    pub fn constant(&mut self, value: Bits) -> NodeId {
        let width = value.width();
        self.intern(Op::Const(value), width)
    }

    fn zero(&mut self, width: u32) -> NodeId {
        self.constant(Bits::zero(width))
    }

    /// A copy of a value in a place of its own.
    pub fn copy(&mut self, a: NodeId) -> NodeId {
        self.intern(Op::Wire(Some(a)), self.width(a))
    }

    /// Where the words of a value are found: some values are parts of others as they lie in memory.
    pub fn place(&self, id: NodeId) -> Place {
        let mut place = Place { value: id, word: 0 };
        loop {
            let node = self.node(place.value);
            let words = words_for(node.width);
            match node.op {
                Op::Zext(a) if words_for(self.width(a)) == words => place.value = a,
                // Whole words, of which the last may have bits above the slice only when those are zero.
                Op::Slice { a, lo } if lo.is_multiple_of(64) => {
                    let is_clean = node.width.is_multiple_of(64) || lo + node.width >= self.node(a).significant;
                    if !is_clean || lo as usize / 64 + words > words_for(self.width(a)) {
                        return place;
                    }
                    place = Place { value: a, word: place.word + lo / 64 };
                }
                _ => return place,
            }
        }
    }

    /// The node that computes `op`, which may be a simpler one.
    pub fn add(&mut self, op: Op, width: u32) -> NodeId {
        if let Some(value) = fold(&op, width, |id| self.as_constant(id)) {
            return self.constant(value);
        }
        match op {
            Op::Not(a) => self.add_not(a, width),
            Op::Binary(op, a, b) => self.add_binary(op, a, b, width),
            Op::Mux { sel, t, f } => self.add_mux(sel, t, f, width),
            Op::Select { sel, cases } => self.add_select(sel, cases, width),
            Op::Concat(parts) => self.add_concat(parts, width),
            Op::Slice { a, lo } => self.slice(a, lo, width),
            Op::Zext(a) => self.zext(a, width),
            Op::Sext(a) => self.add_sext(a, width),
            Op::Reduce(op, a) => self.add_reduce(op, a),
            leaf => self.intern(leaf, width),
        }
    }

    fn intern(&mut self, op: Op, width: u32) -> NodeId {
        let next = NodeId(self.nodes.len() as u32);
        let id = *self.ids.entry((op.clone(), width)).or_insert(next);
        if id == next {
            let significant = self.significant(&op, width);
            self.nodes.push(Node { op, width, significant });
        }
        id
    }

    fn significant(&self, op: &Op, width: u32) -> u32 {
        let of = |id: &NodeId| self.node(*id).significant;
        let bound = match op {
            Op::Const(bits) => (0..width).rev().find(|i| bits.bit(*i)).map_or(0, |i| i + 1),
            Op::Binary(BinOp::And, a, b) => of(a).min(of(b)),
            Op::Binary(BinOp::Or | BinOp::Xor, a, b) => of(a).max(of(b)),
            Op::Binary(BinOp::Add, a, b) => of(a).max(of(b)) + 1,
            Op::Binary(BinOp::MulU, a, b) => of(a) + of(b),
            Op::Binary(BinOp::Shr, a, _) | Op::Zext(a) => of(a),
            Op::Mux { t, f, .. } => of(t).max(of(f)),
            Op::Select { cases, .. } => cases.iter().map(of).max().unwrap_or(width),
            Op::Slice { a, lo } => of(a).saturating_sub(*lo),
            _ => width,
        };
        bound.min(width)
    }

    pub fn for_each_operand(op: &Op, mut f: impl FnMut(NodeId)) {
        match op {
            Op::Const(_) | Op::Input(_) | Op::Wire(None) | Op::Reg(_) | Op::MemRead { .. } | Op::InstOut { .. } => {}
            Op::Wire(Some(a)) | Op::Not(a) | Op::Slice { a, .. } | Op::Zext(a) | Op::Sext(a) | Op::Reduce(_, a) => {
                f(*a)
            }
            Op::Binary(_, a, b) => [*a, *b].into_iter().for_each(f),
            Op::Mux { sel, t, f: other } => [*sel, *t, *other].into_iter().for_each(f),
            Op::Select { sel, cases } => {
                f(*sel);
                cases.iter().copied().for_each(f);
            }
            Op::Concat(parts) => parts.iter().copied().for_each(f),
        }
    }

    fn add_not(&mut self, a: NodeId, width: u32) -> NodeId {
        match self.node(a).op {
            Op::Not(inner) => inner,
            _ => self.intern(Op::Not(a), width),
        }
    }

    fn is_zero(&self, id: NodeId) -> bool {
        self.as_constant(id).is_some_and(Bits::is_zero)
    }

    fn is_ones(&self, id: NodeId) -> bool {
        self.as_constant(id).is_some_and(|v| *v == Bits::ones(v.width()))
    }

    fn add_binary(&mut self, op: BinOp, a: NodeId, b: NodeId, width: u32) -> NodeId {
        use BinOp::*;
        // A constant comes second, other operands of a commutative operation in the order of their ids.
        let commutative = matches!(op, And | Or | Xor | Add | MulU | MulS | Eq | Ne);
        let rank = |id: NodeId| (self.as_constant(id).is_some(), id);
        let (a, b) = if commutative && rank(a) > rank(b) { (b, a) } else { (a, b) };
        let operand_width = self.width(a);
        match op {
            And | Or if a == b => return a,
            And if self.is_zero(b) => return b,
            And if self.is_ones(b) => return a,
            Or | Xor | Add | Sub if self.is_zero(b) => return a,
            Or if self.is_ones(b) => return b,
            Xor | Sub if a == b => return self.zero(width),
            Xor if self.is_ones(b) => return self.add_not(a, width),
            MulU | MulS if self.is_zero(b) => return self.zero(width),
            Eq | LeU | LeS if a == b => return self.constant(Bits::ones(1)),
            Ne | LtU | LtS if a == b => return self.zero(1),
            Eq if operand_width == 1 && self.is_ones(b) => return a,
            Eq if operand_width == 1 && self.is_zero(b) => return self.add_not(a, 1),
            Ne if operand_width == 1 && self.is_zero(b) => return a,
            Ne if operand_width == 1 && self.is_ones(b) => return self.add_not(a, 1),
            Shl | Shr | Sra => return self.add_shift(op, a, b, width),
            _ => {}
        }
        self.intern(Op::Binary(op, a, b), width)
    }

    fn add_shift(&mut self, op: BinOp, a: NodeId, amount: NodeId, width: u32) -> NodeId {
        if let Some(amount) = self.as_constant(amount) {
            let amount = amount.to_u64().map_or(width, |v| v.min(u64::from(width)) as u32);
            let kept = width - amount;
            return match op {
                _ if amount == 0 => a,
                BinOp::Sra => {
                    let top = self.slice(a, amount.min(width - 1), kept.max(1));
                    self.add_sext(top, width)
                }
                _ if kept == 0 => self.zero(width),
                BinOp::Shl => {
                    let parts = vec![self.slice(a, 0, kept), self.zero(amount)];
                    self.add_concat(parts, width)
                }
                _ => {
                    let top = self.slice(a, amount, kept);
                    self.zext(top, width)
                }
            };
        }
        let amount = self.saturate(amount);
        self.intern(Op::Binary(op, a, amount), width)
    }

    /// An unsigned value as one of at most 32 bits, all ones when it is too large for them.
    fn saturate(&mut self, a: NodeId) -> NodeId {
        let width = self.width(a);
        if width <= 32 {
            return a;
        }
        let upper = self.slice(a, 32, width - 32);
        let large = self.add_reduce(RedOp::Or, upper);
        let ones = self.add_sext(large, 32);
        let low = self.slice(a, 0, 32);
        self.add_binary(BinOp::Or, low, ones, 32)
    }

    fn add_mux(&mut self, sel: NodeId, t: NodeId, f: NodeId, width: u32) -> NodeId {
        if let Some(sel) = self.as_constant(sel) {
            return if sel.is_zero() { f } else { t };
        }
        if t == f {
            return t;
        }
        if let Op::Not(inner) = self.node(sel).op {
            return self.add_mux(inner, f, t, width);
        }
        if width == 1 {
            match (self.as_constant(t).map(Bits::is_zero), self.as_constant(f).map(Bits::is_zero)) {
                (Some(false), Some(true)) => return sel,
                (Some(true), Some(false)) => return self.add_not(sel, 1),
                (Some(false), None) => return self.add_binary(BinOp::Or, sel, f, 1),
                (None, Some(true)) => return self.add_binary(BinOp::And, sel, t, 1),
                (Some(true), None) => {
                    let other = self.add_not(sel, 1);
                    return self.add_binary(BinOp::And, other, f, 1);
                }
                _ => {}
            }
        }
        self.intern(Op::Mux { sel, t, f }, width)
    }

    fn add_select(&mut self, sel: NodeId, mut cases: Vec<NodeId>, width: u32) -> NodeId {
        if let Some(sel) = self.as_constant(sel) {
            let index = sel.to_u64().map_or(usize::MAX, |v| v as usize);
            return cases[index.min(cases.len() - 1)];
        }
        // The last case stands for all higher values, so equal ones at the end are one.
        while cases.len() > 1 && cases[cases.len() - 1] == cases[cases.len() - 2] {
            cases.pop();
        }
        match cases[..] {
            [only] => only,
            [f, t] => {
                let sel = self.add_reduce(RedOp::Or, sel);
                self.add_mux(sel, t, f, width)
            }
            _ => {
                let sel = self.saturate(sel);
                self.intern(Op::Select { sel, cases }, width)
            }
        }
    }

    fn add_concat(&mut self, parts: Vec<NodeId>, width: u32) -> NodeId {
        let mut merged: Vec<NodeId> = Vec::with_capacity(parts.len());
        for part in parts {
            match &self.node(part).op {
                Op::Concat(inner) if merged.len() + inner.len() <= MAX_MERGED_PARTS => {
                    for inner in inner.clone() {
                        self.push_part(&mut merged, inner);
                    }
                }
                _ => self.push_part(&mut merged, part),
            }
        }
        match merged[..] {
            [only] => only,
            [first, ..] if self.is_zero(first) => {
                let rest_width = width - self.width(first);
                let rest = self.add_concat(merged.split_off(1), rest_width);
                self.zext(rest, width)
            }
            _ => self.intern(Op::Concat(merged), width),
        }
    }

    /// Appends a part, joining it with the last one when both are constants or adjacent slices of one value.
    fn push_part(&mut self, parts: &mut Vec<NodeId>, part: NodeId) {
        let joined = parts.last().and_then(|last| {
            let width = self.width(*last) + self.width(part);
            match (&self.node(*last).op, &self.node(part).op) {
                (Op::Const(high), Op::Const(low)) => {
                    let mut words = vec![0; words_for(width)];
                    wide::insert(&mut words, low.words(), 0);
                    wide::insert(&mut words, high.words(), low.width());
                    Some((Op::Const(Bits::from_words(&words, width)), width))
                }
                (Op::Slice { a, lo }, Op::Slice { a: b, lo: below }) if a == b && *lo == below + self.width(part) => {
                    Some((Op::Slice { a: *a, lo: *below }, width))
                }
                _ => None,
            }
        });
        match joined {
            Some((op, width)) => {
                parts.pop();
                let joined = self.add(op, width);
                parts.push(joined);
            }
            None => parts.push(part),
        }
    }

    /// Bits `lo .. lo + width` of `a`.
    pub fn slice(&mut self, a: NodeId, lo: u32, width: u32) -> NodeId {
        let source = self.node(a);
        if lo == 0 && width == source.width {
            return a;
        }
        if lo >= source.significant {
            return self.zero(width);
        }
        if let Some(value) = fold(&Op::Slice { a, lo }, width, |id| self.as_constant(id)) {
            return self.constant(value);
        }
        match &source.op {
            Op::Slice { a: inner, lo: below } => {
                let (inner, lo) = (*inner, lo + below);
                self.slice(inner, lo, width)
            }
            Op::Zext(inner) => {
                // The slice begins below the top of the inner value, or it would have been zero.
                let (inner, inner_width) = (*inner, self.width(*inner));
                let kept = self.slice(inner, lo, width.min(inner_width - lo));
                self.zext(kept, width)
            }
            Op::Sext(inner) => {
                let (inner, inner_width) = (*inner, self.width(*inner));
                let lo = lo.min(inner_width - 1);
                let kept = self.slice(inner, lo, width.min(inner_width - lo));
                self.add_sext(kept, width)
            }
            Op::Concat(parts) => {
                let mut covered = Vec::new();
                let mut at = 0;
                for part in parts.iter().rev() {
                    let part_width = self.width(*part);
                    let (from, to) = (lo.max(at), (lo + width).min(at + part_width));
                    if from < to {
                        covered.push((*part, from - at, to - from));
                    }
                    at += part_width;
                }
                if covered.len() > MAX_MERGED_PARTS / 4 {
                    return self.intern(Op::Slice { a, lo }, width);
                }
                let parts = covered.into_iter().rev().map(|(part, lo, width)| self.slice(part, lo, width)).collect();
                self.add_concat(parts, width)
            }
            _ => self.intern(Op::Slice { a, lo }, width),
        }
    }

    fn zext(&mut self, a: NodeId, width: u32) -> NodeId {
        if width == self.width(a) {
            return a;
        }
        if let Some(value) = self.as_constant(a) {
            let value = Bits::from_words(value.words(), width);
            return self.constant(value);
        }
        match self.node(a).op {
            Op::Zext(inner) => self.zext(inner, width),
            _ => self.intern(Op::Zext(a), width),
        }
    }

    fn add_sext(&mut self, a: NodeId, width: u32) -> NodeId {
        if width == self.width(a) {
            return a;
        }
        if let Some(value) = fold(&Op::Sext(a), width, |id| self.as_constant(id)) {
            return self.constant(value);
        }
        match self.node(a).op {
            Op::Sext(inner) => self.add_sext(inner, width),
            _ if self.node(a).significant < self.width(a) => self.zext(a, width),
            _ => self.intern(Op::Sext(a), width),
        }
    }

    fn add_reduce(&mut self, op: RedOp, a: NodeId) -> NodeId {
        let width = self.width(a);
        if width == 1 {
            return a;
        }
        match op {
            RedOp::And => {
                let ones = self.constant(Bits::ones(width));
                self.add_binary(BinOp::Eq, a, ones, 1)
            }
            RedOp::Or => {
                let zero = self.zero(width);
                self.add_binary(BinOp::Ne, a, zero, 1)
            }
            RedOp::Xor => self.intern(Op::Reduce(RedOp::Xor, a), 1),
        }
    }
}
