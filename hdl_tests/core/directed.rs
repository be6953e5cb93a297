//! Layers of chosen numbers, in which few terms meet so that each shows: special values, ties, cancellation, all kinds
//! of scales.

use eva_rtl::config::CoreConfig;
use eva_rtl::vq::{Layer, LayerShape, Scales};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ONE: u16 = 0x3C00;
const HALF: u16 = 0x3800;
/// The smallest subnormal: 2^-24.
const HAIR: u16 = 0x0001;
const INFINITY: u16 = 0x7C00;
const SIGN: u16 = 0x8000;

/// Harmless: zeros of both signs, subnormals, values near one.
const ORDINARY: [u16; 12] = [0, SIGN, ONE, ONE | SIGN, 0x3C01, 0xBBFF, HALF, 0x4000, 0x0001, 0x8001, 0x03FF, 0x0400];
/// Infinities, NaN of several patterns, the largest values.
const SPECIAL: [u16; 10] =
    [INFINITY, INFINITY | SIGN, INFINITY, INFINITY | SIGN, 0x7E00, 0x7C01, 0xFE00, 0xFFFF, 0x7BFF, 0xFBFF];

/// A layer and its activations, with the name of the idea.
pub struct Directed {
    pub name: &'static str,
    pub layer: Layer,
    pub x: Vec<u16>,
}

/// All of them, in sizes that a core of these parameters can run.
pub fn directed(cfg: &CoreConfig) -> Vec<Directed> {
    let mut all = Vec::new();
    all.extend(special_entries(cfg));
    all.extend(special_activations(cfg));
    all.push(special_terms(cfg, 300));
    all.extend(cancelled_specials(cfg));
    all.push(row_ties(cfg));
    all.extend(sums(cfg));
    all.push(small_sums(cfg));
    all.push(largest_sums(cfg));
    all.extend(scales(cfg));
    all
}

/// What a layer is made of.
struct Draft<'a> {
    cfg: &'a CoreConfig,
    name: &'static str,
    vectors: u32,
    codebooks: u32,
    outputs: usize,
}

impl Draft<'_> {
    fn shape(&self) -> LayerShape {
        let vectors = self.vectors.min(self.cfg.max_vectors()) as usize;
        let codebooks = self.codebooks.min(self.cfg.vq.max_codebooks) as usize;
        let (dim, index_bits) = (self.cfg.vq.dim as usize, self.cfg.vq.index_bits);
        LayerShape { inputs: vectors * dim, outputs: self.outputs, dim, index_bits, codebooks }
    }

    /// `entry(c, e)` gives the `dim` values of an entry, `code(n, v, c)` a code (taken modulo the number of entries).
    fn build(
        self,
        mut entry: impl FnMut(usize, usize) -> Vec<u16>,
        mut code: impl FnMut(usize, usize, usize) -> usize,
        scales: Scales,
        x: impl FnOnce(LayerShape) -> Vec<u16>,
    ) -> Directed {
        let shape = self.shape();
        let (vectors, entries) = (shape.vectors(), shape.entries());
        let centroids = (0..shape.codebooks * entries).flat_map(|i| entry(i / entries, i % entries)).collect();
        let per_output = vectors * shape.codebooks;
        let codes = (0..shape.outputs * per_output)
            .map(|i| (code(i / per_output, i / shape.codebooks % vectors, i % shape.codebooks) % entries) as u16)
            .collect();
        let layer = Layer::new(self.name, shape, centroids, codes, scales).unwrap();
        Directed { name: self.name, layer, x: x(shape) }
    }
}

fn same_scale(scale: u16, outputs: usize) -> Scales {
    Scales::F16(vec![scale; outputs])
}

/// Entries with rare special values, over one vector, part of a tile, and just more than one tile.
fn special_entries(cfg: &CoreConfig) -> Vec<Directed> {
    let mut rng = ChaCha8Rng::seed_from_u64(201);
    let dim = cfg.vq.dim;
    let tile = cfg.tile_vectors();
    [(1, 1), (1, 2), (2, 1), (tile.div_ceil(2), 2), (tile + 1, 1)]
        .into_iter()
        .map(|(vectors, codebooks)| {
            let draft = Draft { cfg, name: "special values in entries", vectors, codebooks, outputs: 60 };
            let terms = draft.shape().vectors() as u32 * draft.shape().codebooks as u32;
            // Some outputs have no special term, most have one, some have two.
            let mut value = || {
                let special = rng.random_range(0..terms * dim) == 0;
                *if special { SPECIAL.choose(&mut rng) } else { ORDINARY.choose(&mut rng) }.unwrap()
            };
            let scales = Scales::F16((0..60).map(|i| [ONE, ONE | SIGN, HALF][i % 3]).collect());
            let x =
                |shape: LayerShape| (0..shape.inputs).map(|i| [ONE, ONE | SIGN, HALF, 0x3C01, 0x4000][i % 5]).collect();
            draft.build(|_, _| (0..dim).map(|_| value()).collect(), |n, v, c| 5 * n + 3 * v + c + n * v, scales, x)
        })
        .collect()
}

