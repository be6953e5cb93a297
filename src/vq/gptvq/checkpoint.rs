//! Layers of checkpoints with groups.
//!
//! A layer is two or three tensors under a common prefix: `codebooks` `[N/gn, K/gk, 2^n, d]`, `codes` `[N, K/d]` and optionally `scales`
//! `[N]`. Layers of AQLM have tensors of the same names, but codes of three dimensions.

use std::collections::BTreeSet;
use std::path::Path;

use safetensors::Dtype;

use super::super::aqlm::read_scales;
use super::super::checkpoint::{Checkpoint, Tensor, unknown_layer};
use super::super::convert::{self, Conversion};
use super::super::error::{Error, Result};
use super::super::layer::{Layer, Scales};
use super::layer::{GptvqLayer, GptvqShape};

const CODES: &str = ".codes";
const CODEBOOKS: &str = ".codebooks";
const SCALES: &str = ".scales";
const BIAS: &str = ".bias";

const NOT_ONE_LAYER: &str = "these are not the tensors of one GPTVQ layer: export the checkpoint again";
const CODE_TYPES: &str = "U8, I16, U16, I32 or I64";
/// 1 in FP16.
const ONE: u16 = 0x3C00;

/// A layer from a checkpoint.
#[derive(Clone, Debug)]
pub struct ImportedGptvq {
    /// The layer, named by its prefix.
    pub layer: GptvqLayer,
    /// What converting its codebooks to FP16 did.
    pub codebooks: Conversion,
}

/// What a checkpoint says about one of its layers with groups.
#[derive(Clone, Debug)]
pub struct GptvqSummary {
    /// Common prefix of the tensors of the layer.
    pub name: String,
    /// Dimensions, if they can be told.
    pub shape: Option<GptvqShape>,
    /// Why the layer cannot be loaded; `None` if nothing in the headers of the checkpoint speaks against it.
    pub problem: Option<String>,
}

/// Loads the layer whose tensors are named `prefix.codebooks`, `prefix.codes` and, if it has scales, `prefix.scales` from a `.safetensors`
/// file, a `*.safetensors.index.json`, or a folder with either. Without scales, all are 1.
///
/// # Errors
/// If a file is not readable or not valid, the layer does not exist, one of its tensors is missing or has an unexpected type,
/// shape or value, or the layer is of an unsupported kind.
pub fn load_gptvq_layer(path: &Path, prefix: &str) -> Result<ImportedGptvq> {
    load_gptvq_layer_from(&Checkpoint::open(path)?, prefix)
}

/// As [`load_gptvq_layer`]. The work does not grow with the number of layers in the checkpoint.
pub(in crate::vq) fn load_gptvq_layer_from(checkpoint: &Checkpoint, prefix: &str) -> Result<ImportedGptvq> {
    let prefix = prefix.trim_end_matches('.');
    let names = TensorNames::new(prefix);
    if !checkpoint.contains(&names.codes) && !checkpoint.contains(&names.codebooks) {
        return Err(unknown_layer(checkpoint, layer_names(checkpoint)?, prefix, "GPTVQ", "a GPTVQ"));
    }
    let tensors = Tensors::find(checkpoint, &names)?;
    let shape = tensors.shape()?;
    if tensors.has_bias {
        let reason = "it has a bias, and the core adds none".into();
        return Err(Error::Unsupported { path: checkpoint.path().to_owned(), layer: prefix.to_owned(), reason });
    }
    let codes = read_codes(&tensors.codes, shape)?;
    let Tensors { codebooks, scales, .. } = &tensors;
    let (centroids, conversion) = convert::to_fp16(codebooks.dtype, codebooks.data)
        .ok_or_else(|| wrong_dtype(codebooks, convert::CONVERTIBLE))?;
    let scales = match scales {
        Some(tensor) => read_scales(tensor)?,
        None => Scales::F16(vec![ONE; shape.outputs]),
    };
    let layer = GptvqLayer::new(prefix, shape, centroids, codes, scales)?;
    Ok(ImportedGptvq { layer, codebooks: conversion })
}

