//! The programs under `examples/`: they run, other tools accept and simulate their Verilog, and the pictures on the page about
//! them show what they do.
//!
//! `EVA_REFRESH_PICTURES=1` rewrites the pictures.

#![allow(clippy::duplicate_mod)] // each example is a program with all its modules

#[path = "../common/mod.rs"]
mod common;
mod page;
mod picture;
mod programs;
mod replay;
mod waves;

// Their `main` takes arguments.
#[allow(dead_code)]
#[path = "../../examples/axis_fifo.rs"]
mod axis_fifo;
#[allow(dead_code)]
#[path = "../../examples/fir_filter.rs"]
mod fir_filter;
#[allow(dead_code)]
#[path = "../../examples/uart_receiver.rs"]
mod uart_receiver;

use picture::{Format, Picture, Row};
use std::path::Path;

/// What is known of an example from outside. The first input is the clock, the second one the reset.
struct Example {
    /// Of the program, of its top module and of its files.
    name: &'static str,
    run: fn(&Path) -> anyhow::Result<()>,
    inputs: &'static [&'static str],
    outputs: &'static [&'static str],
    picture: Picture,
}

const EXAMPLES: [Example; 3] = [
    Example {
        name: "fir_filter",
        run: fir_filter::run,
        inputs: &["clk", "rst_n", "x", "x_valid"],
        outputs: &["y", "y_valid"],
        picture: Picture {
            cycles: 1..20,
            pixels: 42,
            rows: &[
                Row::new("clk", Format::Clock),
                Row::new("rst_n", Format::Level),
                Row::new("x_valid", Format::Level),
                Row::new("x", Format::Signed).valid_with("x_valid"),
                Row::new("product_valid", Format::Level),
                Row::new("product_9", Format::Signed).valid_with("product_valid"),
                Row::new("y_valid", Format::Level),
                Row::new("y", Format::Signed).valid_with("y_valid"),
            ],
        },
    },
    Example {
        name: "axis_fifo",
        run: axis_fifo::run,
        inputs: &["aclk", "aresetn", "s_axis_tvalid", "s_axis_tdata", "s_axis_tlast", "m_axis_tready"],
        outputs: &["s_axis_tready", "m_axis_tvalid", "m_axis_tdata", "m_axis_tlast", "packets"],
        picture: Picture {
            cycles: 1..21,
            pixels: 38,
            rows: &[
                Row::new("aclk", Format::Clock),
                Row::new("s_axis_tvalid", Format::Level),
                Row::new("s_axis_tready", Format::Level),
                Row::new("s_axis_tdata", Format::Unsigned).valid_with("s_axis_tvalid"),
                Row::new("s_axis_tlast", Format::Level).valid_with("s_axis_tvalid"),
                Row::new("u_queue.count", Format::Unsigned),
                Row::new("packets", Format::Unsigned),
                Row::new("m_axis_tvalid", Format::Level),
                Row::new("m_axis_tready", Format::Level),
                Row::new("m_axis_tdata", Format::Unsigned).valid_with("m_axis_tvalid"),
                Row::new("m_axis_tlast", Format::Level).valid_with("m_axis_tvalid"),
            ],
        },
    },
    Example {
        name: "uart_receiver",
        run: uart_receiver::run,
        inputs: &["clk", "rst_n", "rx"],
        outputs: &["data", "valid", "broken"],
        picture: Picture {
            cycles: 2..90,
            pixels: 11,
            rows: &[
                Row::new("rx", Format::Level),
                Row::new("state", Format::Names(&uart_receiver::STATES)),
                Row::new("sample", Format::Level),
                Row::new("bit_index", Format::Unsigned),
                Row::new("shift", Format::Hex),
                Row::new("valid", Format::Level),
            ],
        },
    },
];
