//! Beats and outputs of commands that are executed.

use super::bits::Bits;
use super::{Chain, Fields, INT8_GEMM, LOAD_CODEBOOKS, LOAD_X, Rules, Values};
use eva_rtl::golden;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Lookups of a `VQ_GEMV` that take a test too long, and products of an `INT8_GEMM`, in units of its `4d`.
const MAX_LOOKUPS: u64 = 200_000;
const MAX_PRODUCTS: u64 = 5_000;

impl Rules {
    /// The outputs of a command, unless it is not to be sent; adds its beats.
    pub(super) fn execute(&mut self, fields: &Fields, rng: &mut ChaCha8Rng) -> Option<Vec<u32>> {
        match fields.opcode {
            LOAD_CODEBOOKS => self.load_codebooks(fields, rng),
            LOAD_X => self.load_x(fields, rng),
            INT8_GEMM => return self.int8_gemm(fields, rng),
            _ => return self.vq_gemv(fields, rng),
        }
        Some(Vec::new())
    }

    fn load_codebooks(&mut self, fields: &Fields, rng: &mut ChaCha8Rng) {
        for slot in fields.slot..fields.slot + fields.codebooks {
            let codebook = self.values(self.cfg.entries() * self.cfg.vq.dim, rng);
            self.send_weights(Bits::of(codebook.iter().map(|value| u64::from(*value)), 16), rng);
            self.slots[slot as usize] = Some(codebook);
        }
    }

    fn load_x(&mut self, fields: &Fields, rng: &mut ChaCha8Rng) {
        let (dim, tile, units) = (self.cfg.vq.dim as usize, self.cfg.tile_vectors() as usize, self.cfg.epilogue.units);
        let vectors = fields.vectors as usize;
        let mut x = self.values((vectors * dim) as u32, rng);
        // For a batch that ends within a tile: zeros at the end of each token's part of the last one.
        if units.is_multiple_of(2) && rng.random() {
            let part = tile >> rng.random_range(1..=units.trailing_zeros());
            let zeros = rng.random_range(0..part);
            let last_tile = (vectors - 1) / tile * tile;
            for vector in (last_tile..vectors).filter(|vector| vector % part >= part - zeros) {
                x[vector * dim..][..dim].fill(0);
            }
        }
        let beat = self.cfg.x_width().into();
        let bits = Bits::of(x.iter().map(|value| u64::from(*value)), 16);
        self.work.activations.extend(bits.beats(beat, rng));
        self.x = x;
    }

    fn vq_gemv(&mut self, fields: &Fields, rng: &mut ChaCha8Rng) -> Option<Vec<u32>> {
        let &Fields { codebooks, tokens, vectors, outputs, .. } = fields;
        let cfg = self.cfg.clone();
        let part = u64::from(cfg.tile_vectors()) / tokens;
        let tiles = vectors.div_ceil(part);
        let before = if fields.first { 0 } else { self.chain.as_ref().expect("it continues one").terms };
        let terms = before + vectors * codebooks;
        let most = u64::from(cfg.max_vectors()) * u64::from(cfg.vq.max_codebooks);
        let lookups = outputs * tiles * u64::from(cfg.tile_vectors()) * codebooks;
        if terms > most || lookups > MAX_LOOKUPS || !self.ends_with_zeros(fields) {
            return None;
        }
        let started = self.chain.take().filter(|_| !fields.first);
        let mut sums = started.map_or_else(|| vec![Vec::new(); (outputs * tokens) as usize], |chain| chain.sums);
        let scales = if fields.last { self.send_scales(fields, rng) } else { Vec::new() };
        let beat = cfg.stream.width.into();
        for tile in 0..tiles {
            for codebook in 0..codebooks {
                let mut words = Vec::new();
                for output in 0..outputs {
                    let indices: Vec<u64> = (0..part).map(|_| rng.random_range(0..cfg.entries()).into()).collect();
                    for (vector, &index) in (tile * part..vectors).zip(&indices) {
                        for token in 0..tokens {
                            let product = self.product(fields, codebook, vector, token, index as usize);
                            sums[(output * tokens + token) as usize].push(product);
                        }
                    }
                    words.push(Bits::of(indices, cfg.vq.index_bits.into()));
                }
                let step = Bits::words(words, beat, rng);
                self.send_weights(step, rng);
            }
        }
        if !fields.last {
            self.chain = Some(Chain { outputs, tokens, terms, sums });
            return Some(Vec::new());
        }
        let output = |(number, terms): (usize, &Vec<u16>)| {
            let sum: golden::ExactSum<-24> = terms.iter().map(|term| golden::decode_fp16(*term)).collect();
            golden::scale(&sum, scales[number / tokens as usize]).into()
        };
        Some(sums.iter().enumerate().map(output).collect())
    }

