//! Cycles per second of the native simulator on a systolic array of 16 x 16 INT8 multiply-accumulate cells, next to
//! rust-hdl's own simulator and, when it is found, Verilator on the same array with the same stimulus. Results are
//! compared; prints a table.
//!
//! `cargo bench --bench native_sim`

#[path = "../../hdl_tests/hdl_sim/build.rs"]
#[allow(dead_code)]
mod build;
mod measure;
mod native_array;
#[allow(dead_code)] // it has more sizes
mod rust_hdl_array;
mod verilated_array;

use measure::{rate, stimulus};
use native_array::Native;
use rust_hdl_array::n16::{Bench, N};
use verilated_array::Verilated;

fn main() {
    // rust-hdl keeps the whole array on the stack.
    let body = std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
    body.join().expect("the benchmark ends");
}

fn run() {
    let mut native = Native::new(N);
    let mut other = Bench::new();
    let mut verilated = Verilated::new(&native_array::array(N), N);
    for cycle in 0..200 {
        let (load, a, w) = stimulus::<N>(cycle);
        let sums = native.cycle(load, &a, &w);
        assert_eq!(sums, other.cycle(load, &a, &w), "sums after cycle {cycle}");
        if let Ok(verilated) = &mut verilated {
            assert_eq!(sums, verilated.cycle(load, &a, &w), "sums after cycle {cycle}");
        }
    }

    let ours = rate(|cycle| {
        let (load, a, w) = stimulus::<N>(cycle);
        std::hint::black_box(native.cycle(load, &a, &w));
    });
    let idle = rate(|_| native.step());
    let theirs = rate(|cycle| {
        let (load, a, w) = stimulus::<N>(cycle);
        std::hint::black_box(other.cycle(load, &a, &w));
    });
    println!("{N} x {N} INT8 multiply-accumulate array, cycles per second");
    println!("  native simulator              {ours:>10.0}");
    println!("    clock only                  {idle:>10.0}");
    println!("  rust-hdl 0.46                 {theirs:>10.0}   native is {:.0} x", ours / theirs);
    match &mut verilated {
        Ok(verilated) => {
            let compiled = rate(|cycle| {
                let (load, a, w) = stimulus::<N>(cycle);
                std::hint::black_box(verilated.cycle(load, &a, &w));
            });
            let idle_compiled = rate(|_| verilated.step());
            println!("  Verilator                     {compiled:>10.0}   native is {:.2} x", ours / compiled);
            println!("    clock only                  {idle_compiled:>10.0}   native is {:.2} x", idle / idle_compiled);
        }
        Err(error) => println!("  Verilator: {error}"),
    }
    let stats = native.stats();
    println!("{} instructions in {} runs, compiled in {:.1?}", stats.instructions, stats.runs, stats.compile_time);

    for size in [64, 128] {
        let mut native = Native::new(size);
        let rate = rate(|_| native.step());
        let stats = native.stats();
        println!(
            "{size} x {size}: {rate:.0} cycles per second, {} instructions in {} runs ({:.2} ns each), compiled in {:.1?}",
            stats.instructions,
            stats.runs,
            1e9 / rate / stats.instructions as f64,
            stats.compile_time,
        );
    }
}
