//! `eva pack`: layers as one weight image and one list of commands.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::ArgGroup;
use eva_rtl::config::CoreConfig;
use eva_rtl::models::LanguageModel;
use eva_rtl::vq::block::SharedInputs;
use eva_rtl::vq::program::{PROGRAM_FILE, ProgramBuilder, ProgramFiles, WEIGHTS_FILE, foreign_file};
use eva_rtl::vq::{AnyLayer, Distribution, LayerRef, LayerShape, LayerSource, random_layer};
use serde_json::json;

use super::Failure;
use super::batch;
use super::core_args::CoreArgs;
use super::layers::{Dimensions, MAX_RANDOM_INDICES, RandomArgs, advice, layers_of};
use super::output::Output;
use super::terminal::{self, Meter, count, number};
use super::values;

/// Pack layers into a program: one weight image and the commands to run it
///
/// Writes DIR/program.json and DIR/weights.bin for a core of these parameters; `eva cosim --program DIR` runs them. Codebooks are loaded ahead of the
/// layers that need them as far as --max-codebooks allows, and activations that layers share are loaded once.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "\
Examples:
  eva pack --random-block llama-2-7b --out build/block
  eva pack --random-block mixtral-8x7b --out build/experts
  eva pack --weights model.safetensors --prefix model.layers.0 --out build/block
  eva pack --weights model.safetensors --prefix model.layers.0.mlp.up_proj \\
    --prefix model.layers.0.mlp.down_proj --out build/mlp
  eva pack --preset small --stream-width 64 --max-n-block 4096 --random 1024,1024 --batch 4 \\
    --out build/layer

docs/programs.md describes the files.",
    group(ArgGroup::new("source").args(["random", "weights", "random_block"]).required(true)),
    arg(batch::misnamed())
)]
pub struct Args {
    /// Folder to write to; made if it does not exist. A program in it is replaced
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    layers: LayerArgs,
    #[command(flatten)]
    core: CoreArgs,
}

#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Layers")]
struct LayerArgs {
    #[command(flatten)]
    random: RandomArgs,
    /// Random layers of AQLM's form with the shapes of a decoder block of this model: a name or a file *.toml, as for `eva estimate`
    ///
    /// Of a mixture of experts, those that a token needs.
    #[arg(long, value_name = "NAME|FILE", value_parser = values::model(), conflicts_with_all = ["prefix", "groups"])]
    random_block: Option<String>,
    /// AQLM or GPTVQ checkpoint: a .safetensors file, a .safetensors.index.json, or a folder with either
    #[arg(long, value_name = "CHECKPOINT", requires = "prefix")]
    weights: Option<PathBuf>,
    /// Layer of the checkpoint, or a block: all quantised layers below it. May be given several times
    #[arg(long, value_name = "NAME", requires = "weights")]
    prefix: Vec<String>,
    /// Tokens that are computed together, sharing each index: a power of two that divides --epilogue-units
    ///
    /// At most --max-n-block, and --max-k must hold a tile, E*R*cols/4 inputs. It pays if the memory port limits, and --max-n-block
    /// is at least M*E*2^n.
    #[arg(long, value_name = "M", default_value_t = 1, value_parser = values::whole(1..=16u32))]
    batch: u32,
    /// Seed of random layers
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = values::whole(0..=u64::MAX))]
    seed: u64,
}

pub fn run(args: &Args, json: bool) -> Result<(), Failure> {
    let config = args.core.config()?;
    refuse_foreign(&args.out)?;
    let mut output = Output::open(&args.out)?;
    let files = args.layers.pack(&config)?;
    // The description last, so that whenever it is there the image is, too.
    output.write(WEIGHTS_FILE, &files.plan.image)?;
    output.write(PROGRAM_FILE, &files.description)?;
    // Packing takes its time, in which others may have used the folder.
    refuse_foreign(&args.out)?;
    output.complete(&BTreeSet::new())?;

    let layers = files.plan.steps.last().map_or(0, |step| step.layer + 1);
    let (commands, beats) = (files.plan.steps.len(), files.plan.bound_cycles());
    if json {
        return terminal::print_json(&json!({
            "out": args.out.to_string_lossy(),
            "layers": layers,
            "commands": commands,
            "bytes": files.plan.image.len(),
            "bound_cycles": beats,
        }));
    }
    terminal::print(&format!(
        "{}: {}, {}, {} beats of weights ({} bytes)",
        args.out.display(),
        count(layers, "layer"),
        count(commands, "command"),
        number(beats),
        number(files.plan.image.len() as u64)
    ))
}

