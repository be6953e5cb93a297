//! The description of a program.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::super::any::LayerRef;
use super::super::gptvq::GptvqShape;
use super::super::layer::LayerShape;
use super::super::pack::Plan;
use super::WEIGHTS_FILE;
use crate::config::{self, CoreConfig, PARAMETERS};

/// What a description calls itself.
pub(super) const FORMAT: &str = "eva-program";
/// Its version, which changes whenever an older reader would misunderstand it.
pub(super) const VERSION: u64 = 1;

/// The contents of the file, but for the line with the checksum of everything before it.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pub format: String,
    pub version: u64,
    /// Program and version that made it.
    pub generator: String,
    /// Parameters of the core that matter to it, by their names in configuration files.
    pub core: Map<String, Value>,
    pub tokens: usize,
    /// `K` of each of the activations.
    pub inputs: Vec<usize>,
    pub layers: Vec<ProgramLayer>,
    pub commands: Vec<Entry>,
    pub weights: Weights,
}

/// A layer of a program.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProgramLayer {
    /// Name, in a checkpoint the common prefix of its tensors.
    pub name: String,
    /// Which codebooks it has.
    #[serde(flatten)]
    pub form: Form,
    /// `K`.
    pub inputs: usize,
    /// `N`.
    pub outputs: usize,
    /// `d`.
    pub dim: usize,
    /// `n` of the layer, which may be less than that of the core.
    pub index_bits: u32,
    /// Whether scales are FP32.
    pub scale_fp32: bool,
    /// Number of its activations.
    pub input: usize,
}

/// Which codebooks a layer has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "lowercase")]
pub enum Form {
    /// `C` additive ones.
    Aqlm {
        /// `C`.
        codebooks: usize,
    },
    /// One for each group.
    Gptvq {
        /// Inputs of a group.
        group_inputs: usize,
        /// Outputs of a group.
        group_outputs: usize,
    },
}

impl ProgramLayer {
    pub(super) fn new(layer: LayerRef, input: usize) -> Self {
        let LayerShape { inputs, outputs, dim, index_bits, codebooks } = layer.shape();
        let form = match layer {
            LayerRef::Aqlm(_) => Form::Aqlm { codebooks },
            LayerRef::Gptvq(layer) => {
                let GptvqShape { group_inputs, group_outputs, .. } = layer.shape();
                Form::Gptvq { group_inputs, group_outputs }
            }
        };
        let scale_fp32 = layer.scales().is_fp32();
        Self { name: layer.name().to_owned(), form, inputs, outputs, dim, index_bits, scale_fp32, input }
    }
}

/// A command.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    /// The 128 bits as hexadecimal digits, the most significant one first.
    pub bits: String,
    /// Number of its layer.
    pub layer: usize,
    /// Beats of `s_axis_w` that it takes.
    pub beats: u64,
    /// Of `LOAD_X` and `VQ_GEMV`: the vectors of the layer, `[first, end]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vectors: Option<[usize; 2]>,
    /// Of `VQ_GEMV`: the outputs of the layer, `[first, end]`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub outputs: Option<[usize; 2]>,
}

/// The weight image.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Weights {
    pub file: String,
    pub bytes: u64,
    /// BLAKE3 of the file, hexadecimal.
    pub blake3: String,
}

/// The text of the description of a plan.
pub(super) fn describe(plan: &Plan, layers: Vec<ProgramLayer>, tokens: usize, config: &CoreConfig) -> String {
    let mut inputs = vec![0; layers.iter().map(|layer| layer.input + 1).max().unwrap_or(0)];
    layers.iter().for_each(|layer| inputs[layer.input] = layer.inputs);
    let entries = plan.steps.iter().map(|step| {
        let range = |range: &std::ops::Range<usize>| (!range.is_empty()).then_some([range.start, range.end]);
        let bits = format!("{:032x}", u128::from_le_bytes(step.command.to_bytes()));
        let (vectors, outputs) = (range(&step.vectors), range(&step.outputs));
        Entry { bits, layer: step.layer, beats: step.beats, vectors, outputs }
    });
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        version: VERSION,
        generator: concat!(env!("CARGO_PKG_NAME"), " ", env!("CARGO_PKG_VERSION")).to_owned(),
        core: core_parameters(config),
        tokens,
        inputs,
        commands: entries.collect(),
        layers,
        weights: Weights {
            file: WEIGHTS_FILE.to_owned(),
            bytes: plan.image.len() as u64,
            blake3: blake3::hash(&plan.image).to_string(),
        },
    };
    let text = serde_json::to_string_pretty(&manifest).expect("it has string keys only");
    let body = text.strip_suffix("\n}").expect("objects end so");
    let body = format!("{body},\n");
    let checksum = checksum_line(&body);
    body + &checksum
}

/// The last lines, which hold the checksum of all lines before them.
pub(super) fn checksum_line(body: &str) -> String {
    format!("{CHECKSUM}{}\"\n}}\n", blake3::hash(body.as_bytes()))
}

/// What the line with the checksum starts with.
pub(super) const CHECKSUM: &str = "  \"checksum\": \"";

/// The parameters on which the commands and the image depend.
pub(super) fn core_parameters(config: &CoreConfig) -> Map<String, Value> {
    let matters = PARAMETERS.iter().filter_map(|parameter| match parameter.get(config) {
        config::Value::Number(number) if !parameter.key.starts_with("pipeline.") => {
            Some((parameter.key.to_owned(), number.into()))
        }
        _ => None,
    });
    matters.collect()
}