/// One special activation among ordinary ones against all kinds of entries.
fn special_activations(cfg: &CoreConfig) -> Vec<Directed> {
    let dim = cfg.vq.dim as usize;
    let entries = cfg.entries().min(16) as usize;
    let mut rng = ChaCha8Rng::seed_from_u64(202);
    [INFINITY, INFINITY | SIGN, 0x7E00, 0x7C01, 0, SIGN, 0x0001, 0x7BFF]
        .into_iter()
        .map(|special| {
            let place = rng.random_range(0..dim);
            let draft = Draft { cfg, name: "special activation", vectors: 1, codebooks: 1, outputs: entries };
            let mut met = [0, SIGN, HAIR, 0x3C01, 0xBBFF, INFINITY, 0x0200, 0x7E00, ONE].into_iter().cycle();
            let entry = |_, _| {
                let mut values: Vec<u16> = (0..dim).map(|_| *ORDINARY.choose(&mut rng).unwrap()).collect();
                values[place] = met.next().unwrap();
                values
            };
            let x = |shape: LayerShape| (0..shape.inputs).map(|j| if j == place { special } else { ONE }).collect();
            draft.build(entry, |n, _, _| n, same_scale(ONE, entries), x)
        })
        .collect()
}

/// Up to three special terms per output, of all kinds, at any vectors of two tiles; the products beside them in a row
/// are finite.
pub fn special_terms(cfg: &CoreConfig, outputs: usize) -> Directed {
    let dim = cfg.vq.dim as usize;
    let entries = cfg.entries() as usize;
    let draft = Draft { cfg, name: "special terms", vectors: cfg.tile_vectors() + 3, codebooks: 1, outputs };
    let vectors = draft.shape().vectors();
    let mut rng = ChaCha8Rng::seed_from_u64(205);
    // Of each kind one entry in four: finite, NaN, infinities. The last entries, if there are many, hold all of these
    // at once.
    let entry = |_, e: usize| {
        let mut values: Vec<u16> = (0..dim).map(|j| [ONE, 0xBC01, 0x4000, 0xB800][(e + e / 4 + j) % 4]).collect();
        let specials = [ONE, 0x7E00, INFINITY, INFINITY | SIGN];
        values[(e / 4) % dim] = specials[e % 4];
        if e + 1 == entries && dim > 2 {
            values[..3].copy_from_slice(&specials[1..]);
        }
        values
    };
    let mut codes: Vec<usize> = (0..outputs * vectors).map(|_| 4 * rng.random_range(0..entries / 4)).collect();
    for codes in codes.chunks_mut(vectors) {
        for _ in 0..rng.random_range(0..4) {
            codes[rng.random_range(0..vectors)] = rng.random_range(0..entries);
        }
    }
    let x = |shape: LayerShape| {
        (0..shape.inputs).map(|i| [ONE, ONE | SIGN, 0x3C01, ONE, 0xBC01, HALF, 0xC000][i % 7]).collect()
    };
    let scales = Scales::F16((0..outputs).map(|n| [ONE, ONE | SIGN, ONE, 0, INFINITY, 0x7E00][n % 6]).collect());
    draft.build(entry, |n, v, _| codes[n * vectors + v], scales, x)
}

/// A NaN, and an infinity, whose bits, taken for a number, cancel with the finite terms, and scales that would make
/// something else of a zero.
fn cancelled_specials(cfg: &CoreConfig) -> [Directed; 2] {
    let dim = cfg.vq.dim as usize;
    // A bank makes -32768 and -65536 of their bits, at which nobody must look: the flags are what counts.
    let nan = ("NaN among terms that cancel", [0x7E00, 0x7800, 0, 0]);
    let infinity = ("infinity among terms that cancel", [INFINITY, 0x7BFF, 0x5000, 0]);
    [nan, infinity].map(|(name, terms)| {
        let scales = Scales::F16(vec![INFINITY, INFINITY | SIGN, 0, ONE, 0x7E00]);
        let draft = Draft { cfg, name, vectors: 2, codebooks: 2, outputs: 5 };
        let entry = |_, e: usize| {
            let mut values = vec![0; dim];
            values[0] = terms[e % 4];
            values
        };
        let x = |shape: LayerShape| (0..shape.inputs).map(|i| if i % dim == 0 { ONE } else { 0 }).collect();
        draft.build(entry, |_, v, c| 2 * v + c, scales, x)
    })
}

