//! The bytes of a weight image.

use std::ops::Range;

use rayon::prelude::*;

use super::super::any::LayerRef;
use super::super::error::{Error, Result};
use super::super::layer::Scales;
use super::bits::BitWriter;
use super::obstacles_to_batch;
use crate::config::CoreConfig;

/// Packs the parts of the weight image of one layer.
pub struct Packer<'a> {
    layer: LayerRef<'a>,
    index_bits: u32,
    entries: usize,
    /// Of one token.
    tile_vectors: usize,
    /// Bytes of a beat of `s_axis_w`.
    beat_bytes: usize,
    /// Index words that share a group of beats, and bytes of that group: several words in one beat or one word in
    /// several.
    words_per_group: usize,
    group_bytes: usize,
}

impl<'a> Packer<'a> {
    /// A packer for this layer and this core, for one token.
    ///
    /// # Errors
    /// If the core cannot run the layer; all reasons together.
    pub fn new(layer: impl Into<LayerRef<'a>>, config: &CoreConfig) -> Result<Self> {
        Self::for_batch(layer, 1, config)
    }

    /// A packer for a batch of `tokens` tokens, which share each index.
    ///
    /// # Errors
    /// If the core cannot run the layer with so many tokens; all reasons together.
    pub fn for_batch(layer: impl Into<LayerRef<'a>>, tokens: usize, config: &CoreConfig) -> Result<Self> {
        let layer = layer.into();
        let mut reasons = layer.shape().fits(config).err().unwrap_or_default();
        reasons.extend(obstacles_to_batch(tokens, config));
        if !reasons.is_empty() {
            return Err(Error::DoesNotFit { layer: layer.name().to_owned(), reasons });
        }
        let word_bits = config.index_word_bits() as usize / tokens;
        let width = config.stream.width as usize;
        Ok(Self {
            layer,
            index_bits: config.vq.index_bits,
            entries: config.entries() as usize,
            tile_vectors: config.tile_vectors() as usize / tokens,
            beat_bytes: width / 8,
            words_per_group: (width / word_bits).max(1),
            group_bytes: word_bits.div_ceil(width) * width / 8,
        })
    }

    /// Codebooks for a `LOAD_CODEBOOKS`; missing entries are zeros. Those of groups are numbered row by row: the groups of the first outputs
    /// come first.
    ///
    /// # Panics
    /// If the layer has fewer codebooks.
    pub fn codebooks(&self, numbers: Range<usize>) -> Vec<u8> {
        let shape = self.layer.shape();
        let padded = (self.entries * shape.dim * 2).next_multiple_of(self.beat_bytes);
        let mut bytes = Vec::with_capacity(numbers.len() * padded);
        for codebook in self.layer.codebooks(numbers).chunks_exact(shape.entries() * shape.dim) {
            bytes.extend(codebook.iter().flat_map(|bits| bits.to_le_bytes()));
            bytes.resize(bytes.len() + (self.entries - shape.entries()) * shape.dim * 2, 0);
            bytes = self.pad(bytes);
        }
        bytes
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
