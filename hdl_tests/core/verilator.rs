//! The emitted Verilog under Verilator, with the stimulus that the native simulator got.

use crate::configurations::draw;
use crate::harness::{Work, assert_passed, native, play, verilator, work};
use crate::int8::draw_size;
use crate::int8_work::{int8_layer, int8_work};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Report;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::vq::int8::Int8Distribution;
use eva_rtl::vq::{Distribution, LayerShape, random_activations, random_layer};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Everything that must not depend on the simulator: cycle for cycle the same run.
fn assert_same(native: &Report, verilated: &Report, what: &str) {
    assert_passed(native, what);
    assert_passed(verilated, what);
    assert_eq!(native.cycles, verilated.cycles, "{what}");
    assert_eq!(format!("{:?}", native.commands), format!("{:?}", verilated.commands), "{what}");
    assert_eq!(format!("{:?}", native.counters), format!("{:?}", verilated.counters), "{what}");
}

#[test]
fn random_cores_are_the_same_under_verilator() {
    for seed in [1001, 1002, 1005, 1013, 1021] {
        let e = draw(seed);
        let decode = work(&e.cfg, &e.layer, &e.x);
        let (tokens, inputs, outputs) = draw_size(&e.cfg, &mut ChaCha8Rng::seed_from_u64(seed));
        let (layer, x) = int8_layer(inputs, outputs, tokens, Int8Distribution::Extreme, seed);
        let int8 = int8_work(&e.cfg, &layer, &x, tokens, seed % 2 == 0);
        let work = Work::sequence(&e.cfg, [int8.clone(), decode.clone(), int8, decode]);
        let native = play(&mut native(&e.cfg, seed), &work, e.sources, e.sinks, seed);
        let verilated = play(&mut verilator(&e.cfg, seed), &work, e.sources, e.sinks, seed);
        assert_same(&native, &verilated, &e.describe());
    }
}

#[test]
fn paper_core_is_the_same_under_verilator() {
    let cfg = CoreConfig::preset("paper").unwrap();
    let shape = LayerShape { inputs: 256, outputs: 256, dim: 8, index_bits: 8, codebooks: 2 };
    let layer = random_layer(shape, Distribution::Realistic, 1).unwrap();
    let x = random_activations(256, Distribution::Realistic, 2);
    let decode = work(&cfg, &layer, &x);
    let (layer, x) = int8_layer(200, 70, 40, Int8Distribution::Extreme, 3);
    let work = Work::sequence(&cfg, [decode, int8_work(&cfg, &layer, &x, 40, false)]);
    let stalls = Stalls::Random { probability: 0.2 };
    let sinks = Backpressure { stalls, after_valid: false };
    let native = play(&mut native(&cfg, 1), &work, stalls, sinks, 7);
    let verilated = play(&mut verilator(&cfg, 1), &work, stalls, sinks, 7);
    assert_same(&native, &verilated, "paper");
}

/// A layer of a real size at the rate that the memory port allows.
#[test]
fn a_full_size_layer_under_verilator() {
    let cfg = CoreConfig::preset("paper").unwrap();
    let shape = LayerShape { inputs: 4096, outputs: 4096, dim: 8, index_bits: 8, codebooks: 2 };
    let layer = random_layer(shape, Distribution::Realistic, 4).unwrap();
    let x = random_activations(4096, Distribution::Realistic, 5);
    let work = work(&cfg, &layer, &x);
    let report = play(&mut verilator(&cfg, 1), &work, Stalls::None, Backpressure::default(), 1);
    assert_passed(&report, "4096 x 4096");
    assert_eq!(report.bound_cycles, 32_896);
    assert!(100 * report.cycles <= 104 * report.bound_cycles, "{} cycles", report.cycles);
}
