//! `eva estimate`: cycles of a language model on a core, by the cycle model.

use clap::ValueEnum;
use comfy_table::CellAlignment;
use eva_rtl::config::CoreConfig;
use eva_rtl::models::LanguageModel;
use eva_rtl::perf::{BlockEstimate, Decoding, Estimate, Memory, Prefill, Supply};
use serde_json::{Value, json};

use super::batch;
use super::clock::{Bare, Clock, shown};
use super::core_args::CoreArgs;
use super::terminal::{self, count, number};
use super::{Failure, values};

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
  eva estimate --model llama-2-7b --clock 250MHz --bandwidth 25
  eva estimate --model mixtral-8x7b --stream-width 256 --batch 4 --clock 800MHz
  eva estimate --model mine.toml --preset small --prefill 512 --json

docs/performance.md describes the model and files of language models.",
    arg(batch::misnamed())
)]
pub struct Args {
    /// Language model: a name, or a file *.toml with one of your own
    #[arg(long, value_name = "NAME|FILE", value_parser = values::model())]
    model: String,
    /// Additive codebooks of every layer, C
    #[arg(long, value_name = "C", default_value_t = 2, value_parser = values::whole(1..=8usize))]
    codebooks: usize,
    /// Tokens that are decoded together, sharing each index: a power of two that divides --epilogue-units
    ///
    /// At most --max-n-block, and --max-k must hold a tile, E*R*cols/4 inputs. It pays if the memory port limits, and --max-n-block
    /// is at least M*E*2^n.
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = values::whole(1..=16usize))]
    batch: usize,
    /// Type of the scales: f32 also for checkpoints with BF16 scales, which are kept as FP32
    #[arg(long, value_enum, value_name = "TYPE", default_value_t = Scales::F16)]
    scales: Scales,
    /// Also estimate INT8 products for a prompt of this many tokens
    #[arg(long, value_name = "M", value_parser = values::whole(1..=65536usize))]
    prefill: Option<usize>,
    /// Clock, for times: a frequency or a period, 500MHz or 2ns; a number alone is in MHz
    #[arg(long, value_name = "CLOCK", default_value = "500MHz", value_parser = Clock::reader(Bare::Megahertz, 0.01..=1e6))]
    clock: Clock,
    /// What the memory of the weights delivers, in GB/s (10^9 bytes per second), if that is less than the port takes
    ///
    /// What waits for it is then given as a lower and an upper bound. Without this flag memory is as fast as the port:
    /// --stream-width bits in each cycle of --clock.
    #[arg(long, value_name = "GB/S", value_parser = gigabytes)]
    bandwidth: Option<f64>,
    #[command(flatten)]
    core: CoreArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Scales {
    F16,
    F32,
}

fn gigabytes(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(gigabytes) if (0.001..=1e6).contains(&gigabytes) => Ok(gigabytes),
        _ => Err("must be a number of GB/s from 0.001 to 1000000".to_owned()),
    }
}

/// The memory of the weights, in GB/s, and what it means to the core.
#[derive(Clone, Copy)]
struct WeightMemory {
    gigabytes: f64,
    supply: Supply,
}

/// What was asked for, and what comes of it.
struct Answer {
    estimate: Estimate,
    prefill: Option<Prefill>,
    clock: Clock,
    config: CoreConfig,
    memory: Option<WeightMemory>,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let config = args.core.config()?;
    let model = LanguageModel::find(&args.model)?;
    let decoding = Decoding { codebooks: args.codebooks, tokens: args.batch, scale_fp32: args.scales == Scales::F32 };
    let estimate = Estimate::new(&model, &config, decoding)?;
    let prefill = args.prefill.map(|tokens| Prefill::new(&model, &config, tokens)).transpose()?;
    let clock = args.clock.clone();
    clock.tell_doubt();
    let memory = args.bandwidth.map(|gigabytes| WeightMemory {
        gigabytes,
        supply: Supply::new(gigabytes * 1e9, &config, clock.megahertz() * 1e6),
    });
    let answer = Answer { estimate, prefill, clock, config, memory };
    if json { terminal::print_json(&answer.json()) } else { terminal::print(&answer.text()) }
}

impl Answer {
    fn hertz(&self) -> f64 {
        self.clock.megahertz() * 1e6
    }

    /// Tokens per second, if all blocks take that many cycles.
    fn rate(&self, cycles: u64) -> f64 {
        self.estimate.decoding.tokens as f64 * self.hertz() / cycles as f64
    }

