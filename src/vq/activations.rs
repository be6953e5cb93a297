//! Activations from a file.

use std::io::{self, BufReader, Read};
use std::path::Path;

use half::f16;
use npyz::{DType, NpyFile, Order, TypeChar};
use safetensors::Dtype;

use super::checkpoint::{Checkpoint, Tensor, io_error};
use super::convert::{self, Conversion};
use super::error::{Error, Result};
use crate::config::nearest;
use crate::input::open;

/// Activations of some tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Activations {
    /// `M`.
    pub tokens: usize,
    /// `K`.
    pub inputs: usize,
    /// FP16 bit patterns, `[M][K]`, row-major.
    pub values: Vec<u16>,
    /// What converting them to FP16 did.
    pub conversion: Conversion,
}

pub(super) const SHAPE: &str = "[M, K] or [K], none of them 0";
pub(super) const SAVE_AS: &str = "save the activations of all tokens as one matrix";

/// Reads activations of shape `[M, K]`, or `[K]` of one token, from a `.npy` file (float16 or float32) or from a tensor of a
/// `.safetensors` file (F16, BF16 or F32). Without a name, the safetensors file must hold just one tensor.
///
/// # Errors
/// If the file is not readable or is not one of these, the type or shape is another, or there is not exactly one candidate.
pub fn read_activations(path: &Path, tensor: Option<&str>) -> Result<Activations> {
    match Format::of(path, tensor)? {
        Format::Npy => read_npy(path),
        Format::Safetensors => read_tensor(path, tensor),
    }
}

/// Formats of activations.
pub(super) enum Format {
    Npy,
    Safetensors,
}

impl Format {
    /// The format that the name of a file promises.
    ///
    /// # Errors
    /// If it is none of these, or a tensor is named that cannot have a name.
    pub fn of(path: &Path, tensor: Option<&str>) -> Result<Self> {
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("npy") if tensor.is_none() => Ok(Self::Npy),
            Some("npy") => Err(Error::File {
                path: path.to_owned(),
                problem: "a .npy file has no named tensors".into(),
                advice: "leave the name away".into(),
            }),
            Some("safetensors") => Ok(Self::Safetensors),
            _ => Err(Error::File {
                path: path.to_owned(),
                problem: "the name ends neither in .npy nor in .safetensors".into(),
                advice: "save the activations in one of these formats".into(),
            }),
        }
    }
}

/// Opens a `.npy` file and tells its shape.
pub(super) fn open_npy(path: &Path) -> Result<(NpyFile<impl Read + use<>>, Vec<usize>)> {
    let file = open(path).map_err(io_error(path, "open"))?;
    let damaged = |problem: String| Error::File {
        path: path.to_owned(),
        problem: format!("not a readable .npy file: {problem}"),
        advice: "save it again".into(),
    };
    let mut reader = BufReader::new(file);
    let header = npy_header(&mut reader).map_err(|source| damaged(source.to_string()))?;
    // The library would not notice that such a product overflows.
    if !is_possible_shape(&String::from_utf8_lossy(&header)) {
        return Err(damaged("its shape is larger than any memory".into()));
    }
    let npy = NpyFile::new(io::Cursor::new(header).chain(reader)).map_err(|source| damaged(source.to_string()))?;
    let shape: Option<Vec<usize>> = npy.shape().iter().map(|&length| usize::try_from(length).ok()).collect();
    match shape {
        Some(shape) => Ok((npy, shape)),
        None => Err(damaged("its shape is larger than any memory".into())),
    }
}

/// The start of a `.npy` file up to the end of its header, or what there is of it.
fn npy_header(reader: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut header = Vec::new();
    reader.take(12).read_to_end(&mut header)?;
    // Six bytes of magic and two of version; the length of the rest has two bytes in version 1 and four in later ones.
    let end = match *header {
        [_, _, _, _, _, _, 1, _, a, b, ..] => 10 + u64::from(u16::from_le_bytes([a, b])),
        [_, _, _, _, _, _, _, _, a, b, c, d] => 12 + u64::from(u32::from_le_bytes([a, b, c, d])),
        _ => 0,
    };
    reader.take(end.saturating_sub(header.len() as u64)).read_to_end(&mut header)?;
    Ok(header)
}

