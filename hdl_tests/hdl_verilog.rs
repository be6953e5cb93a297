//! The Verilog backend.

mod common;

#[path = "hdl_verilog/fuzz.rs"]
mod fuzz;
