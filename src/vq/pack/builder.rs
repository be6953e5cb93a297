//! Commands and weight image of one layer or of several, one after the other.

use std::ops::Range;

use super::super::any::LayerRef;
use super::super::command::{Command, Operation, VqGemv};
use super::super::error::{Error, Result};
use super::packer::Packer;
use super::parts::{Part, parts};
use crate::config::CoreConfig;

/// What makes a core compute one layer or several.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The commands, in order.
    pub steps: Vec<Step>,
    /// Bytes of `s_axis_w`, a whole number of beats.
    pub image: Vec<u8>,
    /// Bytes of one beat of `s_axis_w`.
    pub beat_bytes: usize,
    /// `M`.
    pub tokens: usize,
}

/// One command, and what it is for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The command.
    pub command: Command,
    /// Number of the layer that it belongs to.
    pub layer: usize,
    /// Number of the activations, of which `LOAD_X` takes a part.
    pub input: usize,
    /// Beats of `s_axis_w` that it takes.
    pub beats: u64,
    /// Vectors of the layer: those that are loaded, or used. Empty of `LOAD_CODEBOOKS`.
    pub vectors: Range<usize>,
    /// Outputs of the layer, of a `VQ_GEMV`.
    pub outputs: Range<usize>,
}

impl Step {
    /// Number of outputs, of all `tokens` tokens, that the command sends.
    pub fn sent(&self, tokens: usize) -> usize {
        match self.command.operation {
            Operation::VqGemv(gemv) if gemv.last => self.outputs.len() * tokens,
            _ => 0,
        }
    }
}

impl Plan {
    /// Beats of `s_axis_cmd`.
    pub fn commands(&self) -> impl Iterator<Item = Command> {
        self.steps.iter().map(|step| step.command)
    }

    /// Beats of the image: no run of it can take fewer cycles.
    pub fn bound_cycles(&self) -> u64 {
        (self.image.len() / self.beat_bytes) as u64
    }

    /// The bytes of `s_axis_x`, for activations `[M][K]` (FP16) of each input in the order of their numbers.
    ///
    /// # Errors
    /// If one of them is missing or too short.
    pub fn activations(&self, inputs: &[impl AsRef<[u16]>], config: &CoreConfig) -> Result<Vec<u8>> {
        activations(&self.steps, self.tokens, inputs, config)
    }
}

/// As [`Plan::activations`].
pub(in crate::vq) fn activations(
    steps: &[Step],
    tokens: usize,
    inputs: &[impl AsRef<[u16]>],
    config: &CoreConfig,
) -> Result<Vec<u8>> {
    let dim = config.vq.dim as usize;
    // Of one token in a tile.
    let tile = config.tile_vectors() as usize / tokens;
    let mut stream = Vec::new();
    for step in steps.iter().filter(|step| matches!(step.command.operation, Operation::LoadX { .. })) {
        let problem = |problem: String| Error::Activations { problem };
        let x = inputs.get(step.input).ok_or_else(|| problem(format!("those of input {} are missing", step.input)))?;
        let token_length = x.as_ref().len() / tokens;
        if token_length * tokens != x.as_ref().len() || step.vectors.end * dim > token_length {
            let given = x.as_ref().len();
            return Err(problem(format!("{given} given for {tokens} tokens of {} or more", step.vectors.end * dim)));
        }
        let rows = x.as_ref().chunks_exact(token_length);
        let values: Vec<u16> = if tokens == 1 {
            rows.flat_map(|x| &x[step.vectors.start * dim..step.vectors.end * dim]).copied().collect()
        } else {
            let starts = step.vectors.clone().step_by(tile);
            let tiles = starts.flat_map(|start| {
                rows.clone().flat_map(move |x| {
                    let part = &x[start * dim..step.vectors.end.min(start + tile) * dim];
                    let padding = std::iter::repeat_n(0, tile * dim - part.len());
                    part.iter().copied().chain(padding)
                })
            });
            tiles.collect()
        };
        stream.extend(values.iter().flat_map(|bits| bits.to_le_bytes()));
        stream.resize(stream.len().next_multiple_of(config.x_width() as usize / 8), 0);
    }
    Ok(stream)
}

/// Makes a [`Plan`] of layers, one after the other.
///
/// Codebooks are loaded before the last `VQ_GEMV` that does not need them yet, where there are slots that it does not use, so that the core
/// has them when it gets there. Activations are loaded whole if the buffer holds them, and stay for the next layer if it has the same.
pub struct Planner<'c> {
    config: &'c CoreConfig,
    plan: Plan,
    /// Number of the next layer.
    layers: usize,
    /// The last `VQ_GEMV` so far, with the `LOAD_X` before it: codebooks may still be loaded before them.
    pending: Vec<(Step, Vec<u8>)>,
    codebooks: Option<Loaded>,
    /// Input and vectors.
    x: Option<(usize, Range<usize>)>,
}

/// Codebooks of the last part.
#[derive(Clone, PartialEq, Eq)]
struct Loaded {
    layer: usize,
    numbers: Range<usize>,
    slot: usize,
}

impl<'c> Planner<'c> {
    /// Nothing planned yet, for `tokens` tokens.
    pub fn new(tokens: usize, config: &'c CoreConfig) -> Self {
        let beat_bytes = config.stream.width as usize / 8;
        let plan = Plan { steps: Vec::new(), image: Vec::new(), beat_bytes, tokens };
        Self { config, plan, layers: 0, pending: Vec::new(), codebooks: None, x: None }
    }

