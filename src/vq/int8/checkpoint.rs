//! INT8 layers of W8A8 checkpoints.
//!
//! A layer is two tensors under a common prefix: `weight` I8 `[N, K]` and `weight_scale` `[N, 1]`, `[N]` or a single value.

use std::collections::BTreeSet;
use std::path::Path;

use safetensors::Dtype;

use super::super::checkpoint::{Checkpoint, Tensor, layer_called, unknown_layer};
use super::super::convert;
use super::super::error::{Error, Result};
use super::layer::{Int8Layer, Int8Shape};

const WEIGHT: &str = ".weight";
const SCALE: &str = ".weight_scale";
const ZERO_POINT: &str = ".weight_zero_point";
const BIAS: &str = ".bias";

const NOT_ONE_LAYER: &str = "these are not the tensors of one W8A8 layer: fetch or export the checkpoint again";

/// What a checkpoint says about one of its layers with a `weight_scale`.
#[derive(Clone, Debug)]
pub struct Int8Summary {
    /// Common prefix of the tensors of the layer.
    pub name: String,
    /// Dimensions, if they can be told.
    pub shape: Option<Int8Shape>,
    /// Why the layer cannot be loaded; `None` if nothing in the headers of the checkpoint speaks against it.
    pub problem: Option<String>,
}

/// Loads the layer whose tensors are named `prefix.weight` and `prefix.weight_scale` from a `.safetensors` file, a
/// `*.safetensors.index.json`, or a folder with either. Scales become FP32, exactly.
///
/// # Errors
/// If a file is not readable or not valid, the layer does not exist, one of its tensors is missing or has an unexpected type,
/// shape or value, or the layer is of an unsupported kind.
pub fn load_int8_layer(path: &Path, prefix: &str) -> Result<Int8Layer> {
    let checkpoint = Checkpoint::open(path)?;
    let exists = |prefix: &str| {
        let names = TensorNames::new(prefix);
        checkpoint.contains(&names.weight) || checkpoint.contains(&names.scale)
    };
    let prefix = layer_called(prefix, exists);
    let names = TensorNames::new(prefix);
    if !exists(prefix) {
        return Err(unknown_layer(&checkpoint, layer_names(&checkpoint), prefix, "INT8", "a W8A8"));
    }
    let tensors = Tensors::find(&checkpoint, &names)?;
    let shape = tensors.shape()?;
    if let Some(reason) = tensors.unsupported() {
        return Err(Error::Unsupported { path: checkpoint.path().to_owned(), layer: prefix.to_owned(), reason });
    }
    let weights = tensors.weight.data.iter().map(|&byte| byte as i8).collect();
    Int8Layer::new(prefix, shape, weights, read_scales(&tensors.scale, shape.outputs)?)
}

/// Every layer with a `weight_scale`, in the order of their names, also those that cannot be loaded. Reads headers and
/// zero points only.
///
/// # Errors
/// If the checkpoint cannot be opened.
pub fn list_int8_layers(path: &Path) -> Result<Vec<Int8Summary>> {
    let checkpoint = Checkpoint::open(path)?;
    let summarise = |name: &str| {
        let names = TensorNames::new(name);
        let found =
            Tensors::find(&checkpoint, &names).and_then(|tensors| Ok((tensors.shape()?, tensors.unsupported())));
        let (shape, problem) = match found {
            Ok((shape, problem)) => (Some(shape), problem),
            Err(error) => (None, Some(error.to_string())),
        };
        Int8Summary { name: name.to_owned(), shape, problem }
    };
    Ok(layer_names(&checkpoint).into_iter().map(summarise).collect())
}

/// Prefixes under which there is a scale. Any layer at all has a `weight`.
fn layer_names(checkpoint: &Checkpoint) -> BTreeSet<&str> {
    checkpoint.names().filter_map(|name| name.strip_suffix(SCALE)).collect()
}

struct TensorNames {
    weight: String,
    scale: String,
    zero_point: String,
    bias: String,
}

