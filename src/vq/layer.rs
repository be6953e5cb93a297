//! One vector-quantised layer.

use std::fmt;

use super::error::{Error, Result};
use crate::config::CoreConfig;
use crate::golden;

/// The dimensions of a layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LayerShape {
    /// `K`: inputs.
    pub inputs: usize,
    /// `N`: outputs.
    pub outputs: usize,
    /// `d`: inputs per vector.
    pub dim: usize,
    /// `n`: bits of an index; a codebook has `2^n` entries.
    pub index_bits: u32,
    /// `C`: additive codebooks.
    pub codebooks: usize,
}

impl LayerShape {
    /// `V = K/d`: vectors per token.
    pub fn vectors(&self) -> usize {
        self.inputs / self.dim
    }

    /// `2^n`: entries of a codebook.
    pub fn entries(&self) -> usize {
        1 << self.index_bits
    }

    /// What is wrong with the dimensions themselves, if anything.
    pub(in crate::vq) fn problem(&self) -> Option<String> {
        let Self { inputs, outputs, dim, index_bits, codebooks } = *self;
        for (what, value) in [("K", inputs), ("N", outputs), ("C", codebooks), ("d", dim)] {
            if value == 0 {
                return Some(format!("{what} is 0, at least 1 expected"));
            }
        }
        if !(1..=Layer::MAX_INDEX_BITS).contains(&index_bits) {
            return Some(format!("n is {index_bits}, 1 to {} bits per index expected", Layer::MAX_INDEX_BITS));
        }
        if inputs % dim != 0 {
            return Some(format!("K = {inputs} is no multiple of d = {dim}"));
        }
        for (what, factors) in
            [("codes", [outputs, self.vectors(), codebooks]), ("codebook values", [codebooks, self.entries(), dim])]
        {
            let product = factors.into_iter().try_fold(1usize, usize::checked_mul);
            if product.is_none_or(|product| product > Layer::MAX_ELEMENTS) {
                return Some(format!("{self} has more than {} {what}", Layer::MAX_ELEMENTS));
            }
        }
        None
    }

    /// Whether a core of these parameters can run such a layer; otherwise every reason why not.
    pub fn fits(&self, config: &CoreConfig) -> std::result::Result<(), Vec<String>> {
        let mut reasons = Vec::new();
        let vq = &config.vq;
        if self.dim != vq.dim as usize {
            reasons.push(format!("it has d = {}, the core vq.dim = {}", self.dim, vq.dim));
        }
        if self.index_bits > vq.index_bits {
            reasons.push(format!("it has n = {}, the core vq.index_bits = {}", self.index_bits, vq.index_bits));
        }
        if self.codebooks > vq.max_codebooks as usize {
            reasons.push(format!("it has C = {}, the core vq.max_codebooks = {}", self.codebooks, vq.max_codebooks));
        }
        let terms = self.vectors() as u128 * self.codebooks as u128;
        let most = u128::from(config.max_vectors()) * u128::from(vq.max_codebooks);
        if terms > most {
            reasons.push(format!(
                "its sums have K/d * C = {terms} terms, the core's accumulators hold buffers.max_k/vq.dim * vq.max_codebooks = {most}"
            ));
        }
        if reasons.is_empty() { Ok(()) } else { Err(reasons) }
    }
}

impl fmt::Display for LayerShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inputs, outputs, dim, index_bits, codebooks } = self;
        write!(f, "K={inputs} N={outputs} C={codebooks} n={index_bits} d={dim}")
    }
}

/// Scales of the outputs, as bit patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scales {
    /// IEEE 754 binary16.
    F16(Vec<u16>),
    /// IEEE 754 binary32.
    F32(Vec<u32>),
}

impl Scales {
    /// Number of outputs.
    pub fn len(&self) -> usize {
        match self {
            Scales::F16(values) => values.len(),
            Scales::F32(values) => values.len(),
        }
    }

