//! The emitted Verilog under Verilator, with the stimulus that the native simulator got.

use crate::configurations::draw;
use crate::harness::{assert_passed, native, play, verilator, work};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Report;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::vq::{Distribution, LayerShape, random_activations, random_layer};

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
        let work = work(&e.cfg, &e.layer, &e.x);
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
    let work = work(&cfg, &layer, &x);
    let stalls = Stalls::Random { probability: 0.2 };
    let sinks = Backpressure { stalls, after_valid: false };
    let native = play(&mut native(&cfg, 1), &work, stalls, sinks, 7);
    let verilated = play(&mut verilator(&cfg, 1), &work, stalls, sinks, 7);
    assert_same(&native, &verilated, "paper");
}
