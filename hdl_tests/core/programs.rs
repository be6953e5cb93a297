//! Sequences of commands: layers in ranges of inputs, parts of what is loaded, refusals.

use crate::harness::{Work, activations, work};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;
use eva_rtl::golden;
use eva_rtl::vq::{self, Distribution, Layer, LayerShape, Operation, Packer, Scales, VqGemv};
use eva_rtl::vq::{random_activations, random_layer};
use std::ops::Range;

/// A random layer of `vectors` vectors that a core of these parameters can run, and its activations.
pub fn layer(
    cfg: &CoreConfig,
    vectors: usize,
    outputs: usize,
    codebooks: usize,
    distribution: Distribution,
    seed: u64,
) -> (Layer, Vec<u16>) {
    let (dim, index_bits) = (cfg.vq.dim as usize, cfg.vq.index_bits);
    let shape = LayerShape { inputs: vectors * dim, outputs, dim, index_bits, codebooks };
    (random_layer(shape, distribution, seed).unwrap(), random_activations(shape.inputs, distribution, seed + 1))
}

/// The layer with other scales: FP32 ones that bring products into the range of FP16, or near it.
pub fn with_fp32_scales(layer: &Layer) -> Layer {
    let scale = |i: u32| 0x2E00_0000 + i.wrapping_mul(0x0123_4567) % 0x1400_0000;
    let scales = Scales::F32((0..layer.shape().outputs as u32).map(scale).collect());
    let (centroids, codes) = (layer.centroids().to_vec(), layer.codes().to_vec());
    Layer::new(layer.name(), layer.shape(), centroids, codes, scales).unwrap()
}

/// A command that is executed.
pub fn executed(tag: u16, operation: Operation, outputs: &[u16]) -> Command {
    let bits = vq::Command { tag, operation }.to_bytes();
    Command { bits, status: 0, outputs: outputs.iter().map(|y| u32::from(*y)).collect() }
}

/// A refused command: beats of no stream, outputs none.
pub fn refused(bits: u128, status: u8) -> Command {
    Command { bits: bits.to_le_bytes(), status, outputs: Vec::new() }
}

/// A layer of one block whose inputs come in ranges, each with its own activations, into the same accumulators.
pub fn ranges(cfg: &CoreConfig, layer: &Layer, x: &[u16], ranges: &[Range<usize>]) -> Work {
    let shape = layer.shape();
    let codebooks = shape.codebooks as u8;
    let packer = Packer::new(layer, cfg).unwrap();
    let expected = golden::vq_gemv(x, &layer.golden());
    let mut work = Work::empty(cfg);
    work.commands.push(executed(0, Operation::LoadCodebooks { slot: 0, codebooks }, &[]));
    work.weights.extend(packer.codebooks(0..shape.codebooks));
    for (i, range) in ranges.iter().enumerate() {
        let (first, last) = (i == 0, i + 1 == ranges.len());
        let (vectors, outputs) = (range.len() as u32, shape.outputs as u32);
        let scale_fp32 = last && matches!(layer.scales(), Scales::F32(_));
        let gemv = VqGemv { first, last, scale_fp32, codebooks, vectors, outputs, ..VqGemv::default() };
        work.commands.push(executed(10 + i as u16, Operation::LoadX { vectors }, &[]));
        if first && !last {
            // Begun, and begun anew: what has been added up so far is dropped.
            work.commands.push(executed(30, Operation::VqGemv(gemv), &[]));
            work.weights.extend(packer.indices(0..shape.outputs, range.clone()));
        }
        work.commands.push(executed(20 + i as u16, Operation::VqGemv(gemv), if last { &expected } else { &[] }));
        work.activations.extend(activations(cfg, &x[range.start * shape.dim..range.end * shape.dim]));
        if last {
            work.weights.extend(packer.scales(0..shape.outputs));
        } else if outputs < cfg.buffers.max_n_block {
            // Not a part of this chain: it has another number of outputs.
            let other = VqGemv { first: false, outputs: outputs + 1, ..gemv };
            let bits = vq::Command { tag: 99, operation: Operation::VqGemv(other) }.to_bytes();
            work.commands.push(refused(u128::from_le_bytes(bits), 5));
        }
        work.weights.extend(packer.indices(0..shape.outputs, range.clone()));
    }
    // The chain has ended, whatever came since.
    let outputs = shape.outputs as u32;
    let more = VqGemv { first: false, codebooks, outputs, ..VqGemv::default() };
    let bits = vq::Command { tag: 98, operation: Operation::VqGemv(more) }.to_bytes();
    work.commands.extend([refused(0, 1), refused(u128::from_le_bytes(bits), 5)]);
    work
}

