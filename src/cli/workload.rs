//! What `eva cosim` runs: a layer, random or from a checkpoint, and activations, made into stimulus and expected
//! outputs.

mod int8;
mod program;
mod vector_quantised;

use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::ArgGroup;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::{Command, Int8Work, LayerSpan};
use eva_rtl::vq::int8::{Int8Plan, list_int8_layers};
use eva_rtl::vq::program::Program;
use eva_rtl::vq::{self, list_layers};

use super::Failure;
use super::core_args::CoreArgs;
use super::layers::{Dimensions, RandomArgs};
use super::terminal::harmless;
use super::values;

#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Layer",
    group(ArgGroup::new("source").args(["random", "weights", "program", "int8", "int8_weights"]).required(true))
)]
pub struct WorkloadArgs {
    #[command(flatten)]
    random: RandomArgs,
    /// AQLM or GPTVQ checkpoint: a .safetensors file, a .safetensors.index.json, or a folder with either
    #[arg(long, value_name = "CHECKPOINT", requires = "prefix")]
    weights: Option<PathBuf>,
    /// Folder of a program that `eva pack` wrote; the core is the one that it was written for, unless --preset or --config name one
    #[arg(long, value_name = "DIR", conflicts_with_all = ["prefix", "codebooks", "groups"])]
    program: Option<PathBuf>,
    /// Random INT8 layer of K inputs and N outputs, for M tokens at once
    #[arg(long, value_name = "M,K,N", conflicts_with_all = ["prefix", "codebooks", "groups"])]
    int8: Option<Dimensions<3>>,
    /// W8A8 checkpoint: a .safetensors file, a .safetensors.index.json, or a folder with either
    #[arg(long, value_name = "CHECKPOINT", requires = "prefix", conflicts_with_all = ["codebooks", "groups"])]
    int8_weights: Option<PathBuf>,
    /// Layer of the checkpoint; `eva inspect` lists them
    #[arg(long, value_name = "NAME")]
    prefix: Option<String>,
    /// Tokens that share each index of a vector-quantised layer, a power of two that divides --epilogue-units [default: those of --x, or 1]
    ///
    /// At most --max-n-block, and --max-k must hold a tile, E*R*cols/4 inputs. It pays if the memory port limits, and --max-n-block
    /// is at least M*E*2^n.
    #[arg(long, value_name = "M", value_parser = values::whole(1..=16u32), conflicts_with_all = ["program", "int8", "int8_weights"])]
    batch: Option<u32>,
    /// Tokens of random activations for --int8-weights [default: 1]; of vector-quantised layers see --batch
    #[arg(
        long,
        value_name = "M",
        value_parser = values::whole(1..=u32::MAX),
        conflicts_with_all = ["random", "weights", "program", "int8", "x"]
    )]
    tokens: Option<u32>,
    /// Outputs of an INT8 layer are the INT32 sums, unscaled
    #[arg(long, conflicts_with_all = ["random", "weights", "program"])]
    raw: bool,
    /// Activations of all tokens, FP16 or INT8: a .npy or .safetensors file; random ones if not given
    ///
    /// For a program, once for each of its inputs, in order.
    #[arg(long, value_name = "FILE")]
    x: Vec<PathBuf>,
    /// Name of the tensor in the file of --x, if it has several
    #[arg(long, value_name = "NAME", requires = "x")]
    x_tensor: Option<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::whole(0..=u64::MAX))]
    pub seed: u64,
}

/// Stimulus, and what is to come of it.
pub struct Workload {
    pub commands: Vec<Command>,
    /// Bytes of `s_axis_w`.
    pub weights: Weights,
    /// Bytes of `s_axis_x`.
    pub activations: Vec<u8>,
    /// The outputs in double precision, unless they are exact.
    pub reference: Option<Vec<f64>>,
    /// What the user should know about where the numbers come from, one line each.
    pub notes: Vec<String>,
    /// For the report.
    pub description: serde_json::Value,
    /// What is sent on `m_axis_y`.
    pub outputs: Outputs,
    /// What an INT8 layer asks of the array.
    pub int8: Option<Int8Work>,
    /// The layers of a program.
    pub layers: Vec<LayerSpan>,
    /// What to say if the tokens of a batch would take less time one by one.
    pub slower_batch: Option<String>,
    /// Cycles that may pass without a beat although all is well.
    pub longest_pause: u64,
}

/// Bytes of `s_axis_w`: in memory, or in the file of a program.
pub enum Weights {
    Bytes(Vec<u8>),
    Program(Program),
}

impl Deref for Weights {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Bytes(bytes) => bytes,
            Self::Program(program) => program.weights(),
        }
    }
}

/// What the beats of `m_axis_y` are.
pub enum Outputs {
    /// The FP16 outputs of vector-quantised layers, layer by layer, in each output by output and in each of these token by token.
    Layers { tokens: usize, layers: Vec<LayerOutputs> },
    /// Those of an INT8 layer, in the order of the plan.
    Matrix(Int8Plan),
}

/// A vector-quantised layer that sends outputs.
pub struct LayerOutputs {
    pub name: String,
    /// `N`.
    pub outputs: usize,
}

/// The failure to load a layer; if it is one for another flag, that is named. `layers`: names of the flag's layers and of
/// the other one's.
fn not_loaded(error: vq::Error, layers: [Vec<String>; 2], format: &str, flag: &str) -> Failure {
    let [own, others] = layers;
    match &error {
        vq::Error::UnknownLayer { path, prefix, .. } if others.contains(prefix) => Failure::BadInput(format!(
            "{}: layer `{}` is {format}: load it with {flag}",
            path.display(),
            harmless(prefix)
        )),
        vq::Error::UnknownLayer { path, .. } if own.is_empty() && !others.is_empty() => Failure::BadInput(format!(
            "{}: all quantised layers of it are {format}: load them with {flag}; `eva inspect` lists them",
            path.display()
        )),
        _ => error.into(),
    }
}

/// Names of the AQLM layers and of the INT8 layers of a checkpoint.
fn layers_of(checkpoint: &Path) -> [Vec<String>; 2] {
    let aqlm = list_layers(checkpoint).unwrap_or_default().into_iter().map(|layer| layer.name);
    let int8 = list_int8_layers(checkpoint).unwrap_or_default().into_iter().map(|layer| layer.name);
    [aqlm.collect(), int8.collect()]
}

impl WorkloadArgs {
    /// The core to simulate: as `core` says, of a program the one that it is for if `core` names none.
    pub fn config(&self, core: &CoreArgs) -> Result<CoreConfig, Failure> {
        match &self.program {
            Some(folder) => core.config_from(|| Ok(Program::core(folder)?)),
            None => Ok(core.config()?),
        }
    }

    /// Reads or makes the layer and the activations, and computes what the core is to send.
    pub fn load(&self, config: &CoreConfig) -> Result<Workload, Failure> {
        if self.int8.is_some() || self.int8_weights.is_some() {
            int8::load(self, config)
        } else if let Some(folder) = &self.program {
            program::load(self, folder, config)
        } else {
            vector_quantised::load(self, config)
        }
    }

    /// The only file of activations, if there is one.
    fn x_file(&self) -> Result<Option<&Path>, Failure> {
        match self.x.as_slice() {
            [] => Ok(None),
            [path] => Ok(Some(path)),
            more => Err(Failure::BadInput(format!("--x is given {} times, but the layer has one input", more.len()))),
        }
    }
}
