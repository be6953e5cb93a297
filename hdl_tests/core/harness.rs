//! Runs layers through a core, on either simulator.

use crate::timing;
use eva_rtl::config::{CoreConfig, MemoryStyle};
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::verilator::{Verilator, VerilatorSim, VerilogModel};
use eva_rtl::cosim::{Command, Job, Native, Report, RunOptions, Simulator, core_ports, run};
use eva_rtl::golden;
use eva_rtl::hdl::verilog;
use eva_rtl::rtl::eva_core;
use eva_rtl::vq::{self, Layer, LayerShape};

/// Commands and streams for a core, with what must come out.
#[derive(Clone)]
pub struct Work {
    pub cfg: CoreConfig,
    pub commands: Vec<Command>,
    pub weights: Vec<u8>,
    pub activations: Vec<u8>,
}

impl Work {
    /// Nothing to do.
    pub fn empty(cfg: &CoreConfig) -> Work {
        Work { cfg: cfg.clone(), commands: Vec::new(), weights: Vec::new(), activations: Vec::new() }
    }

    /// Does `other` after what is there.
    pub fn append(&mut self, mut other: Work) {
        self.commands.append(&mut other.commands);
        self.weights.append(&mut other.weights);
        self.activations.append(&mut other.activations);
    }

    /// Several works, one after the other.
    pub fn sequence(cfg: &CoreConfig, works: impl IntoIterator<Item = Work>) -> Work {
        works.into_iter().fold(Work::empty(cfg), |mut all, work| {
            all.append(work);
            all
        })
    }

    pub fn job(&self) -> Job<'_> {
        Job { commands: &self.commands, weights: &self.weights, activations: &self.activations, reference: None }
    }
}

/// Packs a layer and its activations; the expected outputs are those of the golden model, which knows nothing of `cfg`.
/// What the core must ignore, padding of activations and indices of vectors that are not there, is noise.
pub fn work(cfg: &CoreConfig, layer: &Layer, x: &[u16]) -> Work {
    let program = vq::pack(layer, cfg).expect("fits");
    let expected = golden::vq_gemv(x, &layer.golden());
    let mut left = expected.as_slice();
    let commands = program
        .commands()
        .map(|command| {
            let outputs = match &command.operation {
                vq::Operation::VqGemv(gemv) => {
                    let (block, rest) = left.split_at(gemv.outputs as usize);
                    left = rest;
                    block.iter().map(|y| u32::from(*y)).collect()
                }
                _ => Vec::new(),
            };
            Command { bits: command.to_bytes(), status: 0, outputs }
        })
        .collect();
    assert!(left.is_empty(), "all outputs belong to a command");
    let weights = vq::pack(&whole_tiles(cfg, layer), &any_length(cfg)).expect("fits").image;
    assert_eq!(weights.len(), program.image.len());
    Work { cfg: cfg.clone(), commands, weights, activations: activations(cfg, x) }
}

/// The stream of activations, padded with NaN.
pub fn activations(cfg: &CoreConfig, x: &[u16]) -> Vec<u8> {
    let mut bytes = vq::pack_x(x, cfg).expect("fits");
    bytes[2 * x.len()..].fill(0xFF);
    bytes
}

/// The layer with vectors up to a multiple of the tile, of any codes.
pub fn whole_tiles(cfg: &CoreConfig, layer: &Layer) -> Layer {
    let shape = layer.shape();
    let vectors = shape.vectors().next_multiple_of(cfg.tile_vectors() as usize);
    let noise = (0..).map(|i: usize| (i * i + i / 3 + 1) % shape.entries());
    let mut noise = noise.map(|code| code as u16);
    let codes = layer.codes().chunks(shape.vectors() * shape.codebooks).flat_map(|codes| {
        let beyond = vectors * shape.codebooks - codes.len();
        codes.iter().copied().chain(noise.by_ref().take(beyond)).collect::<Vec<_>>()
    });
    let codes = codes.collect();
    let shape = LayerShape { inputs: vectors * shape.dim, ..shape };
    Layer::new(layer.name(), shape, layer.centroids().to_vec(), codes, layer.scales().clone()).expect("a layer")
}

/// The parameters with room for any layer, for the format of weights, which does not depend on it.
pub fn any_length(cfg: &CoreConfig) -> CoreConfig {
    let mut cfg = cfg.clone();
    cfg.buffers.max_k = u32::MAX / cfg.vq.dim * cfg.vq.dim;
    cfg
}

/// A core on the native simulator. It must elaborate without errors and warnings.
pub fn native(cfg: &CoreConfig, seed: u64) -> Native {
    cfg.validate().expect("valid");
    let elaborated = eva_core(cfg).expect("elaborates");
    assert!(elaborated.warnings.is_empty(), "{cfg:?}: {:?}", elaborated.warnings);
    Native::new(&elaborated.design, seed, false).expect("compiles")
}

/// Runs `work` with these stalls.
pub fn play(sim: &mut dyn Simulator, work: &Work, sources: Stalls, sinks: Backpressure, seed: u64) -> Report {
    play_with(sim, work, &RunOptions { seed, sources, sinks, ..RunOptions::default() })
}

/// Runs `work`. What the report says about time is checked too: [`timing::problems`] are failures.
pub fn play_with(sim: &mut dyn Simulator, work: &Work, options: &RunOptions) -> Report {
    let mut report = run(sim, &work.job(), options, &mut |_| {}).expect("runs");
    if report.failures.is_empty() {
        report.failures = timing::problems(&work.cfg, &work.commands, options, &report);
    }
    report
}

/// Fails with everything that is known about a run.
pub fn assert_passed(report: &Report, what: &str) {
    assert!(report.passed() && report.outputs > 0, "{what}: {report:#?}");
}

/// The emitted Verilog of a core, compiled by Verilator.
pub fn verilator(cfg: &CoreConfig, seed: u64) -> VerilatorSim {
    let design = eva_core(cfg).expect("elaborates").design;
    let memory = match cfg.memory.style {
        MemoryStyle::Inferred => verilog::MemoryStyle::Inferred,
        MemoryStyle::Macro => verilog::MemoryStyle::Macro,
    };
    let files = verilog::emit(&design, &verilog::Options { memory });
    let model = VerilogModel {
        top: design.top_module().name.clone(),
        clock: design.clocking.clock.clone(),
        files: verilog::simulation_files(&files).map(|f| (f.name.replace('/', "_"), f.text.clone())).collect(),
        ports: core_ports(cfg),
    };
    let verilator = Verilator::find().expect("Verilator is installed by scripts/setup");
    verilator.compile(&model, false).expect("compiles").simulator(seed)
}
