//! Programs: several layers as one weight image and one list of commands, in a folder. `docs/programs.md` describes the files.

mod decode;
mod manifest;
mod open;

use super::any::{AnyLayer, LayerRef};
use super::error::Result;
use super::pack::{Plan, Planner};
use crate::config::CoreConfig;

pub use manifest::{Form, ProgramLayer};
pub use open::{Program, foreign_file};

/// Name of the file that describes a program.
pub const PROGRAM_FILE: &str = "program.json";
/// Name of the weight image.
pub const WEIGHTS_FILE: &str = "weights.bin";

/// Puts a program together.
pub struct ProgramBuilder<'c> {
    config: &'c CoreConfig,
    planner: Planner<'c>,
    layers: Vec<ProgramLayer>,
    tokens: usize,
}

/// The files of a program.
pub struct ProgramFiles {
    /// Contents of [`PROGRAM_FILE`].
    pub description: String,
    /// The commands, and the contents of [`WEIGHTS_FILE`].
    pub plan: Plan,
}

impl<'c> ProgramBuilder<'c> {
    /// A program of no layers yet, for `tokens` tokens.
    pub fn new(tokens: usize, config: &'c CoreConfig) -> Self {
        Self { config, planner: Planner::new(tokens, config), layers: Vec::new(), tokens }
    }

    /// Adds a layer that computes the activations number `input`; the numbers count from 0 on.
    ///
    /// # Errors
    /// If the core cannot run the layer with so many tokens; all reasons together.
    pub fn push(&mut self, layer: &AnyLayer, input: usize) -> Result<()> {
        let layer = LayerRef::from(layer);
        self.planner.push(layer, input)?;
        self.layers.push(ProgramLayer::new(layer, input));
        Ok(())
    }

    /// The files.
    pub fn finish(self) -> ProgramFiles {
        let plan = self.planner.finish();
        let description = manifest::describe(&plan, self.layers, self.tokens, self.config);
        ProgramFiles { description, plan }
    }
}
