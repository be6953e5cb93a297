//! Checkpoints of layers with a codebook for each group.

use eva_rtl::vq::gptvq::{
    GptvqLayer, GptvqShape, list_gptvq_layers, load_gptvq_layer, random_gptvq_layer, write_gptvq_safetensors,
};
use eva_rtl::vq::{
    AnyLayer, Distribution, LayerRef, Scales, list_layers, load_any_layer, random_layer, write_safetensors,
};
use half::{bf16, f16};
use safetensors::Dtype;

use super::fixture::{Core, Folder, Tensors, shape};

fn grouped(inputs: usize, outputs: usize, group_inputs: usize, group_outputs: usize, index_bits: u32) -> GptvqShape {
    GptvqShape { inputs, outputs, dim: 4, index_bits, group_inputs, group_outputs }
}

#[test]
fn layers_survive_writing_and_reading() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let narrow = random_gptvq_layer(grouped(32, 12, 16, 4, 8), Distribution::Any, 1).unwrap();
    let wide = random_gptvq_layer(grouped(24, 5, 8, 5, 10), Distribution::Realistic, 2).unwrap();
    // Loading refuses scales that are not finite.
    let scales = Scales::F32((0..12).map(|i| (0.5f32 * i as f32).to_bits()).collect());
    let narrow = GptvqLayer::new("a.q", narrow.shape(), narrow.centroids().to_vec(), narrow.codes().to_vec(), scales);
    let layers = [narrow.unwrap(), wide];
    write_gptvq_safetensors(&layers, &path).unwrap();
    for layer in &layers {
        let imported = load_gptvq_layer(&path, layer.name()).unwrap();
        assert_eq!(&imported.layer, layer);
        assert_eq!((imported.codebooks.changed, imported.codebooks.values), (0, layer.centroids().len()));
        assert_eq!(load_any_layer(&path, layer.name()).unwrap().0, AnyLayer::Gptvq(layer.clone()));
    }
    let listed = list_gptvq_layers(&path).unwrap();
    let listed: Vec<_> = listed.into_iter().map(|l| (l.name, l.shape.unwrap(), l.problem)).collect();
    assert_eq!(listed, layers.each_ref().map(|l| (l.name().to_owned(), l.shape(), None)));
    assert!(list_layers(&path).unwrap().is_empty(), "they are not of AQLM's form");
    assert_eq!(
        load_gptvq_layer(&path, "a.k").unwrap_err().to_string(),
        format!("{}: no GPTVQ layer `a.k`; nearest of its 2: a.q, random.2", path.display())
    );

    // Both forms in one folder's files are told apart.
    let aqlm = random_layer(shape(32, 6, 4, 8, 1), Distribution::Realistic, 3).unwrap();
    write_safetensors(std::slice::from_ref(&aqlm), &path).unwrap();
    assert!(list_gptvq_layers(&path).unwrap().is_empty());
    assert_eq!(load_any_layer(&path, aqlm.name()).unwrap().0, AnyLayer::Aqlm(aqlm));
}

#[test]
fn codes_and_scales_of_other_types_are_read() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let file = Tensors::default().zeros("p.codebooks", Dtype::F32, &[1, 1, 256, 4]);
    let load = |file: Tensors| {
        file.write(&path);
        load_gptvq_layer(&path, "p").map(|imported| imported.layer).map_err(|error| folder.relative(error))
    };
    let codes = |dtype, data: Vec<u8>| load(file.clone().with("p.codes", dtype, &[1, 3], data));
    let i64s = |values: [i64; 3]| values.into_iter().flat_map(i64::to_le_bytes).collect::<Vec<u8>>();
    let i32s = |values: [i32; 3]| values.into_iter().flat_map(i32::to_le_bytes).collect::<Vec<u8>>();
    let i16s = |values: [i16; 3]| values.into_iter().flat_map(i16::to_le_bytes).collect::<Vec<u8>>();
    for layer in [
        codes(Dtype::U8, vec![0, 200, 255]),
        codes(Dtype::I16, i16s([0, 200, 255])),
        codes(Dtype::U16, i16s([0, 200, 255])),
        codes(Dtype::I32, i32s([0, 200, 255])),
        codes(Dtype::I64, i64s([0, 200, 255])),
    ] {
        let layer = layer.unwrap();
        assert_eq!(layer.codes(), [0, 200, 255]);
        assert_eq!(layer.scales(), &Scales::F16(vec![f16::ONE.to_bits()]), "without scales they are 1");
    }
    for (data, found) in [(i64s([0, 1, 256]), "code 256 at [0, 2]"), (i64s([0, -1, 0]), "code -1 at [0, 1]")] {
        let message = codes(Dtype::I64, data).unwrap_err();
        assert!(message.contains(found) && message.contains("0 to 255 as of 256 entries"), "{message}");
    }
    let file = file.zeros("p.codes", Dtype::U8, &[2, 3]);
    let bits = bf16::from_f32(-3.5).to_le_bytes();
    let scales = load(file.with("p.scales", Dtype::BF16, &[2, 1], [bits, bits].concat())).unwrap();
    assert_eq!(scales.scales(), &Scales::F32(vec![(-3.5f32).to_bits(); 2]));
}

