//! What `eva cosim` runs: a layer, random or from a checkpoint, and activations, made into stimulus and expected
//! outputs.

mod int8;
mod vector_quantised;

use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::ArgGroup;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::{Command, Int8Work};
use eva_rtl::vq::int8::{Int8Plan, list_int8_layers};
use eva_rtl::vq::{self, list_layers};

use super::Failure;
use super::terminal::harmless;

#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Layer",
    group(ArgGroup::new("source").args(["random", "weights", "int8", "int8_weights"]).required(true))
)]
pub struct WorkloadArgs {
    /// Random layer of K inputs and N outputs
    #[arg(long, value_name = "K,N", conflicts_with = "prefix")]
    random: Option<Dimensions<2>>,
    /// Codebooks of the random layer [default: 2, or as many as the core holds]
    #[arg(long, value_name = "C", conflicts_with_all = ["weights", "int8", "int8_weights"])]
    codebooks: Option<u32>,
    /// AQLM checkpoint: a .safetensors file, a .safetensors.index.json, or a folder with either
    #[arg(long, value_name = "FILE", requires = "prefix")]
    weights: Option<PathBuf>,
    /// Random INT8 layer of K inputs and N outputs, for M tokens at once
    #[arg(long, value_name = "M,K,N", conflicts_with = "prefix")]
    int8: Option<Dimensions<3>>,
    /// W8A8 checkpoint: a .safetensors file, a .safetensors.index.json, or a folder with either
    #[arg(long, value_name = "FILE", requires = "prefix")]
    int8_weights: Option<PathBuf>,
    /// Layer of the checkpoint; `eva inspect` lists them
    #[arg(long, value_name = "NAME")]
    prefix: Option<String>,
    /// Tokens of random activations for --int8-weights [default: 1]
    #[arg(long, value_name = "M", conflicts_with_all = ["random", "weights", "int8", "x"])]
    tokens: Option<u32>,
    /// Outputs of an INT8 layer are the INT32 sums, unscaled
    #[arg(long, conflicts_with_all = ["random", "weights"])]
    raw: bool,
    /// Activations: a .npy or .safetensors file, FP16 of one token or INT8 of all tokens; random ones if not given
    #[arg(long, value_name = "FILE")]
    x: Option<PathBuf>,
    /// Name of the tensor in the file of --x, if it has several
    #[arg(long, value_name = "NAME", requires = "x")]
    x_tensor: Option<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// Positive numbers, separated by commas.
#[derive(Clone, Copy, Debug)]
struct Dimensions<const COUNT: usize>([u32; COUNT]);

impl<const COUNT: usize> Dimensions<COUNT> {
    fn parse(text: &str) -> Option<Self> {
        let numbers = text.split(',').map(|part| part.trim().parse().ok().filter(|number| *number > 0));
        numbers.collect::<Option<Vec<u32>>>()?.try_into().ok().map(Self)
    }
}

impl FromStr for Dimensions<2> {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text).ok_or("must be two positive numbers, inputs and outputs: 1024,512")
    }
}

impl FromStr for Dimensions<3> {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text).ok_or("must be three positive numbers, tokens, inputs and outputs: 128,1024,512")
    }
}

/// Stimulus, and what is to come of it.
pub struct Workload {
    pub commands: Vec<Command>,
    /// Bytes of `s_axis_w`.
    pub weights: Vec<u8>,
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
    /// Cycles that may pass without a beat although all is well.
    pub longest_pause: u64,
}

/// What the beats of `m_axis_y` are.
pub enum Outputs {
    /// The FP16 outputs of one token, in order.
    Vector,
    /// Those of an INT8 layer, in the order of the plan.
    Matrix(Int8Plan),
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
    /// Reads or makes the layer and the activations, and computes what the core is to send.
    pub fn load(&self, config: &CoreConfig) -> Result<Workload, Failure> {
        if self.int8.is_some() || self.int8_weights.is_some() {
            int8::load(self, config)
        } else {
            vector_quantised::load(self, config)
        }
    }
}
