//! Packing of INT8 layers, against a reader of both streams written from `docs/interface.md` alone.

use eva_rtl::config::CoreConfig;
use eva_rtl::vq::Operation;
use eva_rtl::vq::int8::{
    Int8Distribution, Int8Layer, Int8Plan, Int8Shape, Schedule, random_int8_activations, random_int8_layer,
};
use proptest::prelude::*;

use super::fixture::Core;

/// What a core would compute from the streams: sums and scales of every output, in the order in which it would send them.
struct Seen {
    /// `tokens` and `outputs` of each command.
    commands: Vec<(usize, usize)>,
    sums: Vec<i64>,
    /// One for each of `sums`, unless raw.
    scales: Vec<u32>,
    /// Fed passes, by command.
    fed: Vec<usize>,
    /// Multiply-accumulates in each beat of `s_axis_x`, by the number of lanes that have an output, and of inputs below `K`.
    lane_work: Vec<(usize, usize)>,
}

/// Plays a core: word for word as the page says, one command after the other.
fn see(plan: &Int8Plan, weights: &[u8], x: &[u8], config: &CoreConfig) -> Seen {
    let (r, d) = (config.array.rows as usize, config.vq.dim as usize);
    let f = config.array.cols as usize / 4;
    let s = f / d;
    let l = r * s;
    let w = config.stream.width as usize / 8;
    let (mut weights, mut x) = (weights.chunks_exact(w), x.chunks_exact(4 * f));
    let k = plan.shape().inputs;
    let mut seen = Seen { commands: vec![], sums: vec![], scales: vec![], fed: vec![], lane_work: vec![] };
    for command in plan.commands() {
        let Operation::Int8Gemm(gemm) = command.operation else { panic!("{command:?}") };
        let (m, t, n) = (gemm.tokens as usize, gemm.tiles as usize, gemm.outputs as usize);
        assert!((1..=config.epilogue.units << config.vq.index_bits).contains(&gemm.tokens));
        assert!((1..=config.buffers.max_n_block).contains(&gemm.outputs));
        assert!((1..=65536 / (4 * d)).contains(&t));
        seen.commands.push((m, n));
        let mut scales = vec![];
        if !gemm.raw {
            let bytes: Vec<u8> = (0..(4 * n).div_ceil(w)).flat_map(|_| weights.next().unwrap().to_vec()).collect();
            assert!(bytes[4 * n..].iter().all(|byte| *byte == 0), "padding is zero");
            scales.extend(bytes[..4 * n].chunks(4).map(|bytes| u32::from_le_bytes(bytes.try_into().unwrap())));
        }
        let q = t.max(l + 1);
        let passes = q * ((n - 1) / l + 1) + (n - 1) % l;
        let mut sums = vec![vec![None; m]; n];
        let mut running = vec![vec![0; m]; l];
        let mut fed = 0;
        for p in 0..passes {
            let tile = p % q;
            let active = |lane: usize| {
                let output = p.checked_sub(lane).map(|after| lane + l * (after / q));
                output.filter(|output| *output < n)
            };
            if tile < t {
                fed += 1;
                let word_bytes = 4 * f;
                let words: Vec<Vec<u8>> = if word_bytes <= w {
                    let per_beat = w / word_bytes;
                    let beats: Vec<&[u8]> = (0..r.div_ceil(per_beat)).map(|_| weights.next().unwrap()).collect();
                    (0..r).map(|i| beats[i / per_beat][i % per_beat * word_bytes..][..word_bytes].to_vec()).collect()
                } else {
                    let beats = word_bytes.div_ceil(w);
                    let word = |weights: &mut std::slice::ChunksExact<u8>| {
                        let bytes: Vec<u8> = (0..beats).flat_map(|_| weights.next().unwrap().to_vec()).collect();
                        bytes[..word_bytes].to_vec()
                    };
                    (0..r).map(|_| word(&mut weights)).collect()
                };
                let beats: Vec<&[u8]> = (0..m.div_ceil(s)).map(|_| x.next().unwrap()).collect();
                let lanes = (0..l).filter(|&lane| active(lane).is_some()).count();
                seen.lane_work.extend(beats.iter().map(|_| (lanes, (k - tile * 4 * d).min(4 * d))));
                for lane in (0..l).filter(|&lane| active(lane).is_some()) {
                    let weights = &words[lane / s][lane % s * 4 * d..][..4 * d];
                    for (token, running) in running[lane].iter_mut().enumerate() {
                        let x = &beats[token / s][token % s * 4 * d..][..4 * d];
                        for (j, (w, x)) in weights.iter().zip(x).enumerate() {
                            assert!(tile * 4 * d + j < k || *x == 0, "activations beyond K are zeros");
                            *running += i64::from(*w as i8) * i64::from(*x as i8);
                        }
                    }
                }
            }
            for lane in 0..l {
                if let Some(output) = active(lane)
                    && p == q * (output / l + 1) - 1 + lane
                {
                    for (sum, running) in sums[output].iter_mut().zip(&mut running[lane]) {
                        *sum = Some(std::mem::take(running));
                    }
                }
            }
        }
        for (output, sums) in sums.into_iter().enumerate() {
            for sum in sums {
                seen.sums.push(sum.expect("finished"));
                seen.scales.extend(scales.get(output));
            }
        }
        seen.fed.push(fed);
    }
    assert_eq!((weights.len(), x.len()), (0, 0), "no beat is left");
    seen
}

