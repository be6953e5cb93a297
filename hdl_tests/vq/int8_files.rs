//! INT8 layers and activations from files: written and read back, sharded, unusual and damaged.

use std::path::Path;

use eva_rtl::vq::int8::{
    Int8Distribution, Int8Layer, Int8Shape, list_int8_layers, load_int8_layer, random_int8_layer,
    read_int8_activations, write_int8_safetensors,
};
use eva_rtl::vq::load_layer;
use half::{bf16, f16};
use npyz::WriterBuilder;
use safetensors::Dtype;

use super::fixture::{Folder, Tensors};

fn layer(name: &str, inputs: usize, outputs: usize) -> Int8Layer {
    let random = random_int8_layer(Int8Shape { inputs, outputs }, Int8Distribution::Realistic, 7).unwrap();
    Int8Layer::new(name, random.shape(), random.weights().to_vec(), random.scales().to_vec()).unwrap()
}

#[test]
fn layers_survive_writing_and_reading() {
    let folder = Folder::new();
    let path = folder.path("model.safetensors");
    let layers = [layer("model.layers.0.mlp.down_proj", 50, 7), layer("model.layers.0.mlp.up_proj", 7, 50)];
    write_int8_safetensors(&layers, &path).unwrap();
    for layer in &layers {
        assert_eq!(&load_int8_layer(&path, layer.name()).unwrap(), layer);
        assert_eq!(&load_int8_layer(folder.root(), &format!("{}.", layer.name())).unwrap(), layer);
    }
    let listed: Vec<_> =
        list_int8_layers(&path).unwrap().into_iter().map(|l| (l.name, l.shape.unwrap(), l.problem)).collect();
    assert_eq!(listed, layers.iter().map(|l| (l.name().to_owned(), l.shape(), None)).collect::<Vec<_>>());
    assert_eq!(std::fs::read_dir(folder.root()).unwrap().count(), 1, "nothing but the file is left");

    let bytes = std::fs::read(&path).unwrap();
    let file = safetensors::SafeTensors::deserialize(&bytes).unwrap();
    let weight = file.tensor("model.layers.0.mlp.up_proj.weight").unwrap();
    assert_eq!((weight.dtype(), weight.shape()), (Dtype::I8, &[50, 7][..]));
    let scale = file.tensor("model.layers.0.mlp.up_proj.weight_scale").unwrap();
    assert_eq!((scale.dtype(), scale.shape()), (Dtype::F32, &[50, 1][..]));
    let error = write_int8_safetensors(&[layers[0].clone(), layers[0].clone()], &path).unwrap_err();
    let message = "layer `model.layers.0.mlp.down_proj`: another layer of the same file has this name";
    assert_eq!(error.to_string(), message);
}

#[test]
fn a_dot_at_the_end_of_a_prefix_may_be_part_of_the_name() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let layers = [layer("a", 3, 2), layer("a.", 5, 2)];
    write_int8_safetensors(&layers, &path).unwrap();
    assert_eq!(load_int8_layer(&path, "a").unwrap(), layers[0]);
    assert_eq!(load_int8_layer(&path, "a.").unwrap(), layers[1]);
    assert_eq!(load_int8_layer(&path, "a..").unwrap(), layers[0]);
    Tensors::default().layer("b.").write(&path);
    assert_eq!(load_layer(&path, "b.").unwrap().layer.name(), "b.");
    Tensors::default().layer("b").write(&path);
    assert_eq!(load_layer(&path, "b.").unwrap().layer.name(), "b");
}

#[test]
fn scales_of_every_type_and_shape_become_fp32() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let values = [1e-7f32, -3.5, 0.3];
    let read = |dtype, shape: &[usize], data: Vec<u8>| {
        let weights = vec![0x80, 0x7F, 0xFF, 0, 1, 2];
        let file = Tensors::default().with("p.weight", Dtype::I8, &[3, 2], weights);
        file.with("p.weight_scale", dtype, shape, data).write(&path);
        let layer = load_int8_layer(&path, "p").unwrap();
        assert_eq!(layer.weights(), [-128, 127, -1, 0, 1, 2]);
        layer.scales().iter().map(|&bits| f32::from_bits(bits)).collect::<Vec<f32>>()
    };
    let f32s = |values: &[f32]| values.iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>();
    assert_eq!(read(Dtype::F32, &[3, 1], f32s(&values)), values);
    assert_eq!(read(Dtype::F32, &[3], f32s(&values)), values);
    for shape in [&[][..], &[1], &[1, 1]] {
        assert_eq!(read(Dtype::F32, shape, f32s(&[0.7])), [0.7; 3]);
    }
    let bytes = values.iter().flat_map(|&value| f16::from_f32(value).to_le_bytes()).collect();
    assert_eq!(read(Dtype::F16, &[3, 1], bytes), values.map(|value| f16::from_f32(value).to_f32()));
    let bytes = values.iter().flat_map(|&value| bf16::from_f32(value).to_le_bytes()).collect();
    assert_eq!(read(Dtype::BF16, &[3, 1], bytes), values.map(|value| bf16::from_f32(value).to_f32()));
}

