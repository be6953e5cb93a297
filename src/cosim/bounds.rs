//! How fast a core can be at best on a job, whatever its control does.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::run::Command;
use crate::config::CoreConfig;
use crate::rtl::array::psum_distance;
use crate::vq::{self, Operation};

/// Cycles that no core of a configuration can do without, for each of its resources. They work at the same time, so the
/// largest one is the bound of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bounds {
    /// Beats of the weight image.
    pub stream: u64,
    /// Beats of activations.
    pub activations: u64,
    /// Beats of outputs.
    pub outputs: u64,
    /// One index word, which serves all tokens, in a cycle: `tiles * C * N`.
    pub lookups: u64,
    /// Of `VQ_GEMV`, one entry in a cycle through the array: `tiles * C * E * max(2^n, R)`; a pass of less than `R`
    /// entries leaves as slowly as one of `R`. Of `INT8_GEMM`, `max(T, T * N / L)` passes with every lane at work: each
    /// takes `M` cycles, and before the next one `R` rows have taken their weights and the sums have come back.
    pub array: u64,
}

impl Bounds {
    /// Of `commands` on a core of `config`, with `stream` beats of weights and `activations` beats of activations. Commands
    /// that are to be refused cost nothing.
    pub fn new(commands: &[Command], config: &CoreConfig, stream: u64, activations: u64) -> Self {
        let mut bounds = Self { stream, activations, ..Self::default() };
        let pass_cycles = u64::from(config.entries().max(config.array.rows));
        let (lanes, rows) = (u64::from(config.lanes()), u64::from(config.array.rows));
        let distance = u64::from(psum_distance(config));
        for command in commands.iter().filter(|command| command.status == 0) {
            bounds.outputs += command.outputs.len() as u64;
            match vq::Command::from_bytes(command.bits).map(|command| command.operation) {
                Ok(Operation::VqGemv(gemv)) => {
                    let tile_vectors = (config.tile_vectors() / u32::from(gemv.tokens.max(1))).max(1);
                    let steps = u64::from(gemv.vectors.div_ceil(tile_vectors)) * u64::from(gemv.codebooks);
                    bounds.lookups += steps * u64::from(gemv.outputs);
                    bounds.array += steps * u64::from(config.epilogue.units) * pass_cycles;
                }
                Ok(Operation::Int8Gemm(gemm)) => {
                    let (tiles, tokens) = (u64::from(gemm.tiles), u64::from(gemm.tokens));
                    let passes = (tiles * u64::from(gemm.outputs)).div_ceil(lanes).max(tiles);
                    let wait = if tokens < distance { distance - 1 } else { 0 };
                    bounds.array += (passes - 1) * rows.max(tokens + wait) + tokens;
                }
                Ok(Operation::LoadCodebooks { .. } | Operation::LoadX { .. }) | Err(_) => {}
            }
        }
        bounds
    }

    /// The largest bound and the name of its resource.
    pub fn limit(&self) -> (&'static str, u64) {
        let larger = |best: (_, u64), next: (_, u64)| if next.1 > best.1 { next } else { best };
        self.named().into_iter().reduce(larger).expect("there are resources")
    }

    fn named(&self) -> [(&'static str, u64); 5] {
        let Self { stream, activations, outputs, lookups, array } = *self;
        [("stream", stream), ("lookups", lookups), ("array", array), ("activations", activations), ("outputs", outputs)]
    }
}

/// Those that are not zero, and the largest.
impl fmt::Display for Bounds {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let used = self.named().into_iter().filter(|(_, cycles)| *cycles > 0);
        let list: Vec<String> = used.map(|(name, cycles)| format!("{name} {cycles}")).collect();
        write!(f, "{} cycles; limited by {}", list.join(", "), self.limit().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vq::{Int8Gemm, VqGemv};

    fn gemv(vectors: u32, outputs: u32, codebooks: u8, status: u8) -> Command {
        let operation = Operation::VqGemv(VqGemv { codebooks, vectors, outputs, ..VqGemv::default() });
        Command { bits: vq::Command { tag: 0, operation }.to_bytes(), status, outputs: Vec::new() }
    }

    fn int8(tokens: u32, tiles: u32, outputs: u32) -> Command {
        let operation = Operation::Int8Gemm(Int8Gemm { raw: true, tokens, tiles, outputs });
        let outputs = vec![0; (tokens * outputs) as usize];
        Command { bits: vq::Command { tag: 0, operation }.to_bytes(), status: 0, outputs }
    }

    #[test]
    fn each_resource_counts_its_own_cycles() {
        // 32 vectors per tile, 4 units, 256 entries.
        let config = CoreConfig::preset("small").unwrap();
        let commands = [gemv(128, 1000, 2, 0), gemv(33, 7, 1, 0), gemv(9, 1 << 20, 2, 2)];
        let bounds = Bounds::new(&commands, &config, 8100, 40);
        let expected =
            Bounds { stream: 8100, activations: 40, outputs: 0, lookups: 8 * 1000 + 2 * 7, array: (8 + 2) * 4 * 256 };
        assert_eq!(bounds, expected);
        assert_eq!(bounds.limit(), ("array", 10240));
        assert_eq!(
            bounds.to_string(),
            "stream 8100, lookups 8014, array 10240, activations 40 cycles; limited by array"
        );

        // An array with more rows than a codebook has entries.
        let mut config = config;
        config.vq.index_bits = 2;
        assert_eq!(Bounds::new(&commands[1..2], &config, 0, 0).array, 2 * 4 * 8);
    }

    #[test]
    fn an_int8_product_uses_every_lane() {
        // 8 lanes.
        let config = CoreConfig::preset("small").unwrap();
        let bounds = Bounds::new(&[int8(10, 3, 17), int8(1, 1, 1)], &config, 5, 6);
        assert_eq!(bounds, Bounds { stream: 5, activations: 6, outputs: 171, lookups: 0, array: 7 * 10 + 1 });
        assert_eq!(bounds.limit(), ("outputs", 171));
    }

    #[test]
    fn an_int8_pass_lasts_as_long_as_its_rows_load_and_its_sums_return() {
        let array = |config: &CoreConfig, command| Bounds::new(&[command], config, 0, 0).array;
        // 8 rows and lanes, sums return in 4 cycles.
        let mut config = CoreConfig::preset("small").unwrap();
        assert_eq!(array(&config, int8(3, 20, 8)), 19 * 8 + 3);
        // An output works in one lane only.
        assert_eq!(array(&config, int8(9, 20, 1)), 20 * 9);
        config.array.rows = 2;
        assert_eq!(array(&config, int8(3, 20, 2)), 19 * (3 + 3) + 3);
        assert_eq!(array(&config, int8(4, 20, 2)), 20 * 4);
    }

    #[test]
    fn the_stream_limits_when_it_is_not_beaten() {
        let equal = Bounds { stream: 5, activations: 5, outputs: 5, lookups: 5, array: 5 };
        assert_eq!(equal.limit(), ("stream", 5));
        assert_eq!(Bounds { lookups: 6, ..equal }.limit(), ("lookups", 6));
        assert_eq!(Bounds { activations: 6, ..equal }.limit(), ("activations", 6));
    }
}
