//! Programs of several layers.

use std::path::Path;

use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::LayerSpan;
use eva_rtl::vq::program::{Program, ProgramLayer};
use eva_rtl::vq::{Distribution, Operation, Planner, Step, random_activations, read_activations};
use serde_json::json;

use super::vector_quantised::{by_output, commands, longest_pause, slower_batch};
use super::{LayerOutputs, Outputs, Weights, Workload, WorkloadArgs};
use crate::cli::Failure;
use crate::cli::terminal::{Meter, harmless};

/// The workload of `--program`.
pub fn load(args: &WorkloadArgs, folder: &Path, config: &CoreConfig) -> Result<Workload, Failure> {
    let program = Program::open(folder, config)?;
    let tokens = program.tokens();
    let mut notes = Vec::new();
    let inputs = activations(args, &program, &mut notes)?;
    let stream = program.activations(&inputs, config)?;

    let (mut outputs, mut reference) = (Vec::new(), Vec::new());
    // The same layers for one token, to compare with.
    let mut alone = (tokens > 1).then(|| Planner::new(1, config));
    let mut meter = Meter::new("computing");
    let count = program.layers().len() as u64;
    program.for_each_layer(config, |number, layer| {
        let layer = layer.as_ref();
        meter.show(number as u64, count, &harmless(layer.name()));
        let input = program.layers()[number].input;
        if let Some(alone) = &mut alone {
            alone.push(layer, input)?;
        }
        let x = &inputs[input];
        outputs.extend(by_output(&layer.golden_outputs(x), tokens));
        reference.extend(by_output(&layer.reference_f64(x), tokens));
        notes.push(format!("layer {}: {layer}", layer.name()));
        Ok::<(), Failure>(())
    })?;
    meter.finish();

    let names: Vec<&str> = program.layers().iter().map(|layer| layer.name.as_str()).collect();
    let of_layer = |layer: &ProgramLayer| LayerOutputs { name: layer.name.clone(), outputs: layer.outputs };
    let sizes = Outputs::Layers { tokens, layers: program.layers().iter().map(of_layer).collect() };
    let slower_batch = alone.and_then(|alone| slower_batch(tokens, program.steps(), &alone.finish().steps, config));
    Ok(Workload {
        commands: commands(program.steps(), tokens, outputs.into_iter()),
        activations: stream,
        reference: Some(reference),
        notes,
        description: json!({ "layers": names, "tokens": tokens }),
        outputs: sizes,
        int8: None,
        layers: spans(&program),
        slower_batch,
        longest_pause: longest_pause(config),
        weights: Weights::Program(program),
    })
}

/// `[M][K]` of each input: from files, or random with a seed of their own.
fn activations(args: &WorkloadArgs, program: &Program, notes: &mut Vec<String>) -> Result<Vec<Vec<u16>>, Failure> {
    let tokens = program.tokens();
    if args.x.is_empty() {
        let random = |(seed, inputs): (u64, &usize)| {
            random_activations(tokens * inputs, Distribution::Realistic, args.seed.wrapping_add(seed))
        };
        return Ok((0..).zip(program.inputs()).map(random).collect());
    }
    if args.x.len() != program.inputs().len() {
        return Err(Failure::BadInput(format!(
            "--x is given {} times, but the program has {} inputs: {}",
            args.x.len(),
            program.inputs().len(),
            (0..program.inputs().len()).map(|input| users(program, input)).collect::<Vec<_>>().join("; ")
        )));
    }
    let mut all = Vec::new();
    for (input, (path, &inputs)) in args.x.iter().zip(program.inputs()).enumerate() {
        let x = read_activations(path, args.x_tensor.as_deref())?;
        if (x.tokens, x.inputs) != (tokens, inputs) {
            return Err(Failure::BadInput(format!(
                "{}: activations of {} tokens and {} inputs, expected {tokens} and {inputs} for {}",
                path.display(),
                x.tokens,
                x.inputs,
                users(program, input)
            )));
        }
        notes.push(format!("activations of {}: {}", users(program, input), x.conversion));
        all.push(x.values);
    }
    Ok(all)
}

/// Names of the layers that compute an input.
fn users(program: &Program, input: usize) -> String {
    let users = program.layers().iter().filter(|layer| layer.input == input);
    users.map(|layer| harmless(&layer.name)).collect::<Vec<_>>().join(", ")
}

/// The commands up to the last one of each layer, and their beats.
fn spans(program: &Program) -> Vec<LayerSpan> {
    let steps = program.steps();
    let mut last_commands = vec![0; program.layers().len()];
    // Those that compute come layer by layer; whatever is loaded may come at any time.
    let computing = |step: &Step| matches!(step.command.operation, Operation::VqGemv(_));
    for (number, step) in steps.iter().enumerate().filter(|(_, step)| computing(step)) {
        last_commands[step.layer] = number;
    }
    let mut next = 0;
    let span = |(last_command, layer): (usize, &ProgramLayer)| {
        let beats = steps[next..=last_command].iter().map(|step| step.beats).sum();
        next = last_command + 1;
        LayerSpan { name: layer.name.clone(), inputs: layer.inputs, outputs: layer.outputs, last_command, beats }
    };
    last_commands.into_iter().zip(program.layers()).map(span).collect()
}
