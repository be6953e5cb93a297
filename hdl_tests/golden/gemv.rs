//! Dot products, exact sums, scaling and whole layers.

use eva_rtl::golden::{
    Accumulator, FP16_NAN, Scales, Value, VqLayer, accumulate, decode_fp16, decode_fp32, dot, fp16_to_f64,
    output_codebook, reference_f64, scale, vq_gemv,
};
use half::f16;
use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::nearest_fp16;

const INF: u16 = 0x7C00;
const NEG_INF: u16 = 0xFC00;
const NEG_ZERO: u16 = 0x8000;

fn h(value: f32) -> u16 {
    let bits = f16::from_f32(value);
    assert_eq!(bits.to_f32(), value, "test value must be an FP16 value");
    bits.to_bits()
}

fn hs(values: &[f32]) -> Vec<u16> {
    values.iter().map(|&value| h(value)).collect()
}

fn sum(terms: &[u16]) -> Accumulator {
    terms.iter().map(|&bits| decode_fp16(bits)).collect()
}

#[test]
fn dot_of_hand_made_vectors() {
    let tiny = 2f32.powi(-24);
    let cases: [(&[f32], &[f32], f32); 8] = [
        (&[1.0, 2.0, 3.0, 4.0], &[5.0, 6.0, 7.0, 8.0], 70.0),
        (&[0.5, -0.25], &[0.125, 4.0], -0.9375),
        // 2^32 and more cancels, 2^-20 remains: nothing may be lost in between.
        (&[65504.0, 2f32.powi(-10), 65504.0], &[65504.0, 2f32.powi(-10), -65504.0], 2f32.powi(-20)),
        // 2048 + 1 is a tie, one more subnormal product decides it.
        (&[2048.0, 1.0], &[1.0, 1.0], 2048.0),
        (&[2048.0, 1.0, tiny], &[1.0, 1.0, tiny], 2050.0),
        (&[2048.0, 1.0, tiny], &[1.0, 1.0, -tiny], 2048.0),
        (&[2050.0, 1.0], &[1.0, 1.0], 2052.0),
        (&[tiny, tiny], &[1.0, 2.0], 3.0 * 2f32.powi(-24)),
    ];
    for (x, w, expected) in cases {
        assert_eq!(dot(&hs(x), &hs(w)), h(expected), "{x:?} . {w:?}");
    }
    assert_eq!(dot(&[], &[]), 0);
}

/// The example of docs/numerics.md.
#[test]
fn both_roundings_in_one_layer() {
    let page = include_str!("../../docs/numerics.md");
    let centroids = hs(&[1.0, 1.0, 1.0, 0.0]);
    let scales = hs(&[1.5]);
    let (dim, entries, codebooks) = (2, 2, 1);
    let scales = Scales::F16(&scales);
    let layer = VqLayer { dim, entries, codebooks, centroids: &centroids, codes: &[0, 1, 1], scales };
    let x = hs(&[2048.0, 1.0, 1.0, 0.0, 1.0, 0.0]);
    assert_eq!(output_codebook(&x, &layer)[..2], hs(&[2048.0, 2048.0]));
    assert_eq!(accumulate(&x, &layer)[0].finite, 2050 << 24);
    assert_eq!(vq_gemv(&x, &layer), hs(&[3076.0]));
    assert!(page.contains("`S = 2048 + 1 + 1 = 2050`") && page.contains("`y = 3076`"));
}

#[test]
fn dot_overflows_to_infinity_only_at_the_end() {
    let big = hs(&[65504.0, 65504.0]);
    assert_eq!(dot(&big, &hs(&[1.0, 1.0])), INF);
    assert_eq!(dot(&big, &hs(&[-1.0, -1.0])), NEG_INF);
    assert_eq!(dot(&hs(&[65504.0, 65504.0, 65504.0]), &hs(&[1.0, 1.0, -1.0])), h(65504.0));
}

