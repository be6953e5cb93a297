//! Runs layers through a core, on either simulator.

use eva_rtl::config::{CoreConfig, MemoryStyle};
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::verilator::{Verilator, VerilatorSim, VerilogModel};
use eva_rtl::cosim::{Command, Job, Native, Report, RunOptions, Simulator, core_ports, run};
use eva_rtl::golden;
use eva_rtl::hdl::verilog;
use eva_rtl::rtl::eva_core;
use eva_rtl::vq::{self, Layer};

/// A layer packed for a core, with what must come out.
pub struct Work {
    pub commands: Vec<Command>,
    pub weights: Vec<u8>,
    pub activations: Vec<u8>,
    pub expected: Vec<u16>,
}

/// Packs a layer and its activations; the expected outputs are those of the golden model, which knows nothing of `cfg`.
pub fn work(cfg: &CoreConfig, layer: &Layer, x: &[u16]) -> Work {
    let program = vq::pack(layer, cfg).expect("fits");
    let expected = golden::vq_gemv(x, &layer.golden());
    let mut left = expected.as_slice();
    let commands = program
        .commands
        .iter()
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
    Work { commands, weights: program.image, activations: vq::pack_x(x, cfg).expect("fits"), expected }
}

/// A core on the native simulator. It must elaborate without errors and warnings.
pub fn native(cfg: &CoreConfig, seed: u64) -> Native {
    cfg.validate().expect("valid");
    let elaborated = eva_core(cfg).expect("elaborates");
    assert!(elaborated.warnings.is_empty(), "{cfg:?}: {:?}", elaborated.warnings);
    Native::new(&elaborated.design, seed, false).expect("compiles")
}

pub fn play(sim: &mut dyn Simulator, work: &Work, sources: Stalls, sinks: Backpressure, seed: u64) -> Report {
    let job = Job { commands: &work.commands, weights: &work.weights, activations: &work.activations, reference: None };
    let options = RunOptions { seed, sources, sinks, ..RunOptions::default() };
    run(sim, &job, &options, &mut |_| {}).expect("runs")
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
