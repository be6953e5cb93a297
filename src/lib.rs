//! Synthesizable RTL for the EVA accelerator, generated and verified from Rust, and the hardware description language
//! that it is written in.
//!
//! A description is a Rust function; elaborated, it can be simulated in the same program and written as Verilog:
//!
//! ```
//! use eva_rtl::hdl::sim::{SimOptions, Simulator};
//! use eva_rtl::hdl::{Clocking, elaborate, verilog};
//!
//! let counter = elaborate("counter", Clocking::new("clk", "rst_n"), |m| {
//!     let count = m.reg("count", 8).reset(0);
//!     count.on(m.input("en", 1), count.q() + 1);
//!     m.output("count", count.q());
//! })?;
//!
//! let mut sim = Simulator::new(&counter.design, SimOptions::default())?;
//! let (en, count) = (sim.input("en")?, sim.output("count")?);
//! sim.reset(1);
//! sim.set_u64(en, 1);
//! sim.run(300);
//! assert_eq!(sim.get_u64(count), 300 % 256);
//!
//! let files = verilog::emit(&counter.design, &verilog::Options::default());
//! assert!(files[0].text.contains("module counter ("));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`hdl`] has the language, [`hdl::lib`] its ready-made parts. An accelerator in it is [`rtl`], made from the
//! parameters in [`config`]:
//!
//! ```
//! use eva_rtl::config::CoreConfig;
//! use eva_rtl::hdl::verilog;
//!
//! let core = eva_rtl::rtl::eva_core(&CoreConfig::preset("tiny")?)?;
//! let files = verilog::emit(&core.design, &verilog::Options::default());
//! assert!(files.iter().any(|file| file.name == "eva_core.v"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! | | brings |
//! | --- | --- |
//! | (none) | [`hdl`], [`config`], [`rtl`] |
//! | `tools` | `golden`, the exact model; `vq`, checkpoints and their packing; `models` and `perf`, cycles of language models; `cosim`, `flows`, `synth` |
//! | `cli` (default) | `tools`, and what the program `eva` needs besides |
//! | `rust-hdl` | `hdl::interop::rust_hdl`: every module as a block of [rust-hdl](https://docs.rs/rust-hdl) |
//!
//! A design in the language alone needs none of them: `eva-rtl = { version = "0.1", default-features = false }`.

#![warn(missing_docs)]

#[cfg(feature = "tools")]
mod cache;
pub mod config;
#[cfg(feature = "tools")]
pub mod cosim;
#[cfg(feature = "tools")]
pub mod flows;
#[cfg(feature = "tools")]
pub mod golden;
pub mod hdl;
mod input;
#[cfg(feature = "tools")]
pub mod models;
#[cfg(feature = "tools")]
pub mod perf;
#[cfg(feature = "tools")]
mod programs;
pub mod rtl;
#[cfg(feature = "tools")]
pub mod synth;
#[cfg(feature = "tools")]
pub mod vq;

/// The code of the tutorial is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/dsl.md")]
mod tutorial {}

/// So is that of the page on rust-hdl.
#[cfg(all(doctest, feature = "rust-hdl"))]
#[doc = include_str!("../docs/rust-hdl.md")]
mod rust_hdl_page {}