    /// Least and most cycles of all blocks, of which one costs `cycles` and `beats`.
    fn all_blocks(&self, memory: WeightMemory, cycles: u64, beats: u64) -> [u64; 2] {
        let range = memory.supply.cycles(cycles, beats);
        [*range.start(), *range.end()].map(|cycles| cycles * u64::from(self.estimate.blocks))
    }

    fn decoding(&self, memory: WeightMemory) -> [u64; 2] {
        self.all_blocks(memory, self.estimate.block.cycles, self.estimate.block.bound())
    }

    fn json(&self) -> Value {
        let estimate = &self.estimate;
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
            "one_by_one_cycles": estimate.one_by_one(),
            "tokens_per_second": estimate.tokens_per_second(self.hertz()),
            "port_gb_per_second": Supply::port(&self.config, self.hertz()) / 1e9,
        });
        if let Some(memory) = self.memory {
            let [least, most] = self.decoding(memory);
            value["memory"] = json!({
                "gb_per_second": memory.gigabytes,
                "beats_per_cycle": memory.supply.beats_per_cycle(),
                "limited_by": memory.supply.limit(&estimate.block.needs),
                "least_cycles": least,
                "most_cycles": most,
                "least_tokens_per_second": self.rate(most),
                "most_tokens_per_second": self.rate(least),
            });
        }
        value["memory_bits"] = json!(estimate.memory_bits);
        value["memory_bits_total"] = estimate.memory_bits.total().into();
        if let Some(prefill) = &self.prefill {
            value["prefill"] = self.prefill_json(prefill);
        }
        value["clock_mhz"] = self.clock.megahertz().into();
        value["parameters"] = json!(self.config);
        value
    }

    fn prefill_json(&self, prefill: &Prefill) -> Value {
        let cycles = prefill.cycles * u64::from(self.estimate.blocks);
        let mut value = json!({
            "tokens": prefill.tokens,
            "block": {
                "cycles": prefill.cycles,
                "macs": prefill.macs,
                "array_utilization": prefill.array_utilization,
                "limited_by": prefill.needs.largest().0,
                "needs": prefill.needs,
            },
            "cycles": cycles,
            "seconds": cycles as f64 / self.hertz(),
        });
        if let Some(memory) = self.memory {
            let [least, most] = self.all_blocks(memory, prefill.cycles, prefill.needs.stream);
            value["memory"] = json!({
                "limited_by": memory.supply.limit(&prefill.needs),
                "least_cycles": least,
                "most_cycles": most,
                "least_seconds": least as f64 / self.hertz(),
                "most_seconds": most as f64 / self.hertz(),
            });
        }
        value
    }

    fn text(&self) -> String {
        let Estimate { model, blocks, decoding, memory_bits, .. } = &self.estimate;
        let Decoding { codebooks, tokens, scale_fp32 } = *decoding;
        let together = if tokens == 1 { "a token".to_owned() } else { format!("{tokens} tokens together") };
        let scales = if scale_fp32 { "FP32" } else { "FP16" };
        let model = terminal::harmless(model);
        let memory = self.memory.filter(|memory| memory.supply.is_slow());
        let proviso = if memory.is_some() { ", if memory were as fast as the port" } else { "" };
        let mut lines = vec![
            format!("{model}, C = {codebooks}, {scales} scales, {together}:"),
            String::new(),
            table(&self.estimate),
            String::new(),
            format!(
                "{}: {} cycles, {:.2} tokens/s at {} MHz{proviso}",
                count(*blocks as usize, "block"),
                number(self.estimate.cycles()),
                self.estimate.tokens_per_second(self.hertz()),
                shown(self.clock.megahertz())
            ),
            self.port_line(),
        ];
        lines.extend(self.memory.map(|memory| self.memory_line(memory)));
        lines.extend(self.slower_batch().map(|note| format!("note: {note}")));
        lines.extend(self.prefill.as_ref().map(|prefill| self.prefill_line(prefill)));
        lines.push(on_chip(memory_bits));
        lines.join("\n")
    }

    fn port_line(&self) -> String {
        let port = Supply::port(&self.config, self.hertz()) / 1e9;
        format!(
            "memory port: {} bits in a cycle, {} GB/s, of which {} GB/s are used on average",
            number(self.config.stream.width),
            significant(port),
            significant(port * self.estimate.block.utilization())
        )
    }

    fn memory_line(&self, memory: WeightMemory) -> String {
        let limit = memory.supply.limit(&self.estimate.block.needs);
        let what = format!("memory of {} GB/s", shown(memory.gigabytes));
        if !memory.supply.is_slow() {
            return format!("{what}: as fast as the port or faster; limited by {limit}");
        }
        let cycles = self.decoding(memory);
        let [least, most] = cycles.map(|cycles| format!("{:.2}", self.rate(cycles)));
        format!(
            "{what}: {} beats in a cycle; limited by {limit}: {} tokens/s, {} cycles",
            significant(memory.supply.beats_per_cycle()),
            range(&most, &least),
            range(&number(cycles[0]), &number(cycles[1]))
        )
    }

    /// Of a batch with this memory: what to say if its tokens take longer together than they could one by one.
    fn slower_batch(&self) -> Option<String> {
        let Estimate { decoding, block, alone, .. } = &self.estimate;
        let (mut together, mut one_by_one) = (self.estimate.cycles(), self.estimate.one_by_one());
        if let Some(memory) = self.memory {
            together = self.all_blocks(memory, block.cycles, block.bound())[0];
            one_by_one = decoding.tokens as u64 * self.all_blocks(memory, alone.cycles, alone.bound())[1];
        }
        batch::slower(decoding.tokens, together, one_by_one, &self.config)
    }

    fn prefill_line(&self, prefill: &Prefill) -> String {
        let blocks = u64::from(self.estimate.blocks);
        let seconds = |cycles: u64| format!("{:.3}", cycles as f64 / self.hertz());
        let (time, limit) = match self.memory {
            None => (seconds(prefill.cycles * blocks), prefill.needs.largest().0),
            Some(memory) => {
                let [least, most] = self.all_blocks(memory, prefill.cycles, prefill.needs.stream).map(seconds);
                (range(&least, &most), memory.supply.limit(&prefill.needs))
            }
        };
        format!(
            "prompt of {} tokens: {} cycles a block, {time} s at {} MHz; array used to {:.1} %, limited by {limit}",
            number(prefill.tokens as u64),
            number(prefill.cycles),
            shown(self.clock.megahertz()),
            100.0 * prefill.array_utilization,
        )
    }
}

