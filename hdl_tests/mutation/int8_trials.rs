//! INT8 products that together use everything that a core has for them, alone and between layers.

use crate::harness::{Work, work};
use crate::int8_work::{int8_layer, int8_work};
use crate::programs::{layer, refusals, refused, with_fp32_scales};
use crate::trials::{Kinds, Trial};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::RunOptions;
use eva_rtl::rtl::array::psum_distance;
use eva_rtl::vq::Distribution;
use eva_rtl::vq::int8::{Int8Distribution, Int8Layer, Int8Shape};

/// An INT8 product of `tiles` k tiles, the last one not quite full.
fn product(cfg: &CoreConfig, tokens: usize, tiles: usize, outputs: usize, raw: bool, seed: u64) -> Work {
    let inputs = tiles * cfg.k_tile() as usize - seed as usize % 2;
    let (layer, x) = int8_layer(inputs, outputs, tokens, Int8Distribution::Extreme, seed);
    int8_work(cfg, &layer, &x, tokens, raw)
}

/// In an order in which most broken cores fail early.
pub fn int8_trials(cfg: &CoreConfig, kinds: &Kinds) -> Vec<Trial> {
    let lanes = cfg.lanes() as usize;
    let (most_m, distance) = (cfg.max_tokens() as usize, psum_distance(cfg) as usize);
    let decode = |seed| {
        let (layer, x) = layer(cfg, 3.min(cfg.max_vectors() as usize), 5, 1, Distribution::Wide, seed);
        if seed % 2 == 0 { work(cfg, &layer, &x) } else { work(cfg, &with_fp32_scales(&layer), &x) }
    };
    // The weights have taken the place of the activations.
    let none_loaded = |mut work: Work| {
        work.commands.extend(refusals(cfg, 0, 1).into_iter().map(|(bits, status)| refused(bits, status)));
        work
    };
    let sequence = |works: Vec<Work>| Work::sequence(cfg, works);
    let mut all = Vec::new();
    let mut add = |name, work, options: &RunOptions| all.push(Trial::new(name, work, options));

    let few_tiles = product(cfg, 3, lanes.div_ceil(2), 2 * lanes + 1, true, 100);
    let many_tiles = product(cfg, most_m, lanes + 3, lanes + 2, false, 101);
    add("INT8 products", sequence(vec![few_tiles.clone(), many_tiles.clone()]), &kinds.calm);
    add("INT8 products, stalled", sequence(vec![few_tiles.clone(), many_tiles.clone()]), &kinds.random);
    let between = vec![decode(1), none_loaded(few_tiles), decode(2), none_loaded(many_tiles), decode(3)];
    add("between decoded layers", sequence(between), &kinds.calm);

    // Around the distance at which a sum may be touched again, and around the number of rows.
    let numbers = (1..=distance + 2).chain([cfg.array.rows as usize, cfg.array.rows as usize + 1]);
    let numbers: Vec<usize> = numbers.filter(|m| *m <= most_m).collect();
    for raw in [true, false] {
        let products = |tiles: usize| {
            let one = |m: &usize| product(cfg, *m, tiles, lanes + 1, raw, 110 + *m as u64);
            sequence(numbers.iter().map(one).collect())
        };
        add("few tokens", products(lanes + 2), &kinds.calm);
        add("few tokens and tiles", products(1), &kinds.calm);
        add("few tokens, starved", products(2), &kinds.starved);
    }
    for outputs in [1, 2, lanes, lanes + 1] {
        let works = [1, 2, lanes, lanes + 1, lanes + 2].map(|tiles| product(cfg, 2, tiles, outputs, true, 130));
        add("all kinds of periods", sequence(works.to_vec()), &kinds.calm);
    }
    let most_n = cfg.buffers.max_n_block as usize;
    add("largest sizes", product(cfg, most_m, 2, most_n, true, 140), &kinds.calm);
    add("more outputs than the queue holds", product(cfg, most_m, 3, 2 * lanes + 2, false, 141), &kinds.blocked);
    add("more sums than the queue holds", product(cfg, most_m, 3, 2 * lanes + 2, true, 142), &kinds.blocked);
    add("INT8 bursts", product(cfg, most_m, lanes + 2, lanes + 2, false, 143), &kinds.bursts);
    add("tokens in blocks", product(cfg, most_m + 3, 3, 3, true, 144), &kinds.random);
    add("every kind of scale", every_scale(cfg), &kinds.calm);
    let most_tiles = (cfg.max_k_tiles() as usize).min(1 << 12);
    add("the longest outputs", product(cfg, 1, most_tiles, 1, true, 150), &kinds.calm);

    let again = sequence(vec![product(cfg, 5, 3, lanes + 1, false, 160), decode(4)]);
    let before = sequence(vec![product(cfg, 5.min(most_m), 2, lanes + 2, true, 161), decode(5), again.clone()]);
    // Sums that are sent as they are meet nothing on their way out that a reset stops.
    let raw = product(cfg, 1, lanes + 1, 2 * lanes, true, 162);
    for (work, resets) in [(again, 10), (before, 10), (raw, 40)] {
        let cut_off = (0..resets).map(|i| 20 + i * 37 % 290).collect();
        all.push(Trial::new("after resets in the middle", work, &kinds.calm).after_resets(cut_off));
    }
    all
}

/// Sums of few bits and the largest ones of a tile with scales of every exponent.
fn every_scale(cfg: &CoreConfig) -> Work {
    let scales = (0..=255u32).flat_map(|exponent| [0, 1, 0x7F_FFFF].map(|fraction| exponent << 23 | fraction));
    let scales: Vec<u32> = scales.enumerate().map(|(i, bits)| bits | (i as u32 % 2) << 31).collect();
    let shape = Int8Shape { inputs: 2, outputs: scales.len() };
    let x = [[0, 0], [0, 1], [0, -1], [16, 1], [-128, -128]].concat();
    let weights = (0..shape.outputs).flat_map(|_| [127, 1]).collect();
    let layer = Int8Layer::new("scales", shape, weights, scales).unwrap();
    int8_work(cfg, &layer, &x, 5, false)
}
