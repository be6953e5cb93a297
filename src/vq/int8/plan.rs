//! From an INT8 layer to what a core reads.

use std::ops::Range;

use rayon::prelude::*;

use super::super::command::{Command, Int8Gemm, Operation};
use super::super::error::{Error, Result};
use super::super::pack::divide;
use super::layer::{Int8Layer, Int8Shape};
use super::schedule::Schedule;
use crate::config::CoreConfig;

/// How a core computes an INT8 layer for a number of tokens: one `INT8_GEMM` for each [`Int8Block`].
///
/// Each block of outputs meets every block of tokens before the next block of outputs begins. Blocks are as few as the
/// core allows and nearly equal; where possible, all but the last block of outputs give every lane the same number, and all
/// but the last of tokens fill their beats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Int8Plan {
    shape: Int8Shape,
    tokens: usize,
    raw: bool,
    /// Inputs of a k tile: `4d`.
    tile_inputs: usize,
    rows: usize,
    /// `S`.
    segments: usize,
    /// Bytes of a beat of `s_axis_w`.
    beat_bytes: usize,
    blocks: Vec<Int8Block>,
}

/// The part of the product that one command computes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Int8Block {
    /// Outputs of the layer.
    pub outputs: Range<usize>,
    /// Tokens.
    pub tokens: Range<usize>,
    /// Which pass does what.
    pub schedule: Schedule,
}

/// The passes of a command in which every lane works, as they show on `s_axis_x`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FullPasses {
    /// Number, among all beats of `s_axis_x`, of the first beat of the first of these passes.
    pub first_beat: usize,
    /// Of the first beat of the last of them.
    pub last_beat: usize,
    /// Multiply-accumulates of these passes without the last one.
    pub macs: u64,
}

impl Int8Plan {
    /// Most commands of a plan, so that absurd dimensions are refused instead of exhausting the memory.
    pub const MAX_COMMANDS: usize = 1 << 20;

    /// A plan for a layer of this shape on this core, with `tokens` tokens (`M`, any number). With `raw` the outputs are
    /// INT32 sums instead of scaled FP16.
    ///
    /// # Errors
    /// If a dimension is zero or too large, or there are more than [`MAX_COMMANDS`](Self::MAX_COMMANDS).
    pub fn new(shape: Int8Shape, tokens: usize, raw: bool, config: &CoreConfig) -> Result<Self> {
        if let Some(problem) = shape.problem() {
            return Err(Error::Plan { problem });
        }
        if tokens == 0 {
            return Err(Error::Activations { problem: "M is 0, at least 1 token expected".into() });
        }
        let (lanes, segments) = (config.pass_vectors() as usize, config.segments() as usize);
        let tile_inputs = 4 * config.vq.dim as usize;
        let tiles = shape.inputs.div_ceil(tile_inputs);
        let max_tokens = (config.epilogue.units << config.vq.index_bits) as usize;
        let max_outputs = config.buffers.max_n_block as usize;
        let commands = tokens.div_ceil(max_tokens).saturating_mul(shape.outputs.div_ceil(max_outputs));
        if commands > Self::MAX_COMMANDS {
            let problem = format!("{shape} with {tokens} tokens takes more than {} commands", Self::MAX_COMMANDS);
            return Err(Error::Plan { problem });
        }
        let token_blocks = ranges(divide(tokens, max_tokens, &[segments]));
        let blocks = ranges(divide(shape.outputs, max_outputs, &[lanes]));
        let blocks = blocks.flat_map(|outputs| {
            let schedule = Schedule { lanes, tiles, outputs: outputs.len() };
            token_blocks.clone().map(move |tokens| Int8Block { outputs: outputs.clone(), tokens, schedule })
        });
        Ok(Self {
            shape,
            tokens,
            raw,
            tile_inputs,
            rows: config.array.rows as usize,
            segments,
            beat_bytes: config.stream.width as usize / 8,
            blocks: blocks.collect(),
        })
    }

    /// Of the layer.
    pub fn shape(&self) -> Int8Shape {
        self.shape
    }

    /// `M`.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// Whether the outputs are INT32 sums.
    pub fn raw(&self) -> bool {
        self.raw
    }

