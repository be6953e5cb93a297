//! `eva estimate`: cycles of a language model on a core, by the cycle model.

use clap::ValueEnum;
use clap::builder::RangedU64ValueParser;
use comfy_table::CellAlignment;
use eva_rtl::models::LanguageModel;
use eva_rtl::perf::{BlockEstimate, Decoding, Estimate, Memory, Prefill};
use serde_json::{Value, json};

use super::batch;
use super::core_args::CoreArgs;
use super::{Failure, terminal};

/// Estimate cycles of the linear layers of a language model, exact to the cycle if no stream stalls
///
/// One decoder block is a program as `eva pack` makes it. Layers with the same activations follow one another; others wait
/// for the outputs that they depend on. The time for attention itself is not counted. Layers have additive codebooks, as those
/// of AQLM; a codebook for each group, as in GPTVQ, is not modelled.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "\
Examples:
  eva estimate --model llama-2-7b
  eva estimate --model mixtral-8x7b --stream-width 256 --batch 4 --clock 800
  eva estimate --model mine.toml --preset small --prefill 512 --json

docs/performance.md describes the model and files of language models.",
    arg(batch::misnamed())
)]
pub struct Args {
    /// Language model: a name or a file *.toml
    #[arg(long, value_name = "NAME|FILE")]
    model: String,
    /// Additive codebooks of every layer, C
    #[arg(long, value_name = "C", default_value_t = 2, value_parser = RangedU64ValueParser::<usize>::new().range(1..=8))]
    codebooks: usize,
    /// Tokens that are decoded together, sharing each index: a power of two that divides --epilogue-units
    ///
    /// At most --max-n-block, and --max-k must hold a tile, E*R*cols/4 inputs. It pays if the memory port limits, and --max-n-block
    /// is at least M*E*2^n.
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = RangedU64ValueParser::<usize>::new().range(1..=16))]
    batch: usize,
    /// Type of the scales: f32 also for checkpoints with BF16 scales, which are kept as FP32
    #[arg(long, value_enum, value_name = "TYPE", default_value_t = Scales::F16)]
    scales: Scales,
    /// Also estimate INT8 products for a prompt of this many tokens
    #[arg(long, value_name = "M", value_parser = RangedU64ValueParser::<usize>::new().range(1..=65536))]
    prefill: Option<usize>,
    /// Clock, for times
    #[arg(long, value_name = "MHZ", default_value_t = 500.0, value_parser = clock)]
    clock: f64,
    #[command(flatten)]
    core: CoreArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scales {
    F16,
    F32,
}

fn clock(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(megahertz) if (0.001..=100_000.0).contains(&megahertz) => Ok(megahertz),
        _ => Err("must be a number of MHz from 0.001 to 100000".to_owned()),
    }
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let config = args.core.config()?;
    let model = LanguageModel::find(&args.model)?;
    let decoding = Decoding { codebooks: args.codebooks, tokens: args.batch, scale_fp32: args.scales == Scales::F32 };
    let estimate = Estimate::new(&model, &config, decoding)?;
    let prefill = args.prefill.map(|tokens| Prefill::new(&model, &config, tokens)).transpose()?;
    let hertz = args.clock * 1e6;
    if json {
        let mut value = describe(&estimate, prefill.as_ref(), hertz);
        value["clock_mhz"] = args.clock.into();
        value["parameters"] = json!(config);
        return terminal::print_json(&value);
    }
    let slower =
        batch::slower(args.batch, estimate.cycles(), estimate.one_by_one * u64::from(estimate.blocks), &config);
    terminal::print(&text(&estimate, prefill.as_ref(), args.clock, slower))
}

