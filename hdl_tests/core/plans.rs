//! Plans as the packer makes them: chains of long layers, batches of tokens, groups with codebooks of their own, several layers one after the
//! other.

use crate::harness::{assert_passed, native, play_with};
use crate::plan_work::{draw_layer, groups_in_the_last_slots, plan_work};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Command, Job, Report, RunOptions, run};
use eva_rtl::vq::program::{PROGRAM_FILE, Program, ProgramBuilder, WEIGHTS_FILE};
use eva_rtl::vq::{AnyLayer, Distribution, Error, LayerShape, random_activations, random_layer};
use rand::seq::IndexedRandom;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A random core, and how many tokens it takes at once: of `batch`, one more often than several.
fn draw_core(rng: &mut impl Rng, batch: bool) -> (CoreConfig, usize) {
    loop {
        let mut cfg = CoreConfig::preset("tiny").unwrap();
        cfg.array.rows = *[2, 3, 4, 5, 8].choose(rng).unwrap();
        cfg.vq.dim = *[1, 2, 4, 8].choose(rng).unwrap();
        cfg.array.cols = 4 * cfg.vq.dim * rng.random_range(1..=3);
        cfg.vq.index_bits = rng.random_range(2..=5);
        cfg.vq.max_codebooks = rng.random_range(1..=8);
        cfg.epilogue.units = *[1, 2, 3, 4, 6, 8].choose(rng).unwrap();
        cfg.buffers.max_k = cfg.vq.dim * rng.random_range(1..=150);
        cfg.buffers.max_n_block = *[1, 2, 3, 5, 9, 30, 64].choose(rng).unwrap();
        cfg.stream.width = 32 << rng.random_range(0..6);
        let tokens = if batch { *[2, 4, 8].choose(rng).unwrap() } else { 1 };
        let fits_batch = cfg.epilogue.units.is_multiple_of(tokens)
            && tokens <= cfg.buffers.max_n_block
            && (tokens == 1 || cfg.max_vectors() >= cfg.tile_vectors());
        if cfg.validate().is_ok() && fits_batch && cfg.tile_vectors() <= 128 {
            return (cfg, tokens as usize);
        }
    }
}

/// Runs these layers as one plan, whose limits must be the beats that the core has taken and sent.
fn play(cfg: &CoreConfig, layers: &[AnyLayer], tokens: usize, stalls: [Stalls; 2], seed: u64) -> Report {
    let [sources, sinks] = stalls;
    let sinks = Backpressure { stalls: sinks, after_valid: seed.is_multiple_of(4) };
    let options = RunOptions { seed, sources, sinks, config: Some(cfg.clone()), ..RunOptions::default() };
    let report = play_with(&mut native(cfg, seed), &plan_work(cfg, layers, tokens, seed), &options);
    let limits = report.bounds.expect("the configuration was given");
    for (name, beats) in [("s_axis_w", limits.stream), ("s_axis_x", limits.activations), ("m_axis_y", limits.outputs)] {
        let stream = report.streams.iter().find(|stream| stream.name == name).unwrap();
        assert_eq!(beats, stream.beats, "seed {seed}: {name}\n{cfg:?}");
    }
    report
}

fn draw_stalls(rng: &mut impl Rng) -> [Stalls; 2] {
    let stalls = [
        Stalls::None,
        Stalls::Random { probability: 0.3 },
        Stalls::Random { probability: 0.9 },
        Stalls::Bursts { probability: 0.5, length: 30 },
    ];
    [*stalls.choose(rng).unwrap(), *stalls.choose(rng).unwrap()]
}

fn random_plans(seeds: std::ops::Range<u64>, batch: bool) {
    for seed in seeds {
        let rng = &mut ChaCha8Rng::seed_from_u64(seed);
        random_plan(rng, batch, None, seed);
    }
}

/// Of stalls drawn at random unless they are given.
fn random_plan(rng: &mut impl Rng, batch: bool, stalls: Option<[Stalls; 2]>, seed: u64) {
    let (cfg, tokens) = draw_core(rng, batch);
    let count = rng.random_range(1..=3);
    let layers: Vec<AnyLayer> = (0..count).map(|number| draw_layer(&cfg, rng, seed * 10 + number)).collect();
    let stalls = stalls.unwrap_or_else(|| draw_stalls(rng));
    let report = play(&cfg, &layers, tokens, stalls, seed);
    let shapes: Vec<String> = layers.iter().map(|layer| layer.as_ref().to_string()).collect();
    assert_passed(&report, &format!("seed {seed}: {tokens} tokens, {shapes:?}, {stalls:?}\n{cfg:?}"));
}

/// Without stalls every command takes exactly the predicted cycles (`play` compares them): chains, batches, groups and layers
/// behind others.
#[test]
fn plans_take_the_predicted_cycles() {
    for seed in 3000..3080 {
        // Not a multiple of 4: those wait with `tready` for `tvalid`.
        let seed = seed * 4 + 1;
        random_plan(&mut ChaCha8Rng::seed_from_u64(seed), seed % 8 == 1, Some([Stalls::None; 2]), seed);
    }
}

