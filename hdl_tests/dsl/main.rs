//! The description language: what its mistakes read like, what its operators and library do, that it is deterministic.

mod bench;
mod determinism;
mod library;
mod mistakes;
mod operators;
mod registers;
mod streams;
mod tutorial;

use eva_rtl::hdl::Clocking;

fn clocking() -> Clocking {
    Clocking { clock: "clk".into(), reset: "rst_n".into() }
}
