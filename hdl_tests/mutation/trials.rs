//! What a broken core is put through: short runs that together use everything that a core has.

use crate::batch_trials::batch_trials;
use crate::directed::{directed, special_terms};
use crate::dot_trials::{infinities, largest, single_bits};
use crate::harness::{Work, native, play_with, work};
use crate::int8_trials::int8_trials;
use crate::plan_work::{draw_layer, groups_in_the_last_slots, plan_work};
use crate::programs::{layer, parts, ranges, with_fp32_scales, with_refusals};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Native, Report, RunOptions};
use eva_rtl::hdl::Design;
use eva_rtl::rtl::eva_core;
use eva_rtl::vq::Distribution;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A core and its trials.
pub struct Core {
    pub cfg: CoreConfig,
    trials: Vec<Trial>,
}

/// A run.
pub struct Trial {
    name: &'static str,
    work: Work,
    options: RunOptions,
    /// Runs that end in one of these cycles come before it, without looking at what they give, and the whole run after
    /// each of them.
    cut_off: Vec<u64>,
    /// Whether weights and activations keep the core waiting, which it has to count.
    waits: [bool; 2],
}

/// How streams may behave.
pub struct Kinds {
    pub calm: RunOptions,
    pub random: RunOptions,
    pub bursts: RunOptions,
    /// Outputs are not taken for long.
    pub blocked: RunOptions,
    /// Inputs do not come for long.
    pub starved: RunOptions,
}

impl Kinds {
    fn new(cfg: &CoreConfig) -> Kinds {
        let calm = RunOptions::default();
        let stalls = |stalls| RunOptions {
            seed: 1,
            sources: stalls,
            sinks: Backpressure { stalls, after_valid: false },
            ..calm.clone()
        };
        let bursts = stalls(Stalls::Bursts { probability: 0.7, length: 40 });
        let long_bursts = stalls(Stalls::Bursts { probability: 0.8, length: 12 * cfg.entries().max(cfg.array.rows) });
        Kinds {
            random: stalls(Stalls::Random { probability: 0.5 }),
            blocked: RunOptions { sources: Stalls::None, ..bursts.clone() },
            starved: RunOptions { sinks: Backpressure::default(), ..long_bursts },
            bursts,
            calm,
        }
    }
}

/// Small cores that together have every kind of generated hardware.
pub fn configurations() -> Vec<CoreConfig> {
    let tiny = CoreConfig::preset("tiny").unwrap();
    // Several index words in a beat, several beats for an entry of a codebook, up to four tokens.
    let mut plain = tiny.clone();
    plain.epilogue.units = 4;
    plain.pipeline.tree = 2;
    plain.pipeline.epilogue = 3;
    plain.pipeline.scale = 2;
    // Two segments of one product, three units, three beats for a word, fewer entries than rows.
    let mut wide = tiny.clone();
    wide.array.rows = 6;
    wide.array.cols = 8;
    wide.vq.dim = 1;
    wide.vq.index_bits = 2;
    wide.vq.max_codebooks = 3;
    wide.epilogue.units = 3;
    wide.buffers.max_k = 70;
    wide.buffers.max_n_block = 37;
    wide.pipeline.pe = 0;
    wide.pipeline.tree = 4;
    wide.pipeline.epilogue = 4;
    wide.pipeline.scale = 5;
    // Everything in one tile, one unit, steps that the array fills faster than a short one may follow, words and blocks that are no powers of two.
    let mut narrow = tiny.clone();
    narrow.array.rows = 4;
    narrow.array.cols = 8;
    narrow.vq.dim = 2;
    narrow.vq.index_bits = 2;
    narrow.vq.max_codebooks = 3;
    narrow.epilogue.units = 1;
    narrow.buffers.max_k = 6;
    narrow.buffers.max_n_block = 6;
    narrow.stream.width = 64;
    narrow.pipeline.tree = 0;
    narrow.pipeline.epilogue = 1;
    narrow.pipeline.scale = 1;
    // Three segments, several entries in a beat.
    let mut segments = tiny;
    segments.array.rows = 4;
    segments.array.cols = 24;
    segments.vq.dim = 2;
    segments.vq.max_codebooks = 4;
    segments.vq.index_bits = 3;
    segments.buffers.max_k = 100;
    segments.buffers.max_n_block = 20;
    segments.stream.width = 256;
    segments.pipeline.tree = 3;
    segments.pipeline.epilogue = 2;
    segments.pipeline.pe = 2;
    segments.pipeline.scale = 3;
    vec![plain, wide, narrow, segments]
}