#[test]
fn dot_zeros_are_positive_and_underflow_keeps_the_sign() {
    let tiny = 2f32.powi(-24);
    assert_eq!(dot(&[NEG_ZERO], &[h(1.0)]), 0);
    assert_eq!(dot(&hs(&[1.0, 1.0]), &hs(&[1.0, -1.0])), 0);
    assert_eq!(dot(&hs(&[tiny]), &hs(&[-tiny])), NEG_ZERO);
    assert_eq!(dot(&hs(&[tiny]), &hs(&[-0.5])), NEG_ZERO);
}

#[test]
fn dot_of_infinities_and_nans() {
    let one = h(1.0);
    let cases: &[(&[u16], &[u16], u16)] = &[
        (&[INF], &[one], INF),
        (&[INF], &[h(-1.0)], NEG_INF),
        (&[NEG_INF], &[h(-1.0)], INF),
        (&[INF], &[INF], INF),
        (&[INF], &[NEG_INF], NEG_INF),
        (&[INF], &[0], FP16_NAN),
        (&[NEG_INF], &[NEG_ZERO], FP16_NAN),
        (&[0], &[INF], FP16_NAN),
        (&[INF], &[0x0001], INF),
        (&[INF, one], &[one, h(-60000.0)], INF),
        (&[INF, INF], &[one, one], INF),
        (&[INF, NEG_INF], &[one, one], FP16_NAN),
        (&[INF, INF], &[one, h(-1.0)], FP16_NAN),
        (&[0x7E00, one], &[one, one], FP16_NAN),
        (&[one, one], &[0xFC01, one], FP16_NAN),
        (&[0x7FFF], &[0], FP16_NAN),
        (&[0xFFFF, INF], &[INF, one], FP16_NAN),
    ];
    for &(x, w, expected) in cases {
        assert_eq!(dot(x, w), expected, "{x:04x?} . {w:04x?}");
        assert_eq!(dot(w, x), expected, "{w:04x?} . {x:04x?}");
    }
}

#[test]
fn sums_of_infinities_and_nans() {
    let one = h(1.0);
    assert_eq!(sum(&[one, NEG_ZERO, h(-1.0)]).value(), Value::Finite { mantissa: 0, exponent: -24 });
    assert_eq!(sum(&[INF, one]).value(), Value::Infinity { negative: false });
    assert_eq!(sum(&[NEG_INF, NEG_INF]).value(), Value::Infinity { negative: true });
    assert_eq!(sum(&[INF, NEG_INF]).value(), Value::Nan);
    assert_eq!(sum(&[one, FP16_NAN]).value(), Value::Nan);
    // Beyond the largest FP16 value, a finite sum stays finite.
    assert_eq!(scale(&sum(&vec![h(65504.0); 1 << 12]), decode_fp16(h(2f32.powi(-12)))), h(65504.0));
}

