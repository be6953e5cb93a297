//! Vector-quantised layers that commands work on: random ones, and those of checkpoints.

use std::collections::BTreeSet;
use std::path::Path;
use std::str::FromStr;

use eva_rtl::config::CoreConfig;
use eva_rtl::vq::block::sort_by_execution;
use eva_rtl::vq::gptvq::{GptvqShape, list_gptvq_layers, random_gptvq_layer};
use eva_rtl::vq::{AnyLayer, Distribution, LayerShape, list_layers, random_layer};

use super::terminal::number;
use super::{Failure, values};

/// Indices of a random layer; more would need more memory than most machines have.
pub const MAX_RANDOM_INDICES: u64 = 1 << 30;

#[derive(Debug, clap::Args)]
pub struct RandomArgs {
    /// Random layer of K inputs and N outputs
    #[arg(long, value_name = "K,N", conflicts_with = "prefix")]
    pub random: Option<Dimensions<2>>,
    /// Codebooks of random layers [default: 2, or as many as the core holds]
    #[arg(long, value_name = "C", value_parser = values::whole(1..=8u32), conflicts_with = "weights")]
    pub codebooks: Option<u32>,
    /// Give each group of so many inputs and outputs of the random layer a codebook of its own, as GPTVQ does
    #[arg(long, value_name = "K,N", requires = "random", conflicts_with_all = ["codebooks", "weights"])]
    pub groups: Option<Dimensions<2>>,
}

impl RandomArgs {
    /// The layer of `--random`, with its own seed.
    pub fn layer(&self, size: Dimensions<2>, config: &CoreConfig, seed: u64) -> Result<AnyLayer, Failure> {
        let shape = self.fitting_shape(size, config, "--random")?;
        Ok(match self.groups {
            None => AnyLayer::Aqlm(random_layer(shape, Distribution::Realistic, seed)?),
            Some(Dimensions([group_inputs, group_outputs])) => {
                let LayerShape { inputs, outputs, dim, index_bits, .. } = shape;
                let (group_inputs, group_outputs) = (group_inputs as usize, group_outputs as usize);
                let shape = GptvqShape { inputs, outputs, dim, index_bits, group_inputs, group_outputs };
                AnyLayer::Gptvq(random_gptvq_layer(shape, Distribution::Realistic, seed)?)
            }
        })
    }

    /// The shape of a random layer of this size, of which mistakes are told as those of `what`; whether the core can run it is not looked at.
    pub fn shape(
        &self,
        Dimensions([inputs, outputs]): Dimensions<2>,
        config: &CoreConfig,
        what: &str,
    ) -> Result<LayerShape, Failure> {
        let (dim, index_bits) = (config.vq.dim as usize, config.vq.index_bits);
        let codebooks = match self.groups {
            Some(_) => 1,
            None => self.codebooks(config),
        };
        if !inputs.is_multiple_of(config.vq.dim) {
            let near = inputs.checked_next_multiple_of(config.vq.dim).unwrap_or(config.vq.dim);
            return Err(Failure::BadInput(format!(
                "{what}: K = {inputs} is no multiple of d = {dim} (--dim); {near} would do"
            )));
        }
        let per_output = u64::from(inputs / config.vq.dim) * u64::from(codebooks);
        if u64::from(outputs).saturating_mul(per_output) > MAX_RANDOM_INDICES {
            return Err(Failure::BadInput(format!(
                "{what} {inputs},{outputs} is too large: with {codebooks} codebooks it has more than {} indices; {}",
                number(MAX_RANDOM_INDICES),
                match MAX_RANDOM_INDICES / per_output {
                    0 => "use fewer inputs".to_owned(),
                    most => format!("use at most {most} outputs"),
                }
            )));
        }
        let shape = LayerShape {
            inputs: inputs as usize,
            outputs: outputs as usize,
            dim,
            index_bits,
            codebooks: codebooks as usize,
        };
        Ok(shape)
    }

    /// The shape of a random layer of this size, of which mistakes are told as those of `what`: one that the core can run, so that none is made in
    /// vain.
    pub fn fitting_shape(&self, size: Dimensions<2>, config: &CoreConfig, what: &str) -> Result<LayerShape, Failure> {
        let shape = self.shape(size, config, what)?;
        match shape.fits(config) {
            Ok(()) => Ok(shape),
            Err(reasons) => {
                let reasons = reasons.join("; ");
                let advice = advice([&shape], config);
                Err(Failure::BadInput(format!("{what}: the layer does not fit this core: {reasons}{advice}")))
            }
        }
    }

    /// Additive codebooks of random layers.
    pub fn codebooks(&self, config: &CoreConfig) -> u32 {
        self.codebooks.unwrap_or(config.vq.max_codebooks.min(2))
    }
}

/// What lets the core run all of these layers, if it lacks nothing but room: to follow the reasons why it cannot.
pub fn advice<'a>(shapes: impl IntoIterator<Item = &'a LayerShape>, config: &CoreConfig) -> String {
    let layers = shapes.into_iter().map(|shape| (shape.vectors() as u64, shape.codebooks as u64));
    config.flags_for(layers).map(|flags| format!("; {flags} would do")).unwrap_or_default()
}

/// Names of the layers that `prefixes` mean, in order: a layer itself, or everything below a block in the order of execution. A prefix of neither is
/// kept, so that loading it says what there is instead.
pub fn layers_of(checkpoint: &Path, prefixes: &[String]) -> Result<Vec<String>, Failure> {
    let mut names: BTreeSet<String> = list_layers(checkpoint)?.into_iter().map(|layer| layer.name).collect();
    names.extend(list_gptvq_layers(checkpoint)?.into_iter().map(|layer| layer.name));
    let mut found = Vec::new();
    for prefix in prefixes {
        let prefix = prefix.trim_end_matches('.');
        let start = format!("{prefix}.");
        let below = names.range(start.clone()..).take_while(|name| name.starts_with(&start));
        let mut below: Vec<String> = below.cloned().collect();
        if below.is_empty() || names.contains(prefix) {
            below = vec![prefix.to_owned()];
        }
        sort_by_execution(&mut below);
        found.extend(below);
    }
    Ok(found)
}

/// Positive numbers, separated by commas.
#[derive(Clone, Copy, Debug)]
pub struct Dimensions<const COUNT: usize>(pub [u32; COUNT]);

impl<const COUNT: usize> Dimensions<COUNT> {
    /// `what` the numbers are, with an example.
    fn parse(text: &str, what: &str) -> Result<Self, String> {
        let number = |part: &str| part.trim().parse().ok().filter(|number| *number > 0);
        let numbers = text.split(',').map(number).collect::<Option<Vec<u32>>>();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers.map(Self).ok_or_else(|| format!("must be {what}; none may be above {}", u32::MAX))
    }
}

impl FromStr for Dimensions<2> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text, "two positive numbers, inputs and outputs: 1024,512")
    }
}

impl FromStr for Dimensions<3> {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text, "three positive numbers, tokens, inputs and outputs: 128,1024,512")
    }
}
