//! The commands of a decoder block, without its weights.

use std::ops::Range;

use super::estimate::Decoding;
use crate::config::CoreConfig;
use crate::models::LanguageModel;
use crate::vq::{Operation, VqGemv, block_sizes, vector_ranges};

/// A command of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// What it does; the core accepts it.
    pub operation: Operation,
    /// Number of the layer that it is for, among those of the model; copies of a layer have the same one.
    pub layer: usize,
    /// The last product before it must have ended before the host can send it.
    pub waits: bool,
}

/// A layer of AQLM's form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    /// `V`.
    pub vectors: usize,
    /// `N`.
    pub outputs: usize,
    /// `C`.
    pub codebooks: usize,
}

/// The commands that the packer makes of layers, one layer after the other: codebooks are loaded before
/// the last `VQ_GEMV` that does not need them yet, into slots that it does not use. The first activations of each stage of a
/// block wait for the outputs of the stage before. No more than a few steps are kept: each is handed on in its turn.
pub struct BlockProgram<'c, E: FnMut(Step)> {
    config: &'c CoreConfig,
    /// `M`.
    tokens: usize,
    scale_fp32: bool,
    /// What the steps are handed to, in order.
    each: E,
    /// The last `VQ_GEMV` so far, with the `LOAD_X` before it.
    pending: Vec<Step>,
    /// The last codebooks.
    codebooks: Option<Codebooks>,
    /// Number of the activations that are loaded, and which vectors.
    activations: Option<(usize, Range<usize>)>,
    /// Number of layers so far, every copy counted.
    layers: usize,
}

#[derive(Clone, Copy)]
struct Codebooks {
    /// Of which copy of which layer.
    owner: usize,
    slot: usize,
    count: usize,
}

impl<'c, E: FnMut(Step)> BlockProgram<'c, E> {
    /// Nothing to do yet, for `tokens` tokens at a time; whether scales are FP32 instead of FP16. The steps go to `each`.
    pub fn new(tokens: usize, scale_fp32: bool, config: &'c CoreConfig, each: E) -> Self {
        Self { config, tokens, scale_fp32, each, pending: Vec::new(), codebooks: None, activations: None, layers: 0 }
    }

    /// Hands the steps of one decoder block to `each`. The core must be able to run them.
    pub fn of_block(model: &LanguageModel, decoding: Decoding, config: &'c CoreConfig, each: E) {
        let Decoding { codebooks, tokens, scale_fp32 } = decoding;
        let mut program = Self::new(tokens, scale_fp32, config, each);
        for part in model.execution() {
            let vectors = part.layer.inputs.div_ceil(config.vq.dim) as usize;
            let shape = Shape { vectors, outputs: part.layer.outputs as usize, codebooks };
            program.push(shape, part.number, part.input, part.waits);
        }
        program.finish()
    }

    /// Adds a layer, with the number `layer`, of activations number `input`: the same as those of earlier layers with that number. If it `waits`,
    /// they depend on everything so far.
    pub fn push(&mut self, shape: Shape, layer: usize, input: usize, mut waits: bool) {
        let ranges = vector_ranges(0..shape.vectors, self.tokens, self.config);
        let last = ranges.len() - 1;
        for outputs in block_sizes(shape.outputs, self.scale_fp32, self.tokens, self.config) {
            for (number, vectors) in ranges.iter().enumerate() {
                let slot = self.load_codebooks(shape.codebooks, layer);
                let count = vectors.len() as u32;
                self.load_x(input, vectors.clone(), layer, std::mem::take(&mut waits));
                let gemv = VqGemv {
                    first: number == 0,
                    last: number == last,
                    scale_fp32: number == last && self.scale_fp32,
                    slot: slot as u8,
                    codebooks: shape.codebooks as u8,
                    tokens: self.tokens as u8,
                    vectors: count,
                    outputs: outputs as u32,
                    ..VqGemv::default()
                };
                self.pending.push(Step { operation: Operation::VqGemv(gemv), layer, waits: false });
            }
        }
        self.layers += 1;
    }

    /// Hands on what is left.
    pub fn finish(mut self) {
        self.flush();
    }

    /// Makes sure that the codebooks of the present layer are there when its turn comes; their first slot.
    fn load_codebooks(&mut self, count: usize, layer: usize) -> usize {
        if let Some(present) = self.codebooks
            && present.owner == self.layers
        {
            self.flush();
            return present.slot;
        }
        let slots = self.config.vq.max_codebooks as usize;
        let free = match self.codebooks {
            None => Some(0),
            Some(present) if count <= present.slot => Some(0),
            Some(present) => slots.checked_sub(count).filter(|&slot| slot >= present.slot + present.count),
        };
        if free.is_none() {
            self.flush();
        }
        let slot = free.unwrap_or(0);
        self.codebooks = Some(Codebooks { owner: self.layers, slot, count });
        let operation = Operation::LoadCodebooks { slot: slot as u8, codebooks: count as u8 };
        (self.each)(Step { operation, layer, waits: false });
        self.flush();
        slot
    }

    fn load_x(&mut self, input: usize, vectors: Range<usize>, layer: usize, waits: bool) {
        let wanted = Some((input, vectors.clone()));
        if self.activations == wanted {
            return;
        }
        self.activations = wanted;
        let tile = self.config.tile_vectors() as usize;
        let loaded = if self.tokens == 1 { vectors.len() } else { vectors.len().div_ceil(tile / self.tokens) * tile };
        let operation = Operation::LoadX { vectors: loaded as u32 };
        self.pending.push(Step { operation, layer, waits });
    }

    fn flush(&mut self) {
        self.pending.drain(..).for_each(&mut self.each);
    }
}
