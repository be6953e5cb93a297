//! What a core computes of commands and streams, by the rules of `docs/interface.md`, which it enforces. It shares nothing with the packer but the
//! encoding of commands.

use std::collections::BTreeSet;

use eva_rtl::config::CoreConfig;
use eva_rtl::golden::{Accumulator, Value, decode_fp16, decode_fp32, dot, scale};
use eva_rtl::vq::{Command, Operation, VqGemv};

/// A core of these parameters.
pub struct Machine<'a> {
    config: &'a CoreConfig,
    weights: Stream<'a>,
    activations: Stream<'a>,
    slots: Vec<Option<Vec<u16>>>,
    /// FP16, as loaded.
    x: Vec<u16>,
    /// Of the chain that is open: outputs, tokens, sums.
    chain: Option<(u32, u8, Vec<Accumulator>)>,
    pub outputs: Vec<u16>,
    /// Products, but for the first one, whose codebooks were loaded after the product before: a core cannot prepare them meanwhile.
    pub late_codebooks: usize,
    /// Slots loaded since the last product.
    fresh: BTreeSet<usize>,
    is_cold: bool,
}

struct Stream<'a> {
    bytes: &'a [u8],
    beat_bytes: usize,
}

impl<'a> Stream<'a> {
    fn beats(&mut self, count: usize) -> &'a [u8] {
        let (taken, rest) = self.bytes.split_at(count * self.beat_bytes);
        self.bytes = rest;
        taken
    }

    /// Numbers of `bits` bits (8, 16 or 32) padded to whole beats.
    fn array(&mut self, count: usize, bits: usize) -> Vec<u32> {
        let bytes = bits / 8;
        let data = self.beats((count * bytes).div_ceil(self.beat_bytes));
        assert!(data[count * bytes..].iter().all(|&byte| byte == 0), "padding is zero");
        let number = |bytes: &[u8]| bytes.iter().rev().fold(0, |all, &byte| all << 8 | u32::from(byte));
        data[..count * bytes].chunks(bytes).map(number).collect()
    }
}

/// Bits `at..at + count` of a little-endian array.
fn bits(data: &[u8], at: usize, count: usize) -> usize {
    (0..count).map(|bit| usize::from(data[(at + bit) / 8] >> ((at + bit) % 8) & 1) << bit).sum()
}

impl<'a> Machine<'a> {
    pub fn new(config: &'a CoreConfig, weights: &'a [u8], activations: &'a [u8]) -> Self {
        let stream = |bytes, bits: u32| Stream { bytes, beat_bytes: bits as usize / 8 };
        Self {
            config,
            weights: stream(weights, config.stream.width),
            activations: stream(activations, 8 * config.array.cols),
            slots: vec![None; config.vq.max_codebooks as usize],
            x: Vec::new(),
            chain: None,
            outputs: Vec::new(),
            late_codebooks: 0,
            fresh: BTreeSet::new(),
            is_cold: true,
        }
    }

    /// Executes commands, which must take all beats of both streams.
    pub fn run(&mut self, commands: impl IntoIterator<Item = Command>) {
        for command in commands {
            let command = Command::from_bytes(command.to_bytes()).expect("no stray bits");
            match command.operation {
                Operation::LoadCodebooks { slot, codebooks } => self.load_codebooks(slot.into(), codebooks.into()),
                Operation::LoadX { vectors } => {
                    assert!((1..=self.config.buffers.max_k / self.config.vq.dim).contains(&vectors));
                    let values = self.activations.array((vectors * self.config.vq.dim) as usize, 16);
                    self.x = values.into_iter().map(|bits| bits as u16).collect();
                }
                Operation::VqGemv(gemv) => self.gemv(gemv),
                Operation::Int8Gemm(_) => panic!("no INT8 layer was packed"),
            }
        }
        assert_eq!((self.weights.bytes.len(), self.activations.bytes.len()), (0, 0), "no beat is left");
        assert!(self.chain.is_none(), "no chain is left open");
    }

