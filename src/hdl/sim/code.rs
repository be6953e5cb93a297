//! The bytecode: runs of equal instructions over one flat array of 64-bit words.
//!
//! The state array holds, in this order, constants, inputs, registers with the data of synchronous reads (the sources),
//! and then the results of all instructions in the order of execution. So the results of a run are contiguous, and all
//! its operands lie below them. Every value is clean: bits beyond its width are zero.
//!
//! A run has one record of `u32` for each instruction. Records name operands by their word offset (`a`, `b`, ..) and
//! carry immediates (`i`, `j`), some packed by [`Cut`], [`Field`], [`SignField`] and [`SignFields`].

/// What the instructions of a run do. Unless noted, operands and result have one word; the suffix `2` stands for two
/// words (65 to 128 bits), `N` for as many as the run says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Op {
    /// `[a]`
    Copy,
    /// `[a, b]`
    And,
    Or,
    Xor,
    /// `[a, b]`: `a & !b`
    AndNot,
    /// `[a, b]`, when the sum fits.
    AddFits,
    /// `[a, b, i]`: the result is masked by `u64::MAX >> i`.
    Add,
    Sub,
    Mul,
    /// `[a, b, i]` with `SignFields`.
    MulS,
    /// `[a, b]`
    Eq,
    Ne,
    LtU,
    LeU,
    /// `[a, b, i]`: both operands are shifted left by `i` before the signed comparison.
    LtS,
    LeS,
    /// `[a, amount, i]`: the result is masked by `u64::MAX >> i`.
    Shl,
    /// `[a, amount]`
    Shr,
    /// `[a, amount, i]`: `i` is `64 - width`.
    Sra,
    /// `[sel, t, f]`
    Mux,
    /// `[sel, n, case 0, .., case n-1]`
    Select,
    /// `[a, i]`: bit `i` of `a`.
    Bit,
    /// `[a, i]`: `a << i`, of which nothing is lost.
    ShlFits,
    /// `[a, i]` with `Cut`.
    Slice,
    /// `[a, i]` with `Field`.
    Field,
    /// `[a, i]` with `Field` over two adjacent words, left shift 0.
    FieldOf2,
    /// `[a, i]` with `SignField`.
    SignField,
    /// `[high, low, i]`: `high << i | low`
    Join,
    /// `[a, i, b, j]`: the union of two bit fields; one record for each word of the result, which may have several.
    Gather2,
    /// `[n, a, i, b, j, ..]`: the union of `n` bit fields; one record for each word of the result.
    Gather,
    /// `[a]`: parity.
    Parity,
    /// `[addr, mem]`: as many words as the run says.
    MemRead,

    Copy2,
    And2,
    Or2,
    Xor2,
    AndNot2,
    /// `[a, b, i]`: the result is masked by `u128::MAX >> i`.
    Add2,
    Sub2,
    /// `[a, b, i]`: two words from one-word operands.
    MulTo2,
    /// `[a, b, i]` with `SignFields` for the operands; two words.
    MulSTo2,
    /// One word from two-word operands.
    Eq2,
    Ne2,
    LtU2,
    LeU2,
    /// `i` is `128 - width`.
    LtS2,
    LeS2,
    Shl2,
    Shr2,
    /// `i` is `128 - width`.
    Sra2,
    Mux2,
    Select2,
    /// `[a, i]` with `Field`: two words.
    Field2,
    /// `[a]`: two words from one.
    Zext2,
    /// `[a, i, j]`: the one-word `SignField` `i` extended to two words, masked by `u128::MAX >> j`.
    SignFieldTo2,
    /// `[a, i, j]`: sign extension of `128 - i` bits, masked by `u128::MAX >> j`.
    Sext2,

    CopyN,
    AndN,
    OrN,
    XorN,
    AndNotN,
    /// `[a, b, i]`: the highest word is masked by `u64::MAX >> i`; so for all below.
    AddN,
    SubN,
    /// `[a, width of a, b, width of b, i]`
    MulN,
    MulSN,
    /// One word from operands of as many words as the run says.
    EqN,
    NeN,
    LtUN,
    LeUN,
    /// `[a, b, width]`
    LtSN,
    LeSN,
    ParityN,
    /// `[a, amount, i]`
    ShlN,
    ShrN,
    /// `[a, amount, width, i]`
    SraN,
    MuxN,
    SelectN,
    /// `[a, width of a, i]`: sign extension.
    SextN,
    /// `[a, words of a, lo, i]`: a slice.
    SliceN,
}

// Immediates. Shift amounts are unpacked with bits of their neighbours above them: shifts count modulo the word size.

/// Bits of a word, cut out: `(a << left) >> right`.
#[derive(Clone, Copy)]
pub struct Cut {
    pub left: u32,
    pub right: u32,
}

impl Cut {
    pub fn pack(self) -> u32 {
        self.left | self.right << 6
    }

    #[inline(always)]
    pub fn of(i: u32, a: u64) -> u64 {
        a.wrapping_shl(i).wrapping_shr(i >> 6)
    }
}

/// A bit field of a word or of two, moved: `((a >> right) & (MAX >> mask)) << left`.
#[derive(Clone, Copy)]
pub struct Field {
    pub right: u32,
    pub mask: u32,
    pub left: u32,
}

impl Field {
    pub fn pack(self) -> u32 {
        self.right | self.mask << 8 | self.left << 16
    }

    /// Whether the field is the word as it is.
    pub fn is_whole(self) -> bool {
        self.pack() == 0
    }

