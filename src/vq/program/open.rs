//! Opening a program, with a check of everything that can be wrong with its files.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};

use memmap2::Mmap;
use serde_json::{Map, Value};

use super::super::any::AnyLayer;
use super::super::checkpoint::io_error;
use super::super::command::{Command, Operation};
use super::super::error::{Error, Result};
use super::super::pack::{Step, activations};
use super::decode::{Decoder, problem_of};
use super::manifest::{
    CHECKSUM, Entry, FORMAT, Manifest, ProgramLayer, VERSION, Weights, checksum_line, core_parameters,
};
use super::{PROGRAM_FILE, WEIGHTS_FILE};
use crate::config::{CoreConfig, Draft, PARAMETERS, Preset};
use crate::input::{open, read_limited};

/// Bytes of a description, more than that of any model has.
const MAX_DESCRIPTION: u64 = 1 << 30;

const PACK_AGAIN: &str = "pack the program again";

/// A program in a folder.
pub struct Program {
    /// The folder.
    path: PathBuf,
    tokens: usize,
    inputs: Vec<usize>,
    layers: Vec<ProgramLayer>,
    steps: Vec<Step>,
    weights: Contents,
}

/// The weight image; nothing can be mapped of an empty file.
enum Contents {
    Mapped(Mmap),
    Empty,
}

impl Program {
    /// Opens the program in `folder` for a core of these parameters.
    ///
    /// # Errors
    /// If a file is missing, is not what its checksum says, or is of another version or program; if the program is for a core of other
    /// parameters; if its parts contradict each other.
    pub fn open(folder: &Path, config: &CoreConfig) -> Result<Self> {
        let path = folder.join(PROGRAM_FILE);
        let refusal =
            |problem: String, advice: &str| Error::File { path: path.clone(), problem, advice: advice.into() };
        let manifest = read_manifest(&path)?;
        if let Some(differences) = differences(&manifest.core, config) {
            return Err(refusal(
                format!("the program is for another core: {differences}"),
                "give the parameters of that core, or pack the program again",
            ));
        }
        let weights = open_weights(&folder.join(WEIGHTS_FILE), &manifest.weights)?;
        let steps = manifest.commands.iter().map(|entry| step(entry, &manifest.layers)).enumerate();
        let steps: std::result::Result<Vec<Step>, String> =
            steps.map(|(number, step)| step.map_err(|problem| format!("command {number}: {problem}"))).collect();
        let steps = steps.map_err(|problem| refusal(problem, PACK_AGAIN))?;
        let Manifest { tokens, inputs, layers, .. } = manifest;
        let program = Self { path, tokens, inputs, layers, steps, weights };
        program.check(config).map_err(|problem| program.contradiction(problem))?;
        Ok(program)
    }

    /// The core that the program in `folder` is for. What a program does not depend on, register stages and the style of memories, is that of
    /// the preset `paper`.
    ///
    /// # Errors
    /// If the description is missing, is not what its checksum says, or is of another version or program.
    pub fn core(folder: &Path) -> Result<Draft> {
        let path = folder.join(PROGRAM_FILE);
        let recorded = read_manifest(&path)?.core;
        let mut draft = Draft::from_preset(Preset::DEFAULT);
        for parameter in &PARAMETERS {
            // What cannot be a value is left for `open` to name, as a difference.
            if let Some(value) = recorded.get(parameter.key).and_then(|value| parameter.parse(&value.to_string()).ok())
            {
                draft.set_from_program(&path, parameter, value);
            }
        }
        Ok(draft)
    }

    /// `M`.
    pub fn tokens(&self) -> usize {
        self.tokens
    }

    /// `K` of each of the activations, in the order of their numbers.
    pub fn inputs(&self) -> &[usize] {
        &self.inputs
    }

    /// The layers, in the order of their outputs.
    pub fn layers(&self) -> &[ProgramLayer] {
        &self.layers
    }

    /// The commands.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Bytes of `s_axis_w`.
    pub fn weights(&self) -> &[u8] {
        match &self.weights {
            Contents::Mapped(map) => map,
            Contents::Empty => &[],
        }
    }

    /// The bytes of `s_axis_x`, for activations `[M][K]` (FP16) of each input in the order of their numbers.
    ///
    /// # Errors
    /// If one of them is missing or too short.
    pub fn activations(&self, inputs: &[impl AsRef<[u16]>], config: &CoreConfig) -> Result<Vec<u8>> {
        activations(&self.steps, self.tokens, inputs, config)
    }