    /// Adds a layer that computes the activations number `input`; they are the same as those of earlier layers with that number, if the layers have as
    /// many inputs.
    ///
    /// # Errors
    /// If the core cannot run the layer with so many tokens; all reasons together. The plan is then as it was.
    pub fn push(&mut self, layer: LayerRef, input: usize) -> Result<()> {
        let tokens = self.plan.tokens;
        let packer = Packer::for_batch(layer, tokens, self.config)?;
        let parts = parts(layer, tokens, self.config);
        let vectors = layer.shape().vectors();
        // A part is found among the loaded vectors only at whole words of the buffer.
        let word = 2 * self.config.segments() as usize;
        let whole = tokens == 1
            && vectors <= self.config.max_vectors() as usize
            && parts.iter().all(|part| part.vectors.start.is_multiple_of(word));
        for part in &parts {
            self.load_codebooks(part, &packer);
            let range = if whole { 0..vectors } else { part.vectors.clone() };
            self.load_x(input, range.clone());
            self.gemv(part, part.vectors.start - range.start, layer, &packer, input);
        }
        self.layers += 1;
        Ok(())
    }

    /// The plan of all layers.
    pub fn finish(mut self) -> Plan {
        self.flush();
        for (tag, step) in (0..=u16::MAX).cycle().zip(&mut self.plan.steps) {
            // Tags wrap: they only tell neighbours apart.
            step.command.tag = tag;
        }
        self.plan
    }

    /// Makes sure that the codebooks of a part are there when its turn comes.
    fn load_codebooks(&mut self, part: &Part, packer: &Packer) {
        let present = self.codebooks.take();
        let needed = |slot| Loaded { layer: self.layers, numbers: part.codebooks.clone(), slot };
        if let Some(present) = &present
            && *present == needed(present.slot)
        {
            self.codebooks = Some(present.clone());
            self.flush();
            return;
        }
        let count = part.codebooks.len();
        let free = match &present {
            None => Some(0),
            Some(present) => self.free_slot(present, count),
        };
        let slot = free.unwrap_or(0);
        self.codebooks = Some(needed(slot));
        if free.is_none() {
            self.flush();
        }
        let operation = Operation::LoadCodebooks { slot: slot as u8, codebooks: count as u8 };
        let step = self.step(operation, 0, 0..0, 0..0);
        self.emit(step, packer.codebooks(part.codebooks.clone()));
        self.flush();
    }

    /// The first of `count` slots that the present codebooks do not use: at one end of all slots or the other, so that as many as possible
    /// are free next time.
    fn free_slot(&self, present: &Loaded, count: usize) -> Option<usize> {
        let slots = self.config.vq.max_codebooks as usize;
        if count <= present.slot {
            Some(0)
        } else {
            slots.checked_sub(count).filter(|&slot| slot >= present.slot + present.numbers.len())
        }
    }

    /// Loads vectors of an input unless they are what is loaded.
    fn load_x(&mut self, input: usize, vectors: Range<usize>) {
        let wanted = Some((input, vectors.clone()));
        if self.x == wanted {
            return;
        }
        self.x = wanted;
        let (tokens, tile) = (self.plan.tokens, self.config.tile_vectors() as usize);
        let loaded = if tokens == 1 { vectors.len() } else { vectors.len().div_ceil(tile / tokens) * tile };
        let step = self.step(Operation::LoadX { vectors: loaded as u32 }, input, vectors, 0..0);
        self.pending.push((step, Vec::new()));
    }

    fn gemv(&mut self, part: &Part, start: usize, layer: LayerRef, packer: &Packer, input: usize) {
        let slot = self.codebooks.as_ref().map_or(0, |loaded| loaded.slot);
        let gemv = VqGemv {
            first: part.first,
            last: part.last,
            scale_fp32: part.last && layer.scales().is_fp32(),
            grouped: part.grouped,
            slot: slot as u8,
            codebooks: if part.grouped { 1 } else { part.codebooks.len() as u8 },
            tokens: self.plan.tokens as u8,
            start: (start / (2 * self.config.segments() as usize)) as u16,
            vectors: part.vectors.len() as u32,
            outputs: part.outputs.len() as u32,
        };
        let mut bytes = if part.last { packer.scales(part.outputs.clone()) } else { Vec::new() };
        bytes.extend(packer.indices(part.outputs.clone(), part.vectors.clone()));
        let step = self.step(Operation::VqGemv(gemv), input, part.vectors.clone(), part.outputs.clone());
        self.pending.push((step, bytes));
    }

    fn step(&self, operation: Operation, input: usize, vectors: Range<usize>, outputs: Range<usize>) -> Step {
        let command = Command { tag: 0, operation };
        Step { command, layer: self.layers, input, beats: 0, vectors, outputs }
    }

    fn emit(&mut self, mut step: Step, bytes: Vec<u8>) {
        step.beats = (bytes.len() / self.plan.beat_bytes) as u64;
        self.plan.image.extend(bytes);
        self.plan.steps.push(step);
    }

    fn flush(&mut self) {
        for (step, bytes) in std::mem::take(&mut self.pending) {
            self.emit(step, bytes);
        }
    }
}
