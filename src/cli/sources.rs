//! The Verilog of a design, arranged as files.

use eva_rtl::config::{CoreConfig, MemoryStyle};
use eva_rtl::flows;
use eva_rtl::hdl::{Design, verilog};

/// Folder of the Verilog within an output folder.
const FOLDER: &str = "rtl";

/// One file.
pub struct Source {
    /// Relative to the output folder: `rtl/eva_pe.v`.
    pub path: String,
    /// Without folders: `eva_pe.v`.
    pub name: String,
    pub text: String,
    is_model: bool,
}

/// All files of a design, in the order in which to compile them.
pub struct Sources {
    top: String,
    files: Vec<Source>,
}

impl Sources {
    /// Writes out `design` with the kind of memories that `config` asks for.
    pub fn new(config: &CoreConfig, design: &Design) -> Self {
        let memory = match config.memory.style {
            MemoryStyle::Inferred => verilog::MemoryStyle::Inferred,
            MemoryStyle::Macro => verilog::MemoryStyle::Macro,
        };
        let mut files = verilog::emit(design, &verilog::Options { memory });
        if config.memory.style == MemoryStyle::Macro {
            verilog::bind_macros(&mut files, design, &config.memory.macros);
        }
        let source = |file: verilog::File| {
            let model = file.name.strip_prefix(verilog::MODELS);
            Source {
                path: format!("{FOLDER}/{}", file.name),
                name: model.unwrap_or(&file.name).to_owned(),
                is_model: model.is_some(),
                text: file.text,
            }
        };
        Self { top: design.top_module().name.clone(), files: files.into_iter().map(source).collect() }
    }

    /// Adds a file that is not part of the design but around it; it is compiled after all of these.
    pub fn add(&mut self, file: flows::File) {
        let name = file.path.rsplit('/').next().unwrap_or_default().to_owned();
        self.files.push(Source { path: file.path, name, text: file.text, is_model: false });
    }

    /// Every file.
    pub fn all(&self) -> &[Source] {
        &self.files
    }

    /// Those to synthesise: no models.
    pub fn files(&self) -> impl Iterator<Item = &Source> {
        self.files.iter().filter(|source| !source.is_model)
    }

    /// Models of black boxes, and of modules made of a vendor's macros.
    pub fn models(&self) -> impl Iterator<Item = &Source> {
        self.files.iter().filter(|source| source.is_model)
    }

    /// Those to simulate: models instead of the modules of the same name.
    pub fn simulation(&self) -> impl Iterator<Item = &Source> {
        let replaced = |source: &Source| self.models().any(|model| model.name == source.name);
        self.files.iter().filter(move |source| source.is_model || !replaced(source))
    }

    /// Name and text of the lists of files, relative to the output folder: one to synthesise, and one to simulate if
    /// that is another.
    pub fn lists(&self) -> impl Iterator<Item = (String, String)> {
        let synthesis = (format!("{}.f", self.top), list(self.files()));
        let has_models = self.models().next().is_some();
        let simulation = has_models.then(|| (format!("{}_sim.f", self.top), list(self.simulation())));
        [synthesis].into_iter().chain(simulation)
    }
}

fn list<'a>(sources: impl Iterator<Item = &'a Source>) -> String {
    sources.map(|source| format!("{}\n", source.path)).collect()
}
