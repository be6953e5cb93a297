//! From commands and weight image back to layers, by the rules of `docs/interface.md` alone: what a core would see. It shares no code with the
//! packer.

use std::ops::Range;

use super::super::any::AnyLayer;
use super::super::command::{Operation, VqGemv};
use super::super::gptvq::{GptvqLayer, GptvqShape};
use super::super::layer::{Layer, LayerShape, Scales};
use super::super::pack::Step;
use super::manifest::{Form, ProgramLayer};
use crate::config::CoreConfig;

type Checked<T> = Result<T, String>;

/// A code that has not been seen: no core has indices of 16 bits.
const UNSEEN: u16 = u16::MAX;

/// Follows the commands of a program.
pub(super) struct Decoder<'a> {
    layers: &'a [ProgramLayer],
    config: &'a CoreConfig,
    tokens: usize,
    image: Image<'a>,
    /// What is in each slot: a codebook `[2^n][d]`, and the layer that it is for.
    slots: Vec<Option<(usize, Vec<u16>)>>,
    /// Input and vectors of it that are loaded, and how many that is for the core.
    x: Option<(usize, Range<usize>, usize)>,
    /// Number of the layer that is being put together.
    layer: usize,
    parts: Option<Parts>,
    chain: Option<Chain>,
}

/// What is known of a layer so far.
struct Parts {
    /// `[C][2^n][d]`, or those of the groups; `None` where nothing is known.
    codebooks: Vec<Option<Vec<u16>>>,
    /// `[N][V][C]`.
    codes: Vec<u16>,
    scales: Vec<u32>,
}

/// A chain that is open.
struct Chain {
    outputs: Range<usize>,
    /// Vectors that have been added up.
    vectors: Range<usize>,
}

impl<'a> Decoder<'a> {
    pub fn new(layers: &'a [ProgramLayer], tokens: usize, image: &'a [u8], config: &'a CoreConfig) -> Self {
        let image = Image { rest: image, beat_bytes: config.stream.width as usize / 8 };
        let slots = vec![None; config.vq.max_codebooks as usize];
        Self { layers, config, tokens, image, slots, x: None, layer: 0, parts: None, chain: None }
    }

    /// Follows a command; returns a layer that is complete with it.
    pub fn step(&mut self, step: &Step) -> Checked<Option<AnyLayer>> {
        let before = self.image.rest.len();
        let mut complete = None;
        match step.command.operation {
            Operation::LoadCodebooks { slot, codebooks } => {
                self.load_codebooks(step.layer, slot.into(), codebooks.into())?
            }
            Operation::LoadX { vectors } => self.load_x(step, vectors as usize)?,
            Operation::VqGemv(gemv) => complete = self.gemv(step, gemv)?,
            Operation::Int8Gemm(_) => return Err("it is no command of such a program".into()),
        }
        let beats = ((before - self.image.rest.len()) / self.image.beat_bytes) as u64;
        if beats != step.beats {
            return Err(format!("it takes {beats} beats, {} are given", step.beats));
        }
        Ok(complete)
    }

    /// Checks that nothing is left.
    pub fn end(&self) -> Checked<()> {
        if self.layer != self.layers.len() {
            return Err(format!("layer `{}` is not complete", self.layers[self.layer].name));
        }
        match self.image.rest.len() {
            0 => Ok(()),
            left => Err(format!("{left} bytes of the image are not used")),
        }
    }

    fn load_codebooks(&mut self, layer: usize, slot: usize, codebooks: usize) -> Checked<()> {
        if codebooks == 0 || slot + codebooks > self.slots.len() {
            return Err(format!("codebooks {slot} to {} of {} slots", slot + codebooks, self.slots.len()));
        }
        let values = (1usize << self.config.vq.index_bits) * self.config.vq.dim as usize;
        for slot in &mut self.slots[slot..slot + codebooks] {
            let codebook = self.image.array(values, 2)?;
            *slot = Some((layer, codebook.iter().map(|&bits| bits as u16).collect()));
        }
        Ok(())
    }

    fn load_x(&mut self, step: &Step, vectors: usize) -> Checked<()> {
        let expected = self.padded(step.vectors.len());
        let most = (self.config.buffers.max_k / self.config.vq.dim) as usize;
        if vectors != expected || vectors > most {
            return Err(format!("{vectors} vectors are loaded, {expected} up to {most} expected"));
        }
        self.x = Some((step.input, step.vectors.clone(), vectors));
        Ok(())
    }

