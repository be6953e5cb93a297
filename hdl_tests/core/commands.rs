//! Sequences of commands: split layers, several layers, refusals, reset in the middle.

use crate::harness::{Work, assert_passed, native, play, work};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Command, Simulator};
use eva_rtl::golden;
use eva_rtl::vq::{self, Distribution, Layer, LayerShape, Operation, Packer, VqGemv, random_activations, random_layer};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn tiny() -> CoreConfig {
    CoreConfig::preset("tiny").unwrap()
}

fn layer(inputs: usize, outputs: usize, codebooks: usize, seed: u64) -> (Layer, Vec<u16>) {
    let shape = LayerShape { inputs, outputs, dim: 4, index_bits: 4, codebooks };
    let layer = random_layer(shape, Distribution::Wide, seed).unwrap();
    (layer, random_activations(inputs, Distribution::Wide, seed + 1))
}

fn good(tag: u16, operation: Operation, outputs: &[u16]) -> Command {
    let bits = vq::Command { tag, operation }.to_bytes();
    Command { bits, status: 0, outputs: outputs.iter().map(|y| u32::from(*y)).collect() }
}

fn empty() -> Work {
    Work { commands: Vec::new(), weights: Vec::new(), activations: Vec::new(), expected: Vec::new() }
}

impl Work {
    fn append(&mut self, mut other: Work) {
        self.commands.append(&mut other.commands);
        self.weights.append(&mut other.weights);
        self.activations.append(&mut other.activations);
        self.expected.append(&mut other.expected);
    }
}

/// A refused command: beats of no stream, outputs none.
fn refused(bits: u128, status: u8) -> Command {
    Command { bits: bits.to_le_bytes(), status, outputs: Vec::new() }
}

/// More inputs than fit on chip: ranges of K one after the other, each with its own activations, into the same accumulators.
#[test]
fn ranges_of_inputs_add_up() {
    let cfg = tiny();
    let (layer, x) = layer(256, 9, 2, 5);
    let packer = Packer::new(&layer, &cfg).unwrap();
    let expected = golden::vq_gemv(&x, &layer.golden());
    let ranges = [0..7usize, 7..8, 8..40, 40..64];
    let mut work = empty();
    work.commands.push(good(0, Operation::LoadCodebooks { codebooks: 2 }, &[]));
    work.weights.extend(packer.codebooks());
    for (i, range) in ranges.iter().enumerate() {
        let (first, last) = (i == 0, i + 1 == ranges.len());
        let vectors = range.len() as u32;
        let gemv = VqGemv { first, last, scale_fp32: false, codebooks: 2, vectors, outputs: 9 };
        work.commands.push(good(10 + i as u16, Operation::LoadX { vectors }, &[]));
        work.commands.push(good(20 + i as u16, Operation::VqGemv(gemv), if last { &expected } else { &[] }));
        work.activations.extend(vq::pack_x(&x[4 * range.start..4 * range.end], &cfg).unwrap());
        if last {
            work.weights.extend(packer.scales(0..9));
        }
        work.weights.extend(packer.indices(0..9, range.clone()));
    }
    for seed in 0..8 {
        let stalls = if seed == 0 { Stalls::None } else { Stalls::Random { probability: 0.4 } };
        let report = play(&mut native(&cfg, seed), &work, stalls, Backpressure { stalls, after_valid: false }, seed);
        assert_passed(&report, &format!("seed {seed}"));
    }
}

#[test]
fn layers_follow_one_another() {
    let cfg = tiny();
    let mut all = empty();
    for (i, (inputs, outputs, codebooks)) in [(256, 5, 1), (4, 64, 2), (60, 1, 2), (100, 130, 1)].into_iter().enumerate() {
        let (layer, x) = layer(inputs, outputs, codebooks, 30 + i as u64);
        all.append(work(&cfg, &layer, &x));
    }
    let stalls = Stalls::Bursts { probability: 0.4, length: 9 };
    let report = play(&mut native(&cfg, 1), &all, stalls, Backpressure { stalls, after_valid: true }, 3);
    assert_passed(&report, "four layers");
    assert_eq!(report.outputs, 200);
}

