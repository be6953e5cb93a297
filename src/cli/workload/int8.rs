//! INT8 layers.

use std::path::Path;

use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::{Command, Int8Work};
use eva_rtl::golden;
use eva_rtl::vq::int8::{
    Int8Activations, Int8Distribution, Int8Layer, Int8Plan, Int8Shape, load_int8_layer, random_int8_activations,
    random_int8_layer, read_int8_activations,
};
use serde_json::json;

use super::{Outputs, Weights, Workload, WorkloadArgs, layers_of, not_loaded};
use crate::cli::Failure;
use crate::cli::layers::Dimensions;

/// Memory for the streams of a run, the layer and the outputs.
const MAX_BYTES: u64 = 4 << 30;
/// What an output takes: its sum, what is expected, its value in double precision, what came and when.
const OUTPUT_BYTES: u64 = 40;

/// The workload of `--int8` or `--int8-weights`.
pub fn load(args: &WorkloadArgs, config: &CoreConfig) -> Result<Workload, Failure> {
    let file = match args.x_file()? {
        Some(path) => Some((path, read_int8_activations(path, args.x_tensor.as_deref())?)),
        None => None,
    };
    let (layer, plan) = match (&args.int8_weights, &args.prefix) {
        (Some(path), Some(prefix)) => {
            let layer = load_int8_layer(path, prefix).map_err(|error| {
                let [aqlm, int8] = layers_of(path);
                not_loaded(error, [int8, aqlm], "vector-quantised", "--weights")
            })?;
            let tokens = match (&file, args.tokens) {
                (Some((_, x)), _) => x.tokens,
                (None, Some(tokens)) => tokens as usize,
                (None, None) => 1,
            };
            let plan = plan(layer.shape(), tokens, args.raw, config)?;
            (layer, plan)
        }
        _ => {
            let Dimensions([tokens, inputs, outputs]) = args.int8.expect("clap requires --int8 without another layer");
            let shape = Int8Shape { inputs: inputs as usize, outputs: outputs as usize };
            // Before a layer is made that is too large.
            let plan = plan(shape, tokens as usize, args.raw, config)?;
            (random_int8_layer(shape, Int8Distribution::Realistic, args.seed)?, plan)
        }
    };
    let Int8Shape { inputs, outputs } = layer.shape();
    let tokens = plan.tokens();
    let x = match file {
        Some((path, x)) => fitting(path, x, inputs, tokens)?,
        None => random_int8_activations(tokens * inputs, Int8Distribution::Realistic, args.seed),
    };
    let mut notes = vec![format!("layer {}: INT8 {}, {tokens} tokens", layer.name(), layer.shape())];
    if !args.x.is_empty() {
        notes.push(format!("activations: {} I8 values", x.len()));
    }

    let sums = golden::int8_sums(&x, layer.weights(), inputs);
    let in_order = plan.stream_order().map(|(output, token)| output * tokens + token);
    let reference = (!plan.raw()).then(|| {
        let reference = golden::int8_reference_f64(&sums, tokens, layer.scales());
        in_order.map(|position| reference[position]).collect()
    });
    let busiest = plan.blocks().iter().map(|block| block.tokens.len() as u64).max().unwrap_or(0);
    Ok(Workload {
        commands: commands(&plan, &layer, &sums),
        weights: Weights::Bytes(plan.weights(&layer)),
        activations: plan.activations(&x)?,
        reference,
        notes,
        description: json!({
            "layer": layer.name(),
            "inputs": inputs,
            "outputs": outputs,
            "tokens": tokens,
            "raw": plan.raw(),
        }),
        layers: Vec::new(),
        slower_batch: None,
        int8: Some(Int8Work { macs: plan.macs(), steady: plan.full_passes() }),
        // With few k tiles and outputs, passes that take nothing follow one another until every lane has had its turn.
        longest_pause: u64::from(config.pass_vectors() + 2) * (busiest + u64::from(config.array.rows) + 64),
        outputs: Outputs::Matrix(plan),
    })
}

/// A plan that memory can hold.
fn plan(shape: Int8Shape, tokens: usize, raw: bool, config: &CoreConfig) -> Result<Int8Plan, Failure> {
    let (k, n, m) = (shape.inputs as u64, shape.outputs as u64, tokens as u64);
    let too_large = || {
        let plural = if tokens == 1 { "" } else { "s" };
        Failure::BadInput(format!(
            "INT8 {shape} with {tokens} token{plural} is too large: its streams and outputs take more than {} GiB; use fewer \
             tokens or outputs",
            MAX_BYTES >> 30
        ))
    };
    let outputs = OUTPUT_BYTES.saturating_mul(m.saturating_mul(n));
    let operands = k.saturating_mul(n).saturating_add(k.saturating_mul(m));
    let sizes = outputs.saturating_add(operands);
    if sizes > MAX_BYTES {
        return Err(too_large());
    }
    let plan = Int8Plan::new(shape, tokens, raw, config)?;
    let (weights, activations) = plan.stream_bytes();
    if sizes.saturating_add(weights).saturating_add(activations) > MAX_BYTES {
        return Err(too_large());
    }
    Ok(plan)
}

/// Activations `[M][K]` that were read from a file, if that is what they are.
fn fitting(path: &Path, x: Int8Activations, inputs: usize, tokens: usize) -> Result<Vec<i8>, Failure> {
    let refusal = |problem: String| Err(Failure::BadInput(format!("{}: {problem}", path.display())));
    if x.inputs != inputs {
        return refusal(format!("activations of {} inputs, but the layer has {inputs}", x.inputs));
    }
    if x.tokens != tokens {
        return refusal(format!("activations of {} tokens, but --int8 says {tokens}", x.tokens));
    }
    Ok(x.values)
}

/// The plan's commands, each with the outputs that it is to send.
fn commands(plan: &Int8Plan, layer: &Int8Layer, sums: &[i32]) -> Vec<Command> {
    let blocks = plan.commands().into_iter().zip(plan.blocks());
    let expected = blocks.map(|(command, block)| {
        let outputs = block.outputs.clone().flat_map(|output| {
            let sums = &sums[output * plan.tokens()..][block.tokens.clone()];
            let scale = layer.scales()[output];
            sums.iter().map(move |&sum| match plan.raw() {
                true => sum as u32,
                false => golden::int8_scale(sum, scale).into(),
            })
        });
        Command { bits: command.to_bytes(), status: 0, outputs: outputs.collect() }
    });
    expected.collect()
}
