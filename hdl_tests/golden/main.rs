//! The golden model against `half`, double precision and hand-made vectors.

mod fp16;
mod gemv;
mod grouped;
mod int8;

use std::sync::LazyLock;

/// All non-negative finite FP16 values in ascending order, then 2^16, which is what infinity stands for when rounding.
/// The index of a value is its bit pattern.
static FP16_VALUES: LazyLock<Vec<f64>> = LazyLock::new(|| {
    let finite = (0..0x7C00).map(|bits| half::f16::from_bits(bits).to_f64());
    finite.chain([65536.0]).collect()
});

/// Rounds to FP16 by searching the neighbours among all values: slow, obvious, and unlike the model under test.
/// Exact zeros give +0.
fn nearest_fp16(value: f64) -> u16 {
    let sign = if value < 0.0 { 0x8000 } else { 0 };
    let magnitude = value.abs();
    let above = FP16_VALUES.partition_point(|&v| v < magnitude);
    if above == 0 {
        return sign;
    }
    let Some(&upper) = FP16_VALUES.get(above) else {
        return sign | 0x7C00;
    };
    // Neighbours are close enough for the differences to be exact unless the value is far below the smallest subnormal,
    // where the comparison is decided anyway.
    let (down, up) = (magnitude - FP16_VALUES[above - 1], upper - magnitude);
    let bits = match down.total_cmp(&up) {
        std::cmp::Ordering::Less => above - 1,
        std::cmp::Ordering::Greater => above,
        std::cmp::Ordering::Equal => above - (above & 1),
    };
    sign | bits as u16
}
