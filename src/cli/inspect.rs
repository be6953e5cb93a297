//! `eva inspect`: the quantised layers of a checkpoint, and whether a core can run them.

use std::path::PathBuf;

use comfy_table::CellAlignment;
use eva_rtl::config::CoreConfig;
use eva_rtl::vq::{LayerShape, LayerSummary, list_layers};
use serde_json::json;

use super::core_args::CoreArgs;
use super::{Failure, terminal};

/// List the quantised layers of a checkpoint and whether a core can run them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
K inputs, N outputs, C codebooks, n bits per index, d weights per vector.

Examples:
  eva inspect model.safetensors
  eva inspect model.safetensors.index.json --preset small
  eva inspect checkpoint/ --max-codebooks 2 --json")]
pub struct Args {
    /// A .safetensors file, the .safetensors.index.json of a sharded checkpoint, or a folder with either
    #[arg(value_name = "CHECKPOINT")]
    checkpoint: PathBuf,
    #[command(flatten)]
    core: CoreArgs,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let config = args.core.config()?;
    let layers = list_layers(&args.checkpoint)?;
    if layers.is_empty() {
        return Err(Failure::BadInput(format!(
            "{}: no quantised layers; those of AQLM are tensors named LAYER.codes, LAYER.codebooks and LAYER.scales",
            args.checkpoint.display()
        )));
    }
    let obstacles: Vec<_> = layers.iter().map(|layer| obstacles(layer, &config)).collect();
    if json {
        let layers = layers.iter().zip(&obstacles);
        let list: Vec<_> = layers.map(|(layer, obstacles)| describe(layer, obstacles)).collect();
        return terminal::print_json(&list);
    }
    let runnable = obstacles.iter().filter(|reasons| reasons.is_empty()).count();
    terminal::print(&format!(
        "{}\n\n{runnable} of {} layers can run on this core",
        list(&layers, &obstacles),
        layers.len()
    ))
}

/// Why a core cannot run the layer; empty if it can.
fn obstacles(layer: &LayerSummary, config: &CoreConfig) -> Vec<String> {
    let fits = layer.shape.map_or(Ok(()), |shape| shape.fits(config));
    let mut reasons: Vec<String> = layer.problem.iter().cloned().collect();
    reasons.extend(fits.err().unwrap_or_default());
    reasons
}

fn describe(layer: &LayerSummary, obstacles: &[String]) -> serde_json::Value {
    let number = |get: fn(&LayerShape) -> usize| layer.shape.as_ref().map(get);
    json!({
        "name": layer.name,
        "inputs": number(|shape| shape.inputs),
        "outputs": number(|shape| shape.outputs),
        "codebooks": number(|shape| shape.codebooks),
        "index_bits": number(|shape| shape.index_bits as usize),
        "dim": number(|shape| shape.dim),
        "runs": obstacles.is_empty(),
        "obstacles": obstacles,
    })
}

fn list(layers: &[LayerSummary], obstacles: &[Vec<String>]) -> String {
    let mut table = terminal::table(&["layer", "K", "N", "C", "n", "d", "runs"]);
    for (layer, obstacles) in layers.iter().zip(obstacles) {
        let cell = |get: fn(&LayerShape) -> usize| {
            let number = layer.shape.as_ref().map(get);
            number.map_or_else(|| "?".to_owned(), |number| number.to_string())
        };
        let runs = match obstacles.as_slice() {
            [] => "yes".to_owned(),
            _ => format!("no: {}", obstacles.join("; ")),
        };
        table.add_row([
            layer.name.clone(),
            cell(|shape| shape.inputs),
            cell(|shape| shape.outputs),
            cell(|shape| shape.codebooks),
            cell(|shape| shape.index_bits as usize),
            cell(|shape| shape.dim),
            runs,
        ]);
    }
    for column in table.column_iter_mut().skip(1).take(5) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}
