//! Synthesizable RTL for the EVA accelerator, generated and verified from Rust.

#![warn(missing_docs)]

mod cache;
pub mod config;
pub mod cosim;
pub mod flows;
pub mod golden;
pub mod hdl;
mod input;
pub mod models;
pub mod perf;
mod programs;
pub mod rtl;
pub mod synth;
pub mod vq;

/// The code of the tutorial is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/dsl.md")]
mod tutorial {}

/// So is that of the page on rust-hdl.
#[cfg(all(doctest, feature = "rust-hdl"))]
#[doc = include_str!("../docs/rust-hdl.md")]
mod rust_hdl_page {}
