//! Cycles per second of the native simulator on a systolic array of 16 x 16 INT8 multiply-accumulate cells, next to
//! rust-hdl's own simulator and, when it is found, Verilator on the same array with the same stimulus. Results are
//! compared; prints a table.
//!
//! `cargo bench --bench native_sim`

#[path = "../../hdl_tests/hdl_sim/build.rs"]
#[allow(dead_code)]
mod build;
mod native_array;
mod rust_hdl_array;
mod verilated_array;

use native_array::Native;
use rust_hdl_array::{Bench, N};
use std::time::{Duration, Instant};
use verilated_array::Verilated;

/// Stimulus of a cycle, the same for both simulators: weights are loaded now and then, activations always move.
fn stimulus(cycle: u64) -> (bool, [i8; N], [i8; N]) {
    let value = |lane: usize, salt: u64| {
        let x = (cycle * 64 + lane as u64 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // rust-hdl 0.46 recurses without end when it extends the sign of -128.
        ((x >> 56) as i8).max(-127)
    };
    (cycle % 64 < N as u64, std::array::from_fn(|i| value(i, 0)), std::array::from_fn(|i| value(i, 32)))
}

/// Cycles per second of `cycle`, best of three runs of about a second.
fn rate(mut cycle: impl FnMut(u64)) -> f64 {
    let mut at = 0;
    let mut best = 0f64;
    for _ in 0..3 {
        let start = Instant::now();
        let mut count = 0u64;
        while start.elapsed() < Duration::from_secs(1) {
            for _ in 0..100 {
                cycle(at);
                at += 1;
            }
            count += 100;
        }
        best = best.max(count as f64 / start.elapsed().as_secs_f64());
    }
    best
}

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
        let (load, a, w) = stimulus(cycle);
        let sums = native.cycle(load, &a, &w);
        assert_eq!(sums, other.cycle(load, &a, &w), "sums after cycle {cycle}");
        if let Ok(verilated) = &mut verilated {
            assert_eq!(sums, verilated.cycle(load, &a, &w), "sums after cycle {cycle}");
        }
    }

    let ours = rate(|cycle| {
        let (load, a, w) = stimulus(cycle);
        std::hint::black_box(native.cycle(load, &a, &w));
    });
    let idle = rate(|_| native.step());
    let theirs = rate(|cycle| {
        let (load, a, w) = stimulus(cycle);
        std::hint::black_box(other.cycle(load, &a, &w));
    });
    println!("{N} x {N} INT8 multiply-accumulate array, cycles per second");
    println!("  native simulator              {ours:>10.0}");
    println!("    clock only                  {idle:>10.0}");
    println!("  rust-hdl 0.46                 {theirs:>10.0}   native is {:.0} x", ours / theirs);
    match &mut verilated {
        Ok(verilated) => {
            let compiled = rate(|cycle| {
                let (load, a, w) = stimulus(cycle);
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
