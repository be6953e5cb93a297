//! Packing, against a reader of the image written from `docs/interface.md` alone.

use eva_rtl::config::CoreConfig;
use eva_rtl::vq::{
    Command, Distribution, Layer, Operation, Packer, Plan, Scales, VqGemv, block_sizes, pack, pack_x,
    random_activations, random_layer,
};
use half::f16;
use proptest::prelude::*;

use super::fixture::{Core, shape};

/// Takes beats of `s_axis_w` one after another.
struct Reader<'a> {
    beats: std::slice::ChunksExact<'a, u8>,
}

impl<'a> Reader<'a> {
    fn new(image: &'a [u8], width: u32) -> Self {
        assert_eq!(image.len() % (width as usize / 8), 0, "whole beats");
        Self { beats: image.chunks_exact(width as usize / 8) }
    }

    /// The bits of the next `count` beats, the lowest first.
    fn bits(&mut self, count: usize) -> Vec<bool> {
        let beats: Vec<u8> = (0..count).flat_map(|_| self.beats.next().expect("another beat").to_vec()).collect();
        (0..beats.len() * 8).map(|i| beats[i / 8] >> (i % 8) & 1 != 0).collect()
    }

    /// An array of `count` elements of `bits` bits, padded with zeros to whole beats of `width` bits.
    fn array(&mut self, count: usize, bits: usize, width: u32) -> Vec<u32> {
        let data = self.bits((count * bits).div_ceil(width as usize));
        assert!(data[count * bits..].iter().all(|&bit| !bit), "padding is zero");
        data[..count * bits].chunks(bits).map(number).collect()
    }
}

fn number(bits: &[bool]) -> u32 {
    bits.iter().rev().fold(0, |number, &bit| number << 1 | u32::from(bit))
}

/// What a core would see of a program.
#[derive(Debug, PartialEq)]
struct Seen {
    centroids: Vec<u16>,
    scales: Vec<u32>,
    codes: Vec<u16>,
    blocks: Vec<usize>,
}

fn see(program: &Plan, config: &CoreConfig) -> Seen {
    let (n, d, w) = (config.vq.index_bits as usize, config.vq.dim as usize, config.stream.width as usize);
    let b = config.epilogue.units as usize * config.array.rows as usize * (config.array.cols as usize / 4 / d);
    let mut reader = Reader::new(&program.image, config.stream.width);
    let mut seen = Seen { centroids: vec![], scales: vec![], codes: vec![], blocks: vec![] };
    let (mut loaded_codebooks, mut loaded_vectors) = (0, 0);
    for command in program.commands() {
        match command.operation {
            Operation::LoadCodebooks { slot, codebooks } => {
                assert_eq!(slot, 0);
                loaded_codebooks = codebooks;
                let codebook = |_| reader.array((1 << n) * d, 16, config.stream.width);
                let values = (0..codebooks).flat_map(codebook);
                seen.centroids = values.map(|value| value as u16).collect();
            }
            Operation::LoadX { vectors } => loaded_vectors = vectors,
            Operation::VqGemv(gemv) => {
                let VqGemv { scale_fp32, codebooks, vectors, outputs, .. } = gemv;
                assert_eq!(gemv, VqGemv { scale_fp32, codebooks, vectors, outputs, ..VqGemv::default() });
                assert_eq!((codebooks, vectors), (loaded_codebooks, loaded_vectors));
                assert!((1..=config.buffers.max_n_block).contains(&outputs));
                let (v, c, outputs) = (vectors as usize, usize::from(codebooks), outputs as usize);
                seen.scales.extend(reader.array(outputs, if scale_fp32 { 32 } else { 16 }, config.stream.width));
                let mut block = vec![u16::MAX; outputs * v * c];
                for t in 0..v.div_ceil(b) {
                    for codebook in 0..c {
                        let words: Vec<Vec<bool>> = if b * n <= w {
                            let q = w / (b * n);
                            let beats: Vec<Vec<bool>> = (0..outputs.div_ceil(q)).map(|_| reader.bits(1)).collect();
                            (0..outputs).map(|i| beats[i / q][i % q * b * n..][..b * n].to_vec()).collect()
                        } else {
                            (0..outputs).map(|_| reader.bits((b * n).div_ceil(w))[..b * n].to_vec()).collect()
                        };
                        for (output, word) in words.iter().enumerate() {
                            for (i, index) in word.chunks(n).enumerate() {
                                match t * b + i {
                                    vector if vector < v => {
                                        block[(output * v + vector) * c + codebook] = number(index) as u16
                                    }
                                    _ => assert_eq!(number(index), 0, "index of no vector"),
                                }
                            }
                        }
                    }
                }
                seen.codes.extend(block);
                seen.blocks.push(outputs);
            }
            Operation::Int8Gemm(_) => panic!("no INT8 layer was packed"),
        }
    }
    assert_eq!(reader.beats.len(), 0, "no beat is left");
    seen
}