impl TensorNames {
    fn new(prefix: &str) -> Self {
        let name = |suffix| format!("{prefix}{suffix}");
        Self { weight: name(WEIGHT), scale: name(SCALE), zero_point: name(ZERO_POINT), bias: name(BIAS) }
    }
}

/// The tensors of one layer.
struct Tensors<'a> {
    weight: Tensor<'a>,
    scale: Tensor<'a>,
    zero_point: Option<Tensor<'a>>,
    has_bias: bool,
}

impl<'a> Tensors<'a> {
    fn find(checkpoint: &'a Checkpoint, names: &'a TensorNames) -> Result<Self> {
        let tensor = |name: &'a str| {
            checkpoint.tensor(name)?.ok_or_else(|| Error::Tensor {
                path: checkpoint.path().to_owned(),
                tensor: name.to_owned(),
                found: "no such tensor".into(),
                expected: "weight and weight_scale for each INT8 layer".into(),
                advice: "the layer is not quantised to INT8, or the checkpoint is incomplete".into(),
            })
        };
        Ok(Self {
            weight: tensor(&names.weight)?,
            scale: tensor(&names.scale)?,
            zero_point: checkpoint.tensor(&names.zero_point)?,
            has_bias: checkpoint.contains(&names.bias),
        })
    }

    /// The dimensions, after a check of all types and shapes.
    fn shape(&self) -> Result<Int8Shape> {
        let Self { weight, scale, .. } = self;
        let found = |tensor: &Tensor<'a>| format!("shape {:?}", tensor.shape);
        if weight.dtype != Dtype::I8 {
            let advice = "only layers quantised to INT8 can be used";
            return Err(weight.error(format!("type {}", weight.dtype), "type I8", advice));
        }
        let &[outputs, inputs] = weight.shape else {
            return Err(weight.error(found(weight), "[N, K], a matrix", NOT_ONE_LAYER));
        };
        let shape = Int8Shape { inputs, outputs };
        if let Some(problem) = shape.problem() {
            return Err(weight.error(found(weight), "[N, K] that INT8_GEMM can compute", problem));
        }
        if !matches!(scale.dtype, Dtype::F16 | Dtype::BF16 | Dtype::F32) {
            let advice = "save the checkpoint again with a type that is supported";
            return Err(scale.error(format!("type {}", scale.dtype), format!("type {}", convert::CONVERTIBLE), advice));
        }
        match *scale.shape {
            [] | [1] | [1, 1] => {}
            [rows] | [rows, 1] if rows == outputs => {}
            _ => {
                let expected = format!("[{outputs}, 1], [{outputs}] or a single value as of {outputs} outputs");
                return Err(scale.error(found(scale), expected, "only scales per output or per layer can be used"));
            }
        }
        Ok(shape)
    }

    /// Why a layer of valid tensors is not supported.
    fn unsupported(&self) -> Option<String> {
        if self.has_bias {
            return Some("it has a bias, and the core adds none".into());
        }
        // Checkpoints of symmetric weights may have zero points too; all of them are zero.
        let zero_point = self.zero_point?;
        zero_point.data.iter().any(|&byte| byte != 0).then(|| {
            format!("its zero points (`{}`) are not all zero: only symmetric weights can be used", zero_point.name)
        })
    }
}

/// Scales as FP32 bit patterns, one for each of `outputs`.
fn read_scales(tensor: &Tensor, outputs: usize) -> Result<Vec<u32>> {
    let values = convert::widen_to_f32(tensor.dtype, tensor.data)
        .ok_or_else(|| tensor.error(format!("type {}", tensor.dtype), convert::CONVERTIBLE, NOT_ONE_LAYER))?;
    if let Some(position) = values.iter().position(|value| !value.is_finite()) {
        return Err(tensor.error(
            format!("a NaN or infinite scale at index {position}"),
            "finite scales",
            "the layer is damaged: quantise or fetch it again",
        ));
    }
    let bits: Vec<u32> = values.into_iter().map(f32::to_bits).collect();
    Ok(if bits.len() == 1 { vec![bits[0]; outputs] } else { bits })
}