impl Core {
    /// The core itself must pass every trial.
    pub fn new(cfg: &CoreConfig) -> Core {
        let mut core = Core { cfg: cfg.clone(), trials: trials(cfg) };
        for trial in &mut core.trials {
            let report = trial.play(&mut native(cfg, 1));
            assert!(report.passed(), "{}: {report:#?}\n{cfg:?}", trial.name);
            trial.waits = waits(&report);
            // Enough for a core that is slower, and an end to one that is stuck.
            trial.options.idle_limit = 1_000;
            trial.options.cycle_limit = Some(2 * report.simulated_cycles + 1_000);
        }
        core
    }

    pub fn design(&self) -> Design {
        eva_core(&self.cfg).expect("elaborates").design
    }

    /// Whether any trial fails on `design`.
    pub fn notices(&self, design: &Design) -> bool {
        let Ok(mut sim) = Native::new(design, 1, false) else { return true };
        self.trials.iter().any(|trial| !trial.play(&mut sim).passed())
    }
}

impl Trial {
    pub fn new(name: &'static str, work: Work, options: &RunOptions) -> Trial {
        Trial { name, work, options: options.clone(), cut_off: Vec::new(), waits: [false; 2] }
    }

    /// The same after each of the runs that end in these cycles.
    pub fn after_resets(self, cut_off: Vec<u64>) -> Trial {
        Trial { cut_off, ..self }
    }

    fn play(&self, sim: &mut Native) -> Report {
        for limit in &self.cut_off {
            play_with(sim, &self.work, &RunOptions { cycle_limit: Some(*limit), ..self.options.clone() });
            let report = play_with(sim, &self.work, &self.options);
            if !report.passed() {
                return report;
            }
        }
        let mut report = play_with(sim, &self.work, &self.options);
        let noticed = waits(&report);
        if self.waits.iter().zip(noticed).any(|(waits, noticed)| *waits && !noticed) {
            report.failures.push("the core has not noticed that it was starved".into());
        }
        report
    }
}

fn waits(report: &Report) -> [bool; 2] {
    [report.counters.w_stalls > 0, report.counters.x_stalls > 0]
}

/// In an order in which most broken cores fail early.
fn trials(cfg: &CoreConfig) -> Vec<Trial> {
    let kinds = Kinds::new(cfg);
    let mut int8 = int8_trials(cfg, &kinds);
    let later = int8.split_off(3);
    let mut all = decode_trials(cfg, &kinds);
    all.splice(3..3, int8);
    all.extend(later);
    all.extend(batch_trials(cfg, &kinds));
    all
}

