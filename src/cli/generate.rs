//! `eva generate`: the Verilog of a core, or of the array that its own is compared with.

use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::{Diagnostics, Elaborated};
use eva_rtl::rtl::{baseline, eva_core};
use serde_json::json;

use super::core_args::CoreArgs;
use super::manifest::{Manifest, earlier_files};
use super::output::Output;
use super::sources::Sources;
use super::{Failure, terminal};

/// Generate the Verilog of a core
///
/// Writes DIR/rtl/<module>.v, one module per file; DIR/eva_core.f, the list of files; DIR/eva_core.json, the
/// parameters, ports, modules, memories and latencies; DIR/constraints/eva_core.sdc, timing constraints to adapt. With
/// --memory-style macro also DIR/rtl/models/, behavioural models of the black boxes, and DIR/eva_core_sim.f, the list
/// with them. Either everything is written or nothing is changed. The files of another --design are called after its
/// top module, which has no constraints of its own.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva generate --preset small --out build/small
  eva generate --rows 16 --index-bits 6 --out build/mine
  eva generate --config core.toml --max-k 8192 --out build/mine
  eva generate --preset paper --design baseline --out build/baseline")]
pub struct Args {
    /// Folder to write to; made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Which hardware to generate
    #[arg(long, value_name = "DESIGN", value_enum, default_value_t = Hardware::Core)]
    design: Hardware,
    #[command(flatten)]
    core: CoreArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Hardware {
    /// The whole accelerator, `eva_core`
    Core,
    /// The plain INT8 systolic array of the same rows and columns that its own is compared with, `eva_baseline_array`
    Baseline,
}

impl Hardware {
    pub fn elaborate(self, config: &CoreConfig) -> Result<Elaborated, Diagnostics> {
        match self {
            Self::Core => eva_core(config),
            Self::Baseline => baseline::array(config),
        }
    }

    /// Timing constraints: path relative to the output folder, and text. They are the same for every core: its ports
    /// are.
    pub fn constraints(self) -> Option<(&'static str, &'static str)> {
        match self {
            Self::Core => Some(("constraints/eva_core.sdc", include_str!("../../constraints/eva_core.sdc"))),
            Self::Baseline => None,
        }
    }
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let config = args.core.config()?;
    // Opened first: a folder that cannot be written to is known at once.
    let mut output = Output::open(&args.out)?;
    let design = args.design.elaborate(&config)?.design;
    let sources = Sources::new(&config, &design);
    let manifest = Manifest::new(args.design, &config, &design, &sources);

    for source in sources.all() {
        output.write(&source.path, &source.text)?;
    }
    for (name, text) in sources.lists() {
        output.write(&name, text)?;
    }
    if let Some((path, text)) = args.design.constraints() {
        output.write(path, text)?;
    }
    // Last, so that whenever it is there everything that it lists is, too.
    let name = manifest.file_name();
    output.write(&name, terminal::json_text(&manifest))?;
    output.complete(&earlier_files(&args.out.join(name)))?;

    let modules = manifest.files.len();
    let lines: usize = sources.files().map(|source| source.text.lines().count()).sum();
    let seconds = start.elapsed().as_secs_f64();
    if json {
        return terminal::print_json(&json!({
            "out": args.out.to_string_lossy(),
            "modules": modules,
            "lines": lines,
            "seconds": seconds,
        }));
    }
    terminal::print(&format!(
        "{}: {modules} modules, {lines} lines of Verilog in {} ({seconds:.2} s)",
        manifest.top,
        args.out.join("rtl").display()
    ))
}
