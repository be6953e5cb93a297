//! A FIR filter in transposed form: any list of taps, two pipeline stages, exact.
//!
//! `cargo run --example fir_filter [FOLDER]` compares it with a convolution in Rust on random samples, and writes Verilog and
//! waves into the folder.

mod common;

use anyhow::{Result, ensure};
use eva_rtl::hdl::bits::index_width;
use eva_rtl::hdl::sim::{SimOptions, Simulator};
use eva_rtl::hdl::{Clocking, Scope, elaborate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// A half-band low-pass filter.
const TAPS: [i64; 7] = [-1, 0, 9, 16, 9, 0, -1];
const WIDTH: u32 = 8;
const CYCLES: u64 = 2000;

/// `y[n] = taps[0] * x[n] + taps[1] * x[n-1] + ..` of two's complement samples of `width` bits.
fn fir_filter(m: &Scope, width: u32, taps: &[i64]) {
    m.doc("FIR filter in transposed form. A sample is taken when `x_valid` is 1; its result follows two cycles later.");
    m.param("width", width);
    m.param("taps", format!("{taps:?}"));
    if taps.is_empty() {
        m.report("a filter has at least one tap");
    }
    // No result is beyond `gain` times the largest sample, which takes `growth` bits more than a sample.
    let gain: u64 = taps.iter().map(|tap| tap.unsigned_abs()).sum();
    let growth = index_width(gain + 1);
    let result_width = width + growth;

    // First stage: a product for each value among the taps; equal taps share it, a tap of 0 needs none.
    let x = m.input("x", width);
    let x_valid = m.input("x_valid", 1);
    let mut products = BTreeMap::new();
    for &tap in taps.iter().filter(|tap| **tap != 0) {
        products.entry(tap).or_insert_with(|| {
            let name = format!("product_{}{}", if tap < 0 { "minus_" } else { "" }, tap.abs());
            let product = x.mul_signed(m.lit_signed(tap, growth + 1)); // its top bit is one more sign
            product.trunc(result_width).reg_en(&name, x_valid)
        });
    }
    let product_valid = x_valid.reg_reset("product_valid");

    // Second stage: a chain of sums from the last tap to the first. What is added now comes out `k` samples later.
    let mut chain = m.zeros(result_width);
    for (k, tap) in taps.iter().enumerate().rev() {
        let next = products.get(tap).map_or(chain, |product| chain + *product);
        chain = m.reg(&format!("sum_{k}"), result_width).reset(0).on(product_valid, next).q();
    }
    m.output("y", chain);
    m.output("y_valid", product_valid.reg_reset("sum_valid"));
}

/// The same in Rust.
fn convolution(samples: &[i64], taps: &[i64]) -> Vec<i64> {
    let result = |n: usize| (0..=n).zip(taps).map(|(k, tap)| tap * samples[n - k]).sum();
    (0..samples.len()).map(result).collect()
}

fn main() -> Result<()> {
    run(&common::output_folder()?)
}

/// Everything, with files in `folder`.
pub fn run(folder: &Path) -> Result<()> {
    let clocking = Clocking::new("clk", "rst_n");
    let elaborated = elaborate("fir_filter", clocking, |m| fir_filter(m, WIDTH, &TAPS))?;
    common::write_verilog(&elaborated, folder)?;

    let mut sim = Simulator::new(&elaborated.design, SimOptions { keep_names: true, ..SimOptions::default() })?;
    let [x, x_valid] = ["x", "x_valid"].map(|name| sim.input(name).unwrap());
    let [y, y_valid] = ["y", "y_valid"].map(|name| sim.output(name).unwrap());
    let waves = folder.join("fir_filter.vcd");
    sim.trace(BufWriter::new(File::create(&waves)?))?;
    sim.reset(2);

    // An impulse, whose response is the taps; then random samples, the extremes among them, with gaps.
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let (mut samples, mut results) = (Vec::new(), Vec::new());
    for cycle in 0..CYCLES {
        let is_valid = cycle < 10 || (rng.random_bool(0.7) && cycle < CYCLES - 2);
        let sample = match cycle {
            0..10 => i64::from(cycle == 0),
            _ if rng.random_bool(0.1) => -128,
            _ => rng.random_range(-128..=127),
        };
        if is_valid {
            samples.push(sample);
        }
        sim.set_i64(x, sample);
        sim.set_u64(x_valid, is_valid.into());
        sim.step();
        if sim.get_u64(y_valid) == 1 {
            results.push(sim.get_i64(y));
        }
    }
    sim.finish_trace()?;

    let expected = convolution(&samples, &TAPS);
    ensure!(results.len() == expected.len(), "{} results of {} samples", results.len(), expected.len());
    for (n, (result, expected)) in results.iter().zip(&expected).enumerate() {
        ensure!(result == expected, "result {n} is {result}, not {expected}");
    }
    println!("{}: the waves of {} cycles", waves.display(), sim.cycle());
    println!("{} samples filtered as in Rust; the response to 1 is {:?}", results.len(), &results[..TAPS.len()]);
    Ok(())
}
