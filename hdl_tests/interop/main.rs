//! Modules as blocks of rust-hdl: simulated there, and emitted from there.

#[allow(dead_code)] // a part of it is for other tests
#[path = "../rtl/bench.rs"]
mod bench;
#[path = "../common/mod.rs"]
mod common;
mod core;
mod definitions;
mod emitted;
mod example;
#[allow(dead_code)]
#[path = "../core/harness.rs"]
mod harness;
mod refusals;
mod row;
mod signals;
#[allow(dead_code)]
#[path = "../core/timing.rs"]
mod timing;
mod waves;
#[allow(dead_code)]
#[path = "../rtl/whole.rs"]
mod whole;

use eva_rtl::hdl::{Clocking, Design, Scope, elaborate};

/// A small design; its clock is `clk`, its reset `rst_n`.
fn design(name: &str, describe: impl FnOnce(&Scope)) -> Design {
    elaborate(name, Clocking { clock: "clk".into(), reset: "rst_n".into() }, describe).expect("elaborates").design
}

/// A counter that counts by `step`.
fn counter(m: &Scope) {
    let step = m.input("step", 8);
    let count = m.reg("count", 12).reset(5);
    count.next(count.q() + step.zext(12));
    m.output("count", count.q());
}