    /// Lookups of a cycle, and vectors of a tile and token.
    fn sizes(&self) -> (usize, usize) {
        let segments = self.config.array.cols as usize / 4 / self.config.vq.dim as usize;
        let lanes = self.config.array.rows as usize * segments;
        (lanes, self.config.epilogue.units as usize * lanes / self.tokens.max(1))
    }

    /// Vectors that the core loads for `vectors` of each token.
    fn padded(&self, vectors: usize) -> usize {
        let (_, tile) = self.sizes();
        if self.tokens == 1 { vectors } else { vectors.div_ceil(tile.max(1)) * tile * self.tokens }
    }

    fn gemv(&mut self, step: &Step, gemv: VqGemv) -> Checked<Option<AnyLayer>> {
        if step.layer != self.layer {
            return Err(format!("it is of layer {}, layer {} is not complete", step.layer, self.layer));
        }
        let about = &self.layers[step.layer];
        self.check_operands(step, gemv, about)?;
        self.follow_chain(step, gemv, about)?;
        if self.parts.is_none() {
            self.parts = Some(Parts::new(about));
        }
        if gemv.last {
            let scales = self.image.array(step.outputs.len(), if gemv.scale_fp32 { 4 } else { 2 })?;
            let parts = self.parts.as_mut().expect("made above");
            parts.scales.extend(scales);
        }
        self.codebooks_of(step, gemv, about)?;
        self.indices_of(step, gemv, about)?;
        if gemv.last && step.outputs.end == about.outputs {
            self.layer += 1;
            let parts = self.parts.take().expect("made above");
            return parts.layer(about).map(Some);
        }
        Ok(None)
    }

    /// Checks the fields of a command against what is loaded and what it is said to compute.
    fn check_operands(&self, step: &Step, gemv: VqGemv, about: &ProgramLayer) -> Checked<()> {
        let (lanes, tile) = self.sizes();
        let Some((input, loaded, count)) = &self.x else {
            return Err("no activations are loaded".into());
        };
        let segments = lanes / self.config.array.rows as usize;
        let start = loaded.start + 2 * segments * usize::from(gemv.start);
        // Of several tokens, what completes the last tile has to be zeros: nothing that is loaded may lie there.
        let whole = self.tokens == 1 || step.vectors.len().is_multiple_of(tile);
        let ends = step.vectors.end == loaded.end || (step.vectors.end < loaded.end && whole);
        let there = 2 * segments * usize::from(gemv.start) + self.padded(gemv.vectors as usize) <= *count;
        if *input != about.input || step.vectors != (start..start + gemv.vectors as usize) || !ends || !there {
            return Err(format!(
                "vectors {:?} of input {} are not the {} from {start} on of those loaded, {loaded:?} of input {input}",
                step.vectors, about.input, gemv.vectors
            ));
        }
        if usize::from(gemv.tokens) != self.tokens || (gemv.start > 0 && self.tokens > 1) {
            return Err(format!("it is for {} tokens, {} expected", gemv.tokens, self.tokens));
        }
        let size = step.outputs.len();
        if gemv.outputs as usize != size || size * self.tokens > self.config.buffers.max_n_block as usize {
            return Err(format!("{} outputs are not {:?}", gemv.outputs, step.outputs));
        }
        if gemv.grouped && (gemv.codebooks != 1 || self.tokens > 1 || gemv.vectors as usize > tile) {
            return Err("it is grouped with several codebooks, tokens or tiles".into());
        }
        if gemv.last && gemv.scale_fp32 != about.scale_fp32 {
            return Err("scales are of another type than the layer's".into());
        }
        Ok(())
    }

    /// Checks that chains take all vectors of the layer in order, and blocks all outputs.
    fn follow_chain(&mut self, step: &Step, gemv: VqGemv, about: &ProgramLayer) -> Checked<()> {
        let vectors = match self.chain.take() {
            Some(chain) if !gemv.first && chain.outputs == step.outputs && chain.vectors.end == step.vectors.start => {
                chain.vectors.start..step.vectors.end
            }
            None if gemv.first && step.vectors.start == 0 => step.vectors.clone(),
            _ => return Err("it does not continue where the command before it ended".into()),
        };
        let done = self.parts.as_ref().map_or(0, |parts| parts.scales.len());
        if step.outputs.start != done {
            return Err(format!("outputs {:?} do not follow the first {done}", step.outputs));
        }
        if gemv.last != (vectors.end == about.inputs / about.dim) {
            return Err("the chain does not end with the last vector".into());
        }
        if !gemv.last {
            self.chain = Some(Chain { outputs: step.outputs.clone(), vectors });
        }
        Ok(())
    }