/// Dot products exactly between two FP16 numbers, and 2^-48 to either side; and as small as products can be.
fn row_ties(cfg: &CoreConfig) -> Directed {
    let dim = cfg.vq.dim as usize;
    // Half a unit in the last place of 1 is 2^-11.
    let half_place = [0x1000, 0x1400];
    let mut rng = ChaCha8Rng::seed_from_u64(203);
    let outputs = 4 * cfg.entries().min(32) as usize;
    let draft = Draft { cfg, name: "ties of dot products", vectors: 4, codebooks: 2, outputs };
    let entry = |c: usize, e: usize| {
        let sign = if e.is_multiple_of(2) { 0 } else { SIGN };
        let value = if c == 0 { ONE } else { 0x3C00 + (e as u16 / 2) };
        let mut values = vec![
            value | sign,
            half_place[c] | sign,
            [0, HAIR, HAIR | SIGN][e % 3],
            [HAIR, SIGN, 0, HAIR | SIGN][e / 2 % 4],
        ];
        values.resize(dim.max(4), 0);
        values.truncate(dim);
        if dim == 1 {
            // One product alone makes ties too: significands of 11 bits times odd ones.
            values[0] = sign | (0x3C01 + 2 * rng.random_range(0..511u16));
        }
        values
    };
    // Vectors: the tie; the tie with hairs; hairs alone; a subnormal result.
    let x = |shape: LayerShape| {
        let rows = [[ONE, ONE, HAIR, 0], [0x3E00, ONE, HAIR, HAIR], [0, 0, HAIR, ONE], [0x0400, 0x0400, 0x0001, HAIR]];
        (0..shape.inputs).map(|i| rows[i / dim % 4].get(i % dim).copied().unwrap_or(ONE)).collect()
    };
    // Only one vector matters for an output where the codebook allows it: the others meet entry 0.
    draft.build(entry, |n, v, c| if n % 4 == v && c == 0 { n / 4 } else { (n + v) * c }, same_scale(ONE, outputs), x)
}

/// Sums of exact values: ties, cancellation down to the last bit, long carries, one term alone; scales that are powers
/// of two.
fn sums(cfg: &CoreConfig) -> Vec<Directed> {
    let dim = cfg.vq.dim as usize;
    let mut rng = ChaCha8Rng::seed_from_u64(204);
    let palette = [
        0,
        HAIR,
        HAIR | SIGN,
        ONE,
        ONE | SIGN,
        0x1000,
        0x9000,
        0x0C00,
        0x8C00,
        0x3BFF,
        0xBBFF,
        0x7BFF,
        0xFBFF,
        0x03FF,
        0x83FF,
        0x5BFF,
        0xDBFF,
    ];
    [(1, 1), (2, 1), (3, 2), (cfg.tile_vectors() + 1, 2), (2 * cfg.tile_vectors() + 1, 3)]
        .into_iter()
        .flat_map(|(vectors, codebooks)| [ONE, 0x0400, 0xBC00, 0x6800].map(|scale| (vectors, codebooks, scale)))
        .map(|(vectors, codebooks, scale)| {
            let outputs = 24;
            let draft = Draft { cfg, name: "exact sums", vectors, codebooks, outputs };
            let x = |shape: LayerShape| (0..shape.inputs).map(|i| if i % dim == 0 { ONE } else { 0 }).collect();
            let first = rng.random_range(0..palette.len());
            let entry = |c: usize, e: usize| {
                let mut values = vec![0; dim];
                values[0] = palette[(first + e + 5 * c) % palette.len()];
                values
            };
            let codes: Vec<usize> = (0..outputs * 4096).map(|_| rng.random_range(0..4096)).collect();
            draft.build(entry, |n, v, c| codes[n * 4096 + v * 8 + c], same_scale(scale, outputs), x)
        })
        .collect()
}

/// Terms of a few units of 2^-24 in all banks and codebooks, so that each sum is exact and a single unit too many
/// shows.
fn small_sums(cfg: &CoreConfig) -> Directed {
    let dim = cfg.vq.dim as usize;
    let outputs = 60;
    let draft = Draft { cfg, name: "small sums", vectors: 2 * cfg.tile_vectors(), codebooks: 2, outputs };
    let per_output = draft.shape().vectors() * draft.shape().codebooks;
    let mut rng = ChaCha8Rng::seed_from_u64(206);
    let codes: Vec<usize> = (0..outputs * per_output).map(|_| rng.random_range(0..4096)).collect();
    let entry = |c: usize, e: usize| {
        let mut values = vec![0; dim];
        values[0] = [HAIR, HAIR | SIGN, SIGN, 0x0002, 0x8003][(e + c) % 5];
        values
    };
    let x = |shape: LayerShape| (0..shape.inputs).map(|i| if i % dim == 0 { ONE } else { 0 }).collect();
    let (vectors, codebooks) = (draft.shape().vectors(), draft.shape().codebooks);
    draft.build(entry, |n, v, c| codes[(n * vectors + v) * codebooks + c], same_scale(ONE, outputs), x)
}

