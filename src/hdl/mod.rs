//! A hardware description language embedded in Rust. It knows nothing of EVA.

pub mod bits;
pub mod diag;
pub mod ir;
pub mod names;
