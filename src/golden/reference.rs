//! The same layer in double precision, to tell how far the rounded results are from it. The only floating-point code of
//! the model.

use rayon::prelude::*;

use super::fp16::{Value, decode_fp16};
use super::gemv::VqLayer;

/// The value of an FP16 bit pattern, exact except for the payload of a NaN and the sign of a zero.
pub fn fp16_to_f64(bits: u16) -> f64 {
    match decode_fp16(bits) {
        Value::Finite { mantissa, .. } => mantissa as f64 / f64::from(1 << 24),
        Value::Infinity { negative: false } => f64::INFINITY,
        Value::Infinity { negative: true } => f64::NEG_INFINITY,
        Value::Nan => f64::NAN,
    }
}

/// `y[n] = scale[n] * sum over k of x[k]*w[n][k]` from the dequantised weights, in double precision and without any
/// rounding to FP16.
///
/// # Panics
/// If the lengths of the slices do not agree, or a code is not below `entries`.
pub fn reference_f64(x: &[u16], layer: &VqLayer) -> Vec<f64> {
    let vectors = layer.vectors(x.len());
    let x: Vec<f64> = x.iter().map(|&bits| fp16_to_f64(bits)).collect();
    let centroids: Vec<f64> = layer.centroids.iter().map(|&bits| fp16_to_f64(bits)).collect();
    (0..layer.outputs())
        .into_par_iter()
        .map_init(
            || vec![0.0; layer.dim],
            |weights, n| {
                let codes = &layer.codes[n * vectors * layer.codebooks..][..vectors * layer.codebooks];
                let mut sum = 0.0;
                for (x, codes) in x.chunks_exact(layer.dim).zip(codes.chunks_exact(layer.codebooks)) {
                    weights.fill(0.0);
                    for (c, &code) in codes.iter().enumerate() {
                        let entry = &centroids[(c * layer.entries + usize::from(code)) * layer.dim..][..layer.dim];
                        weights.iter_mut().zip(entry).for_each(|(w, e)| *w += e);
                    }
                    sum += x.iter().zip(&*weights).map(|(x, w)| x * w).sum::<f64>();
                }
                layer.scales.value_f64(n) * sum
            },
        )
        .collect()
}
