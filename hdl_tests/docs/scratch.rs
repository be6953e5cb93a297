//! A folder as a user of the documentation has it: the program on the `PATH`, and the files that commands name.

use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Command;

use eva_rtl::vq::int8::{Int8Distribution, Int8Layer, Int8Shape, random_int8_layer, write_int8_safetensors};
use eva_rtl::vq::{Distribution, Layer, LayerShape, random_layer, write_safetensors};
use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

/// The scratch folder; it goes away when dropped.
pub struct Scratch(TempDir);

impl Scratch {
    /// What a script prints behind each command, before its number.
    pub const END: &'static str = "\u{1}end of command ";

    /// Makes one with all the files.
    pub fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        let project = Path::new(env!("CARGO_MANIFEST_DIR"));
        for link in ["scripts", ".tools"] {
            symlink(project.join(link), root.join(link)).unwrap();
        }
        fs::create_dir(root.join("bin")).unwrap();
        symlink(assert_cmd::cargo::cargo_bin("eva"), root.join("bin/eva")).unwrap();
        write_checkpoints(root);
        write_x(&root.join("x.npy"));
        fs::write(root.join("mine.toml"), MODEL).unwrap();
        write_gzipped_library(&root.join("sky130_fd_sc_hd__tt_025C_1v80.lib.gz"));
        let scratch = Self(folder);
        let made = scratch.shell(
            "eva presets --show small >core.toml && eva pack --preset tiny --random 64,16 --out build/program >bin/log",
        );
        assert!({ made }.status().unwrap().success());
        scratch
    }

    /// The command that executes `script` in it.
    pub fn shell(&self, script: &str) -> Command {
        let root = self.0.path();
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let paths = [root.join("bin"), root.join(".tools/bin")].into_iter().chain(std::env::split_paths(&paths));
        let mut command = Command::new("bash");
        command.args(["-c", script]).current_dir(root).env("PATH", std::env::join_paths(paths).unwrap());
        // Nothing of the user's own.
        command.env("HOME", root.join("home"));
        command.env("NO_COLOR", "1").env("EVA_CACHE", root.join("cache")).env_remove("EVA_YOSYS");
        command
    }
}

/// A language model of one's own.
const MODEL: &str = "\
name = \"mine\"
blocks = 2

[[stage]]
layers = [{ name = \"up\", inputs = 512, outputs = 1024 }]

[[stage]]
layers = [{ name = \"down\", inputs = 1024, outputs = 512 }]
";

/// Inputs of all layers of the checkpoints.
const INPUTS: usize = 256;

fn write_checkpoints(root: &Path) {
    let shape = LayerShape { inputs: INPUTS, outputs: 64, dim: 8, index_bits: 8, codebooks: 2 };
    let layer =
        |name: &str, seed| -> Layer { random_layer(shape, Distribution::Realistic, seed).unwrap().renamed(name) };
    let names = ["self_attn.q_proj", "mlp.up_proj", "mlp.down_proj"];
    let layers: Vec<Layer> =
        names.iter().zip(1..).map(|(name, seed)| layer(&format!("model.layers.0.{name}"), seed)).collect();
    write_safetensors(&layers, &root.join("model.safetensors")).unwrap();
    fs::create_dir(root.join("checkpoint")).unwrap();
    fs::copy(root.join("model.safetensors"), root.join("checkpoint/model.safetensors")).unwrap();
    let tensors = names.iter().flat_map(|name| {
        ["codes", "codebooks", "scales"].map(|part| (format!("model.layers.0.{name}.{part}"), "model.safetensors"))
    });
    let index = serde_json::json!({ "weight_map": tensors.collect::<std::collections::BTreeMap<_, _>>() });
    fs::write(root.join("model.safetensors.index.json"), index.to_string()).unwrap();

    let shape = LayerShape { inputs: 64, outputs: 24, dim: 4, index_bits: 4, codebooks: 2 };
    let demo = random_layer(shape, Distribution::Realistic, 1).unwrap().renamed("demo");
    write_safetensors(&[demo], &root.join("demo.safetensors")).unwrap();

    let shape = Int8Shape { inputs: INPUTS, outputs: 64 };
    let random = random_int8_layer(shape, Int8Distribution::Realistic, 1).unwrap();
    let (weights, scales) = (random.weights().to_vec(), random.scales().to_vec());
    let layer = Int8Layer::new("model.layers.0.self_attn.q_proj", shape, weights, scales).unwrap();
    write_int8_safetensors(&[layer], &root.join("w8a8.safetensors")).unwrap();
}

/// The activations of one token.
fn write_x(path: &Path) {
    let mut header = format!("{{'descr': '<f2', 'fortran_order': False, 'shape': (1, {INPUTS}), }}");
    // Ten bytes before it, and as a whole a multiple of 64.
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend(u16::try_from(header.len()).unwrap().to_le_bytes());
    bytes.extend(header.into_bytes());
    bytes.extend((0..INPUTS).flat_map(|k| half::f16::from_f32(k as f32 / 64.0 - 2.0).to_bits().to_le_bytes()));
    fs::write(path, bytes).unwrap();
}

/// Some cell library of that name: the cells of another will do.
fn write_gzipped_library(path: &Path) {
    let installed =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools/osu018/usr/share/qflow/tech/osu018/osu018_stdcells.lib");
    let text = fs::read(&installed).unwrap_or_else(|error| {
        panic!("{}: {error}; run scripts/setup, which installs the tools of the tests", installed.display())
    });
    let mut file = GzEncoder::new(fs::File::create(path).unwrap(), Compression::fast());
    file.write_all(&text).unwrap();
    file.finish().unwrap();
}