    /// What each command computes, in the order of the commands.
    pub fn blocks(&self) -> &[Int8Block] {
        &self.blocks
    }

    /// Beats of `s_axis_cmd`, one for each block. Tags number them, and wrap.
    pub fn commands(&self) -> Vec<Command> {
        let command = |(tag, block): (u16, &Int8Block)| {
            let (tokens, outputs) = (block.tokens.len() as u32, block.outputs.len() as u32);
            let tiles = block.schedule.tiles as u32;
            Command { tag, operation: Operation::Int8Gemm(Int8Gemm { raw: self.raw, tokens, tiles, outputs }) }
        };
        (0..=u16::MAX).cycle().zip(&self.blocks).map(command).collect()
    }

    /// Output and token of each beat of `m_axis_y`, in order.
    pub fn stream_order(&self) -> impl Iterator<Item = (usize, usize)> {
        self.blocks.iter().flat_map(|block| {
            block.outputs.clone().flat_map(|output| block.tokens.clone().map(move |token| (output, token)))
        })
    }

    /// Multiply-accumulates of the layer, those with padded inputs not counted: `M*K*N`.
    pub fn macs(&self) -> u64 {
        ((self.shape.inputs * self.shape.outputs) as u64).saturating_mul(self.tokens as u64)
    }

    /// Bytes of [`weights`](Self::weights) and of [`activations`](Self::activations), which may be more than memory can hold.
    pub fn stream_bytes(&self) -> (u64, u64) {
        let sizes = self.blocks.iter().map(|block| {
            let fed = block.schedule.fed() as u64;
            let scales = self.scale_bytes(block) as u64;
            (scales + fed * self.pass_bytes() as u64, fed * self.token_bytes(block) as u64)
        });
        sizes.fold((0, 0), |(w, x), (more_w, more_x)| (more_w.saturating_add(w), more_x.saturating_add(x)))
    }

    /// Bytes of `s_axis_w`. Weights that the core ignores, those of lanes without an output and of inputs beyond `K`, are
    /// zeros.
    ///
    /// # Panics
    /// If the layer has not the shape that was planned for.
    pub fn weights(&self, layer: &Int8Layer) -> Vec<u8> {
        assert_eq!(layer.shape(), self.shape, "the planned layer");
        let mut image = vec![0; self.stream_bytes().0 as usize];
        let mut rest = image.as_mut_slice();
        for block in &self.blocks {
            let (scales, after) = rest.split_at_mut(self.scale_bytes(block));
            let scale_bytes = scales.as_chunks_mut().0;
            // None of them if the outputs are raw.
            for (bytes, scale) in scale_bytes.iter_mut().zip(&layer.scales()[block.outputs.clone()]) {
                *bytes = scale.to_le_bytes();
            }
            let (passes, after) = after.split_at_mut(block.schedule.fed() * self.pass_bytes());
            passes.par_chunks_exact_mut(self.pass_bytes()).enumerate().for_each(|(fed, bytes)| {
                self.pass(layer, block, fed, bytes);
            });
            rest = after;
        }
        image
    }

    /// The weights of one pass of a block into `bytes`, which are zeros.
    fn pass(&self, layer: &Int8Layer, block: &Int8Block, fed: usize, bytes: &mut [u8]) {
        let (pass, tile) = block.schedule.pass_and_tile(fed);
        let start = tile * self.tile_inputs;
        let inputs = start..self.shape.inputs.min(start + self.tile_inputs);
        let (group_rows, group_bytes) = self.row_group();
        for (row, lanes) in (0..self.rows).map(|row| (row, row * self.segments..(row + 1) * self.segments)) {
            let word = &mut bytes[row / group_rows * group_bytes + row % group_rows * self.word_bytes()..];
            for (lane, bytes) in lanes.zip(word.chunks_exact_mut(self.tile_inputs)) {
                let Some(output) = block.schedule.output(pass, lane) else { continue };
                let weights = &layer.weights()[(block.outputs.start + output) * self.shape.inputs..];
                for (byte, weight) in bytes.iter_mut().zip(&weights[inputs.clone()]) {
                    *byte = *weight as u8;
                }
            }
        }
    }

