//! `eva generate`: the Verilog of a core.

use std::path::PathBuf;
use std::time::Instant;

use eva_rtl::rtl::eva_core;
use serde_json::json;

use super::core_args::CoreArgs;
use super::manifest::{self, Manifest};
use super::output::Output;
use super::sources::Sources;
use super::{Failure, terminal};

/// Generate the Verilog of a core
///
/// Writes DIR/rtl/<module>.v, one module per file; DIR/eva_core.f, the list of files; DIR/eva_core.json, the
/// parameters, ports, modules, memories and latencies; DIR/constraints/eva_core.sdc, timing constraints to adapt. With
/// --memory-style macro also DIR/rtl/models/, behavioural models of the black boxes, and DIR/eva_core_sim.f, the list
/// with them. Either everything is written or nothing is changed.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva generate --preset small --out build/small
  eva generate --rows 16 --index-bits 6 --out build/mine
  eva generate --config core.toml --max-k 8192 --out build/mine")]
pub struct Args {
    /// Folder to write to; made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    core: CoreArgs,
}

/// Timing constraints, relative to the output folder. They are the same for every core: its ports are.
pub const CONSTRAINTS: &str = "constraints/eva_core.sdc";

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let config = args.core.config()?;
    // Opened first: a folder that cannot be written to is known at once.
    let mut output = Output::open(&args.out)?;
    let design = eva_core(&config)?.design;
    let sources = Sources::new(&config, &design);
    let manifest = Manifest::new(&config, &design, &sources);

    for source in sources.all() {
        output.write(&source.path, &source.text)?;
    }
    for (name, text) in sources.lists() {
        output.write(name, text)?;
    }
    output.write(CONSTRAINTS, include_str!("../../constraints/eva_core.sdc"))?;
    // Last, so that whenever it is there everything that it lists is, too.
    output.write(manifest::FILE_NAME, terminal::json_text(&manifest))?;
    output.complete(&manifest::earlier_files(&args.out))?;

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