fn describe(estimate: &Estimate, prefill: Option<&Prefill>, hertz: f64) -> Value {
    let cost = |cost: &BlockEstimate| {
        json!({
            "cycles": cost.cycles,
            "bound_cycles": cost.bound(),
            "utilization": cost.utilization(),
            "limited_by": cost.needs.largest().0,
            "needs": cost.needs,
        })
    };
    let layers = estimate.layers.iter().map(|layer| {
        let mut value = json!({
            "name": layer.name,
            "inputs": layer.inputs,
            "outputs": layer.outputs,
            "copies": layer.copies,
        });
        let fields = value.as_object_mut().expect("an object");
        if let Value::Object(cost) = cost(&layer.cost) {
            fields.extend(cost);
        }
        value
    });
    let mut value = json!({
        "model": estimate.model,
        "codebooks": estimate.decoding.codebooks,
        "tokens": estimate.decoding.tokens,
        "scale_fp32": estimate.decoding.scale_fp32,
        "layers": layers.collect::<Vec<_>>(),
        "block": cost(&estimate.block),
        "blocks": estimate.blocks,
        "cycles": estimate.cycles(),
        "one_by_one_cycles": estimate.one_by_one * u64::from(estimate.blocks),
        "tokens_per_second": estimate.tokens_per_second(hertz),
        "memory_bits": estimate.memory_bits,
        "memory_bits_total": estimate.memory_bits.total(),
    });
    if let Some(prefill) = prefill {
        let cycles = prefill.cycles * u64::from(estimate.blocks);
        value["prefill"] = json!({
            "tokens": prefill.tokens,
            "block": {
                "cycles": prefill.cycles,
                "macs": prefill.macs,
                "array_utilization": prefill.array_utilization,
                "limited_by": prefill.needs.largest().0,
                "needs": prefill.needs,
            },
            "cycles": cycles,
            "seconds": cycles as f64 / hertz,
        });
    }
    value
}

fn text(estimate: &Estimate, prefill: Option<&Prefill>, clock: f64, slower: Option<String>) -> String {
    let mut table = terminal::table(&["layer", "copies", "K -> N", "cycles", "bound", "utilization", "limited by"]);
    let cost = |cost: &BlockEstimate| {
        [
            cost.cycles.to_string(),
            cost.bound().to_string(),
            format!("{:.2} %", 100.0 * cost.utilization()),
            cost.needs.largest().0.to_owned(),
        ]
    };
    for layer in &estimate.layers {
        let shape = [
            terminal::harmless(&layer.name),
            layer.copies.to_string(),
            format!("{} -> {}", layer.inputs, layer.outputs),
        ];
        table.add_row(shape.into_iter().chain(cost(&layer.cost)));
    }
    table.add_row(["block".into(), String::new(), String::new()].into_iter().chain(cost(&estimate.block)));
    for column in [1, 3, 4, 5] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }

    let Estimate { model, blocks, decoding, memory_bits, .. } = estimate;
    let Decoding { codebooks, tokens, scale_fp32 } = *decoding;
    let together = if tokens == 1 { "a token".to_owned() } else { format!("{tokens} tokens together") };
    let scales = if scale_fp32 { "FP32" } else { "FP16" };
    let model = terminal::harmless(model);
    let plural = if *blocks == 1 { "" } else { "s" };
    let mut lines = vec![
        format!("{model}, C = {codebooks}, {scales} scales, {together}:"),
        String::new(),
        table.trim_fmt(),
        String::new(),
        format!(
            "{blocks} block{plural}: {} cycles, {:.2} tokens/s at {clock} MHz",
            estimate.cycles(),
            estimate.tokens_per_second(clock * 1e6)
        ),
    ];
    lines.extend(slower.map(|note| format!("note: {note}")));
    if let Some(prefill) = prefill {
        let cycles = prefill.cycles * u64::from(*blocks);
        lines.push(format!(
            "prompt of {} tokens: {} cycles a block, {:.3} s at {clock} MHz; array used to {:.1} %, limited by {}",
            prefill.tokens,
            prefill.cycles,
            cycles as f64 / (clock * 1e6),
            100.0 * prefill.array_utilization,
            prefill.needs.largest().0
        ));
    }
    lines.push(memory(memory_bits));
    lines.join("\n")
}

fn memory(bits: &Memory) -> String {
    let Memory { codebooks, activations, output_codebooks, accumulators, scales, output_queue } = bits;
    format!(
        "memory on chip: {} bits (codebooks {codebooks}, activations {activations}, output codebooks {output_codebooks}, \
         accumulators {accumulators}, scales {scales}, output queue {output_queue})",
        bits.total()
    )
}
