//! What `eva cosim` runs: a layer, random or from a checkpoint, and activations, made into stimulus and expected
//! outputs.

use std::path::PathBuf;
use std::str::FromStr;

use clap::ArgGroup;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;
use eva_rtl::golden;
use eva_rtl::vq::{
    self, Distribution, Layer, LayerShape, Operation, load_layer, pack, pack_x, random_activations, random_layer,
    read_activations,
};
use serde_json::json;

use super::Failure;

/// Indices of a random layer; more would need more memory than most machines have.
const MAX_RANDOM_INDICES: u64 = 1 << 30;

#[derive(Debug, clap::Args)]
#[command(
    next_help_heading = "Layer",
    group(ArgGroup::new("source").args(["random", "weights"]).required(true))
)]
pub struct WorkloadArgs {
    /// Random layer of K inputs and N outputs
    #[arg(long, value_name = "K,N", conflicts_with = "prefix")]
    random: Option<Dimensions>,
    /// Codebooks of the random layer [default: 2, or as many as the core holds]
    #[arg(long, value_name = "C", conflicts_with = "weights")]
    codebooks: Option<u32>,
    /// AQLM checkpoint: a .safetensors file, a .safetensors.index.json, or a folder with either
    #[arg(long, value_name = "FILE", requires = "prefix")]
    weights: Option<PathBuf>,
    /// Layer of the checkpoint; `eva inspect` lists them
    #[arg(long, value_name = "NAME", requires = "weights")]
    prefix: Option<String>,
    /// Activations: a .npy or .safetensors file, of one token; random ones if not given
    #[arg(long, value_name = "FILE")]
    x: Option<PathBuf>,
    /// Name of the tensor in the file of --x, if it has several
    #[arg(long, value_name = "NAME", requires = "x")]
    x_tensor: Option<String>,
    /// Seed of everything random
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// K and N.
#[derive(Clone, Copy, Debug)]
struct Dimensions {
    inputs: u32,
    outputs: u32,
}

impl FromStr for Dimensions {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let dimension = |text: &str| text.trim().parse().ok().filter(|number| *number > 0);
        let pair = text.split_once(',').and_then(|(inputs, outputs)| Some((dimension(inputs)?, dimension(outputs)?)));
        let (inputs, outputs) = pair.ok_or("must be two positive numbers, inputs and outputs: 1024,512")?;
        Ok(Self { inputs, outputs })
    }
}

/// Stimulus, and what is to come of it.
pub struct Workload {
    pub commands: Vec<Command>,
    /// Bytes of `s_axis_w`.
    pub weights: Vec<u8>,
    /// Bytes of `s_axis_x`.
    pub activations: Vec<u8>,
    /// The outputs in double precision.
    pub reference: Vec<f64>,
    /// What the user should know about where the numbers come from, one line each.
    pub notes: Vec<String>,
    layer: Layer,
}

impl WorkloadArgs {
    /// Reads or makes the layer and the activations, and computes what the core is to send.
    pub fn load(&self, config: &CoreConfig) -> Result<Workload, Failure> {
        let mut notes = Vec::new();
        let layer = match (&self.weights, &self.prefix) {
            (Some(path), Some(prefix)) => {
                let imported = load_layer(path, prefix)?;
                notes.push(format!("codebooks: {}", imported.codebooks));
                imported.layer
            }
            _ => self.random(config)?,
        };
        notes.insert(0, format!("layer {}: {}", layer.name(), layer.shape()));
        // First, since it refuses layers that the core cannot run.
        let program = pack(&layer, config)?;
        let x = self.activations(layer.shape().inputs, &mut notes)?;

        let outputs = golden::vq_gemv(&x, &layer.golden());
        let reference = golden::reference_f64(&x, &layer.golden());
        Ok(Workload {
            commands: commands(&program, &outputs),
            activations: pack_x(&x, config)?,
            reference,
            weights: program.image,
            notes,
            layer,
        })
    }

    fn random(&self, config: &CoreConfig) -> Result<Layer, Failure> {
        let Dimensions { inputs, outputs } = self.random.expect("clap requires --random without --weights");
        let codebooks = self.codebooks.unwrap_or(config.vq.max_codebooks.min(2));
        let indices = u64::from(inputs / config.vq.dim) * u64::from(outputs);
        if indices.saturating_mul(u64::from(codebooks)) > MAX_RANDOM_INDICES {
            return Err(Failure::BadInput(format!(
                "--random {inputs},{outputs} is too large: with {codebooks} codebooks it has more than \
                 {MAX_RANDOM_INDICES} indices; use fewer outputs"
            )));
        }
        let shape = LayerShape {
            inputs: inputs as usize,
            outputs: outputs as usize,
            dim: config.vq.dim as usize,
            index_bits: config.vq.index_bits,
            codebooks: codebooks as usize,
        };
        // Before a layer is made that no core of this kind can run.
        if let Err(reasons) = shape.fits(config) {
            return Err(Failure::BadInput(format!(
                "--random: the layer does not fit this core: {}",
                reasons.join("; ")
            )));
        }
        Ok(random_layer(shape, Distribution::Realistic, self.seed)?)
    }

    fn activations(&self, inputs: usize, notes: &mut Vec<String>) -> Result<Vec<u16>, Failure> {
        let Some(path) = &self.x else {
            return Ok(random_activations(inputs, Distribution::Realistic, self.seed));
        };
        let read = read_activations(path, self.x_tensor.as_deref())?;
        if read.values.len() != inputs {
            return Err(Failure::BadInput(format!(
                "{}: {} activations, but the layer has {inputs} inputs",
                path.display(),
                read.values.len()
            )));
        }
        notes.push(format!("activations: {}", read.conversion));
        Ok(read.values)
    }
}

impl Workload {
    /// For the report.
    pub fn description(&self) -> serde_json::Value {
        let shape = self.layer.shape();
        json!({
            "layer": self.layer.name(),
            "inputs": shape.inputs,
            "outputs": shape.outputs,
            "codebooks": shape.codebooks,
            "index_bits": shape.index_bits,
            "dim": shape.dim,
        })
    }
}

/// The program's commands, each with the outputs that it is to send.
fn commands(program: &vq::Program, outputs: &[u16]) -> Vec<Command> {
    let mut outputs = outputs.iter().map(|bits| u32::from(*bits));
    let expected = |command: &vq::Command| {
        let count = match command.operation {
            Operation::VqGemv(gemv) if gemv.last => gemv.outputs as usize,
            _ => 0,
        };
        Command { bits: command.to_bytes(), status: 0, outputs: outputs.by_ref().take(count).collect() }
    };
    program.commands.iter().map(expected).collect()
}
