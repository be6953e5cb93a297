//! What each resource of a core needs at least.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::beats::{Beats, IndexWords};
use super::latency::Latencies;
use crate::config::CoreConfig;
use crate::vq::{Int8Gemm, Operation, VqGemv};

/// Cycles that no core of a configuration can do without for some commands, whatever its control does, for each of its
/// resources. They work at the same time, so the largest one is the bound of all.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Beats of the weight image on `s_axis_w`.
    pub stream: u64,
    /// Beats of `s_axis_x`.
    pub activations: u64,
    /// Beats of `m_axis_y`.
    pub outputs: u64,
    /// One index word, which serves all tokens, in a cycle: steps times outputs.
    pub lookups: u64,
    /// Of `VQ_GEMV`, one entry in a cycle through the array: steps times `E * max(2^n, R)`; a pass of less than `R`
    /// entries leaves as slowly as one of `R`. Of `INT8_GEMM`, `max(T, T * N / L)` passes with every lane at work: each
    /// takes `M` cycles, and before the next one `R` rows have taken their weights and the sums have come back.
    pub array: u64,
}

impl Limits {
    /// Adds what a command needs that the core executes.
    pub fn add(&mut self, operation: &Operation, config: &CoreConfig) {
        let beats = Beats::new(operation, config);
        self.stream += beats.stream();
        self.activations += beats.activations;
        self.outputs += beats.outputs;
        match operation {
            Operation::VqGemv(gemv) => self.add_gemv(gemv, config),
            Operation::Int8Gemm(gemm) => self.add_int8(gemm, config),
            Operation::LoadCodebooks { .. } | Operation::LoadX { .. } => {}
        }
    }

    fn add_gemv(&mut self, gemv: &VqGemv, config: &CoreConfig) {
        let steps = IndexWords::new(gemv, config).steps;
        self.lookups += steps * u64::from(gemv.outputs);
        self.array += steps * u64::from(config.epilogue.units) * Latencies::new(config).pass;
    }

    fn add_int8(&mut self, gemm: &Int8Gemm, config: &CoreConfig) {
        let (lanes, rows) = (u64::from(config.lanes()), u64::from(config.array.rows));
        let (tiles, tokens) = (u64::from(gemm.tiles), u64::from(gemm.tokens));
        let passes = (tiles * u64::from(gemm.outputs)).div_ceil(lanes).max(tiles);
        let pause = Latencies::new(config).pause(tokens);
        self.array += (passes - 1) * rows.max(tokens + pause) + tokens;
    }

    /// The resource that needs most, the stream if none needs more, and its cycles.
    pub fn largest(&self) -> (&'static str, u64) {
        let larger = |best: (_, u64), next: (_, u64)| if next.1 > best.1 { next } else { best };
        self.named().into_iter().reduce(larger).expect("there are resources")
    }

    fn named(&self) -> [(&'static str, u64); 5] {
        let Self { stream, activations, outputs, lookups, array } = *self;
        [("stream", stream), ("lookups", lookups), ("array", array), ("activations", activations), ("outputs", outputs)]
    }
}

/// Those that are not zero, and the largest.
impl fmt::Display for Limits {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let used = self.named().into_iter().filter(|(_, cycles)| *cycles > 0);
        let list: Vec<String> = used.map(|(name, cycles)| format!("{name} {cycles}")).collect();
        write!(f, "{} cycles; limited by {}", list.join(", "), self.largest().0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gemv(vectors: u32, outputs: u32, codebooks: u8) -> Operation {
        Operation::VqGemv(VqGemv { codebooks, vectors, outputs, ..VqGemv::default() })
    }

    fn int8(tokens: u32, tiles: u32, outputs: u32) -> Operation {
        Operation::Int8Gemm(Int8Gemm { raw: true, tokens, tiles, outputs })
    }

    fn limits(operations: &[Operation], config: &CoreConfig) -> Limits {
        let mut limits = Limits::default();
        operations.iter().for_each(|operation| limits.add(operation, config));
        limits
    }

    #[test]
    fn each_resource_counts_its_own_cycles() {
        // 32 vectors per tile, 4 units, 256 entries of 8 values, 256 bits.
        let config = CoreConfig::preset("small").unwrap();
        let operations = [
            Operation::LoadCodebooks { slot: 0, codebooks: 2 },
            Operation::LoadX { vectors: 128 },
            gemv(128, 1000, 2),
            gemv(33, 7, 1),
        ];
        let limits = limits(&operations, &config);
        let expected = Limits {
            stream: 2 * 128 + 63 + 8 * 1000 + 1 + 2 * 7,
            activations: 128 * 128 / u64::from(config.x_width()),
            outputs: 1007,
            lookups: 8 * 1000 + 2 * 7,
            array: (8 + 2) * 4 * 256,
        };
        assert_eq!(limits, expected);
        assert_eq!(limits.largest(), ("array", 10240));

        // An array with more rows than a codebook has entries.
        let mut config = config;
        config.vq.index_bits = 2;
        assert_eq!(self::limits(&operations[3..], &config).array, 2 * 4 * 8);
    }

    #[test]
    fn an_int8_product_uses_every_lane() {
        // 8 lanes.
        let config = CoreConfig::preset("small").unwrap();
        let limits = limits(&[int8(10, 3, 17), int8(1, 1, 1)], &config);
        assert_eq!((limits.outputs, limits.lookups, limits.array), (171, 0, 7 * 10 + 1));
    }

    #[test]
    fn an_int8_pass_lasts_as_long_as_its_rows_load_and_its_sums_return() {
        let array = |config: &CoreConfig, operation| limits(&[operation], config).array;
        // 8 rows and lanes, sums return in 3 cycles.
        let mut config = CoreConfig::preset("small").unwrap();
        assert_eq!(array(&config, int8(3, 20, 8)), 19 * 8 + 3);
        // An output works in one lane only.
        assert_eq!(array(&config, int8(9, 20, 1)), 20 * 9);
        config.array.rows = 2;
        assert_eq!(array(&config, int8(2, 20, 2)), 19 * (2 + 2) + 2);
        assert_eq!(array(&config, int8(3, 20, 2)), 20 * 3);
    }

    #[test]
    fn the_stream_limits_when_it_is_not_beaten() {
        let equal = Limits { stream: 5, activations: 5, outputs: 5, lookups: 5, array: 5 };
        assert_eq!(equal.largest(), ("stream", 5));
        assert_eq!(Limits { lookups: 6, ..equal }.largest(), ("lookups", 6));
        assert_eq!(Limits { activations: 6, ..equal }.largest(), ("activations", 6));
        let told = Limits { outputs: 0, array: 7, ..equal }.to_string();
        assert_eq!(told, "stream 5, lookups 5, array 7, activations 5 cycles; limited by array");
    }
}