    /// Where a vector of a token is among those loaded.
    fn position(&self, fields: &Fields, vector: u64, token: u64) -> usize {
        let (tile, segments) = (u64::from(self.cfg.tile_vectors()), u64::from(self.cfg.segments()));
        let part = tile / fields.tokens;
        let of_token = vector / part * tile + token * part + vector % part;
        (if fields.tokens == 1 { 2 * segments * fields.start + vector } else { of_token }) as usize
    }

    /// Whether the loaded vectors of a batch at or beyond `V` are zero, as the host has promised.
    fn ends_with_zeros(&self, fields: &Fields) -> bool {
        if fields.tokens == 1 {
            return true;
        }
        let (dim, part) = (self.cfg.vq.dim as usize, u64::from(self.cfg.tile_vectors()) / fields.tokens);
        let beyond = fields.vectors..fields.vectors.next_multiple_of(part);
        let mut beyond = beyond.flat_map(|vector| (0..fields.tokens).map(move |token| (vector, token)));
        beyond
            .all(|(vector, token)| self.x[self.position(fields, vector, token) * dim..][..dim].iter().all(|x| *x == 0))
    }

    /// A term of a sum.
    fn product(&self, fields: &Fields, codebook: u64, vector: u64, token: u64, index: usize) -> u16 {
        let dim = self.cfg.vq.dim as usize;
        let unit = vector / u64::from(self.cfg.lanes());
        let slot = fields.slot + if fields.grouped { unit } else { codebook };
        let codebook = self.slots[slot as usize].as_ref().expect("it is loaded");
        let position = self.position(fields, vector, token);
        golden::dot(&self.x[position * dim..][..dim], &codebook[index * dim..][..dim])
    }

    /// Draws the scales of a `VQ_GEMV`.
    fn send_scales(&mut self, fields: &Fields, rng: &mut ChaCha8Rng) -> Vec<golden::Value> {
        let draw = |_| match (fields.scale_fp32, rng.random_range(0..8)) {
            (false, 0) => rng.random::<u16>().into(),
            (false, _) => u32::from(rng.random_range(0x2000u16..0x4400) | (rng.random::<u16>() & 0x8000)),
            (true, 0) => rng.random(),
            (true, _) => rng.random_range(0x3000_0000..0x4100_0000),
        };
        let scales: Vec<u32> = (0..fields.outputs).map(draw).collect();
        let width = if fields.scale_fp32 { 32 } else { 16 };
        self.send_weights(Bits::of(scales.iter().map(|scale| u64::from(*scale)), width), rng);
        let decoded = |scale: u32| match fields.scale_fp32 {
            true => golden::decode_fp32(scale),
            false => golden::decode_fp16(scale as u16),
        };
        scales.into_iter().map(decoded).collect()
    }

