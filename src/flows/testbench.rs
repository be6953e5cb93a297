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
    let parameters = [
        ("STREAM", config.stream.width, "bits of s_axis_w"),
        ("X", config.x_width(), "bits of s_axis_x"),
        ("DIM", config.vq.dim, "values of a vector"),
        ("CODEBOOK", codebook, "bits of a codebook"),
        ("INDEX_WORD", config.index_word_bits(), "bits of an index word"),
    ];
    let declarations = parameters.map(|(name, value, _)| format!("localparam {name} = {value};"));
    let width = declarations.iter().map(String::len).max().unwrap_or_default();
    let lines = declarations.iter().zip(parameters);
    let parameters: Vec<String> = lines.map(|(line, (.., what))| format!("    {line:width$}  // {what}")).collect();
    let values = [
        ("TOP", TOP.to_owned()),
        ("PARAMETERS", parameters.join("\n")),
        ("EXPECTED", format!("{expected:08x}")),
        ("LIMIT", limit.to_string()),
    ];
    File { path: format!("tb/{TOP}_tb.v"), text: fill(include_str!("templates/testbench.v"), &values) }
}
