//! `eva inspect`.

use std::path::{Path, PathBuf};

use eva_rtl::vq::int8::{Int8Distribution, Int8Shape, random_int8_layer, write_int8_safetensors};
use eva_rtl::vq::{Distribution, Layer, LayerShape, random_layer, write_safetensors};
use serde_json::Value;

use super::{refusal, stdout};

fn layer(name: &str, codebooks: usize, dim: usize) -> Layer {
    let shape = LayerShape { inputs: 64, outputs: 16, dim, index_bits: 6, codebooks };
    let random = random_layer(shape, Distribution::Realistic, 1).unwrap();
    let (centroids, codes) = (random.centroids().to_vec(), random.codes().to_vec());
    Layer::new(name, shape, centroids, codes, random.scales().clone()).unwrap()
}

/// A checkpoint of three layers, of which the `small` preset runs the first.
fn checkpoint(folder: &Path) -> PathBuf {
    let path = folder.join("model.safetensors");
    let layers = [
        layer("model.layers.0.mlp.down_proj", 2, 8),
        layer("model.layers.0.mlp.gate_proj", 3, 8),
        layer("model.layers.0.mlp.up_proj", 4, 4),
    ];
    write_safetensors(&layers, &path).unwrap();
    path
}

#[test]
fn layers_are_listed_with_what_the_core_can_run() {
    let folder = tempfile::tempdir().unwrap();
    let path = checkpoint(folder.path());
    insta::assert_snapshot!(stdout(&["inspect", path.to_str().unwrap(), "--preset", "small"]));
}

#[test]
fn json_has_the_same_facts() {
    let folder = tempfile::tempdir().unwrap();
    let path = checkpoint(folder.path());
    let list = |args: &[&str]| -> Vec<Value> {
        let text = stdout(&[&["inspect", path.to_str().unwrap(), "--json"], args].concat());
        serde_json::from_str(&text).unwrap()
    };
    let layers = list(&["--preset", "small"]);
    let runs: Vec<_> = layers.iter().map(|layer| layer["runs"].as_bool().unwrap()).collect();
    assert_eq!(runs, [true, false, false]);
    assert_eq!(layers[0]["name"], "model.layers.0.mlp.down_proj");
    for (key, number) in [("inputs", 64), ("outputs", 16), ("codebooks", 2), ("index_bits", 6), ("dim", 8)] {
        assert_eq!(layers[0][key], number, "{key}");
    }
    assert_eq!(layers[2]["obstacles"].as_array().unwrap().len(), 2);
    // A core with more codebooks runs the second one too.
    assert_eq!(list(&["--preset", "small", "--max-codebooks", "3"])[1]["runs"], true);
}

#[test]
fn int8_layers_are_listed_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w8a8.safetensors");
    let random = random_int8_layer(Int8Shape { inputs: 40, outputs: 3 }, Int8Distribution::Realistic, 1).unwrap();
    write_int8_safetensors(&[random], &path).unwrap();
    let text = stdout(&["inspect", path.to_str().unwrap(), "--preset", "tiny"]);
    assert!(text.contains("random.1  INT8    40  3  -  -  -  yes"), "{text}");
    let list: Vec<Value> = serde_json::from_str(&stdout(&["inspect", path.to_str().unwrap(), "--json"])).unwrap();
    let expected = serde_json::json!({
        "name": "random.1", "format": "INT8", "inputs": 40, "outputs": 3,
        "codebooks": null, "index_bits": null, "dim": null, "group_inputs": null, "group_outputs": null, "runs": true, "obstacles": [],
    });
    assert_eq!(list, [expected]);
}

#[test]
fn files_without_layers_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.safetensors");
    write_safetensors(&[], &empty).unwrap();
    let message = refusal(&["inspect", empty.to_str().unwrap()]);
    assert!(message.contains("empty.safetensors: no quantised layers"), "{message}");

    let truncated = folder.path().join("short.safetensors");
    let bytes = std::fs::read(checkpoint(folder.path())).unwrap();
    std::fs::write(&truncated, &bytes[..bytes.len() / 2]).unwrap();
    for path in [truncated, folder.path().join("none.safetensors")] {
        let message = refusal(&["inspect", path.to_str().unwrap()]);
        assert!(message.contains(path.to_str().unwrap()), "{message}");
        assert_eq!(message.lines().count(), 1, "{message}");
    }
}

#[test]
fn parameters_are_checked_first() {
    let message = refusal(&["inspect", "none.safetensors", "--rows", "1", "--cols", "6"]);
    assert!(message.starts_with("error: 2 parameters cannot be used:\n  array.rows = 1 (--rows)"), "{message}");
    let message = refusal(&["inspect", "none.safetensors", "--rows", "-3"]);
    assert!(message.contains("'--rows <N>': must be a whole number from 2 to 128"), "{message}");
    let message = refusal(&["inspect", "none.safetensors", "--config", "none.toml"]);
    assert!(message.contains("none.toml: No such file"), "{message}");
}
