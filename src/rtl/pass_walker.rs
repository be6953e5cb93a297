//! The sequence of passes of an INT8 GEMM.

use super::epilogue_control::output_bits;
use super::turn;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::Scope;
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_pass_walker";

bundle! {
    /// Size of a command: `tiles` = T k tiles, `outputs` = N, both at least 1.
    pub Passes { tiles, outputs }
    /// A pass: `turn` of the lanes; `takes_tile`: it takes a k tile, and not nothing; `emits`: a lane finishes an output;
    /// `last` of the command.
    pub Pass { turn, takes_tile, emits, last }
}

/// Widths of [`Passes`].
pub fn widths(cfg: &CoreConfig) -> Passes<u32> {
    Passes { tiles: Scope::index_width(cfg.max_k_tiles() + 1), outputs: output_bits(cfg) }
}

/// Describes the walker. `start` (one cycle, `passes` held until the end) starts it; `busy` is 1 from the next cycle until
/// the `step` in the last pass. `pass_*` is the present one while `busy`.
pub fn pass_walker(m: &Scope, cfg: &CoreConfig) {
    let lanes = cfg.lanes();
    m.doc("Pass walker: k tile, turn of the lanes and finished outputs of each pass of an INT8 GEMM.");
    m.param("lanes", lanes);
    m.param("max_k_tiles", cfg.max_k_tiles());
    m.param("buffers.max_n_block", cfg.buffers.max_n_block);
    let start = m.input("start", 1);
    let passes = m.inputs("passes", widths(cfg));
    let step = m.input("step", 1);

    // A period has a pass for each k tile, and more than there are lanes: one finishes in each pass, and the last one
    // must be through before lane 0 is.
    let bits = passes.tiles.width().max(Scope::index_width(lanes + 2));
    let tiles = passes.tiles.zext(bits);
    let busy = m.reg("busy_q", 1).reset(0);
    let tile = m.reg("tile", bits);
    let first_period = m.reg("first_period", 1);
    let finished = m.reg("finished", output_bits(cfg));
    hw! {
        tile_next = tile.q() + 1;
        has_lane = tile.q().lt(u64::from(lanes));
        takes_tile = tile.q().lt(tiles);
        wraps = !tile_next.lt(tiles) & tile.q().ge(u64::from(lanes));
        finishes = wraps | (!first_period.q() & tile.q().lt(u64::from(lanes - 1)));
        output_last = (finished.q() + 1).eq(passes.outputs);
        last = finishes & output_last;
    }
    tile.on(step, wraps.mux(0, tile_next)).on(start, 0);
    first_period.on(step & wraps, 0).on(start, 1);
    finished.on(step & finishes, finished.q() + 1).on(start, 0);
    busy.on(step & last, 0).on(start, 1);

    let turn_bits = turn::bits(cfg);
    let at = |number: u64| m.lit(number, turn_bits);
    let lane = super::fit(tile.q(), turn_bits);
    m.output("busy", busy.q());
    let turn = has_lane.mux(lane, at(turn::idle(cfg)));
    m.outputs("pass", Pass { turn, takes_tile, emits: finishes, last });
}
