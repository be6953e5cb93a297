//! One layer with a codebook for each group.

use std::fmt;

use super::super::error::{Error, Result};
use super::super::layer::{Layer, LayerShape, Scales, split_position};
use crate::config::CoreConfig;
use crate::golden;

/// The dimensions of a layer with a codebook for each group of inputs and outputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GptvqShape {
    /// `K`: inputs.
    pub inputs: usize,
    /// `N`: outputs.
    pub outputs: usize,
    /// `d`: inputs per vector.
    pub dim: usize,
    /// `n`: bits of an index; a codebook has `2^n` entries.
    pub index_bits: u32,
    /// `gk`: inputs of a group, a multiple of `d` that divides `K`.
    pub group_inputs: usize,
    /// `gn`: outputs of a group; it divides `N`.
    pub group_outputs: usize,
}

impl GptvqShape {
    /// The dimensions without the groups, with one index for each vector.
    pub fn layer(&self) -> LayerShape {
        let Self { inputs, outputs, dim, index_bits, .. } = *self;
        LayerShape { inputs, outputs, dim, index_bits, codebooks: 1 }
    }

    /// `V = K/d`: vectors per token.
    pub fn vectors(&self) -> usize {
        self.inputs / self.dim
    }

    /// `gk/d`: vectors of a group.
    pub fn group_vectors(&self) -> usize {
        self.group_inputs / self.dim
    }

    /// `K/gk`: groups along the inputs.
    pub fn input_groups(&self) -> usize {
        self.inputs / self.group_inputs
    }

    /// `N/gn`: groups along the outputs.
    pub fn output_groups(&self) -> usize {
        self.outputs / self.group_outputs
    }

    /// Values of a codebook.
    pub(in crate::vq) fn codebook_values(&self) -> usize {
        self.layer().entries() * self.dim
    }

    /// What is wrong with the dimensions themselves, if anything.
    pub(in crate::vq) fn problem(&self) -> Option<String> {
        let Self { inputs, outputs, dim, group_inputs, group_outputs, .. } = *self;
        if let Some(problem) = self.layer().problem() {
            return Some(problem);
        }
        if group_inputs == 0 || inputs % group_inputs != 0 {
            return Some(format!("groups of {group_inputs} inputs do not divide K = {inputs}"));
        }
        if group_outputs == 0 || outputs % group_outputs != 0 {
            return Some(format!("groups of {group_outputs} outputs do not divide N = {outputs}"));
        }
        if group_inputs % dim != 0 {
            return Some(format!("groups of {group_inputs} inputs are no multiple of d = {dim}"));
        }
        let codebooks = self.input_groups().checked_mul(self.output_groups());
        let values = codebooks.and_then(|codebooks| codebooks.checked_mul(self.codebook_values()));
        if values.is_none_or(|values| values > Layer::MAX_ELEMENTS) {
            return Some(format!("{self} has more than {} codebook values", Layer::MAX_ELEMENTS));
        }
        None
    }

    /// Whether a core of these parameters can run such a layer; otherwise every reason why not.
    pub fn fits(&self, config: &CoreConfig) -> std::result::Result<(), Vec<String>> {
        self.layer().fits(config)
    }
}

impl fmt::Display for GptvqShape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { inputs, outputs, dim, index_bits, group_inputs, group_outputs } = self;
        write!(
            f,
            "K={inputs} N={outputs} n={index_bits} d={dim}, groups of {group_inputs} inputs x {group_outputs} outputs"
        )
    }
}

/// A layer with a codebook for each group: the weights of output `n` and vector `v` are
/// `scales[n] * codebooks[n / gn][v / (gk/d)][codes[n][v]]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GptvqLayer {
    name: String,
    shape: GptvqShape,
    centroids: Vec<u16>,
    codes: Vec<u16>,
    scales: Scales,
}

impl GptvqLayer {
    /// A layer of these parts: `centroids` FP16 `[N/gn][K/gk][2^n][d]`, `codes` `[N][V]`, `scales` `[N]`, all row-major.
    ///
    /// # Errors
    /// If a dimension is zero or absurdly large, if `index_bits` is not in `1..=16`, if groups do not divide the layer into whole vectors, if an
    /// array has not the length that the shape asks for, or if a code is not below `2^n`.
    pub fn new(
        name: impl Into<String>,
        shape: GptvqShape,
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
        let shape = self.shape;
        let (vectors, entries) = (shape.vectors(), shape.layer().entries());
        let values = shape.input_groups() * shape.output_groups() * shape.codebook_values();
        for (what, length, expected) in [
            ("codebook values", self.centroids.len(), values),
            ("codes", self.codes.len(), shape.outputs * vectors),
            ("scales", self.scales.len(), shape.outputs),
        ] {
            if length != expected {
                return Some(format!("{length} {what} given, {expected} expected for {shape}"));
            }
        }
        let bad = self.codes.iter().position(|&code| usize::from(code) >= entries)?;
        let (output, vector, _) = split_position(bad, vectors, 1);
        let code = self.codes[bad];
        Some(format!(
            "code {code} of output {output}, vector {vector} is not below the {entries} entries of a codebook"
        ))
    }

    /// Name, in a checkpoint the common prefix of its tensors.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Dimensions.
    pub fn shape(&self) -> GptvqShape {
        self.shape
    }

    /// Codebook entries: FP16 `[N/gn][K/gk][2^n][d]`, row-major.
    pub fn centroids(&self) -> &[u16] {
        &self.centroids
    }

    /// Codes `[N][V]`, row-major, each below `2^n`.
    pub fn codes(&self) -> &[u16] {
        &self.codes
    }

    /// Scales `[N]`.
    pub fn scales(&self) -> &Scales {
        &self.scales
    }

    /// The layer as the golden model takes it.
    pub fn golden(&self) -> golden::GroupedVqLayer<'_> {
        golden::GroupedVqLayer {
            dim: self.shape.dim,
            entries: self.shape.layer().entries(),
            group_inputs: self.shape.group_inputs,
            group_outputs: self.shape.group_outputs,
            centroids: &self.centroids,
            codes: &self.codes,
            scales: self.scales.golden(),
        }
    }
}
