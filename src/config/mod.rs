//! The one validated parameter set from which every width, depth and format of a core derives.
//!
//! A configuration comes from a [`Preset`] or a TOML file, optionally with single parameters set on top ([`Draft`]),
//! and is usable once [`CoreConfig::validate`] has passed. Nothing is clamped or repaired on the way.

mod draft;
mod error;
mod file;
mod macros;
mod parameter;
mod presets;
mod room;
mod validate;

pub use crate::hdl::names::nearest;
pub use draft::Draft;
pub use error::{ConfigError, FileProblem, Violation, Violations};
pub use parameter::{PARAMETERS, Parameter, Value};
pub use presets::{PRESETS, Preset};

use serde::{Deserialize, Serialize};

use crate::hdl::verilog::RamMacro;

/// Parameters of one EVA core. All derived quantities are methods, none is stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CoreConfig {
    /// The systolic array.
    pub array: Array,
    /// What vector quantisation it is for.
    pub vq: Vq,
    /// The units that look up and add.
    pub epilogue: Epilogue,
    /// How much is held on chip.
    pub buffers: Buffers,
    /// The port for weights.
    pub stream: Stream,
    /// Register stages.
    pub pipeline: Pipeline,
    /// How memories are described.
    pub memory: Memory,
}

/// The systolic array.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Array {
    /// `R`, rows of the systolic array, 2..=128.
    pub rows: u32,
    /// INT8 columns; four of them form one FP16 PE, so a multiple of 4, 4..=256.
    pub cols: u32,
}

/// Vector quantisation: layers of at most these codebooks can be run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Vq {
    /// `d`, FP16 weights per vector; a power of two, 1..=64, that divides `cols/4`.
    pub dim: u32,
    /// `n`, bits of an index, 2..=12.
    pub index_bits: u32,
    /// Largest number of additive codebooks `C` held on chip, 1..=8.
    pub max_codebooks: u32,
}

/// The units that look up entries and add them up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Epilogue {
    /// `E`, epilogue units; each looks up `R*S` vectors per cycle, 1..=16.
    pub units: u32,
}

/// How much of a layer is held on chip.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Buffers {
    /// Inputs `K` of a layer (or of one K range of it) held on chip; a multiple of `d`, up to 65536.
    pub max_k: u32,
    /// Outputs of one block: depth of the accumulator memory, 1..=65536.
    pub max_n_block: u32,
}

/// The port for weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stream {
    /// `W`, bits of `s_axis_w` per beat; a power of two, 32..=4096.
    pub width: u32,
}

/// Register stages; they trade latency and area for clock rate and never change a result.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Pipeline {
    /// In a PE, between the operands and the alignment of products, 0..=2.
    pub pe: u32,
    /// In a row, between alignment and rounded result, 0..=4.
    pub tree: u32,
    /// In an epilogue unit, between bank output and accumulator, 1..=4.
    pub epilogue: u32,
    /// In the scaling stage, 1..=5.
    pub scale: u32,
}

/// How memories are described.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Memory {
    /// What the Verilog has in their place.
    pub style: MemoryStyle,
    /// Macros that take the place of the black boxes of [`MemoryStyle::Macro`]; with none of them these stay.
    #[serde(rename = "macro", default, skip_serializing_if = "Vec::is_empty")]
    pub macros: Vec<RamMacro>,
}

/// What the Verilog has in the place of memories.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MemoryStyle {
    /// Behavioural Verilog from which synthesis infers memories.
    Inferred,
    /// One black-box module per memory shape, to be bound to a vendor macro.
    Macro,
}

impl CoreConfig {
    /// `F`: FP16 PEs per row.
    pub fn fp16_cols(&self) -> u32 {
        self.array.cols / 4
    }
    /// `S`: dot products of length `d` that leave a row per cycle.
    pub fn segments(&self) -> u32 {
        self.fp16_cols() / self.vq.dim
    }
    /// `R*S`: vectors per array pass, and lookups per epilogue unit and cycle.
    pub fn pass_vectors(&self) -> u32 {
        self.array.rows * self.segments()
    }
    /// Tokens that can be decoded at once: the largest power of two that divides `E`.
    pub fn max_batch(&self) -> u32 {
        1 << self.epilogue.units.trailing_zeros()
    }
    /// `L = R*S`: lanes, the dot products that leave the array per cycle, each with OC banks of its own.
    pub fn lanes(&self) -> u32 {
        self.pass_vectors()
    }
    /// INT8 mode: inputs of a k tile, `4d`.
    pub fn k_tile(&self) -> u32 {
        4 * self.vq.dim
    }
    /// INT8 mode: bits of a token word, the activations of one token and k tile.
    pub fn token_word_bits(&self) -> u32 {
        8 * self.k_tile()
    }
    /// INT8 mode: bits of a row word, the weights that a row holds.
    pub fn row_word_bits(&self) -> u32 {
        8 * self.array.cols
    }
    /// INT8 mode: tokens of one command, as many as there are sums in the OC banks of a lane, `E*2^n`.
    pub fn max_tokens(&self) -> u32 {
        self.epilogue.units * self.entries()
    }
    /// INT8 mode: k tiles of one command; up to 65536 inputs, so that sums fit 32 bits.
    pub fn max_k_tiles(&self) -> u32 {
        65536 / self.k_tile()
    }
    /// `B = E*R*S`: vectors per tile, OC banks, indices per index word.
    pub fn tile_vectors(&self) -> u32 {
        self.epilogue.units * self.pass_vectors()
    }
    /// `2^n`: entries per codebook.
    pub fn entries(&self) -> u32 {
        1 << self.vq.index_bits
    }
    /// `V` at `K = max_k`.
    pub fn max_vectors(&self) -> u32 {
        self.buffers.max_k / self.vq.dim
    }
    /// `B*n`: bits of an index word.
    pub fn index_word_bits(&self) -> u32 {
        self.tile_vectors() * self.vq.index_bits
    }
    /// Index words that share a beat of `s_axis_w`; 1 when a word fills one beat or more.
    pub fn index_words_per_beat(&self) -> u32 {
        (self.stream.width / self.index_word_bits()).max(1)
    }
    /// Beats of `s_axis_w` that one index word takes; 1 when it fits into one.
    pub fn beats_per_index_word(&self) -> u32 {
        self.index_word_bits().div_ceil(self.stream.width)
    }
    /// Bits of a beat of `s_axis_x`: `2F` FP16 values.
    pub fn x_width(&self) -> u32 {
        8 * self.array.cols
    }
    /// Bits of an exact accumulator: 41 for one FP16 value as an integer multiple of 2^-24, and the growth of the
    /// largest sum.
    pub fn acc_bits(&self) -> u32 {
        let terms = u64::from(self.max_vectors()) * u64::from(self.vq.max_codebooks);
        41 + terms.next_power_of_two().trailing_zeros()
    }
}