fn with_fp32_scales(layer: &Layer) -> Layer {
    let Scales::F16(scales) = layer.scales() else { panic!("random layers have FP16 scales") };
    let scales = scales.iter().map(|&bits| f16::from_bits(bits).to_f32().to_bits() ^ 1).collect();
    Layer::new("fp32", layer.shape(), layer.centroids().to_vec(), layer.codes().to_vec(), Scales::F32(scales)).unwrap()
}

fn scale_bits(scales: &Scales) -> Vec<u32> {
    match scales {
        Scales::F16(values) => values.iter().map(|&bits| u32::from(bits)).collect(),
        Scales::F32(values) => values.clone(),
    }
}

prop_compose! {
    fn cores()(
        units in 1u32..=4,
        rows in prop::sample::select(vec![2u32, 3, 4, 8]),
        dim in prop::sample::select(vec![1u32, 2, 4, 8]),
        segments in 1u32..=2,
        index_bits in 2u32..=12,
        max_codebooks in 1u32..=4,
        max_vectors in 1u32..=70,
        max_n_block in 1u32..=70,
        width in prop::sample::select(vec![32u32, 64, 128, 256, 1024]),
    ) -> Core {
        let (cols, max_k) = (4 * dim * segments, max_vectors * dim);
        Core { units, rows, cols, dim, index_bits, max_codebooks, max_k, max_n_block, width }
    }
}

prop_compose! {
    /// A core, and a layer that it can run.
    fn cores_with_layers()(core in cores())(
        vectors in 1..=core.max_k / core.dim,
        outputs in 1usize..=100,
        index_bits in core.index_bits.saturating_sub(2).max(1)..=core.index_bits,
        codebooks in 1..=core.max_codebooks,
        fp32 in any::<bool>(),
        seed in any::<u64>(),
        core in Just(core),
    ) -> (Core, Layer) {
        let shape = shape((vectors * core.dim) as usize, outputs, core.dim as usize, index_bits, codebooks as usize);
        let layer = random_layer(shape, Distribution::Any, seed).unwrap();
        (core, if fp32 { with_fp32_scales(&layer) } else { layer })
    }
}

