//! Sequences of commands: split layers, several layers, parts of what is loaded, refusals, reset in the middle.

use crate::harness::{Work, assert_passed, native, play, play_with, work};
use crate::programs::{layer, parts, ranges, refusals, with_fp32_scales, with_refusals};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Command, RunOptions};
use eva_rtl::vq::Distribution;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn tiny() -> CoreConfig {
    CoreConfig::preset("tiny").unwrap()
}

/// More inputs than fit on chip: ranges of K one after the other, each with its own activations, into the same
/// accumulators.
#[test]
fn ranges_of_inputs_add_up() {
    let cfg = tiny();
    let (half, x) = layer(&cfg, 64, 9, 2, Distribution::Wide, 5);
    for layer in [with_fp32_scales(&half), half] {
        let work = ranges(&cfg, &layer, &x, &[0..7, 7..8, 8..40, 40..64]);
        for seed in 0..8 {
            let stalls = if seed == 0 { Stalls::None } else { Stalls::Random { probability: 0.4 } };
            let report =
                play(&mut native(&cfg, seed), &work, stalls, Backpressure { stalls, after_valid: false }, seed);
            assert_passed(&report, &format!("seed {seed}"));
        }
    }
}

#[test]
fn layers_follow_one_another() {
    let cfg = tiny();
    let layers = [(64, 5, 1), (1, 64, 2), (15, 1, 2), (25, 130, 1)].into_iter().zip(30..).map(
        |((vectors, outputs, codebooks), seed)| {
            let (layer, x) = layer(&cfg, vectors, outputs, codebooks, Distribution::Wide, seed);
            work(&cfg, &layer, &x)
        },
    );
    let all = Work::sequence(&cfg, layers);
    let stalls = Stalls::Bursts { probability: 0.4, length: 9 };
    let report = play(&mut native(&cfg, 1), &all, stalls, Backpressure { stalls, after_valid: true }, 3);
    assert_passed(&report, "four layers");
    assert_eq!(report.outputs, 200);
}

/// Fewer vectors and codebooks than are loaded: the first ones.
#[test]
fn parts_of_what_is_loaded() {
    let cfg = tiny();
    let (layer, x) = layer(&cfg, 13, 6, 2, Distribution::Wide, 90);
    let work = parts(&cfg, &layer, &x, &[(1, 1), (13, 1), (12, 2), (4, 2), (5, 1)]);
    let report = play(&mut native(&cfg, 2), &work, Stalls::None, Backpressure::default(), 1);
    assert_passed(&report, "parts");
    assert_eq!(report.outputs, 42);
}

/// Every way to be refused, between the commands of a layer, which must not notice.
#[test]
fn refused_commands_leave_no_trace() {
    let cfg = tiny();
    let (layer, x) = layer(&cfg, 8, 7, 1, Distribution::Wide, 50);
    for status in 1..=4 {
        assert!(refusals(&cfg, 8, 1).iter().any(|refusal| refusal.1 == status), "status {status}");
    }
    for x_first in [false, true] {
        let mixed = with_refusals(&cfg, &layer, &x, x_first);
        let report = play(&mut native(&cfg, 1), &mixed, Stalls::None, Backpressure::default(), 1);
        assert_passed(&report, "refusals");
        assert_eq!(report.outputs, 14);
    }
}

/// Reset at any moment; the next layer is right.
#[test]
fn reset_in_the_middle() {
    let cfg = tiny();
    let (first, x) = layer(&cfg, 32, 20, 2, Distribution::Wide, 60);
    let first = work(&cfg, &first, &x);
    let (second, x) = layer(&cfg, 16, 11, 2, Distribution::Wide, 70);
    let second = work(&cfg, &second, &x);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut sim = native(&cfg, 9);
    for round in 0..40 {
        // A run that is cut off: the cycle limit makes it a failure, which is not looked at.
        let limit = rng.random_range(5..1500);
        let options = RunOptions { cycle_limit: Some(limit), seed: round, ..RunOptions::default() };
        play_with(&mut sim, &first, &options);
        let report = play(&mut sim, &second, Stalls::None, Backpressure::default(), round);
        assert_passed(&report, &format!("after a reset in cycle {limit}"));
    }
}

/// The example at the end of `docs/interface.md`, beat by beat.
#[test]
fn worked_example_of_the_interface_page() {
    let page = include_str!("../../docs/interface.md");
    let shown = |hex: &str| assert!(page.contains(&format!("`{hex}`")), "{hex} is not on the page");
    let bytes = |hex: &str| {
        shown(hex);
        let digits = hex.as_bytes().rchunks(2).map(|pair| std::str::from_utf8(pair).unwrap());
        digits.map(|pair| u8::from_str_radix(pair, 16).unwrap()).collect::<Vec<u8>>()
    };
    let command = |hex: &str, outputs: &[u32]| Command {
        bits: bytes(hex).try_into().unwrap(),
        status: 0,
        outputs: outputs.to_vec(),
    };
    shown("00004400");
    let mut work = Work::empty(&tiny());
    work.commands = vec![
        command("00000000000000000000000100000001", &[]),
        command("00000000000000010000000000000002", &[]),
        command("00000001000000010000010100000303", &[0x4400]),
    ];
    work.weights = [bytes("3c003c00").repeat(32), bytes("00003c00"), bytes("00000000")].concat();
    work.activations = bytes("00000000000000003c003c003c003c00");
    let report = play(&mut native(&tiny(), 1), &work, Stalls::None, Backpressure::default(), 1);
    assert_passed(&report, "the example");
}
