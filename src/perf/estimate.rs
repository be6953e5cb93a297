//! What the linear layers of a language model cost on a core.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

use super::int8::Passes;
use super::limits::Limits;
use super::memory::Memory;
use super::model::Model;
use super::program::BlockProgram;
use crate::config::CoreConfig;
use crate::models::{LanguageModel, LinearLayer};
use crate::vq::int8::{Int8Plan, Int8Shape};
use crate::vq::{self, Command, LayerShape, Operation};

/// Why a core cannot run a model.
#[derive(Debug, Error)]
pub enum EstimateError {
    /// Everything that is in the way.
    #[error("the core cannot run {model}{}:{}", .flags.as_ref().map(|flags| format!("; {flags} would do")).unwrap_or_default(), Lines(.reasons))]
    DoesNotFit {
        /// Name of the model.
        model: String,
        /// One for each thing that is in the way.
        reasons: Vec<String>,
        /// Flags with larger parameters that are enough, if there are such.
        flags: Option<String>,
    },
    /// It would take the estimate too long.
    #[error(
        "{model}: the estimate of a block goes through {count} {what}, and {most} are the most; a core with larger buffers needs fewer, and so does a \
         model with fewer or smaller layers"
    )]
    TooLong {
        /// Name of the model.
        model: String,
        /// How many there are.
        count: u64,
        /// What there is too much of.
        what: &'static str,
        /// The largest number that is estimated.
        most: u64,
    },
    /// Layers cannot be made into commands.
    #[error(transparent)]
    Plan(#[from] vq::Error),
}

impl EstimateError {
    fn check(model: &str, count: u64, most: u64, what: &'static str) -> Result<(), Self> {
        if count > most { Err(Self::TooLong { model: model.to_owned(), count, what, most }) } else { Ok(()) }
    }
}

/// One reason per line.
struct Lines<'a>(&'a [String]);

impl fmt::Display for Lines<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.0.iter().try_for_each(|reason| write!(f, "\n  {reason}"))
    }
}

/// How a model is decoded. Its layers are of AQLM's form: codebooks are those of whole layers, not of groups.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Decoding {
    /// `C`: additive codebooks of every layer.
    pub codebooks: usize,
    /// `M`: tokens that are decoded together.
    pub tokens: usize,
    /// Whether scales are FP32 instead of FP16.
    pub scale_fp32: bool,
}

/// Decoding with vector-quantised weights: the same for each token, or for several at once.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// Name of the model.
    pub model: String,
    /// Its decoder blocks.
    pub blocks: u32,
    /// How it is decoded.
    pub decoding: Decoding,
    /// In the order of execution.
    pub layers: Vec<LayerEstimate>,
    /// Cost of one block.
    pub block: BlockEstimate,
    /// Cost of one block for a single token; that of `block` if no more are decoded together.
    pub alone: BlockEstimate,
    /// Memory on chip.
    pub memory_bits: Memory,
}

/// A linear layer of a block, with all copies of it that are used.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LayerEstimate {
    /// As in the model.
    pub name: String,
    /// `K`.
    pub inputs: u32,
    /// `N`.
    pub outputs: u32,
    /// How many of the same shape are computed.
    pub copies: u32,
    /// Of all copies together.
    #[serde(flatten)]
    pub cost: BlockEstimate,
}

/// Cost of a layer or of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct BlockEstimate {
    /// From the last output of what came before to the last of its own.
    pub cycles: u64,
    /// What each resource needs at least.
    pub needs: Limits,
}

impl BlockEstimate {
    /// Cycles that the memory port needs: beats of the weight image.
    pub fn bound(&self) -> u64 {
        self.needs.stream
    }

    /// `bound / cycles`.
    pub fn utilization(&self) -> f64 {
        self.bound() as f64 / self.cycles as f64
    }
}

/// The prompt: INT8 products of all tokens of it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Prefill {
    /// Of the prompt.
    pub tokens: usize,
    /// Cycles of one block.
    pub cycles: u64,
    /// What each resource needs at least.
    pub needs: Limits,
    /// Multiply-accumulates of one block.
    pub macs: u64,
    /// Share of all multipliers in all cycles that do them.
    pub array_utilization: f64,
}

impl Estimate {
    /// Most steps of the array in a block, the commands counted as some: those of real models are a thousand times fewer, and a computer goes through
    /// these within seconds.
    pub const MAX_STEPS: u64 = 1 << 30;

