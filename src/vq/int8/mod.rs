//! INT8 layers: reading them from checkpoints, making random ones, and packing them for `INT8_GEMM`.
//!
//! - [`Int8Layer`]: one layer in memory, of an [`Int8Shape`].
//! - [`load_int8_layer`], [`list_int8_layers`], [`read_int8_activations`]: W8A8 checkpoints, and activations from files.
//! - [`Int8Plan`]: how a core computes a layer for a number of tokens: commands, weight image, activation stream and the
//!   order of the outputs. [`Schedule`] says which pass of a command does what.
//! - [`random_int8_layer`], [`random_int8_activations`], [`write_int8_safetensors`]: for tests and for trying things out.

mod activations;
mod checkpoint;
mod layer;
mod plan;
mod random;
mod schedule;
mod write;

pub use activations::{Int8Activations, read_int8_activations};
pub use checkpoint::{Int8Summary, list_int8_layers, load_int8_layer};
pub use layer::{Int8Layer, Int8Shape};
pub use plan::{FullPasses, Int8Block, Int8Plan};
pub use random::{Int8Distribution, random_int8_activations, random_int8_layer};
pub use schedule::Schedule;
pub use write::write_int8_safetensors;