prop_compose! {
    fn cores()(
        units in 1u32..=2,
        rows in 2u32..=5,
        dim in prop::sample::select(vec![1u32, 2, 4]),
        segments in 1u32..=3,
        index_bits in 2u32..=4,
        max_n_block in 1u32..=40,
        width in prop::sample::select(vec![32u32, 64, 128, 256, 1024]),
    ) -> CoreConfig {
        let core = Core { units, rows, cols: 4 * dim * segments, dim, index_bits, max_codebooks: 1, max_k: dim, max_n_block, width };
        core.config()
    }
}

proptest! {
    #[test]
    fn a_reader_of_the_streams_computes_the_product(
        config in cores(), inputs in 1usize..150, outputs in 1usize..60, tokens in 1usize..40, raw: bool, seed: u64,
    ) {
        let shape = Int8Shape { inputs, outputs };
        let layer = random_int8_layer(shape, Int8Distribution::Extreme, seed).unwrap();
        let x = random_int8_activations(inputs * tokens, Int8Distribution::Extreme, seed);
        let plan = Int8Plan::new(shape, tokens, raw, &config).unwrap();
        let (weights, activations) = (plan.weights(&layer), plan.activations(&x).unwrap());
        prop_assert_eq!(plan.stream_bytes(), (weights.len() as u64, activations.len() as u64));
        let seen = see(&plan, &weights, &activations, &config);

        let order: Vec<(usize, usize)> = plan.stream_order().collect();
        let mut sorted = order.clone();
        sorted.sort();
        sorted.dedup();
        prop_assert_eq!(sorted.len(), outputs * tokens, "each output once");
        prop_assert_eq!(order.len(), seen.sums.len());
        for (i, &(output, token)) in order.iter().enumerate() {
            let product = |k: usize| i64::from(layer.weights()[output * inputs + k]) * i64::from(x[token * inputs + k]);
            prop_assert_eq!(seen.sums[i], (0..inputs).map(product).sum::<i64>());
            if !raw {
                prop_assert_eq!(seen.scales[i], layer.scales()[output]);
            }
        }

        let (max_m, max_n) = (config.max_tokens() as usize, config.buffers.max_n_block as usize);
        prop_assert_eq!(seen.commands.len(), tokens.div_ceil(max_m) * outputs.div_ceil(max_n), "few commands");
        for (block, (m, n)) in plan.blocks().iter().zip(&seen.commands) {
            prop_assert_eq!((block.tokens.len(), block.outputs.len()), (*m, *n));
        }
        for (block, fed) in plan.blocks().iter().zip(&seen.fed) {
            prop_assert_eq!(block.schedule.fed(), *fed);
        }
        prop_assert_eq!(plan.macs(), (inputs * outputs * tokens) as u64);

        // The passes that count for the steady state are those in which every lane works, all of them.
        let lanes = config.lanes() as usize;
        let mut beat = 0;
        let mut full = plan.full_passes().into_iter();
        for (block, fed) in plan.blocks().iter().zip(&seen.fed) {
            let (m, beats) = (block.tokens.len(), block.tokens.len().div_ceil(config.segments() as usize));
            let passes: Vec<usize> = (0..*fed).filter(|pass| seen.lane_work[beat + pass * beats].0 == lanes).collect();
            if let [first, .., last] = passes[..] {
                let macs: usize = passes[..passes.len() - 1].iter().map(|pass| seen.lane_work[beat + pass * beats].1 * lanes * m).sum();
                let part = full.next().expect("a part with full passes");
                prop_assert_eq!((part.first_beat, part.last_beat), (beat + first * beats, beat + last * beats));
                prop_assert_eq!(part.macs, macs as u64);
            }
            beat += fed * beats;
        }
        prop_assert!(full.next().is_none());
    }

    /// Closed forms against counting.
    #[test]
    fn schedules_count_right(lanes in 1usize..12, tiles in 1usize..20, outputs in 1usize..50) {
        let schedule = Schedule { lanes, tiles, outputs };
        let q = schedule.period();
        let fed: Vec<usize> = (0..schedule.passes()).filter(|pass| pass % q < tiles).collect();
        prop_assert_eq!(schedule.fed(), fed.len());
        for (number, &pass) in fed.iter().enumerate() {
            prop_assert_eq!(schedule.pass_and_tile(number), (pass, pass % q));
            prop_assert_eq!(schedule.fed_before(pass), number);
        }
        let full: Vec<usize> =
            (0..schedule.passes()).filter(|&pass| (0..lanes).all(|lane| schedule.output(pass, lane).is_some())).collect();
        prop_assert_eq!(schedule.full().collect::<Vec<_>>(), full);
        // Every output has each k tile once, in passes of its own.
        for output in 0..outputs {
            let passes: Vec<usize> =
                (0..schedule.passes()).filter(|&pass| schedule.output(pass, output % lanes) == Some(output)).collect();
            prop_assert_eq!(passes.len(), q);
            let mut tiles_seen: Vec<usize> = passes.iter().map(|pass| pass % q).collect();
            tiles_seen.sort();
            prop_assert_eq!(tiles_seen, (0..q).collect::<Vec<_>>());
        }
    }
}