#[test]
fn scaling_table() {
    let (zero, one) = (sum(&[]), sum(&[h(1.0)]));
    let (inf, neg_inf, nan) = (sum(&[INF]), sum(&[NEG_INF]), sum(&[INF, NEG_INF]));
    let cases: &[(Accumulator, u16, u16)] = &[
        (one, h(0.5), h(0.5)),
        (one, h(-2.0), h(-2.0)),
        (one, 0, 0),
        (one, NEG_ZERO, 0),
        (zero, h(-1.0), 0),
        (zero, NEG_ZERO, 0),
        (zero, INF, FP16_NAN),
        (zero, NEG_INF, FP16_NAN),
        (one, INF, INF),
        (one, NEG_INF, NEG_INF),
        (sum(&[h(-1.0)]), INF, NEG_INF),
        (inf, h(0.5), INF),
        (inf, h(-0.5), NEG_INF),
        (neg_inf, h(-0.5), INF),
        (inf, INF, INF),
        (neg_inf, INF, NEG_INF),
        (inf, 0, FP16_NAN),
        (neg_inf, NEG_ZERO, FP16_NAN),
        (nan, one.value().to_fp16(), FP16_NAN),
        (nan, 0, FP16_NAN),
        (one, 0xFE01, FP16_NAN),
        (zero, FP16_NAN, FP16_NAN),
        (inf, FP16_NAN, FP16_NAN),
        (sum(&[h(65504.0), h(16.0)]), h(1.0), INF),
        (sum(&[h(65504.0), h(15.0)]), h(1.0), h(65504.0)),
        (sum(&[0x8001]), h(0.5), NEG_ZERO),
    ];
    for (sum, factor, expected) in cases {
        assert_eq!(scale(sum, decode_fp16(*factor)), *expected, "{sum:?} * {factor:#06x}");
        // The same scale in FP32.
        let wide = f16::from_bits(*factor).to_f32().to_bits();
        assert_eq!(scale(sum, decode_fp32(wide)), *expected, "{sum:?} * {wide:#010x}");
    }
    // Scales that FP16 cannot hold.
    assert_eq!(scale(&sum(&[h(1024.0)]), decode_fp32(2f32.powi(-30).to_bits())), h(2f32.powi(-20)));
    assert_eq!(scale(&one, decode_fp32((1.0f32 + 2f32.powi(-11)).to_bits())), h(1.0), "tie to even");
    assert_eq!(scale(&one, decode_fp32((1.0f32 + 2f32.powi(-11) + 2f32.powi(-23)).to_bits())), h(1.0 + 2f32.powi(-10)));
    assert_eq!(scale(&one, decode_fp32(1)), 0);
    assert_eq!(scale(&sum(&[h(-1.0)]), decode_fp32(1)), NEG_ZERO);
    assert_eq!(scale(&one, decode_fp32(f32::MAX.to_bits())), INF);
}

/// Two outputs, two vectors of two inputs, two codebooks of two entries: by hand.
#[test]
fn layer_by_hand() {
    let x = hs(&[1.0, 2.0, 3.0, 4.0]);
    let centroids = hs(&[1.0, 0.0, 0.0, 1.0, 0.5, 0.5, -1.0, 2.0]);
    let layer = VqLayer {
        dim: 2,
        entries: 2,
        codebooks: 2,
        centroids: &centroids,
        codes: &[0, 1, 1, 0, 1, 1, 0, 0],
        scales: Scales::F16(&hs(&[2.0, -0.5])),
    };
    // Row-major [v][c][e].
    assert_eq!(output_codebook(&x, &layer), hs(&[1.0, 2.0, 1.5, 3.0, 3.0, 4.0, 3.5, 5.0]));
    let sums = accumulate(&x, &layer);
    // 1 + 3 + 4 + 3.5 and 2 + 3 + 3 + 3.5.
    assert_eq!(sums[0].finite, (11.5 * 2f64.powi(24)) as i128);
    assert_eq!(sums[1].finite, (11.5 * 2f64.powi(24)) as i128);
    assert_eq!(vq_gemv(&x, &layer), hs(&[23.0, -5.75]));
    assert_eq!(reference_f64(&x, &layer), [23.0, -5.75]);
}

struct Owned {
    dim: usize,
    entries: usize,
    codebooks: usize,
    x: Vec<u16>,
    centroids: Vec<u16>,
    codes: Vec<u16>,
    scales: Vec<u16>,
}

impl Owned {
    fn random(
        seed: u64,
        [outputs, vectors, dim, entries, codebooks]: [usize; 5],
        value: impl Fn(&mut ChaCha8Rng) -> u16,
    ) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        Self {
            dim,
            entries,
            codebooks,
            x: (0..vectors * dim).map(|_| value(&mut rng)).collect(),
            centroids: (0..codebooks * entries * dim).map(|_| value(&mut rng)).collect(),
            codes: (0..outputs * vectors * codebooks).map(|_| rng.random_range(0..entries) as u16).collect(),
            scales: (0..outputs).map(|_| value(&mut rng)).collect(),
        }
    }

    fn layer(&self) -> VqLayer<'_> {
        VqLayer {
            dim: self.dim,
            entries: self.entries,
            codebooks: self.codebooks,
            centroids: &self.centroids,
            codes: &self.codes,
            scales: Scales::F16(&self.scales),
        }
    }
}