/// A layer of zeros: N = 6, K = 8.
fn zeros(tensors: Tensors, prefix: &str) -> Tensors {
    tensors.zeros(&format!("{prefix}.weight"), Dtype::I8, &[6, 8]).zeros(
        &format!("{prefix}.weight_scale"),
        Dtype::BF16,
        &[6, 1],
    )
}

#[test]
fn sharded_checkpoints_are_read_through_their_index() {
    let folder = Folder::new();
    // Weight and scale in different files.
    Tensors::default().zeros("p.weight", Dtype::I8, &[6, 8]).write(&folder.path("a.safetensors"));
    Tensors::default().zeros("p.weight_scale", Dtype::F32, &[6, 1]).write(&folder.path("b.safetensors"));
    let index = folder.path("model.safetensors.index.json");
    let map = r#"{"weight_map": {"p.weight": "a.safetensors", "p.weight_scale": "b.safetensors"}}"#;
    std::fs::write(&index, map).unwrap();
    for path in [index.as_path(), folder.root()] {
        assert_eq!(load_int8_layer(path, "p").unwrap().shape(), Int8Shape { inputs: 8, outputs: 6 });
    }
    std::fs::remove_file(folder.path("b.safetensors")).unwrap();
    let error = folder.relative(load_int8_layer(&index, "p").unwrap_err());
    assert!(error.starts_with("b.safetensors: cannot open: "), "{error}");
    assert!(list_int8_layers(&index).unwrap()[0].problem.is_some());
}

#[test]
fn every_mistake_in_a_checkpoint_gets_one_clear_message() {
    let folder = Folder::new();
    let path = folder.path("m.safetensors");
    let p = "model.layers.0.q";
    let good = zeros(zeros(Tensors::default(), p), "model.layers.0.k").zeros("norm.weight", Dtype::F16, &[8]);
    let name = |suffix: &str| format!("{p}.{suffix}");
    let scales = |bits: u16| [vec![0; 6], bits.to_le_bytes().to_vec(), vec![0; 4]].concat();
    let zero_points = |last: u8| vec![0, 0, 0, 0, 0, last];
    let cases = [
        ("good", good.clone()),
        ("zero points of zero", good.clone().with(&name("weight_zero_point"), Dtype::I8, &[6, 1], zero_points(0))),
        ("no weight", good.clone().without(&name("weight"))),
        ("no scale", good.clone().without(&name("weight_scale"))),
        ("bias", good.clone().zeros(&name("bias"), Dtype::F16, &[6])),
        ("zero points", good.clone().with(&name("weight_zero_point"), Dtype::I8, &[6, 1], zero_points(3))),
        ("FP8", good.clone().zeros(&name("weight"), Dtype::F8_E4M3, &[6, 8])),
        ("not quantised", good.clone().zeros(&name("weight"), Dtype::F16, &[6, 8])),
        ("unsigned", good.clone().zeros(&name("weight"), Dtype::U8, &[6, 8])),
        ("rank of weight", good.clone().zeros(&name("weight"), Dtype::I8, &[6, 8, 1])),
        ("no outputs", good.clone().zeros(&name("weight"), Dtype::I8, &[0, 8])),
        ("no inputs", good.clone().zeros(&name("weight"), Dtype::I8, &[6, 0])),
        ("K too large", good.clone().zeros(&name("weight"), Dtype::I8, &[6, 65537])),
        ("groups", good.clone().zeros(&name("weight_scale"), Dtype::F16, &[6, 2])),
        ("number of scales", good.clone().zeros(&name("weight_scale"), Dtype::F16, &[5, 1])),
        ("scales of inputs", good.clone().zeros(&name("weight_scale"), Dtype::F16, &[1, 6])),
        ("type of scales", good.clone().zeros(&name("weight_scale"), Dtype::F64, &[6, 1])),
        ("NaN scale", good.clone().with(&name("weight_scale"), Dtype::F16, &[6, 1], scales(0x7E00))),
        ("infinite scale", good.clone().with(&name("weight_scale"), Dtype::BF16, &[6, 1], scales(0xFF80))),
    ];
    let mut messages = Vec::new();
    for (what, file) in cases {
        file.write(&path);
        let loaded = load_int8_layer(&path, p);
        let message = loaded.as_ref().map_or_else(|error| folder.relative(error), |_| "loaded".into());
        messages.push(format!("{what}: {message}"));
        // The listing knows the same from the headers, and goes on to the next layer.
        let listed = list_int8_layers(&path).unwrap();
        assert!(listed[0].shape.is_some() && listed[0].problem.is_none(), "{what}");
        if what == "no scale" {
            // Any layer has a weight.
            assert_eq!(listed.len(), 1);
        } else {
            assert_eq!(listed[1].name, p, "{what}");
            let only_data = loaded.is_ok() || what.ends_with(" scale");
            assert_eq!(listed[1].problem.is_none(), only_data, "{what}");
        }
    }
    good.write(&path);
    for prefix in ["model.layers.0.v", "model.layers.0.q.weight", "norm", ""] {
        messages.push(format!("prefix `{prefix}`: {}", folder.relative(load_int8_layer(&path, prefix).unwrap_err())));
    }
    Tensors::default().layer("p").write(&path);
    messages.push(format!("AQLM: {}", folder.relative(load_int8_layer(&path, "p").unwrap_err())));
    std::fs::write(&path, b"version https://git-lfs").unwrap();
    messages.push(format!("Git LFS: {}", folder.relative(load_int8_layer(&path, "p").unwrap_err())));
    insta::assert_snapshot!(messages.join("\n"));
}

