//! Layers of AQLM checkpoints.
//!
//! A layer is three tensors under a common prefix: `codes` `[out_groups, in_groups, C]`, `codebooks`
//! `[C, 2^n, out_group_size, in_group_size]` and `scales` `[out_groups, 1, 1, 1]`.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;
use safetensors::Dtype;

use super::checkpoint::{Checkpoint, Tensor, layer_called, unknown_layer};
use super::convert::{self, Conversion};
use super::error::{Error, Result};
use super::gptvq::is_gptvq;
use super::layer::{Layer, LayerShape, Scales, split_position};

const CODES: &str = ".codes";
const CODEBOOKS: &str = ".codebooks";
const SCALES: &str = ".scales";
const BIAS: &str = ".bias";

const NOT_ONE_LAYER: &str = "these are not the tensors of one AQLM layer: fetch or export the checkpoint again";

/// A layer from a checkpoint.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The layer, named by its prefix.
    pub layer: Layer,
    /// What converting its codebooks to FP16 did.
    pub codebooks: Conversion,
}

/// What a checkpoint says about one of its quantised layers.
#[derive(Clone, Debug)]
pub struct LayerSummary {
    /// Common prefix of the tensors of the layer.
    pub name: String,
    /// Dimensions, if they can be told.
    pub shape: Option<LayerShape>,
    /// Why the layer cannot be loaded; `None` if nothing in the headers of the checkpoint speaks against it.
    pub problem: Option<String>,
}

/// Loads the layer whose tensors are named `prefix.codes`, `prefix.codebooks` and `prefix.scales` from a `.safetensors`
/// file, a
/// `*.safetensors.index.json`, or a folder with either.
///
/// # Errors
/// If a file is not readable or not valid, the layer does not exist, one of its tensors is missing or has an unexpected type,
/// shape or value, or the layer is of an unsupported kind.
pub fn load_layer(path: &Path, prefix: &str) -> Result<Imported> {
    load_layer_from(&Checkpoint::open(path)?, prefix)
}

/// As [`load_layer`]. The work does not grow with the number of layers in the checkpoint.
pub(super) fn load_layer_from(checkpoint: &Checkpoint, prefix: &str) -> Result<Imported> {
    let prefix = layer_called(prefix, |name| is_layer(checkpoint, name));
    if !is_layer(checkpoint, prefix) {
        return Err(unknown_layer(checkpoint, layer_names(checkpoint), prefix, "quantised", "an AQLM"));
    }
    let names = TensorNames::new(prefix);
    let tensors = Tensors::find(checkpoint, &names)?;
    let shape = tensors.shape()?;
    if let Some(reason) = tensors.unsupported() {
        return Err(Error::Unsupported { path: checkpoint.path().to_owned(), layer: prefix.to_owned(), reason });
    }
    let codes = read_codes(&tensors.codes, shape)?;
    let (centroids, conversion) = convert::to_fp16(tensors.codebooks.dtype, tensors.codebooks.data)
        .ok_or_else(|| wrong_dtype(&tensors.codebooks, convert::CONVERTIBLE))?;
    let scales = read_scales(&tensors.scales)?;
    let layer = Layer::new(prefix, shape, centroids, codes, scales)?;
    Ok(Imported { layer, codebooks: conversion })
}

/// Every layer of AQLM's form in a checkpoint, in the order of their names, also those that cannot be loaded. Reads headers
/// only.
///
/// # Errors
/// If the checkpoint cannot be opened.
pub fn list_layers(path: &Path) -> Result<Vec<LayerSummary>> {
    let checkpoint = Checkpoint::open(path)?;
    let summarise = |name: String| {
        let names = TensorNames::new(&name);
        let (shape, problem) = match Tensors::find(&checkpoint, &names) {
            Ok(tensors) => match tensors.shape() {
                Ok(shape) => (Some(shape), tensors.unsupported()),
                Err(error) => (None, Some(error.to_string())),
            },
            Err(error) => (None, Some(error.to_string())),
        };
        LayerSummary { name, shape, problem }
    };
    let of_another_kind = |name: &&str| is_gptvq(&checkpoint, name).unwrap_or(false);
    let names = layer_names(&checkpoint).into_iter().filter(|name| !of_another_kind(name));
    Ok(names.map(str::to_owned).map(summarise).collect())
}

/// Of tensors that only quantised layers have; other quantisation formats have `scales` too.
const SUFFIXES: [&str; 2] = [CODES, CODEBOOKS];

/// Prefixes under which there is at least one tensor that only quantised layers have.
fn layer_names(checkpoint: &Checkpoint) -> BTreeSet<&str> {
    checkpoint.names().filter_map(|name| SUFFIXES.iter().find_map(|suffix| name.strip_suffix(suffix))).collect()
}

/// Whether `prefix` is one of the [`layer_names`].
fn is_layer(checkpoint: &Checkpoint, prefix: &str) -> bool {
    SUFFIXES.iter().any(|suffix| checkpoint.contains(&format!("{prefix}{suffix}")))
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
    scales: Tensor<'a>,
    has_bias: bool,
}

