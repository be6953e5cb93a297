//! Vector-quantised GEMV.

use rayon::prelude::*;

use super::fp16::{Value, decode_fp16, decode_fp32};
use super::reference::fp16_to_f64;
use super::sum::ExactSum;

/// `S[n]`: exact sum of output-codebook entries, in units of 2^-24. An entry of -0 counts as 0.
pub type Accumulator = ExactSum<-24>;

/// Scales of the outputs, as bit patterns.
#[derive(Clone, Copy, Debug)]
pub enum Scales<'a> {
    /// IEEE 754 binary16.
    F16(&'a [u16]),
    /// IEEE 754 binary32.
    F32(&'a [u32]),
}

impl Scales<'_> {
    /// Number of outputs.
    pub fn len(&self) -> usize {
        match self {
            Scales::F16(values) => values.len(),
            Scales::F32(values) => values.len(),
        }
    }

    /// Whether there is no output.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The exact value of the scale of output `n`.
    #[inline]
    pub fn value(&self, n: usize) -> Value {
        match self {
            Scales::F16(values) => decode_fp16(values[n]),
            Scales::F32(values) => decode_fp32(values[n]),
        }
    }

    /// The scale of output `n` in double precision.
    pub(super) fn value_f64(&self, n: usize) -> f64 {
        match self {
            Scales::F16(values) => fp16_to_f64(values[n]),
            Scales::F32(values) => f64::from(f32::from_bits(values[n])),
        }
    }
}

/// A vector-quantised layer of `N` outputs. With `V` vectors of `dim` inputs, `C` codebooks and `entries` entries in
/// each, the weights of output `n` and vector `v` are `scales[n] * sum over c of centroids[c][codes[n][v][c]]`.
#[derive(Clone, Copy, Debug)]
pub struct VqLayer<'a> {
    /// `d`: inputs per vector.
    pub dim: usize,
    /// Entries per codebook; any number.
    pub entries: usize,
    /// `C`: additive codebooks.
    pub codebooks: usize,
    /// FP16 `[C][entries][dim]`, row-major.
    pub centroids: &'a [u16],
    /// `[N][V][C]`, row-major, each below `entries`.
    pub codes: &'a [u16],
    /// `[N]`.
    pub scales: Scales<'a>,
}

impl VqLayer<'_> {
    /// `N`.
    pub fn outputs(&self) -> usize {
        self.scales.len()
    }

    /// Checks that the slices agree with each other and with `inputs` activations, and returns `V`.
    pub(super) fn vectors(&self, inputs: usize) -> usize {
        assert!(
            self.dim > 0 && self.entries > 0 && self.codebooks > 0,
            "dim, entries and codebooks must be at least 1"
        );
        assert_eq!(inputs % self.dim, 0, "{inputs} activations are no whole number of vectors of {}", self.dim);
        let vectors = inputs / self.dim;
        assert_eq!(
            self.centroids.len(),
            self.codebooks * self.entries * self.dim,
            "codebook values: [codebooks][entries][dim] expected"
        );
        assert_eq!(
            self.codes.len(),
            self.outputs() * vectors * self.codebooks,
            "codes: [outputs][vectors][codebooks] expected"
        );
        assert!(
            self.codes.iter().all(|&code| usize::from(code) < self.entries),
            "a code is not below the number of entries"
        );
        vectors
    }
}

/// One output-codebook entry: the exact dot product of FP16 vectors `x` and `w`, rounded once to FP16.
///
/// # Panics
/// If the lengths differ.
#[inline]
pub fn dot(x: &[u16], w: &[u16]) -> u16 {
    assert_eq!(x.len(), w.len(), "vectors of one length expected");
    // A product of two multiples of 2^-24 is a multiple of 2^-48.
    let products = x.iter().zip(w).map(|(&x, &w)| decode_fp16(x).product(decode_fp16(w)));
    products.collect::<ExactSum<-48>>().value().to_fp16()
}

/// The output codebook `OC[v][c][e]` of activations `x` (FP16, `V*dim` of them), row-major: [`dot`] of vector `v` and
/// entry `e` of codebook `c`.
///
/// # Panics
/// If the lengths of the slices do not agree.
pub fn output_codebook(x: &[u16], layer: &VqLayer) -> Vec<u16> {
    layer.vectors(x.len());
    x.par_chunks_exact(layer.dim)
        .flat_map_iter(|vector| layer.centroids.chunks_exact(layer.dim).map(move |entry| dot(vector, entry)))
        .collect()
}

/// The exact sums `S[n]`, before scaling, for activations `x` (FP16, `V*dim` of them).
///
/// # Panics
/// If the lengths of the slices do not agree, or a code is not below `entries`.
pub fn accumulate(x: &[u16], layer: &VqLayer) -> Vec<Accumulator> {
    let vectors = layer.vectors(x.len());
    let oc = output_codebook(x, layer);
    (0..layer.outputs())
        .into_par_iter()
        .map(|n| {
            let codes = &layer.codes[n * vectors * layer.codebooks..][..vectors * layer.codebooks];
            // Rows of `oc` and codes run over (v, c) in the same order.
            let rows = oc.chunks_exact(layer.entries);
            codes.iter().zip(rows).map(|(&code, row)| decode_fp16(row[usize::from(code)])).collect()
        })
        .collect()
}

/// Scales a sum: the exact product, rounded once to FP16.
#[inline]
pub fn scale(sum: &Accumulator, scale: Value) -> u16 {
    sum.value().product(scale).to_fp16()
}

/// The outputs `y[n]` (FP16) for activations `x` (FP16, `V*dim` of them).
///
/// # Panics
/// If the lengths of the slices do not agree, or a code is not below `entries`.
pub fn vq_gemv(x: &[u16], layer: &VqLayer) -> Vec<u16> {
    let sums = accumulate(x, layer);
    sums.iter().enumerate().map(|(n, sum)| scale(sum, layer.scales.value(n))).collect()
}