/// Loads a whole layer, then computes layers of its first vectors and codebooks, and in the end the layer itself.
pub fn parts(cfg: &CoreConfig, layer: &Layer, x: &[u16], parts: &[(usize, usize)]) -> Work {
    let shape = layer.shape();
    let whole = (shape.vectors(), shape.codebooks);
    let mut all = Work::empty(cfg);
    for (i, &(vectors, codebooks)) in [whole].iter().chain(parts).chain([&whole]).enumerate() {
        let part = LayerShape { inputs: vectors * shape.dim, codebooks, ..shape };
        let centroids = layer.centroids()[..codebooks * shape.entries() * shape.dim].to_vec();
        let of = layer.codes().chunks(shape.codebooks).enumerate();
        let codes =
            of.filter(|(nv, _)| nv % shape.vectors() < vectors).flat_map(|(_, c)| c[..codebooks].to_vec()).collect();
        let part = Layer::new("part", part, centroids, codes, layer.scales().clone()).unwrap();
        let mut work = work(cfg, &part, &x[..vectors * shape.dim]);
        if i > 0 {
            // Codebooks and activations are there already.
            let loaded = Packer::new(&part, cfg).unwrap().codebooks(0..codebooks).len();
            work.commands.drain(..2);
            work.weights.drain(..loaded);
            work.activations.clear();
        }
        all.append(work);
    }
    all
}