/// As many and as large terms as the accumulators hold, and dot products as large as they can be.
fn largest_sums(cfg: &CoreConfig) -> Directed {
    const LARGEST: u16 = 0x7BFF;
    let dim = cfg.vq.dim as usize;
    let (vectors, codebooks) = (cfg.max_vectors(), cfg.vq.max_codebooks);
    let draft = Draft { cfg, name: "largest sums", vectors, codebooks, outputs: 6 };
    let last = draft.shape().vectors() - 1;
    // Entries 0 and 1: one product, the largest value. Entries 2 and 3: the largest products in all places, so
    // infinity.
    let entry = |_, e: usize| {
        let mut values = vec![if e % 4 < 2 { 0 } else { LARGEST }; dim];
        values[0] = if e % 4 < 2 { ONE } else { LARGEST };
        values.iter().map(|v| v | (e as u16 % 2) << 15).collect()
    };
    let scales = Scales::F16([0x0001, 0x0001, 0x0400, 0x8400, ONE, ONE].to_vec());
    let code = |n: usize, v, c| {
        if n < 4 {
            n % 2
        } else if (v, c) == (last, 0) {
            n - 2
        } else {
            0
        }
    };
    draft.build(entry, code, scales, |shape| vec![LARGEST; shape.inputs])
}

/// One value per output times every kind of scale, FP16 and FP32.
fn scales(cfg: &CoreConfig) -> Vec<Directed> {
    let dim = cfg.vq.dim as usize;
    let values: [u16; 16] = [
        0,
        ONE,
        ONE | SIGN,
        HAIR,
        HAIR | SIGN,
        INFINITY,
        INFINITY | SIGN,
        0x7E00,
        0x3FFF,
        0xBBFF,
        0x7BFF,
        0xFBFF,
        0x0400,
        0x83FF,
        0x3C01,
        0x4200,
    ];
    let halves: Vec<u16> = [
        0x0000, 0x0001, 0x0002, 0x0200, 0x03FF, 0x0400, 0x0401, 0x1400, 0x2400, 0x3800, 0x3BFF, 0x3C00, 0x3C01, 0x4000,
        0x7800, 0x7BFF, 0x7C00, 0x7C01, 0x7E00, 0x7FFF,
    ]
    .into_iter()
    .flat_map(|s| [s, s | SIGN])
    .collect();
    // Magnitudes around every place where a product with a value above becomes subnormal, vanishes, overflows or ties.
    let singles: Vec<u32> = [
        0,
        1,
        0x0040_0000,
        0x007F_FFFF,
        0x0080_0000,
        0x0080_0001,
        0x2000_0000,
        0x32FF_FFFF,
        0x3300_0000,
        0x3300_0001,
        0x337F_FFFF,
        0x3380_0000,
        0x3380_0001,
        0x33C0_0000,
        0x37FF_E000,
        0x3800_0000,
        0x387F_C000,
        0x387F_E000,
        0x387F_F000,
        0x3880_0000,
        0x3F7F_FFFF,
        0x3F80_0000,
        0x3F80_0001,
        0x3F80_1000,
        0x3F80_3000,
        0x477F_E000,
        0x477F_EFFF,
        0x477F_F000,
        0x4780_0000,
        0x7F7F_FFFF,
        0x7F80_0000,
        0x7F80_0001,
        0x7FA0_0000,
        0x7FC0_0000,
        0x7FFF_FFFF,
    ]
    .into_iter()
    .flat_map(|s| [s, s | 1 << 31])
    .collect();
    let used = (cfg.entries() as usize).min(values.len());
    let all = [Scales::F16(halves), Scales::F32(singles)];
    let mut layers = Vec::new();
    for scales in all {
        for shift in (0..values.len()).step_by(used) {
            let count = scales.len();
            let outputs = count * used;
            let repeated = match &scales {
                Scales::F16(s) => Scales::F16((0..outputs).map(|n| s[n % count]).collect()),
                Scales::F32(s) => Scales::F32((0..outputs).map(|n| s[n % count]).collect()),
            };
            let draft = Draft { cfg, name: "all kinds of scales", vectors: 1, codebooks: 1, outputs };
            let entry = |_, e: usize| {
                let mut entry = vec![0; dim];
                entry[0] = values[(shift + e) % values.len()];
                entry
            };
            let x = |shape: LayerShape| (0..shape.inputs).map(|i| if i == 0 { ONE } else { 0 }).collect();
            layers.push(draft.build(entry, |n, _, _| n / count, repeated, x));
        }
    }
    layers
}
