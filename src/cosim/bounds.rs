//! How fast a core can be at best on a job, whatever its control does.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::run::Command;
use crate::config::CoreConfig;
use crate::vq::{self, Operation};

/// Cycles that no core of a configuration can do without, for each of its three resources. They work at the same time,
/// so the largest one is the bound of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Beats of the weight image.
    pub stream: u64,
    /// One index word in a cycle: `tiles * C * N`.
    pub lookups: u64,
    /// One entry in a cycle through the array: `tiles * C * E * max(2^n, R)`; a pass of less than `R` entries leaves as
    /// slowly as one of `R`.
    pub array: u64,
}

impl Bounds {
    /// Of `commands` on a core of `config`, with `stream` beats of weights. Commands that are to be refused cost
    /// nothing.
    pub fn new(commands: &[Command], config: &CoreConfig, stream: u64) -> Self {
        let mut bounds = Self { stream, ..Self::default() };
        let pass_cycles = u64::from(config.entries().max(config.array.rows));
        for command in commands.iter().filter(|command| command.status == 0) {
            let Ok(vq::Command { operation: Operation::VqGemv(gemv), .. }) = vq::Command::from_bytes(command.bits)
            else {
                continue;
            };
            let steps = u64::from(gemv.vectors.div_ceil(config.tile_vectors())) * u64::from(gemv.codebooks);
            bounds.lookups += steps * u64::from(gemv.outputs);
            bounds.array += steps * u64::from(config.epilogue.units) * pass_cycles;
        }
        bounds
    }

    /// The largest bound and the name of its resource.
    pub fn limit(&self) -> (&'static str, u64) {
        let others = [("lookups", self.lookups), ("codebook product", self.array)];
        let larger = |best: (_, u64), next: (_, u64)| if next.1 > best.1 { next } else { best };
        others.into_iter().fold(("stream", self.stream), larger)
    }
}

impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let Self { stream, lookups, array } = self;
        let (limit, _) = self.limit();
        write!(f, "stream {stream}, lookups {lookups}, codebook product {array} cycles; limited by {limit}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vq::VqGemv;

    fn gemv(vectors: u32, outputs: u32, codebooks: u8, status: u8) -> Command {
        let operation =
            Operation::VqGemv(VqGemv { first: true, last: true, scale_fp32: false, codebooks, vectors, outputs });
        Command { bits: vq::Command { tag: 0, operation }.to_bytes(), status, outputs: Vec::new() }
    }

    #[test]
    fn each_resource_counts_its_own_cycles() {
        // 32 vectors per tile, 4 units, 256 entries.
        let config = CoreConfig::preset("small").unwrap();
        let commands = [gemv(128, 1000, 2, 0), gemv(33, 7, 1, 0), gemv(9, 1 << 20, 2, 2)];
        let bounds = Bounds::new(&commands, &config, 8100);
        assert_eq!(bounds, Bounds { stream: 8100, lookups: 8 * 1000 + 2 * 7, array: (8 + 2) * 4 * 256 });
        assert_eq!(bounds.limit(), ("codebook product", 10240));

        // An array with more rows than a codebook has entries.
        let mut config = config;
        config.vq.index_bits = 2;
        assert_eq!(Bounds::new(&commands[1..2], &config, 0).array, 2 * 4 * 8);
    }

    #[test]
    fn the_stream_limits_when_it_is_not_beaten() {
        assert_eq!(Bounds { stream: 5, lookups: 5, array: 5 }.limit(), ("stream", 5));
        assert_eq!(Bounds { stream: 5, lookups: 6, array: 5 }.limit(), ("lookups", 6));
    }
}