/// Every way to be refused, between the commands of a layer, which must not notice.
#[test]
fn refused_commands_leave_no_trace() {
    let cfg = tiny();
    let (most_v, most_n, most_c) = (64u128, 64u128, 2u128);
    let gemv = |c: u128, v: u128, n: u128| 3 | 3 << 8 | c << 32 | v << 64 | n << 96;
    let (unknown, range, reserved, not_loaded) = (1, 2, 3, 4);
    let refusals = [
        (0, unknown),
        (4, unknown),
        (255 | 1 << 32, unknown),
        // Sizes of zero and beyond the parameters.
        (1, range),
        (1 | (most_c + 1) << 32, range),
        (1 | 255 << 32, range),
        (2, range),
        (2 | (most_v + 1) << 64, range),
        (2 | 0xFFFF_FFFF << 64, range),
        (gemv(0, 1, 1), range),
        (gemv(3, 1, 1), range),
        (gemv(1, 0, 1), range),
        (gemv(1, 65, 1), range),
        (gemv(1, 1, 0), range),
        (gemv(1, 1, most_n + 1), range),
        (gemv(1, 1, 1 << 31), range),
        (gemv(1, 1 << 31, 1), range),
        // Bits that mean nothing.
        (1 | 1 << 32 | 1 << 11, reserved),
        (1 | 1 << 32 | 1 << 63, reserved),
        (1 | 1 << 32 | 1 << 40, reserved),
        (1 | 1 << 32 | 1 << 8, reserved),
        (1 | 1 << 32 | 1 << 64, reserved),
        (1 | 1 << 32 | 1 << 96, reserved),
        (2 | 1 << 64 | 1 << 32, reserved),
        (2 | 1 << 64 | 1 << 10, reserved),
        (2 | 1 << 64 | 1 << 127, reserved),
        (gemv(1, 1, 1) | 1 << 15, reserved),
        // More than the layer has loaded.
        (gemv(2, 8, 1), not_loaded),
        (gemv(1, 9, 1), not_loaded),
    ];
    let (layer, x) = layer(32, 7, 1, 50);
    let plain = work(&cfg, &layer, &x);
    let mut mixed = empty();
    for command in &plain.commands {
        let loads_only_later = command.opcode() != 3;
        mixed.commands.push(command.clone());
        for (i, (bits, status)) in refusals.iter().enumerate() {
            if *status == not_loaded && loads_only_later {
                continue;
            }
            let mut command = refused(*bits, *status);
            command.bits[2] = i as u8;
            mixed.commands.push(command);
        }
    }
    // Nothing is loaded at the start.
    mixed.commands.insert(0, refused(gemv(1, 1, 1), not_loaded));
    let again = work(&cfg, &layer, &x);
    mixed.weights = plain.weights;
    mixed.activations = plain.activations;
    mixed.append(again);
    let report = play(&mut native(&cfg, 1), &mixed, Stalls::None, Backpressure::default(), 1);
    assert_passed(&report, "refusals");
    assert_eq!(report.outputs, 14);
}

/// Reset at any moment; the next layer is right.
#[test]
fn reset_in_the_middle() {
    let cfg = tiny();
    let (first, x) = layer(128, 20, 2, 60);
    let first = work(&cfg, &first, &x);
    let (second, x) = layer(64, 11, 2, 70);
    let second = work(&cfg, &second, &x);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let mut sim = native(&cfg, 9);
    for round in 0..40 {
        // A run that is cut off: the cycle limit makes it a failure, which is not looked at.
        let limit = rng.random_range(5..1500);
        let job = eva_rtl::cosim::Job {
            commands: &first.commands,
            weights: &first.weights,
            activations: &first.activations,
            reference: None,
        };
        let options = eva_rtl::cosim::RunOptions { cycle_limit: Some(limit), seed: round, ..Default::default() };
        eva_rtl::cosim::run(&mut sim as &mut dyn Simulator, &job, &options, &mut |_| {}).unwrap();
        let report = play(&mut sim, &second, Stalls::None, Backpressure::default(), round);
        assert_passed(&report, &format!("after a reset in cycle {limit}"));
    }
}
