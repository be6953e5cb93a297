//! Layers of any vector-quantised form.

use std::fmt;
use std::ops::Range;
use std::path::Path;

use super::aqlm::load_layer_from;
use super::checkpoint::Checkpoint;
use super::convert::Conversion;
use super::error::Result;
use super::gptvq::{GptvqLayer, is_gptvq, load_gptvq_layer_from};
use super::layer::{Layer, LayerShape, Scales};
use crate::golden;

/// A vector-quantised layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AnyLayer {
    /// Additive codebooks for the whole layer.
    Aqlm(Layer),
    /// A codebook for each group of inputs and outputs.
    Gptvq(GptvqLayer),
}

impl AnyLayer {
    /// The layer itself.
    pub fn as_ref(&self) -> LayerRef<'_> {
        match self {
            Self::Aqlm(layer) => LayerRef::Aqlm(layer),
            Self::Gptvq(layer) => LayerRef::Gptvq(layer),
        }
    }
}

/// Loads the layer `prefix` of a checkpoint, whatever its form is, with what converting its codebooks to FP16 did; see
/// [`load_layer`](super::load_layer) and [`load_gptvq_layer`](super::gptvq::load_gptvq_layer).
///
/// # Errors
/// If it cannot be loaded.
pub fn load_any_layer(path: &Path, prefix: &str) -> Result<(AnyLayer, Conversion)> {
    LayerSource::open(path)?.load(prefix)
}

/// An open checkpoint of which several layers are loaded: its headers are read once.
pub struct LayerSource {
    checkpoint: Checkpoint,
}

impl LayerSource {
    /// Opens a `.safetensors` file, a `*.safetensors.index.json`, or a folder with either.
    ///
    /// # Errors
    /// If it cannot be read, or is none of these.
    pub fn open(path: &Path) -> Result<Self> {
        Ok(Self { checkpoint: Checkpoint::open(path)? })
    }

    /// As [`load_any_layer`].
    ///
    /// # Errors
    /// If the layer cannot be loaded.
    pub fn load(&self, prefix: &str) -> Result<(AnyLayer, Conversion)> {
        if is_gptvq(&self.checkpoint, prefix.trim_end_matches('.'))? {
            let imported = load_gptvq_layer_from(&self.checkpoint, prefix)?;
            Ok((AnyLayer::Gptvq(imported.layer), imported.codebooks))
        } else {
            let imported = load_layer_from(&self.checkpoint, prefix)?;
            Ok((AnyLayer::Aqlm(imported.layer), imported.codebooks))
        }
    }
}

/// A borrowed [`AnyLayer`].
#[derive(Clone, Copy, Debug)]
pub enum LayerRef<'a> {
    /// Additive codebooks for the whole layer.
    Aqlm(&'a Layer),
    /// A codebook for each group of inputs and outputs.
    Gptvq(&'a GptvqLayer),
}

impl<'a> From<&'a Layer> for LayerRef<'a> {
    fn from(layer: &'a Layer) -> Self {
        Self::Aqlm(layer)
    }
}

impl<'a> From<&'a GptvqLayer> for LayerRef<'a> {
    fn from(layer: &'a GptvqLayer) -> Self {
        Self::Gptvq(layer)
    }
}

impl<'a> From<&'a AnyLayer> for LayerRef<'a> {
    fn from(layer: &'a AnyLayer) -> Self {
        layer.as_ref()
    }
}

impl<'a> LayerRef<'a> {
    /// Name, in a checkpoint the common prefix of its tensors.
    pub fn name(self) -> &'a str {
        match self {
            Self::Aqlm(layer) => layer.name(),
            Self::Gptvq(layer) => layer.name(),
        }
    }

    /// Dimensions; with groups, those without them.
    pub fn shape(self) -> LayerShape {
        match self {
            Self::Aqlm(layer) => layer.shape(),
            Self::Gptvq(layer) => layer.shape().layer(),
        }
    }

    /// Codes `[N][V][C]`, row-major.
    pub fn codes(self) -> &'a [u16] {
        match self {
            Self::Aqlm(layer) => layer.codes(),
            Self::Gptvq(layer) => layer.codes(),
        }
    }

    /// Scales `[N]`.
    pub fn scales(self) -> &'a Scales {
        match self {
            Self::Aqlm(layer) => layer.scales(),
            Self::Gptvq(layer) => layer.scales(),
        }
    }

    /// FP16 `[..][2^n][d]`, row-major, of some of the codebooks: the additive ones, or those of the groups, row by row.
    pub(super) fn codebooks(self, numbers: Range<usize>) -> &'a [u16] {
        let centroids = match self {
            Self::Aqlm(layer) => layer.centroids(),
            Self::Gptvq(layer) => layer.centroids(),
        };
        let values = self.shape().entries() * self.shape().dim;
        &centroids[numbers.start * values..numbers.end * values]
    }

    /// The outputs `[M][N]` (FP16) of the golden model for activations `x` `[M][K]`.
    ///
    /// # Panics
    /// If `x` is no whole number of tokens.
    pub fn golden_outputs(self, x: &[u16]) -> Vec<u16> {
        self.each_token(x, |x| match self {
            Self::Aqlm(layer) => golden::vq_gemv(x, &layer.golden()),
            Self::Gptvq(layer) => golden::grouped_vq_gemv(x, &layer.golden()),
        })
    }

    /// The outputs `[M][N]` in double precision.
    ///
    /// # Panics
    /// If `x` is no whole number of tokens.
    pub fn reference_f64(self, x: &[u16]) -> Vec<f64> {
        self.each_token(x, |x| match self {
            Self::Aqlm(layer) => golden::reference_f64(x, &layer.golden()),
            Self::Gptvq(layer) => golden::grouped_reference_f64(x, &layer.golden()),
        })
    }

    fn each_token<T>(self, x: &[u16], outputs: impl Fn(&[u16]) -> Vec<T>) -> Vec<T> {
        let inputs = self.shape().inputs;
        assert!(x.len().is_multiple_of(inputs), "activations: [M][{inputs}] expected");
        x.chunks_exact(inputs).flat_map(outputs).collect()
    }
}

/// The dimensions, with those of groups.
impl fmt::Display for LayerRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Aqlm(layer) => layer.shape().fmt(f),
            Self::Gptvq(layer) => layer.shape().fmt(f),
        }
    }
}