/// Commands that are refused while `vectors` vectors and `codebooks` codebooks are loaded, with their statuses.
pub fn refusals(cfg: &CoreConfig, vectors: u32, codebooks: u32) -> Vec<(u128, u8)> {
    const UNKNOWN: u8 = 1;
    const RANGE: u8 = 2;
    const RESERVED: u8 = 3;
    const NOT_LOADED: u8 = 4;
    const NO_CHAIN: u8 = 5;
    let (most_v, most_n) = (u128::from(cfg.max_vectors()), u128::from(cfg.buffers.max_n_block));
    let (most_m, most_t) = (u128::from(cfg.max_tokens()), u128::from(cfg.max_k_tiles()));
    let most_c = u128::from(cfg.vq.max_codebooks);
    let load_codebooks = |c: u128| 1 | c << 32;
    let load_x = |v: u128| 2 | v << 64;
    let gemv = |c: u128, v: u128, n: u128| 3 | 3 << 8 | c << 32 | 1 << 40 | v << 64 | n << 96;
    let int8 = |m: u128, t: u128, n: u128| 4 | m << 40 | t << 64 | n << 96;
    const RAW: u128 = 1 << 11;
    const GROUPED: u128 = 1 << 15;
    let mut all = vec![(0, UNKNOWN), (5, UNKNOWN), (12, UNKNOWN), (255 | 1 << 32, UNKNOWN), (128 | 1, UNKNOWN)];

    // Sizes of zero and beyond the parameters, each alone and with others.
    let beyond = |most: u128, width: u32| {
        let powers = (0..width).map(|bit| 1 << bit).filter(move |size| *size > most);
        [0, most + 1, (1 << width) - 1].into_iter().filter(move |size| size >> width == 0).chain(powers)
    };
    for c in beyond(most_c, 8) {
        all.extend([load_codebooks(c), gemv(c, 1, 1), gemv(c, most_v + 1, 0)].map(|bits| (bits, RANGE)));
    }
    for v in beyond(most_v, 32) {
        all.extend([load_x(v), gemv(1, v, 1), gemv(most_c + 1, v, most_n + 1)].map(|bits| (bits, RANGE)));
    }
    for n in beyond(most_n, 32) {
        all.extend([gemv(1, 1, n), gemv(0, 1, n), int8(1, 1, n), int8(1, 1, n) | RAW].map(|bits| (bits, RANGE)));
    }
    // Slots beyond the last one.
    for slot in (0..8).filter(|slot| *slot > 0) {
        let too_many = (most_c + 1).saturating_sub(slot).max(1);
        if too_many <= most_c {
            let slot = slot << 12;
            all.extend(
                [load_codebooks(too_many), gemv(too_many, 1, 1), gemv(too_many, 1, 0)].map(|b| (b | slot, RANGE)),
            );
        }
    }
    // Tokens that do not share the units; tokens and groups that exclude each other or a start.
    let units = u128::from(cfg.epilogue.units);
    let with_tokens = |m: u128, n: u128| gemv(1, 1, n) ^ 1 << 40 ^ m << 40;
    for m in (0..=2 * units + 1).chain([32, 64, 128, 255]).filter(|m| !(m.is_power_of_two() && units % m == 0)) {
        all.push((with_tokens(m, 1), RANGE));
    }
    if units % 2 == 0 {
        all.extend([(with_tokens(2, most_n / 2 + 1), RANGE), (with_tokens(2, 1) | GROUPED, RANGE)]);
        all.extend([(with_tokens(2, 1) | 1 << 48, RANGE), (with_tokens(2, 1) | 1 << 63, RANGE)]);
    }
    if most_c > 1 {
        all.push((gemv(2, 1, 1) | GROUPED, RANGE));
    }
    let most_b = u128::from(cfg.tile_vectors());
    if most_b < most_v {
        all.push((gemv(1, most_b + 1, 1) | GROUPED, RANGE));
    }
    // Groups for more units than there are slots, and in a slot beyond the last one.
    let lanes = u128::from(cfg.lanes());
    for groups in most_c + 1..=units {
        let fits = [(groups - 1) * lanes + 1, groups * lanes].into_iter().filter(|v| *v <= most_v.min(most_b));
        all.extend(fits.map(|v| (gemv(1, v, 1) | GROUPED, RANGE)));
    }
    all.extend((most_c..8).map(|slot| (gemv(1, 1, 1) | GROUPED | slot << 12, RANGE)));
    for m in beyond(most_m, 24) {
        all.extend([int8(m, 1, 1), int8(m, most_t, most_n) | RAW].map(|bits| (bits, RANGE)));
    }
    for t in beyond(most_t, 32) {
        all.extend([int8(1, t, 1), int8(most_m + 1, t, most_n + 1)].map(|bits| (bits, RANGE)));
    }

    // Bits that mean nothing to a command, one and two at a time, in commands with nothing else wrong or with a size
    // out of range.
    let strays = |fields: &[Range<u32>]| {
        let bits: Vec<u128> = fields.iter().flat_map(|f| [f.start, f.end - 1]).map(|bit| 1 << bit).collect();
        let pairs: Vec<u128> =
            (0..bits.len()).flat_map(|i| bits[..=i].iter().map(|b| bits[i] | b).collect::<Vec<_>>()).collect();
        pairs.into_iter().map(|bits| (bits, RESERVED))
    };
    let (slot_field, codebook_field, vector_field, output_field) = (12..15, 32..40, 64..96, 96..128);
    let (flags, grouped, token_field) = (8..12, 15..16, 40..64);
    let of_codebooks = [flags.clone(), 9..11, grouped.clone(), token_field.clone(), vector_field, output_field.clone()];
    let of_x = [flags, 9..11, slot_field, grouped, token_field, codebook_field, output_field];
    let stray_in =
        |command: u128, fields: &[Range<u32>]| strays(fields).map(move |(bits, status)| (command | bits, status));
    all.extend(stray_in(load_codebooks(1), &of_codebooks));
    all.extend(stray_in(load_codebooks(0), &of_codebooks[..2]));
    all.extend(stray_in(load_x(1), &of_x));
    all.extend(stray_in(load_x(most_v + 1), &of_x[..2]));
    all.extend([gemv(1, 1, 1), gemv(most_c + 1, 1, 1), gemv(0, 0, 0)].map(|bits| (bits | RAW, RESERVED)));
    all.push((7 | 1 << 11, UNKNOWN));
    let of_int8 = [8..11, 9..10, 12..16, 32..40];
    all.extend(stray_in(int8(1, 1, 1), &of_int8));
    all.extend(stray_in(int8(1, 1, 1) | RAW, &of_int8));
    all.extend(stray_in(int8(0, 1, 1), &of_int8[..3]));

    // More than is loaded.
    let (v, c) = (u128::from(vectors), u128::from(codebooks));
    let absent = [(v + 1, c.max(1)), (v.max(1), c + 1), (most_v, most_c)];
    for (more_v, more_c) in absent.into_iter().filter(|size| size.0 <= most_v && size.1 <= most_c) {
        if more_v > v || more_c > c {
            all.extend([(gemv(more_c, more_v, 1), NOT_LOADED), (gemv(more_c, more_v, 0), RANGE)]);
        }
    }

    // From a word on that leaves too few, and slots behind those in which there is something.
    let word = 2 * u128::from(cfg.segments());
    if v > 0 && c > 0 {
        all.extend([(gemv(1, 1, 1) | (v / word + 1) << 48, NOT_LOADED), (gemv(1, 1, 1) | 0xFFFF << 48, NOT_LOADED)]);
        all.push((gemv(1, v, 1) | 1 << 48, NOT_LOADED));
        all.push((gemv(1, 1, 0) | 0xFFFF << 48, RANGE));
    }
    if c < most_c && v > 0 {
        all.extend([0, GROUPED].map(|flag| (gemv(1, 1, 1) | flag | c << 12, NOT_LOADED)));
        if c > 0 {
            all.push((gemv(2, 1, 1) | (c - 1) << 12, NOT_LOADED));
        }
        if c > 0 && units > c && v > c * lanes {
            all.push((gemv(1, c * lanes + 1, 1) | GROUPED, NOT_LOADED));
        }
    }
    // Several tokens need whole tiles, however few of the vectors.
    if units % 2 == 0 && c > 0 && v > 0 && v % most_b > 0 && most_n >= 2 {
        all.push((with_tokens(2, 1), NOT_LOADED));
    }

    // Without `first`, where nothing has been begun.
    const FIRST: u128 = 1 << 8;
    if v > 0 && c > 0 {
        all.push((gemv(c, v, 1) ^ FIRST, NO_CHAIN));
        for n in 1..=most_n.min(64) {
            all.push((gemv(1, 1, n) ^ FIRST, NO_CHAIN));
            if units % 2 == 0 && v % most_b == 0 && 2 * n <= most_n {
                all.push((with_tokens(2, n) ^ FIRST, NO_CHAIN));
            }
        }
        all.push((gemv(1, 1, 1) ^ FIRST ^ RAW, RESERVED));
    } else {
        all.push((gemv(1, 1, 1) ^ FIRST, NOT_LOADED));
    }
    all
}

