//! Do the tests notice? Breaks the hardware of a small core in one place at a time and runs it against the golden model.
//!
//! A mutant changes one operator, operand order, constant, bit selection, enable or reset of one module. A sample is tried with the other
//! tests, which also fails when the tests get weaker; `scripts/mutate` tries all of them and lists those that nobody noticed.

#[path = "../core/harness.rs"]
#[allow(dead_code)]
mod harness;
mod mutant;

use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Job, Native, RunOptions, run};
use eva_rtl::hdl::Design;
use eva_rtl::rtl::eva_core;
use eva_rtl::vq::{Distribution, Layer, LayerShape, Scales, random_activations, random_layer};
use harness::Work;
use mutant::Mutant;
use rand::seq::IndexedRandom;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Every mutant that differs from the core at all should be noticed; some only change what does not matter (the value of a bit that is
/// overridden by a flag, a counter that is restarted anyway). This share of the sample has to be noticed.
const NOTICED: f64 = 0.90;

/// A run and how its streams stall.
struct Trial {
    work: Work,
    stalls: Stalls,
}

fn config() -> CoreConfig {
    let mut cfg = CoreConfig::preset("tiny").unwrap();
    cfg.pipeline.tree = 2;
    cfg.pipeline.epilogue = 2;
    cfg.pipeline.scale = 2;
    cfg
}

/// Short runs that together use everything: several tiles and blocks, one output, FP32 scales, special values, stalls.
fn trials(cfg: &CoreConfig) -> Vec<Trial> {
    let trial = |vectors: usize, outputs, codebooks, distribution, fp32: bool, stalls, seed| {
        let shape = LayerShape { inputs: 4 * vectors, outputs, dim: 4, index_bits: 4, codebooks };
        let mut layer = random_layer(shape, distribution, seed).unwrap();
        if fp32 {
            let scales = Scales::F32((0..outputs as u32).map(|i| 0x2E00_0000 + (i * 0x0123_4567) % 0x1400_0000).collect());
            layer =
                Layer::new("fp32".to_owned(), shape, layer.centroids().to_vec(), layer.codes().to_vec(), scales).unwrap();
        }
        let x = random_activations(4 * vectors, distribution, seed + 100);
        Trial { work: harness::work(cfg, &layer, &x), stalls }
    };
    let random = Stalls::Random { probability: 0.5 };
    vec![
        trial(7, 9, 2, Distribution::Realistic, false, Stalls::None, 1),
        trial(1, 1, 1, Distribution::Wide, false, Stalls::None, 2),
        trial(3, 2, 2, Distribution::Any, true, random, 3),
        trial(2, 40, 1, Distribution::Any, false, Stalls::None, 4),
        trial(9, 70, 2, Distribution::Wide, true, random, 5),
        trial(64, 3, 1, Distribution::Finite, false, random, 6),
        trial(5, 64, 2, Distribution::Finite, true, Stalls::None, 7),
    ]
}

/// Whether any trial shows a difference.
fn noticed(design: &Design, trials: &[Trial]) -> bool {
    let Ok(mut sim) = Native::new(design, 1, false) else { return true };
    trials.iter().any(|Trial { work, stalls }| {
        let job = Job { commands: &work.commands, weights: &work.weights, activations: &work.activations, reference: None };
        let sinks = Backpressure { stalls: *stalls, after_valid: false };
        let options = RunOptions { seed: 1, sources: *stalls, sinks, idle_limit: 1_000, cycle_limit: Some(20_000), ..RunOptions::default() };
        !run(&mut sim, &job, &options, &mut |_| {}).unwrap().passed()
    })
}

#[test]
fn mutants_are_noticed() {
    let cfg = config();
    let design = eva_core(&cfg).unwrap().design;
    let trials = trials(&cfg);
    assert!(!noticed(&design, &trials), "the core itself is right");

    let all = Mutant::all(&design);
    let wanted = match std::env::var("EVA_MUTANTS").as_deref() {
        Ok("all") => all.clone(),
        _ => all.sample(&mut ChaCha8Rng::seed_from_u64(1), 300).cloned().collect(),
    };
    // Modules are shared by reference counts that threads must not touch: each mutant gets its design from its number.
    let survivors: Vec<&Mutant> = wanted
        .par_iter()
        .filter(|mutant| {
            let design = eva_core(&cfg).unwrap().design;
            !noticed(&mutant.apply(design), &trials)
        })
        .collect();

    let mut by_module: BTreeMap<&str, u32> = BTreeMap::new();
    for mutant in &survivors {
        println!("not noticed: {mutant}");
        *by_module.entry(&mutant.module).or_default() += 1;
    }
    let share = 1.0 - survivors.len() as f64 / wanted.len() as f64;
    println!("{} of {} mutants noticed ({:.1} %)", wanted.len() - survivors.len(), wanted.len(), 100.0 * share);
    println!("not noticed, by module: {by_module:?}");
    assert!(wanted.len() >= 100 && share >= NOTICED, "only {:.1} % of the mutants were noticed", 100.0 * share);
}
