//! Quantised layers: reading them from checkpoints, making random ones, and packing them into what a core reads.
//!
//! - [`Layer`]: one quantised layer in memory; [`LayerShape`] says whether a [`CoreConfig`](crate::config::CoreConfig) can run it.
//! - [`load_layer`], [`list_layers`]: AQLM checkpoints, one `.safetensors` file or many behind an index.
//! - [`read_activations`]: the activations of one token from `.npy` or `.safetensors`.
//! - [`pack()`], [`Planner`]: the weight image, the commands and the activation stream, as `docs/interface.md` describes them; of one layer or
//!   of several.
//! - [`random_layer`], [`random_activations`], [`write_safetensors`]: layers for tests and for trying things out.
//! - [`gptvq`]: layers with a codebook for each group of inputs and outputs; [`AnyLayer`] is one of either form.
//! - [`program`]: folders with the image and the commands of several layers; [`block`]: the order of the layers of decoder blocks.
//! - [`int8`]: the same for layers of INT8 weights.

mod activations;
mod any;
mod aqlm;
pub mod block;
mod checkpoint;
mod command;
mod convert;
mod error;
pub mod gptvq;
pub mod int8;
mod layer;
mod pack;
pub mod program;
mod random;
mod write;

pub use activations::{Activations, read_activations};
pub use any::{AnyLayer, LayerRef, LayerSource, load_any_layer};
pub use aqlm::{Imported, LayerSummary, list_layers, load_layer};
pub use command::{Command, Int8Gemm, Opcode, Operation, Status, StatusCode, VqGemv};
pub use convert::Conversion;
pub use error::{Error, Result};
pub use layer::{Layer, LayerShape, Scales};
pub use pack::{Packer, Plan, Planner, Step, block_sizes, pack, pack_batch, pack_x, vector_ranges};
pub use random::{Distribution, random_activations, random_layer};
pub use write::write_safetensors;
