//! `eva cosim`: a layer through a simulated core, every output compared with the golden model.

use std::path::PathBuf;

use clap::ValueEnum;
use comfy_table::CellAlignment;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::verilator::{Verilator, VerilogModel};
use eva_rtl::cosim::{Job, Native, Progress, Report, RunOptions, Simulator, core_ports};
use eva_rtl::hdl::Design;
use eva_rtl::rtl::eva_core;
use serde_json::json;

use super::Failure;
use super::core_args::CoreArgs;
use super::dump;
use super::npy::npy;
use super::output::Output;
use super::result_file::{Destination, ResultFile, resolved};
use super::sources::Sources;
use super::terminal::{self, Meter, Notice, number};
use super::workload::{Outputs, Workload, WorkloadArgs};

/// Run a layer through a simulated core and compare every bit with the exact model
///
/// Generates the core, packs the layer into its weight stream, drives all ports, and reports cycles next to the bound
/// that the weight stream sets, or for INT8 whatever limits. Exit code 1 if anything differs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva cosim --preset small --random 1024,1024
  eva cosim --preset paper --random 4096,4096 --report report.json
  eva cosim --preset tiny --random 64,16 --stalls burst:0.3:20 --waves tiny.vcd
  eva cosim --preset tiny --random 64,16 --sim verilator
  eva cosim --preset tiny --random 64,16 --y y.npy --dump build/stimulus
  eva cosim --weights model.safetensors --prefix model.layers.0.self_attn.q_proj --x x.npy
  eva cosim --preset small --stream-width 64 --max-n-block 4096 --random 1024,1024 --batch 4
  eva cosim --preset small --random 1024,1024 --dim 4 --groups 256,1024
  eva cosim --program build/program
  eva cosim --preset small --int8 128,1024,64
  eva cosim --int8-weights w8a8.safetensors --prefix model.layers.0.self_attn.q_proj --tokens 64 \\
    --raw --y y.npy

docs/checkpoints.md and docs/programs.md describe the files that are read, docs/report.md the fields of the report.")]
pub struct Args {
    #[command(flatten)]
    workload: WorkloadArgs,
    /// Hold back on all streams: `none`, a probability (0.3), or burst:PROBABILITY:LENGTH
    #[arg(long, value_name = "PATTERN", default_value = "none", help_heading = SIMULATION)]
    stalls: Stalls,
    /// Simulator to use; Verilator is an independent check of the emitted Verilog, which takes minutes to build
    ///
    /// What it builds is kept in ~/.cache/eva-rtl. It is about as fast as the native simulator.
    #[arg(long, value_enum, default_value_t = Sim::Native, help_heading = SIMULATION)]
    sim: Sim,
    /// VCD file to record all signals to; tens of megabytes per thousand cycles, so take a small layer
    #[arg(long, value_name = "FILE", help_heading = SIMULATION)]
    waves: Option<PathBuf>,
    /// JSON file to write the report to; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = SIMULATION)]
    report: Option<PathBuf>,
    /// .npy file to write the outputs to that the simulated core sent: float16 [N], or [M, N] of M tokens, with --raw int32
    ///
    /// For a program, once for each of its layers, in order.
    #[arg(long, value_name = "FILE", help_heading = SIMULATION)]
    y: Vec<PathBuf>,
    /// Folder to write stimulus and expected results to, as $readmemh reads them, for other testbenches
    #[arg(long, value_name = "DIR", help_heading = SIMULATION)]
    dump: Option<PathBuf>,
    #[command(flatten)]
    core: CoreArgs,
}

/// Error of the outputs, relative to the largest, that rounding alone does not explain.
const SUSPICIOUS_ERROR: f64 = 1e-2;

