//! The bytecode: runs of equal instructions over one flat array of 64-bit words.
//!
//! The state array holds, in this order, constants, inputs, registers with the data of synchronous reads (the sources), and then
//! the results of all instructions in the order of execution. So the results of a run are contiguous, and all its operands lie
//! below them. Every value is clean: bits beyond its width are zero.
//!
//! A run has one record of `u32` for each instruction. Records name operands by their word offset (`a`, `b`, ..) and carry
//! immediates (`i`) packed by [`Field`], [`SignField`] and [`SignFields`].

/// What the instructions of a run do. Unless noted, operands and result have one word; the suffix `2` stands for two words
/// (65 to 128 bits), `N` for as many as the run says.
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
    /// `[a, i]` with `Field`.
    Field,
    /// `[a, i]` with `Field` over two adjacent words, left shift 0.
    FieldOf2,
    /// `[a, i]` with `SignField`.
    SignField,
    /// `[high, low, i]`: `high << i | low`
    Join,
    /// `[n, a, i, a, i, ..]`: the union of `n` bit fields; one record for each word of the result.
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

/// A bit field of a word: `((a >> right) & (u64::MAX >> mask)) << left`.
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
    pub fn unpack(i: u32) -> Field {
        Field { right: i & 0xff, mask: i >> 8 & 0xff, left: i >> 16 & 0xff }
    }

    #[inline(always)]
    pub fn of(self, a: u64) -> u64 {
        (a.wrapping_shr(self.right) & u64::MAX.wrapping_shr(self.mask)).wrapping_shl(self.left)
    }

    /// The same over two words.
    #[inline(always)]
    pub fn of_wide(self, a: u128) -> u128 {
        (a.wrapping_shr(self.right) & u128::MAX.wrapping_shr(self.mask)).wrapping_shl(self.left)
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

    #[inline(always)]
    pub fn unpack(i: u32) -> SignField {
        SignField { left: i & 63, right: i >> 6 & 63, mask: i >> 12 & 63 }
    }

    /// Before the cut.
    #[inline(always)]
    pub fn extended(self, a: u64) -> i64 {
        (a.wrapping_shl(self.left) as i64).wrapping_shr(self.right)
    }

    #[inline(always)]
    pub fn of(self, a: u64) -> u64 {
        self.extended(a) as u64 & u64::MAX.wrapping_shr(self.mask)
    }
}

/// The two signed operands of a product (their `mask` is not used), and the cut of the result: `64 - width`, `128 - width`
/// for two words.
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
    pub fn unpack(i: u32) -> SignFields {
        SignFields {
            a: SignField { left: i & 63, right: i >> 6 & 63, mask: 0 },
            b: SignField { left: i >> 12 & 63, right: i >> 18 & 63, mask: 0 },
            mask: i >> 24,
        }
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
