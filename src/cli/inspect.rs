//! `eva inspect`: the quantised layers of a checkpoint, and whether a core can run them.

use std::path::PathBuf;

use comfy_table::CellAlignment;
use eva_rtl::config::CoreConfig;
use eva_rtl::vq::gptvq::{GptvqSummary, list_gptvq_layers};
use eva_rtl::vq::int8::{Int8Summary, list_int8_layers};
use eva_rtl::vq::{LayerSummary, list_layers};
use serde_json::json;

use super::core_args::CoreArgs;
use super::{Failure, terminal};

/// List the quantised layers of a checkpoint and whether a core can run them
#[derive(Debug, clap::Args)]
#[command(after_help = "\
K inputs, N outputs; of vector-quantised layers C codebooks, n bits per index, d weights per vector; of GPTVQ the inputs and outputs of a \
group, which has a codebook of its own. Whether a layer runs is told for one token at a time; batches ask for more (see --batch of \
`eva cosim`).

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
    let mut rows: Vec<Row> = list_layers(&args.checkpoint)?.into_iter().map(|layer| Row::vq(layer, &config)).collect();
    rows.extend(list_gptvq_layers(&args.checkpoint)?.into_iter().map(|layer| Row::gptvq(layer, &config)));
    rows.extend(list_int8_layers(&args.checkpoint)?.into_iter().map(Row::int8));
    if rows.is_empty() {
        return Err(Failure::BadInput(format!(
            "{}: no quantised layers; those of AQLM and GPTVQ are tensors named LAYER.codes, LAYER.codebooks and LAYER.scales, those \
             of INT8 LAYER.weight and LAYER.weight_scale",
            args.checkpoint.display()
        )));
    }
    if json {
        let list: Vec<_> = rows.iter().map(Row::describe).collect();
        return terminal::print_json(&list);
    }
    let runnable = rows.iter().filter(|row| row.obstacles.is_empty()).count();
    terminal::print(&format!(
        "{}\n\n{runnable} of {} layers can run on this core",
        list(&rows),
        terminal::number(rows.len() as u64)
    ))
}

/// A layer of any format. Numbers are missing where they cannot be told.
struct Row {
    name: String,
    format: &'static str,
    /// K and N.
    size: Option<[usize; 2]>,
    /// C, n and d; for formats without these `None` too.
    codebooks: Option<[usize; 3]>,
    /// Inputs and outputs of a group with a codebook of its own.
    group: Option<[usize; 2]>,
    /// Why the core cannot run the layer; empty if it can.
    obstacles: Vec<String>,
}

impl Row {
    const AQLM: &str = "AQLM";
    const GPTVQ: &str = "GPTVQ";
    const INT8: &str = "INT8";

    fn vq(layer: LayerSummary, config: &CoreConfig) -> Self {
        let fits = layer.shape.map_or(Ok(()), |shape| shape.fits(config));
        let mut obstacles: Vec<String> = layer.problem.into_iter().collect();
        obstacles.extend(fits.err().unwrap_or_default());
        Self {
            name: layer.name,
            format: Self::AQLM,
            size: layer.shape.map(|shape| [shape.inputs, shape.outputs]),
            codebooks: layer.shape.map(|shape| [shape.codebooks, shape.index_bits as usize, shape.dim]),
            group: None,
            obstacles,
        }
    }

    fn gptvq(layer: GptvqSummary, config: &CoreConfig) -> Self {
        let fits = layer.shape.map_or(Ok(()), |shape| shape.fits(config));
        let mut obstacles: Vec<String> = layer.problem.into_iter().collect();
        obstacles.extend(fits.err().unwrap_or_default());
        Self {
            name: layer.name,
            format: Self::GPTVQ,
            size: layer.shape.map(|shape| [shape.inputs, shape.outputs]),
            codebooks: layer.shape.map(|shape| [1, shape.index_bits as usize, shape.dim]),
            group: layer.shape.map(|shape| [shape.group_inputs, shape.group_outputs]),
            obstacles,
        }
    }

    /// Every core runs every INT8 layer.
    fn int8(layer: Int8Summary) -> Self {
        Self {
            name: layer.name,
            format: Self::INT8,
            size: layer.shape.map(|shape| [shape.inputs, shape.outputs]),
            codebooks: None,
            group: None,
            obstacles: layer.problem.into_iter().collect(),
        }
    }

    fn describe(&self) -> serde_json::Value {
        json!({
            "name": self.name,
            "format": self.format,
            "inputs": self.size.map(|size| size[0]),
            "outputs": self.size.map(|size| size[1]),
            "codebooks": self.codebooks.map(|codebooks| codebooks[0]),
            "index_bits": self.codebooks.map(|codebooks| codebooks[1]),
            "dim": self.codebooks.map(|codebooks| codebooks[2]),
            "group_inputs": self.group.map(|group| group[0]),
            "group_outputs": self.group.map(|group| group[1]),
            "runs": self.obstacles.is_empty(),
            "obstacles": self.obstacles,
        })
    }

    /// With a cell for the size of groups if some layer has any.
    fn cells(&self, with_groups: bool) -> Vec<String> {
        let number = |number: Option<usize>, otherwise: &str| {
            number.map_or(otherwise.to_owned(), |n| terminal::number(n as u64))
        };
        let size = (0..2).map(|i| number(self.size.map(|size| size[i]), "?"));
        let unknown = if self.format == Self::INT8 { "-" } else { "?" };
        let codebooks = (0..3).map(|i| number(self.codebooks.map(|codebooks| codebooks[i]), unknown));
        let group = with_groups.then(|| match self.group {
            Some([inputs, outputs]) => {
                format!("{} x {}", terminal::number(inputs as u64), terminal::number(outputs as u64))
            }
            None => "-".to_owned(),
        });
        let runs = match self.obstacles.as_slice() {
            [] => "yes".to_owned(),
            obstacles => format!("no: {}", terminal::harmless(&obstacles.join("; "))),
        };
        [terminal::harmless(&self.name), self.format.to_owned()]
            .into_iter()
            .chain(size)
            .chain(codebooks)
            .chain(group)
            .chain([runs])
            .collect()
    }
}

fn list(rows: &[Row]) -> String {
    let with_groups = rows.iter().any(|row| row.group.is_some());
    let mut header = vec!["layer", "format", "K", "N", "C", "n", "d"];
    header.extend(with_groups.then_some("group"));
    let numbers = header.len() - 2;
    header.push("runs");
    let mut table = terminal::table(&header);
    table.add_rows(rows.iter().map(|row| row.cells(with_groups)));
    for column in table.column_iter_mut().skip(2).take(numbers) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.trim_fmt()
}
