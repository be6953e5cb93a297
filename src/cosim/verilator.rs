//! Simulation of Verilog, compiled by [Verilator](https://verilator.org) into a shared library and loaded into this
//! process.
//!
//! ```no_run
//! # use eva_rtl::cosim::{PortSpec, Simulator, verilator::{Verilator, VerilogModel}};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let model = VerilogModel {
//!     top: "adder".into(),
//!     clock: "aclk".into(),
//!     files: vec![("adder.v".into(), "module adder(input aclk, input [7:0] a, output [7:0] y); ... endmodule".into())],
//!     ports: vec![PortSpec::input("aclk", 1), PortSpec::input("a", 8), PortSpec::output("y", 8)],
//! };
//! let mut sim = Verilator::find()?.compile(&model, false)?.simulator(1);
//! let a = sim.input("a")?;
//! sim.set_u64(a, 5);
//! sim.settle();
//! # Ok(()) }
//! ```
//!
//! The crate `marlin-verilator` also loads Verilated models into Rust, and was tried first. It does not fit a driver of
//! wide streams: in its dynamic models every access formats a symbol name, looks it up in the library and, above 64
//! bits, allocates; libraries are rebuilt by modification time under a fixed folder, not by content; C++ is compiled at
//! Verilator's default level, for size; and power-up values cannot be seeded. Here the model's port storage is written
//! and read in place, so that only `eval` crosses the language border.

mod build;
mod cache;
mod model;
mod shim;
mod tool;

pub use build::{CompiledModel, VerilogModel};
pub use model::VerilatorSim;
pub use tool::{Verilator, Version};