    /// Bytes of `s_axis_x` for activations `x` `[M][K]`, row-major, padded with zeros.
    ///
    /// # Errors
    /// If there are more or fewer.
    pub fn activations(&self, x: &[i8]) -> Result<Vec<u8>> {
        let Int8Shape { inputs, .. } = self.shape;
        if x.len() != self.tokens * inputs {
            let problem = format!("{} given, {} tokens of {inputs} expected", x.len(), self.tokens);
            return Err(Error::Activations { problem });
        }
        let mut stream = Vec::with_capacity(self.stream_bytes().1 as usize);
        for block in &self.blocks {
            let period = self.period_of_tokens(block, x);
            // Every period takes the same tiles again; the last one may end early.
            let end = stream.len() + block.schedule.fed() * self.token_bytes(block);
            while stream.len() < end {
                let length = period.len().min(end - stream.len());
                stream.extend_from_slice(&period[..length]);
            }
        }
        Ok(stream)
    }

    /// The activations of all k tiles of a block.
    fn period_of_tokens(&self, block: &Int8Block, x: &[i8]) -> Vec<u8> {
        let inputs = self.shape.inputs;
        let mut bytes = vec![0; block.schedule.tiles * self.token_bytes(block)];
        for (tile, bytes) in bytes.chunks_exact_mut(self.token_bytes(block)).enumerate() {
            let start = tile * self.tile_inputs;
            let end = inputs.min(start + self.tile_inputs);
            for (token, word) in block.tokens.clone().zip(bytes.chunks_exact_mut(self.tile_inputs)) {
                for (byte, value) in word.iter_mut().zip(&x[token * inputs..][start..end]) {
                    *byte = *value as u8;
                }
            }
        }
        bytes
    }

    /// For each command with at least two passes that take beats and in which every lane works: where these are.
    pub fn full_passes(&self) -> Vec<FullPasses> {
        let mut beats = 0;
        let mut all = Vec::new();
        for block in &self.blocks {
            let schedule = &block.schedule;
            let full = schedule.full();
            let fed = schedule.fed_before(full.start)..schedule.fed_before(full.end);
            let beats_per_pass = self.token_bytes(block) / self.word_bytes();
            if fed.len() >= 2 {
                let last = fed.end - 1;
                let inputs: usize = (fed.start..last).map(|fed| self.inputs_of_tile(fed % schedule.tiles)).sum();
                all.push(FullPasses {
                    first_beat: beats + fed.start * beats_per_pass,
                    last_beat: beats + last * beats_per_pass,
                    macs: inputs as u64 * (schedule.lanes * block.tokens.len()) as u64,
                });
            }
            beats += schedule.fed() * beats_per_pass;
        }
        all
    }

    fn inputs_of_tile(&self, tile: usize) -> usize {
        self.tile_inputs.min(self.shape.inputs - tile * self.tile_inputs)
    }

    /// Bytes of a row word, which is also a beat of `s_axis_x`.
    fn word_bytes(&self) -> usize {
        self.segments * self.tile_inputs
    }

    /// Rows that share a group of beats of `s_axis_w`, and bytes of that group: several row words in one beat or one word
    /// in several.
    fn row_group(&self) -> (usize, usize) {
        let words = (self.beat_bytes / self.word_bytes()).max(1);
        (words, self.word_bytes().next_multiple_of(self.beat_bytes))
    }

    /// Bytes of `s_axis_w` of a pass.
    fn pass_bytes(&self) -> usize {
        let (words, bytes) = self.row_group();
        self.rows.div_ceil(words) * bytes
    }

    /// Bytes of `s_axis_w` that hold the scales of a block.
    fn scale_bytes(&self, block: &Int8Block) -> usize {
        if self.raw { 0 } else { (4 * block.outputs.len()).next_multiple_of(self.beat_bytes) }
    }

    /// Bytes of `s_axis_x` of a pass.
    fn token_bytes(&self, block: &Int8Block) -> usize {
        block.tokens.len().div_ceil(self.segments) * self.word_bytes()
    }
}

/// Ranges of these lengths, one after the other.
fn ranges(lengths: Vec<usize>) -> impl Iterator<Item = Range<usize>> + Clone {
    lengths.into_iter().scan(0, |start, length| {
        let range = *start..*start + length;
        *start = range.end;
        Some(range)
    })
}
