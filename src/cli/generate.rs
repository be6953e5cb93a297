//! `eva generate`: the Verilog of a core, or of the array that its own is compared with.

use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use eva_rtl::config::{CoreConfig, MemoryStyle};
use eva_rtl::flows::board::{self, Board};
use eva_rtl::flows::{self, Period, Target};
use eva_rtl::hdl::{Diagnostics, Elaborated};
use eva_rtl::rtl::board::eva_board;
use eva_rtl::rtl::{baseline, eva_core};
use serde_json::json;

use super::clock::{Bare, Clock};
use super::core_args::CoreArgs;
use super::manifest::{Manifest, MemoryModule, earlier_files};
use super::output::Output;
use super::sources::{Source, Sources};
use super::terminal::{self, count};
use super::{Failure, values};

/// Generate the Verilog of a core
///
/// Writes DIR/rtl/<module>.v, one module per file; DIR/eva_core.f, the list of files; DIR/eva_core.json, the
/// parameters, ports, modules, memories and latencies. With --memory-style macro also DIR/rtl/models/, behavioural
/// models of the black boxes, and DIR/eva_core_sim.f, the list with them.
///
/// For other people's tools: DIR/constraints/, constraints of the --target to adapt; DIR/eva_core.core for FuseSoC;
/// DIR/tb/, a smoke test; DIR/flows/, scripts for the target's tools, if there are any.
///
/// Either everything is written or nothing is changed. The files of another --design are called after its top module;
/// they are Verilog, list and manifest only, and for a board its constraints.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva generate --preset small --out build/small
  eva generate --rows 16 --index-bits 6 --out build/mine
  eva generate --config core.toml --max-k 8192 --out build/mine
  eva generate --preset fpga --target xilinx --clock 5ns --out build/fpga
  eva generate --preset fpga --design board --baud 1000000 --out build/board
  eva generate --preset paper --design baseline --out build/baseline")]
pub struct Args {
    /// Folder to write to; made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Which hardware to generate
    #[arg(long, value_name = "DESIGN", value_enum, default_value_t = Hardware::Core)]
    design: Hardware,
    /// What constraints and scripts are for: asic (SDC, OpenROAD), xilinx (XDC, Vivado), ecp5 (LPF) or ice40 (PCF)
    /// [default: asic; ecp5 for a board]
    #[arg(long, value_name = "TARGET", value_parser = target())]
    target: Option<Target>,
    /// Clock of constraints and scripts: a period or a frequency, 10ns or 100MHz; a number alone is in ns [default: 10ns; for a board that of its
    /// oscillator]
    #[arg(long, value_name = "CLOCK", value_parser = Clock::reader(Bare::Nanoseconds, 0.1..=1000.0))]
    clock: Option<Clock>,
    /// Bits per second of the serial port of a board [default: 115200]
    #[arg(long, value_name = "N", value_parser = values::whole(1..=u32::MAX))]
    baud: Option<u32>,
    #[command(flatten)]
    core: CoreArgs,
}