    /// Recovers the layers one after the other from commands and weight image, as the core would see them.
    ///
    /// # Errors
    /// If they contradict each other or the description, or what `each` returns.
    pub fn for_each_layer<E: From<Error>>(
        &self,
        config: &CoreConfig,
        mut each: impl FnMut(usize, AnyLayer) -> std::result::Result<(), E>,
    ) -> std::result::Result<(), E> {
        let mut decoder = Decoder::new(&self.layers, self.tokens, self.weights(), config);
        for (number, step) in self.steps.iter().enumerate() {
            let decoded = decoder.step(step);
            let problem = |problem| self.contradiction(format!("command {number}: {problem}"));
            if let Some(layer) = decoded.map_err(problem)? {
                each(step.layer, layer)?;
            }
        }
        decoder.end().map_err(|problem| self.contradiction(problem))?;
        Ok(())
    }

    /// What must hold before anything is computed from the description.
    fn check(&self, config: &CoreConfig) -> std::result::Result<(), String> {
        if self.layers.is_empty() || self.steps.is_empty() {
            return Err("there is nothing in it".into());
        }
        if !self.tokens.is_power_of_two() || self.tokens > config.max_batch() as usize {
            let most = config.max_batch();
            return Err(format!(
                "{} tokens do not share the epilogue units, powers of two up to {most} do",
                self.tokens
            ));
        }
        for layer in &self.layers {
            if let Some(problem) = problem_of(layer, self.weights().len(), config) {
                return Err(format!("layer `{}`: {problem}", layer.name));
            }
            match self.inputs.get(layer.input) {
                Some(inputs) if *inputs == layer.inputs => {}
                Some(inputs) => {
                    let wanted = layer.inputs;
                    return Err(format!("layer `{}` has {wanted} inputs, its activations are {inputs}", layer.name));
                }
                None => return Err(format!("there are no activations {} for layer `{}`", layer.input, layer.name)),
            }
        }
        // What the layers need is what is made or asked for, and no more.
        let used: BTreeSet<usize> = self.layers.iter().map(|layer| layer.input).collect();
        match (0..self.inputs.len()).find(|input| !used.contains(input)) {
            Some(unused) => Err(format!("no layer computes activations {unused}")),
            None => Ok(()),
        }
    }

    fn contradiction(&self, problem: String) -> Error {
        Error::File { path: self.path.clone(), problem, advice: PACK_AGAIN.into() }
    }
}

/// The first of the files in `folder` with the names of a program's that is not one: a description that is not sealed as those of any version
/// are, or an image that the description does not describe. Neither need be there.
pub fn foreign_file(folder: &Path) -> Option<PathBuf> {
    let [description, image] = [PROGRAM_FILE, WEIGHTS_FILE].map(|name| folder.join(name));
    let is_there = |path: &Path| path.symlink_metadata().is_ok();
    if !is_there(&description) {
        return is_there(&image).then_some(image);
    }
    let weights = || {
        let text = String::from_utf8(read_limited(&description, MAX_DESCRIPTION).ok()?).ok()?;
        split_seal(&text).filter(|(body, seal)| *seal == checksum_line(body))?;
        version_of(&text)?;
        let mut value: Value = serde_json::from_str(&text).ok()?;
        serde_json::from_value::<Weights>(value["weights"].take()).ok()
    };
    match weights() {
        None => Some(description),
        Some(weights) => (is_there(&image) && open_weights(&image, &weights).is_err()).then_some(image),
    }
}

/// A description without the line with its checksum, and that line.
fn split_seal(text: &str) -> Option<(&str, &str)> {
    text.rfind(CHECKSUM).map(|start| text.split_at(start))
}

/// The description in the file `path`, if it is what its checksum says.
fn read_manifest(path: &Path) -> Result<Manifest> {
    let refusal = |problem: String, advice: &str| Error::File { path: path.to_owned(), problem, advice: advice.into() };
    let bytes = read_limited(path, MAX_DESCRIPTION).map_err(io_error(path, "read"))?;
    let foreign = || refusal("not the description of a program".into(), "name a folder that `eva pack` wrote");
    let text = String::from_utf8(bytes).map_err(|_| foreign())?;
    if !text.trim_start().starts_with('{') || !text.contains(FORMAT) {
        return Err(foreign());
    }
    let Some((body, end)) = split_seal(&text) else {
        return Err(refusal("its checksum is missing: truncated or changed".into(), PACK_AGAIN));
    };
    if end != checksum_line(body) {
        // Other versions say so in a way that does not change.
        let other = version_of(&text).filter(|version| *version != VERSION);
        return Err(match other {
            Some(version) => another_version(path, version),
            None => refusal("its checksum is wrong: truncated or changed".into(), PACK_AGAIN),
        });
    }
    match version_of(&text) {
        Some(VERSION) => {}
        Some(version) => return Err(another_version(path, version)),
        None => return Err(foreign()),
    }
    let unsealed = format!("{}}}", body.trim_end().trim_end_matches(','));
    serde_json::from_str(&unsealed)
        .map_err(|error| refusal(format!("not a program that makes sense: {error}"), PACK_AGAIN))
}