/// Every layer with groups, in the order of their names, also those that cannot be loaded. Reads headers only.
///
/// # Errors
/// If the checkpoint cannot be opened.
pub fn list_gptvq_layers(path: &Path) -> Result<Vec<GptvqSummary>> {
    let checkpoint = Checkpoint::open(path)?;
    let summarise = |name: &str| {
        let names = TensorNames::new(name);
        let found = Tensors::find(&checkpoint, &names).and_then(|tensors| Ok((tensors.shape()?, tensors.has_bias)));
        let (shape, problem) = match found {
            Ok((shape, has_bias)) => (Some(shape), has_bias.then(|| "it has a bias, and the core adds none".into())),
            Err(error) => (None, Some(error.to_string())),
        };
        GptvqSummary { name: name.to_owned(), shape, problem }
    };
    Ok(layer_names(&checkpoint)?.into_iter().map(summarise).collect())
}

/// Whether the layer `prefix` of a checkpoint is of this kind.
pub(in crate::vq) fn is_gptvq(checkpoint: &Checkpoint, prefix: &str) -> Result<bool> {
    let names = TensorNames::new(prefix);
    let (Some(codes), Some(codebooks)) = (checkpoint.tensor(&names.codes)?, checkpoint.tensor(&names.codebooks)?)
    else {
        return Ok(false);
    };
    // In AQLM's order, the third length of codebooks is that of groups of outputs: 1.
    Ok(codes.shape.len() == 2 && codebooks.shape.len() == 4 && codebooks.shape[2] != 1)
}

fn layer_names(checkpoint: &Checkpoint) -> Result<BTreeSet<&str>> {
    let mut names = BTreeSet::new();
    for name in checkpoint.names().filter_map(|name| name.strip_suffix(CODES)) {
        // A file that cannot be opened is a matter of the layers that are in it.
        if is_gptvq(checkpoint, name).unwrap_or(false) {
            names.insert(name);
        }
    }
    Ok(names)
}

struct TensorNames {
    codes: String,
    codebooks: String,
    scales: String,
    bias: String,
}

impl TensorNames {
    fn new(prefix: &str) -> Self {
        let name = |suffix| format!("{prefix}{suffix}");
        Self { codes: name(CODES), codebooks: name(CODEBOOKS), scales: name(SCALES), bias: name(BIAS) }
    }
}

/// The tensors of one layer.
struct Tensors<'a> {
    codes: Tensor<'a>,
    codebooks: Tensor<'a>,
    scales: Option<Tensor<'a>>,
    has_bias: bool,
}