    /// Notes which codebooks a command uses for what.
    fn codebooks_of(&mut self, step: &Step, gemv: VqGemv, about: &ProgramLayer) -> Checked<()> {
        let (lanes, _) = self.sizes();
        let dim = about.dim;
        // Numbers among the layer's codebooks.
        let used: Vec<usize> = match about.form {
            Form::Aqlm { codebooks } if usize::from(gemv.codebooks) == codebooks && !gemv.grouped => {
                (0..codebooks).collect()
            }
            Form::Gptvq { group_inputs, group_outputs } if gemv.codebooks == 1 => {
                let group_vectors = group_inputs / dim;
                let row = step.outputs.start / group_outputs;
                let columns = about.inputs / group_inputs;
                let first = step.vectors.start / group_vectors;
                let end = step.vectors.end.div_ceil(group_vectors);
                let one_row = (step.outputs.end - 1) / group_outputs == row;
                let fits_units = step.vectors.start.is_multiple_of(group_vectors) && group_vectors == lanes;
                let one_column = end - first == 1;
                if !one_row || !(one_column || gemv.grouped) || (gemv.grouped && !fits_units) {
                    return Err("its outputs and vectors are not of the groups whose codebooks it uses".into());
                }
                (first..end).map(|column| row * columns + column).collect()
            }
            _ => return Err(format!("{} codebooks are not those of the layer", gemv.codebooks)),
        };
        let parts = self.parts.as_mut().expect("a layer is being put together");
        for (slot, number) in (usize::from(gemv.slot)..).zip(used) {
            let Some(Some((_, codebook))) = self.slots.get(slot).filter(|slot| is_for(slot, step.layer)) else {
                return Err(format!("no codebook of the layer is in slot {slot}"));
            };
            match &mut parts.codebooks[number] {
                Some(known) if known != codebook => return Err(format!("another codebook is in slot {slot}")),
                Some(_) => {}
                unknown => *unknown = Some(codebook.clone()),
            }
        }
        Ok(())
    }

    /// Reads the index words of a command.
    fn indices_of(&mut self, step: &Step, gemv: VqGemv, about: &ProgramLayer) -> Checked<()> {
        let (_, tile) = self.sizes();
        let (codebooks, bits) = (usize::from(gemv.codebooks), self.config.vq.index_bits as usize);
        let all_vectors = about.inputs / about.dim;
        let parts = self.parts.as_mut().expect("a layer is being put together");
        for start in step.vectors.clone().step_by(tile) {
            let count = tile.min(step.vectors.end - start);
            for codebook in 0..codebooks {
                let mut words = self.image.words(step.outputs.len(), tile * bits)?;
                for output in step.outputs.clone() {
                    let mut word = words.next_word();
                    for vector in 0..tile {
                        let index = word.take(bits);
                        if vector < count {
                            parts.codes[(output * all_vectors + start + vector) * codebooks + codebook] = index;
                        } else if index != 0 {
                            return Err(format!("output {output} has an index of a vector that is not there"));
                        }
                    }
                }
            }
        }
        Ok(())
    }
}

impl Parts {
    /// Nothing of a layer in which [`problem_of`] finds no problem.
    fn new(about: &ProgramLayer) -> Self {
        let count = match about.form {
            Form::Aqlm { codebooks } => codebooks,
            Form::Gptvq { group_inputs, group_outputs } => {
                about.outputs / group_outputs * (about.inputs / group_inputs)
            }
        };
        Self { codebooks: vec![None; count], codes: vec![UNSEEN; codes_of(about)], scales: Vec::new() }
    }

    fn layer(self, about: &ProgramLayer) -> Checked<AnyLayer> {
        let mut centroids = Vec::new();
        let values = about.dim << about.index_bits;
        for (number, codebook) in self.codebooks.into_iter().enumerate() {
            let codebook = codebook.ok_or_else(|| format!("codebook {number} of `{}` is missing", about.name))?;
            if codebook[values..].iter().any(|&bits| bits != 0) {
                return Err(format!("codebook {number} of `{}` has entries that no index names", about.name));
            }
            centroids.extend_from_slice(&codebook[..values]);
        }
        let scales = match about.scale_fp32 {
            true => Scales::F32(self.scales),
            false => Scales::F16(self.scales.into_iter().map(|bits| bits as u16).collect()),
        };
        let layer = match about.form {
            Form::Aqlm { .. } => {
                Layer::new(&about.name, plain_shape(about), centroids, self.codes, scales).map(AnyLayer::Aqlm)
            }
            Form::Gptvq { group_inputs, group_outputs } => {
                let shape = grouped_shape(about, group_inputs, group_outputs);
                GptvqLayer::new(&about.name, shape, centroids, self.codes, scales).map(AnyLayer::Gptvq)
            }
        };
        layer.map_err(|error| error.to_string())
    }
}

