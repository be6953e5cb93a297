//! One INT8 layer.

use std::fmt;

use super::super::error::{Error, Result};
use super::super::layer::Layer;
use crate::golden;

/// The dimensions of an INT8 layer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Int8Shape {
    /// `K`: inputs, up to [`Int8Layer::MAX_INPUTS`].
    pub inputs: usize,
    /// `N`: outputs.
    pub outputs: usize,
}

impl Int8Shape {
    /// What is wrong with the dimensions themselves, if anything.
    pub(super) fn problem(&self) -> Option<String> {
        let Self { inputs, outputs } = *self;
        for (what, value) in [("K", inputs), ("N", outputs)] {
            if value == 0 {
                return Some(format!("{what} is 0, at least 1 expected"));
            }
        }
        if inputs > Int8Layer::MAX_INPUTS {
            let most = Int8Layer::MAX_INPUTS;
            return Some(format!("K = {inputs} is too large: sums of up to {most} products fit INT32"));
        }
        if inputs.checked_mul(outputs).is_none_or(|weights| weights > Layer::MAX_ELEMENTS) {
            return Some(format!("{self} has more than {} weights", Layer::MAX_ELEMENTS));
        }
        None
    }
}

impl fmt::Display for Int8Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "K={} N={}", self.inputs, self.outputs)
    }
}

/// A layer of INT8 weights with a scale for each output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Int8Layer {
    name: String,
    shape: Int8Shape,
    weights: Vec<i8>,
    scales: Vec<u32>,
}

impl Int8Layer {
    /// Most inputs of a layer, whatever the core: the sums fit INT32.
    pub const MAX_INPUTS: usize = golden::INT8_MAX_INPUTS;

    /// A layer of these parts: `weights` `[N][K]`, row-major, and `scales` `[N]`, FP32 bit patterns of any kind.
    ///
    /// # Errors
    /// If a dimension is zero or too large, or an array has not the length that the shape asks for.
    pub fn new(name: impl Into<String>, shape: Int8Shape, weights: Vec<i8>, scales: Vec<u32>) -> Result<Self> {
        let layer = Self { name: name.into(), shape, weights, scales };
        match layer.problem() {
            None => Ok(layer),
            Some(problem) => Err(Error::Layer { layer: layer.name, problem }),
        }
    }

    fn problem(&self) -> Option<String> {
        let Int8Shape { inputs, outputs } = self.shape;
        if let Some(problem) = self.shape.problem() {
            return Some(problem);
        }
        let lengths = [("weights", self.weights.len(), inputs * outputs), ("scales", self.scales.len(), outputs)];
        let (what, length, expected) = lengths.into_iter().find(|(_, length, expected)| length != expected)?;
        Some(format!("{length} {what} given, {expected} expected for {}", self.shape))
    }

    /// Name, in a checkpoint the common prefix of its tensors.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Dimensions.
    pub fn shape(&self) -> Int8Shape {
        self.shape
    }

    /// Weights `[N][K]`, row-major.
    pub fn weights(&self) -> &[i8] {
        &self.weights
    }

    /// Scales `[N]`, FP32 bit patterns.
    pub fn scales(&self) -> &[u32] {
        &self.scales
    }
}