/// Reads the name of a target.
fn target() -> impl TypedValueParser<Value = Target> {
    let names = Target::ALL.map(Target::name);
    PossibleValuesParser::new(names).map(|name| {
        let found = Target::ALL.into_iter().find(|target| target.name() == name);
        found.expect("the parser lets only these names pass")
    })
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Hardware {
    /// The whole accelerator, `eva_core`
    Core,
    /// The whole accelerator behind a serial port, `eva_board`, for the pins of a board
    Board,
    /// The plain INT8 systolic array of the same rows and columns that its own is compared with, `eva_baseline_array`
    Baseline,
}

impl Hardware {
    /// Clock cycles of a bit of the serial port where nothing else is asked for: 115200 baud at 25 MHz.
    pub const DIVIDER: u32 = 217;

    /// `divider` is that of the serial port, if there is one.
    pub fn elaborate(self, config: &CoreConfig, divider: u32) -> Result<Elaborated, Diagnostics> {
        match self {
            Self::Core => eva_core(config),
            Self::Board => eva_board(config, divider),
            Self::Baseline => baseline::array(config),
        }
    }
}

/// What is written around the Verilog of a core.
#[derive(Default)]
pub struct Surroundings {
    pub constraints: Vec<flows::File>,
    pub testbenches: Vec<flows::File>,
    pub flows: Vec<flows::File>,
}

/// What is asked for beside the parameters of the core.
struct Purpose {
    target: Target,
    period: Period,
    board: Option<&'static Board>,
    divider: u32,
}

impl Purpose {
    const BAUD: u32 = 115_200;

    fn new(args: &Args) -> Result<Self, Failure> {
        if !matches!(args.design, Hardware::Board) {
            if args.baud.is_some() {
                return Err(Failure::BadInput("--baud is of the serial port of --design board".to_owned()));
            }
            if matches!(args.design, Hardware::Baseline) && (args.target.is_some() || args.clock.is_some()) {
                return Err(Failure::BadInput(
                    "--target and --clock are of constraints, and --design baseline has none: leave them out"
                        .to_owned(),
                ));
            }
            let (target, period) = (args.target.unwrap_or_default(), args.period().unwrap_or_default());
            return Ok(Self { target, period, board: None, divider: Hardware::DIVIDER });
        }
        let board = args.target.map_or(board::BOARDS.first(), Board::find).ok_or_else(|| {
            let known = board::BOARDS.iter().map(|board| format!("--target {} ({})", board.target.name(), board.name));
            let known = known.collect::<Vec<_>>().join(" or ");
            Failure::BadInput(format!("--design board needs {known}: the board whose pins are known"))
        })?;
        let period = args.period().unwrap_or(board.period());
        let divider = board::divider(period, args.baud.unwrap_or(Self::BAUD)).map_err(Failure::BadInput)?;
        Ok(Self { target: board.target, period, board: Some(board), divider })
    }
}

impl Args {
    fn period(&self) -> Option<Period> {
        self.clock.as_ref().map(|clock| Period::of_nanoseconds(clock.nanoseconds()))
    }
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let start = Instant::now();
    let config = args.core.config()?;
    let purpose = Purpose::new(args)?;
    args.clock.iter().for_each(Clock::tell_doubt);
    // Opened first: a folder that cannot be written to is known at once.
    let mut output = Output::open(&args.out)?;
    let design = args.design.elaborate(&config, purpose.divider)?.design;
    let mut sources = Sources::new(&config, &design);
    if purpose.board.is_some() {
        sources.add(Board::pins());
    }
    let mut manifest = Manifest::new(args.design, &config, &design, &sources);
    let mut surroundings = Surroundings::default();
    if let Hardware::Core = args.design {
        let core = describe(&purpose, &config, &sources, &manifest);
        surroundings = Surroundings {
            constraints: vec![core.constraints()],
            testbenches: vec![core.testbench()],
            flows: core.flows(),
        };
    }
    if let Some(board) = purpose.board {
        surroundings.constraints.push(board.constraints(purpose.period));
    }
    if !surroundings.constraints.is_empty() {
        manifest.add_flows(purpose.target, purpose.period, &surroundings);
    }

    for source in sources.all() {
        output.write(&source.path, &source.text)?;
    }
    for (name, text) in sources.lists() {
        output.write(&name, text)?;
    }
    let Surroundings { constraints, testbenches, flows } = &surroundings;
    for file in [constraints, testbenches, flows].into_iter().flatten() {
        output.write(&file.path, &file.text)?;
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
        "{}: {}, {} of Verilog in {} ({seconds:.2} s){}",
        manifest.top,
        count(modules, "module"),
        count(lines, "line"),
        args.out.join("rtl").display(),
        macro_use(&manifest)
    ))
}

/// A line on how well the vendors' RAM macros are filled; nothing if there are none.
fn macro_use(manifest: &Manifest) -> String {
    let count: u64 = manifest.macros.iter().map(|ram| ram.instances).sum();
    if count == 0 {
        return String::new();
    }
    let total: u64 = manifest.macros.iter().map(|ram| ram.total_bits).sum();
    let bound = manifest.memory_modules.iter().filter(|memory| memory.bound.is_some());
    let used: u64 = bound.map(|memory| memory.total_bits).sum();
    let macros = terminal::count(count as usize, "RAM macro");
    format!("\n{macros}, {used} of {total} bits used ({:.1} %)", 100.0 * used as f64 / total as f64)
}

/// The core as the tools around it see it.
fn describe<'a>(
    purpose: &Purpose,
    config: &'a CoreConfig,
    sources: &'a Sources,
    manifest: &'a Manifest,
) -> flows::Core<'a> {
    let paths = |source: &'a Source| source.path.as_str();
    let (rams, queues): (Vec<&MemoryModule>, Vec<_>) =
        manifest.memory_modules.iter().partition(|memory| memory.can_be_macro);
    let is_black_box = |memory: &MemoryModule| config.memory.style == MemoryStyle::Macro && memory.bound.is_none();
    let black_boxes = rams.into_iter().filter(|memory| is_black_box(memory)).map(|memory| memory.name.as_str());
    let macros = manifest.macros.iter().map(|ram| ram.module.as_str());
    flows::Core {
        config,
        target: purpose.target,
        period: purpose.period,
        synthesis: sources.files().map(paths).collect(),
        simulation: sources.simulation().map(paths).collect(),
        macros: black_boxes.chain(macros).collect(),
        largest_queue_bits: queues
            .iter()
            .map(|memory| u64::from(memory.depth) * u64::from(memory.width))
            .max()
            .unwrap_or(0),
    }
}
