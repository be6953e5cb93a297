//! Whose turn it is: which lane starts an output in a pass of an INT8 GEMM, and which one finishes.
//!
//! Lanes start one after the other, one per pass, so that they also finish one after the other. The pass in which lane
//! `l` starts an output is the one in which lane `l + 1` finishes its previous one; the last pass of a period is the one
//! in which lane 0 finishes, and in which none starts. So one number says it all, together with whether a lane finishes.

use crate::config::CoreConfig;
use crate::hdl::Scope;

/// The turn in which a lane starts.
pub fn starts(lane: u32) -> u64 {
    u64::from(lane)
}

/// The turn in which a lane finishes, if the pass is one in which a lane does.
pub fn finishes(cfg: &CoreConfig, lane: u32) -> u64 {
    lane.checked_sub(1).map_or(idle(cfg), starts)
}

/// No lane starts.
pub fn idle(cfg: &CoreConfig) -> u64 {
    u64::from(cfg.lanes())
}

/// Bits of a turn.
pub fn bits(cfg: &CoreConfig) -> u32 {
    Scope::index_width(cfg.lanes() + 1)
}
