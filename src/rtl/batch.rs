//! Decoding several tokens at once: the units are divided among `M` of them, a power of two.

use crate::config::CoreConfig;
use crate::hdl::{Scope, Signal};

/// Bits of the logarithm of `M`.
pub fn split_bits(cfg: &CoreConfig) -> u32 {
    Scope::index_width(cfg.max_batch().trailing_zeros() + 1)
}

/// Every `M` there is.
pub fn choices(cfg: &CoreConfig) -> impl Iterator<Item = u32> {
    (0..=cfg.max_batch().trailing_zeros()).map(|split| 1 << split)
}

/// The signal for the present `M`, whose logarithm is `split`.
#[track_caller]
pub fn choose<'m>(cfg: &CoreConfig, split: Signal<'m>, signal: impl FnMut(u32) -> Signal<'m>) -> Signal<'m> {
    if cfg.max_batch() == 1 {
        split.discard();
    }
    split.select(&choices(cfg).map(signal).collect::<Vec<_>>())
}
