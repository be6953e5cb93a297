//! Chosen dot products: one for each entry of a codebook, and each an output of its own.

use crate::harness::{Work, work};
use eva_rtl::config::CoreConfig;
use eva_rtl::vq::{Layer, LayerShape, Scales};

const ONE: u16 = 0x3C00;

/// A layer of one vector `x` whose outputs are its dot products with each of `entries`, as many as a codebook has;
/// numbers that are not given are 0.
fn products(cfg: &CoreConfig, x: &[u16], entries: &[Vec<u16>]) -> Work {
    let (dim, index_bits) = (cfg.vq.dim as usize, cfg.vq.index_bits);
    let whole = |values: &[u16]| (0..dim).map(|i| values.get(i).copied().unwrap_or(0)).collect::<Vec<u16>>();
    let (used, all) = (entries.len(), cfg.entries() as usize);
    let nothing = std::iter::repeat_n(whole(&[]), all - used);
    let centroids = entries.iter().map(|e| whole(e)).chain(nothing).flatten().collect();
    let shape = LayerShape { inputs: dim, outputs: used, dim, index_bits, codebooks: 1 };
    let codes = (0..used as u16).collect();
    let layer = Layer::new("products", shape, centroids, codes, Scales::F16(vec![ONE; used])).unwrap();
    work(cfg, &layer, &whole(x))
}

/// Infinities of both signs times the smallest numbers, whose signs must not be lost.
pub fn infinities(cfg: &CoreConfig) -> Work {
    let entries = [0x7C00, 0xFC00, 0x0001, 0x8002].map(|value| vec![value]);
    Work::sequence(cfg, [0x0001, 0x8001, 0x8002, 0x8003, 0x7C00, 0xFC00].map(|x| products(cfg, &[x], &entries)))
}

/// Ties at every exponent, each with a single bit at every place below it.
pub fn single_bits(cfg: &CoreConfig) -> Work {
    // 1.5 * (1 + 3 * 2^-10): half a unit above an even significand.
    const TIE: [u16; 2] = [0x3E00, 0x3C03];
    /// 2^-24.
    const HAIR: u16 = 0x0001;
    let power = |exponent: i32| if exponent < -14 { 1 << (exponent + 24) } else { ((exponent + 15) as u16) << 10 };
    let mut works = Vec::new();
    for (factor, places) in [(ONE, -24..=3), (HAIR, -48..=-25)] {
        let mut entries = Vec::new();
        for exponent in -14..=14 {
            let tie = TIE[1].wrapping_add((exponent as u16) << 10);
            for place in places.clone().filter(|place| *place < exponent - 11) {
                let bit = power(if factor == HAIR { place + 24 } else { place });
                entries.push(vec![tie, bit]);
                if exponent % 4 == 0 {
                    entries.push(vec![tie | 0x8000, bit | 0x8000]);
                }
            }
        }
        works.extend(
            entries
                .chunks(cfg.entries().min(cfg.buffers.max_n_block) as usize)
                .map(|entries| products(cfg, &[TIE[0], factor], entries)),
        );
    }
    Work::sequence(cfg, works)
}

/// The largest products: alone, all of one sign, and such that cancel in every pair of places.
pub fn largest(cfg: &CoreConfig) -> Work {
    const LARGEST: u16 = 0x7BFF;
    let dim = cfg.vq.dim as usize;
    let pairs = (0..dim).flat_map(|i| (0..dim).map(move |j| (i, j))).filter(|(i, j)| i != j);
    let entries: Vec<Vec<u16>> = pairs
        .map(|(i, j)| {
            let mut entry = vec![0; dim];
            (entry[i], entry[j]) = (LARGEST, LARGEST | 0x8000);
            entry
        })
        .chain([vec![LARGEST], vec![LARGEST; dim], vec![LARGEST | 0x8000; dim]])
        .collect();
    let layers = entries.chunks(cfg.entries() as usize).map(|entries| products(cfg, &vec![LARGEST; dim], entries));
    Work::sequence(cfg, layers)
}
