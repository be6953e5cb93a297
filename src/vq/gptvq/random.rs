//! Random layers with groups. One seed gives the same bits on every machine.

use rand::RngExt;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::super::error::{Error, Result};
use super::super::layer::Scales;
use super::super::random::Distribution;
use super::layer::{GptvqLayer, GptvqShape};

/// A random layer of GPTVQ's form, with FP16 scales. Realistic ones have groups of different sizes of weights.
///
/// # Errors
/// If the shape is not valid, see [`GptvqLayer::new`].
pub fn random_gptvq_layer(shape: GptvqShape, distribution: Distribution, seed: u64) -> Result<GptvqLayer> {
    let name = format!("random.{seed}");
    if let Some(problem) = shape.problem() {
        return Err(Error::Layer { layer: name, problem });
    }
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let groups = shape.input_groups() * shape.output_groups();
    let mut centroids = Vec::with_capacity(groups * shape.codebook_values());
    for group in 0..groups {
        let deviation = 0.01 * (1 + group % 3) as f64;
        centroids.extend((0..shape.codebook_values()).map(|_| distribution.sample(&mut rng, deviation)));
    }
    let mask = (shape.layer().entries() - 1) as u16;
    let codes = (0..shape.outputs * shape.vectors()).map(|_| rng.random::<u16>() & mask).collect();
    let scales = (0..shape.outputs).map(|_| distribution.scale(&mut rng)).collect();
    GptvqLayer::new(name, shape, centroids, codes, Scales::F16(scales))
}
