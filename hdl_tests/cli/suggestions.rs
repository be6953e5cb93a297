//! Whatever has a name: a slip of the pen is answered with the name that was meant.

use std::fs;

use eva_rtl::vq::{Distribution, LayerShape, random_layer, write_safetensors};

use super::eva;

#[test]
fn the_nearest_name_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let shape = LayerShape { inputs: 64, outputs: 16, dim: 4, index_bits: 4, codebooks: 1 };
    let layer = random_layer(shape, Distribution::Realistic, 1).unwrap().renamed("model.q_proj");
    write_safetensors(&[layer], &folder.path().join("model.safetensors")).unwrap();
    for (name, text) in [
        ("core.toml", "preset = \"tiny\"\n"),
        ("key.toml", "preset = \"tiny\"\n[array]\nrow = 2\n"),
        ("section.toml", "preset = \"tiny\"\n[aray]\nrows = 2\n"),
        ("base.toml", "preset = \"tinny\"\n"),
        ("model.toml", "name = \"m\"\nblocs = 1\n"),
        ("cells.lib", "library(cells) {}\n"),
    ] {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let program =
        eva(&["pack", "--preset", "tiny", "--random", "64,16", "--out", "block"]).current_dir(folder.path()).output();
    assert!(program.unwrap().status.success());

    let layer = "cosim --preset tiny --random 64,16";
    for (args, expected) in [
        // Commands, flags and their values.
        ("cosm", "'cosim'"),
        ("help cosm", "'cosim'"),
        ("man cosm", "did you mean `cosim`?"),
        ("completions zhs", "[possible values: bash, elvish, fish, powershell, zsh]"),
        ("generate --desing core --out o", "'--design'"),
        ("generate --design bord --out o", "'board'"),
        ("generate --target ecp --out o", "'ecp5'"),
        ("synth --target xilnx", "'xilinx'"),
        ("synth --effort quik", "'quick'"),
        (&format!("{layer} --sim verilater"), "'verilator'"),
        (&format!("{layer} --row 2"), "'--rows'"),
        (&format!("{layer} --memory-style infered"), "must be \"inferred\" or \"macro\""),
        (&format!("{layer} --stalls brust:0.1:2"), "burst:PROBABILITY:LENGTH"),
        ("estimate --model llama-2-7b --scales f23", "[possible values: f16, f32]"),
        // What the project has names for.
        ("presets --show smal", "did you mean `small`?"),
        ("cosim --preset papr --random 64,16", "did you mean `paper`?"),
        ("estimate --model llama2-7b", "did you mean `llama-2-7b`?"),
        ("pack --random-block mixtral-7x8b --out o", "did you mean `mixtral-8x7b`?"),
        // Keys of files.
        ("generate --config key.toml --out o", "did you mean `array.rows`?"),
        ("generate --config section.toml --out o", "did you mean `array`?"),
        ("generate --config base.toml --out o", "did you mean `tiny`?"),
        ("estimate --model model.toml", "unknown field `blocs`, expected one of `name`, `blocks`, `stage`"),
        // Files.
        ("generate --config croe.toml --out o", "did you mean core.toml?"),
        ("estimate --model modle.toml", "did you mean model.toml?"),
        ("inspect modle.safetensors", "did you mean model.safetensors?"),
        ("cosim --program blok", "did you mean block/program.json?"),
        ("synth --preset tiny --liberty cels.lib", "did you mean cells.lib?"),
        ("cosim --preset tiny --random 64,16 --x model.safetensor", "ends neither in .npy nor in .safetensors"),
        ("cosim --preset tiny --random 64,16 --x mdel.safetensors", "did you mean model.safetensors?"),
        // Layers and tensors.
        ("cosim --preset tiny --weights model.safetensors --prefix model.qproj", "nearest of its 1: model.q_proj"),
        ("pack --preset tiny --weights model.safetensors --prefix modle --out o", "nearest of its 1: model.q_proj"),
        (
            &format!("{layer} --x model.safetensors --x-tensor model.q_proj.scale"),
            "did you mean `model.q_proj.scales`?",
        ),
    ] {
        let output = eva(&args.split(' ').collect::<Vec<_>>()).current_dir(folder.path()).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args}: {message}");
        assert!(message.contains(expected), "{args}: {message}");
    }
}
