//! Writing small checkpoints of layers with groups.

use std::path::Path;

use safetensors::Dtype;

use super::super::error::Result;
use super::super::write::{Tensor, refuse_duplicates, scale_tensor, write_tensors};
use super::layer::GptvqLayer;

/// Writes layers to a `.safetensors` file in the layout of `docs/checkpoints.md`: `codebooks` F16 `[N/gn, K/gk, 2^n, d]`, `codes` U8 or U16
/// `[N, K/d]`, `scales` `[N]`. The file appears when it is complete; one that exists is replaced.
///
/// # Errors
/// If the file cannot be written, or two layers have the same name.
pub fn write_gptvq_safetensors(layers: &[GptvqLayer], path: &Path) -> Result<()> {
    refuse_duplicates(layers.iter().map(GptvqLayer::name))?;
    let tensors = layers.iter().flat_map(|layer| {
        let shape = layer.shape();
        let codebooks = Tensor {
            dtype: Dtype::F16,
            shape: vec![shape.output_groups(), shape.input_groups(), shape.layer().entries(), shape.dim],
            data: layer.centroids().iter().flat_map(|bits| bits.to_le_bytes()).collect(),
        };
        let (dtype, data) = match shape.index_bits {
            ..=8 => (Dtype::U8, layer.codes().iter().map(|&code| code as u8).collect()),
            _ => (Dtype::U16, layer.codes().iter().flat_map(|code| code.to_le_bytes()).collect()),
        };
        let codes = Tensor { dtype, shape: vec![shape.outputs, shape.vectors()], data };
        let scales = scale_tensor(layer.scales(), vec![shape.outputs]);
        let name = |suffix: &str| format!("{}.{suffix}", layer.name());
        [(name("codebooks"), codebooks), (name("codes"), codes), (name("scales"), scales)]
    });
    write_tensors(tensors, path)
}
