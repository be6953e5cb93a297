//! AQLM checkpoints: written and read back, sharded, unusual and damaged.

use eva_rtl::vq::{
    AnyLayer, Distribution, Layer, LayerSource, Scales, list_layers, load_layer, random_layer, write_safetensors,
};
use half::{bf16, f16};
use safetensors::Dtype;
use safetensors::tensor::TensorView;

use super::fixture::{Core, Folder, Tensors, shape};

fn named(layer: &Layer, name: &str) -> Layer {
    Layer::new(name, layer.shape(), layer.centroids().to_vec(), layer.codes().to_vec(), layer.scales().clone()).unwrap()
}

fn realistic(name: &str, inputs: usize, outputs: usize, dim: usize, index_bits: u32, codebooks: usize) -> Layer {
    let layer = random_layer(shape(inputs, outputs, dim, index_bits, codebooks), Distribution::Realistic, 7).unwrap();
    named(&layer, name)
}

/// Loading many layers of a large checkpoint takes time in proportion to them.
#[test]
fn headers_are_read_once() {
    let folder = Folder::new();
    let path = folder.path("model.safetensors");
    let layers = ["a", "b"].map(|name| realistic(name, 16, 3, 4, 4, 1));
    write_safetensors(&layers, &path).unwrap();
    let source = LayerSource::open(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    for layer in layers {
        assert_eq!(source.load(layer.name()).unwrap().0, AnyLayer::Aqlm(layer));
    }
    let message = folder.relative(source.load("c").unwrap_err());
    assert!(message.starts_with("model.safetensors: no quantised layer `c`; nearest of its 2: a, b"), "{message}");
}

#[test]
fn layers_survive_writing_and_reading() {
    let folder = Folder::new();
    let path = folder.path("model.safetensors");
    let mut layers = vec![
        realistic("model.layers.0.self_attn.q_proj", 64, 24, 8, 8, 2),
        realistic("model.layers.0.mlp.up_proj", 32, 7, 4, 12, 1),
        realistic("a", 16, 1, 16, 1, 3),
        realistic("b", 8, 5, 8, 16, 1),
    ];
    let scales = Scales::F32((0..5).map(|i| (1e-6f32 * i as f32).to_bits()).collect());
    let b = layers.pop().unwrap();
    layers.push(Layer::new("b", b.shape(), b.centroids().to_vec(), b.codes().to_vec(), scales).unwrap());
    write_safetensors(&layers, &path).unwrap();
    for layer in &layers {
        let imported = load_layer(&path, layer.name()).unwrap();
        assert_eq!(&imported.layer, layer);
        assert_eq!(imported.codebooks.changed, 0);
        assert_eq!(imported.codebooks.values, layer.centroids().len());
    }
    let listed: Vec<_> =
        list_layers(&path).unwrap().into_iter().map(|l| (l.name, l.shape.unwrap(), l.problem)).collect();
    layers.sort_by_key(|layer| layer.name().to_owned());
    assert_eq!(listed, layers.iter().map(|l| (l.name().to_owned(), l.shape(), None)).collect::<Vec<_>>());
    assert_eq!(std::fs::read_dir(folder.root()).unwrap().count(), 1, "nothing but the file is left");
    let error = write_safetensors(&[layers[0].clone(), layers[0].clone()], &path).unwrap_err();
    assert_eq!(error.to_string(), "layer `a`: another layer of the same file has this name");
}

/// The files have the names, types and layout of the published checkpoints.
#[test]
fn written_files_look_like_published_ones() {
    let folder = Folder::new();
    let path = folder.path("model.safetensors");
    let layer =
        Layer::new("p", shape(8, 1, 4, 8, 2), vec![0; 2 * 256 * 4], vec![0, 127, 128, 255], Scales::F16(vec![0x3C00]));
    write_safetensors(&[layer.unwrap(), realistic("q", 32, 6, 8, 12, 2)], &path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let about = |name: &str| file.tensor(name).map(|t: TensorView| (t.dtype(), t.shape().to_vec())).unwrap();
    assert_eq!(file.len(), 6);
    assert_eq!(about("p.codes"), (Dtype::I8, vec![1, 2, 2]));
    assert_eq!(about("p.codebooks"), (Dtype::F16, vec![2, 256, 1, 4]));
    assert_eq!(about("p.scales"), (Dtype::F16, vec![1, 1, 1, 1]));
    assert_eq!(file.tensor("p.codes").unwrap().data(), [0i8, 127, -128, -1].map(|code| code as u8));
    assert_eq!(about("q.codes"), (Dtype::I16, vec![6, 4, 2]));
    let codes =
        file.tensor("q.codes").unwrap().data().chunks(2).map(|c| i16::from_le_bytes([c[0], c[1]])).collect::<Vec<_>>();
    assert!(codes.iter().all(|code| (-2048..2048).contains(code)) && codes.iter().any(|&code| code < 0));
}

#[test]
fn codes_are_taken_modulo_the_number_of_entries() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let codes = |dtype, data: Vec<u8>, entries| {
        Tensors::default()
            .with("p.codes", dtype, &[1, 4, 1], data)
            .zeros("p.codebooks", Dtype::F16, &[1, entries, 1, 2])
            .zeros("p.scales", Dtype::F16, &[1, 1, 1, 1])
            .write(&path);
        load_layer(&path, "p").map(|imported| imported.layer.codes().to_vec()).map_err(|error| folder.relative(error))
    };
    let i16s = |values: [i16; 4]| values.into_iter().flat_map(i16::to_le_bytes).collect::<Vec<u8>>();
    assert_eq!(codes(Dtype::I8, vec![0, 1, 0x80, 0xFF], 256).unwrap(), [0, 1, 128, 255]);
    assert_eq!(codes(Dtype::I16, i16s([0, 255, -1, -128]), 256).unwrap(), [0, 255, 255, 128]);
    assert_eq!(codes(Dtype::I16, i16s([0, 4095, -1, -2048]), 4096).unwrap(), [0, 4095, 4095, 2048]);
    assert_eq!(codes(Dtype::I16, i16s([0, 32767, -1, -32768]), 65536).unwrap(), [0, 32767, 65535, 32768]);
    assert_eq!(codes(Dtype::I8, vec![0, 63, 0xFF, 0xE0], 64).unwrap(), [0, 63, 63, 32]);
    assert_eq!(
        codes(Dtype::I8, vec![0, 63, 64, 0], 64).unwrap_err(),
        "m.safetensors: tensor `p.codes`: found code 64 at [0, 2, 0], expected -32 to 63 as of 64 entries per codebook; \
         codes and codebooks do not belong together: fetch the checkpoint again"
    );
    assert!(codes(Dtype::I16, i16s([0, 0, 0, -2049]), 4096).unwrap_err().contains("found code -2049 at [0, 3, 0]"));
}

#[test]
fn other_types_of_codebooks_and_scales_are_converted() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let f32s = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    let bf16s =
        |values: &[f32]| values.iter().flat_map(|&value| bf16::from_f32(value).to_le_bytes()).collect::<Vec<u8>>();
    // The last four are rounded: to even, down to a subnormal, to zero, to infinity.
    let values = [1.0, -0.5, 65504.0, f32::INFINITY, 1.0 + 2f32.powi(-11), 2f32.powi(-24) * 1.25, 1e-30, 1e6];
    let file = Tensors::default().zeros("p.codes", Dtype::I8, &[2, 1, 1]).zeros("p.scales", Dtype::F16, &[2, 1, 1, 1]);

    file.clone().with("p.codebooks", Dtype::F32, &[1, 2, 1, 4], f32s(&values)).write(&path);
    let imported = load_layer(&path, "p").unwrap();
    let expected: Vec<u16> = values.iter().map(|&value| f16::from_f32(value).to_bits()).collect();
    assert_eq!(imported.layer.centroids(), expected);
    assert_eq!(expected[4..], [0x3C00, 1, 0, 0x7C00]);
    assert_eq!(
        imported.codebooks.to_string(),
        "8 F32 values converted to F16, 4 of them rounded, 1 of these to infinity"
    );

    let values = [1.0, -0.5, 3.0, 0.0078125, 2f32.powi(-20), 255.0, 1e-30, -7.0];
    file.clone().with("p.codebooks", Dtype::BF16, &[1, 2, 1, 4], bf16s(&values)).write(&path);
    let imported = load_layer(&path, "p").unwrap();
    assert_eq!(imported.layer.centroids()[..4], [0x3C00, 0xB800, 0x4200, 0x2000]);
    assert_eq!(imported.codebooks.to_string(), "8 BF16 values converted to F16, 1 of them rounded");

    let file = file.zeros("p.codebooks", Dtype::F16, &[1, 2, 1, 4]);
    file.clone().with("p.scales", Dtype::F32, &[2, 1, 1, 1], f32s(&[1e-7, -3.5])).write(&path);
    assert_eq!(
        load_layer(&path, "p").unwrap().layer.scales(),
        &Scales::F32(vec![1e-7f32.to_bits(), (-3.5f32).to_bits()])
    );
    file.clone().with("p.scales", Dtype::BF16, &[2, 1, 1, 1], bf16s(&[1e-7, -3.5])).write(&path);
    let rounded = bf16::from_f32(1e-7).to_f32().to_bits();
    assert_eq!(load_layer(&path, "p").unwrap().layer.scales(), &Scales::F32(vec![rounded, (-3.5f32).to_bits()]));
}