/// Whether what is in a slot is for this layer.
fn is_for(slot: &Option<(usize, Vec<u16>)>, layer: usize) -> bool {
    slot.as_ref().is_some_and(|(owner, _)| *owner == layer)
}

fn plain_shape(about: &ProgramLayer) -> LayerShape {
    let codebooks = match about.form {
        Form::Aqlm { codebooks } => codebooks,
        Form::Gptvq { .. } => 1,
    };
    let ProgramLayer { inputs, outputs, dim, index_bits, .. } = *about;
    LayerShape { inputs, outputs, dim, index_bits, codebooks }
}

fn grouped_shape(about: &ProgramLayer, group_inputs: usize, group_outputs: usize) -> GptvqShape {
    let ProgramLayer { inputs, outputs, dim, index_bits, .. } = *about;
    GptvqShape { inputs, outputs, dim, index_bits, group_inputs, group_outputs }
}

/// How many codes a layer has.
fn codes_of(about: &ProgramLayer) -> usize {
    let shape = plain_shape(about);
    shape.outputs * shape.vectors() * shape.codebooks
}

/// Why a layer cannot be in a program for this core with an image of so many bytes, if anything speaks against it.
pub(super) fn problem_of(about: &ProgramLayer, image_bytes: usize, config: &CoreConfig) -> Option<String> {
    let problem = match about.form {
        Form::Aqlm { .. } => plain_shape(about).problem(),
        Form::Gptvq { group_inputs, group_outputs } => grouped_shape(about, group_inputs, group_outputs).problem(),
    };
    let misfit = || plain_shape(about).fits(config).err().map(|reasons| reasons.join("; "));
    // More cannot be in the image, and must not take memory.
    let most = image_bytes.saturating_mul(8) / config.vq.index_bits as usize;
    let excess = || (codes_of(about) > most).then(|| "it has more indices than the image".to_owned());
    problem.or_else(misfit).or_else(excess)
}

/// The beats that have not been taken.
struct Image<'a> {
    rest: &'a [u8],
    beat_bytes: usize,
}

impl<'a> Image<'a> {
    fn beats(&mut self, count: usize) -> Checked<&'a [u8]> {
        let wanted = count.checked_mul(self.beat_bytes).filter(|&wanted| wanted <= self.rest.len());
        let wanted = wanted.ok_or_else(|| format!("{count} beats are wanted, the image has no more"))?;
        let (taken, rest) = self.rest.split_at(wanted);
        self.rest = rest;
        Ok(taken)
    }

    /// `count` numbers of `bytes` bytes, padded with zeros to whole beats.
    fn array(&mut self, count: usize, bytes: usize) -> Checked<Vec<u32>> {
        let data = self.beats((count * bytes).div_ceil(self.beat_bytes))?;
        let (data, padding) = data.split_at(count * bytes);
        if padding.iter().any(|&byte| byte != 0) {
            return Err("padding is not zero".into());
        }
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |number, &byte| number << 8 | u32::from(byte));
        Ok(data.chunks_exact(bytes).map(number).collect())
    }

    /// The `count` words of a step, of `bits` bits each.
    fn words(&mut self, count: usize, bits: usize) -> Checked<Words<'a>> {
        let width = 8 * self.beat_bytes;
        let (per_beat, beats) = if bits <= width { (width / bits, 1) } else { (1, bits.div_ceil(width)) };
        let data = self.beats(count.div_ceil(per_beat) * beats)?;
        Ok(Words { data, per_beat, stride: beats * width, bits, next: 0 })
    }
}

/// Words of one step.
struct Words<'a> {
    data: &'a [u8],
    per_beat: usize,
    /// Bits from the words of one beat, or of several, to the next ones.
    stride: usize,
    bits: usize,
    next: usize,
}

impl<'a> Words<'a> {
    fn next_word(&mut self) -> Bits<'a> {
        let at = self.next / self.per_beat * self.stride + self.next % self.per_beat * self.bits;
        self.next += 1;
        Bits { data: self.data, at }
    }
}

/// Bits from some place on, the lowest first.
struct Bits<'a> {
    data: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    /// The next `count` bits, at most 12 of them.
    fn take(&mut self, count: usize) -> u16 {
        let byte = |at: usize| u32::from(self.data.get(at).copied().unwrap_or(0));
        let first = self.at / 8;
        let bits = byte(first) | byte(first + 1) << 8 | byte(first + 2) << 16;
        let value = bits >> (self.at % 8) & ((1 << count) - 1);
        self.at += count;
        value as u16
    }
}
