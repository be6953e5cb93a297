//! What synthesis found out, ready for JSON.

use serde::Serialize;

use super::memory::MemoryModel;
use super::netlist::Netlist;
use super::target::{Resources, Target};
use super::timing::Timing;

/// What a design takes, and how fast it is: the JSON of `eva synth`.
#[derive(Debug, Serialize)]
pub struct Report {
    /// The module that synthesis began with.
    pub top: String,
    /// What it was mapped to.
    pub target: Target,
    /// Program and version that mapped it.
    pub tool: String,
    /// Cell library.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
    /// The period that was to be met, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_ns: Option<f64>,
    /// What is assumed of memories that are black boxes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory: Option<MemoryModel>,
    /// The largest share first.
    pub modules: Vec<ModuleReport>,
    /// Everything together.
    pub total: Total,
    /// The longest paths; `None` for targets of which none are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timing: Option<Timing>,
    /// Runs of Yosys that were needed, and how many of them the cache knew already.
    pub jobs: u64,
    /// Those of which the cache knew the result.
    pub cached_jobs: u64,
    /// How long all of it took.
    pub seconds: f64,
    /// What it was mapped to; no part of the JSON.
    #[serde(skip)]
    pub netlist: Netlist,
}

/// A module without its children.
#[derive(Debug, Serialize)]
pub struct ModuleReport {
    /// Its name.
    pub module: String,
    /// How often it occurs.
    pub instances: u64,
    /// What one instance takes.
    pub each: Resources,
    /// What all instances take together.
    #[serde(flatten)]
    pub all: Resources,
    /// Bits of the registers of all instances, as the design has them: synthesis leaves out those that never change or
    /// that nobody reads, and may add none.
    pub register_bits: u64,
    /// Of all instances.
    pub memory_bits: u64,
    /// Of the total, 0 to 1: of the area of standard cells, of the LUTs of an FPGA, of the cells otherwise.
    pub share: f64,
    /// The longest path within one instance, in ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path_ns: Option<f64>,
    /// How standard cells were chosen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub recipe: Option<String>,
}

/// Everything together.
#[derive(Debug, Default, Serialize)]
pub struct Total {
    /// Logic and memories of all modules.
    #[serde(flatten)]
    pub resources: Resources,
    /// Part of the area that black boxes of memories are assumed to take.
    pub memory_area: f64,
    /// Bits of all memories.
    pub memory_bits: u64,
}

impl std::ops::Deref for Total {
    type Target = Resources;

    fn deref(&self) -> &Resources {
        &self.resources
    }
}

impl Report {
    /// Adds up `modules`, works out their shares and sorts them.
    pub(super) fn finish(mut self) -> Self {
        for module in &self.modules {
            self.total.resources.add(&module.all, 1);
            self.total.memory_bits += module.memory_bits;
            if self.memory.is_some() && module.memory_bits > 0 {
                self.total.memory_area += module.all.area;
            }
        }
        let target = self.target;
        let measure = |resources: &Resources| match target {
            Target::Asic => resources.area,
            Target::Generic => resources.cells as f64,
            _ => resources.luts as f64,
        };
        let whole = measure(&self.total.resources).max(f64::MIN_POSITIVE);
        for module in &mut self.modules {
            module.share = measure(&module.all) / whole;
        }
        self.modules.sort_by(|a, b| b.share.total_cmp(&a.share).then_with(|| a.module.cmp(&b.module)));
        self
    }
}
