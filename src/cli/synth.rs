//! `eva synth`: what a core takes in gates, and how fast it is.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use clap::ValueEnum;
use eva_rtl::config::MemoryStyle;
use eva_rtl::synth::{self, Cells, Effort, Library, Mapping, MemoryModel, Netlist, Options, SynthError, Target, Tools};

use super::clock::{Bare, Clock};
use super::core_args::CoreArgs;
use super::generate::Hardware;
use super::output::{Output, OutputError};
use super::result_file::{Destination, ResultFile, resolved};
use super::staging::Staging;
use super::terminal::{self, Meter, Notice};
use super::{Failure, synth_table};

/// Map a core to gates: area, flip-flops, memories, and the longest path
///
/// Yosys maps every module once; what it returns is kept in ~/.cache/eva-rtl, so that only what has changed is mapped
/// again. OpenSTA, if it is there, finds the longest paths through the whole hierarchy. For --target asic memories are
/// black boxes with an area and an access time. docs/synthesis.md says what the numbers mean.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva synth --preset small --target asic --clock 10ns
  eva synth --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 8ns \\
    --report paper.json --picture paper.svg
  eva synth --preset tiny --target generic --top eva_pe
  eva synth --preset fpga --target ecp5")]
pub struct Args {
    /// What to map to
    #[arg(long, value_enum, default_value_t = To::Asic, help_heading = SYNTHESIS)]
    target: To,
    /// Which hardware to synthesise
    #[arg(long, value_name = "DESIGN", value_enum, default_value_t = Hardware::Core, help_heading = SYNTHESIS)]
    design: Hardware,
    /// Module to begin with, instead of the whole
    #[arg(long, value_name = "MODULE", help_heading = SYNTHESIS)]
    top: Option<String>,
    /// Cell library in the Liberty format, asic only [default: OSU 0.18 um, if it is installed]
    #[arg(long, value_name = "FILE[.gz]", help_heading = SYNTHESIS)]
    liberty: Option<PathBuf>,
    /// Clock to meet, asic only: a period or a frequency, 10ns or 100MHz; a number alone is in ns [default: 10ns]
    #[arg(
        long,
        value_name = "CLOCK",
        value_parser = Clock::reader(Bare::Nanoseconds, 0.001..=1e6),
        help_heading = SYNTHESIS
    )]
    clock: Option<Clock>,
    /// How many ways to map each module are tried, asic only [default: normal]
    #[arg(long, value_enum, help_heading = SYNTHESIS)]
    effort: Option<Work>,
    /// Time from clock or address to data of a memory in ns, asic only [default: 2]
    #[arg(long, value_name = "NS", value_parser = nanoseconds, help_heading = SYNTHESIS)]
    memory_access: Option<f64>,
    /// Area of a memory for each of its bits in um2, asic only [default: 17]
    #[arg(long, value_name = "UM2_PER_BIT", value_parser = square_microns, help_heading = SYNTHESIS)]
    memory_area: Option<f64>,
    /// JSON file to write everything to; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = SYNTHESIS)]
    report: Option<PathBuf>,
    /// Folder to write the mapped modules to, one Verilog file each, with netlist.f, the list of them, and for asic
    /// netlist.sdc and memories.lib, constraints and memories for timing analysis
    #[arg(long, value_name = "DIR", help_heading = SYNTHESIS)]
    netlist: Option<PathBuf>,
    /// SVG file to draw the shares of the modules in
    #[arg(long, value_name = "FILE", help_heading = SYNTHESIS)]
    picture: Option<PathBuf>,
    #[command(flatten)]
    core: CoreArgs,
}

/// Heading in the help.
const SYNTHESIS: &str = "Synthesis";

#[derive(Clone, Copy, Debug, ValueEnum)]
enum To {
    /// Gates of no technology
    Generic,
    /// Standard cells of a library
    Asic,
    /// Lattice iCE40 (HX, LP)
    Ice40,
    /// Lattice ECP5
    Ecp5,
    /// AMD/Xilinx 7 series
    Xilinx,
}

impl To {
    /// What memories count as although the configuration names macros for them.
    fn memories_beside_macros(self) -> &'static str {
        match self {
            Self::Asic => {
                "memories are counted by their own bits, not by the macros of the configuration; give --memory-area and \
                 --memory-access of the macro"
            }
            Self::Generic => "memories are black boxes; the macros of the configuration are not counted",
            Self::Ice40 | Self::Ecp5 | Self::Xilinx => {
                "memories become RAM of the FPGA; the macros of the configuration are not used"
            }
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Work {
    /// Small, and fast where that misses the clock
    Quick,
    /// Full adder cells too
    Normal,
    /// Everything, on every module
    Full,
}

fn nanoseconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ns) if (0.001..=1e6).contains(&ns) => Ok(ns),
        _ => Err("must be a number of ns from 0.001 to 1000000".to_owned()),
    }
}