#[test]
fn a_tiny_product_by_hand() {
    // Two lanes, k tiles of 4, row words of 32 bits, two in a beat.
    let core = Core {
        units: 1,
        rows: 2,
        cols: 4,
        dim: 1,
        index_bits: 2,
        max_codebooks: 1,
        max_k: 4,
        max_n_block: 8,
        width: 64,
    };
    let shape = Int8Shape { inputs: 5, outputs: 3 };
    let layer = Int8Layer::new("tiny", shape, (1..=15).collect(), vec![0xAAAA_AAAA, 0xBBBB_BBBB, 0xCCCC_CCCC]).unwrap();
    let plan = Int8Plan::new(shape, 2, false, &core.config()).unwrap();
    // Q = 3, of which the third is empty; P = 3 * 2 + 0.
    assert_eq!(plan.blocks()[0].schedule.passes(), 6);
    let beats: Vec<[u32; 2]> = plan
        .weights(&layer)
        .chunks(8)
        .map(|beat| [0, 4].map(|at| u32::from_le_bytes(beat[at..at + 4].try_into().unwrap())))
        .collect();
    assert_eq!(
        beats,
        [
            [0xAAAA_AAAA, 0xBBBB_BBBB],
            [0xCCCC_CCCC, 0],
            // Output 0 with inputs 0 to 3; lane 1 has not begun.
            [0x0403_0201, 0],
            // Input 4 of outputs 0 and 1.
            [0x05, 0x0A],
            // Output 2, and the first inputs of output 1.
            [0x0E0D_0C0B, 0x0908_0706],
            // Input 4 of output 2; there is no output 3.
            [0x0F, 0],
        ]
    );
    let x = [1, 2, 3, 4, 5, -1, -2, -3, -4, -5];
    let tiles = [[1, 2, 3, 4], [-1, -2, -3, -4], [5, 0, 0, 0], [-5, 0, 0, 0]].concat();
    let expected: Vec<u8> = tiles.repeat(2).into_iter().map(|value: i8| value as u8).collect();
    assert_eq!(plan.activations(&x).unwrap(), expected);
    assert_eq!(plan.commands()[0].to_bytes(), [4, 0, 0, 0, 0, 2, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0]);
    let raw = Int8Plan::new(shape, 2, true, &core.config()).unwrap();
    assert_eq!(raw.weights(&layer), plan.weights(&layer)[16..]);
    assert_eq!(raw.commands()[0].to_bytes()[1], 8);
}

