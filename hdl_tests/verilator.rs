//! The Verilator driver and the testbench, on small hand-written Verilog.

#[path = "verilator/build.rs"]
mod build;
#[path = "verilator/core.rs"]
mod core;
#[path = "verilator/model.rs"]
mod model;
#[path = "verilator/source.rs"]
mod source;

use std::path::Path;

use eva_rtl::cosim::PortSpec;
use eva_rtl::cosim::verilator::{Verilator, VerilogModel};

/// The installed Verilator, with compiled models kept in the target folder. Fails if there is none, with the line that
/// installs it.
fn verilator() -> Verilator {
    Verilator::find()
        .unwrap_or_else(|error| panic!("{error}"))
        .with_cache(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("models"))
}

/// A one-file model whose clock is `aclk`.
fn model(top: &str, text: &str, mut ports: Vec<PortSpec>) -> VerilogModel {
    ports.insert(0, PortSpec::input("aclk", 1));
    VerilogModel {
        top: top.to_owned(),
        clock: "aclk".to_owned(),
        files: vec![(format!("{top}.v"), text.to_owned())],
        ports,
    }
}
