//! Bit-exact golden model: a few lines of exact integer arithmetic, without any configuration.
//!
//! It defines what every generated core must compute, whatever its array size, tiling or pipeline depth, and therefore
//! shares no code with the hardware description or with anything else of this crate. FP16 values are passed as bit
//! patterns (IEEE 754 binary16, subnormals included). There are two roundings, both to nearest, ties to even:
//!
//! - an output-codebook entry is the exact dot product of an input vector and a codebook entry, rounded to FP16 ([`dot`]);
//! - an output is the exact sum of the entries it selects, times its scale, rounded to FP16 ([`vq_gemv`]).
//!
//! With a codebook for each group of inputs and outputs ([`grouped_vq_gemv`]) the sum over all groups is one exact sum, scaled once.
//!
//! An output of an INT8 product is the exact sum of its products, times its scale, rounded to FP16 ([`int8_gemm`]), or
//! the sum itself ([`int8_sums`]).
//!
//! In between, sums are exact ([`ExactSum`]), so the order of the terms cannot matter. An exact zero is +0, whatever
//! the signs of its operands; a nonzero value that rounds to zero keeps its sign. The only NaN produced is
//! [`FP16_NAN`].

mod fp16;
mod gemv;
mod grouped;
mod int8;
mod reference;
mod sum;

pub use fp16::{FP16_NAN, Value, decode_fp16, decode_fp32, round_fp16};
pub use gemv::{Accumulator, Scales, VqLayer, accumulate, dot, output_codebook, scale, vq_gemv};
pub use grouped::{GroupedVqLayer, grouped_accumulate, grouped_reference_f64, grouped_vq_gemv};
pub use int8::{INT8_MAX_INPUTS, int8_gemm, int8_reference_f64, int8_scale, int8_sums};
pub use reference::{fp16_to_f64, reference_f64};
pub use sum::ExactSum;
