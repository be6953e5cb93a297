//! Random configurations, shapes and stalls.

use crate::harness::{assert_passed, native, play, work};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::vq::{Distribution, LayerShape, random_activations, random_layer};

#[test]
fn tiny_runs() {
    let cfg = CoreConfig::preset("tiny").unwrap();
    let shape = LayerShape { inputs: 64, outputs: 20, dim: 4, index_bits: 4, codebooks: 2 };
    let layer = random_layer(shape, Distribution::Realistic, 1).unwrap();
    let x = random_activations(64, Distribution::Realistic, 2);
    let work = work(&cfg, &layer, &x);
    let report = play(&mut native(&cfg, 1), &work, Stalls::None, Backpressure::default(), 1);
    assert_passed(&report, "tiny");
}
