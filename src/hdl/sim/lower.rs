//! Instruction selection: from the graph to instructions whose operands are still values, not addresses.

use super::code::{Cut, Field, Op, SignField, SignFields};
use super::flatten::Flat;
use super::graph::{Graph, Place};
use super::wide::top_mask;
use crate::hdl::bits::{Bits, words_for};
use crate::hdl::ir::{self, BinOp, NodeId};
use std::ops::Range;

/// One instruction; its record is `args` in order.
pub struct Instr {
    pub op: Op,
    /// See [`super::code::Run::words`].
    pub words: u32,
    /// The value it computes and the words of that.
    pub value: NodeId,
    pub dst_len: u32,
    pub args: Range<u32>,
}

#[derive(Clone, Copy)]
pub enum Arg {
    Imm(u32),
    Word(Place),
}

pub struct Lowered {
    /// In topological order.
    pub instrs: Vec<Instr>,
    pub args: Vec<Arg>,
    /// By node of the graph: whether it is stored.
    pub needed: Vec<bool>,
}

/// Selects instructions for all that ports, signals, registers and memories need. May add constants and copies to the
/// graph.
pub fn lower(flat: &mut Flat) -> Lowered {
    isolate_sources(flat);
    let roots = roots(flat);
    let uses = count_uses(flat, &roots);
    let nodes = flat.graph.nodes.len();
    let sync_mems = flat.mems.iter().map(|m| m.read_latency == 1).collect();
    let read_addresses =
        flat.mems.iter().map(|m| m.reads.iter().map(|r| r.as_ref().map(|r| r.addr)).collect()).collect();
    let mut lowering = Lowering {
        graph: &mut flat.graph,
        sync_mems,
        read_addresses,
        uses,
        instrs: Vec::new(),
        args: Vec::new(),
        needed: vec![false; nodes],
    };
    for root in roots {
        lowering.word(root, 0);
    }
    // Operands have smaller ids, so whatever needs a node has been seen before it.
    for id in (0..nodes as u32).rev().map(NodeId) {
        if lowering.needed[id.index()] {
            lowering.select(id);
        }
    }
    lowering.instrs.reverse();
    Lowered { instrs: lowering.instrs, args: lowering.args, needed: lowering.needed }
}

/// At a clock edge memories act first and take their operands from where they lie, synchronous read data changing on
/// the way; then registers take over their next values, changing on the way. Operands that would change too early are
/// copied.
fn isolate_sources(flat: &mut Flat) {
    let Flat { graph, regs, mems, .. } = flat;
    let sync: Vec<bool> = mems.iter().map(|m| m.read_latency == 1).collect();
    let mut isolate = |node: &mut NodeId, registers: bool| {
        let copy = match graph.node(graph.place(*node).value).op {
            ir::Op::Reg(_) => registers,
            ir::Op::MemRead { mem, .. } => sync[mem.index()],
            _ => false,
        };
        if copy {
            *node = graph.copy(*node);
        }
    };
    for reg in regs.iter_mut() {
        if reg.next != reg.node {
            isolate(&mut reg.next, true);
        }
    }
    for mem in mems.iter_mut() {
        if mem.read_latency == 1 {
            for read in mem.reads.iter_mut().flatten() {
                isolate(&mut read.addr, false);
                read.enable.iter_mut().for_each(|e| isolate(e, false));
            }
        }
        for write in &mut mem.writes {
            isolate(&mut write.addr, false);
            isolate(&mut write.data, false);
            isolate(&mut write.enable, false);
        }
    }
}

/// The nodes whose values something outside of the combinational logic reads.
fn roots(flat: &Flat) -> Vec<NodeId> {
    let mut roots = flat.ports.clone();
    roots.extend(flat.signals.iter().map(|s| s.node));
    roots.extend(flat.regs.iter().flat_map(|r| [r.node, r.next]));
    for mem in &flat.mems {
        for read in mem.reads.iter().flatten() {
            roots.extend([read.node, read.addr]);
            roots.extend(read.enable);
        }
        roots.extend(mem.writes.iter().flat_map(|w| [w.addr, w.data, w.enable]));
    }
    roots
}

/// For each node how often live nodes use it; roots count as used once more.
fn count_uses(flat: &Flat, roots: &[NodeId]) -> Vec<u32> {
    let mut uses = vec![0; flat.graph.nodes.len()];
    roots.iter().for_each(|r| uses[r.index()] += 1);
    for (id, node) in flat.graph.nodes.iter().enumerate().rev() {
        if uses[id] > 0 {
            Graph::for_each_operand(&node.op, |operand| uses[operand.index()] += 1);
        }
    }
    uses
}

