//! The modules of the hardware, each alone on the native simulator against the golden model.

mod baseline;
mod bench;
#[path = "../common/depths.rs"]
mod depths;
mod dot_product;
mod epilogue;
mod operand;
mod pass_walker;
mod pe;
mod round;
mod scaler;
mod snapshots;
mod values;
mod whole;
