//! The passes of an `INT8_GEMM`, as `docs/interface.md` numbers them.

use std::ops::Range;

/// Which pass of a command does what. It is the same for any number of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// `L`: lanes of the array.
    pub lanes: usize,
    /// `T`: k tiles, at least 1.
    pub tiles: usize,
    /// `N`: outputs of the command, at least 1.
    pub outputs: usize,
}

impl Schedule {
    /// `Q`: passes for each output.
    pub fn period(&self) -> usize {
        self.tiles.max(self.lanes + 1)
    }

    /// `P`: passes in all.
    pub fn passes(&self) -> usize {
        let last = self.outputs - 1;
        self.period() * (last / self.lanes + 1) + last % self.lanes
    }

    /// Number of passes before pass `end` that take a k tile; the others take nothing.
    pub fn fed_before(&self, end: usize) -> usize {
        end / self.period() * self.tiles + (end % self.period()).min(self.tiles)
    }

    /// Number of passes that take a k tile.
    pub fn fed(&self) -> usize {
        self.fed_before(self.passes())
    }

    /// Pass and k tile of the passes that take one, by their number among these.
    pub fn pass_and_tile(&self, fed: usize) -> (usize, usize) {
        let tile = fed % self.tiles;
        (fed / self.tiles * self.period() + tile, tile)
    }

    /// The output that `lane` works on in `pass`, if any.
    pub fn output(&self, pass: usize, lane: usize) -> Option<usize> {
        let output = lane + self.lanes * (pass.checked_sub(lane)? / self.period());
        (output < self.outputs).then_some(output)
    }

    /// The passes in which every lane works on an output; none if there are fewer outputs than lanes.
    pub fn full(&self) -> Range<usize> {
        // The first lane to run out of outputs is the first of those with the fewest.
        let fewest = self.outputs / self.lanes;
        let end = if fewest == 0 { 0 } else { self.period() * fewest + self.outputs % self.lanes };
        (self.lanes - 1).min(end)..end
    }
}
