//! What the manifest says about memories: all that is needed to order or build macros for them.

use eva_rtl::config::{CoreConfig, MemoryStyle};
use eva_rtl::hdl::Design;
use eva_rtl::hdl::ir::Collision;
use eva_rtl::hdl::verilog::{self, RamMacro, RamMacroBinding};
use serde::Serialize;

use super::{Port, direction};

/// Memories of a design.
pub struct Memories {
    /// One for each shape.
    pub modules: Vec<MemoryModule>,
    /// Where they are used.
    pub memories: Vec<Memory>,
    /// What they are made of.
    pub macros: Vec<Macro>,
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
    /// In their order.
    pub ports: Vec<MemoryPort>,
    /// How often it occurs in the whole core.
    pub instances: u64,
    /// Bits of all of these.
    pub total_bits: u64,
    /// What it is made of, if of a vendor's macros.
    #[serde(rename = "macro")]
    pub bound: Option<Bound>,
}

#[derive(Debug, Serialize)]
pub struct MemoryPort {
    #[serde(flatten)]
    pub port: Port,
    pub meaning: &'static str,
}

/// How a memory is made of a vendor's macros.
#[derive(Debug, Serialize)]
pub struct Bound {
    pub module: String,
    /// Macros over its depth.
    pub banks: u32,
    /// Macros over its width.
    pub slices: u32,
}

#[derive(Debug, Serialize)]
pub struct Memory {
    /// Module that contains it.
    pub module: String,
    pub name: String,
    /// Which memory module it is an instance of.
    pub memory_module: String,
    pub depth: u32,
    pub width: u32,
    /// How often it occurs in the whole core.
    pub instances: u64,
}

/// A vendor's macro that files to synthesise instantiate.
#[derive(Debug, Serialize)]
pub struct Macro {
    pub module: String,
    pub depth: u32,
    pub width: u32,
    /// How often it occurs in the whole core.
    pub instances: u64,
    /// Bits of all of these, used or not.
    pub total_bits: u64,
}

impl Memories {
    /// `occurrences`: how often each module of `design` occurs.
    pub fn new(config: &CoreConfig, design: &Design, occurrences: &[u64]) -> Self {
        let macros: &[RamMacro] = match config.memory.style {
            MemoryStyle::Macro => &config.memory.macros,
            MemoryStyle::Inferred => &[],
        };
        let memories: Vec<Memory> = verilog::memory_instances(design)
            .into_iter()
            .map(|(module, mem, memory_module)| {
                let mem = &design.module(module).mems[mem.index()];
                Memory {
                    module: design.module(module).name.clone(),
                    name: mem.name.clone(),
                    memory_module,
                    depth: mem.depth,
                    width: mem.width,
                    instances: occurrences[module.index()],
                }
            })
            .collect();
        let mut modules = Vec::new();
        let mut used: Vec<Macro> = macros.iter().map(unused).collect();
        for module in verilog::memory_modules(design) {
            let of_module = memories.iter().filter(|memory| memory.memory_module == module.name);
            let instances = of_module.map(|memory| memory.instances).sum();
            let binding = RamMacroBinding::choose(&module, macros);
            if let Some(binding) = binding {
                for ram in used.iter_mut().filter(|ram| ram.module == binding.ram.module) {
                    ram.instances += instances * binding.count();
                    ram.total_bits += instances * binding.bits();
                }
            }
            modules.push(describe(&module, &design.clocking.clock, instances, binding));
        }
        used.retain(|ram| ram.instances > 0);
        Self { modules, memories, macros: used }
    }
}

fn unused(ram: &RamMacro) -> Macro {
    Macro { module: ram.module.clone(), depth: ram.depth, width: ram.width, instances: 0, total_bits: 0 }
}

fn describe(
    module: &verilog::MemoryModule,
    clock: &str,
    instances: u64,
    binding: Option<RamMacroBinding>,
) -> MemoryModule {
    let port = |port: verilog::MemoryPort| MemoryPort {
        port: Port { name: port.name, direction: direction(port.dir), width: port.width },
        meaning: port.meaning,
    };
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
        ports: module.ports(clock).into_iter().map(port).collect(),
        instances,
        total_bits: instances * u64::from(module.depth) * u64::from(module.width),
        bound: binding.map(|binding| Bound {
            module: binding.ram.module.clone(),
            banks: binding.banks,
            slices: binding.slices,
        }),
    }
}