impl<'a> Tensors<'a> {
    fn find(checkpoint: &'a Checkpoint, names: &'a TensorNames) -> Result<Self> {
        let tensor = |name: &'a str| {
            checkpoint.tensor(name)?.ok_or_else(|| Error::Tensor {
                path: checkpoint.path().to_owned(),
                tensor: name.to_owned(),
                found: "no such tensor".into(),
                expected: "codes, codebooks and scales for each layer".into(),
                advice: "the checkpoint is incomplete: fetch it again".into(),
            })
        };
        Ok(Self {
            codes: tensor(&names.codes)?,
            codebooks: tensor(&names.codebooks)?,
            scales: tensor(&names.scales)?,
            has_bias: checkpoint.contains(&names.bias),
        })
    }

    /// The dimensions, after a check of all types and shapes.
    fn shape(&self) -> Result<LayerShape> {
        let Self { codes, codebooks, scales, .. } = self;
        let dimensions = |tensor: &Tensor<'a>, expected: &str| {
            tensor.error(format!("shape {:?}", tensor.shape), expected, NOT_ONE_LAYER)
        };
        let expected = "[num_codebooks, 2^n, out_group_size, in_group_size], none of them 0, n at most 16";
        let &[codebook_count, entries, out_group, dim] = codebooks.shape else {
            return Err(dimensions(codebooks, expected));
        };
        if codebook_count == 0 || out_group == 0 || dim == 0 || !(2..=1 << Layer::MAX_INDEX_BITS).contains(&entries) {
            return Err(dimensions(codebooks, expected));
        }
        if !entries.is_power_of_two() {
            let found = format!("{entries} entries per codebook");
            return Err(codebooks.error(found, "a power of two", "quantise the layer again with 2^n entries"));
        }
        let index_bits = entries.ilog2();
        let expected =
            format!("[out_groups, in_groups, {codebook_count}] as of {codebook_count} codebooks, none of them 0");
        let &[out_groups, in_groups, codes_per_group] = codes.shape else {
            return Err(dimensions(codes, &expected));
        };
        if out_groups == 0 || in_groups == 0 || codes_per_group != codebook_count {
            return Err(dimensions(codes, &expected));
        }
        if scales.shape.first() != Some(&out_groups) || scales.shape[1..].iter().any(|&length| length != 1) {
            return Err(dimensions(scales, &format!("[{out_groups}, 1, 1, 1] as of {out_groups} output groups")));
        }
        match (codes.dtype, index_bits) {
            (Dtype::I8, ..=8) | (Dtype::I16, _) => {}
            (_, ..=8) => return Err(wrong_dtype(codes, "I8 or I16")),
            (_, _) => return Err(wrong_dtype(codes, &format!("I16 for {index_bits}-bit codes"))),
        }
        for tensor in [codebooks, scales] {
            if !matches!(tensor.dtype, Dtype::F16 | Dtype::BF16 | Dtype::F32) {
                return Err(wrong_dtype(tensor, convert::CONVERTIBLE));
            }
        }
        let (Some(inputs), Some(outputs)) = (in_groups.checked_mul(dim), out_groups.checked_mul(out_group)) else {
            return Err(dimensions(codes, "a layer that memory can hold"));
        };
        Ok(LayerShape { inputs, outputs, dim, index_bits, codebooks: codebook_count })
    }

    /// Why a layer of valid tensors is not supported.
    fn unsupported(&self) -> Option<String> {
        let out_group = self.codebooks.shape[2];
        if out_group != 1 {
            return Some(format!("out_group_size is {out_group}, only 1 can be looked up along K"));
        }
        self.has_bias.then(|| "it has a bias, and the core adds none".into())
    }
}

fn wrong_dtype(tensor: &Tensor, expected: &str) -> Error {
    let advice = "save the checkpoint again with a type that is supported";
    tensor.error(format!("type {}", tensor.dtype), format!("type {expected}"), advice)
}

/// Codes are stored signed, modulo 2^n; unsigned ones are accepted where the type can hold them.
fn read_codes(tensor: &Tensor, shape: LayerShape) -> Result<Vec<u16>> {
    let (low, high) = (-(1i32 << (shape.index_bits - 1)), 1i32 << shape.index_bits);
    let mask = (high - 1) as u16;
    let stored: Vec<i16> = match tensor.dtype {
        Dtype::I8 => tensor.data.par_iter().map(|&byte| i16::from(byte as i8)).collect(),
        _ => tensor.data.par_chunks_exact(2).map(|bytes| i16::from_le_bytes([bytes[0], bytes[1]])).collect(),
    };
    let outside = |&value: &i16| !(low..high).contains(&i32::from(value));
    if let Some(position) = stored.par_iter().position_first(outside) {
        let (output, vector, codebook) = split_position(position, shape.vectors(), shape.codebooks);
        return Err(tensor.error(
            format!("code {} at [{output}, {vector}, {codebook}]", stored[position]),
            format!("{low} to {} as of {} entries per codebook", high - 1, shape.entries()),
            "codes and codebooks do not belong together: fetch the checkpoint again",
        ));
    }
    Ok(stored.into_par_iter().map(|value| value as u16 & mask).collect())
}

/// Scales as they are stored, one for each row of the tensor, BF16 widened to FP32.
pub(super) fn read_scales(tensor: &Tensor) -> Result<Scales> {
    let (scales, bad) = match convert::to_f32(tensor.dtype, tensor.data) {
        Some(values) => {
            let bad = values.iter().position(|value| !value.is_finite());
            (Scales::F32(values.into_iter().map(f32::to_bits).collect()), bad)
        }
        None => {
            let values = convert::u16s(tensor.data);
            let bad = values.iter().position(|&bits| !half::f16::from_bits(bits).is_finite());
            (Scales::F16(values), bad)
        }
    };
    match bad {
        None => Ok(scales),
        Some(output) => {
            let mut place = vec![0; tensor.shape.len()];
            place[0] = output;
            Err(tensor.error(
                format!("a NaN or infinite scale at {place:?}"),
                "finite scales",
                "the layer is damaged: quantise or fetch it again",
            ))
        }
    }
}
