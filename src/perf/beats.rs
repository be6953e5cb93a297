//! Beats of streams that a command takes.

use crate::config::CoreConfig;
use crate::vq::{Int8Gemm, Operation, VqGemv};

/// Beats that one command takes from each stream, and sends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Beats {
    /// Of `s_axis_w` for codebooks.
    pub codebooks: u64,
    /// Of `s_axis_w` for scales.
    pub scales: u64,
    /// Of `s_axis_w` for index words or INT8 weights.
    pub words: u64,
    /// Of `s_axis_x`.
    pub activations: u64,
    /// Of `m_axis_y`.
    pub outputs: u64,
}

impl Beats {
    /// Of a command that is executed.
    pub fn new(operation: &Operation, config: &CoreConfig) -> Self {
        let width = u64::from(config.stream.width);
        let x_width = u64::from(config.x_width());
        match *operation {
            Operation::LoadCodebooks { codebooks, .. } => {
                let codebook = (u64::from(config.entries()) * 16 * u64::from(config.vq.dim)).div_ceil(width);
                Self { codebooks: u64::from(codebooks) * codebook, ..Self::default() }
            }
            Operation::LoadX { vectors } => {
                let bits = u64::from(vectors) * 16 * u64::from(config.vq.dim);
                Self { activations: bits.div_ceil(x_width), ..Self::default() }
            }
            Operation::VqGemv(gemv) => Self::gemv(&gemv, config),
            Operation::Int8Gemm(gemm) => Self::int8(&gemm, config),
        }
    }

    fn gemv(gemv: &VqGemv, config: &CoreConfig) -> Self {
        let width = u64::from(config.stream.width);
        let outputs = u64::from(gemv.outputs);
        let words = IndexWords::new(gemv, config);
        let scale = if gemv.scale_fp32 { 32 } else { 16 };
        let (scales, sent) = match gemv.last {
            true => ((outputs * scale).div_ceil(width), outputs * words.tokens),
            false => (0, 0),
        };
        let words = words.steps * (outputs * words.beats_per_word).div_ceil(words.per_beat);
        Self { scales, words, outputs: sent, ..Self::default() }
    }

    fn int8(gemm: &Int8Gemm, config: &CoreConfig) -> Self {
        let (width, x_width) = (u64::from(config.stream.width), u64::from(config.x_width()));
        let (outputs, tokens) = (u64::from(gemm.outputs), u64::from(gemm.tokens));
        let scales = if gemm.raw { 0 } else { (32 * outputs).div_ceil(width) };
        let passes = super::int8::Passes::new(gemm, config);
        let row_word = u64::from(config.row_word_bits());
        let rows = u64::from(config.array.rows);
        let pass = if row_word > width { rows * row_word.div_ceil(width) } else { rows.div_ceil(width / row_word) };
        let tokens_per_beat = x_width / u64::from(config.token_word_bits());
        Self {
            scales,
            words: passes.with_tile() * pass,
            activations: passes.with_tile() * tokens.div_ceil(tokens_per_beat),
            outputs: outputs * tokens,
            ..Self::default()
        }
    }

    /// All of `s_axis_w`.
    pub fn stream(&self) -> u64 {
        self.codebooks + self.scales + self.words
    }
}

/// How the index words of a `VQ_GEMV` travel.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexWords {
    /// `M`.
    pub tokens: u64,
    /// Tiles times codebooks.
    pub steps: u64,
    /// Beats of one word, 1 if it fits one.
    pub beats_per_word: u64,
    /// Words of one beat, 1 if a word fills it.
    pub per_beat: u64,
}

impl IndexWords {
    pub fn new(gemv: &VqGemv, config: &CoreConfig) -> Self {
        let tokens = u64::from(gemv.tokens);
        let vectors = u64::from(config.tile_vectors()) / tokens;
        let (width, word) = (u64::from(config.stream.width), vectors * u64::from(config.vq.index_bits));
        Self {
            tokens,
            steps: u64::from(gemv.vectors).div_ceil(vectors) * u64::from(gemv.codebooks),
            beats_per_word: word.div_ceil(width),
            per_beat: (width / word).max(1),
        }
    }
}