#[test]
fn full_size_products() {
    let config = Core { index_bits: 8, ..Core::PAPER }.config();
    let plan = |tokens, inputs, outputs| Int8Plan::new(Int8Shape { inputs, outputs }, tokens, false, &config).unwrap();
    let one = plan(1024, 4096, 4096);
    assert_eq!(one.blocks().len(), 1);
    // 128 tiles for each of 128 outputs of a lane, 31 more until the last lane is through: 1 KiB of weights each.
    assert_eq!(one.stream_bytes(), (4 * 4096 + (128 * 128 + 31) * 1024, (128 * 128 + 31) * 32 * 1024));
    let parts = plan(1025, 4096, 4100);
    let sizes: Vec<_> = parts.blocks().iter().map(|block| (block.outputs.len(), block.tokens.len())).collect();
    assert_eq!(sizes, [(2080, 513), (2080, 512), (2020, 513), (2020, 512)]);
}

#[test]
fn what_cannot_be_planned_is_refused() {
    let config = Core::PAPER.config();
    let message = |inputs, outputs, tokens, config: &CoreConfig| {
        Int8Plan::new(Int8Shape { inputs, outputs }, tokens, false, config).unwrap_err().to_string()
    };
    assert_eq!(message(0, 1, 1, &config), "INT8: K is 0, at least 1 expected");
    assert_eq!(message(1, 0, 1, &config), "INT8: N is 0, at least 1 expected");
    assert_eq!(message(1, 1, 0, &config), "activations: M is 0, at least 1 token expected");
    assert_eq!(message(65537, 1, 1, &config), "INT8: K = 65537 is too large: sums of up to 65536 products fit INT32");
    assert_eq!(message(65536, 65537, 1, &config), "INT8: K=65536 N=65537 has more than 4294967296 weights");
    let small = Core { max_n_block: 1, ..Core::PAPER }.config();
    assert_eq!(
        message(1, 1 << 20, 1025, &small),
        "INT8: K=1 N=1048576 with 1025 tokens takes more than 1048576 commands"
    );
    let plan = Int8Plan::new(Int8Shape { inputs: 3, outputs: 2 }, 2, false, &config).unwrap();
    assert_eq!(plan.activations(&[0; 5]).unwrap_err().to_string(), "activations: 5 given, 2 tokens of 3 expected");
    let layer = |weights, scales| {
        Int8Layer::new("p", Int8Shape { inputs: 3, outputs: 2 }, vec![0; weights], vec![0; scales])
            .unwrap_err()
            .to_string()
    };
    assert_eq!(layer(5, 2), "layer `p`: 5 weights given, 6 expected for K=3 N=2");
    assert_eq!(layer(6, 3), "layer `p`: 3 scales given, 2 expected for K=3 N=2");
}

#[test]
fn random_layers_are_what_their_distribution_says() {
    let shape = Int8Shape { inputs: 500, outputs: 200 };
    let layer = |distribution| random_int8_layer(shape, distribution, 3).unwrap();
    let (realistic, extreme) = (layer(Int8Distribution::Realistic), layer(Int8Distribution::Extreme));
    assert_eq!(realistic, layer(Int8Distribution::Realistic));
    let count = |layer: &Int8Layer, value: i8| layer.weights().iter().filter(|&&weight| weight == value).count();
    assert_eq!(count(&realistic, -128), 0);
    assert!((1000..1500).contains(&count(&realistic, 0)));
    assert!((20_000..30_000).contains(&count(&extreme, -128)) && count(&extreme, 127) > 10_000);
    assert!(realistic.scales().iter().all(|&bits| (1e-5..1e-4).contains(&f32::from_bits(bits))));
    assert!(extreme.scales().iter().any(|&bits| f32::from_bits(bits).is_sign_negative()));
    let x = random_int8_activations(500, Int8Distribution::Realistic, 3);
    assert_ne!(x, realistic.weights()[..500]);
    assert!(random_int8_layer(Int8Shape { inputs: 1 << 17, outputs: 1 }, Int8Distribution::Extreme, 1).is_err());
}
