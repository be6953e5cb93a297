//! From a design to gates: Yosys maps it, OpenSTA times it.
//!
//! The hierarchy is kept. Every distinct module is mapped once, by itself, with its children as black boxes, and counted
//! as often as it occurs; modules without a clock become parts of those that use them. What the tools return is kept by
//! content, so that after a change only the modules that it touches are mapped again. Memories never become flip-flops
//! of standard cells: there they are black boxes with an access time and an area for each bit.
//!
//! ```no_run
//! # use eva_rtl::{config::Preset, rtl::eva_core, synth::*};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let config = Preset::find("small")?.config();
//! let design = eva_core(&config)?.design;
//! let tools = Tools::find()?;
//! let library = Library::read(&default_library()?)?;
//! let options = Options::new(Mapping::Asic(Box::new(Cells { clock_ns: 8.0, ..Cells::new(library) })));
//! let folder = std::env::temp_dir().join("work");
//! std::fs::create_dir(&folder)?;
//! let report = synthesise(&design, &options, &tools, &folder, &|_| {})?;
//! println!("{} um2", report.total.area);
//! # Ok(()) }
//! ```

mod cache;
mod closing;
mod error;
mod fanout;
mod liberty;
mod map;
mod memory;
mod names;
mod netlist;
mod parts;
mod picture;
mod process;
mod progress;
mod recipe;
mod report;
mod run;
mod segments;
mod sta;
mod target;
mod timing;
mod tool;

pub use error::SynthError;
pub use liberty::{FullAdder, Library, default_library};
pub use memory::MemoryModel;
pub use netlist::{Netlist, TimingFiles};
pub use picture::picture;
pub use process::kill_all;
pub use progress::Progress;
pub use recipe::Effort;
pub use report::{ModuleReport, Report, Total};
pub use run::{Cells, Mapping, Options, Tools, synthesise};
pub use sta::Point;
pub use target::{Resources, Target};
pub use timing::{End, PathReport, Timing};
pub use tool::{OpenSta, Version, Yosys};
