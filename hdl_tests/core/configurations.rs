//! Random configurations, shapes and stalls.

use crate::depths::depths;
use crate::harness::{assert_passed, native, play, work};
use eva_rtl::config::{CoreConfig, MemoryStyle};
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::golden;
use eva_rtl::vq::{Distribution, Layer, LayerShape, Scales, random_activations, random_layer};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// One drawn experiment: a core, a layer that it can run, activations, stalls.
pub struct Experiment {
    pub cfg: CoreConfig,
    pub layer: Layer,
    pub x: Vec<u16>,
    pub sources: Stalls,
    pub sinks: Backpressure,
    pub seed: u64,
}

impl Experiment {
    pub fn describe(&self) -> String {
        let stalls = format!("sources {}, sinks {:?}", self.sources, self.sinks);
        format!("seed {}: {}\n{:?}\n{stalls}", self.seed, self.layer.shape(), self.cfg)
    }
}

/// Draws an experiment. The core stays small enough for the native simulator, but covers the range of every parameter.
pub fn draw(seed: u64) -> Experiment {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let rng = &mut rng;
    let mut cfg = CoreConfig::preset("tiny").unwrap();
    loop {
        cfg.array.rows = *[2, 3, 4, 5, 8, 16, 32].choose(rng).unwrap();
        cfg.vq.dim = *[1, 2, 4, 8, 16].choose(rng).unwrap();
        cfg.array.cols = 4 * cfg.vq.dim * rng.random_range(1..=4);
        cfg.vq.index_bits = rng.random_range(2..=8);
        cfg.vq.max_codebooks = rng.random_range(1..=5);
        cfg.epilogue.units = *[1, 2, 3, 4, 5].choose(rng).unwrap();
        cfg.buffers.max_k = cfg.vq.dim * rng.random_range(1..=200);
        cfg.buffers.max_n_block = *[1, 2, 3, 7, 16, 33, 100].choose(rng).unwrap();
        cfg.stream.width = 32 << rng.random_range(0..6);
        cfg.pipeline.pe = rng.random_range(depths("pe"));
        cfg.pipeline.tree = rng.random_range(depths("tree"));
        cfg.pipeline.epilogue = rng.random_range(depths("epilogue"));
        cfg.pipeline.scale = rng.random_range(depths("scale"));
        cfg.memory.style = *[MemoryStyle::Inferred, MemoryStyle::Macro].choose(rng).unwrap();
        // About 16 operations per lookup and 100 per PE: bounds the time of a cycle.
        if cfg.validate().is_ok() && cfg.tile_vectors() <= 160 && cfg.array.rows * cfg.array.cols <= 1024 {
            break;
        }
    }
    let vectors = rng.random_range(1..=cfg.max_vectors());
    let shape = LayerShape {
        inputs: (vectors * cfg.vq.dim) as usize,
        outputs: rng.random_range(1..=2 * cfg.buffers.max_n_block as usize + 3),
        dim: cfg.vq.dim as usize,
        index_bits: rng.random_range(1.max(cfg.vq.index_bits - 2)..=cfg.vq.index_bits),
        codebooks: rng.random_range(1..=cfg.vq.max_codebooks as usize),
    };
    let distributions = [Distribution::Realistic, Distribution::Wide, Distribution::Finite, Distribution::Any];
    let distribution = *distributions.choose(rng).unwrap();
    let mut layer = random_layer(shape, distribution, seed).unwrap();
    if rng.random() {
        // Scales of FP32 whose products land in the range of FP16, and some anywhere.
        let scale =
            |_| if rng.random_range(0..8) == 0 { rng.random() } else { rng.random_range(0x3000_0000..0x4100_0000) };
        let scales = Scales::F32((0..shape.outputs).map(scale).collect());
        layer = Layer::new(layer.name().to_owned(), shape, layer.centroids().to_vec(), layer.codes().to_vec(), scales)
            .unwrap();
    }
    let stalls = [
        Stalls::None,
        Stalls::Random { probability: 0.3 },
        Stalls::Random { probability: 0.9 },
        Stalls::Bursts { probability: 0.5, length: 30 },
    ];
    Experiment {
        x: random_activations(shape.inputs, distribution, seed + 1),
        cfg,
        layer,
        sources: *stalls.choose(rng).unwrap(),
        sinks: Backpressure { stalls: *stalls.choose(rng).unwrap(), after_valid: rng.random_range(0..4) == 0 },
        seed,
    }
}

#[test]
fn random_configurations_shapes_and_stalls() {
    for seed in 1000..1060 {
        let e = draw(seed);
        let work = work(&e.cfg, &e.layer, &e.x);
        let report = play(&mut native(&e.cfg, seed), &work, e.sources, e.sinks, seed);
        assert_passed(&report, &e.describe());
    }
}

/// Few outputs and one vector: every pipeline is longer than the work.
#[test]
fn smallest_shapes() {
    for preset in ["tiny", "small"] {
        let cfg = CoreConfig::preset(preset).unwrap();
        for outputs in 1..=6 {
            for (vectors, codebooks) in [(1, 1), (2, 2), (cfg.tile_vectors() + 1, 2)] {
                let (dim, index_bits) = (cfg.vq.dim as usize, cfg.vq.index_bits);
                let shape = LayerShape { inputs: vectors as usize * dim, outputs, dim, index_bits, codebooks };
                let layer = random_layer(shape, Distribution::Wide, outputs as u64).unwrap();
                let x = random_activations(shape.inputs, Distribution::Wide, 2);
                let report =
                    play(&mut native(&cfg, 3), &work(&cfg, &layer, &x), Stalls::None, Backpressure::default(), 1);
                assert_passed(&report, &format!("{preset} {shape}"));
            }
        }
    }
}

/// The promise of the numeric contract: one layer, many cores, the same bits.
#[test]
fn same_bits_from_every_configuration() {
    let shape = LayerShape { inputs: 192, outputs: 37, dim: 4, index_bits: 5, codebooks: 3 };
    let layer = random_layer(shape, Distribution::Wide, 77).unwrap();
    let x = random_activations(shape.inputs, Distribution::Wide, 78);
    let expected = golden::vq_gemv(&x, &layer.golden());
    assert!(expected.iter().any(|y| y & 0x7C00 != 0x7C00), "a result without finite values shows little");
    let mut cores = 0;
    for (rows, segments, units) in [(2, 1, 1), (2, 3, 2), (5, 1, 3), (8, 2, 4), (16, 1, 1), (32, 1, 2)] {
        for (width, max_n_block, deep) in [(32, 8, 0), (256, 37, 1), (1024, 100, 1)] {
            let mut cfg = CoreConfig::preset("tiny").unwrap();
            cfg.array.rows = rows;
            cfg.vq.dim = 4;
            cfg.array.cols = 16 * segments;
            cfg.vq.index_bits = 5 + deep;
            cfg.vq.max_codebooks = 3 + deep;
            cfg.epilogue.units = units;
            cfg.buffers.max_k = 256;
            cfg.buffers.max_n_block = max_n_block;
            cfg.stream.width = width;
            cfg.pipeline.tree = 4 * deep;
            cfg.pipeline.epilogue = 1 + 3 * deep;
            let work = work(&cfg, &layer, &x);
            let wanted = work.commands.iter().flat_map(|command| &command.outputs);
            assert!(wanted.copied().eq(expected.iter().copied().map(u32::from)));
            let report = play(&mut native(&cfg, 5), &work, Stalls::None, Backpressure::default(), 1);
            assert_passed(&report, &format!("{cfg:?}"));
            cores += 1;
        }
    }
    assert_eq!(cores, 18);
}
