//! The description language: what its mistakes read like, what its operators and library do, that it is deterministic.

mod bench;
mod mistakes;
mod operators;

use eva_rtl::hdl::Clocking;

fn clocking() -> Clocking {
    Clocking { clock: "clk".into(), reset: "rst_n".into() }
}
