//! A testbench in Verilog that any simulator runs.

use half::f16;

use super::{File, TOP, fill};
use crate::config::CoreConfig;

/// The testbench of a core of this configuration.
pub fn file(config: &CoreConfig) -> File {
    let codebook = (16 * config.vq.dim) << config.vq.index_bits;
    // A power of two up to 64 is exact.
    let expected = f16::from_f32(config.vq.dim as f32).to_bits();
    // Beats of the image and entries of the codebooks, several times over.
    let beats = (codebook + config.index_word_bits()).div_ceil(config.stream.width);
    let limit = 10_000 + 8 * (beats + config.max_tokens());
    let values = [
        ("TOP", TOP.to_owned()),
        ("STREAM", config.stream.width.to_string()),
        ("X", config.x_width().to_string()),
        ("DIM", config.vq.dim.to_string()),
        ("CODEBOOK", codebook.to_string()),
        ("INDEX_WORD", config.index_word_bits().to_string()),
        ("EXPECTED", format!("{expected:08x}")),
        ("LIMIT", limit.to_string()),
    ];
    File { path: format!("tb/{TOP}_tb.v"), text: fill(include_str!("templates/testbench.v"), &values) }
}
