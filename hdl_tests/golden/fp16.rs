//! Decoding, encoding and rounding.

use eva_rtl::golden::{FP16_NAN, Value, decode_fp16, decode_fp32, fp16_to_f64, round_fp16};
use half::f16;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{FP16_VALUES, nearest_fp16};

/// `value` as an integer times a power of two.
fn parts(value: f64) -> (i128, i32) {
    let bits = value.to_bits();
    let exponent = (bits >> 52 & 0x7FF) as i32;
    assert!(exponent != 0x7FF, "finite values only");
    let fraction = i128::from(bits & ((1 << 52) - 1));
    let magnitude = if exponent == 0 { fraction } else { fraction | 1 << 52 };
    (if value < 0.0 { -magnitude } else { magnitude }, exponent.max(1) - 1075)
}

fn round(value: f64) -> u16 {
    let (mantissa, exponent) = parts(value);
    round_fp16(mantissa, exponent)
}

#[test]
fn decodes_every_fp16() {
    for bits in 0..=u16::MAX {
        let expected = f16::from_bits(bits);
        match decode_fp16(bits) {
            Value::Finite { mantissa, exponent } => {
                assert_eq!(exponent, -24, "{bits:#06x}");
                assert!(mantissa.unsigned_abs() < 1 << 40);
                assert_eq!(mantissa as f64 * 2f64.powi(-24), expected.to_f64(), "{bits:#06x}");
            }
            Value::Infinity { negative } => {
                assert!(expected.is_infinite());
                assert_eq!(negative, expected.is_sign_negative());
            }
            Value::Nan => assert!(expected.is_nan(), "{bits:#06x}"),
        }
        let float = fp16_to_f64(bits);
        assert!(float == expected.to_f64() || (float.is_nan() && expected.is_nan()), "{bits:#06x}");
    }
}

#[test]
fn decoding_and_rounding_are_inverse() {
    for bits in 0..=u16::MAX {
        let expected = match f16::from_bits(bits) {
            value if value.is_nan() => FP16_NAN,
            // The sign of a zero is not kept.
            _ if bits == 0x8000 => 0,
            _ => bits,
        };
        assert_eq!(decode_fp16(bits).to_fp16(), expected, "{bits:#06x}");
    }
}

#[test]
fn decodes_fp32() {
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let corners = [0u32, 1, 0x7F_FFFF, 0x80_0000, 0x3F80_0000, 0x7F7F_FFFF];
    let random: Vec<u32> = (0..200_000).map(|_| rng.random()).collect();
    for bits in corners.into_iter().chain(random).flat_map(|bits| [bits, bits | 1 << 31]) {
        let expected = f32::from_bits(bits);
        match decode_fp32(bits) {
            Value::Finite { mantissa, exponent } => {
                assert!(mantissa.unsigned_abs() < 1 << 24);
                assert_eq!(mantissa as f64 * 2f64.powi(exponent), f64::from(expected), "{bits:#010x}");
            }
            Value::Infinity { negative } => {
                assert!(expected.is_infinite());
                assert_eq!(negative, expected.is_sign_negative());
            }
            Value::Nan => assert!(expected.is_nan(), "{bits:#010x}"),
        }
    }
    assert_eq!(decode_fp32(0x7F80_0000), Value::Infinity { negative: false });
    assert_eq!(decode_fp32(0xFF80_0000), Value::Infinity { negative: true });
    assert_eq!(decode_fp32(0x7F80_0001), Value::Nan);
}

/// The midpoint of every two neighbours, and what lies barely on either side of it, for both signs.
#[test]
fn rounds_every_tie_to_even_and_its_surroundings_to_nearest() {
    for lower in 0u16..0x7C00 {
        let upper = lower + 1;
        let middle = (FP16_VALUES[usize::from(lower)] + FP16_VALUES[usize::from(upper)]) / 2.0;
        let (mantissa, exponent) = parts(middle);
        let even = lower + (lower & 1);
        for sign in [1, -1] {
            let sign_bit = if sign < 0 { 0x8000 } else { 0 };
            // 53-bit mantissas shifted to 120 bits: the offset is 2^-66 of the last place of a double.
            let fine = sign * (mantissa << 67);
            assert_eq!(round_fp16(fine, exponent - 67), sign_bit | even, "tie above {lower:#06x}");
            assert_eq!(round_fp16(fine - sign, exponent - 67), sign_bit | lower, "below tie above {lower:#06x}");
            assert_eq!(round_fp16(fine + sign, exponent - 67), sign_bit | upper, "above tie above {lower:#06x}");
        }
    }
}

#[test]
fn rounds_like_half_from_f32() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..1_000_000 {
        // Exponents from far below the subnormals to just above the largest value.
        let exponent: u32 = rng.random_range(127 - 40..127 + 20);
        let value = f32::from_bits(rng.random::<u32>() & 0x807F_FFFF | exponent << 23);
        assert_eq!(round(f64::from(value)), f16::from_f32(value).to_bits(), "{value:e}");
    }
}

#[test]
fn rounds_doubles_to_the_nearest_value() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200_000 {
        let exponent: u64 = rng.random_range(1023 - 30..1023 + 18);
        let value = f64::from_bits(rng.random::<u64>() & !(0x7FF << 52) | exponent << 52);
        assert_eq!(round(value), nearest_fp16(value), "{value:e}");
    }
}

#[test]
fn overflows_from_half_a_place_above_the_largest_value() {
    assert_eq!(round(65504.0), 0x7BFF);
    assert_eq!(round(65519.99), 0x7BFF);
    assert_eq!(round(65520.0), 0x7C00);
    assert_eq!(round(-65519.99), 0xFBFF);
    assert_eq!(round(-65520.0), 0xFC00);
    assert_eq!(round_fp16(1, 200), 0x7C00);
    assert_eq!(round_fp16(-1, i32::MAX), 0xFC00);
    assert_eq!(round_fp16(i128::MAX, -127), 0x3C00);
    assert_eq!(round_fp16(i128::MIN, -127), 0xBC00);
}

#[test]
fn underflow_keeps_the_sign_and_zero_has_none() {
    assert_eq!(round_fp16(0, 0), 0);
    assert_eq!(round_fp16(0, i32::MIN), 0);
    assert_eq!(round_fp16(1, -25), 0x0000, "half of the smallest subnormal ties to zero");
    assert_eq!(round_fp16(-1, -25), 0x8000);
    assert_eq!(round_fp16(3, -26), 0x0001);
    assert_eq!(round_fp16(-1, -1000), 0x8000);
    assert_eq!(round_fp16(-1, i32::MIN), 0x8000);
    assert_eq!(round_fp16(i128::MIN, -127 - 25), 0x8000, "2^-25");
    assert_eq!(round_fp16(i128::MIN, -127 - 24), 0x8001, "2^-24");
    assert_eq!(round_fp16((1 << 100) + 1, -125), 0x0001, "just above 2^-25");
}

#[test]
fn the_only_nan_is_the_quiet_one() {
    assert_eq!(FP16_NAN, 0x7E00);
    assert_eq!(Value::Nan.to_fp16(), 0x7E00);
}
