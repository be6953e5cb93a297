//! Commands of `s_axis_cmd` and answers of `m_axis_sts`.

use std::fmt;

/// What a command does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Opcode {
    /// Takes codebooks from `s_axis_w`.
    LoadCodebooks = 1,
    /// Takes activations from `s_axis_x`.
    LoadX = 2,
    /// Multiplies the loaded activations by weights from `s_axis_w`.
    VqGemv = 3,
    /// Multiplies INT8 activations from `s_axis_x` by INT8 weights from `s_axis_w`.
    Int8Gemm = 4,
}

impl Opcode {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::LoadCodebooks, Self::LoadX, Self::VqGemv, Self::Int8Gemm];

    /// The opcode of this encoding, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&opcode| opcode as u8 == code)
    }
}

/// One command of `s_axis_cmd`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command {
    /// Any value; returned in the status.
    pub tag: u16,
    /// What to do.
    pub operation: Operation,
}

/// What to do, with the fields that are used for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// [`Opcode::LoadCodebooks`], `codebooks` of them, into the slots from `slot` (below 8) on.
    LoadCodebooks {
        /// The first slot.
        slot: u8,
        /// How many: `C`.
        codebooks: u8,
    },
    /// [`Opcode::LoadX`], `vectors` vectors of them.
    LoadX {
        /// How many: `V`.
        vectors: u32,
    },
    /// [`Opcode::VqGemv`].
    VqGemv(VqGemv),
    /// [`Opcode::Int8Gemm`].
    Int8Gemm(Int8Gemm),
}

/// Fields of a `VQ_GEMV` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VqGemv {
    /// Accumulators start at zero.
    pub first: bool,
    /// Sums are scaled and sent.
    pub last: bool,
    /// Scales are FP32 instead of FP16.
    pub scale_fp32: bool,
    /// The vectors of each epilogue unit have a codebook of their own.
    pub grouped: bool,
    /// The slot of the first codebook, below 8.
    pub slot: u8,
    /// `C`.
    pub codebooks: u8,
    /// `M`.
    pub tokens: u8,
    /// Where the first vector is among those loaded, in units of `2*S` vectors.
    pub start: u16,
    /// `V`.
    pub vectors: u32,
    /// `N` of this block.
    pub outputs: u32,
}

/// The smallest product that is whole: one output of one vector of one token, with one codebook in slot 0 and an FP16 scale.
impl Default for VqGemv {
    fn default() -> Self {
        Self {
            first: true,
            last: true,
            scale_fp32: false,
            grouped: false,
            slot: 0,
            codebooks: 1,
            tokens: 1,
            start: 0,
            vectors: 1,
            outputs: 1,
        }
    }
}

/// Fields of an `INT8_GEMM` command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Int8Gemm {
    /// Outputs are the INT32 sums, unscaled.
    pub raw: bool,
    /// `M`, below 2^24.
    pub tokens: u32,
    /// `T`: k tiles of `4d` inputs.
    pub tiles: u32,
    /// `N` of this block.
    pub outputs: u32,
}

impl Command {
    /// The opcode of its operation.
    pub fn opcode(&self) -> Opcode {
        match self.operation {
            Operation::LoadCodebooks { .. } => Opcode::LoadCodebooks,
            Operation::LoadX { .. } => Opcode::LoadX,
            Operation::VqGemv(_) => Opcode::VqGemv,
            Operation::Int8Gemm(_) => Opcode::Int8Gemm,
        }
    }

    /// The `tdata` of its beat, little-endian.
    ///
    /// # Panics
    /// If a slot is not below 8, or the tokens of an `INT8_GEMM` are not below 2^24.
    pub fn to_bytes(&self) -> [u8; 16] {
        let (flags, codebooks, tokens, vectors, outputs) = match self.operation {
            Operation::LoadCodebooks { slot, codebooks } => (slot_flags(slot), codebooks, 0, 0, 0),
            Operation::LoadX { vectors } => (0, 0, 0, vectors, 0),
            Operation::VqGemv(gemv) => {
                let flags = u8::from(gemv.first)
                    | u8::from(gemv.last) << 1
                    | u8::from(gemv.scale_fp32) << 2
                    | slot_flags(gemv.slot)
                    | u8::from(gemv.grouped) << 7;
                let tokens = u32::from(gemv.tokens) | u32::from(gemv.start) << 8;
                (flags, gemv.codebooks, tokens, gemv.vectors, gemv.outputs)
            }
            Operation::Int8Gemm(gemm) => (u8::from(gemm.raw) << 3, 0, gemm.tokens, gemm.tiles, gemm.outputs),
        };
        assert!(tokens < 1 << 24, "{tokens} tokens do not fit 24 bits");
        let mut bytes = [0; 16];
        bytes[0] = self.opcode() as u8;
        bytes[1] = flags;
        bytes[2..4].copy_from_slice(&self.tag.to_le_bytes());
        bytes[4] = codebooks;
        bytes[5..8].copy_from_slice(&tokens.to_le_bytes()[..3]);
        bytes[8..12].copy_from_slice(&vectors.to_le_bytes());
        bytes[12..16].copy_from_slice(&outputs.to_le_bytes());
        bytes
    }

