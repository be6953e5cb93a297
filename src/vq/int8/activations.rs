//! INT8 activations from a file.

use std::path::Path;

use npyz::{DType, Order, TypeChar};
use safetensors::Dtype;

use super::super::activations::{Format, SAVE_AS, SHAPE, open_npy, pick_tensor, tokens_and_inputs};
use super::super::checkpoint::Checkpoint;
use super::super::error::{Error, Result};

/// INT8 activations of some tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Int8Activations {
    /// `M`.
    pub tokens: usize,
    /// `K`.
    pub inputs: usize,
    /// `[M][K]`, row-major.
    pub values: Vec<i8>,
}

/// Reads INT8 activations of shape `[M, K]`, or `[K]` of one token, from a `.npy` file (int8) or from a tensor of a
/// `.safetensors` file (I8). Without a name, the safetensors file must hold just one tensor.
///
/// # Errors
/// If the file is not readable or is not one of these, the type or shape is another, or there is not exactly one candidate.
pub fn read_int8_activations(path: &Path, tensor: Option<&str>) -> Result<Int8Activations> {
    match Format::of(path, tensor)? {
        Format::Npy => read_npy(path),
        Format::Safetensors => read_tensor(path, tensor),
    }
}

fn read_npy(path: &Path) -> Result<Int8Activations> {
    let error = |problem: String, advice: &str| Error::File { path: path.to_owned(), problem, advice: advice.into() };
    let (npy, shape) = open_npy(path)?;
    let Some((tokens, inputs)) = tokens_and_inputs(&shape) else {
        return Err(error(format!("found shape {shape:?}, expected {SHAPE}"), SAVE_AS));
    };
    match npy.dtype() {
        DType::Plain(plain) if plain.type_char() == TypeChar::Int && plain.size_field() == 1 => {}
        other => {
            let problem = format!("found type {}, expected int8 ('|i1')", other.descr());
            return Err(error(problem, "quantise the activations, and convert the array with astype(numpy.int8)"));
        }
    }
    if npy.order() == Order::Fortran && tokens > 1 {
        return Err(error("the array is stored by columns".into(), "save it after numpy.ascontiguousarray"));
    }
    let values =
        npy.into_vec::<i8>().map_err(|source| error(format!("not a readable .npy file: {source}"), "save it again"))?;
    Ok(Int8Activations { tokens, inputs, values })
}

fn read_tensor(path: &Path, name: Option<&str>) -> Result<Int8Activations> {
    let checkpoint = Checkpoint::open(path)?;
    let tensor = pick_tensor(&checkpoint, path, name)?;
    let Some((tokens, inputs)) = tokens_and_inputs(tensor.shape) else {
        return Err(tensor.error(format!("shape {:?}", tensor.shape), SHAPE, SAVE_AS));
    };
    if tensor.dtype != Dtype::I8 {
        return Err(tensor.error(format!("type {}", tensor.dtype), "type I8", "quantise the activations to INT8"));
    }
    Ok(Int8Activations { tokens, inputs, values: tensor.data.iter().map(|&byte| byte as i8).collect() })
}
