//! What `eva cosim` runs: a layer, random or from a checkpoint, and activations, made into stimulus and expected
//! outputs.

mod int8;
mod program;
mod vq;

use std::ops::Deref;
use std::path::{Path, PathBuf};

use clap::ArgGroup;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::{Command, Int8Work, LayerSpan};
use eva_rtl::vq::int8::Int8Plan;
use eva_rtl::vq::program::Program;

use super::Failure;
use super::layers::{Dimensions, RandomArgs};

#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Layer",
    group(ArgGroup::new("source").args(["random", "weights", "program", "int8", "int8_weights"]).required(true))
)]
pub struct WorkloadArgs {
    #[command(flatten)]
    random: RandomArgs,
    /// AQLM or GPTVQ checkpoint: a .safetensors file, a .safetensors.index.json, or a folder with either
    #[arg(long, value_name = "FILE", requires = "prefix")]
    weights: Option<PathBuf>,
    /// Folder of a program that `eva pack` wrote for this core
    #[arg(long, value_name = "DIR", conflicts_with_all = ["prefix", "codebooks", "groups"])]
    program: Option<PathBuf>,
    /// Random INT8 layer of K inputs and N outputs, for M tokens at once
    #[arg(long, value_name = "M,K,N", conflicts_with_all = ["prefix", "codebooks", "groups"])]
    int8: Option<Dimensions<3>>,
    /// W8A8 checkpoint: a .safetensors file, a .safetensors.index.json, or a folder with either
    #[arg(long, value_name = "FILE", requires = "prefix", conflicts_with_all = ["codebooks", "groups"])]
    int8_weights: Option<PathBuf>,
    /// Layer of the checkpoint; `eva inspect` lists them
    #[arg(long, value_name = "NAME")]
    prefix: Option<String>,
    /// Tokens that share each index of a vector-quantised layer, a power of two that divides --epilogue-units [default: those of --x, or 1]
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=16), conflicts_with_all = ["program", "int8", "int8_weights"])]
    batch: Option<u32>,
    /// Tokens of random activations for --int8-weights [default: 1]
    #[arg(long, value_name = "M", conflicts_with_all = ["random", "weights", "program", "int8", "x"])]
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
    #[arg(long, value_name = "N", default_value_t = 1)]
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
    /// The FP16 outputs of a vector-quantised layer, output by output and in each token by token.
    Tokens { tokens: usize, outputs: usize },
    /// Those of several layers, which no single array holds.
    Several,
    /// Those of an INT8 layer, in the order of the plan.
    Matrix(Int8Plan),
}

impl WorkloadArgs {
    /// Reads or makes the layer and the activations, and computes what the core is to send.
    pub fn load(&self, config: &CoreConfig) -> Result<Workload, Failure> {
        if self.int8.is_some() || self.int8_weights.is_some() {
            int8::load(self, config)
        } else if let Some(folder) = &self.program {
            program::load(self, folder, config)
        } else {
            vq::load(self, config)
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
