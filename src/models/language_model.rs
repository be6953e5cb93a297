//! Shapes of the linear layers of language models.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::config::nearest;
use crate::input::read_limited;

/// The linear layers of a decoder-only language model; embeddings, the head and whatever is not a matrix of weights are left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LanguageModel {
    /// As it is called on the command line.
    pub name: String,
    /// Decoder blocks, all alike.
    pub blocks: u32,
    /// The layers of a block, in the order of execution.
    #[serde(rename = "stage")]
    pub stages: Vec<Stage>,
}

/// Layers that can run as soon as the stage before has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stage {
    /// Which of them have the same activations.
    #[serde(default)]
    pub activations: Activations,
    /// In the order of execution.
    pub layers: Vec<LinearLayer>,
}

impl Stage {
    /// Layers that cannot have the same activations.
    fn problem(&self) -> Option<String> {
        let first = self.layers.first().filter(|_| self.activations == Activations::Shared)?;
        let other = self.layers.iter().find(|layer| layer.inputs != first.inputs)?;
        Some(format!(
            "layers `{}` and `{}` of a stage have the same activations, but {} and {} inputs; give them stages of their own, or the stage \
             `activations = \"own\"`",
            first.name, other.name, first.inputs, other.inputs
        ))
    }
}

/// Which layers of a stage, and copies of them, have the same activations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activations {
    /// All of them.
    #[default]
    Shared,
    /// None.
    Own,
}

/// A linear layer, or several of the same shape of which each token needs some.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearLayer {
    /// As in the model: `q_proj`.
    pub name: String,
    /// `K`.
    pub inputs: u32,
    /// `N`.
    pub outputs: u32,
    /// How many there are in a block: experts.
    #[serde(default = "one")]
    pub count: u32,
    /// How many of them a token needs; all unless it is given.
    pub active: Option<u32>,
}

fn one() -> u32 {
    1
}

impl LinearLayer {
    /// How many of them a token needs.
    pub fn active(&self) -> u32 {
        self.active.unwrap_or(self.count)
    }

    /// Weights of one of them.
    pub fn weights(&self) -> u64 {
        u64::from(self.inputs) * u64::from(self.outputs)
    }
}

/// One matrix product of a decoder block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockLayer<'m> {
    /// Its shape.
    pub layer: &'m LinearLayer,
    /// Number of the layer among those of the model, from 0.
    pub number: usize,
    /// Which of the copies of the layer, from 0.
    pub copy: u32,
    /// Number of its activations, from 0 in the order of first use.
    pub input: usize,
    /// It is the first one that depends on the outputs of the stage before.
    pub waits: bool,
}

impl BlockLayer<'_> {
    /// The name of the layer, with the number of the copy behind it if a token needs several.
    pub fn name(&self) -> String {
        let LinearLayer { name, .. } = self.layer;
        if self.layer.active() == 1 { name.clone() } else { format!("{name}.{}", self.copy) }
    }
}

/// Why there is no usable model.
#[derive(Debug, Error)]
pub enum ModelError {
    /// There is no model of this name.
    #[error("there is no model `{name}`; {}", match .suggestion {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the models are {}, and any file *.toml", LanguageModel::names().collect::<Vec<_>>().join(", ")),
    })]
    Unknown {
        /// As it was asked for.
        name: String,
        /// The one most like it, if any is close.
        suggestion: Option<String>,
    },
    /// The file cannot be read.
    #[error("cannot read the model {}: {source}", .path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },
    /// The file is not the description of a model.
    #[error("{} does not describe a model: {}", .path.display(), .problem.trim_end())]
    Invalid {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
    },
}

/// Names and descriptions of the models that come with the program.
pub const LANGUAGE_MODELS: &[(&str, &str)] = &[
    ("llama-1-7b", include_str!("llama-1-7b.toml")),
    ("llama-1-13b", include_str!("llama-1-13b.toml")),
    ("llama-1-30b", include_str!("llama-1-30b.toml")),
    ("llama-1-65b", include_str!("llama-1-65b.toml")),
    ("llama-2-7b", include_str!("llama-2-7b.toml")),
    ("llama-2-13b", include_str!("llama-2-13b.toml")),
    ("llama-3-8b", include_str!("llama-3-8b.toml")),
    ("mixtral-8x7b", include_str!("mixtral-8x7b.toml")),
    ("qwen3-30b-a3b", include_str!("qwen3-30b-a3b.toml")),
];

