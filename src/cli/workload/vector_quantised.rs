//! Vector-quantised layers.

use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;
use eva_rtl::perf::cycles;
use eva_rtl::vq::gptvq::GptvqShape;
use eva_rtl::vq::{
    Distribution, LayerRef, Step, load_any_layer, pack, pack_batch, random_activations, read_activations,
};
use serde_json::json;

use super::{LayerOutputs, Outputs, Weights, Workload, WorkloadArgs, layers_of, not_loaded};
use crate::cli::{Failure, batch};

/// The workload of `--random` or `--weights`.
pub fn load(args: &WorkloadArgs, config: &CoreConfig) -> Result<Workload, Failure> {
    let mut notes = Vec::new();
    let layer = match (&args.weights, &args.prefix) {
        (Some(path), Some(prefix)) => {
            let (layer, conversion) = load_any_layer(path, prefix).map_err(|error| {
                let layers = layers_of(path);
                not_loaded(error, layers, "INT8", "--int8-weights")
            })?;
            notes.push(format!("codebooks: {conversion}"));
            layer
        }
        _ => {
            let size = args.random.random.expect("clap requires --random without another layer");
            args.random.layer(size, config, args.seed)?
        }
    };
    let layer = layer.as_ref();
    notes.insert(0, format!("layer {}: {layer}", layer.name()));
    let shape = layer.shape();
    let file = match args.x_file()? {
        Some(path) => {
            let x = read_activations(path, args.x_tensor.as_deref())?;
            notes.push(format!("activations: {}", x.conversion));
            Some((path, x))
        }
        None => None,
    };
    let tokens = match (args.batch, &file) {
        (Some(tokens), _) => tokens as usize,
        (None, Some((_, x))) => x.tokens,
        (None, None) => 1,
    };
    // First, since it refuses layers that the core cannot run.
    let plan = pack_batch(layer, tokens, config)?;
    let x = match file {
        Some((path, x)) if (x.tokens, x.inputs) != (tokens, shape.inputs) => {
            return Err(Failure::BadInput(format!(
                "{}: activations of {} tokens and {} inputs, expected {tokens} and {} as of the layer",
                path.display(),
                x.tokens,
                x.inputs,
                shape.inputs
            )));
        }
        Some((_, x)) => x.values,
        None => random_activations(tokens * shape.inputs, Distribution::Realistic, args.seed),
    };
    let slower_batch = match tokens {
        1 => None,
        _ => slower_batch(tokens, &plan.steps, &pack(layer, config)?.steps, config),
    };
    let outputs = by_output(&layer.golden_outputs(&x), tokens);
    let activations = plan.activations(&[&x], config)?;
    Ok(Workload {
        commands: commands(&plan.steps, tokens, outputs.into_iter()),
        activations,
        reference: Some(by_output(&layer.reference_f64(&x), tokens)),
        weights: Weights::Bytes(plan.image),
        notes,
        description: description(layer, tokens),
        outputs: Outputs::Layers {
            tokens,
            layers: vec![LayerOutputs { name: layer.name().to_owned(), outputs: shape.outputs }],
        },
        int8: None,
        layers: Vec::new(),
        slower_batch,
        longest_pause: longest_pause(config),
    })
}

/// Cycles without a beat: several steps of the array may pass while index words wait in the core's input registers.
pub fn longest_pause(config: &CoreConfig) -> u64 {
    8 * u64::from(config.epilogue.units) * u64::from(config.entries().max(config.array.rows))
}

/// From `[M][N]` to `[N][M]`, the order of `m_axis_y`.
pub fn by_output<T: Copy>(values: &[T], tokens: usize) -> Vec<T> {
    let outputs = values.len() / tokens;
    (0..outputs).flat_map(|output| (0..tokens).map(move |token| values[token * outputs + output])).collect()
}

/// What to say if `tokens` tokens take longer `together` than each of them `alone`.
pub fn slower_batch(tokens: usize, together: &[Step], alone: &[Step], config: &CoreConfig) -> Option<String> {
    let of = |steps: &[Step]| cycles(steps.iter().map(|step| step.command.operation), config);
    batch::slower(tokens, of(together), tokens as u64 * of(alone), config)
}

/// The commands of a plan, each with the outputs that it is to send.
pub fn commands(steps: &[Step], tokens: usize, mut outputs: impl Iterator<Item = u16>) -> Vec<Command> {
    let expected = |step: &Step| {
        let outputs = outputs.by_ref().take(step.sent(tokens)).map(u32::from).collect();
        Command { bits: step.command.to_bytes(), status: 0, outputs }
    };
    steps.iter().map(expected).collect()
}

/// For the report.
fn description(layer: LayerRef, tokens: usize) -> serde_json::Value {
    let shape = layer.shape();
    let mut description = json!({
        "layer": layer.name(),
        "inputs": shape.inputs,
        "outputs": shape.outputs,
        "tokens": tokens,
        "codebooks": shape.codebooks,
        "index_bits": shape.index_bits,
        "dim": shape.dim,
    });
    if let LayerRef::Gptvq(layer) = layer {
        let GptvqShape { group_inputs, group_outputs, .. } = layer.shape();
        description["group_inputs"] = group_inputs.into();
        description["group_outputs"] = group_outputs.into();
    }
    description
}
