//! Layers of GPTVQ's form, where each group of inputs and outputs has a codebook of its own: reading them from checkpoints, making random
//! ones.
//!
//! - [`GptvqLayer`]: one layer in memory, of a [`GptvqShape`].
//! - [`load_gptvq_layer`], [`list_gptvq_layers`]: checkpoints in the layout of `docs/checkpoints.md`.
//! - [`random_gptvq_layer`], [`write_gptvq_safetensors`]: for tests and for trying things out.

mod checkpoint;
mod layer;
mod random;
mod write;

pub(super) use checkpoint::is_gptvq;
pub(super) use checkpoint::load_gptvq_layer_from;
pub use checkpoint::{GptvqSummary, ImportedGptvq, list_gptvq_layers, load_gptvq_layer};
pub use layer::{GptvqLayer, GptvqShape};
pub use random::random_gptvq_layer;
pub use write::write_gptvq_safetensors;
