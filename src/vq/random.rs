//! Random layers and activations. One seed gives the same bits on every machine.

use half::f16;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::error::{Error, Result};
use super::layer::{Layer, LayerShape, Scales};

/// How the numbers of a random layer are distributed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Distribution {
    /// As in a language model: weights of standard deviation 0.02, activations of 1, scales between 0.5 and 1.5.
    Realistic,
    /// All signs, zeros, subnormals and exponents below 2^6 alike, with full significands: as different in size as can
    /// be without an overflow of the dot product of 8 of them.
    Wide,
    /// [`Distribution::Wide`], but one number in 16 is any finite FP16 value, so that some sums overflow.
    Finite,
    /// [`Distribution::Wide`], but one number in 16 is any FP16 bit pattern at all, with infinities and NaNs.
    Any,
}

impl Distribution {
    /// Codebook values, activations or scales: normal ones of this standard deviation if the distribution is realistic.
    pub(super) fn sample(self, rng: &mut impl Rng, deviation: f64) -> u16 {
        match self {
            Distribution::Realistic => f16::from_f64(standard_normal(rng) * deviation).to_bits(),
            Distribution::Wide => wide(rng),
            Distribution::Finite | Distribution::Any if rng.random_range(0..16) > 0 => wide(rng),
            Distribution::Finite => loop {
                let bits: u16 = rng.random();
                if f16::from_bits(bits).is_finite() {
                    break bits;
                }
            },
            Distribution::Any => rng.random(),
        }
    }

    /// A scale of an output.
    pub(super) fn scale(self, rng: &mut impl Rng) -> u16 {
        match self {
            Distribution::Realistic => f16::from_f64(0.5 + f64::from(rng.random::<u16>()) / 65536.0).to_bits(),
            other => other.sample(rng, 1.0),
        }
    }
}

/// A random layer of AQLM's form, with FP16 scales.
///
/// # Errors
/// If the shape is not valid, see [`Layer::new`].
pub fn random_layer(shape: LayerShape, distribution: Distribution, seed: u64) -> Result<Layer> {
    let name = format!("random.{seed}");
    if let Some(problem) = shape.problem() {
        return Err(Error::Layer { layer: name, problem });
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    // A weight is the sum of C entries.
    let deviation = 0.02 / (shape.codebooks as f64).sqrt();
    let centroids =
        (0..shape.codebooks * shape.entries() * shape.dim).map(|_| distribution.sample(&mut rng, deviation));
    let centroids = centroids.collect();
    let mask = (shape.entries() - 1) as u16;
    let codes = (0..shape.outputs * shape.vectors() * shape.codebooks).map(|_| rng.random::<u16>() & mask).collect();
    let scales = Scales::F16((0..shape.outputs).map(|_| distribution.scale(&mut rng)).collect());
    Layer::new(name, shape, centroids, codes, scales)
}

/// `inputs` random FP16 activations. With the same seed as a layer they do not depend on it.
pub fn random_activations(inputs: usize, distribution: Distribution, seed: u64) -> Vec<u16> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    rng.set_stream(1);
    (0..inputs).map(|_| distribution.sample(&mut rng, 1.0)).collect()
}

/// Nearly normal, with deviation 1: the sum of 12 uniform numbers. No function that rounds differently elsewhere is
/// needed.
pub(super) fn standard_normal(rng: &mut impl Rng) -> f64 {
    let sum: u32 = (0..12).map(|_| u32::from(rng.random::<u16>())).sum();
    (f64::from(sum) - 12.0 * 32767.5) / 65536.0
}

/// See [`Distribution::Wide`].
fn wide(rng: &mut impl Rng) -> u16 {
    // Exponent field 20 is 2^5; 21 stands for a zero.
    let exponent: u16 = rng.random_range(0..=21);
    let (sign, fraction) = (rng.random::<u16>() & 0x8000, rng.random::<u16>() & 0x3FF);
    if exponent > 20 { sign } else { sign | exponent << 10 | fraction }
}