    #[inline(always)]
    pub fn of(i: u32, a: u64) -> u64 {
        (a.wrapping_shr(i) & u64::MAX.wrapping_shr(i >> 8)).wrapping_shl(i >> 16)
    }

    /// The same over two words.
    #[inline(always)]
    pub fn of_wide(i: u32, a: u128) -> u128 {
        (a.wrapping_shr(i) & u128::MAX.wrapping_shr(i >> 8)).wrapping_shl(i >> 16)
    }
}

/// A signed bit field of a word, extended and cut again: `((a << left) as i64 >> right) & (u64::MAX >> mask)`.
#[derive(Clone, Copy)]
pub struct SignField {
    pub left: u32,
    pub right: u32,
    pub mask: u32,
}

impl SignField {
    pub fn pack(self) -> u32 {
        self.left | self.right << 6 | self.mask << 12
    }

    /// Before the cut.
    #[inline(always)]
    pub fn extended(i: u32, a: u64) -> i64 {
        (a.wrapping_shl(i) as i64).wrapping_shr(i >> 6)
    }

    #[inline(always)]
    pub fn of(i: u32, a: u64) -> u64 {
        SignField::extended(i, a) as u64 & u64::MAX.wrapping_shr(i >> 12)
    }
}

/// The two signed operands of a product (their `mask` is not used), and the cut of the result: `64 - width`, `128 -
/// width` for two words.
#[derive(Clone, Copy)]
pub struct SignFields {
    pub a: SignField,
    pub b: SignField,
    pub mask: u32,
}

impl SignFields {
    pub fn pack(self) -> u32 {
        self.a.left | self.a.right << 6 | self.b.left << 12 | self.b.right << 18 | self.mask << 24
    }

    #[inline(always)]
    pub fn extended(i: u32, a: u64, b: u64) -> (i64, i64) {
        (SignField::extended(i, a), SignField::extended(i >> 12, b))
    }

    #[inline(always)]
    pub fn mask(i: u32) -> u32 {
        i >> 24
    }
}

/// What one entry of a record is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entry {
    /// An operand of one word, of two, of as many as the run says.
    One,
    Two,
    Many,
    /// An operand of as many bits, or words, as the entry after it says.
    Bits,
    Words,
    Imm,
}

/// The entries of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    Fixed(&'static [Entry]),
    /// A selector, a count, and that many cases of this kind.
    Select(Entry),
    /// A count, and that many pairs of a word and an immediate.
    Gather,
}

impl Op {
    pub fn shape(self) -> Shape {
        use Entry::*;
        Shape::Fixed(match self {
            Op::Copy | Op::Parity | Op::Zext2 => &[One],
            Op::And | Op::Or | Op::Xor | Op::AndNot | Op::AddFits | Op::Eq | Op::Ne | Op::LtU | Op::LeU | Op::Shr => {
                &[One, One]
            }
            Op::Add | Op::Sub | Op::Mul | Op::MulS | Op::LtS | Op::LeS | Op::Shl | Op::Sra | Op::Join => {
                &[One, One, Imm]
            }
            Op::MulTo2 | Op::MulSTo2 => &[One, One, Imm],
            Op::Mux => &[One, One, One],
            Op::Bit | Op::ShlFits | Op::Slice | Op::Field | Op::SignField | Op::MemRead => &[One, Imm],
            Op::SignFieldTo2 => &[One, Imm, Imm],
            Op::Gather2 => &[One, Imm, One, Imm],
            Op::Select => return Shape::Select(One),
            Op::Select2 => return Shape::Select(Two),
            Op::SelectN => return Shape::Select(Many),
            Op::Gather => return Shape::Gather,
            Op::Copy2 => &[Two],
            Op::And2 | Op::Or2 | Op::Xor2 | Op::AndNot2 | Op::Eq2 | Op::Ne2 | Op::LtU2 | Op::LeU2 => &[Two, Two],
            Op::Add2 | Op::Sub2 | Op::LtS2 | Op::LeS2 => &[Two, Two, Imm],
            Op::FieldOf2 | Op::Field2 => &[Two, Imm],
            Op::Sext2 => &[Two, Imm, Imm],
            Op::Shl2 | Op::Sra2 => &[Two, One, Imm],
            Op::Shr2 => &[Two, One],
            Op::Mux2 => &[One, Two, Two],
            Op::CopyN | Op::ParityN => &[Many],
            Op::AndN | Op::OrN | Op::XorN | Op::AndNotN | Op::EqN | Op::NeN | Op::LtUN | Op::LeUN => &[Many, Many],
            Op::AddN | Op::SubN | Op::LtSN | Op::LeSN => &[Many, Many, Imm],
            Op::MulN | Op::MulSN => &[Bits, Imm, Bits, Imm, Imm],
            Op::ShlN => &[Many, One, Imm],
            Op::ShrN => &[Many, One],
            Op::SraN => &[Many, One, Imm, Imm],
            Op::MuxN => &[One, Many, Many],
            Op::SextN => &[Bits, Imm, Imm],
            Op::SliceN => &[Words, Imm, Imm, Imm],
        })
    }
}

/// Equal instructions without dependences among them.
#[derive(Clone, Debug)]
pub struct Run {
    pub op: Op,
    /// Words of the result, or of the operands when the result has one; 0 when `op` says it.
    pub words: u32,
    /// Where the results begin, and their length in words.
    pub dst: u32,
    pub dst_len: u32,
    /// Where the records begin, and their length.
    pub records: u32,
    pub records_len: u32,
}