impl<'a> Tensors<'a> {
    fn find(checkpoint: &'a Checkpoint, names: &'a TensorNames) -> Result<Self> {
        let tensor = |name: &'a str| {
            checkpoint.tensor(name)?.ok_or_else(|| Error::Tensor {
                path: checkpoint.path().to_owned(),
                tensor: name.to_owned(),
                found: "no such tensor".into(),
                expected: "codes and codebooks for each layer".into(),
                advice: "the checkpoint is incomplete: fetch it again".into(),
            })
        };
        Ok(Self {
            codes: tensor(&names.codes)?,
            codebooks: tensor(&names.codebooks)?,
            scales: checkpoint.tensor(&names.scales)?,
            has_bias: checkpoint.contains(&names.bias),
        })
    }

    /// The dimensions, after a check of all types and shapes.
    fn shape(&self) -> Result<GptvqShape> {
        let Self { codes, codebooks, scales, .. } = self;
        let dimensions = |tensor: &Tensor<'a>, expected: &str| {
            tensor.error(format!("shape {:?}", tensor.shape), expected, NOT_ONE_LAYER)
        };
        let expected = "[N/gn, K/gk, 2^n, d], none of them 0, n from 1 to 16";
        let &[output_groups, input_groups, entries, dim] = codebooks.shape else {
            return Err(dimensions(codebooks, expected));
        };
        let some_entries = (2..=1 << Layer::MAX_INDEX_BITS).contains(&entries);
        if output_groups == 0 || input_groups == 0 || dim == 0 || !some_entries {
            return Err(dimensions(codebooks, expected));
        }
        if !entries.is_power_of_two() {
            let found = format!("{entries} entries per codebook");
            return Err(codebooks.error(found, "a power of two", "quantise the layer again with 2^n entries"));
        }
        let &[outputs, vectors] = codes.shape else {
            return Err(dimensions(codes, "[N, K/d]"));
        };
        if outputs == 0 || !outputs.is_multiple_of(output_groups) {
            let expected = format!("[N, K/d] with N a multiple of the {output_groups} groups of outputs");
            return Err(dimensions(codes, &expected));
        }
        if vectors == 0 || !vectors.is_multiple_of(input_groups) {
            let expected = format!("[N, K/d] with K/d a multiple of the {input_groups} groups of inputs");
            return Err(dimensions(codes, &expected));
        }
        if let Some(scales) = scales
            && (scales.shape.first() != Some(&outputs) || scales.shape[1..].iter().any(|&length| length != 1))
        {
            return Err(dimensions(scales, &format!("[{outputs}] as of {outputs} outputs")));
        }
        if code_bytes(codes.dtype).is_none() {
            return Err(wrong_dtype(codes, CODE_TYPES));
        }
        for tensor in [Some(codebooks), scales.as_ref()].into_iter().flatten() {
            if !matches!(tensor.dtype, Dtype::F16 | Dtype::BF16 | Dtype::F32) {
                return Err(wrong_dtype(tensor, convert::CONVERTIBLE));
            }
        }
        let Some(inputs) = vectors.checked_mul(dim) else {
            return Err(dimensions(codes, "a layer that memory can hold"));
        };
        Ok(GptvqShape {
            inputs,
            outputs,
            dim,
            index_bits: entries.ilog2(),
            group_inputs: inputs / input_groups,
            group_outputs: outputs / output_groups,
        })
    }
}

fn wrong_dtype(tensor: &Tensor, expected: &str) -> Error {
    let advice = "save the checkpoint again with a type that is supported";
    tensor.error(format!("type {}", tensor.dtype), format!("type {expected}"), advice)
}

/// Bytes of a code, if its type is supported.
fn code_bytes(dtype: Dtype) -> Option<usize> {
    match dtype {
        Dtype::U8 => Some(1),
        Dtype::I16 | Dtype::U16 => Some(2),
        Dtype::I32 => Some(4),
        Dtype::I64 => Some(8),
        _ => None,
    }
}

/// Codes as they are stored: from 0 to `2^n - 1`.
fn read_codes(tensor: &Tensor, shape: GptvqShape) -> Result<Vec<u16>> {
    let bytes = code_bytes(tensor.dtype).ok_or_else(|| wrong_dtype(tensor, CODE_TYPES))?;
    let is_signed = matches!(tensor.dtype, Dtype::I16 | Dtype::I32 | Dtype::I64);
    let code = |bytes: &[u8]| {
        let sign = if is_signed && bytes[bytes.len() - 1] >= 0x80 { 0xFF } else { 0 };
        let mut wide = [sign; 8];
        wide[..bytes.len()].copy_from_slice(bytes);
        i64::from_le_bytes(wide)
    };
    let codes = tensor.data.chunks_exact(bytes).map(code);
    let entries = shape.layer().entries() as i64;
    let mut read = Vec::with_capacity(codes.len());
    for (position, code) in codes.enumerate() {
        if !(0..entries).contains(&code) {
            let (output, vector) = (position / shape.vectors(), position % shape.vectors());
            return Err(tensor.error(
                format!("code {code} at [{output}, {vector}]"),
                format!("0 to {} as of {entries} entries per codebook", entries - 1),
                "codes and codebooks do not belong together: export the checkpoint again",
            ));
        }
        read.push(code as u16);
    }
    Ok(read)
}
