//! Layers with a codebook for each group.

use eva_rtl::golden::{
    GroupedVqLayer, Scales, VqLayer, accumulate, fp16_to_f64, grouped_accumulate, grouped_reference_f64,
    grouped_vq_gemv, reference_f64, scale, vq_gemv,
};
use half::f16;
use proptest::prelude::*;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn h(value: f32) -> u16 {
    f16::from_f32(value).to_bits()
}

/// Any finite value of moderate size.
fn value(rng: &mut impl Rng) -> u16 {
    rng.random_range(0..0x5400) | rng.random::<u16>() & 0x8000
}

struct Parts {
    dim: usize,
    entries: usize,
    group_inputs: usize,
    group_outputs: usize,
    centroids: Vec<u16>,
    codes: Vec<u16>,
    scales: Vec<u16>,
    x: Vec<u16>,
}

impl Parts {
    fn random(
        dim: usize,
        entries: usize,
        group_vectors: usize,
        group_outputs: usize,
        groups: [usize; 2],
        seed: u64,
    ) -> Self {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let [rows, columns] = groups;
        let mut values = |count| (0..count).map(|_| value(rng)).collect::<Vec<u16>>();
        let centroids = values(rows * columns * entries * dim);
        let (x, scales) = (values(columns * group_vectors * dim), values(rows * group_outputs));
        let codes = (0..rows * group_outputs * columns * group_vectors).map(|_| rng.random_range(0..entries) as u16);
        Self {
            dim,
            entries,
            group_inputs: group_vectors * dim,
            group_outputs,
            centroids,
            codes: codes.collect(),
            scales,
            x,
        }
    }

    fn layer(&self) -> GroupedVqLayer<'_> {
        GroupedVqLayer {
            dim: self.dim,
            entries: self.entries,
            group_inputs: self.group_inputs,
            group_outputs: self.group_outputs,
            centroids: &self.centroids,
            codes: &self.codes,
            scales: Scales::F16(&self.scales),
        }
    }
}

#[test]
fn each_group_has_its_codebook() {
    // Two groups of inputs, two of outputs; entries are 1 and 2, 10 and 20, 100 and 200, 1000 and 2000.
    let parts = Parts {
        dim: 1,
        entries: 2,
        group_inputs: 1,
        group_outputs: 2,
        centroids: [1.0, 2.0, 10.0, 20.0, 100.0, 200.0, 1000.0, 2000.0].map(h).to_vec(),
        codes: vec![0, 0, 1, 0, 0, 1, 1, 1],
        scales: [1.0, 1.0, 1.0, 0.5].map(h).to_vec(),
        x: [1.0, -1.0].map(h).to_vec(),
    };
    assert_eq!(grouped_vq_gemv(&parts.x, &parts.layer()), [-9.0, -8.0, -1900.0, -900.0].map(h));
    assert_eq!(grouped_reference_f64(&parts.x, &parts.layer()), [-9.0, -8.0, -1900.0, -900.0]);
}

/// The sum over the groups is rounded once: 2048 and two halves make 2049, which is a tie, and a little more decides it.
#[test]
fn groups_are_added_before_any_rounding() {
    let tiny = f16::from_bits(1).to_f32();
    let parts = Parts {
        dim: 1,
        entries: 1,
        group_inputs: 1,
        group_outputs: 1,
        centroids: [2048.0, 0.5, 0.5, tiny].map(h).to_vec(),
        codes: vec![0; 4],
        scales: vec![h(1.0)],
        x: [1.0; 4].map(h).to_vec(),
    };
    assert_eq!(grouped_vq_gemv(&parts.x, &parts.layer()), [h(2050.0)]);
}

#[test]
#[should_panic(expected = "a code is not below the number of entries")]
fn codes_beyond_the_codebook_are_a_mistake() {
    let mut parts = Parts::random(2, 4, 2, 2, [1, 2], 1);
    parts.codes[3] = 4;
    grouped_vq_gemv(&parts.x, &parts.layer());
}

proptest! {
    /// With one group it is the layer of one codebook.
    #[test]
    fn one_group_is_an_additive_layer(dim in 1usize..5, entries in 1usize..9, vectors in 1usize..9, outputs in 1usize..9, seed: u64) {
        let parts = Parts::random(dim, entries, vectors, outputs, [1, 1], seed);
        let scales = Scales::F16(&parts.scales);
        let plain = VqLayer { dim, entries, codebooks: 1, centroids: &parts.centroids, codes: &parts.codes, scales };
        prop_assert_eq!(grouped_vq_gemv(&parts.x, &parts.layer()), vq_gemv(&parts.x, &plain));
        prop_assert_eq!(grouped_accumulate(&parts.x, &parts.layer()), accumulate(&parts.x, &plain));
        let pairs = grouped_reference_f64(&parts.x, &parts.layer()).into_iter().zip(reference_f64(&parts.x, &plain));
        for (grouped, plain) in pairs {
            prop_assert!((grouped - plain).abs() <= 1e-9 * (1.0 + plain.abs()));
        }
    }

    /// The sums of the groups, each a layer of its own, added exactly.
    #[test]
    fn groups_add_up(
        dim in 1usize..4, entries in 1usize..9, vectors in 1usize..5, outputs in 1usize..5,
        groups in [1usize..4, 1usize..4], seed: u64,
    ) {
        let parts = Parts::random(dim, entries, vectors, outputs, groups, seed);
        let [rows, columns] = groups;
        let mut expected = Vec::new();
        for row in 0..rows {
            let scales = &parts.scales[row * outputs..][..outputs];
            let sums = (0..columns).map(|column| {
                let centroids = &parts.centroids[(row * columns + column) * entries * dim..][..entries * dim];
                let of_output = |n: usize| &parts.codes[(row * outputs + n) * columns * vectors + column * vectors..][..vectors];
                let codes: Vec<u16> = (0..outputs).flat_map(of_output).copied().collect();
                let layer = VqLayer { dim, entries, codebooks: 1, centroids, codes: &codes, scales: Scales::F16(scales) };
                accumulate(&parts.x[column * vectors * dim..][..vectors * dim], &layer)
            });
            let sums = sums.reduce(|a, b| a.into_iter().zip(b).map(|(a, b)| a + b).collect()).unwrap();
            expected.extend(sums.iter().enumerate().map(|(n, sum)| scale(sum, Scales::F16(scales).value(n))));
        }
        prop_assert_eq!(grouped_vq_gemv(&parts.x, &parts.layer()), expected);
    }

    /// Each of the two roundings is at most half a unit in the last place of the term, of the sum.
    #[test]
    fn results_are_close_to_double_precision(vectors in 1usize..9, columns in 1usize..4, seed: u64) {
        let parts = Parts::random(2, 8, vectors, 3, [2, columns], seed);
        let layer = parts.layer();
        let exact = grouped_reference_f64(&parts.x, &layer);
        for (n, (y, exact)) in grouped_vq_gemv(&parts.x, &layer).into_iter().zip(exact).enumerate() {
            let y = fp16_to_f64(y);
            prop_assume!(y.is_finite() && exact.is_finite());
            // The largest possible sum of absolute values.
            let x: f64 = parts.x.iter().map(|&bits| fp16_to_f64(bits).abs()).sum();
            let largest = parts.centroids.iter().map(|&bits| fp16_to_f64(bits).abs()).fold(0.0, f64::max);
            let bound = x * largest * fp16_to_f64(parts.scales[n]).abs() / 1024.0 + 1e-3;
            prop_assert!((y - exact).abs() <= bound, "{} {}", y, exact);
        }
    }
}
