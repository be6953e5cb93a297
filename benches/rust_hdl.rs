//! The systolic array of `native_sim` as rust-hdl kernels and in this library's form: writes the Verilog of both and
//! measures both simulators. `scripts/rust_hdl` makes a table of it, with Yosys.
//!
//! `cargo bench --features rust-hdl --bench rust_hdl -- --out DIR [--sizes 4,8,16,32]` prints for each array
//! `<size> <ours|rust-hdl> <file> <top module> <cycles per second>`.

#[path = "../hdl_tests/hdl_sim/build.rs"]
#[allow(dead_code)] // a part of it is for tests
mod build;
#[path = "native_sim/measure.rs"]
mod measure;
#[path = "native_sim/native_array.rs"]
#[allow(dead_code)]
mod native_array;
#[path = "native_sim/rust_hdl_array.rs"]
mod rust_hdl_array;

use anyhow::{Context, Result, bail};
use eva_rtl::hdl::verilog::{Options, emit};
use measure::{rate, stimulus};
use native_array::Native;
use std::fs;
use std::path::{Path, PathBuf};

/// Cycles in which the sums of both simulators are compared.
const COMPARED: u64 = 200;

fn main() -> Result<()> {
    let (out, sizes) = arguments()?;
    // rust-hdl keeps the whole array on the stack.
    let run = move || sizes.iter().try_for_each(|size| measure_size(*size, &out));
    let body = std::thread::Builder::new().stack_size(256 << 20).spawn(run).context("a thread")?;
    body.join().expect("the measurement ends")
}

fn arguments() -> Result<(PathBuf, Vec<usize>)> {
    let (mut out, mut sizes) = (None, vec![4, 8]);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().with_context(|| format!("{argument} needs a value"));
        match argument.as_str() {
            // Cargo says so.
            "--bench" => {}
            "--out" => out = Some(PathBuf::from(value()?)),
            "--sizes" => {
                let numbers = value()?;
                let number = |text: &str| text.parse().with_context(|| format!("`{text}` is no size"));
                sizes = numbers.split(',').map(number).collect::<Result<_>>()?;
            }
            _ => bail!("unknown argument {argument}: --out DIR [--sizes 4,8,16,32]"),
        }
    }
    Ok((out.context("--out DIR is missing")?, sizes))
}

/// Writes and measures both arrays of one size.
fn measure_size(size: usize, out: &Path) -> Result<()> {
    macro_rules! sizes {
        ($($module:ident)+) => {
            match size {
                $(rust_hdl_array::$module::N => {
                    use rust_hdl_array::$module::{Bench, N};
                    let (mut ours, mut theirs) = (Native::new(N), Bench::new());
                    for cycle in 0..COMPARED {
                        let (load, a, w) = stimulus::<N>(cycle);
                        assert_eq!(ours.cycle(load, &a, &w), theirs.cycle(load, &a, &w), "sums after cycle {cycle}");
                    }
                    let text = theirs.verilog();
                    let native = rate(|cycle| {
                        let (load, a, w) = stimulus::<N>(cycle);
                        std::hint::black_box(ours.cycle(load, &a, &w));
                    });
                    let kernels = rate(|cycle| {
                        let (load, a, w) = stimulus::<N>(cycle);
                        std::hint::black_box(theirs.cycle(load, &a, &w));
                    });
                    (native, kernels, text)
                })+
                _ => bail!("there is no array of {size} x {size}: 4, 8, 16, 32"),
            }
        };
    }
    let (native, kernels, text) = sizes!(n4 n8 n16 n32);
    let ours: String = emit(&native_array::array(size), &Options::default()).into_iter().map(|f| f.text).collect();
    for (name, top, text, rate) in [("ours", "array", ours, native), ("rust-hdl", "top", text, kernels)] {
        let file = out.join(format!("{name}_{size}.v"));
        fs::create_dir_all(out).and_then(|()| fs::write(&file, text)).with_context(|| file.display().to_string())?;
        println!("{size} {name} {} {top} {rate:.0}", file.display());
    }
    Ok(())
}
