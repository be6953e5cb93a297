//! Do the tests notice? Breaks the hardware of small cores in one place at a time and runs it against the golden model.
//!
//! A mutant changes one operator, operand order, constant, bit selection, enable or reset of one module, that is one
//! place of the generator: it counts as noticed if any of the cores that have this place fails a trial. A sample is
//! tried with the other tests, which also fails when the tests get weaker; `scripts/mutate` tries all of them and lists
//! those that nobody noticed.

mod describe;
#[path = "../core/directed.rs"]
mod directed;
#[path = "../core/harness.rs"]
#[allow(dead_code)]
mod harness;
mod mutant;
#[path = "../core/programs.rs"]
#[allow(dead_code)]
mod programs;
#[path = "../core/timing.rs"]
mod timing;
mod trials;

use mutant::{Mutant, Place};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use trials::{Core, configurations};

/// This share of the sample has to be noticed.
const NOTICED: f64 = 0.90;

#[test]
fn mutants_are_noticed() {
    let cores: Vec<Core> = configurations().par_iter().map(Core::new).collect();
    // The same place of the generator in each core that has it.
    let mut places: BTreeMap<Place, Vec<(usize, Mutant)>> = BTreeMap::new();
    for (number, core) in cores.iter().enumerate() {
        for mutant in Mutant::all(&core.design()) {
            places.entry(mutant.place.clone()).or_default().push((number, mutant));
        }
    }
    let all: Vec<_> = places.iter().collect();
    let wanted = match std::env::var("EVA_MUTANTS").as_deref() {
        Ok("all") => all,
        _ => all.sample(&mut ChaCha8Rng::seed_from_u64(1), 300).copied().collect(),
    };
    // Modules are shared by reference counts that threads must not touch: each mutant gets a design of its own.
    let notices = |(number, mutant): &(usize, Mutant)| cores[*number].notices(&mutant.apply(cores[*number].design()));
    let survivors: Vec<_> = wanted.par_iter().filter(|(_, mutants)| !mutants.iter().any(notices)).collect();

    let mut by_module: BTreeMap<&str, u32> = BTreeMap::new();
    for (place, mutants) in &survivors {
        println!("not noticed: {}", mutants[0].1);
        *by_module.entry(&place.module).or_default() += 1;
    }
    let share = 1.0 - survivors.len() as f64 / wanted.len() as f64;
    println!("{} of {} mutants noticed ({:.1} %)", wanted.len() - survivors.len(), wanted.len(), 100.0 * share);
    println!("not noticed, by module: {by_module:?}");
    assert!(wanted.len() >= 100 && share >= NOTICED, "only {:.1} % of the mutants were noticed", 100.0 * share);
}
