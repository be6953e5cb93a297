//! Whole cores: clean for every tool, in time, the same every time.

use crate::common::lint::{lint, scratch, write};
use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::verilog::{MemoryStyle, Options, emit};
use eva_rtl::rtl::{baseline, eva_core};
use std::time::{Duration, Instant};

fn check_preset(preset: &str, memory: MemoryStyle) {
    let cfg = CoreConfig::preset(preset).expect("a preset");
    let design = eva_core(&cfg).expect("elaborates").design;
    let start = Instant::now();
    let files = emit(&design, &Options { memory });
    let time = start.elapsed();
    let lines: usize = files.iter().map(|f| f.text.lines().count()).sum();
    println!("{preset}: {} files, {lines} lines, {time:?}", files.len());
    assert!(time < Duration::from_millis(500), "{preset} took {time:?}");
    assert_eq!(files, emit(&eva_core(&cfg).expect("elaborates").design, &Options { memory }), "{preset} twice");
    for file in &files {
        let long = file.text.lines().find(|l| l.chars().count() > 120);
        assert_eq!(long, None, "{}", file.name);
    }
    let paths = write(&files, &scratch(preset));
    lint(&paths, "eva_core", preset);
}

#[test]
fn tiny_is_clean() {
    check_preset("tiny", MemoryStyle::Inferred);
}

#[test]
fn small_with_macros_is_clean() {
    check_preset("small", MemoryStyle::Macro);
}

#[test]
fn paper_is_clean() {
    check_preset("paper", MemoryStyle::Inferred);
}

#[test]
fn the_int8_array_is_clean() {
    let elaborated = baseline::array(&CoreConfig::preset("paper").expect("a preset")).expect("elaborates");
    assert!(elaborated.warnings.is_empty(), "{:?}", elaborated.warnings);
    let paths = write(&emit(&elaborated.design, &Options::default()), &scratch("baseline"));
    lint(&paths, "eva_baseline_array", "the INT8 array");
}