/// Layers.
fn decode_trials(cfg: &CoreConfig, kinds: &Kinds) -> Vec<Trial> {
    let Kinds { calm, random, bursts, blocked, starved } = kinds;
    let tile = cfg.tile_vectors() as usize;
    let (most_v, most_n) = (cfg.max_vectors() as usize, cfg.buffers.max_n_block as usize);
    let most_c = cfg.vq.max_codebooks as usize;
    let some_c = most_c.min(2);
    let draw = |vectors: usize, outputs, codebooks, distribution, seed| {
        layer(cfg, vectors.min(most_v), outputs, codebooks, distribution, seed)
    };
    let simple = |vectors, outputs, codebooks, distribution, seed| {
        let (layer, x) = draw(vectors, outputs, codebooks, distribution, seed);
        work(cfg, &layer, &x)
    };
    let mut all: Vec<Trial> = Vec::new();
    let mut add = |name, work, options: &RunOptions| all.push(Trial::new(name, work, options));

    use Distribution::{Any, Finite, Realistic, Wide};
    add("part of a second tile", simple(tile + tile / 2 + 1, most_n + 3, some_c, Realistic, 1), calm);
    add("the smallest layer", simple(1, 1, 1, Wide, 2), calm);
    let (layer, x) = draw(tile + 1, 5, some_c, Wide, 3);
    add("FP32 scales", work(cfg, &with_fp32_scales(&layer), &x), random);
    add("special values", simple(tile.div_ceil(2), 40, 1, Any, 4), random);
    for codebooks in 1..=most_c {
        add("some of the slots", simple(1, 2, codebooks, Wide, 7), calm);
    }
    add("everything full", simple(most_v, most_n, most_c, Finite, 5), calm);

    // Several chains, so that accumulators hold something old, cut in other places each time.
    let total = (tile + 2).min(most_v);
    let (layer, x) = draw(total, most_n.min(9), some_c, Wide, 6);
    let cuts = [
        std::iter::once(0..total).collect(),
        vec![0..1, 1..total],
        vec![0..total / 2, total / 2..total - 1, total - 1..total],
    ];
    let chains = |layer| Work::sequence(cfg, cuts.iter().map(|cuts| ranges(cfg, layer, &x, cuts)));
    add("ranges of inputs", chains(&layer), calm);
    add("ranges of inputs, stalled", chains(&with_fp32_scales(&layer)), random);
    let special = special_terms(cfg, most_n);
    let vectors = special.layer.shape().vectors();
    let cuts = [0..1, 1..vectors / 2 + 1, vectors / 2 + 1..vectors];
    add("ranges of special terms", ranges(cfg, &special.layer, &special.x, &cuts), calm);
    add("parts of what is loaded", parts(cfg, &layer, &x, &[(1, 1), (total, 1), (total - 1, some_c)]), calm);

    // One and two outputs: the same accumulator again and again, as soon as both halves are filled and the words come
    // late, now and then in the one cycle that matters.
    for outputs in [1, 2, 3, 4] {
        let layers =
            |count| Work::sequence(cfg, (0..count).map(|seed| simple(8 * tile, outputs, most_c, Wide, 10 + seed)));
        add("few outputs", layers(if outputs < 3 { 16 } else { 3 }), starved);
        add("few outputs, calm", layers(3), calm);
    }
    add("more outputs than the queue holds", simple(2, 3 * most_n.max(24), 1, Wide, 20), blocked);
    add("bursts", simple(3 * tile, most_n + 1, most_c, Finite, 21), bursts);
    for chosen in directed(cfg) {
        add(chosen.name, work(cfg, &chosen.layer, &chosen.x), calm);
        // Whose products fill the scaler.
        if chosen.name == "largest sums" {
            add("largest sums, FP32 scales", work(cfg, &with_fp32_scales(&chosen.layer), &chosen.x), calm);
        }
    }
    add("infinities times the smallest numbers", infinities(cfg), calm);
    add("the largest products", largest(cfg), calm);
    add("a single bit below a tie", single_bits(cfg), calm);
    let (layer, x) = draw((most_v - 1).max(1), 3, (most_c - 1).max(1), Wide, 30);
    for x_first in [false, true] {
        add("refusals", with_refusals(cfg, &layer, &x, x_first), calm);
    }
    let reloads = (0..8).map(|seed| simple(most_v, most_n, most_c, Wide, 22 + seed)).collect::<Vec<_>>();
    let starving = RunOptions { sources: Stalls::Random { probability: 0.7 }, ..calm.clone() };
    all.push(Trial::new("loads that wait", Work::sequence(cfg, reloads), &starving));
    let mut rng = ChaCha8Rng::seed_from_u64(40);
    for (vectors, codebooks) in [(tile + 1, some_c), (1, 1)] {
        let cut_off = (0..10).map(|_| rng.random_range(5..300)).collect();
        let work = Work::sequence(cfg, (0..2).map(|seed| simple(vectors, 7, codebooks, Wide, 41 + seed)));
        all.push(Trial::new("after resets in the middle", work, calm).after_resets(cut_off));
    }
    all.push(Trial::new("groups in the last slots", groups_in_the_last_slots(cfg), calm));
    // Chains, groups, slots and batches, one layer behind the other.
    for seed in 0..16 {
        let tokens = 1 << (seed % u64::from(cfg.max_batch().trailing_zeros() + 1));
        let fits = tokens <= cfg.buffers.max_n_block && (tokens == 1 || cfg.max_vectors() >= cfg.tile_vectors());
        let rng = &mut ChaCha8Rng::seed_from_u64(5000 + seed);
        let layers: Vec<_> = (0..3).map(|number| draw_layer(cfg, rng, seed * 10 + number)).collect();
        let work = plan_work(cfg, &layers, if fits { tokens as usize } else { 1 }, seed);
        all.push(Trial::new("a plan of layers", work, if seed % 4 < 2 { calm } else { random }));
    }
    all
}
