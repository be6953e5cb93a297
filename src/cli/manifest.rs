//! The manifest, `eva_core.json` for a core: what generated hardware consists of, for scripts that build or integrate
//! it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::ir::{self, Collision, Dir};
use eva_rtl::hdl::{Design, verilog};
use eva_rtl::rtl::{accumulator, baseline, epilogue_unit, lane_buffer, row, scaler};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::generate::Hardware;
use super::sources::Sources;

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
    /// Timing constraints.
    pub constraints: Vec<&'static str>,
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

#[derive(Debug, Serialize)]
pub struct MemoryModule {
    pub name: String,
    pub depth: u32,
    pub width: u32,
    pub read_ports: u32,
    pub write_ports: u32,
    /// Cycles from address to data; 0 is a combinational read.
    pub read_latency: u32,
    /// What a read of a word returns that is written in the same cycle.
    pub collision: &'static str,
    /// Whether a macro can take its place.
    pub can_be_macro: bool,
}

#[derive(Debug, Serialize)]
pub struct Memory {
    /// Module that contains it.
    pub module: String,
    pub name: String,
    pub depth: u32,
    pub width: u32,
    /// How often it occurs in the whole core.
    pub instances: u64,
}

impl Manifest {
    /// Describes `design`, the `hardware` made from `config` and written as `sources`.
    pub fn new(hardware: Hardware, config: &CoreConfig, design: &Design, sources: &Sources) -> Self {
        let occurrences = occurrences(design);
        let modules = design.modules.iter().zip(&occurrences);
        let memories = modules.clone().flat_map(|(module, count)| {
            // A memory that nobody reads is left out of the Verilog.
            let read = module.mems.iter().filter(|mem| !mem.reads.is_empty());
            read.map(|mem| Memory {
                module: module.name.clone(),
                name: mem.name.clone(),
                depth: mem.depth,
                width: mem.width,
                instances: *count,
            })
        });
        Self {
            generator: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            top: design.top_module().name.clone(),
            parameters: config.clone(),
            ports: ports(design),
            memories: memories.collect(),
            modules: modules.map(|(module, count)| describe(module, *count)).collect(),
            memory_modules: verilog::memory_modules(design).iter().map(describe_memory).collect(),
            latencies: latencies(hardware, config),
            files: sources.files().map(|file| file.path.clone()).collect(),
            models: sources.models().map(|file| file.path.clone()).collect(),
            lists: sources.lists().map(|(name, _)| name).collect(),
            constraints: hardware.constraints().into_iter().map(|(path, _)| path).collect(),
        }
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
        direction: match port.dir {
            Dir::Input => "input",
            Dir::Output => "output",
        },
        width: port.width,
    });
    implied.into_iter().chain(declared).collect()
}

fn describe(module: &ir::Module, instances: u64) -> Module {
    let parameters = module.params.iter().map(|(name, value)| (name.clone(), value.clone().into()));
    Module { name: module.name.clone(), description: module.doc.clone(), parameters: parameters.collect(), instances }
}

fn describe_memory(module: &verilog::MemoryModule) -> MemoryModule {
    MemoryModule {
        name: module.name.clone(),
        depth: module.depth,
        width: module.width,
        read_ports: module.reads,
        write_ports: module.writes,
        read_latency: module.read_latency,
        collision: match module.collision {
            Collision::ReadOld => "read_old",
            Collision::ReadNew => "read_new",
            Collision::Undefined => "undefined",
        },
        can_be_macro: module.can_be_macro(),
    }
}

fn latencies(hardware: Hardware, config: &CoreConfig) -> Map<String, Value> {
    let latencies = match hardware {
        Hardware::Core => vec![
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
    }
    let text = std::fs::read(manifest).unwrap_or_default();
    let earlier = serde_json::from_slice::<Earlier>(&text);
    let Ok(Earlier { generator, files, models, lists }) = earlier else {
        return BTreeSet::new();
    };
    if !generator.starts_with(concat!(env!("CARGO_PKG_NAME"), " ")) {
        return BTreeSet::new();
    }
    // Nothing else is ever written, so nothing else is taken for ours.
    let verilog = files.into_iter().chain(models).filter(|path| path.starts_with("rtl"));
    let lists = lists.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "f"));
    verilog.chain(lists).collect()
}