proptest! {
    #[test]
    fn a_reader_of_the_image_recovers_the_layer((core, layer) in cores_with_layers()) {
        let config = core.config();
        let program = pack(&layer, &config).unwrap();
        let seen = see(&program, &config);
        prop_assert_eq!(&seen.codes, layer.codes());
        prop_assert_eq!(seen.scales, scale_bits(layer.scales()));
        prop_assert_eq!(&seen.blocks, &block_sizes(layer.shape().outputs, layer.scales().is_fp32(), 1, &config));
        let values = layer.shape().entries() * layer.shape().dim;
        let padded = (1 << core.index_bits) * layer.shape().dim;
        for (codebook, stored) in layer.centroids().chunks(values).zip(seen.centroids.chunks(padded)) {
            prop_assert_eq!(&stored[..values], codebook);
            prop_assert!(stored[values..].iter().all(|&bits| bits == 0));
        }
        prop_assert_eq!(seen.centroids.len(), padded * layer.shape().codebooks);
        prop_assert_eq!(program.bound_cycles(), program.image.len() as u64 * 8 / u64::from(core.width));
        let tags: Vec<u16> = program.commands().map(|command| command.tag).collect();
        prop_assert_eq!(tags, (0..program.steps.len() as u16).collect::<Vec<u16>>());
    }

    /// The index words of ranges of vectors are those of a layer that has only these vectors.
    #[test]
    fn ranges_of_vectors_can_be_packed((core, layer) in cores_with_layers(), split in any::<prop::sample::Index>()) {
        let config = core.config();
        let shape = layer.shape();
        let (start, end) = (split.index(shape.vectors()), shape.vectors());
        let codes = layer.codes().chunks(end * shape.codebooks).flat_map(|output| output[start * shape.codebooks..].to_vec());
        let part = eva_rtl::vq::LayerShape { inputs: (end - start) * shape.dim, ..shape };
        let part = Layer::new("part", part, layer.centroids().to_vec(), codes.collect(), layer.scales().clone()).unwrap();
        let outputs = 0..shape.outputs;
        let expected = Packer::new(&part, &config).unwrap().indices(outputs.clone(), 0..end - start);
        prop_assert_eq!(Packer::new(&layer, &config).unwrap().indices(outputs, start..end), expected);
    }

    #[test]
    fn blocks_are_few_balanced_and_aligned(core in cores(), outputs in 1usize..5000, fp32: bool) {
        let config = core.config();
        let sizes = block_sizes(outputs, fp32, 1, &config);
        let max = core.max_n_block as usize;
        prop_assert_eq!(sizes.iter().sum::<usize>(), outputs);
        prop_assert_eq!(sizes.len(), outputs.div_ceil(max));
        prop_assert!(sizes.iter().all(|&size| (1..=max).contains(&size)), "{:?}", sizes);
        let words = (core.width / config.index_word_bits()).max(1) as usize;
        // The unit of division is a multiple of the words per beat whenever full blocks leave room for it.
        if outputs.div_ceil(words).div_ceil(sizes.len()) * words <= max {
            prop_assert!(sizes[..sizes.len() - 1].iter().all(|size| size % words == 0), "{:?} {}", sizes, words);
        }
        let unit = words * core.width as usize;
        prop_assert!(sizes.iter().max().unwrap() - sizes.iter().min().unwrap() < 2 * unit);
    }

    #[test]
    fn activations_are_padded_to_whole_beats(core in cores(), vectors in any::<prop::sample::Index>(), seed: u64) {
        let config = core.config();
        let vectors = 1 + vectors.index((core.max_k / core.dim) as usize);
        let x = random_activations(vectors * core.dim as usize, Distribution::Any, seed);
        let bytes = pack_x(&x, &config).unwrap();
        prop_assert_eq!(bytes.len() % core.cols as usize, 0);
        prop_assert!(bytes.len() < x.len() * 2 + core.cols as usize);
        for (i, byte) in bytes.iter().enumerate() {
            let expected = x.get(i / 2).map_or(0, |bits| bits.to_le_bytes()[i % 2]);
            prop_assert_eq!(*byte, expected);
        }
    }
}

/// The images of the seven linear layers of LLaMA-2-7B are as long as the performance contract says.
#[test]
fn beats_of_full_size_layers() {
    let config = Core::PAPER.config();
    let beats = |k, n| {
        let layer = random_layer(shape(k, n, 8, 8, 2), Distribution::Realistic, 1).unwrap();
        pack(&layer, &config).unwrap().bound_cycles()
    };
    let (attention, up, down) = (beats(4096, 4096), beats(4096, 11008), beats(11008, 4096));
    assert_eq!(attention, 32_896);
    assert_eq!(up, 88_300);
    assert_eq!(4 * attention + 2 * up + down, 398_424);
    assert_eq!(block_sizes(11008, false, 1, &config), [3712, 3648, 3648]);
    assert_eq!(block_sizes(4100, false, 1, &config), [2112, 1988]);
    assert_eq!(block_sizes(1, true, 1, &config), [1]);
}