/// Whether every `shape` in the text of a header has a size that a number can hold, whatever its order and with none of
/// its lengths left out.
fn is_possible_shape(header: &str) -> bool {
    let is_possible = |rest: &str| {
        let rest = rest.trim_start_matches(['\'', '"']).trim_start();
        let Some(list) = rest.strip_prefix(':').map(|rest| rest.split([')', ']']).next().unwrap_or_default()) else {
            return true;
        };
        let lengths = list.split(|char: char| !char.is_ascii_digit()).filter(|digits| !digits.is_empty());
        let mut lengths = lengths.map(|digits| digits.parse::<usize>().ok());
        lengths.try_fold(1usize, |size, length| size.checked_mul(length?.max(1))).is_some()
    };
    header.split("shape").skip(1).all(is_possible)
}

/// The tensor of this name, or without a name the only one.
pub(super) fn pick_tensor<'a>(checkpoint: &'a Checkpoint, path: &Path, name: Option<&'a str>) -> Result<Tensor<'a>> {
    let names: Vec<&str> = checkpoint.names().collect();
    let list = || match names.len() {
        _ if let Some(near) = name.and_then(|name| nearest(name, names.iter().copied())) => {
            format!("did you mean `{near}`?")
        }
        0 => "it has none".into(),
        1..=8 => format!("it has {}", names.join(", ")),
        more => format!("it has {}, ... ({more} in all)", names[..8].join(", ")),
    };
    let error = |problem: String| Error::File { path: path.to_owned(), problem, advice: list() };
    let name = match (name, names.as_slice()) {
        (Some(name), _) => name,
        (None, [only]) => only,
        (None, _) => return Err(error("which tensor holds the activations must be said".into())),
    };
    checkpoint.tensor(name)?.ok_or_else(|| error(format!("no tensor `{name}`")))
}

fn read_npy(path: &Path) -> Result<Activations> {
    let error = |problem: String, advice: &str| Error::File { path: path.to_owned(), problem, advice: advice.into() };
    let damaged = |source: std::io::Error| error(format!("not a readable .npy file: {source}"), "save it again");
    let (npy, shape) = open_npy(path)?;
    let Some((tokens, inputs)) = tokens_and_inputs(&shape) else {
        return Err(error(format!("found shape {shape:?}, expected {SHAPE}"), SAVE_AS));
    };
    if npy.order() == Order::Fortran && tokens > 1 {
        return Err(error("the array is stored by columns".into(), "save it after numpy.ascontiguousarray"));
    }
    let (values, conversion) = match npy.dtype() {
        DType::Plain(plain) if plain.type_char() == TypeChar::Float && plain.size_field() == 2 => {
            let values: Vec<f16> = npy.into_vec().map_err(damaged)?;
            let values: Vec<u16> = values.into_iter().map(f16::to_bits).collect();
            let conversion = Conversion { stored: Dtype::F16, values: values.len(), changed: 0, overflowed: 0 };
            (values, conversion)
        }
        DType::Plain(plain) if plain.type_char() == TypeChar::Float && plain.size_field() == 4 => {
            convert::round_to_fp16(Dtype::F32, npy.into_vec::<f32>().map_err(damaged)?)
        }
        other => {
            let problem = format!("found type {}, expected float16 ('<f2') or float32 ('<f4')", other.descr());
            return Err(error(problem, "convert the array with astype(numpy.float16)"));
        }
    };
    Ok(Activations { tokens, inputs, values, conversion })
}

fn read_tensor(path: &Path, name: Option<&str>) -> Result<Activations> {
    let checkpoint = Checkpoint::open(path)?;
    let tensor = pick_tensor(&checkpoint, path, name)?;
    let Some((tokens, inputs)) = tokens_and_inputs(tensor.shape) else {
        return Err(tensor.error(format!("shape {:?}", tensor.shape), SHAPE, SAVE_AS));
    };
    let (values, conversion) = convert::to_fp16(tensor.dtype, tensor.data).ok_or_else(|| {
        let expected = format!("type {}", convert::CONVERTIBLE);
        tensor.error(format!("type {}", tensor.dtype), expected, "convert the tensor to F16")
    })?;
    Ok(Activations { tokens, inputs, values, conversion })
}

/// The `M` and `K` of a shape.
pub(super) fn tokens_and_inputs(shape: &[usize]) -> Option<(usize, usize)> {
    let (tokens, inputs) = match *shape {
        [inputs] => (1, inputs),
        [tokens, inputs] => (tokens, inputs),
        _ => return None,
    };
    (tokens > 0 && inputs > 0).then_some((tokens, inputs))
}
