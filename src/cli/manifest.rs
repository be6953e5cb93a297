//! `eva_core.json`: what a generated core consists of, for scripts that build or integrate it.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::Design;
use eva_rtl::hdl::ir::{self, Collision, Dir};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Name of the manifest in an output folder.
pub const FILE_NAME: &str = "eva_core.json";

#[derive(Debug, Serialize)]
pub struct Manifest {
    /// Program and version that made it.
    pub generator: String,
    pub top: String,
    pub parameters: CoreConfig,
    /// Of the top module, clock and reset first.
    pub ports: Vec<Port>,
    /// Children before parents.
    pub modules: Vec<Module>,
    pub memories: Vec<Memory>,
    /// In clock cycles.
    pub latencies: Map<String, Value>,
    /// Verilog files, relative to the manifest, in the order in which to compile them.
    pub files: Vec<String>,
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
pub struct Memory {
    pub module: String,
    pub name: String,
    pub depth: u32,
    pub width: u32,
    pub read_ports: usize,
    pub write_ports: usize,
    /// Cycles from address to data; 0 is a combinational read.
    pub read_latency: u32,
    /// What a read of a word returns that is written in the same cycle.
    pub collision: &'static str,
    pub initialised: bool,
    /// How often it occurs in the whole core.
    pub instances: u64,
}

impl Manifest {
    /// Describes `design`, made from `config` and written as `files` (paths relative to the manifest).
    pub fn new(config: &CoreConfig, design: &Design, files: Vec<String>) -> Self {
        let occurrences = occurrences(design);
        let modules = design.modules.iter().zip(&occurrences);
        Self {
            generator: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
            top: design.top_module().name.clone(),
            parameters: config.clone(),
            ports: ports(design),
            memories: modules
                .clone()
                .flat_map(|(module, count)| module.mems.iter().map(|mem| memory(module, mem, *count)))
                .collect(),
            modules: modules.map(|(module, count)| describe(module, *count)).collect(),
            latencies: latencies(config),
            files,
        }
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
    Module {
        name: module.name.clone(),
        description: module.doc.clone(),
        parameters: module.params.iter().map(|(name, value)| (name.clone(), value.clone().into())).collect(),
        instances,
    }
}

fn memory(module: &ir::Module, mem: &ir::Mem, instances: u64) -> Memory {
    Memory {
        module: module.name.clone(),
        name: mem.name.clone(),
        depth: mem.depth,
        width: mem.width,
        read_ports: mem.reads.len(),
        write_ports: mem.writes.len(),
        read_latency: mem.read_latency,
        collision: match mem.collision {
            Collision::ReadOld => "read_old",
            Collision::ReadNew => "read_new",
            Collision::Undefined => "undefined",
        },
        initialised: mem.init.is_some(),
        instances,
    }
}

/// Register stages of the datapath.
fn latencies(config: &CoreConfig) -> Map<String, Value> {
    let pipeline = &config.pipeline;
    [("pe", pipeline.pe), ("tree", pipeline.tree), ("epilogue", pipeline.epilogue), ("scale", pipeline.scale)]
        .map(|(name, cycles)| (name.to_owned(), cycles.into()))
        .into_iter()
        .collect()
}

/// The files that an earlier run listed in the manifest in `folder`; none if there is no manifest of ours.
pub fn earlier_files(folder: &Path) -> BTreeSet<PathBuf> {
    #[derive(Deserialize)]
    struct Earlier {
        files: BTreeSet<PathBuf>,
    }
    let text = std::fs::read(folder.join(FILE_NAME)).unwrap_or_default();
    serde_json::from_slice(&text).map_or_else(|_| BTreeSet::new(), |earlier: Earlier| earlier.files)
}
