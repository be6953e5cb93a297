//! Chosen numbers and exact times, in cores of several shapes.

use crate::configurations::draw;
use crate::directed::directed;
use crate::harness::{assert_passed, native, play, work};
use crate::programs::layer;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::vq::{Distribution, Packer};

#[test]
fn special_values_ties_and_scales() {
    // Cores with few entries and banks: these layers are many and short.
    let drawn = (1000..1200).map(|seed| draw(seed).cfg).filter(|cfg| cfg.entries() * cfg.tile_vectors() <= 400);
    let cores: Vec<CoreConfig> = drawn.take(8).chain([CoreConfig::preset("tiny").unwrap()]).collect();
    let mut finite = 0;
    for cfg in &cores {
        let mut sim = native(cfg, 4);
        for chosen in directed(cfg) {
            let work = work(cfg, &chosen.layer, &chosen.x);
            let report = play(&mut sim, &work, Stalls::None, Backpressure::default(), 1);
            assert_passed(&report, &format!("{} in {cfg:?}", chosen.name));
            finite += work.commands.iter().flat_map(|c| &c.outputs).filter(|y| **y & 0x7C00 != 0x7C00).count();
        }
    }
    assert!(finite > 1000, "{finite} finite outputs show little");
}

/// Without stalls every command takes exactly the predicted cycles (`play` compares them), whatever the core.
#[test]
fn commands_take_the_predicted_cycles() {
    for seed in 2000..2060 {
        let e = draw(seed);
        let work = work(&e.cfg, &e.layer, &e.x);
        let report = play(&mut native(&e.cfg, seed), &work, Stalls::None, Backpressure::default(), seed);
        assert_passed(&report, &e.describe());
    }
}

/// Loads that wait for loads: of activations, and of codebooks into the same slots.
#[test]
fn loads_wait_for_one_another() {
    let cfg = CoreConfig::preset("tiny").unwrap();
    let (layer, x) = layer(&cfg, 64, 9, 2, Distribution::Wide, 5);
    let codebooks = Packer::new(&layer, &cfg).unwrap().codebooks(0..2);
    let once = work(&cfg, &layer, &x);
    let mut all = once.clone();
    let (load_codebooks, load_x) = (once.commands[0].clone(), once.commands[1].clone());
    let again = [&load_x, &load_x, &load_codebooks, &load_codebooks, &load_x].map(Clone::clone);
    all.commands.splice(0..0, again);
    all.weights = [codebooks.as_slice(), &codebooks, &once.weights].concat();
    all.activations = once.activations.repeat(4);
    // Once more, behind the product that still needs them.
    all.append(once);
    let report = play(&mut native(&cfg, 4), &all, Stalls::None, Backpressure::default(), 1);
    assert_passed(&report, "loads");
}