/// 11-bit significands with exponents so close that every intermediate result is exact in double precision.
fn moderate(rng: &mut ChaCha8Rng) -> u16 {
    let significand = rng.random_range(-2047i32..=2047) as f32;
    h(significand * 2f32.powi(rng.random_range(-12..=-9)))
}

#[test]
fn layers_against_double_precision_where_it_is_exact() {
    let mut outputs = 0;
    for (seed, shape) in [[7, 5, 8, 16, 2], [3, 9, 4, 256, 1], [16, 3, 1, 5, 4], [1, 1, 16, 4, 3], [64, 33, 8, 32, 2]]
        .into_iter()
        .enumerate()
    {
        let owned = Owned::random(seed as u64, shape, moderate);
        let layer = owned.layer();
        let [outputs_of_layer, v, d, e, c] = shape;
        let y = vq_gemv(&owned.x, &layer);
        assert_eq!(y.len(), outputs_of_layer);
        for (n, &got) in y.iter().enumerate() {
            let mut sum = 0.0;
            for (v, c) in (0..v).flat_map(|v| (0..c).map(move |c| (v, c))) {
                let code = usize::from(owned.codes[(n * shape[1] + v) * shape[4] + c]);
                let entry = &owned.centroids[(c * e + code) * d..][..d];
                let x = &owned.x[v * d..][..d];
                let product: f64 =
                    x.iter().zip(entry).map(|(&x, &w)| f16::from_bits(x).to_f64() * f16::from_bits(w).to_f64()).sum();
                sum += f16::from_bits(nearest_fp16(product)).to_f64();
            }
            let expected = nearest_fp16(sum * f16::from_bits(owned.scales[n]).to_f64());
            assert_eq!(got, expected, "shape {shape:?} output {n}");
            outputs += 1;
        }
    }
    assert_eq!(outputs, 91);
}

#[test]
fn fp32_scales_of_fp16_values_change_nothing() {
    let owned = Owned::random(11, [32, 16, 8, 64, 2], moderate);
    let wide: Vec<u32> = owned.scales.iter().map(|&s| f16::from_bits(s).to_f32().to_bits()).collect();
    let layer = owned.layer();
    let y = vq_gemv(&owned.x, &layer);
    assert_eq!(vq_gemv(&owned.x, &VqLayer { scales: Scales::F32(&wide), ..layer }), y);
}

/// A full-size layer with weights and activations of realistic size stays close to double precision.
#[test]
fn full_size_layer_is_close_to_double_precision() {
    let normal =
        |rng: &mut ChaCha8Rng| f16::from_f32((0..12).map(|_| rng.random::<f32>()).sum::<f32>() - 6.0).to_bits();
    let owned = Owned::random(12, [4096, 512, 8, 256, 2], normal);
    let layer = owned.layer();
    let y = vq_gemv(&owned.x, &layer);
    let reference = reference_f64(&owned.x, &layer);
    // Relative to the largest output: a single one may cancel to almost nothing.
    let largest = reference.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    let error = y.iter().zip(&reference).map(|(&y, r)| (fp16_to_f64(y) - r).abs()).fold(0.0, f64::max);
    assert!(error / largest < 1e-3, "error {error} of {largest}");
    assert!(error > 0.0);
}

fn shuffled<T: Clone>(items: &[T], order: &[usize]) -> Vec<T> {
    order.iter().map(|&i| items[i].clone()).collect()
}

/// Any bit pattern, with the corners more often than chance would have them.
fn any_fp16() -> impl Strategy<Value = u16> {
    prop_oneof![
        8 => any::<u16>(),
        1 => prop::sample::select(vec![0, NEG_ZERO, 1, 0x8001, 0x3FF, 0x400, 0x7BFF, 0xFBFF, INF, NEG_INF, FP16_NAN]),
    ]
}

fn finite_fp16() -> impl Strategy<Value = u16> {
    any_fp16().prop_filter("finite", |&bits| f16::from_bits(bits).is_finite())
}