fn table(estimate: &Estimate) -> String {
    let mut table = terminal::table(&["layer", "copies", "K -> N", "cycles", "bound", "utilization", "limited by"]);
    let cost = |cost: &BlockEstimate| {
        [
            number(cost.cycles),
            number(cost.bound()),
            format!("{:.2} %", 100.0 * cost.utilization()),
            cost.needs.largest().0.to_owned(),
        ]
    };
    for layer in &estimate.layers {
        let shape = [
            terminal::harmless(&layer.name),
            layer.copies.to_string(),
            format!("{} -> {}", number(layer.inputs), number(layer.outputs)),
        ];
        table.add_row(shape.into_iter().chain(cost(&layer.cost)));
    }
    table.add_row(["block".into(), String::new(), String::new()].into_iter().chain(cost(&estimate.block)));
    for column in 1..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table.trim_fmt()
}

/// One number where both look the same.
fn range(least: &str, most: &str) -> String {
    if least == most { least.to_owned() } else { format!("{least} to {most}") }
}

/// Three digits of a number, or all before the point: `64.0`, `0.391`, `1600`.
fn significant(number: f64) -> String {
    let before = number.abs().log10().floor().max(-6.0) as i32 + 1;
    format!("{number:.*}", (3 - before).max(0) as usize)
}

fn on_chip(bits: &Memory) -> String {
    let Memory { codebooks, activations, output_codebooks, accumulators, scales, output_queue } = *bits;
    let parts = [
        ("codebooks", codebooks),
        ("activations", activations),
        ("output codebooks", output_codebooks),
        ("accumulators", accumulators),
        ("scales", scales),
        ("output queue", output_queue),
    ];
    let parts = parts.map(|(what, bits)| format!("{what} {}", number(bits)));
    format!("memory on chip: {} bits ({})", number(bits.total()), parts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::significant;

    #[test]
    fn three_digits_are_shown() {
        let shown = [64.0, 0.390_625, 1600.4, 0.05, 1.0].map(significant);
        assert_eq!(shown, ["64.0", "0.391", "1600", "0.0500", "1.00"]);
    }
}