#[test]
fn sharded_checkpoints_are_read_through_their_index() {
    let folder = Folder::new();
    let first = realistic("model.layers.0.mlp.up_proj", 32, 6, 8, 8, 2);
    let second = realistic("model.layers.1.mlp.up_proj", 64, 5, 8, 8, 1);
    write_safetensors(std::slice::from_ref(&first), &folder.path("model-00001-of-00002.safetensors")).unwrap();
    write_safetensors(std::slice::from_ref(&second), &folder.path("model-00002-of-00002.safetensors")).unwrap();
    let map = |layer: &Layer, file: &str| {
        ["codes", "codebooks", "scales"].map(|t| format!("\"{}.{t}\": \"{file}\"", layer.name())).join(", ")
    };
    let index = folder.path("model.safetensors.index.json");
    let write_index = |first_file, second_file| {
        let entries = [map(&first, first_file), map(&second, second_file)].join(", ");
        std::fs::write(&index, format!("{{\"metadata\": {{\"total_size\": 1}}, \"weight_map\": {{{entries}}}}}"))
            .unwrap();
    };
    write_index("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors");
    for path in [index.as_path(), folder.root()] {
        assert_eq!(load_layer(path, first.name()).unwrap().layer, first);
        assert_eq!(load_layer(path, second.name()).unwrap().layer, second);
        let names: Vec<String> = list_layers(path).unwrap().into_iter().map(|layer| layer.name).collect();
        assert_eq!(names, [first.name(), second.name()]);
    }

    // One file is missing: the layers in the other can be used.
    std::fs::remove_file(folder.path("model-00002-of-00002.safetensors")).unwrap();
    assert_eq!(load_layer(&index, first.name()).unwrap().layer, first);
    let error = folder.relative(load_layer(&index, second.name()).unwrap_err());
    assert!(error.starts_with("model-00002-of-00002.safetensors: cannot open: "), "{error}");
    let listed = list_layers(&index).unwrap();
    assert_eq!(listed[0].shape, Some(first.shape()));
    assert!(listed[1].shape.is_none() && listed[1].problem.is_some());

    // The index is wrong about a file.
    write_index("model-00001-of-00002.safetensors", "model-00001-of-00002.safetensors");
    let wrong = folder.relative(load_layer(&index, second.name()).unwrap_err());
    write_index("model-00001-of-00002.safetensors", "../elsewhere.safetensors");
    let outside = folder.relative(load_layer(&index, first.name()).unwrap_err());
    std::fs::write(&index, "{}").unwrap();
    let empty = folder.relative(load_layer(&index, first.name()).unwrap_err());
    insta::assert_snapshot!([wrong, outside, empty].join("\n"));
}

