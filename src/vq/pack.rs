//! From a layer to what a core reads: commands, weight image and activation stream, as `docs/interface.md` describes
//! them.

use std::ops::Range;

use rayon::prelude::*;

use super::bits::BitWriter;
use super::command::{Command, Operation, VqGemv};
use super::error::{Error, Result};
use super::layer::{Layer, Scales};
use crate::config::CoreConfig;

/// What makes a core compute one layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// Beats of `s_axis_cmd`.
    pub commands: Vec<Command>,
    /// Bytes of `s_axis_w`, a whole number of beats.
    pub image: Vec<u8>,
    /// Bytes of one beat of `s_axis_w`.
    pub beat_bytes: usize,
}

impl Program {
    /// Beats of the image: no core with this weight port can compute the layer in fewer cycles.
    pub fn bound_cycles(&self) -> u64 {
        (self.image.len() / self.beat_bytes) as u64
    }
}

/// The commands and the image of a layer: its codebooks, its activations, and one `VQ_GEMV` for each of
/// [`block_sizes`]. Tags number the commands.
///
/// # Errors
/// If the core cannot run the layer; all reasons together.
pub fn pack(layer: &Layer, config: &CoreConfig) -> Result<Program> {
    let packer = Packer::new(layer, config)?;
    let shape = layer.shape();
    let (codebooks, vectors) = (shape.codebooks as u8, shape.vectors() as u32);
    let scale_fp32 = matches!(layer.scales(), Scales::F32(_));

    let mut operations = vec![Operation::LoadCodebooks { codebooks }, Operation::LoadX { vectors }];
    let mut image = packer.codebooks();
    let mut start = 0;
    for size in block_sizes(shape.outputs, scale_fp32, config) {
        let outputs = start..start + size;
        image.extend(packer.scales(outputs.clone()));
        image.extend(packer.indices(outputs, 0..shape.vectors()));
        let outputs = size as u32;
        operations.push(Operation::VqGemv(VqGemv { first: true, last: true, scale_fp32, codebooks, vectors, outputs }));
        start += size;
    }
    // Tags wrap: they only tell neighbours apart.
    let tags = (0..=u16::MAX).cycle();
    let commands = tags.zip(operations).map(|(tag, operation)| Command { tag, operation }).collect();
    Ok(Program { commands, image, beat_bytes: packer.beat_bytes })
}

/// The bytes of `s_axis_x` for activations `x` (FP16, a whole number of vectors, at most `max_k` of them): padded with
/// zeros to whole beats.
///
/// # Errors
/// If there are no activations, too many, or no whole number of vectors.
pub fn pack_x(x: &[u16], config: &CoreConfig) -> Result<Vec<u8>> {
    let (dim, max_k) = (config.vq.dim as usize, config.buffers.max_k as usize);
    if x.is_empty() || !x.len().is_multiple_of(dim) || x.len() > max_k {
        let problem = format!("{} given, a multiple of vq.dim = {dim} up to buffers.max_k = {max_k} expected", x.len());
        return Err(Error::Activations { problem });
    }
    let mut bytes: Vec<u8> = x.iter().flat_map(|bits| bits.to_le_bytes()).collect();
    bytes.resize(bytes.len().next_multiple_of(config.x_width() as usize / 8), 0);
    Ok(bytes)
}

/// How `outputs` outputs are divided into blocks of at most `max_n_block`: as few as possible, nearly equal, and where
/// that is possible all but the last fill whole beats with index words and with scales.
pub fn block_sizes(outputs: usize, scale_fp32: bool, config: &CoreConfig) -> Vec<usize> {
    let words = config.index_words_per_beat() as usize;
    let scales = config.stream.width as usize / if scale_fp32 { 32 } else { 16 };
    // A partly filled beat of index words costs a cycle in every step of the block, one of scales only a cycle.
    divide(outputs, config.buffers.max_n_block as usize, &[lcm(words, scales), words])
}

/// Divides `total` into parts of at most `max`: as few as possible, nearly equal, and all but the last a multiple of the
/// first of `units` for which that is possible, if there is one.
pub(super) fn divide(total: usize, max: usize, units: &[usize]) -> Vec<usize> {
    let parts = total.div_ceil(max);
    let largest = |unit: usize| total.div_ceil(unit).div_ceil(parts) * unit;
    let unit = units.iter().copied().find(|&unit| largest(unit) <= max).unwrap_or(1);
    let units = total.div_ceil(unit);
    let mut rest = total;
    (0..parts)
        .map(|part| {
            let size = rest.min((units / parts + usize::from(part < units % parts)) * unit);
            rest -= size;
            size
        })
        .collect()
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut gcd, mut rest) = (a, b);
    while rest != 0 {
        (gcd, rest) = (rest, gcd % rest);
    }
    a / gcd * b
}

