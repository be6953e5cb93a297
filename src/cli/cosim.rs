//! `eva cosim`: a layer through a simulated core, every output compared with the golden model.

use std::path::PathBuf;

use clap::ValueEnum;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::verilator::{Verilator, VerilogModel};
use eva_rtl::cosim::{Job, Native, Progress, Report, RunOptions, Simulator, core_ports};
use eva_rtl::hdl::Design;
use eva_rtl::rtl::eva_core;
use serde_json::json;

use super::Failure;
use super::core_args::CoreArgs;
use super::output::ReportFile;
use super::sources::Sources;
use super::terminal::{self, Meter};
use super::workload::{Workload, WorkloadArgs};

/// Run a layer through a simulated core and compare every bit with the exact model
///
/// Generates the core, packs the layer into its weight stream, drives all ports, and reports cycles next to the bound
/// that the weight stream sets. Exit code 1 if anything differs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva cosim --preset small --random 1024,1024
  eva cosim --preset paper --random 4096,4096 --sim verilator --report report.json
  eva cosim --preset tiny --random 64,16 --stalls burst:0.3:20 --waves tiny.vcd
  eva cosim --weights model.safetensors --prefix model.layers.0.self_attn.q_proj --x x.npy")]
pub struct Args {
    #[command(flatten)]
    workload: WorkloadArgs,
    /// Hold back on all streams: `none`, a probability (0.3), or burst:PROBABILITY:LENGTH
    #[arg(long, value_name = "PATTERN", default_value = "none", help_heading = SIMULATION)]
    stalls: Stalls,
    /// Simulator to use; Verilator takes a while to build, and then is much faster
    #[arg(long, value_enum, default_value_t = Sim::Native, help_heading = SIMULATION)]
    sim: Sim,
    /// VCD file to record all signals to
    #[arg(long, value_name = "FILE", help_heading = SIMULATION)]
    waves: Option<PathBuf>,
    /// JSON file to write the report to
    #[arg(long, value_name = "FILE", help_heading = SIMULATION)]
    report: Option<PathBuf>,
    #[command(flatten)]
    core: CoreArgs,
}

/// Heading in the help.
const SIMULATION: &str = "Simulation";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Sim {
    Native,
    Verilator,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let config = args.core.config()?;
    let file = args.report.as_deref().map(ReportFile::open).transpose()?;
    let workload = args.workload.load(&config)?;
    let design = eva_core(&config)?.design;
    let mut sim = simulator(args, &config, &design)?;

    let mut parameters = json!(config);
    parameters["workload"] = workload.description();
    let options = RunOptions {
        seed: args.workload.seed,
        sources: args.stalls,
        sinks: Backpressure { stalls: args.stalls, ..Backpressure::default() },
        waves: args.waves.clone(),
        parameters,
        ..RunOptions::default()
    };
    let job = Job {
        commands: &workload.commands,
        weights: &workload.weights,
        activations: &workload.activations,
        reference: Some(&workload.reference),
    };
    let mut meter = Meter::new("simulating");
    let mut progress = |at: &Progress| {
        let (taken, total) = at.weight_beats;
        meter.show(taken as u64, total as u64, &format!("{} cycles", at.cycles));
    };
    let report = eva_rtl::cosim::run(sim.as_mut(), &job, &options, &mut progress)?;
    meter.finish();

    if let Some(file) = file {
        file.complete(&terminal::json_text(&report))?;
    }
    if json {
        terminal::print_json(&report)?;
    } else {
        terminal::print(&summary(&workload, &report))?;
    }
    if report.passed() {
        Ok(())
    } else {
        Err(Failure::CheckFailed("the simulated core is not what the exact model says".to_owned()))
    }
}

fn simulator(args: &Args, config: &CoreConfig, design: &Design) -> Result<Box<dyn Simulator>, Failure> {
    let seed = args.workload.seed;
    let waves = args.waves.is_some();
    match args.sim {
        Sim::Native => Ok(Box::new(Native::new(design, seed, waves)?)),
        Sim::Verilator => {
            let sources = Sources::new(config, design);
            let model = VerilogModel {
                top: design.top_module().name.clone(),
                clock: design.clocking.clock.clone(),
                files: sources.simulation().map(|file| (file.name.clone(), file.text.clone())).collect(),
                ports: core_ports(config),
            };
            let verilator = Verilator::find()?;
            if !verilator.is_cached(&model, waves)? {
                eprintln!("building the Verilator model of this core, once");
            }
            Ok(Box::new(verilator.compile(&model, waves)?.simulator(seed)))
        }
    }
}

/// The report for people.
fn summary(workload: &Workload, report: &Report) -> String {
    let mut lines: Vec<String> = workload.notes.clone();
    lines.push(report.to_string());
    if let Some(error) = report.max_rel_err {
        lines.push(format!("largest error against double precision: {error:.2e} of the largest output"));
    }
    lines.push(format!("simulated in {:.2} s, {:.0} cycles/s", report.seconds, report.cycles_per_second));
    lines.join("\n")
}
