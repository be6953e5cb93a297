//! From layers to what a core reads: commands, weight image and activation stream, as `docs/interface.md` describes
//! them.

mod bits;
mod builder;
mod divide;
mod packer;
mod parts;

use super::any::LayerRef;
use super::error::{Error, Result};
use crate::config::CoreConfig;

pub(super) use builder::activations;
pub use builder::{Plan, Planner, Step};
pub(super) use divide::divide;
pub use divide::{block_sizes, vector_ranges};
pub use packer::Packer;

/// The plan of one layer for one token, as [`Planner`] makes it.
///
/// # Errors
/// If the core cannot run the layer; all reasons together.
pub fn pack<'a>(layer: impl Into<LayerRef<'a>>, config: &CoreConfig) -> Result<Plan> {
    pack_batch(layer, 1, config)
}

/// The plan of one layer for a batch of `tokens` tokens.
///
/// # Errors
/// If the core cannot run the layer with so many tokens; all reasons together.
pub fn pack_batch<'a>(layer: impl Into<LayerRef<'a>>, tokens: usize, config: &CoreConfig) -> Result<Plan> {
    let mut planner = Planner::new(tokens, config);
    planner.push(layer.into(), 0)?;
    Ok(planner.finish())
}

/// The bytes of `s_axis_x` of one `LOAD_X` of activations `x` (FP16, a whole number of vectors, at most `max_k` of them):
/// padded with zeros to whole beats.
///
/// # Errors
/// If there are no activations, too many, or no whole number of vectors.
pub fn pack_x(x: &[u16], config: &CoreConfig) -> Result<Vec<u8>> {
    let (dim, max_k) = (config.vq.dim as usize, config.buffers.max_k as usize);
    if x.is_empty() || !x.len().is_multiple_of(dim) || x.len() > max_k {
        let problem = format!("{} given, a multiple of vq.dim = {dim} up to buffers.max_k = {max_k} expected", x.len());
        return Err(Error::Activations { problem });
    }
    let mut bytes: Vec<u8> = x.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    bytes.resize(bytes.len().next_multiple_of(config.x_width() as usize / 8), 0);
    Ok(bytes)
}

/// Why a core cannot compute `tokens` tokens together; empty if it can.
fn obstacles_to_batch(tokens: usize, config: &CoreConfig) -> Vec<String> {
    let units = config.epilogue.units as usize;
    let mut reasons = Vec::new();
    if !tokens.is_power_of_two() || !units.is_multiple_of(tokens) {
        let usable: Vec<String> =
            (0..5).map(|log| 1 << log).filter(|tokens| units.is_multiple_of(*tokens)).map(|m| m.to_string()).collect();
        let usable = usable.join(", ");
        reasons.push(format!("M = {tokens} tokens do not share epilogue.units = {units}; possible are {usable}"));
    }
    if tokens > config.buffers.max_n_block as usize {
        reasons.push(format!("M = {tokens} tokens exceed buffers.max_n_block = {}", config.buffers.max_n_block));
    }
    if tokens > 1 && config.max_vectors() < config.tile_vectors() {
        reasons.push(format!(
            "M = {tokens} tokens need a tile of {} inputs in the buffer, and buffers.max_k is {}",
            config.tile_vectors() * config.vq.dim,
            config.buffers.max_k
        ));
    }
    reasons
}
