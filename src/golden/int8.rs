//! INT8 matrix product.

use rayon::prelude::*;

use super::fp16::{Value, decode_fp32};

/// Most inputs of an output: `65536 * 2^14` and every sum on the way to it fit an `i32`.
pub const INT8_MAX_INPUTS: usize = 1 << 16;

/// The exact sums `acc[n][m] = sum over k of weights[n][k] * x[m][k]`, row-major, of `weights` `[N][K]` and `x` `[M][K]`
/// with `K` = `inputs`.
///
/// # Panics
/// If `inputs` is not in `1..=`[`INT8_MAX_INPUTS`], or a slice is no whole number of rows.
pub fn int8_sums(x: &[i8], weights: &[i8], inputs: usize) -> Vec<i32> {
    assert!((1..=INT8_MAX_INPUTS).contains(&inputs), "1 to {INT8_MAX_INPUTS} inputs expected");
    assert!(x.len().is_multiple_of(inputs), "activations: [M][{inputs}] expected");
    assert!(weights.len().is_multiple_of(inputs), "weights: [N][{inputs}] expected");
    weights
        .par_chunks_exact(inputs)
        .flat_map_iter(|weights| x.chunks_exact(inputs).map(move |x| int8_dot(x, weights)))
        .collect()
}

/// The exact dot product of vectors of one length.
fn int8_dot(x: &[i8], weights: &[i8]) -> i32 {
    x.iter().zip(weights).map(|(&x, &w)| i32::from(x) * i32::from(w)).sum()
}

/// Scales a sum: the exact product with an FP32 scale (its bit pattern), rounded once to FP16.
#[inline]
pub fn int8_scale(sum: i32, scale: u32) -> u16 {
    Value::Finite { mantissa: sum.into(), exponent: 0 }.product(decode_fp32(scale)).to_fp16()
}

/// The outputs `y[n][m]` (FP16), row-major, of [`int8_sums`] and `scales` `[N]`, FP32 bit patterns.
///
/// # Panics
/// As [`int8_sums`], and if there is not one scale for each row of weights.
pub fn int8_gemm(x: &[i8], weights: &[i8], inputs: usize, scales: &[u32]) -> Vec<u16> {
    let sums = int8_sums(x, weights, inputs);
    per_output(&sums, x.len() / inputs, scales, int8_scale)
}

/// The outputs of [`int8_gemm`] in double precision, from the sums that [`int8_sums`] gives for `tokens` tokens.
///
/// # Panics
/// If there is not one scale for each row of sums.
pub fn int8_reference_f64(sums: &[i32], tokens: usize, scales: &[u32]) -> Vec<f64> {
    let product = |sum, scale| f64::from(sum) * f64::from(f32::from_bits(scale));
    per_output(sums, tokens, scales, product)
}

/// `f(sum, scale)` of every sum in `[N][tokens]` with the scale of its output.
fn per_output<T: Send>(sums: &[i32], tokens: usize, scales: &[u32], f: impl Fn(i32, u32) -> T + Sync) -> Vec<T> {
    assert_eq!(sums.len(), tokens * scales.len(), "a scale for each row of {tokens} sums expected");
    // Without tokens there is no row to be taken.
    let rows = sums.par_chunks_exact(tokens.max(1)).zip(scales);
    rows.flat_map_iter(|(sums, &scale)| sums.iter().map(|&sum| f(sum, scale)).collect::<Vec<_>>()).collect()
}