/// Packs the parts of the weight image of one layer.
pub struct Packer<'a> {
    layer: &'a Layer,
    index_bits: u32,
    entries: usize,
    tile_vectors: usize,
    /// Bytes of a beat of `s_axis_w`.
    beat_bytes: usize,
    /// Index words that share a group of beats, and bytes of that group: several words in one beat or one word in
    /// several.
    words_per_group: usize,
    group_bytes: usize,
}

impl<'a> Packer<'a> {
    /// A packer for this layer and this core.
    ///
    /// # Errors
    /// If the core cannot run the layer; all reasons together.
    pub fn new(layer: &'a Layer, config: &CoreConfig) -> Result<Self> {
        if let Err(reasons) = layer.shape().fits(config) {
            return Err(Error::DoesNotFit { layer: layer.name().to_owned(), reasons });
        }
        let beat_bytes = config.stream.width as usize / 8;
        Ok(Self {
            layer,
            index_bits: config.vq.index_bits,
            entries: config.entries() as usize,
            tile_vectors: config.tile_vectors() as usize,
            beat_bytes,
            words_per_group: config.index_words_per_beat() as usize,
            group_bytes: config.beats_per_index_word() as usize * beat_bytes,
        })
    }

    /// All codebooks, for `LOAD_CODEBOOKS`; missing entries are zeros.
    pub fn codebooks(&self) -> Vec<u8> {
        let shape = self.layer.shape();
        let mut bytes = Vec::with_capacity(shape.codebooks * self.entries * shape.dim * 2 + self.beat_bytes);
        for codebook in self.layer.centroids().chunks_exact(shape.entries() * shape.dim) {
            bytes.extend(codebook.iter().flat_map(|bits| bits.to_le_bytes()));
            bytes.resize(bytes.len() + (self.entries - shape.entries()) * shape.dim * 2, 0);
        }
        self.pad(bytes)
    }

    /// The scales of a block of outputs, for a `VQ_GEMV` with `last`.
    ///
    /// # Panics
    /// If the layer has fewer outputs.
    pub fn scales(&self, outputs: Range<usize>) -> Vec<u8> {
        self.pad(match self.layer.scales() {
            Scales::F16(values) => values[outputs].iter().flat_map(|bits| bits.to_le_bytes()).collect(),
            Scales::F32(values) => values[outputs].iter().flat_map(|bits| bits.to_le_bytes()).collect(),
        })
    }

    /// The index words of a `VQ_GEMV` of a block of outputs and a range of vectors: a step for each tile and codebook.
    ///
    /// # Panics
    /// If the layer has fewer outputs or vectors.
    pub fn indices(&self, outputs: Range<usize>, vectors: Range<usize>) -> Vec<u8> {
        let codebooks = self.layer.shape().codebooks;
        let steps = vectors.len().div_ceil(self.tile_vectors) * codebooks;
        let step_bytes = outputs.len().div_ceil(self.words_per_group) * self.group_bytes;
        let mut bytes = vec![0; steps * step_bytes];
        bytes.par_chunks_exact_mut(step_bytes).enumerate().for_each(|(step, bytes)| {
            let start = vectors.start + step / codebooks * self.tile_vectors;
            let tile = start..vectors.end.min(start + self.tile_vectors);
            self.step(step % codebooks, outputs.clone(), tile, bytes);
        });
        bytes
    }

    /// The index words of one step into `bytes`, which are zeros.
    fn step(&self, codebook: usize, outputs: Range<usize>, tile: Range<usize>, bytes: &mut [u8]) {
        let shape = self.layer.shape();
        let beyond = self.tile_vectors - tile.len();
        let mut outputs = outputs;
        for group in bytes.chunks_exact_mut(self.group_bytes) {
            let mut writer = BitWriter::new(group);
            for output in outputs.by_ref().take(self.words_per_group) {
                let codes = &self.layer.codes()[(output * shape.vectors() + tile.start) * shape.codebooks..];
                for &code in codes.iter().skip(codebook).step_by(shape.codebooks).take(tile.len()) {
                    writer.put(u32::from(code), self.index_bits);
                }
                for _ in 0..beyond {
                    writer.put(0, self.index_bits);
                }
            }
            writer.finish();
        }
    }

    fn pad(&self, mut bytes: Vec<u8>) -> Vec<u8> {
        bytes.resize(bytes.len().next_multiple_of(self.beat_bytes), 0);
        bytes
    }
}