fn another_version(path: &Path, version: u64) -> Error {
    Error::File {
        path: path.to_owned(),
        problem: format!("it is of version {version}, this program reads version {VERSION}"),
        advice: PACK_AGAIN.into(),
    }
}

/// The version in a description of this format.
fn version_of(text: &str) -> Option<u64> {
    let value: Value = serde_json::from_str(text).ok()?;
    (value["format"] == FORMAT).then(|| value["version"].as_u64())?
}

/// In which parameters a core is not the one that a program is for.
fn differences(recorded: &Map<String, Value>, config: &CoreConfig) -> Option<String> {
    let present = core_parameters(config);
    let keys = present.keys().chain(recorded.keys().filter(|key| !present.contains_key(*key)));
    let shown = |value: Option<&Value>| value.map_or("missing".to_owned(), Value::to_string);
    let different: Vec<String> = keys
        .filter(|key| recorded.get(*key) != present.get(*key))
        .map(|key| format!("{key} is {}, here {}", shown(recorded.get(key)), shown(present.get(key))))
        .collect();
    (!different.is_empty()).then(|| different.join("; "))
}

fn open_weights(path: &Path, expected: &Weights) -> Result<Contents> {
    let refusal = |problem: String| Error::File { path: path.to_owned(), problem, advice: PACK_AGAIN.into() };
    let file = open(path).map_err(io_error(path, "open"))?;
    if expected.file != WEIGHTS_FILE {
        return Err(refusal(format!("the description speaks of `{}` instead", expected.file)));
    }
    let length = file.metadata().map_err(io_error(path, "read"))?.len();
    if length != expected.bytes {
        return Err(refusal(format!("{length} bytes, {} expected: truncated, or of another program", expected.bytes)));
    }
    let contents = if length == 0 {
        Contents::Empty
    } else {
        // SAFETY: the file is only read. Should another process shorten it meanwhile, the system ends this one, as it
        // does for every reader of mapped files.
        Contents::Mapped(unsafe { Mmap::map(&file) }.map_err(io_error(path, "map"))?)
    };
    let bytes = match &contents {
        Contents::Mapped(map) => &map[..],
        Contents::Empty => &[],
    };
    if blake3::hash(bytes).to_string() != expected.blake3 {
        return Err(refusal("its checksum is wrong: changed, or of another program".into()));
    }
    Ok(contents)
}

/// The command of an entry.
fn step(entry: &Entry, layers: &[ProgramLayer]) -> std::result::Result<Step, String> {
    let bits = (entry.bits.len() == 32).then(|| u128::from_str_radix(&entry.bits, 16).ok()).flatten();
    let bits = bits.ok_or_else(|| format!("`{}` is no hexadecimal number of 32 digits", entry.bits))?;
    let command = Command::from_bytes(bits.to_le_bytes()).map_err(|status| status.to_string())?;
    let layer = layers.get(entry.layer).ok_or_else(|| format!("there is no layer {}", entry.layer))?;
    let range = |range: Option<[usize; 2]>, what: &str, most: usize| -> std::result::Result<Range<usize>, String> {
        match range {
            Some([start, end]) if start < end && end <= most => Ok(start..end),
            Some([start, end]) => Err(format!("there are no {what} {start}..{end} among {most}")),
            None => Err(format!("its {what} are missing")),
        }
    };
    let vectors = || range(entry.vectors, "vectors", layer.inputs.checked_div(layer.dim).unwrap_or(0));
    let (vectors, outputs) = match command.operation {
        Operation::LoadCodebooks { .. } => (0..0, 0..0),
        Operation::LoadX { .. } => (vectors()?, 0..0),
        Operation::VqGemv(_) => (vectors()?, range(entry.outputs, "outputs", layer.outputs)?),
        Operation::Int8Gemm(_) => return Err("INT8_GEMM in a program of vector-quantised layers".into()),
    };
    Ok(Step { command, layer: entry.layer, input: layer.input, beats: entry.beats, vectors, outputs })
}