/// Heading in the help.
const SIMULATION: &str = "Simulation";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Sim {
    Native,
    Verilator,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let config = args.workload.config(&args.core)?;
    let results = ResultFiles::open(args)?;
    let dump = args.dump.as_deref().map(Output::open).transpose()?;
    let workload = args.workload.load(&config)?;
    check_outputs(args.y.len(), &workload.outputs)?;
    // Before a simulation that may take its time.
    if let Some(note) = &workload.slower_batch {
        terminal::tell(Notice::Note, note);
    }
    if let Some(dump) = dump {
        dump::write(dump, &workload, &config)?;
    }
    let design = eva_core(&config)?.design;
    let mut sim = simulator(args, &config, &design)?;

    let mut parameters = json!(config);
    parameters["workload"] = workload.description.clone();
    let options = RunOptions {
        seed: args.workload.seed,
        sources: args.stalls,
        sinks: Backpressure { stalls: args.stalls, ..Backpressure::default() },
        waves: results.waves.as_ref().map(ResultFile::staged),
        // Stalls take their time on top.
        idle_limit: RunOptions::default().idle_limit + workload.longest_pause,
        config: Some(config),
        int8: workload.int8.clone(),
        layers: workload.layers.clone(),
        parameters,
        ..RunOptions::default()
    };
    let job = Job {
        commands: &workload.commands,
        weights: &workload.weights,
        activations: &workload.activations,
        reference: workload.reference.as_deref(),
    };
    let mut meter = Meter::new("simulating");
    let mut progress = |at: &Progress| {
        let (taken, total) = at.weight_beats;
        meter.show(taken as u64, total as u64, &format!("{} cycles", at.cycles));
    };
    let report = eva_rtl::cosim::run(sim.as_mut(), &job, &options, &mut progress)?;
    meter.finish();

    // Standard output gets the report once, and no text for people beside it.
    let is_printed = results.report.as_ref().is_some_and(ResultFile::is_stdout);
    results.complete(&report, &workload.outputs)?;
    match (is_printed, json) {
        (true, true) => {}
        (true, false) => terminal::remark(&summary(&workload, &report)),
        (false, true) => terminal::print_json(&report)?,
        (false, false) => terminal::print(&summary(&workload, &report))?,
    }
    if let Some(warning) = warning(&report) {
        terminal::tell(Notice::Warning, &warning);
    }
    if report.passed() {
        Ok(())
    } else {
        Err(Failure::CheckFailed("the simulated core is not what the exact model says".to_owned()))
    }
}

/// The files asked for, opened before the work so that what cannot be written is known at once.
struct ResultFiles {
    waves: Option<ResultFile>,
    /// One for each layer, or none.
    y: Vec<ResultFile>,
    report: Option<ResultFile>,
}

impl ResultFiles {
    fn open(args: &Args) -> Result<Self, Failure> {
        let y = args.y.iter().map(|path| ("--y", path, "file or a named pipe"));
        let waves = args.waves.iter().map(|path| ("--waves", path, "file or a named pipe"));
        let dump = args.dump.iter().map(|path| ("--dump", path, "folder"));
        for (flag, path, what) in y.chain(waves).chain(dump) {
            if path.as_os_str() == "-" {
                return Err(Failure::BadInput(format!("{flag} -: this is not for standard output; name a {what}")));
            }
        }
        refuse_clashes(args)?;
        let open = |path: &Option<PathBuf>| path.as_deref().map(ResultFile::open).transpose();
        let y = args.y.iter().map(|path| ResultFile::open(path)).collect::<Result<_, _>>()?;
        Ok(Self { waves: open(&args.waves)?, y, report: open(&args.report)? })
    }

    /// Lets all of them appear; the waves are written already.
    fn complete(self, report: &Report, outputs: &Outputs) -> Result<(), Failure> {
        for (file, contents) in self.y.iter().zip(npy(&report.received, outputs)) {
            file.write(contents)?;
        }
        if let Some(file) = &self.report {
            file.write(terminal::json_text(report))?;
        }
        self.waves.into_iter().chain(self.y).chain(self.report).try_for_each(ResultFile::complete)?;
        Ok(())
    }
}

