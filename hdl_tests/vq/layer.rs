//! Validation of layers, and random ones.

use eva_rtl::golden;
use eva_rtl::vq::{Distribution, Layer, Scales, random_activations, random_layer};
use half::f16;

use super::fixture::shape;

#[test]
fn parts_that_do_not_agree_are_refused() {
    let new = |inputs, outputs, dim, index_bits, codebooks, centroids, codes: Vec<u16>, scales| {
        Layer::new(
            "l",
            shape(inputs, outputs, dim, index_bits, codebooks),
            vec![0; centroids],
            codes,
            Scales::F16(vec![0; scales]),
        )
        .map_or_else(|error| error.to_string(), |_| "fine".into())
    };
    let messages = [
        new(8, 3, 4, 2, 1, 16, vec![0; 6], 3),
        new(0, 3, 4, 2, 1, 16, vec![], 3),
        new(8, 0, 4, 2, 1, 16, vec![], 0),
        new(8, 3, 0, 2, 1, 0, vec![0; 6], 3),
        new(8, 3, 4, 2, 0, 0, vec![], 3),
        new(8, 3, 4, 0, 1, 4, vec![0; 6], 3),
        new(8, 3, 4, 17, 1, 16, vec![0; 6], 3),
        new(9, 3, 4, 2, 1, 16, vec![0; 6], 3),
        new(8, 3, 4, 2, 1, 15, vec![0; 6], 3),
        new(8, 3, 4, 2, 1, 16, vec![0; 7], 3),
        new(8, 3, 4, 2, 1, 16, vec![0; 6], 2),
        new(8, 3, 4, 2, 1, 16, vec![0, 1, 2, 3, 4, 0], 3),
        new(8, usize::MAX, 4, 2, 1, 16, vec![0; 6], 3),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn random_layers_depend_on_nothing_but_shape_distribution_and_seed() {
    let shape = shape(64, 24, 8, 6, 2);
    let layer = |distribution, seed| random_layer(shape, distribution, seed).unwrap();
    assert_eq!(layer(Distribution::Realistic, 1), layer(Distribution::Realistic, 1));
    assert_ne!(layer(Distribution::Realistic, 1).codes(), layer(Distribution::Realistic, 2).codes());
    let x = |seed| random_activations(64, Distribution::Realistic, seed);
    assert_eq!(x(1), x(1));
    assert_ne!(x(1), x(2));
    // Another machine must give the same bits.
    let starts = [
        layer(Distribution::Realistic, 1).centroids()[..6].to_vec(),
        layer(Distribution::Any, 1).centroids()[..6].to_vec(),
        layer(Distribution::Realistic, 1).codes()[..6].to_vec(),
        x(1)[..6].to_vec(),
    ];
    insta::assert_snapshot!(starts.map(|values| format!("{values:04x?}")).join("\n"));
}

#[test]
fn realistic_layers_have_realistic_numbers() {
    let layer = random_layer(shape(512, 256, 8, 8, 2), Distribution::Realistic, 3).unwrap();
    let deviation = |bits: &[u16]| {
        let squares: f64 = bits.iter().map(|&bits| f16::from_bits(bits).to_f64().powi(2)).sum();
        (squares / bits.len() as f64).sqrt()
    };
    assert!((deviation(layer.centroids()) - 0.02 / 2f64.sqrt()).abs() < 5e-4);
    assert!((deviation(&random_activations(10_000, Distribution::Realistic, 3)) - 1.0).abs() < 0.03);
    assert!((0..256).all(|code| layer.codes().contains(&code)));
}

/// The distributions for tests produce what they promise: extremes, and results of every class.
#[test]
fn hostile_layers_reach_every_class_of_result() {
    let outputs = |distribution, inputs| -> Vec<u16> {
        (0..200)
            .flat_map(|seed| {
                let layer = random_layer(shape(inputs, 16, 4, 4, 1), distribution, seed).unwrap();
                golden::vq_gemv(&random_activations(inputs, distribution, seed), &layer.golden())
            })
            .collect()
    };
    let count = |y: &[u16], class: fn(f16) -> bool| y.iter().filter(|&&bits| class(f16::from_bits(bits))).count();
    let wide = outputs(Distribution::Wide, 8);
    assert!(count(&wide, f16::is_finite) > wide.len() * 9 / 10);
    assert!(count(&wide, |y| !y.is_normal() && y.is_finite()) > 50);
    let finite = outputs(Distribution::Finite, 8);
    assert!(count(&finite, f16::is_infinite) > 50 && count(&finite, f16::is_finite) > 500);
    let any = outputs(Distribution::Any, 8);
    assert!(count(&any, f16::is_nan) > 50 && count(&any, f16::is_infinite) > 50 && count(&any, f16::is_finite) > 500);

    let x = random_activations(100_000, Distribution::Wide, 1);
    assert!(x.iter().all(|&bits| f16::from_bits(bits).to_f32().abs() < 64.0));
    assert!(x.contains(&0) && x.contains(&0x8000) && x.iter().any(|bits| (1..0x400).contains(bits)));
    let x = random_activations(100_000, Distribution::Finite, 1);
    assert!(x.iter().all(|&bits| f16::from_bits(bits).is_finite()));
}
