//! Vector-quantised GEMV with a codebook for each group of inputs and outputs.

use rayon::prelude::*;

use super::fp16::decode_fp16;
use super::gemv::{Accumulator, Scales, dot, scale};
use super::reference::fp16_to_f64;

/// A layer of `N` outputs and `V` vectors of `dim` inputs, in groups of `group_outputs` outputs and `group_inputs` inputs. The weights of
/// output `n` and vector `v` are `scales[n] * centroids[n / gn][v / (gk/d)][codes[n][v]]`.
#[derive(Clone, Copy, Debug)]
pub struct GroupedVqLayer<'a> {
    /// `d`: inputs per vector.
    pub dim: usize,
    /// Entries per codebook; any number.
    pub entries: usize,
    /// `gk`: a multiple of `dim` that divides the inputs.
    pub group_inputs: usize,
    /// `gn`: it divides the outputs.
    pub group_outputs: usize,
    /// FP16 `[N/gn][K/gk][entries][dim]`, row-major.
    pub centroids: &'a [u16],
    /// `[N][V]`, row-major, each below `entries`.
    pub codes: &'a [u16],
    /// `[N]`.
    pub scales: Scales<'a>,
}

impl<'a> GroupedVqLayer<'a> {
    /// Checks that the slices agree with each other and with `inputs` activations.
    fn check(&self, inputs: usize) {
        let Self { dim, entries, group_inputs, group_outputs, .. } = *self;
        assert!(dim > 0 && entries > 0 && group_inputs > 0 && group_outputs > 0, "sizes must be at least 1");
        assert!(
            group_inputs.is_multiple_of(dim) && inputs.is_multiple_of(group_inputs),
            "groups of whole vectors that divide the inputs"
        );
        let outputs = self.scales.len();
        assert_eq!(outputs % group_outputs, 0, "groups that divide the outputs");
        let groups = outputs / group_outputs * (inputs / group_inputs);
        assert_eq!(
            self.centroids.len(),
            groups * entries * dim,
            "codebook values: [N/gn][K/gk][entries][dim] expected"
        );
        assert_eq!(self.codes.len(), outputs * (inputs / dim), "codes: [outputs][vectors] expected");
    }

    /// The codebook entry of output `n` and vector `v` of `vectors`.
    fn entry(&self, n: usize, v: usize, vectors: usize) -> &'a [u16] {
        let vectors_per_group = self.group_inputs / self.dim;
        let group = n / self.group_outputs * (vectors / vectors_per_group) + v / vectors_per_group;
        let code = usize::from(self.codes[n * vectors + v]);
        assert!(code < self.entries, "a code is not below the number of entries");
        &self.centroids[(group * self.entries + code) * self.dim..][..self.dim]
    }
}

/// The exact sums `S[n]`, before scaling, of FP16 dot products over all groups, for activations `x` (FP16).
///
/// # Panics
/// If the lengths of the slices do not agree, or a code is not below `entries`.
pub fn grouped_accumulate(x: &[u16], layer: &GroupedVqLayer) -> Vec<Accumulator> {
    layer.check(x.len());
    let vectors = x.len() / layer.dim;
    let terms = |n: usize| {
        let x = x.chunks_exact(layer.dim).enumerate();
        x.map(move |(v, x)| decode_fp16(dot(x, layer.entry(n, v, vectors))))
    };
    (0..layer.scales.len()).into_par_iter().map(|n| terms(n).collect()).collect()
}

/// The outputs `y[n]` (FP16) for activations `x` (FP16).
///
/// # Panics
/// If the lengths of the slices do not agree, or a code is not below `entries`.
pub fn grouped_vq_gemv(x: &[u16], layer: &GroupedVqLayer) -> Vec<u16> {
    let sums = grouped_accumulate(x, layer);
    sums.iter().enumerate().map(|(n, sum)| scale(sum, layer.scales.value(n))).collect()
}

/// `y[n] = scale[n] * sum over k of x[k]*w[n][k]` in double precision, without any rounding to FP16.
///
/// # Panics
/// If the lengths of the slices do not agree, or a code is not below `entries`.
pub fn grouped_reference_f64(x: &[u16], layer: &GroupedVqLayer) -> Vec<f64> {
    layer.check(x.len());
    let vectors = x.len() / layer.dim;
    let product = |(x, w): (&u16, &u16)| fp16_to_f64(*x) * fp16_to_f64(*w);
    let output = |n: usize| {
        let x = x.chunks_exact(layer.dim).enumerate();
        let sum: f64 = x.flat_map(|(v, x)| x.iter().zip(layer.entry(n, v, vectors))).map(product).sum();
        layer.scales.value_f64(n) * sum
    };
    (0..layer.scales.len()).into_par_iter().map(output).collect()
}