/// As many `--y` as there are layers, or none.
fn check_outputs(files: usize, outputs: &Outputs) -> Result<(), Failure> {
    let layers = match outputs {
        Outputs::Layers { layers, .. } => layers.as_slice(),
        Outputs::Matrix(_) => &[],
    };
    if files == 0 || files == layers.len().max(1) {
        return Ok(());
    }
    Err(Failure::BadInput(match layers {
        [] | [_] => format!("--y is given {files} times, but there is one layer"),
        layers => {
            let names: Vec<String> = layers.iter().map(|layer| terminal::harmless(&layer.name)).collect();
            format!(
                "--y is given {files} times, but the program has {} layers, whose outputs go to a file each: {}",
                layers.len(),
                names.join(", ")
            )
        }
    }))
}

/// Two results in the same place: the second would replace the first.
fn refuse_clashes(args: &Args) -> Result<(), Failure> {
    let mut taken: Vec<(&str, Destination)> = Vec::new();
    let waves = args.waves.iter().map(|path| ("--waves", path.clone()));
    let y = args.y.iter().map(|path| ("--y", path.clone()));
    let report = args.report.iter().map(|path| ("--report", path.clone()));
    let dump = args.dump.iter().flat_map(|folder| {
        let inside = dump::FILES.iter().map(|name| folder.join(name));
        [folder.clone()].into_iter().chain(inside).map(|path| ("--dump", path))
    });
    for (flag, path) in waves.chain(y).chain(report).chain(dump) {
        let destination = match Destination::of(&path) {
            Destination::Stdout => Destination::Stdout,
            Destination::Replace(file) => Destination::Replace(resolved(&file)),
            // A device takes any number of results, and a folder is refused where it has no business.
            Destination::Through(_) => continue,
        };
        if let Some((other, _)) = taken.iter().find(|(_, place)| *place == destination) {
            let flags = if *other == flag { format!("two {flag}") } else { format!("{other} and {flag}") };
            let path = path.display();
            return Err(Failure::BadInput(format!("{flags} both write to {path}; name another one")));
        }
        taken.push((flag, destination));
    }
    Ok(())
}

/// What suggests that the outputs, right or not, are hardly what the user wants.
fn warning(report: &Report) -> Option<String> {
    match report.non_finite {
        Some(count @ 1..) => Some(format!(
            "{count} of {} outputs are infinite or NaN in FP16 where double precision is finite: overflow",
            report.outputs
        )),
        _ => report.max_rel_err.filter(|error| *error > SUSPICIOUS_ERROR).map(|error| {
            format!("the outputs are far from double precision ({error:.1e} of the largest): underflow in FP16?")
        }),
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
                terminal::remark("building the Verilator model of this core, once");
            }
            Ok(Box::new(verilator.compile(&model, waves)?.simulator(seed)))
        }
    }
}

/// The report for people.
fn summary(workload: &Workload, report: &Report) -> String {
    let mut lines: Vec<String> = workload.notes.iter().map(|note| terminal::harmless(note)).collect();
    lines.push(report.to_string());
    if !report.layers.is_empty() {
        lines.push(layer_table(report));
    }
    if let Some(error) = report.max_rel_err {
        lines.push(format!("largest error against double precision: {error:.2e} of the largest output"));
    }
    lines.push(format!(
        "simulated in {:.2} s, {} cycles/s",
        report.seconds,
        number(report.cycles_per_second.round() as u64)
    ));
    lines.join("\n")
}

/// The layers of a program, and all of it.
fn layer_table(report: &Report) -> String {
    let mut table = terminal::table(&["layer", "K", "N", "cycles", "bound", "cycles/bound"]);
    let cost = |cycles: u64, bound: u64| {
        [number(cycles), number(bound), format!("{:.4}", cycles as f64 / bound.max(1) as f64)]
    };
    for layer in &report.layers {
        let shape = [terminal::harmless(&layer.name), number(layer.inputs as u64), number(layer.outputs as u64)];
        table.add_row(shape.into_iter().chain(cost(layer.cycles, layer.bound_cycles)));
    }
    let all = ["all".to_owned(), String::new(), String::new()];
    table.add_row(all.into_iter().chain(cost(report.cycles, report.bound_cycles)));
    for column in 1..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("\n{}\n", table.trim_fmt())
}