#[test]
fn a_tiny_image_by_hand() {
    // B = 2 vectors of 2, so index words of 2 * 3 bits, five of them in a beat of 32 bits.
    let core = Core {
        units: 1,
        rows: 2,
        cols: 8,
        dim: 2,
        index_bits: 3,
        max_codebooks: 1,
        max_k: 8,
        max_n_block: 8,
        width: 32,
    };
    let codes = vec![1, 2, 3, 4, 5, 0, 6, 7, 1, 0, 2, 0, 3, 0, 4, 1, 5, 1];
    let centroids: Vec<u16> = (0..16).map(|i| 0x100 + i).collect();
    let layer = Layer::new("tiny", shape(6, 6, 2, 3, 1), centroids, codes, Scales::F16((1..=6).collect())).unwrap();
    let program = pack(&layer, &core.config()).unwrap();

    let codebook =
        [0x0101_0100, 0x0103_0102, 0x0105_0104, 0x0107_0106, 0x0109_0108, 0x010B_010A, 0x010D_010C, 0x010F_010E];
    let scales = [0x0002_0001, 0x0004_0003, 0x0006_0005];
    // An octal digit is an index. Vectors 0 and 1 of outputs 0 to 4 (from the right) and of output 5; then vector 2.
    let indices = [0o03_20_76_54_21, 0o51, 0o04_00_01_00_03, 0o01];
    let beats: Vec<u32> = program.image.chunks(4).map(|beat| u32::from_le_bytes(beat.try_into().unwrap())).collect();
    assert_eq!(beats, [&codebook[..], &scales, &indices].concat());
    let gemv = VqGemv { vectors: 3, outputs: 6, ..VqGemv::default() };
    assert_eq!(
        program.commands().collect::<Vec<_>>(),
        [
            Command { tag: 0, operation: Operation::LoadCodebooks { slot: 0, codebooks: 1 } },
            Command { tag: 1, operation: Operation::LoadX { vectors: 3 } },
            Command { tag: 2, operation: Operation::VqGemv(gemv) },
        ]
    );
}

#[test]
fn a_layer_that_does_not_fit_is_refused_with_all_reasons() {
    let core = Core { dim: 4, index_bits: 6, max_codebooks: 1, max_k: 64, ..Core::PAPER };
    let layer = random_layer(shape(128, 3, 8, 7, 2), Distribution::Realistic, 5).unwrap();
    let message = pack(&layer, &core.config()).unwrap_err().to_string();
    assert_eq!(
        message,
        "layer `random.5` does not fit this core: it has d = 8, the core vq.dim = 4; it has n = 7, the core vq.index_bits = 6; \
         it has C = 2, the core vq.max_codebooks = 1; its sums have K/d * C = 32 terms, the core's accumulators hold \
         buffers.max_k/vq.dim * vq.max_codebooks = 16"
    );
    assert!(layer.shape().fits(&Core::PAPER.config()).is_ok());
}

#[test]
fn activations_that_do_not_fit_are_refused() {
    let config = Core { max_k: 64, ..Core::PAPER }.config();
    for length in [0, 7, 72] {
        let message = pack_x(&vec![0; length], &config).unwrap_err().to_string();
        assert_eq!(
            message,
            format!("activations: {length} given, a multiple of vq.dim = 8 up to buffers.max_k = 64 expected")
        );
    }
    assert_eq!(pack_x(&[0x1234; 64], &config).unwrap().len(), 128);
}