    fn int8_gemm(&mut self, fields: &Fields, rng: &mut ChaCha8Rng) -> Option<Vec<u32>> {
        let &Fields { raw, tokens, vectors: tiles, outputs, .. } = fields;
        if tokens * tiles * outputs > MAX_PRODUCTS {
            return None;
        }
        let cfg = self.cfg.clone();
        let lanes = u64::from(cfg.lanes());
        let (rows, segments, tile) = (u64::from(cfg.array.rows), u64::from(cfg.segments()), 4 * u64::from(cfg.vq.dim));
        let inputs = (tiles * tile) as usize;
        let x: Vec<i8> = (0..tokens as usize * inputs).map(|_| rng.random()).collect();
        let weight = |_| if rng.random_bool(0.1) { -128 } else { rng.random() };
        let weights: Vec<i8> = (0..outputs as usize * inputs).map(weight).collect();
        let mut scales = Vec::new();
        if !raw {
            let scale =
                |_| if rng.random_bool(0.2) { rng.random() } else { rng.random_range(0x3000_0000..0x3C00_0000) };
            scales = (0..outputs).map(scale).collect::<Vec<u32>>();
            self.send_weights(Bits::of(scales.iter().map(|scale| u64::from(*scale)), 32), rng);
        }
        let at = |values: &[i8], row: u64, kt: u64, byte: u64| {
            u64::from(values[row as usize * inputs + (kt * tile + byte) as usize] as u8)
        };
        let (w_beat, x_beat) = (cfg.stream.width.into(), cfg.x_width().into());
        let period = tiles.max(lanes + 1);
        let passes = period * ((outputs - 1) / lanes + 1) + (outputs - 1) % lanes;
        for (pass, kt) in (0..passes).map(|pass| (pass, pass % period)).filter(|(_, kt)| *kt < tiles) {
            let mut words = Vec::new();
            for row in 0..rows {
                let mut bytes = Vec::new();
                for lane in row * segments..(row + 1) * segments {
                    let output = (pass >= lane).then(|| lane + lanes * ((pass - lane) / period));
                    let output = output.filter(|output| *output < outputs);
                    bytes.extend((0..tile).map(|byte| match output {
                        Some(output) => at(&weights, output, kt, byte),
                        None => rng.random_range(0..256),
                    }));
                }
                words.push(Bits::of(bytes, 8));
            }
            let words = Bits::words(words, w_beat, rng);
            self.send_weights(words, rng);
            let bytes = (0..tokens).flat_map(|token| (0..tile).map(move |byte| (token, byte)));
            let bits = Bits::of(bytes.map(|(token, byte)| at(&x, token, kt, byte)), 8);
            self.work.activations.extend(bits.beats(x_beat, rng));
        }
        // Row words wait where activations are kept.
        self.x.clear();
        let places = (0..outputs as usize).flat_map(|output| (0..tokens as usize).map(move |token| (output, token)));
        let value = |(output, token): (usize, usize)| {
            let (w, x) = (&weights[output * inputs..][..inputs], &x[token * inputs..][..inputs]);
            let sum: i32 = w.iter().zip(x).map(|(w, x)| i32::from(*w) * i32::from(*x)).sum();
            if raw { sum as u32 } else { golden::int8_scale(sum, scales[output]).into() }
        };
        Some(places.map(value).collect())
    }

    fn send_weights(&mut self, bits: Bits, rng: &mut ChaCha8Rng) {
        self.work.weights.extend(bits.beats(self.cfg.stream.width.into(), rng));
    }

    fn values(&self, count: u32, rng: &mut ChaCha8Rng) -> Vec<u16> {
        let mut value = || match self.values {
            Values::Any => rng.random(),
            Values::Small => rng.random::<u16>() & 0xBFFF,
            Values::Near => rng.random_range(0x3000..0x4200) | (rng.random::<u16>() & 0x8000),
            Values::Mixed if rng.random_range(0..40) == 0 => rng.random(),
            Values::Mixed => rng.random_range(0x2000..0x4C00) | (rng.random::<u16>() & 0x8000),
        };
        (0..count).map(|_| value()).collect()
    }
}
