//! Between bit patterns of FP16 and FP32 and exact values.

/// The one NaN this model produces.
pub const FP16_NAN: u16 = 0x7E00;

const FP16_INFINITY: u16 = 0x7C00;
const FP16_SIGN: u16 = 0x8000;

/// The exact value of a floating-point number, of a product or of a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// `mantissa * 2^exponent`, not normalised. Zero has no sign.
    Finite {
        /// With its sign.
        mantissa: i128,
        /// Of two.
        exponent: i32,
    },
    /// Plus or minus infinity.
    Infinity {
        /// Whether it is minus infinity.
        negative: bool,
    },
    /// Not a number.
    Nan,
}

impl Value {
    /// The exact product. Infinity times zero and anything times NaN are NaN.
    ///
    /// The product of the mantissas must fit an `i128`; 41-bit FP16 mantissas, 24-bit FP32 ones and sums of 2^40 FP16
    /// values do.
    #[inline]
    pub fn product(self, other: Value) -> Value {
        match (self, other) {
            (Value::Nan, _) | (_, Value::Nan) => Value::Nan,
            (Value::Finite { mantissa: a, exponent: ea }, Value::Finite { mantissa: b, exponent: eb }) => {
                Value::Finite { mantissa: a * b, exponent: ea + eb }
            }
            (Value::Infinity { negative: a }, Value::Infinity { negative: b }) => Value::Infinity { negative: a != b },
            (Value::Infinity { negative }, Value::Finite { mantissa, .. })
            | (Value::Finite { mantissa, .. }, Value::Infinity { negative }) => match mantissa {
                0 => Value::Nan,
                m => Value::Infinity { negative: negative != (m < 0) },
            },
        }
    }

    /// The value rounded to FP16, to nearest, ties to even.
    #[inline]
    pub fn to_fp16(self) -> u16 {
        match self {
            Value::Finite { mantissa, exponent } => round_fp16(mantissa, exponent),
            Value::Infinity { negative: false } => FP16_INFINITY,
            Value::Infinity { negative: true } => FP16_SIGN | FP16_INFINITY,
            Value::Nan => FP16_NAN,
        }
    }
}

/// Decodes an FP16 bit pattern. A finite value comes as a multiple of 2^-24, the smallest subnormal: a 41-bit integer.
#[inline]
pub fn decode_fp16(bits: u16) -> Value {
    let negative = bits & FP16_SIGN != 0;
    let exponent = u32::from(bits >> 10) & 0x1F;
    let fraction = i128::from(bits & 0x3FF);
    let magnitude = match exponent {
        0x1F if fraction == 0 => return Value::Infinity { negative },
        0x1F => return Value::Nan,
        0 => fraction,
        e => (fraction + (1 << 10)) << (e - 1),
    };
    Value::Finite { mantissa: if negative { -magnitude } else { magnitude }, exponent: -24 }
}

/// Decodes an FP32 bit pattern; the mantissa has at most 24 bits.
#[inline]
pub fn decode_fp32(bits: u32) -> Value {
    let negative = bits >> 31 != 0;
    let exponent = (bits >> 23 & 0xFF) as i32;
    let fraction = i128::from(bits & 0x7F_FFFF);
    let magnitude = match exponent {
        0xFF if fraction == 0 => return Value::Infinity { negative },
        0xFF => return Value::Nan,
        0 => fraction,
        _ => fraction + (1 << 23),
    };
    Value::Finite { mantissa: if negative { -magnitude } else { magnitude }, exponent: exponent.max(1) - 150 }
}

/// Rounds `mantissa * 2^exponent` to FP16: to nearest, ties to even, with subnormals; magnitudes of 65520 and more
/// become infinite. A nonzero value that rounds to zero keeps its sign, an exact zero is +0.
#[inline]
pub fn round_fp16(mantissa: i128, exponent: i32) -> u16 {
    let sign = if mantissa < 0 { FP16_SIGN } else { 0 };
    let magnitude = mantissa.unsigned_abs();
    if magnitude == 0 {
        return 0;
    }
    // Exponent of the leading bit, and of the last place that FP16 keeps for it.
    let leading = i64::from(exponent) + i64::from(magnitude.ilog2());
    if leading > 15 {
        return sign | FP16_INFINITY;
    }
    let last_place = (leading - 10).max(-24);
    let dropped = last_place - i64::from(exponent);
    let kept = match dropped {
        ..=0 => magnitude << -dropped,
        1..=127 => {
            let quotient = magnitude >> dropped;
            let remainder = magnitude & ((1 << dropped) - 1);
            let half = 1 << (dropped - 1);
            let up = remainder > half || (remainder == half && quotient & 1 == 1);
            quotient + u128::from(up)
        }
        // At most 2^127, so at most half of the smallest subnormal, and a tie goes to the even zero.
        _ => 0,
    };
    // The leading bit of `kept`, if it is there (no subnormal), adds the one that is missing in the exponent field; a
    // carry out of the fraction does the same, up to infinity.
    sign | ((((last_place + 24) as u16) << 10) + kept as u16)
}