/// Bits `lo .. lo + width` of a value, placed at bit `at` of a concatenation.
struct Piece {
    value: NodeId,
    lo: u32,
    width: u32,
    at: u32,
}

struct Lowering<'g> {
    graph: &'g mut Graph,
    sync_mems: Vec<bool>,
    read_addresses: Vec<Vec<Option<NodeId>>>,
    uses: Vec<u32>,
    instrs: Vec<Instr>,
    args: Vec<Arg>,
    needed: Vec<bool>,
}

impl Lowering<'_> {
    fn words(&self, id: NodeId) -> u32 {
        words_for(self.graph.width(id)) as u32
    }

    fn significant(&self, id: NodeId) -> u32 {
        self.graph.node(id).significant
    }

    /// Word `index` of a value, which thereby must be stored.
    fn word(&mut self, id: NodeId, index: u32) -> Arg {
        let mut place = self.graph.place(id);
        self.needed[place.value.index()] = true;
        place.word += index;
        Arg::Word(place)
    }

    fn constant(&mut self, value: Bits) -> NodeId {
        let id = self.graph.constant(value);
        self.needed.resize(self.graph.nodes.len(), false);
        id
    }

    fn emit(&mut self, value: NodeId, (op, words): (Op, u32), args: impl IntoIterator<Item = Arg>) {
        let start = self.args.len() as u32;
        self.args.extend(args);
        let dst_len = self.words(value);
        self.instrs.push(Instr { op, words, value, dst_len, args: start..self.args.len() as u32 });
    }

    fn select(&mut self, v: NodeId) {
        let width = self.graph.width(v);
        let words = self.words(v);
        match self.graph.node(v).op.clone() {
            ir::Op::Const(_) | ir::Op::Input(_) | ir::Op::Reg(_) | ir::Op::Wire(None) | ir::Op::InstOut { .. } => {}
            ir::Op::Wire(Some(a)) => {
                let args = [self.word(a, 0)];
                self.emit(v, sized(words, Op::Copy, Op::Copy2, Op::CopyN), args);
            }
            ir::Op::MemRead { mem, port } => {
                if let (false, Some(addr)) =
                    (self.sync_mems[mem.index()], self.read_addresses[mem.index()][port as usize])
                {
                    let args = [self.word(addr, 0), Arg::Imm(mem.0)];
                    self.emit(v, (Op::MemRead, words), args);
                }
            }
            ir::Op::Not(a) => {
                let ones = self.constant(Bits::ones(width));
                let args = [self.word(a, 0), self.word(ones, 0)];
                self.emit(v, sized(words, Op::Xor, Op::Xor2, Op::XorN), args);
            }
            ir::Op::Binary(op, a, b) => self.select_binary(v, op, a, b, width),
            ir::Op::Mux { sel, t, f } => {
                let args = [self.word(sel, 0), self.word(t, 0), self.word(f, 0)];
                self.emit(v, sized(words, Op::Mux, Op::Mux2, Op::MuxN), args);
            }
            ir::Op::Select { sel, cases } => {
                let mut args = vec![self.word(sel, 0), Arg::Imm(cases.len() as u32)];
                args.extend(cases.into_iter().map(|c| self.word(c, 0)));
                self.emit(v, sized(words, Op::Select, Op::Select2, Op::SelectN), args);
            }
            ir::Op::Concat(parts) => {
                let mut at = 0;
                let mut pieces = Vec::with_capacity(parts.len());
                for part in parts.into_iter().rev() {
                    let part_width = self.graph.width(part);
                    pieces.extend(self.piece(part, at));
                    at += part_width;
                }
                self.gather(v, &pieces);
            }
            ir::Op::Slice { a, lo } => self.select_slice(v, a, lo, width),
            ir::Op::Zext(a) => {
                if words == 2 {
                    let args = [self.word(a, 0)];
                    self.emit(v, (Op::Zext2, 0), args);
                } else {
                    let pieces: Vec<Piece> = self.piece(a, 0).into_iter().collect();
                    self.gather(v, &pieces);
                }
            }
            ir::Op::Sext(a) => self.select_sext(v, a, width),
            ir::Op::Reduce(_, a) => {
                let args = [self.word(a, 0)];
                let op = if self.words(a) == 1 { (Op::Parity, 0) } else { (Op::ParityN, self.words(a)) };
                self.emit(v, op, args);
            }
        }
    }

    /// Computes `op` on `a` and `b`, reduced to `width` bits, into `v`.
    fn select_binary(&mut self, v: NodeId, op: BinOp, a: NodeId, b: NodeId, width: u32) {
        use BinOp::*;
        let words = self.words(v);
        // Immediates that mask a result of one, two or more words.
        let mask = Arg::Imm(if words == 2 { 128 - width } else { top_mask(width).leading_zeros() });
        match op {
            And | Or | Xor => {
                let (op, a, b) = match (op, &self.graph.node(a).op, &self.graph.node(b).op) {
                    (And, _, ir::Op::Not(inner)) => (sized(words, Op::AndNot, Op::AndNot2, Op::AndNotN), a, *inner),
                    (And, ir::Op::Not(inner), _) => (sized(words, Op::AndNot, Op::AndNot2, Op::AndNotN), b, *inner),
                    (And, ..) => (sized(words, Op::And, Op::And2, Op::AndN), a, b),
                    (Or, ..) => (sized(words, Op::Or, Op::Or2, Op::OrN), a, b),
                    _ => (sized(words, Op::Xor, Op::Xor2, Op::XorN), a, b),
                };
                let args = [self.word(a, 0), self.word(b, 0)];
                self.emit(v, op, args);
            }
            Add if words == 1 && self.significant(a).max(self.significant(b)) < width => {
                let args = [self.word(a, 0), self.word(b, 0)];
                self.emit(v, (Op::AddFits, 0), args);
            }
            Add | Sub => {
                let op = match op {
                    Add => sized(words, Op::Add, Op::Add2, Op::AddN),
                    _ => sized(words, Op::Sub, Op::Sub2, Op::SubN),
                };
                let args = [self.word(a, 0), self.word(b, 0), mask];
                self.emit(v, op, args);
            }
            MulU => match (self.as_word(a), self.as_word(b)) {
                (Some(x), Some(y)) if words <= 2 => {
                    let args = [self.word(x, 0), self.word(y, 0), mask];
                    self.emit(v, if words == 1 { (Op::Mul, 0) } else { (Op::MulTo2, 0) }, args);
                }
                _ => self.wide_product(v, Op::MulN, a, b, mask),
            },
            MulS => match (self.signed_field(a), self.signed_field(b)) {
                (Some((x, xw, fa)), Some((y, yw, fb))) if words <= 2 => {
                    let mask = if words == 1 { 64 - width } else { 128 - width };
                    let fields = Arg::Imm(SignFields { a: fa, b: fb, mask }.pack());
                    let args = [self.word(x, xw), self.word(y, yw), fields];
                    self.emit(v, if words == 1 { (Op::MulS, 0) } else { (Op::MulSTo2, 0) }, args);
                }
                _ => self.wide_product(v, Op::MulSN, a, b, mask),
            },
            Eq | Ne | LtU | LeU => {
                let (op, a, b) = match (self.as_word(a), self.as_word(b)) {
                    (Some(x), Some(y)) => (compare(op, 1), x, y),
                    _ => (compare(op, self.words(a)), a, b),
                };
                let args = [self.word(a, 0), self.word(b, 0)];
                self.emit(v, op, args);
            }
            LtS | LeS => {
                let (operand_words, operand_width) = (self.words(a), self.graph.width(a));
                let i = match operand_words {
                    1 => 64 - operand_width,
                    2 => 128 - operand_width,
                    _ => operand_width,
                };
                let args = [self.word(a, 0), self.word(b, 0), Arg::Imm(i)];
                self.emit(v, compare(op, operand_words), args);
            }
            Shl => {
                let args = [self.word(a, 0), self.word(b, 0), mask];
                self.emit(v, sized(words, Op::Shl, Op::Shl2, Op::ShlN), args);
            }
            Shr => {
                let args = [self.word(a, 0), self.word(b, 0)];
                self.emit(v, sized(words, Op::Shr, Op::Shr2, Op::ShrN), args);
            }
            Sra if words <= 2 => {
                let args = [self.word(a, 0), self.word(b, 0), mask];
                self.emit(v, sized(words, Op::Sra, Op::Sra2, Op::SraN), args);
            }
            Sra => {
                let args = [self.word(a, 0), self.word(b, 0), Arg::Imm(width), mask];
                self.emit(v, (Op::SraN, words), args);
            }
        }
    }

    fn wide_product(&mut self, v: NodeId, op: Op, a: NodeId, b: NodeId, mask: Arg) {
        let (width_a, width_b) = (self.graph.width(a), self.graph.width(b));
        let mask = if self.words(v) == 2 { Arg::Imm(top_mask(self.graph.width(v)).leading_zeros()) } else { mask };
        let args = [self.word(a, 0), Arg::Imm(width_a), self.word(b, 0), Arg::Imm(width_b), mask];
        self.emit(v, (op, self.words(v)), args);
    }

    /// The value without zero extension, when its first word is all of it.
    fn as_word(&self, mut v: NodeId) -> Option<NodeId> {
        while let ir::Op::Zext(a) = self.graph.node(v).op {
            v = a;
        }
        (self.significant(v) <= 64).then_some(v)
    }

    /// A signed value of at most 64 bits as a field of some word.
    fn signed_field(&self, mut v: NodeId) -> Option<(NodeId, u32, SignField)> {
        while let ir::Op::Sext(a) = self.graph.node(v).op {
            v = a;
        }
        let node = self.graph.node(v);
        if node.significant < node.width.min(64) {
            return self.as_word(v).map(|v| (v, 0, SignField { left: 0, right: 0, mask: 0 }));
        }
        if node.width > 64 {
            return None;
        }
        let right = 64 - node.width;
        match node.op {
            ir::Op::Slice { a, lo } if lo % 64 + node.width <= 64 => {
                Some((a, lo / 64, SignField { left: 64 - lo % 64 - node.width, right, mask: 0 }))
            }
            _ => Some((v, 0, SignField { left: right, right, mask: 0 })),
        }
    }

    fn select_slice(&mut self, v: NodeId, a: NodeId, lo: u32, width: u32) {
        if let ir::Op::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::MulU | BinOp::MulS), x, y) = self.graph.node(a).op
            && lo == 0
            && self.uses[a.index()] == 1
            && self.words(a) == self.words(v)
        {
            // The low bits of a result that nobody else wants: compute only those.
            return self.select_binary(v, op, x, y, width);
        }
        let (first, right) = (lo / 64, lo % 64);
        match self.words(v) {
            1 if right + width <= 64 => {
                let word = self.word(a, first);
                self.field(v, word, Field { right, mask: 64 - width, left: 0 });
            }
            1 => {
                let args = [self.word(a, first), Arg::Imm(Field { right, mask: 128 - width, left: 0 }.pack())];
                self.emit(v, (Op::FieldOf2, 0), args);
            }
            2 if right + width <= 128 => {
                let args = [self.word(a, first), Arg::Imm(Field { right, mask: 128 - width, left: 0 }.pack())];
                self.emit(v, (Op::Field2, 0), args);
            }
            words => {
                let rest = self.words(a) - first;
                let mask = top_mask(width).leading_zeros();
                let args = [self.word(a, first), Arg::Imm(rest), Arg::Imm(right), Arg::Imm(mask)];
                self.emit(v, (Op::SliceN, words), args);
            }
        }
    }

    fn select_sext(&mut self, v: NodeId, a: NodeId, width: u32) {
        let words = self.words(v);
        if let ir::Op::Binary(BinOp::MulS, x, y) = self.graph.node(a).op
            && self.uses[a.index()] == 1
            && self.words(a) == words
            && words <= 2
            && self.signed_field(x).is_some()
            && self.signed_field(y).is_some()
        {
            // The product is exact in one or two whole words.
            return self.select_binary(v, BinOp::MulS, x, y, width);
        }
        let from = self.graph.width(a);
        match (words, self.signed_field(a)) {
            (1, Some((a, word, field))) => {
                let args = [self.word(a, word), Arg::Imm(SignField { mask: 64 - width, ..field }.pack())];
                self.emit(v, (Op::SignField, 0), args);
            }
            (2, Some((a, word, field))) => {
                let args = [self.word(a, word), Arg::Imm(field.pack()), Arg::Imm(128 - width)];
                self.emit(v, (Op::SignFieldTo2, 0), args);
            }
            (2, None) => {
                let args = [self.word(a, 0), Arg::Imm(128 - from), Arg::Imm(128 - width)];
                self.emit(v, (Op::Sext2, 0), args);
            }
            _ => {
                let args = [self.word(a, 0), Arg::Imm(from), Arg::Imm(top_mask(width).leading_zeros())];
                self.emit(v, (Op::SextN, words), args);
            }
        }
    }

    /// A part of a concatenation as a piece of the value that it was cut from; `None` for zeros.
    fn piece(&self, part: NodeId, at: u32) -> Option<Piece> {
        let mut piece = Piece { value: part, lo: 0, width: self.graph.width(part), at };
        loop {
            match &self.graph.node(piece.value).op {
                ir::Op::Zext(a) if piece.lo == 0 => {
                    piece.width = piece.width.min(self.graph.width(*a));
                    piece.value = *a;
                }
                ir::Op::Slice { a, lo } => {
                    piece.lo += lo;
                    piece.value = *a;
                }
                ir::Op::Const(bits) if bits.is_zero() => return None,
                _ => return Some(piece),
            }
        }
    }

    /// Puts pieces, lowest first, together.
    fn gather(&mut self, v: NodeId, pieces: &[Piece]) {
        let words = self.words(v) as usize;
        let mut fields: Vec<Vec<(Arg, Field)>> = vec![Vec::new(); words];
        for piece in pieces {
            let (mut lo, mut at) = (piece.lo, piece.at);
            let end = piece.at + piece.width;
            while at < end {
                let (right, left) = (lo % 64, at % 64);
                let count = (64 - right).min(64 - left).min(end - at);
                let word = self.word(piece.value, lo / 64);
                // No mask is needed where the value ends by itself.
                let ends = lo + count >= self.significant(piece.value);
                let mask = if ends { 0 } else { 64 - count };
                fields[at as usize / 64].push((word, Field { right, mask, left }));
                lo += count;
                at += count;
            }
        }
        match (&fields[..], words) {
            ([only], 1) => match only[..] {
                [(a, field)] => self.field(v, a, field),
                [(low, f), (high, g)] if f.is_whole() && g.right == 0 && g.mask == 0 => {
                    self.emit(v, (Op::Join, 0), [high, low, Arg::Imm(g.left)]);
                }
                _ => self.emit_gather(v, &fields),
            },
            _ => self.emit_gather(v, &fields),
        }
    }

    /// Moves a field of a word in the cheapest way.
    fn field(&mut self, v: NodeId, a: Arg, field: Field) {
        let Field { right, mask, left } = field;
        match (right, mask, left) {
            (_, 63, 0) => self.emit(v, (Op::Bit, 0), [a, Arg::Imm(right)]),
            (0, 0, _) => self.emit(v, (Op::ShlFits, 0), [a, Arg::Imm(left)]),
            (0, _, 0) => {
                let ones = self.constant(Bits::ones(64 - mask));
                let ones = self.word(ones, 0);
                self.emit(v, (Op::And, 0), [a, ones]);
            }
            (_, 0, 0) => self.emit(v, (Op::Slice, 0), [a, Arg::Imm(Cut { left: 0, right }.pack())]),
            (_, _, 0) => self.emit(v, (Op::Slice, 0), [a, Arg::Imm(Cut { left: mask - right, right: mask }.pack())]),
            _ => self.emit(v, (Op::Field, 0), [a, Arg::Imm(field.pack())]),
        }
    }

    fn emit_gather(&mut self, v: NodeId, fields: &[Vec<(Arg, Field)>]) {
        let pair = |(a, field): &(Arg, Field)| [*a, Arg::Imm(field.pack())];
        let mut args = Vec::new();
        if fields.iter().all(|word| word.len() <= 2) {
            let zero = self.constant(Bits::zero(1));
            let nothing = (self.word(zero, 0), Field { right: 0, mask: 0, left: 0 });
            for word in fields {
                args.extend(word.iter().chain(&[nothing; 2]).take(2).flat_map(pair));
            }
            return self.emit(v, (Op::Gather2, 0), args);
        }
        for word in fields {
            args.push(Arg::Imm(word.len() as u32));
            args.extend(word.iter().flat_map(pair));
        }
        self.emit(v, (Op::Gather, 0), args);
    }
}

/// The instruction for a result of so many words, and its `words`.
fn sized(words: u32, one: Op, two: Op, more: Op) -> (Op, u32) {
    match words {
        1 => (one, 0),
        2 => (two, 0),
        n => (more, n),
    }
}

/// The comparison of operands of so many words.
fn compare(op: BinOp, words: u32) -> (Op, u32) {
    match op {
        BinOp::Eq => sized(words, Op::Eq, Op::Eq2, Op::EqN),
        BinOp::Ne => sized(words, Op::Ne, Op::Ne2, Op::NeN),
        BinOp::LtU => sized(words, Op::LtU, Op::LtU2, Op::LtUN),
        BinOp::LeU => sized(words, Op::LeU, Op::LeU2, Op::LeUN),
        BinOp::LtS => sized(words, Op::LtS, Op::LtS2, Op::LtSN),
        _ => sized(words, Op::LeS, Op::LeS2, Op::LeSN),
    }
}
