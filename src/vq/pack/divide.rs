//! Dividing outputs and inputs into what one command takes.

use std::ops::Range;

use crate::config::CoreConfig;

/// How `outputs` outputs of `tokens` tokens (which divide `epilogue.units`) are divided into blocks of at most `max_n_block / tokens`: as few
/// as possible, nearly equal, and where that is possible all but the last fill whole beats with index words and with
/// scales.
pub fn block_sizes(outputs: usize, scale_fp32: bool, tokens: usize, config: &CoreConfig) -> Vec<usize> {
    let word_bits = config.index_word_bits() as usize / tokens;
    let words = (config.stream.width as usize / word_bits).max(1);
    let scales = config.stream.width as usize / if scale_fp32 { 32 } else { 16 };
    // A partly filled beat of index words costs a cycle in every step of the block, one of scales only a cycle.
    divide(outputs, config.buffers.max_n_block as usize / tokens, &[lcm(words, scales), words])
}

/// How `vectors` of `tokens` tokens (as for [`block_sizes`]) are divided into ranges that the activation buffer holds: as few as possible,
/// nearly equal, and where that is possible all but the last are whole tiles.
pub fn vector_ranges(vectors: Range<usize>, tokens: usize, config: &CoreConfig) -> Vec<Range<usize>> {
    let (tile, most) = (config.tile_vectors() as usize, config.max_vectors() as usize);
    let of_token = tile / tokens;
    // Several tokens are loaded in whole tiles.
    let most = if tokens == 1 { most } else { most / tile * of_token };
    ranges_from(vectors.start, divide(vectors.len(), most, &[of_token]))
}

/// Divides `total` into parts of at most `max`: as few as possible, nearly equal, and all but the last a multiple of the
/// first of `units` for which that is possible, if there is one.
pub(in crate::vq) fn divide(total: usize, max: usize, units: &[usize]) -> Vec<usize> {
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

/// Ranges of these lengths, one after the other from `start` on.
pub(super) fn ranges_from(start: usize, lengths: Vec<usize>) -> Vec<Range<usize>> {
    let mut start = start;
    let range = |length| {
        start += length;
        start - length..start
    };
    lengths.into_iter().map(range).collect()
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut gcd, mut rest) = (a, b);
    while rest != 0 {
        (gcd, rest) = (rest, gcd % rest);
    }
    a / gcd * b
}