    /// Whether there is no output.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether they are FP32.
    pub fn is_fp32(&self) -> bool {
        matches!(self, Scales::F32(_))
    }

    /// As the golden model takes them.
    pub fn golden(&self) -> golden::Scales<'_> {
        match self {
            Scales::F16(values) => golden::Scales::F16(values),
            Scales::F32(values) => golden::Scales::F32(values),
        }
    }
}

/// A vector-quantised layer: with `V` vectors of `d` inputs, the weights of output `n` and vector `v` are
/// `scales[n] * sum over c of centroids[c][codes[n][v][c]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layer {
    name: String,
    shape: LayerShape,
    centroids: Vec<u16>,
    codes: Vec<u16>,
    scales: Scales,
}

impl Layer {
    /// Largest index width a layer can have, by the 16 bits of a code.
    pub const MAX_INDEX_BITS: u32 = 16;

    /// Largest number of codes or of codebook values, so that absurd dimensions are refused instead of exhausting the
    /// memory.
    pub const MAX_ELEMENTS: usize = 1 << 32;

    /// A layer of these parts: `centroids` FP16 `[C][2^n][d]`, `codes` `[N][V][C]`, `scales` `[N]`, all row-major.
    ///
    /// # Errors
    /// If a dimension is zero or absurdly large, if `index_bits` is not in `1..=16`, if `K` is no multiple of `d`, if an array has not the length that
    /// the shape asks for, or if a code is not below `2^n`.
    pub fn new(
        name: impl Into<String>,
        shape: LayerShape,
        centroids: Vec<u16>,
        codes: Vec<u16>,
        scales: Scales,
    ) -> Result<Self> {
        let layer = Self { name: name.into(), shape, centroids, codes, scales };
        match layer.problem() {
            None => Ok(layer),
            Some(problem) => Err(Error::Layer { layer: layer.name, problem }),
        }
    }

    fn problem(&self) -> Option<String> {
        if let Some(problem) = self.shape.problem() {
            return Some(problem);
        }
        let LayerShape { outputs, dim, codebooks, .. } = self.shape;
        let (vectors, entries) = (self.shape.vectors(), self.shape.entries());
        for (what, length, expected) in [
            ("codebook values", self.centroids.len(), codebooks * entries * dim),
            ("codes", self.codes.len(), outputs * vectors * codebooks),
            ("scales", self.scales.len(), outputs),
        ] {
            if length != expected {
                return Some(format!("{length} {what} given, {expected} expected for {}", self.shape));
            }
        }
        let bad = self.codes.iter().position(|&code| usize::from(code) >= entries)?;
        let (output, vector, codebook) = split_position(bad, vectors, codebooks);
        Some(format!(
            "code {} of output {output}, vector {vector}, codebook {codebook} is not below the {entries} entries of a codebook",
            self.codes[bad]
        ))
    }

    /// The same layer under another name.
    pub fn renamed(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Name, in a checkpoint the common prefix of its tensors.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Dimensions.
    pub fn shape(&self) -> LayerShape {
        self.shape
    }

    /// Codebook entries: FP16 `[C][2^n][d]`, row-major.
    pub fn centroids(&self) -> &[u16] {
        &self.centroids
    }

    /// Codes `[N][V][C]`, row-major, each below `2^n`.
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// Scales `[N]`.
    pub fn scales(&self) -> &Scales {
        &self.scales
    }

    /// The layer as the golden model takes it.
    pub fn golden(&self) -> golden::VqLayer<'_> {
        golden::VqLayer {
            dim: self.shape.dim,
            entries: self.shape.entries(),
            codebooks: self.shape.codebooks,
            centroids: &self.centroids,
            codes: &self.codes,
            scales: self.scales.golden(),
        }
    }
}

/// Splits a position in `[..][rows][columns]` into its three indices.
pub(super) fn split_position(position: usize, rows: usize, columns: usize) -> (usize, usize, usize) {
    (position / (rows * columns), position / columns % rows, position % columns)
}