#[test]
fn every_mistake_in_a_checkpoint_gets_one_clear_message() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    // K = 32, N = 6, groups of 16 inputs and 3 outputs.
    let good = Tensors::default()
        .zeros("p.codes", Dtype::U8, &[6, 8])
        .zeros("p.codebooks", Dtype::F16, &[2, 2, 16, 4])
        .zeros("p.scales", Dtype::F16, &[6]);
    let codebooks = |shape: &[usize]| good.clone().zeros("p.codebooks", Dtype::F16, shape);
    let codes = |dtype, shape: &[usize]| good.clone().zeros("p.codes", dtype, shape);
    let cases = [
        ("good", good.clone()),
        ("no codes", good.clone().without("p.codes")),
        ("no codebooks", good.clone().without("p.codebooks")),
        ("no scales", good.clone().without("p.scales")),
        ("bias", good.clone().zeros("p.bias", Dtype::F16, &[6])),
        ("rank of codebooks", codebooks(&[4, 16, 4])),
        ("no groups", codebooks(&[0, 2, 16, 4])),
        ("one entry", codebooks(&[2, 2, 1, 4])),
        ("many entries", codebooks(&[2, 2, 1 << 17, 1])),
        ("entries", codebooks(&[2, 2, 12, 4])),
        ("rank of codes", codes(Dtype::U8, &[6, 8, 1])),
        ("no outputs", codes(Dtype::U8, &[0, 8])),
        ("groups of outputs", codes(Dtype::U8, &[7, 8])),
        ("groups of inputs", codes(Dtype::U8, &[6, 7])),
        ("type of codes", codes(Dtype::F16, &[6, 8])),
        ("signed bytes", codes(Dtype::I8, &[6, 8])),
        ("type of codebooks", good.clone().zeros("p.codebooks", Dtype::F64, &[2, 2, 16, 4])),
        ("number of scales", good.clone().zeros("p.scales", Dtype::F16, &[5])),
        ("shape of scales", good.clone().zeros("p.scales", Dtype::F16, &[6, 2])),
        ("type of scales", good.clone().zeros("p.scales", Dtype::I16, &[6])),
        ("infinite scale", good.clone().with("p.scales", Dtype::F16, &[6], [0, 0x7C].repeat(6))),
    ];
    let mut messages = Vec::new();
    for (what, file) in cases {
        file.write(&path);
        let message = load_gptvq_layer(&path, "p").map_or_else(|error| folder.relative(error), |_| "loaded".into());
        messages.push(format!("{what}: {message}"));
    }
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn parts_that_do_not_agree_are_refused() {
    let good = grouped(32, 6, 16, 3, 4);
    let new = |shape: GptvqShape, centroids, codes: Vec<u16>, scales| {
        GptvqLayer::new("l", shape, vec![0; centroids], codes, Scales::F16(vec![0; scales]))
            .map_or_else(|error| error.to_string(), |_| "fine".into())
    };
    let messages = [
        new(good, 256, vec![0; 48], 6),
        new(GptvqShape { group_inputs: 12, ..good }, 256, vec![0; 48], 6),
        new(GptvqShape { group_inputs: 0, ..good }, 256, vec![0; 48], 6),
        new(GptvqShape { group_inputs: 2, ..good }, 256, vec![0; 48], 6),
        new(GptvqShape { group_outputs: 4, ..good }, 256, vec![0; 48], 6),
        new(GptvqShape { group_outputs: 0, ..good }, 256, vec![0; 48], 6),
        new(GptvqShape { dim: 0, ..good }, 256, vec![0; 48], 6),
        new(good, 255, vec![0; 48], 6),
        new(good, 256, vec![0; 47], 6),
        new(good, 256, vec![0; 48], 5),
        new(good, 256, vec![16; 48], 6),
    ];
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn realistic_groups_differ() {
    let layer = random_gptvq_layer(grouped(64, 16, 16, 8, 6), Distribution::Realistic, 1).unwrap();
    assert_eq!(layer, random_gptvq_layer(layer.shape(), Distribution::Realistic, 1).unwrap());
    let size = |group: &[u16]| group.iter().map(|&bits| f16::from_bits(bits).to_f64().powi(2)).sum::<f64>();
    let sizes: Vec<f64> = layer.centroids().chunks(64 * 4).map(size).collect();
    assert_eq!(sizes.len(), 8);
    assert!(sizes[1] > 2.0 * sizes[0] && sizes[2] > 1.5 * sizes[1], "{sizes:?}");
    assert_eq!(LayerRef::from(&layer).to_string(), "K=64 N=16 n=6 d=4, groups of 16 inputs x 8 outputs");
    let narrow = Core { dim: 4, index_bits: 5, ..Core::PAPER }.config();
    assert_eq!(layer.shape().fits(&narrow), Err(vec!["it has n = 6, the core vq.index_bits = 5".into()]));
}