    /// The command in the `tdata` of a beat. Ranges depend on the core and are not looked at.
    ///
    /// # Errors
    /// [`StatusCode::UnknownOpcode`], or else [`StatusCode::ReservedBit`] if a bit is set that the operation does not use.
    pub fn from_bytes(bytes: [u8; 16]) -> Result<Self, StatusCode> {
        let word = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
        let flag = |bit: u8| bytes[1] >> bit & 1 != 0;
        let slot = bytes[1] >> SLOT_SHIFT & (SLOTS - 1);
        let (codebooks, vectors, outputs) = (bytes[4], word(8), word(12));
        let operation = match Opcode::from_code(bytes[0]).ok_or(StatusCode::UnknownOpcode)? {
            Opcode::LoadCodebooks => Operation::LoadCodebooks { slot, codebooks },
            Opcode::LoadX => Operation::LoadX { vectors },
            Opcode::VqGemv => Operation::VqGemv(VqGemv {
                first: flag(0),
                last: flag(1),
                scale_fp32: flag(2),
                grouped: flag(7),
                slot,
                codebooks,
                tokens: bytes[5],
                start: u16::from_le_bytes([bytes[6], bytes[7]]),
                vectors,
                outputs,
            }),
            Opcode::Int8Gemm => {
                Operation::Int8Gemm(Int8Gemm { raw: flag(3), tokens: word(4) >> 8, tiles: vectors, outputs })
            }
        };
        let command = Self { tag: u16::from_le_bytes([bytes[2], bytes[3]]), operation };
        // Whatever is not encoded again was in no field of the operation.
        if command.to_bytes() == bytes { Ok(command) } else { Err(StatusCode::ReservedBit) }
    }
}

/// Slots that the encoding can name, and where it does so in the byte of flags.
const SLOTS: u8 = 8;
const SLOT_SHIFT: u8 = 4;

fn slot_flags(slot: u8) -> u8 {
    assert!(slot < SLOTS, "slot {slot} does not fit 3 bits");
    slot << SLOT_SHIFT
}

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum StatusCode {
    /// It was executed.
    Done = 0,
    /// Refused: there is no such opcode.
    UnknownOpcode = 1,
    /// Refused: a field is out of range.
    OutOfRange = 2,
    /// Refused: a reserved or unused bit is set.
    ReservedBit = 3,
    /// Refused: `VQ_GEMV` asks for more vectors than are loaded, or for a slot in which nothing has been loaded.
    NotLoaded = 4,
    /// Refused: `VQ_GEMV` without `first` that continues no chain of as many outputs.
    NoChain = 5,
}

impl StatusCode {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Done, Self::UnknownOpcode, Self::OutOfRange, Self::ReservedBit, Self::NotLoaded, Self::NoChain];

    /// The status of this encoding, if there is one.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&status| status as u8 == code)
    }
}

impl fmt::Display for StatusCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Done => "done",
            Self::UnknownOpcode => "refused: unknown opcode",
            Self::OutOfRange => "refused: a field is out of range",
            Self::ReservedBit => "refused: a reserved or unused bit is set",
            Self::NotLoaded => "refused: vectors or codebooks that are not loaded",
            Self::NoChain => "refused: continues no chain of commands with as many outputs",
        })
    }
}

/// One beat of `m_axis_sts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// Opcode of the command, possibly an unknown one.
    pub opcode: u8,
    /// How it ended.
    pub code: StatusCode,
    /// Its tag.
    pub tag: u16,
    /// Cycles from the one after the command was taken to the status being offered.
    pub cycles: u32,
}

impl Status {
    /// The status in the `tdata` of a beat; `None` if its code is none of [`StatusCode`].
    pub fn from_bits(bits: u64) -> Option<Self> {
        let [opcode, code, tag_low, tag_high, cycles @ ..] = bits.to_le_bytes();
        Some(Self {
            opcode,
            code: StatusCode::from_code(code)?,
            tag: u16::from_le_bytes([tag_low, tag_high]),
            cycles: u32::from_le_bytes(cycles),
        })
    }

    /// The `tdata` of its beat.
    pub fn to_bits(&self) -> u64 {
        u64::from(self.opcode)
            | u64::from(self.code as u8) << 8
            | u64::from(self.tag) << 16
            | u64::from(self.cycles) << 32
    }
}