fn write_npy<T: npyz::AutoSerialize + Copy>(path: &Path, order: npyz::Order, shape: &[u64], values: &[T]) {
    let mut bytes = Vec::new();
    let options = npyz::WriteOptions::new().default_dtype().order(order).shape(shape);
    let mut writer = options.writer(&mut bytes).begin_nd().unwrap();
    writer.extend(values.iter().copied()).unwrap();
    writer.finish().unwrap();
    std::fs::write(path, bytes).unwrap();
}

#[test]
fn activations_of_several_tokens() {
    let folder = Folder::new();
    let (npy, tensors) = (folder.path("x.npy"), folder.path("x.safetensors"));
    let values = [-128i8, 127, 0, -1, 5, 6];
    for (shape, tokens, inputs) in [(&[2, 3][..], 2, 3), (&[6], 1, 6), (&[1, 6], 1, 6)] {
        write_npy(&npy, npyz::Order::C, &shape.iter().map(|&n| n as u64).collect::<Vec<_>>(), &values);
        Tensors::default().with("x", Dtype::I8, shape, values.map(|value| value as u8).to_vec()).write(&tensors);
        for path in [&npy, &tensors] {
            let x = read_int8_activations(path, None).unwrap();
            assert_eq!((x.tokens, x.inputs, x.values.as_slice()), (tokens, inputs, &values[..]));
        }
    }
}

#[test]
fn every_mistake_in_activations_gets_one_clear_message() {
    let folder = Folder::new();
    let (npy, tensors) = (folder.path("x.npy"), folder.path("x.safetensors"));
    let mut messages = Vec::new();
    let mut read = |what: &str, path: &Path, name: Option<&str>| {
        messages.push(format!("{what}: {}", folder.relative(read_int8_activations(path, name).unwrap_err())));
    };
    let order = npyz::Order::C;
    read("missing", &npy, None);
    read("format", &folder.path("x.bin"), None);
    write_npy(&npy, order, &[2, 2], &[1.0f32; 4]);
    read("type", &npy, None);
    write_npy(&npy, order, &[2, 2], &[1u8; 4]);
    read("unsigned", &npy, None);
    write_npy(&npy, order, &[2, 2, 1], &[1i8; 4]);
    read("rank", &npy, None);
    write_npy::<i8>(&npy, order, &[0, 4], &[]);
    read("no tokens", &npy, None);
    write_npy(&npy, npyz::Order::Fortran, &[2, 2], &[1i8; 4]);
    read("order", &npy, None);
    write_npy(&npy, order, &[2, 2], &[1i8; 4]);
    read("name", &npy, Some("x"));
    let bytes = std::fs::read(&npy).unwrap();
    std::fs::write(&npy, &bytes[..bytes.len() - 1]).unwrap();
    read("truncated", &npy, None);
    Tensors::default().zeros("a", Dtype::I8, &[2, 2]).zeros("b", Dtype::I8, &[2, 2]).write(&tensors);
    read("two tensors", &tensors, None);
    read("wrong name", &tensors, Some("c"));
    Tensors::default().zeros("a", Dtype::F16, &[2, 2]).write(&tensors);
    read("type of tensor", &tensors, None);
    Tensors::default().zeros("a", Dtype::I8, &[]).write(&tensors);
    read("shape of tensor", &tensors, None);
    insta::assert_snapshot!(messages.join("\n"));
}
