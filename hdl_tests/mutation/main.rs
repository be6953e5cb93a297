//! Do the tests notice? Breaks the hardware of small cores in one place at a time and runs it against the golden model.
//!
//! A mutant changes one operator, operand order, constant, bit selection, enable or reset of one module, that is one
//! place of the generator: it counts as noticed if any of the cores that have this place fails a trial. A sample is
//! tried with the other tests, which also fails when the tests get weaker; `scripts/mutate` tries all of them, or those of
//! one module, and lists those that nobody noticed. Those that cannot matter are explained in `harmless.rs`.

mod batch_trials;
mod describe;
#[path = "../core/directed.rs"]
mod directed;
mod dot_trials;
mod harmless;
#[path = "../core/harness.rs"]
#[allow(dead_code)]
mod harness;
mod int8_trials;
#[path = "../core/int8_work.rs"]
mod int8_work;
mod mutant;
#[path = "../core/plan_work.rs"]
mod plan_work;
#[path = "../core/programs.rs"]
#[allow(dead_code)]
mod programs;
#[path = "../core/timing.rs"]
mod timing;
mod trials;

use harmless::{HARMLESS, explained};
use mutant::{Mutant, Place};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use std::collections::BTreeMap;
use trials::{Core, configurations};

/// Of the mutants that [`HARMLESS`] does not explain, this share of the sample has to be noticed; of all, every one.
const NOTICED: f64 = 0.99;

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
    let choice = std::env::var("EVA_MUTANTS");
    let tries_all = choice.as_deref() == Ok("all");
    let wanted: Vec<_> = match choice.as_deref() {
        Ok("all") => all,
        Ok(module) => all.into_iter().filter(|(place, _)| place.module == module).collect(),
        Err(_) => all.sample(&mut ChaCha8Rng::seed_from_u64(1), 300).copied().collect(),
    };

    // Modules are shared by reference counts that threads must not touch: each mutant gets a design of its own.
    let notices = |(number, mutant): &(usize, Mutant)| cores[*number].notices(&mutant.apply(cores[*number].design()));
    let survives = |(place, mutants): &(&Place, &Vec<(usize, Mutant)>)| {
        let survives = !mutants.iter().any(notices);
        if survives && explained(place).is_none() {
            println!("not noticed: {}", mutants[0].1);
        }
        survives
    };
    let survivors: Vec<_> = wanted.par_iter().filter(|mutant| survives(mutant)).collect();

    let mut harmless: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    let mut missed = 0;
    for (place, _) in &survivors {
        match explained(place) {
            Some(explanation) => *harmless.entry(explanation).or_default() += 1,
            None => missed += 1,
        }
    }
    for (reason, (text, _)) in HARMLESS.iter().enumerate() {
        let count: usize = harmless.iter().filter(|((r, _), _)| *r == reason).map(|(_, count)| count).sum();
        println!("{count:4} harmless: {text}");
    }
    let noticed = wanted.len() - survivors.len();
    println!("{noticed} of {} mutants noticed, {} harmless, {missed} missed", wanted.len(), survivors.len() - missed);

    let share = noticed as f64 / (noticed + missed) as f64;
    assert!(noticed >= 100 && share >= NOTICED, "only {:.1} % of the mutants were noticed", 100.0 * share);
    if tries_all {
        assert_eq!(missed, 0, "mutants that were not noticed and have no explanation");
        let mut outdated = Vec::new();
        for (reason, (text, patterns)) in HARMLESS.iter().enumerate() {
            for (number, (module, change, count)) in patterns.iter().enumerate() {
                let found = harmless.get(&(reason, number)).copied().unwrap_or_default();
                if found != *count {
                    outdated.push(format!("{found} instead of {count} of {module} like `{change}` ({text})"));
                }
            }
        }
        assert!(outdated.is_empty(), "harmless mutants:\n{}", outdated.join("\n"));
    }
}