    /// Decodes with a model. Of experts, all tokens that are decoded together are taken to need the same ones.
    ///
    /// # Errors
    /// The core cannot run the model (all reasons together), or it has more than [`MAX_STEPS`](Self::MAX_STEPS).
    pub fn new(model: &LanguageModel, config: &CoreConfig, decoding: Decoding) -> Result<Self, EstimateError> {
        let reasons = obstacles(model, config, decoding.codebooks, decoding.tokens);
        if !reasons.is_empty() {
            let flags = enough(model, config, decoding);
            return Err(EstimateError::DoesNotFit { model: model.name.clone(), reasons, flags });
        }
        let one_by_one = Decoding { tokens: 1, ..decoding };
        for decoding in [decoding, one_by_one] {
            let steps = model.layers().map(|layer| array_steps(layer, config, decoding));
            let steps = steps.fold(0, u64::saturating_add);
            EstimateError::check(&model.name, steps, Self::MAX_STEPS, "steps of the array")?;
        }
        let (layers, block) = Self::costs(model, config, decoding);
        let (_, alone) = Self::costs(model, config, one_by_one);
        Ok(Self {
            model: model.name.clone(),
            blocks: model.blocks,
            decoding,
            layers,
            block,
            alone,
            memory_bits: Memory::new(config),
        })
    }

    /// Costs of the layers and of a block, which the core can run.
    fn costs(model: &LanguageModel, config: &CoreConfig, decoding: Decoding) -> (Vec<LayerEstimate>, BlockEstimate) {
        let estimate = |layer: &LinearLayer| LayerEstimate {
            name: layer.name.clone(),
            inputs: layer.inputs,
            outputs: layer.outputs,
            copies: layer.active(),
            cost: BlockEstimate::default(),
        };
        let mut layers: Vec<_> = model.layers().map(estimate).collect();
        let mut core = Model::new(config);
        let mut block = BlockEstimate::default();
        let mut product = None;
        BlockProgram::of_block(model, decoding, config, |step| {
            if let Some(earlier) = product.filter(|_| step.waits) {
                core.wait_for(&earlier);
            }
            let timing = core.command(&step.operation);
            if matches!(step.operation, Operation::VqGemv(_)) {
                product = Some(timing);
            }
            let cost = &mut layers[step.layer].cost;
            cost.needs.add(&step.operation, config);
            block.needs.add(&step.operation, config);
            if let Some(cycle) = timing.last_output {
                cost.cycles += cycle + 1 - block.cycles;
                block.cycles = cycle + 1;
            }
        });
        (layers, block)
    }

    /// Cycles of all blocks for as many tokens one after the other instead of together.
    pub fn one_by_one(&self) -> u64 {
        self.decoding.tokens as u64 * u64::from(self.blocks) * self.alone.cycles
    }

    /// Cycles of all blocks.
    pub fn cycles(&self) -> u64 {
        u64::from(self.blocks) * self.block.cycles
    }

    /// Tokens in a second at a clock of `hertz`, as far as linear layers are concerned.
    pub fn tokens_per_second(&self, hertz: f64) -> f64 {
        self.decoding.tokens as f64 * hertz / self.cycles() as f64
    }
}

impl Prefill {
    /// Most passes of the array in a block, as [`Estimate::MAX_STEPS`].
    pub const MAX_PASSES: u64 = 1 << 34;

    /// One block of `model` for a prompt of `tokens` tokens, one layer after the other. Each token has its own experts, over
    /// which tokens are spread evenly.
    ///
    /// # Errors
    /// A product takes too many commands, or all of them have more than [`MAX_PASSES`](Self::MAX_PASSES).
    pub fn new(model: &LanguageModel, config: &CoreConfig, tokens: usize) -> Result<Self, EstimateError> {
        let mut core = Model::new(config);
        let (mut cycles, mut macs, mut needs, mut passes) = (0, 0, Limits::default(), 0);
        for layer in model.layers() {
            let pairs = tokens * layer.active() as usize;
            let used = pairs.min(layer.count as usize);
            let shape = Int8Shape { inputs: layer.inputs as usize, outputs: layer.outputs as usize };
            for expert in 0..used {
                let share = pairs / used + usize::from(expert < pairs % used);
                let plan = Int8Plan::new(shape, share, false, config)?;
                macs += plan.macs();
                if expert == 0 {
                    // No other one of them has more.
                    passes = (used as u64).saturating_mul(plan_passes(&plan, config)).saturating_add(passes);
                    EstimateError::check(&model.name, passes, Self::MAX_PASSES, "passes of the array")?;
                }
                for command in plan.commands() {
                    needs.add(&command.operation, config);
                    let timing = core.command(&command.operation);
                    cycles = timing.last_output.map_or(cycles, |cycle| cycle + 1);
                }
            }
        }
        let multipliers = f64::from(config.array.rows) * f64::from(config.array.cols);
        let array_utilization = macs as f64 / (cycles as f64 * multipliers);
        Ok(Self { tokens, cycles, needs, macs, array_utilization })
    }
}