fn square_microns(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(area) if (0.0..=1e6).contains(&area) => Ok(area),
        _ => Err("must be a number of um2 from 0 to 1000000".to_owned()),
    }
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let config = args.core.config()?;
    let mapping = args.mapping()?;
    args.refuse_clash()?;
    args.clock.iter().for_each(Clock::tell_doubt);
    // Opened before the work: what cannot be written is known at once.
    let picture = args.picture.as_deref().map(ResultFile::open).transpose()?;
    let report_file = args.report.as_deref().map(ResultFile::open).transpose()?;
    let folder = args.netlist.as_deref().map(|path| Ok::<_, OutputError>((path, Output::open(path)?))).transpose()?;
    let tools = Tools::find()?;
    let design = args.design.elaborate(&config, Hardware::DIVIDER)?.design;
    let has_macros = config.memory.style == MemoryStyle::Macro && !config.memory.macros.is_empty();
    if has_macros && (args.memory_area.is_none() || args.memory_access.is_none()) {
        terminal::tell(Notice::Note, args.target.memories_beside_macros());
    }
    if tools.sta.is_none() && mapping.target() == Target::Asic {
        terminal::tell(Notice::Warning, "without OpenSTA, the program `sta`, paths across modules are not seen");
    }

    let temporary = std::env::temp_dir();
    let work = Staging::within(&temporary).map_err(|source| SynthError::Io {
        action: "create a folder in",
        path: temporary,
        source,
    })?;
    let meter = Mutex::new(Meter::of_stages("synthesising"));
    let progress = |at: &synth::Progress| {
        let mut meter = meter.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        let running = at.running.map(|(what, time)| format!(", {what} for {} s", time.as_secs()));
        let stage = format!("round {}: {} of {}{}", at.round, at.done, at.total, running.unwrap_or_default());
        meter.show_stage(at.done, at.total, &stage);
    };
    let options = Options { top: args.top.clone(), ..Options::new(mapping) };
    let result = synth::synthesise(&design, &options, &tools, work.path(), &progress);
    meter.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).finish();
    let report = result?;
    drop(work);

    // Standard output gets one result, and no text for people beside it.
    let is_printed = [&picture, &report_file].iter().any(|file| file.as_ref().is_some_and(ResultFile::is_stdout));
    // Complete before any of them appears.
    if let Some(file) = &picture {
        file.write(synth::picture(&report))?;
    }
    if let Some(file) = &report_file {
        file.write(terminal::json_text(&report))?;
    }
    if let Some((path, folder)) = folder {
        write_netlist(&report.netlist, path, folder)?;
    }
    for file in [picture, report_file].into_iter().flatten() {
        file.complete()?;
    }
    match (is_printed, json) {
        (true, _) => Ok(()),
        (false, true) => terminal::print_json(&report),
        (false, false) => terminal::print(&synth_table::text(&report)),
    }
}

/// Puts `netlist` into the folder `path`, in the place of an earlier one.
fn write_netlist(netlist: &Netlist, path: &Path, mut folder: Output) -> Result<(), OutputError> {
    for (name, text) in netlist.files() {
        folder.write(&name, text)?;
    }
    // Last, so that whenever it is there everything that it lists is, too.
    folder.write(Netlist::LIST, netlist.list())?;
    let earlier = fs::read_to_string(path.join(Netlist::LIST)).unwrap_or_default();
    let is_own = |name: &&str| fs::read(path.join(name)).is_ok_and(|text| Netlist::is_own(&text));
    folder.complete(&earlier.lines().filter(is_own).map(PathBuf::from).collect())
}

impl Args {
    /// Two results in the same place: the second would replace the first.
    fn refuse_clash(&self) -> Result<(), Failure> {
        let place = |path: &PathBuf| match Destination::of(path) {
            Destination::Replace(file) => Destination::Replace(resolved(&file)),
            other => other,
        };
        match (&self.report, &self.picture) {
            (Some(report), Some(picture)) if place(report) == place(picture) => {
                let path = picture.display();
                Err(Failure::BadInput(format!("--report and --picture both write to {path}; name another one")))
            }
            _ => Ok(()),
        }
    }

    fn mapping(&self) -> Result<Mapping, Failure> {
        let mapping = match self.target {
            To::Asic => {
                let liberty = self.liberty.clone().map_or_else(synth::default_library, Ok)?;
                let defaults = Cells::new(Library::read(&liberty)?);
                return Ok(Mapping::Asic(Box::new(Cells {
                    clock_ns: self.clock.as_ref().map_or(defaults.clock_ns, Clock::nanoseconds),
                    effort: match self.effort {
                        Some(Work::Quick) => Effort::Quick,
                        Some(Work::Normal) | None => Effort::Normal,
                        Some(Work::Full) => Effort::Full,
                    },
                    memory: MemoryModel {
                        access_ns: self.memory_access.unwrap_or(defaults.memory.access_ns),
                        area_per_bit: self.memory_area.unwrap_or(defaults.memory.area_per_bit),
                    },
                    ..defaults
                })));
            }
            To::Generic => Mapping::Generic,
            To::Ice40 => Mapping::Ice40,
            To::Ecp5 => Mapping::Ecp5,
            To::Xilinx => Mapping::Xilinx,
        };
        let given = [
            ("--liberty", self.liberty.is_some()),
            ("--clock", self.clock.is_some()),
            ("--effort", self.effort.is_some()),
            ("--memory-access", self.memory_access.is_some()),
            ("--memory-area", self.memory_area.is_some()),
        ];
        match given.iter().find(|(_, given)| *given) {
            Some((flag, _)) => Err(Failure::BadInput(format!("{flag} is for --target asic only; leave it out"))),
            None => Ok(mapping),
        }
    }
}
