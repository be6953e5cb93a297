//! Writing small AQLM checkpoints.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::Path;

use safetensors::{Dtype, View};

use super::checkpoint::io_error;
use super::error::{Error, Result};
use super::layer::{Layer, Scales};

/// Writes layers to a `.safetensors` file with the tensor names, types and layout of real AQLM checkpoints. The file
/// appears when it is complete; one that exists is replaced.
///
/// # Errors
/// If the file cannot be written, or two layers have the same name.
pub fn write_safetensors(layers: &[Layer], path: &Path) -> Result<()> {
    refuse_duplicates(layers.iter().map(Layer::name))?;
    let tensors = layers.iter().flat_map(|layer| {
        let tensor = |suffix: &str, tensor| (format!("{}.{suffix}", layer.name()), tensor);
        let scales = scale_tensor(layer.scales(), vec![layer.shape().outputs, 1, 1, 1]);
        [tensor("codes", codes(layer)), tensor("codebooks", codebooks(layer)), tensor("scales", scales)]
    });
    write_tensors(tensors, path)
}

/// Refuses a name that comes twice.
pub(super) fn refuse_duplicates<'a>(names: impl Iterator<Item = &'a str>) -> Result<()> {
    let mut seen = BTreeSet::new();
    for name in names {
        if !seen.insert(name) {
            let problem = "another layer of the same file has this name".into();
            return Err(Error::Layer { layer: name.to_owned(), problem });
        }
    }
    Ok(())
}

/// Writes tensors to a `.safetensors` file, which appears when it is complete and replaces one that exists.
pub(super) fn write_tensors(tensors: impl IntoIterator<Item = (String, Tensor)>, path: &Path) -> Result<()> {
    let bytes = safetensors::serialize(tensors, None).map_err(|error| Error::File {
        path: path.to_owned(),
        problem: error.to_string(),
        advice: "use fewer layers".into(),
    })?;
    // A file in a temporary folder beside it has the usual permissions, unlike a temporary file.
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = tempfile::tempdir_in(parent).map_err(io_error(path, "write"))?;
    let complete = folder.path().join("complete");
    std::fs::write(&complete, bytes).map_err(io_error(path, "write"))?;
    std::fs::rename(&complete, path).map_err(io_error(path, "write"))
}

/// A tensor to be written.
pub(super) struct Tensor {
    pub dtype: Dtype,
    pub shape: Vec<usize>,
    /// Row-major, little-endian.
    pub data: Vec<u8>,
}

impl View for Tensor {
    fn dtype(&self) -> Dtype {
        self.dtype
    }

    fn shape(&self) -> &[usize] {
        &self.shape
    }

    fn data(&self) -> Cow<'_, [u8]> {
        Cow::Borrowed(&self.data)
    }

    fn data_len(&self) -> usize {
        self.data.len()
    }
}

/// `[out_groups, in_groups, num_codebooks]`, signed, modulo 2^n.
fn codes(layer: &Layer) -> Tensor {
    let shape = layer.shape();
    // Shifting the code to the top and back extends its sign.
    let unused = u16::BITS - shape.index_bits;
    let signed = layer.codes().iter().map(|&code| (code << unused) as i16 >> unused);
    let (dtype, data) = match shape.index_bits {
        ..=8 => (Dtype::I8, signed.map(|code| code as u8).collect()),
        _ => (Dtype::I16, signed.flat_map(i16::to_le_bytes).collect()),
    };
    Tensor { dtype, shape: vec![shape.outputs, shape.vectors(), shape.codebooks], data }
}

/// `[num_codebooks, 2^n, out_group_size, in_group_size]`.
fn codebooks(layer: &Layer) -> Tensor {
    let shape = layer.shape();
    Tensor {
        dtype: Dtype::F16,
        shape: vec![shape.codebooks, shape.entries(), 1, shape.dim],
        data: layer.centroids().iter().flat_map(|bits| bits.to_le_bytes()).collect(),
    }
}

/// Scales as a tensor of this shape.
pub(super) fn scale_tensor(scales: &Scales, shape: Vec<usize>) -> Tensor {
    let (dtype, data) = match scales {
        Scales::F16(values) => (Dtype::F16, values.iter().flat_map(|bits| bits.to_le_bytes()).collect()),
        Scales::F32(values) => (Dtype::F32, values.iter().flat_map(|bits| bits.to_le_bytes()).collect()),
    };
    Tensor { dtype, shape, data }
}