/// A layer with every refused command between its commands, which must not notice, and before them. Activations are
/// loaded before the codebooks if `x_first`.
pub fn with_refusals(cfg: &CoreConfig, layer: &Layer, x: &[u16], x_first: bool) -> Work {
    let shape = layer.shape();
    let mut plain = work(cfg, layer, x);
    if x_first {
        plain.commands.swap(0, 1);
    }
    let mut mixed = Work { commands: Vec::new(), ..plain.clone() };
    let mut tag = 0u16;
    let mut refuse = |mixed: &mut Work, vectors, codebooks| {
        for (bits, status) in refusals(cfg, vectors, codebooks) {
            tag = tag.wrapping_add(0x1235);
            mixed.commands.push(refused(bits | u128::from(tag) << 16, status));
        }
    };
    // Nothing is loaded at the start.
    let (mut vectors, mut codebooks) = (0, 0);
    refuse(&mut mixed, vectors, codebooks);
    for command in plain.commands {
        match command.opcode() {
            1 => codebooks = shape.codebooks as u32,
            2 => vectors = shape.vectors() as u32,
            _ => {}
        }
        mixed.commands.push(command);
        refuse(&mut mixed, vectors, codebooks);
    }
    mixed.append(work(cfg, layer, x));
    mixed
}
