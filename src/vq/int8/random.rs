//! Random INT8 layers and activations. One seed gives the same bits on every machine.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::super::error::{Error, Result};
use super::super::random::standard_normal;
use super::layer::{Int8Layer, Int8Shape};

/// How the numbers of a random INT8 layer are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Int8Distribution {
    /// As in a quantised language model: weights and activations of standard deviation 32 between -127 and 127, and
    /// scales that bring outputs to about 1.
    Realistic,
    /// Half of all numbers -128, -127 or 127, the others any; a scale of any FP32 bit pattern for one output in four, and
    /// for the others of a size that brings most outputs into the range of FP16.
    Extreme,
}

impl Int8Distribution {
    fn sample(self, rng: &mut impl Rng) -> i8 {
        match self {
            Self::Realistic => (standard_normal(rng) * 32.0).clamp(-127.0, 127.0).round() as i8,
            Self::Extreme => match rng.random_range(0..8) {
                0 | 1 => -128,
                2 => -127,
                3 => 127,
                _ => rng.random(),
            },
        }
    }

    fn scale(self, rng: &mut impl Rng, inputs: usize) -> u32 {
        match self {
            Self::Realistic => {
                // Sums of K products of deviation 32*32.
                let typical = 1.0 / (1024.0 * (inputs as f32).sqrt());
                (typical * (0.5 + f32::from(rng.random::<u16>()) / 65536.0)).to_bits()
            }
            Self::Extreme if rng.random_range(0..4) == 0 => rng.random(),
            // 2^-48 to 2^3, of either sign.
            Self::Extreme => rng.random_range(79 << 23..130 << 23) | rng.random::<u32>() & 1 << 31,
        }
    }
}

/// A random INT8 layer.
///
/// # Errors
/// If the shape is not valid, see [`Int8Layer::new`].
pub fn random_int8_layer(shape: Int8Shape, distribution: Int8Distribution, seed: u64) -> Result<Int8Layer> {
    let name = format!("random.{seed}");
    if let Some(problem) = shape.problem() {
        return Err(Error::Layer { layer: name, problem });
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let weights = (0..shape.inputs * shape.outputs).map(|_| distribution.sample(&mut rng)).collect();
    let scales = (0..shape.outputs).map(|_| distribution.scale(&mut rng, shape.inputs)).collect();
    Int8Layer::new(name, shape, weights, scales)
}

/// `count` random INT8 activations. With the same seed as a layer they do not depend on it.
pub fn random_int8_activations(count: usize, distribution: Int8Distribution, seed: u64) -> Vec<i8> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(1);
    (0..count).map(|_| distribution.sample(&mut rng)).collect()
}