    fn load_codebooks(&mut self, slot: usize, codebooks: usize) {
        assert!(codebooks >= 1 && slot + codebooks <= self.slots.len(), "slots {slot} and {codebooks} on");
        let values = (1 << self.config.vq.index_bits) * self.config.vq.dim as usize;
        for slot in slot..slot + codebooks {
            let codebook = self.weights.array(values, 16);
            self.fresh.insert(slot);
            self.slots[slot] = Some(codebook.iter().map(|&bits| bits as u16).collect());
        }
    }

    fn gemv(&mut self, gemv: VqGemv) {
        let config = self.config;
        let (d, n, width) = (config.vq.dim as usize, config.vq.index_bits as usize, config.stream.width as usize);
        let units = config.epilogue.units as usize;
        let segments = config.array.cols as usize / 4 / d;
        let lanes = config.array.rows as usize * segments;
        let tokens = usize::from(gemv.tokens);
        let (outputs, vectors, codebooks) = (gemv.outputs as usize, gemv.vectors as usize, usize::from(gemv.codebooks));
        assert!(tokens.is_power_of_two() && units.is_multiple_of(tokens), "{tokens} tokens");
        assert!(outputs >= 1 && outputs * tokens <= config.buffers.max_n_block as usize, "{outputs} outputs");
        assert!(tokens == 1 || (gemv.start == 0 && !gemv.grouped));
        // Vectors of a token in a tile.
        let tile = units * lanes / tokens;
        assert!(!gemv.grouped || (codebooks == 1 && vectors <= tile));
        let start = 2 * segments * usize::from(gemv.start);
        let needed = if tokens == 1 { vectors } else { vectors.div_ceil(tile) * tile * tokens };
        assert!(vectors >= 1 && (start + needed) * d <= self.x.len(), "{vectors} from {start} on are loaded");
        let used = if gemv.grouped { vectors.div_ceil(lanes) } else { codebooks };
        let slots = usize::from(gemv.slot)..usize::from(gemv.slot) + used;
        let is_late = !self.is_cold && slots.clone().any(|slot| self.fresh.contains(&slot));
        self.late_codebooks += usize::from(is_late);
        self.is_cold = false;
        self.fresh.clear();

        let scales = match (gemv.last, gemv.scale_fp32) {
            (true, true) => self.weights.array(outputs, 32).into_iter().map(decode_fp32).collect(),
            (true, false) => self.weights.array(outputs, 16).into_iter().map(|bits| decode_fp16(bits as u16)).collect(),
            (false, fp32) => {
                assert!(!fp32);
                Vec::<Value>::new()
            }
        };
        let mut sums = match self.chain.take() {
            Some((n, m, sums)) if !gemv.first => {
                assert_eq!((n, m), (gemv.outputs, gemv.tokens), "the chain has one size");
                sums
            }
            open => {
                assert!(gemv.first && open.is_none(), "chains end before others begin");
                vec![Accumulator::default(); outputs * tokens]
            }
        };
        let word_bits = tile * n;
        for t in 0..vectors.div_ceil(tile) {
            for c in 0..codebooks {
                let (per_beat, beats) =
                    if word_bits <= width { (width / word_bits, 1) } else { (1, word_bits.div_ceil(width)) };
                let data = self.weights.beats(outputs.div_ceil(per_beat) * beats);
                for output in 0..outputs {
                    let word = output / per_beat * beats * width + output % per_beat * word_bits;
                    for b in 0..tile {
                        let index = bits(data, word + b * n, n);
                        if t * tile + b >= vectors {
                            assert_eq!(index, 0, "index of no vector");
                            continue;
                        }
                        let slot = usize::from(gemv.slot) + if gemv.grouped { b / lanes } else { c };
                        let codebook = self.slots[slot].as_ref().expect("the slot is loaded");
                        for m in 0..tokens {
                            let vector = if tokens == 1 { start + t * tile + b } else { (t * tokens + m) * tile + b };
                            let x = &self.x[vector * d..][..d];
                            sums[output * tokens + m] += decode_fp16(dot(x, &codebook[index * d..][..d]));
                        }
                    }
                }
            }
        }
        if gemv.last {
            let scaled = sums.iter().enumerate().map(|(i, sum)| scale(sum, scales[i / tokens]));
            self.outputs.extend(scaled);
        } else {
            self.chain = Some((gemv.outputs, gemv.tokens, sums));
        }
    }
}
