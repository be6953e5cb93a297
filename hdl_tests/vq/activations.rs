//! Activations from `.npy` and `.safetensors` files.

use std::path::Path;

use eva_rtl::vq::read_activations;
use half::f16;
use npyz::WriterBuilder;
use safetensors::Dtype;

use super::fixture::{Folder, Tensors};

fn write_npy<T: npyz::AutoSerialize + Copy>(path: &Path, shape: &[u64], values: &[T]) {
    let mut bytes = Vec::new();
    let mut writer = npyz::WriteOptions::new().default_dtype().shape(shape).writer(&mut bytes).begin_nd().unwrap();
    writer.extend(values.iter().copied()).unwrap();
    writer.finish().unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn npy_with_header(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((118u16).to_le_bytes());
    bytes.extend(format!("{header:<117}\n").bytes());
    bytes.extend(data);
    bytes
}

#[test]
fn npy_files() {
    let folder = Folder::new();
    let path = folder.path("x.npy");
    let bits = [0x3C00, 0x8001, 0x7BFF, 0xFC00];
    for shape in [&[4][..], &[1, 4]] {
        write_npy(&path, shape, &bits.map(f16::from_bits));
        let x = read_activations(&path, None).unwrap();
        assert_eq!((x.tokens, x.inputs), (1, 4));
        assert_eq!(x.values, bits);
        assert_eq!(x.conversion.to_string(), "4 F16 values");
    }
    write_npy(&path, &[2, 2], &bits.map(f16::from_bits));
    let x = read_activations(&path, None).unwrap();
    assert_eq!((x.tokens, x.inputs, x.values), (2, 2, bits.to_vec()));
    write_npy(&path, &[3], &[1.5f32, 1.0 + 2f32.powi(-12), -2e5]);
    let x = read_activations(&path, None).unwrap();
    assert_eq!(x.values, [0x3E00, 0x3C00, 0xFC00]);
    assert_eq!(x.conversion.to_string(), "3 F32 values converted to F16, 2 of them rounded, 1 of these to infinity");
}

#[test]
fn big_endian_npy_files() {
    let folder = Folder::new();
    let path = folder.path("x.npy");
    let header = "{'descr': '>f2', 'fortran_order': False, 'shape': (2,), }";
    std::fs::write(&path, npy_with_header(header, &[0x3C, 0x00, 0xC0, 0x01])).unwrap();
    assert_eq!(read_activations(&path, None).unwrap().values, [0x3C00, 0xC001]);
}

#[test]
fn safetensors_files() {
    let folder = Folder::new();
    let path = folder.path("x.safetensors");
    let one = Tensors::default().with("x", Dtype::F16, &[1, 2], vec![0x00, 0x3C, 0x01, 0x80]);
    one.write(&path);
    assert_eq!(read_activations(&path, None).unwrap().values, [0x3C00, 0x8001]);
    let two = one.with("z", Dtype::BF16, &[2], vec![0x80, 0x3F, 0x00, 0x00]);
    two.write(&path);
    assert_eq!(read_activations(&path, Some("x")).unwrap().values, [0x3C00, 0x8001]);
    let z = read_activations(&path, Some("z")).unwrap();
    assert_eq!(z.values, [0x3C00, 0]);
    assert_eq!(z.conversion.to_string(), "2 BF16 values converted to F16, 0 of them rounded");
}

#[test]
fn every_mistake_gets_one_clear_message() {
    let folder = Folder::new();
    let (npy, tensors) = (folder.path("x.npy"), folder.path("x.safetensors"));
    let mut messages = Vec::new();
    let mut read = |what: &str, path: &Path, name: Option<&str>| {
        messages.push(format!("{what}: {}", folder.relative(read_activations(path, name).unwrap_err())));
    };
    read("missing", &npy, None);
    read("format", &folder.path("x.bin"), None);
    std::fs::write(&npy, b"PK\x03\x04 something else").unwrap();
    read("no npy", &npy, None);
    write_npy(&npy, &[2, 2, 1], &[1.0f32; 4]);
    read("three dimensions", &npy, None);
    std::fs::write(&npy, npy_with_header("{'descr': '<f2', 'fortran_order': True, 'shape': (2, 2), }", &[0; 8]))
        .unwrap();
    read("by columns", &npy, None);
    write_npy::<f32>(&npy, &[0], &[]);
    read("nothing", &npy, None);
    write_npy(&npy, &[2], &[1.0f64; 2]);
    read("double", &npy, None);
    write_npy(&npy, &[2], &[1i16; 2]);
    read("integer", &npy, None);
    write_npy(&npy, &[2], &[1.0f32; 2]);
    read("name", &npy, Some("x"));
    let bytes = std::fs::read(&npy).unwrap();
    std::fs::write(&npy, &bytes[..bytes.len() - 3]).unwrap();
    read("truncated", &npy, None);

    Tensors::default().write(&tensors);
    read("no tensor", &tensors, None);
    Tensors::default().zeros("a", Dtype::F16, &[2]).zeros("b", Dtype::F16, &[2]).write(&tensors);
    read("two tensors", &tensors, None);
    read("wrong name", &tensors, Some("c"));
    Tensors::default().zeros("a", Dtype::I8, &[2]).write(&tensors);
    read("type", &tensors, None);
    Tensors::default().zeros("a", Dtype::F16, &[2, 0]).write(&tensors);
    read("shape", &tensors, Some("a"));
    insta::assert_snapshot!(messages.join("\n"));
}
