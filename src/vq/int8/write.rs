//! Writing small W8A8 checkpoints.

use std::path::Path;

use safetensors::Dtype;

use super::super::error::Result;
use super::super::write::{Tensor, refuse_duplicates, write_tensors};
use super::layer::Int8Layer;

/// Writes layers to a `.safetensors` file with the tensor names, types and layout of W8A8 checkpoints: `weight` I8
/// `[N, K]`, `weight_scale` F32 `[N, 1]`. The file appears when it is complete; one that exists is replaced.
///
/// # Errors
/// If the file cannot be written, or two layers have the same name.
pub fn write_int8_safetensors(layers: &[Int8Layer], path: &Path) -> Result<()> {
    refuse_duplicates(layers.iter().map(Int8Layer::name))?;
    let tensors = layers.iter().flat_map(|layer| {
        let shape = layer.shape();
        let weight = Tensor {
            dtype: Dtype::I8,
            shape: vec![shape.outputs, shape.inputs],
            data: layer.weights().iter().map(|&weight| weight as u8).collect(),
        };
        let scale = Tensor {
            dtype: Dtype::F32,
            shape: vec![shape.outputs, 1],
            data: layer.scales().iter().flat_map(|bits| bits.to_le_bytes()).collect(),
        };
        [(format!("{}.weight", layer.name()), weight), (format!("{}.weight_scale", layer.name()), scale)]
    });
    write_tensors(tensors, path)
}