/// Bytes of a file, many more than any model takes.
const MAX_BYTES: u64 = 1 << 20;
/// More inputs or outputs than any layer has.
const MAX_SIDE: u32 = 1 << 20;
/// More copies of a layer, or blocks, than any model has.
const MAX_COPIES: u32 = 4096;

impl LanguageModel {
    /// Names of the models that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        LANGUAGE_MODELS.iter().map(|(name, _)| *name)
    }

    /// The model of this name, or in this file if the name ends with `.toml`.
    ///
    /// # Errors
    /// There is no such model (the error suggests the nearest name), or the file cannot be read or describes none.
    pub fn find(name: &str) -> Result<Self, ModelError> {
        let path = Path::new(name);
        if path.extension().is_some_and(|extension| extension == "toml") {
            let text = read_limited(path, MAX_BYTES)
                .and_then(|bytes| {
                    String::from_utf8(bytes).map_err(|error| io::Error::new(ErrorKind::InvalidData, error))
                })
                .map_err(|source| ModelError::Unreadable { path: path.to_owned(), source })?;
            return Self::parse(&text).map_err(|problem| ModelError::Invalid { path: path.to_owned(), problem });
        }
        let Some((_, text)) = LANGUAGE_MODELS.iter().find(|(known, _)| *known == name) else {
            let suggestion = nearest(name, Self::names());
            return Err(ModelError::Unknown { name: name.to_owned(), suggestion });
        };
        Ok(Self::parse(text).expect("the models of the crate are valid, which its tests check"))
    }

    fn parse(text: &str) -> Result<Self, String> {
        let model: Self = toml::from_str(text).map_err(|error| error.to_string())?;
        match model.problem() {
            Some(problem) => Err(problem),
            None => Ok(model),
        }
    }

    /// The first thing that makes no sense.
    fn problem(&self) -> Option<String> {
        let within = |what: &str, value: u32, most: u32| {
            (!(1..=most).contains(&value)).then(|| format!("{what} = {value}, must be from 1 to {most}"))
        };
        if let Some(problem) = within("blocks", self.blocks, MAX_COPIES) {
            return Some(problem);
        }
        if self.stages.is_empty() || self.stages.iter().any(|stage| stage.layers.is_empty()) {
            return Some("it needs at least one stage, and every stage at least one layer".to_owned());
        }
        let sizes = self.layers().find_map(|layer| {
            let of = |field: &str| format!("{field} of layer `{}`", layer.name);
            within(&of("inputs"), layer.inputs, MAX_SIDE)
                .or_else(|| within(&of("outputs"), layer.outputs, MAX_SIDE))
                .or_else(|| within(&of("count"), layer.count, MAX_COPIES))
                .or_else(|| within(&of("active"), layer.active(), layer.count))
        });
        sizes.or_else(|| self.stages.iter().find_map(Stage::problem))
    }

    /// The layers of a block, each once.
    pub fn layers(&self) -> impl Iterator<Item = &LinearLayer> {
        self.stages.iter().flat_map(|stage| &stage.layers)
    }

    /// The layers of a block that a token needs, every copy of its own, in the order of execution.
    pub fn execution(&self) -> impl Iterator<Item = BlockLayer<'_>> {
        let stages = self.stages.iter().enumerate();
        let layers = stages.flat_map(|(place, stage)| {
            stage.layers.iter().enumerate().map(move |(at, layer)| (place, stage.activations, at, layer))
        });
        let copies = layers.enumerate().flat_map(|(number, (place, activations, at, layer))| {
            (0..layer.active()).map(move |copy| {
                let is_first = at == 0 && copy == 0;
                let is_new = is_first || activations == Activations::Own;
                (is_new, BlockLayer { layer, number, copy, input: 0, waits: is_first && place > 0 })
            })
        });
        copies.scan(0, |inputs, (is_new, part)| {
            *inputs += usize::from(is_new);
            Some(BlockLayer { input: *inputs - 1, ..part })
        })
    }

    /// Weights of the linear layers of one block, all experts included.
    pub fn block_weights(&self) -> u64 {
        self.layers().map(|layer| u64::from(layer.count) * layer.weights()).sum()
    }

    /// Weights of one block that a token needs.
    pub fn active_weights(&self) -> u64 {
        self.layers().map(|layer| u64::from(layer.active()) * layer.weights()).sum()
    }
}
