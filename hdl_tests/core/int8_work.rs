//! INT8 products for a core, with noise wherever the core must not look.

use crate::harness::Work;
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;
use eva_rtl::golden;
use eva_rtl::vq::int8::{Int8Distribution, Int8Layer, Int8Plan, Int8Shape, random_int8_activations, random_int8_layer};

/// Packs an INT8 layer and the activations `[tokens][K]`; the expected outputs are those of the golden model, which knows
/// nothing of `cfg`. What the core must ignore is noise: weights of lanes without an output and of inputs beyond `K`, padding
/// of scales, row words and tokens. Activations beyond `K` are zeros.
pub fn int8_work(cfg: &CoreConfig, layer: &Int8Layer, x: &[i8], tokens: usize, raw: bool) -> Work {
    let shape = layer.shape();
    let plan = Int8Plan::new(shape, tokens, raw, cfg).expect("fits");
    let sums = golden::int8_sums(x, layer.weights(), shape.inputs);
    let scaled = golden::int8_gemm(x, layer.weights(), shape.inputs, layer.scales());
    let mut expected = plan.stream_order().map(|(output, token)| match output * tokens + token {
        position if raw => sums[position] as u32,
        position => scaled[position].into(),
    });
    let commands = plan.commands().into_iter().zip(plan.blocks()).map(|(command, block)| {
        let count = block.outputs.len() * block.tokens.len();
        Command { bits: command.to_bytes(), status: 0, outputs: expected.by_ref().take(count).collect() }
    });
    let commands = commands.collect();

    // Packing ones only leaves zeros where nothing is packed.
    let used = Int8Layer::new("used", shape, vec![-1; layer.weights().len()], vec![u32::MAX; shape.outputs]).unwrap();
    let weights = with_noise(plan.weights(layer), &plan.weights(&used));
    // The same stream for a layer of whole k tiles.
    let whole = Int8Shape { inputs: shape.inputs.next_multiple_of(cfg.k_tile() as usize), ..shape };
    let used = vec![-1; whole.inputs * tokens];
    let used = Int8Plan::new(whole, tokens, raw, cfg).expect("fits").activations(&used).unwrap();
    let activations = with_noise(plan.activations(x).unwrap(), &used);
    Work { cfg: cfg.clone(), commands, weights, activations }
}

/// `bytes` with noise where `used` is zero.
fn with_noise(mut bytes: Vec<u8>, used: &[u8]) -> Vec<u8> {
    assert_eq!(bytes.len(), used.len());
    let mut noise = 0x9Du8;
    for (byte, _) in bytes.iter_mut().zip(used).filter(|(_, used)| **used == 0) {
        noise = noise.wrapping_mul(5).wrapping_add(0x3B);
        *byte = noise | 1;
    }
    bytes
}

/// A random INT8 layer with activations.
pub fn int8_layer(
    inputs: usize,
    outputs: usize,
    tokens: usize,
    distribution: Int8Distribution,
    seed: u64,
) -> (Int8Layer, Vec<i8>) {
    let shape = Int8Shape { inputs, outputs };
    let layer = random_int8_layer(shape, distribution, seed).unwrap();
    (layer, random_int8_activations(inputs * tokens, distribution, seed + 1))
}
