//! A hardware description language embedded in Rust. It knows nothing of EVA.
//!
//! [`elaborate`] runs a description (ordinary Rust functions on a [`Scope`]) and returns a checked [`Design`]: for
//! Verilog through [`verilog::emit`], for simulation through [`sim::Simulator`]. `docs/dsl.md` is a tutorial.

#![warn(missing_docs)]

pub mod bits;
pub mod bundle;
pub mod check;
pub mod diag;
pub mod instance;
pub mod interop;
pub mod ir;
pub mod lib;
pub mod mem;
pub mod names;
pub mod reg;
pub mod scope;
pub mod signal;
pub mod sim;
pub mod stream;
pub mod verilog;

pub use bits::Bits;
pub use bundle::{Bundle, Data};
pub use diag::{Diagnostic, Diagnostics, Severity};
pub use instance::{Instance, ModuleRef};
pub use ir::{Clocking, Collision, Design};
pub use mem::Mem;
pub use reg::Reg;
pub use scope::{Elaborated, Scope, Wire, elaborate};
pub use signal::{Operand, Signal};
pub use stream::{PortStyle, Stream, Taken};