/// Two vectors of one length, and an order of their elements.
fn pairs(value: impl Strategy<Value = u16>) -> impl Strategy<Value = (Vec<(u16, u16)>, Vec<usize>)> {
    let value = std::sync::Arc::new(value);
    prop::collection::vec((value.clone(), value), 1..20).prop_flat_map(|pairs| {
        let order: Vec<usize> = (0..pairs.len()).collect();
        (Just(pairs), Just(order).prop_shuffle())
    })
}

proptest! {
    #[test]
    fn dot_does_not_depend_on_the_order((pairs, order) in prop_oneof![pairs(any_fp16()), pairs(finite_fp16())]) {
        let (x, w): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let expected = dot(&x, &w);
        prop_assert_eq!(dot(&w, &x), expected);
        prop_assert_eq!(dot(&shuffled(&x, &order), &shuffled(&w, &order)), expected);
    }

    /// Negating every product negates the result, except that an exact zero stays positive.
    #[test]
    fn dot_is_odd((pairs, _) in pairs(finite_fp16())) {
        let (x, w): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let negated: Vec<u16> = x.iter().map(|x| x ^ 0x8000).collect();
        let (plus, minus) = (dot(&x, &w), dot(&negated, &w));
        prop_assert!(minus == plus ^ 0x8000 || (plus, minus) == (0, 0), "{:#06x} {:#06x}", plus, minus);
    }

    #[test]
    fn sums_do_not_depend_on_order_or_grouping(
        (terms, order) in prop::collection::vec(any_fp16(), 1..30)
            .prop_flat_map(|terms| { let order: Vec<usize> = (0..terms.len()).collect(); (Just(terms), Just(order).prop_shuffle()) }),
        split in any::<prop::sample::Index>(),
    ) {
        let expected = sum(&terms);
        prop_assert_eq!(sum(&shuffled(&terms, &order)), expected);
        let (head, tail) = terms.split_at(split.index(terms.len()));
        prop_assert_eq!(sum(head) + sum(tail), expected);
    }

    /// Permuting vectors (with their codes), codebooks (likewise) and splitting the inputs leave every sum as it is.
    #[test]
    fn layer_sums_do_not_depend_on_order_or_tiling(
        seed in any::<u64>(),
        vectors in Just((0..6).collect::<Vec<usize>>()).prop_shuffle(),
        codebooks in Just((0..3).collect::<Vec<usize>>()).prop_shuffle(),
        split in 0usize..=6,
    ) {
        let (n, d, e) = (4, 4, 8);
        // Rarely infinite or NaN, so that most of the 18 terms of an output are finite.
        let owned = Owned::random(seed, [n, 6, d, e, 3], |rng| match rng.random_ratio(1, 200) {
            true => rng.random(),
            false => rng.random::<u16>() & 0xCFFF,
        });
        let layer = owned.layer();
        let expected = accumulate(&owned.x, &layer);
        let y = vq_gemv(&owned.x, &layer);

        let x: Vec<u16> = vectors.iter().flat_map(|v| owned.x[v * d..][..d].to_vec()).collect();
        let centroids: Vec<u16> = codebooks.iter().flat_map(|c| owned.centroids[c * e * d..][..e * d].to_vec()).collect();
        let mut codes = Vec::new();
        for output in owned.codes.chunks(6 * 3) {
            for v in &vectors {
                codes.extend(codebooks.iter().map(|c| output[v * 3 + c]));
            }
        }
        let permuted = VqLayer { centroids: &centroids, codes: &codes, ..layer };
        prop_assert_eq!(&accumulate(&x, &permuted), &expected);
        prop_assert_eq!(vq_gemv(&x, &permuted), y);

        let part = |from: usize, to: usize| {
            let codes: Vec<u16> = owned.codes.chunks(6 * 3).flat_map(|output| output[from * 3..to * 3].to_vec()).collect();
            accumulate(&owned.x[from * d..to * d], &VqLayer { codes: &codes, ..layer })
        };
        let parts: Vec<Accumulator> = part(0, split).into_iter().zip(part(split, 6)).map(|(a, b)| a + b).collect();
        prop_assert_eq!(parts, expected);
    }
}