#[test]
fn every_mistake_in_a_checkpoint_gets_one_clear_message() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let good =
        Tensors::default().layer("model.layers.0.q").layer("model.layers.0.k").zeros("norm.weight", Dtype::F16, &[8]);
    let p = "model.layers.0.q";
    let name = |suffix: &str| format!("{p}.{suffix}");
    let nan = |bits: u16| {
        let mut bytes = vec![0; 12];
        bytes[6..8].copy_from_slice(&bits.to_le_bytes());
        bytes
    };
    let cases = [
        ("good", good.clone()),
        ("no codes", good.clone().without(&name("codes"))),
        ("no codebooks", good.clone().without(&name("codebooks"))),
        ("no scales", good.clone().without(&name("scales"))),
        ("bias", good.clone().zeros(&name("bias"), Dtype::F16, &[6])),
        ("output groups", good.clone().zeros(&name("codebooks"), Dtype::F16, &[2, 256, 8, 8])),
        ("entries", good.clone().zeros(&name("codebooks"), Dtype::F16, &[2, 192, 1, 8])),
        ("one entry", good.clone().zeros(&name("codebooks"), Dtype::F16, &[2, 1, 1, 8])),
        ("many entries", good.clone().zeros(&name("codebooks"), Dtype::F16, &[2, 1 << 17, 1, 8])),
        ("rank of codebooks", good.clone().zeros(&name("codebooks"), Dtype::F16, &[2, 256, 8])),
        ("type of codebooks", good.clone().zeros(&name("codebooks"), Dtype::F64, &[2, 256, 1, 8])),
        ("type of codes", good.clone().zeros(&name("codes"), Dtype::I32, &[6, 4, 2])),
        ("narrow codes", good.clone().zeros(&name("codebooks"), Dtype::F16, &[2, 4096, 1, 8])),
        ("rank of codes", good.clone().zeros(&name("codes"), Dtype::I8, &[6, 4])),
        ("codebooks in codes", good.clone().zeros(&name("codes"), Dtype::I8, &[6, 4, 3])),
        ("no outputs", good.clone().zeros(&name("codes"), Dtype::I8, &[0, 4, 2])),
        ("shape of scales", good.clone().zeros(&name("scales"), Dtype::F16, &[6, 4, 1, 1])),
        ("number of scales", good.clone().zeros(&name("scales"), Dtype::F16, &[5, 1, 1, 1])),
        ("type of scales", good.clone().zeros(&name("scales"), Dtype::U8, &[6, 1, 1, 1])),
        ("NaN scale", good.clone().with(&name("scales"), Dtype::F16, &[6, 1, 1, 1], nan(0x7E00))),
        ("infinite scale", good.clone().with(&name("scales"), Dtype::BF16, &[6, 1, 1, 1], nan(0xFF80))),
    ];
    let mut messages = Vec::new();
    for (what, file) in cases {
        file.write(&path);
        let message = load_layer(&path, p).map_or_else(|error| folder.relative(error), |_| "loaded".into());
        messages.push(format!("{what}: {message}"));
        // The listing knows the same from the headers, and goes on to the next layer.
        let listed = list_layers(&path).unwrap();
        assert_eq!(
            listed.iter().map(|layer| layer.name.as_str()).collect::<Vec<_>>(),
            ["model.layers.0.k", p],
            "{what}"
        );
        assert!(listed[0].shape.is_some() && listed[0].problem.is_none());
        let only_data = what == "good" || what.ends_with(" scale");
        assert_eq!(listed[1].problem.is_none(), only_data, "{what}");
    }
    good.write(&path);
    for prefix in ["model.layers.0.v", "model.layers.0", "layers.0.q", "model.layers.0.q.codes", "zzz", ""] {
        messages.push(format!("prefix `{prefix}`: {}", folder.relative(load_layer(&path, prefix).unwrap_err())));
    }
    assert!(load_layer(&path, "model.layers.0.q.").is_ok());
    Tensors::default().zeros("w", Dtype::F16, &[8]).write(&path);
    messages.push(format!("no layers: {}", folder.relative(load_layer(&path, p).unwrap_err())));
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn damaged_files_are_told_from_each_other() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let good = Tensors::default().layer("p").bytes();
    let load = || load_layer(&path, "p").map_or_else(|error| folder.relative(error), |_| "loaded".into());
    let with_header = |header: &[u8]| [&(header.len() as u64).to_le_bytes(), header].concat();
    let cases = [
        ("good", good.clone()),
        ("empty", vec![]),
        ("7 bytes", good[..7].to_vec()),
        ("truncated header", good[..40].to_vec()),
        ("truncated data", good[..good.len() - 1].to_vec()),
        ("overlong", [good.clone(), vec![0]].concat()),
        ("huge header", [&u64::MAX.to_le_bytes()[..], &good[8..]].concat()),
        ("header over the limit", [&100_000_001u64.to_le_bytes()[..], &good[8..]].concat()),
        ("no JSON", with_header(b"{\"a\": ")),
        ("no UTF-8", with_header(b"\xFF\xFE\xFD")),
        ("overlapping", with_header(br#"{"a":{"dtype":"I8","shape":[1],"data_offsets":[3,4]}}"#)),
        ("overflow", with_header(br#"{"a":{"dtype":"I8","shape":[4294967296,4294967296],"data_offsets":[0,0]}}"#)),
        ("Git LFS", b"version https://git-lfs\noid sha256:0\nsize 1\n".to_vec()),
    ];
    let mut messages = Vec::new();
    for (what, bytes) in cases {
        std::fs::write(&path, bytes).unwrap();
        messages.push(format!("{what}: {}", load()));
    }
    std::fs::remove_file(&path).unwrap();
    messages.push(format!("missing: {}", load()));
    let list = |path: &std::path::Path| folder.relative(list_layers(path).unwrap_err());
    messages.push(format!("empty folder: {}", list(folder.root())));
    for name in ["a.safetensors", "b.safetensors"] {
        std::fs::write(folder.path(name), &good).unwrap();
    }
    messages.push(format!("ambiguous folder: {}", list(folder.root())));
    insta::assert_snapshot!(messages.join("\n"));
}

#[test]
fn no_truncation_is_accepted_and_none_panics() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let good = Tensors::default()
        .zeros("p.codes", Dtype::I8, &[1, 1, 1])
        .zeros("p.codebooks", Dtype::F16, &[1, 2, 1, 1])
        .zeros("p.scales", Dtype::F16, &[1, 1, 1, 1])
        .bytes();
    for length in 0..good.len() {
        std::fs::write(&path, &good[..length]).unwrap();
        assert!(load_layer(&path, "p").is_err(), "{length} bytes");
    }
    std::fs::write(&path, &good).unwrap();
    assert!(load_layer(&path, "p").is_ok());
}

#[test]
fn what_cannot_be_written_leaves_nothing_behind() {
    let folder = Folder::new();
    let layer = [realistic("p", 8, 1, 8, 2, 1)];
    let error = folder.relative(write_safetensors(&layer, &folder.path("none/m.safetensors")).unwrap_err());
    assert!(error.starts_with("none/m.safetensors: cannot write: "), "{error}");
    std::fs::create_dir(folder.path("m.safetensors")).unwrap();
    assert!(write_safetensors(&layer, &folder.path("m.safetensors")).is_err());
    assert_eq!(std::fs::read_dir(folder.root()).unwrap().count(), 1);
}

#[test]
fn listed_shapes_say_whether_a_core_can_run_them() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let file = Tensors::default().layer("p").zeros("p.codebooks", Dtype::F16, &[2, 256, 4, 8]);
    file.zeros("p.codes", Dtype::I8, &[6, 4, 2]).write(&path);
    let listed = list_layers(&path).unwrap();
    let shape = listed[0].shape.unwrap();
    assert_eq!(shape.to_string(), "K=32 N=24 C=2 n=8 d=8");
    assert_eq!(listed[0].problem.as_deref(), Some("out_group_size is 4, only 1 can be looked up along K"));
    assert_eq!(shape.fits(&Core::PAPER.config()), Ok(()));
    let small = Core { index_bits: 7, ..Core::PAPER }.config();
    assert_eq!(shape.fits(&small), Err(vec!["it has n = 8, the core vq.index_bits = 7".into()]));
}
