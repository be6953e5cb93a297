//! The checks of a design and its Verilog.

#[path = "../common/mod.rs"]
mod common;

mod checks;
mod equivalence;
mod fuzz;
mod presets;
mod synthesis;
mod text;
