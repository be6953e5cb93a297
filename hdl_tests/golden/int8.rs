//! INT8 products and their scaling.

use eva_rtl::golden::{FP16_NAN, INT8_MAX_INPUTS, int8_gemm, int8_reference_f64, int8_scale, int8_sums};
use half::f16;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::nearest_fp16;

fn bits(scale: f32) -> u32 {
    scale.to_bits()
}

#[test]
fn sums_by_hand() {
    // Outputs first, then tokens.
    let weights = [1, 2, 3, -128, 127, 0];
    let x = [1, 0, 0, 4, 5, 6, -128, -128, -128];
    assert_eq!(int8_sums(&x, &weights, 3), [1, 32, -6 * 128, -128, 4 * -128 + 5 * 127, 128]);
    assert_eq!(int8_sums(&[], &weights, 3), [0; 0]);
    assert_eq!(int8_sums(&x, &[], 3), [0; 0]);
}

#[test]
fn the_largest_sums_are_exact() {
    let inputs = INT8_MAX_INPUTS;
    for (x, w) in [(-128i8, -128i8), (-128, 127), (127, 127)] {
        let sum = int8_sums(&vec![x; inputs], &vec![w; inputs], inputs);
        assert_eq!(i64::from(sum[0]), i64::from(x) * i64::from(w) * inputs as i64);
    }
}

/// All pairs of operands.
#[test]
fn every_product_of_two_numbers() {
    let all: Vec<i8> = (i8::MIN..=i8::MAX).collect();
    let sums = int8_sums(&all, &all, 1);
    for (i, &w) in all.iter().enumerate() {
        for (j, &x) in all.iter().enumerate() {
            assert_eq!(sums[i * 256 + j], i32::from(w) * i32::from(x));
        }
    }
}

#[test]
fn scaling_table() {
    const INF: u16 = 0x7C00;
    const NEG_INF: u16 = 0xFC00;
    let one = f16::ONE.to_bits();
    let cases: &[(i32, f32, u16)] = &[
        (1, 1.0, one),
        (-1, 1.0, one | 0x8000),
        (-1, -1.0, one),
        (1 << 30, 2f32.powi(-30), one),
        (-(1 << 30), 2f32.powi(-30), one | 0x8000),
        (65519, 1.0, 0x7BFF),
        (65520, 1.0, INF),
        (-65520, 1.0, NEG_INF),
        // Ties: to even, below and above.
        (2049, 1.0, 0x6800),
        (2051, 1.0, 0x6802),
        (4097, 0.5, 0x6800),
        // Half of the smallest subnormal, and a bit more; the sign survives.
        (1, 2f32.powi(-25), 0),
        (-1, 2f32.powi(-25), 0x8000),
        (3, 2f32.powi(-26), 1),
        (1 << 30, 2f32.powi(-126), 0),
        // 2^30 times the largest FP32 subnormal is far below FP16.
        (1 << 30, f32::from_bits(0x7F_FFFF), 0),
        (-(1 << 30), f32::from_bits(1), 0x8000),
        (1, f32::MAX, INF),
        (-1, f32::MAX, NEG_INF),
        (1, f32::INFINITY, INF),
        (-1, f32::INFINITY, NEG_INF),
        (-1, f32::NEG_INFINITY, INF),
        (1, f32::NAN, FP16_NAN),
        (0, f32::NAN, FP16_NAN),
        (0, f32::INFINITY, FP16_NAN),
        (0, f32::NEG_INFINITY, FP16_NAN),
        // An exact zero is +0, whatever the signs.
        (0, -1.0, 0),
        (0, 0.0, 0),
        (0, -0.0, 0),
        (-5, 0.0, 0),
        (5, -0.0, 0),
    ];
    for &(sum, scale, expected) in cases {
        assert_eq!(int8_scale(sum, bits(scale)), expected, "{sum} * {scale:e}");
    }
}

proptest! {
    /// The sum of at most 31 bits times 24 bits is rounded once: a product of two `f64` may round before, so that the
    /// scale is taken apart to make it exact.
    #[test]
    fn scaling_rounds_the_exact_product(sum in -(1i32 << 30)..=1 << 30, shift in 0u32..30, scale: u32) {
        let (sum, scale) = (sum >> shift, f32::from_bits(scale));
        let got = int8_scale(sum, scale.to_bits());
        if scale.is_finite() {
            // With 22 bits of the significand the product has at most 53 bits.
            let short = f32::from_bits(scale.to_bits() & !3);
            let exact = f64::from(sum) * f64::from(short);
            prop_assert_eq!(int8_scale(sum, short.to_bits()), if exact == 0.0 { 0 } else { nearest_fp16(exact) });
            // And with all 24 bits for sums of up to 29.
            let sum = sum >> 2;
            let exact = f64::from(sum) * f64::from(scale);
            prop_assert_eq!(int8_scale(sum, scale.to_bits()), if exact == 0.0 { 0 } else { nearest_fp16(exact) });
        } else if scale.is_nan() || sum == 0 {
            prop_assert_eq!(got, FP16_NAN);
        } else {
            prop_assert_eq!(got, f16::from_f64(f64::from(sum) * f64::from(scale)).to_bits());
        }
    }

    #[test]
    fn products_are_those_of_plain_loops(inputs in 1usize..40, outputs in 0usize..6, tokens in 0usize..6, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let weights: Vec<i8> = (0..inputs * outputs).map(|_| rng.random()).collect();
        let x: Vec<i8> = (0..inputs * tokens).map(|_| rng.random()).collect();
        let scales: Vec<u32> = (0..outputs).map(|_| rng.random_range(0x3000_0000..0x4100_0000)).collect();
        let sums = int8_sums(&x, &weights, inputs);
        let scaled = int8_gemm(&x, &weights, inputs, &scales);
        let reference = int8_reference_f64(&sums, tokens, &scales);
        prop_assert_eq!((sums.len(), scaled.len(), reference.len()), (outputs * tokens, outputs * tokens, outputs * tokens));
        for n in 0..outputs {
            for m in 0..tokens {
                let sum: i64 = (0..inputs).map(|k| i64::from(weights[n * inputs + k]) * i64::from(x[m * inputs + k])).sum();
                let at = n * tokens + m;
                prop_assert_eq!(i64::from(sums[at]), sum);
                prop_assert_eq!(scaled[at], int8_scale(sum as i32, scales[n]));
                prop_assert_eq!(reference[at], sum as f64 * f64::from(f32::from_bits(scales[n])));
            }
        }
    }
}
