//! From stored numbers to FP16.

use std::fmt;

use half::{bf16, f16};
use safetensors::Dtype;

/// What converting an array to FP16 did to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conversion {
    /// Type the values were stored in.
    pub stored: Dtype,
    /// Number of values.
    pub values: usize,
    /// How many of them FP16 cannot hold, and were rounded to nearest, ties to even.
    pub changed: usize,
    /// How many of these were finite and too large, and became infinite.
    pub overflowed: usize,
}

impl fmt::Display for Conversion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { stored, values, changed, overflowed } = self;
        if *stored == Dtype::F16 {
            return write!(f, "{values} F16 values");
        }
        write!(f, "{values} {stored} values converted to F16, {changed} of them rounded")?;
        if *overflowed > 0 {
            write!(f, ", {overflowed} of these to infinity")?;
        }
        Ok(())
    }
}

/// The types that [`to_fp16`] reads, for messages.
pub(super) const CONVERTIBLE: &str = "F16, BF16 or F32";

/// FP16 bit patterns of the little-endian values in `data`, or `None` if `stored` is not one of [`CONVERTIBLE`].
pub(super) fn to_fp16(stored: Dtype, data: &[u8]) -> Option<(Vec<u16>, Conversion)> {
    if stored == Dtype::F16 {
        let values = u16s(data);
        let conversion = Conversion { stored, values: values.len(), changed: 0, overflowed: 0 };
        return Some((values, conversion));
    }
    Some(round_to_fp16(stored, to_f32(stored, data)?))
}

/// FP16 bit patterns of the nearest values; `stored` only labels the conversion.
pub(super) fn round_to_fp16(stored: Dtype, values: impl IntoIterator<Item = f32>) -> (Vec<u16>, Conversion) {
    let (mut changed, mut overflowed) = (0, 0);
    let values: Vec<u16> = values
        .into_iter()
        .map(|value| {
            let rounded = f16::from_f32(value);
            changed += usize::from(rounded.to_f32() != value && !value.is_nan());
            overflowed += usize::from(rounded.is_infinite() && value.is_finite());
            rounded.to_bits()
        })
        .collect();
    let conversion = Conversion { stored, values: values.len(), changed, overflowed };
    (values, conversion)
}

/// The little-endian BF16 or F32 values in `data`, exactly; `None` for other types.
pub(super) fn to_f32(stored: Dtype, data: &[u8]) -> Option<Vec<f32>> {
    match stored {
        Dtype::BF16 => Some(u16s(data).into_iter().map(|bits| bf16::from_bits(bits).to_f32()).collect()),
        Dtype::F32 => Some(data.as_chunks().0.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect()),
        _ => None,
    }
}

/// The little-endian values in `data`, exactly; `None` if `stored` is not one of [`CONVERTIBLE`].
pub(super) fn widen_to_f32(stored: Dtype, data: &[u8]) -> Option<Vec<f32>> {
    match stored {
        Dtype::F16 => Some(u16s(data).into_iter().map(|bits| f16::from_bits(bits).to_f32()).collect()),
        other => to_f32(other, data),
    }
}

/// The little-endian 16-bit words in `data`.
pub(super) fn u16s(data: &[u8]) -> Vec<u16> {
    data.as_chunks().0.iter().map(|&bytes| u16::from_le_bytes(bytes)).collect()
}
