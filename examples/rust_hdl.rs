//! A module of this library as part of a rust-hdl design: a multiply-accumulate unit, whose width is chosen when the
//! program runs, fed by a counter that is a rust-hdl kernel.
//!
//! `cargo run --features rust-hdl --example rust_hdl [FOLDER]` simulates it with rust-hdl, records the waves, and writes the
//! Verilog of the whole: `FOLDER/squares.vcd` and `FOLDER/squares.v`.

use eva_rtl::hdl::interop::rust_hdl::{Instance, Library};
use eva_rtl::hdl::{Clocking, Scope, elaborate};
use eva_rtl::rust_hdl_ports;
use rust_hdl::prelude::*;
use std::error::Error;
use std::path::Path;

/// The module, in the language of this library: adds `a * b` in each cycle.
fn multiply_accumulate(m: &Scope, width: u32) {
    m.doc("Adds the product of `a` and `b` in each cycle.");
    m.param("width", width);
    let (a, b) = (m.input("a", width), m.input("b", width));
    let sum = m.reg("sum", 4 * width).reset(0);
    sum.next(sum.q() + a.mul(b).zext(4 * width));
    m.output("sum", sum.q());
}

rust_hdl_ports! {
    /// Its ports in rust-hdl: a field for each, of the same width.
    struct MultiplyAccumulate {
        clock: Signal<In, Clock> = "clk",
        rst_n: Signal<In, Bit>,
        a: Signal<In, Bits<8>>,
        b: Signal<In, Bits<8>>,
        sum: Signal<Out, Bits<32>>,
    }
}

/// The sum of the squares of 0, 1, 2, ..
#[derive(LogicBlock)]
struct Squares {
    clock: Signal<In, Clock>,
    run: Signal<In, Bit>,
    sum: Signal<Out, Bits<32>>,
    number: DFF<Bits<8>>,
    unit: Instance<MultiplyAccumulate>,
    one: Constant<Bits<8>>,
    zero: Constant<Bits<8>>,
}

impl Logic for Squares {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, number);
        self.number.d.next = self.zero.val();
        if self.run.val() {
            self.number.d.next = self.number.q.val() + self.one.val();
        }
        self.unit.clock.next = self.clock.val();
        self.unit.rst_n.next = self.run.val();
        self.unit.a.next = self.number.q.val();
        self.unit.b.next = self.number.q.val();
        self.sum.next = self.unit.sum.val();
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args_os().nth(1).unwrap_or_else(|| ".".into());
    std::fs::create_dir_all(&folder)?;
    run(Path::new(&folder))
}

/// Everything, with files in `folder`.
pub fn run(folder: &Path) -> Result<(), Box<dyn Error>> {
    // Elaborate the module and make a block of it. Ports that do not fit are an error here.
    let clocking = Clocking::new("clk", "rst_n");
    let design = elaborate("multiply_accumulate", clocking, |m| multiply_accumulate(m, 8))?.design;
    let library = Library::new();
    let mut squares = Squares {
        clock: Signal::default(),
        run: Signal::default(),
        sum: Signal::default(),
        number: DFF::default(),
        unit: library.module(&design)?.instance()?,
        one: Constant::new(1.into()),
        zero: Constant::new(0.into()),
    };
    squares.connect_all();

    // The whole as Verilog, the module among it.
    let verilog = generate_verilog(&squares);
    let file = folder.join("squares.v");
    std::fs::write(&file, &verilog)?;
    println!("{}: {} lines", file.display(), verilog.lines().count());

    // A testbench of rust-hdl: two cycles of reset, ten numbers.
    let mut simulation = Simulation::new();
    simulation.add_clock(5, |x: &mut Box<Squares>| x.clock.next = !x.clock.val());
    simulation.add_testbench(|mut sim: Sim<Squares>| {
        let mut x = sim.init()?;
        wait_clock_cycles!(sim, clock, x, 2);
        x.run.next = true;
        let mut expected = 0;
        for number in 0..10u64 {
            wait_clock_cycle!(sim, clock, x);
            expected += number * number;
            println!("after {number}: {}", u64::from(x.sum.val()));
            sim_assert_eq!(sim, x.sum.val(), expected, x);
        }
        sim.done(x)
    });
    let waves = folder.join("squares.vcd");
    let traced = simulation.run_traced(Box::new(squares), 1_000, std::fs::File::create(&waves)?);
    traced.map_err(|error| format!("the simulation failed: {error:?}"))?;
    println!("{}: the waves", waves.display());
    Ok(())
}
