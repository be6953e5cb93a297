//! Verilog-2005 text of a design: one module per file, the same bytes for the same design.
//!
//! The text is meant to be read: named signals keep their names, unnamed ones that are used once are written in place.
//! Widths are exact everywhere, so that linters have nothing to say; bits that nobody reads are collected in one wire
//! `unused` per module.

mod build;
mod expr;
mod fold;
mod lower;
mod memory;
mod module;
mod ram_macro;
mod text;

use super::ir::{Design, MemId, ModuleId};
use memory::MemoryModules;

pub use memory::{MemoryModule, MemoryPort};
pub use ram_macro::{RamMacro, RamMacroBinding, RamMacroPort};

/// Folder of the behavioural models of black boxes.
pub const MODELS: &str = "models/";

/// Choices that change the text but not the hardware it describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Options {
    /// What memories become.
    pub memory: MemoryStyle,
}

/// What memories become.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum MemoryStyle {
    /// Behavioural Verilog from which synthesis infers memories.
    #[default]
    Inferred,
    /// A black box for each memory that a macro can take the place of (see [`MemoryModule::can_be_macro`]), to be bound
    /// to a vendor's macro, and its behavioural model in a file under `models/`. Simulation and lint take the model
    /// instead of the black box.
    Macro,
}

/// One file, to be written as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Path relative to the output folder: `<module>.v` or `models/<module>.v`.
    pub name: String,
    /// The content of the file.
    pub text: String,
}

/// The text of a checked design: memories first, then modules, children before parents, the top module last. Linear
/// time.
pub fn emit(design: &Design, options: &Options) -> Vec<File> {
    let memories = MemoryModules::new(design);
    let clocks = design.clock_and_reset_use();
    let clock = &design.clocking.clock;
    let memory_files = memories.modules.iter().flat_map(|m| m.files(clock, options.memory));
    let module_files = (0..design.modules.len() as u32).map(|index| {
        let id = ModuleId(index);
        File { name: format!("{}.v", design.module(id).name), text: module::text(design, id, &clocks, &memories) }
    });
    memory_files.chain(module_files).collect()
}

/// The memory modules that [`emit`] adds to the design's own, in the same order.
pub fn memory_modules(design: &Design) -> Vec<MemoryModule> {
    MemoryModules::new(design).modules
}

/// Which memory module each memory is an instance of, by its name; without memories that nobody reads, which do not exist.
pub fn memory_instances(design: &Design) -> Vec<(ModuleId, MemId, String)> {
    let memories = MemoryModules::new(design);
    let modules = (0u32..).map(ModuleId).zip(&design.modules);
    let all = modules.flat_map(|(id, module)| (0..module.mems.len() as u32).map(move |mem| (id, MemId(mem))));
    all.filter_map(|(id, mem)| memories.get(id, mem).map(|module| (id, mem, module.name.clone()))).collect()
}

/// Puts modules made of `macros` in the place of those black boxes among the `files` of `design` that can be made of
/// them. Their models stay.
pub fn bind_macros(files: &mut [File], design: &Design, macros: &[RamMacro]) {
    for memory in memory_modules(design) {
        if let Some(binding) = RamMacroBinding::choose(&memory, macros) {
            let bound = binding.file(&memory, &design.clocking.clock);
            files.iter_mut().filter(|file| file.name == bound.name).for_each(|file| file.text.clone_from(&bound.text));
        }
    }
}

/// The files that simulators and linters take: models instead of the black boxes of the same name.
pub fn simulation_files(files: &[File]) -> impl Iterator<Item = &File> {
    let has_model = |file: &File| files.iter().any(|m| m.name.strip_prefix(MODELS) == Some(file.name.as_str()));
    files.iter().filter(move |file| !has_model(file))
}
