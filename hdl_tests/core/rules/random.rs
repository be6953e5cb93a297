//! Random commands through random cores: every status, output and counter is what the page says.

use super::{draw_core, sequence};
use crate::harness::{native, play_with};
use eva_rtl::cosim::RunOptions;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

/// Each one takes about a tenth of a second, most of it for the making of its core.
const CORES: u64 = 60;

fn stalls(rng: &mut ChaCha8Rng) -> Stalls {
    let kinds = [
        Stalls::None,
        Stalls::Random { probability: 0.3 },
        Stalls::Random { probability: 0.9 },
        Stalls::Bursts { probability: 0.5, length: 30 },
    ];
    *kinds.choose(rng).unwrap()
}

/// Sequences without stalls, which are checked to the cycle, and with them; some after a reset at any moment.
#[test]
fn commands_of_any_kind_do_what_the_page_says() {
    let (mut told, mut batches) = (BTreeMap::new(), BTreeMap::new());
    for seed in 0..CORES {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        let cfg = draw_core(rng);
        let mut sim = native(&cfg, seed);
        for round in 0..4 {
            let length = rng.random_range(2..=40);
            let rules = sequence(&cfg, length, rng);
            let (mut sources, mut sinks) = (Stalls::None, Backpressure::default());
            if round > 1 {
                sources = stalls(rng);
                sinks = Backpressure { stalls: stalls(rng), after_valid: rng.random_range(0..4) == 0 };
            }
            if round > 0 && rng.random() {
                // Cut off, which is a failure that is not looked at; the next run begins with a reset.
                let cycle_limit = Some(rng.random_range(1..1500));
                let options = RunOptions { seed: round, sources, sinks, cycle_limit, ..RunOptions::default() };
                play_with(&mut sim, &rules.work, &options);
            }
            let options =
                RunOptions { seed: seed + round, sources, sinks, idle_limit: 20_000, ..RunOptions::default() };
            let mut report = play_with(&mut sim, &rules.work, &options);
            if rules.work.commands.iter().all(|command| command.outputs.is_empty()) {
                report.failures.retain(|failure| !failure.starts_with("no output was compared"));
            }
            let commands: Vec<String> = rules.work.commands.iter().map(|c| format!("{c:x?}")).collect();
            assert!(
                report.failures.is_empty() && report.mismatches == 0,
                "seed {seed}, round {round}, {sources}, {sinks:?}: {cfg:?}\n{report:#?}\n{}",
                commands.join("\n")
            );
            rules.told.into_iter().for_each(|(key, count)| *told.entry(key).or_default() += count);
            rules.batches.into_iter().for_each(|(key, count)| *batches.entry(key).or_default() += count);
        }
    }
    // Every kind of command with every status that it can have, batches in particular.
    let count = |opcode: u8, status: u8| told.get(&(opcode, status)).copied().unwrap_or(0usize);
    for (opcode, statuses) in [(1, &[0, 2, 3][..]), (2, &[0, 2, 3]), (3, &[0, 2, 3, 4, 5]), (4, &[0, 2, 3]), (5, &[1])]
    {
        assert!(statuses.iter().all(|&status| count(opcode, status) > 2), "{told:?}");
    }
    assert!([0, 4, 5].iter().all(|status| batches.get(status).is_some_and(|count: &usize| *count > 2)), "{batches:?}");
}
