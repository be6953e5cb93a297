//! Vector-quantised layers.

use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;
use eva_rtl::golden;
use eva_rtl::vq::{
    self, Distribution, Layer, LayerShape, Operation, load_layer, pack, pack_x, random_activations, random_layer,
    read_activations,
};
use serde_json::json;

use super::{Dimensions, Outputs, Workload, WorkloadArgs, layers_of, not_loaded};
use crate::cli::Failure;

/// Indices of a random layer; more would need more memory than most machines have.
const MAX_RANDOM_INDICES: u64 = 1 << 30;

/// The workload of `--random` or `--weights`.
pub fn load(args: &WorkloadArgs, config: &CoreConfig) -> Result<Workload, Failure> {
    let mut notes = Vec::new();
    let layer = match (&args.weights, &args.prefix) {
        (Some(path), Some(prefix)) => {
            let imported = load_layer(path, prefix).map_err(|error| {
                let layers = layers_of(path);
                not_loaded(error, layers, "INT8", "--int8-weights")
            })?;
            notes.push(format!("codebooks: {}", imported.codebooks));
            imported.layer
        }
        _ => random(args, config)?,
    };
    notes.insert(0, format!("layer {}: {}", layer.name(), layer.shape()));
    // First, since it refuses layers that the core cannot run.
    let program = pack(&layer, config)?;
    let x = activations(args, layer.shape().inputs, &mut notes)?;

    let outputs = golden::vq_gemv(&x, &layer.golden());
    Ok(Workload {
        commands: commands(&program, &outputs),
        activations: pack_x(&x, config)?,
        reference: Some(golden::reference_f64(&x, &layer.golden())),
        weights: program.image,
        notes,
        description: description(&layer),
        outputs: Outputs::Vector,
        int8: None,
        // Several steps of the array may pass while index words wait in the core's input registers.
        longest_pause: 8 * u64::from(config.epilogue.units) * u64::from(config.entries().max(config.array.rows)),
    })
}

fn random(args: &WorkloadArgs, config: &CoreConfig) -> Result<Layer, Failure> {
    let Dimensions([inputs, outputs]) = args.random.expect("clap requires --random without another layer");
    let codebooks = args.codebooks.unwrap_or(config.vq.max_codebooks.min(2));
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
        return Err(Failure::BadInput(format!("--random: the layer does not fit this core: {}", reasons.join("; "))));
    }
    Ok(random_layer(shape, Distribution::Realistic, args.seed)?)
}

fn activations(args: &WorkloadArgs, inputs: usize, notes: &mut Vec<String>) -> Result<Vec<u16>, Failure> {
    let Some(path) = &args.x else {
        return Ok(random_activations(inputs, Distribution::Realistic, args.seed));
    };
    let read = read_activations(path, args.x_tensor.as_deref())?;
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

/// For the report.
fn description(layer: &Layer) -> serde_json::Value {
    let shape = layer.shape();
    json!({
        "layer": layer.name(),
        "inputs": shape.inputs,
        "outputs": shape.outputs,
        "codebooks": shape.codebooks,
        "index_bits": shape.index_bits,
        "dim": shape.dim,
    })
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
