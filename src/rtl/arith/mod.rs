//! Number formats in hardware. All functions here describe combinational logic.

pub mod fp16;
pub mod round;