/// Steps of the array for all copies of a layer, with each command counted as ten, about what it costs the model.
fn array_steps(layer: &LinearLayer, config: &CoreConfig, decoding: Decoding) -> u64 {
    const COMMAND: u64 = 10;
    let (tokens, codebooks) = (decoding.tokens as u64, decoding.codebooks as u64);
    let tile = u64::from(config.tile_vectors()) / tokens;
    let vectors = u64::from(layer.inputs.div_ceil(config.vq.dim));
    let blocks = (u64::from(layer.outputs) * tokens).div_ceil(config.buffers.max_n_block.into());
    let ranges = (vectors * tokens).div_ceil(config.max_vectors().into());
    (u64::from(layer.active()) * blocks).saturating_mul(vectors.div_ceil(tile) * codebooks + ranges * COMMAND)
}

/// Passes of all commands of a plan.
fn plan_passes(plan: &Int8Plan, config: &CoreConfig) -> u64 {
    let passes = |command: Command| match command.operation {
        Operation::Int8Gemm(gemm) => Passes::new(&gemm, config).count(),
        _ => 0,
    };
    plan.commands().into_iter().map(passes).sum()
}

/// Flags with which the core can run the model, if all that it lacks is room.
fn enough(model: &LanguageModel, config: &CoreConfig, decoding: Decoding) -> Option<String> {
    let is_whole = model.layers().all(|layer| layer.inputs.is_multiple_of(config.vq.dim));
    let is_all = is_whole && batch_obstacles(config, decoding.tokens).is_empty();
    let sizes = model.layers().map(|layer| (u64::from(layer.inputs / config.vq.dim), decoding.codebooks as u64));
    config.flags_for(sizes).filter(|_| is_all)
}

/// Whether so many tokens can share the epilogue units.
fn share_units(config: &CoreConfig, tokens: usize) -> bool {
    tokens.is_power_of_two() && tokens <= config.max_batch() as usize
}

/// Why the core cannot decode that many tokens together.
fn batch_obstacles(config: &CoreConfig, tokens: usize) -> Vec<String> {
    if !share_units(config, tokens) {
        return vec![format!(
            "M = {tokens} tokens do not share epilogue.units = {}; possible are powers of two up to {}",
            config.epilogue.units,
            config.max_batch()
        )];
    }
    let mut reasons = Vec::new();
    if tokens > config.buffers.max_n_block as usize {
        reasons.push(format!("M = {tokens} tokens exceed buffers.max_n_block = {}", config.buffers.max_n_block));
    }
    if tokens > 1 && config.max_vectors() < config.tile_vectors() {
        let tile = config.tile_vectors() * config.vq.dim;
        reasons.push(format!(
            "M = {tokens} tokens need a tile of {tile} inputs in the buffer, and buffers.max_k is {}",
            config.buffers.max_k
        ));
    }
    reasons
}

/// Why the core cannot run the model.
fn obstacles(model: &LanguageModel, config: &CoreConfig, codebooks: usize, tokens: usize) -> Vec<String> {
    let mut reasons = batch_obstacles(config, tokens);
    if !share_units(config, tokens) {
        return reasons;
    }
    if !(1..=config.vq.max_codebooks as usize).contains(&codebooks) {
        let most = config.vq.max_codebooks;
        reasons.push(format!("C = {codebooks} codebooks; possible are 1 to vq.max_codebooks = {most}"));
        return reasons;
    }
    for layer in model.layers() {
        let (dim, inputs) = (config.vq.dim as usize, layer.inputs as usize);
        if !inputs.is_multiple_of(dim) {
            reasons.push(format!("{}: K = {inputs} is no multiple of vq.dim = {dim}", layer.name));
            continue;
        }
        let index_bits = config.vq.index_bits;
        let shape = LayerShape { inputs, outputs: layer.outputs as usize, dim, index_bits, codebooks };
        let problems = shape.fits(config).err().unwrap_or_default();
        reasons.extend(problems.into_iter().map(|problem| format!("{}: {problem}", layer.name)));
    }
    reasons
}