/// Refuses a folder with files of these names that are not those of a program.
fn refuse_foreign(folder: &Path) -> Result<(), Failure> {
    match foreign_file(folder) {
        None => Ok(()),
        Some(file) => Err(Failure::BadInput(format!(
            "{}: there is a file of this name that `eva pack` did not write, or that was changed since; remove it or name another folder",
            file.display()
        ))),
    }
}

impl LayerArgs {
    fn pack(&self, config: &CoreConfig) -> Result<ProgramFiles, Failure> {
        let mut builder = ProgramBuilder::new(self.batch as usize, config);
        let mut meter = Meter::new("packing");
        let sources = self.sources(config)?;
        let checkpoint = self.weights.as_deref().map(LayerSource::open).transpose()?;
        let mut inputs = SharedInputs::default();
        for (number, source) in sources.iter().enumerate() {
            let layer = self.load(source, number as u64, checkpoint.as_ref(), config)?;
            let about = LayerRef::from(&layer);
            meter.show(number as u64, sources.len() as u64, &terminal::harmless(about.name()));
            let input = match source {
                Source::Block { input, .. } => *input,
                Source::Random(_) | Source::Checkpoint(_) => inputs.number(about.name(), about.shape().inputs),
            };
            builder.push(&layer, input)?;
        }
        meter.finish();
        Ok(builder.finish())
    }

    fn sources(&self, config: &CoreConfig) -> Result<Vec<Source>, Failure> {
        if let Some(name) = &self.random_block {
            let model = LanguageModel::find(name)?;
            let mut indices = 0;
            let mut sources = Vec::new();
            for part in model.execution() {
                let name = format!("{}.{}", model.name, part.name());
                let size = Dimensions([part.layer.inputs, part.layer.outputs]);
                let what = format!("--random-block: {}", terminal::harmless(&name));
                let shape = self.random.shape(size, config, &what)?;
                indices += (shape.outputs * shape.vectors() * shape.codebooks) as u64;
                if indices > MAX_RANDOM_INDICES {
                    return Err(Failure::BadInput(format!(
                        "--random-block: a block of {} has more than {} indices; use fewer or smaller layers",
                        terminal::harmless(&model.name),
                        number(MAX_RANDOM_INDICES)
                    )));
                }
                sources.push(Source::Block { name, shape, input: part.input });
            }
            refuse_misfits(&sources, config)?;
            return Ok(sources);
        }
        if let Some(size) = self.random.random {
            return Ok(vec![Source::Random(size)]);
        }
        let path = self.weights.as_deref().expect("clap requires a source");
        let names = layers_of(path, &self.prefix)?;
        let mut unique = BTreeSet::new();
        if let Some(twice) = names.iter().find(|name| !unique.insert(*name)) {
            return Err(Failure::BadInput(format!("--prefix: layer `{}` is named twice", terminal::harmless(twice))));
        }
        Ok(names.into_iter().map(Source::Checkpoint).collect())
    }

    fn load(
        &self,
        source: &Source,
        number: u64,
        checkpoint: Option<&LayerSource>,
        config: &CoreConfig,
    ) -> Result<AnyLayer, Failure> {
        let seed = self.seed.wrapping_add(number);
        match source {
            Source::Block { name, shape, .. } => {
                Ok(AnyLayer::Aqlm(random_layer(*shape, Distribution::Realistic, seed)?.renamed(name)))
            }
            Source::Random(size) => self.random.layer(*size, config, seed),
            Source::Checkpoint(name) => {
                let checkpoint = checkpoint.expect("clap requires --weights for --prefix");
                let (layer, conversion) = checkpoint.load(name)?;
                if conversion.changed > 0 {
                    terminal::remark(&format!("layer {}: codebooks: {conversion}", terminal::harmless(name)));
                }
                Ok(layer)
            }
        }
    }
}

/// Refuses layers of a block that the core cannot run, all of them at once.
fn refuse_misfits(sources: &[Source], config: &CoreConfig) -> Result<(), Failure> {
    let mut shapes = Vec::new();
    let mut reasons = Vec::new();
    for source in sources {
        let Source::Block { name, shape, .. } = source else { continue };
        shapes.push(shape);
        if let Err(problems) = shape.fits(config) {
            reasons.push(format!("\n  {}: {}", terminal::harmless(name), problems.join("; ")));
        }
    }
    if reasons.is_empty() {
        return Ok(());
    }
    let layers = count(reasons.len(), "layer");
    let advice = advice(shapes, config);
    Err(Failure::BadInput(format!(
        "--random-block: {layers} of the block do not fit this core{advice}:{}",
        reasons.concat()
    )))
}

/// Where a layer comes from.
enum Source {
    /// Random, called after its seed.
    Random(Dimensions<2>),
    /// Random, of a decoder block: with the number of its activations.
    Block {
        name: String,
        shape: LayerShape,
        input: usize,
    },
    Checkpoint(String),
}
