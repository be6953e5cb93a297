//! The manifest, `eva_core.json` for a core: what generated hardware consists of, for scripts that build or integrate
//! it.

mod memory;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use eva_rtl::config::CoreConfig;
use eva_rtl::flows;
use eva_rtl::hdl::Design;
use eva_rtl::hdl::ir::{self, Dir};
use eva_rtl::rtl::{accumulator, baseline, epilogue_unit, lane_buffer, row, scaler};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::generate::{Hardware, Surroundings};
use super::sources::Sources;
use memory::{Macro, Memories, Memory};

pub use memory::MemoryModule;

#[derive(Debug, Serialize)]
pub struct Manifest {
    /// Program and version that made it.
    pub generator: String,
    pub top: String,
    pub parameters: CoreConfig,
    /// Of the top module, clock and reset first.
    pub ports: Vec<Port>,
    /// Without those of memories; children before parents.
    pub modules: Vec<Module>,
    /// One for each shape of memory.
    pub memory_modules: Vec<MemoryModule>,
    /// RAM macros of vendors that the files to synthesise instantiate.
    pub macros: Vec<Macro>,
    /// Where they are used.
    pub memories: Vec<Memory>,
    /// Of parts of the datapath, in clock cycles.
    pub latencies: Map<String, Value>,
    /// Verilog files, relative to the manifest, in the order in which to compile them.
    pub files: Vec<String>,
    /// Behavioural models of black boxes, which stand in for the files of the same name in simulation.
    pub models: Vec<String>,
    /// Lists of files for tools: to synthesise, and if there are models, to simulate.
    pub lists: Vec<String>,
    /// Technology and clock period that constraints and scripts are for.
    pub target: Option<&'static str>,
    pub clock_ns: Option<f64>,
    /// Constraints, testbenches, and files for other tools.
    pub constraints: Vec<String>,
    pub testbenches: Vec<String>,
    pub flows: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct Port {
    pub name: String,
    pub direction: &'static str,
    pub width: u32,
}

#[derive(Debug, Serialize)]
pub struct Module {
    pub name: String,
    pub description: String,
    pub parameters: Map<String, Value>,
    /// How often it occurs in the whole core.
    pub instances: u64,
}

impl Manifest {
    /// Describes `design`, the `hardware` made from `config` and written as `sources`.
    pub fn new(hardware: Hardware, config: &CoreConfig, design: &Design, sources: &Sources) -> Self {
        let occurrences = occurrences(design);
        let modules = design.modules.iter().zip(&occurrences);
        let memories = Memories::new(config, design, &occurrences);
        Self {
            generator: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            top: design.top_module().name.clone(),
            parameters: config.clone(),
            ports: ports(design),
            memory_modules: memories.modules,
            macros: memories.macros,
            memories: memories.memories,
            modules: modules.map(|(module, count)| describe(module, *count)).collect(),
            latencies: latencies(hardware, config),
            files: sources.files().map(|file| file.path.clone()).collect(),
            models: sources.models().map(|file| file.path.clone()).collect(),
            lists: sources.lists().map(|(name, _)| name).collect(),
            target: None,
            clock_ns: None,
            constraints: Vec::new(),
            testbenches: Vec::new(),
            flows: Vec::new(),
        }
    }

    /// Adds what is written for the tools around it.
    pub fn add_flows(&mut self, target: flows::Target, period: flows::Period, written: &Surroundings) {
        let paths = |files: &[flows::File]| files.iter().map(|file| file.path.clone()).collect();
        self.target = Some(target.name());
        self.clock_ns = Some(period.nanoseconds());
        self.constraints = paths(&written.constraints);
        self.testbenches = paths(&written.testbenches);
        self.flows = paths(&written.flows);
    }

    /// Its name in an output folder.
    pub fn file_name(&self) -> String {
        format!("{}.json", self.top)
    }
}

/// How often each module occurs, in the order of [`Design::modules`].
fn occurrences(design: &Design) -> Vec<u64> {
    let mut counts = vec![0; design.modules.len()];
    counts[design.top.index()] = 1;
    // Parents stand after their children, so that backwards each count is complete when it is passed on.
    for (index, module) in design.modules.iter().enumerate().rev() {
        for instance in &module.instances {
            counts[instance.module.index()] += counts[index];
        }
    }
    counts
}

fn ports(design: &Design) -> Vec<Port> {
    let clocking = &design.clocking;
    let implied =
        [&clocking.clock, &clocking.reset].map(|name| Port { name: name.clone(), direction: "input", width: 1 });
    let declared = design.top_module().ports.iter().map(|port| Port {
        name: port.name.clone(),
        direction: direction(port.dir),
        width: port.width,
    });
    implied.into_iter().chain(declared).collect()
}

fn direction(dir: Dir) -> &'static str {
    match dir {
        Dir::Input => "input",
        Dir::Output => "output",
    }
}

fn describe(module: &ir::Module, instances: u64) -> Module {
    let parameters = module.params.iter().map(|(name, value)| (name.clone(), value.clone().into()));
    Module { name: module.name.clone(), description: module.doc.clone(), parameters: parameters.collect(), instances }
}

fn latencies(hardware: Hardware, config: &CoreConfig) -> Map<String, Value> {
    let latencies = match hardware {
        Hardware::Core | Hardware::Board => vec![
            ("buffer_read", lane_buffer::LATENCY),
            ("row", row::latency(config)),
            ("epilogue_unit", epilogue_unit::latency(config)),
            ("accumulator", accumulator::LATENCY),
            ("scaler", scaler::latency(config)),
        ],
        Hardware::Baseline => vec![("row", baseline::row::latency(config))],
    };
    latencies.into_iter().map(|(name, cycles)| (name.to_owned(), cycles.into())).collect()
}

/// The files that an earlier run listed in `manifest`; none if that is no manifest of ours.
pub fn earlier_files(manifest: &Path) -> BTreeSet<PathBuf> {
    #[derive(Deserialize)]
    struct Earlier {
        generator: String,
        files: Vec<PathBuf>,
        models: Vec<PathBuf>,
        lists: Vec<PathBuf>,
        #[serde(default)]
        constraints: Vec<PathBuf>,
        #[serde(default)]
        testbenches: Vec<PathBuf>,
        #[serde(default)]
        flows: Vec<PathBuf>,
    }
    let text = std::fs::read(manifest).unwrap_or_default();
    let Ok(earlier) = serde_json::from_slice::<Earlier>(&text) else {
        return BTreeSet::new();
    };
    if !earlier.generator.starts_with(concat!(env!("CARGO_PKG_NAME"), " ")) {
        return BTreeSet::new();
    }
    // Nothing else is ever written, so nothing else is taken for ours.
    let below =
        |folder: &'static str, files: Vec<PathBuf>| files.into_iter().filter(move |path| path.starts_with(folder));
    let beside = |extension: &'static str, files: Vec<PathBuf>| {
        let is_beside =
            move |path: &PathBuf| path.components().count() == 1 && path.extension() == Some(extension.as_ref());
        files.into_iter().filter(is_beside)
    };
    below("rtl", earlier.files)
        .chain(below("rtl", earlier.models))
        .chain(beside("f", earlier.lists))
        .chain(below("constraints", earlier.constraints))
        .chain(below("tb", earlier.testbenches))
        .chain(below("flows", earlier.flows.clone()))
        .chain(beside("core", earlier.flows))
        .collect()
}