#[test]
fn random_plans_of_one_token() {
    random_plans(1000..1060, false);
}

#[test]
fn random_plans_of_several_tokens() {
    random_plans(2000..2060, true);
}

fn aqlm(cfg: &CoreConfig, vectors: usize, outputs: usize, codebooks: usize, seed: u64) -> AnyLayer {
    let (dim, index_bits) = (cfg.vq.dim as usize, cfg.vq.index_bits);
    let shape = LayerShape { inputs: vectors * dim, outputs, dim, index_bits, codebooks };
    AnyLayer::Aqlm(random_layer(shape, Distribution::Wide, seed).unwrap())
}

/// One layer, many buffers and batches: the same bits for each token.
#[test]
fn buffers_and_batches_do_not_change_a_bit() {
    for (max_k, max_n_block, units) in [(16, 8, 4), (32, 9, 4), (64, 40, 8), (1024, 64, 8)] {
        let mut cfg = CoreConfig::preset("tiny").unwrap();
        cfg.vq.max_codebooks = 8;
        cfg.buffers.max_k = 4 * max_k;
        cfg.buffers.max_n_block = max_n_block;
        cfg.epilogue.units = units;
        let layer = [aqlm(&cfg, 63, 37, 2, 9)];
        for tokens in [1, 2, 4, 8] {
            let fits = units % tokens == 0 && tokens <= max_n_block && max_k >= cfg.tile_vectors();
            if tokens == 1 || fits {
                let report = play(&cfg, &layer, tokens as usize, [Stalls::None; 2], 3);
                assert_passed(&report, &format!("{tokens} tokens in {cfg:?}"));
            }
        }
    }
}

/// Eight codebooks of a layer use all slots, those of the next wait for them.
#[test]
fn groups_fill_the_last_slots() {
    let mut cfg = CoreConfig::preset("tiny").unwrap();
    (cfg.epilogue.units, cfg.vq.max_codebooks) = (4, 5);
    let report = play_with(&mut native(&cfg, 1), &groups_in_the_last_slots(&cfg), &RunOptions::default());
    assert_passed(&report, "groups in the last slots");
}

#[test]
fn layers_that_need_every_slot() {
    let mut cfg = CoreConfig::preset("tiny").unwrap();
    cfg.vq.max_codebooks = 8;
    let layers = [aqlm(&cfg, 9, 70, 8, 1), aqlm(&cfg, 9, 3, 8, 2), aqlm(&cfg, 20, 1, 1, 3), aqlm(&cfg, 20, 65, 7, 4)];
    for stalls in [Stalls::None, Stalls::Random { probability: 0.5 }] {
        assert_passed(&play(&cfg, &layers, 1, [stalls; 2], 1), "all slots");
    }
}

/// A program from its folder.
#[test]
fn programs_run_from_their_files() {
    let cfg = CoreConfig::preset("tiny").unwrap();
    let layers = [aqlm(&cfg, 30, 70, 2, 1), aqlm(&cfg, 30, 9, 1, 2), aqlm(&cfg, 80, 5, 1, 3)];
    let folder = tempfile::tempdir().unwrap();
    let mut builder = ProgramBuilder::new(1, &cfg);
    for (layer, input) in layers.iter().zip([0, 0, 1]) {
        builder.push(layer, input).unwrap();
    }
    let files = builder.finish();
    std::fs::write(folder.path().join(PROGRAM_FILE), files.description).unwrap();
    std::fs::write(folder.path().join(WEIGHTS_FILE), files.plan.image).unwrap();

    let program = Program::open(folder.path(), &cfg).unwrap();
    let x: Vec<_> = program.inputs().iter().map(|&k| random_activations(k, Distribution::Wide, k as u64)).collect();
    let mut expected = Vec::new();
    let decoded = program.for_each_layer(&cfg, |number, layer| {
        expected.extend(layer.as_ref().golden_outputs(&x[program.layers()[number].input]));
        Ok::<(), Error>(())
    });
    decoded.unwrap();
    let mut expected = expected.into_iter().map(u32::from);
    let commands: Vec<Command> = program
        .steps()
        .iter()
        .map(|step| {
            let outputs = expected.by_ref().take(step.sent(1)).collect();
            Command { bits: step.command.to_bytes(), status: 0, outputs }
        })
        .collect();
    let activations = program.activations(&x, &cfg).unwrap();
    let job = Job { commands: &commands, weights: program.weights(), activations: &activations, reference: None };
    let report = run(&mut native(&cfg, 1), &job, &RunOptions::default(), &mut |_| {}).unwrap();
    assert_passed(&report, "a program");
    assert_eq!(report.outputs, 84);
}
