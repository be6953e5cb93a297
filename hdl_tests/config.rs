//! Configurations: the rules, the files, the presets, and what is said when something is wrong.

use std::path::Path;

use eva_rtl::config::{CoreConfig, Draft, PARAMETERS, PRESETS, Parameter, Value};
use insta::assert_snapshot;
use proptest::prelude::*;

fn paper() -> CoreConfig {
    CoreConfig::preset("paper").unwrap()
}

/// The `paper` preset with some numbers changed.
fn with(changes: &[(&str, u32)]) -> CoreConfig {
    let mut config = paper();
    for (key, value) in changes {
        let parameter = Parameter::find(key).unwrap();
        parameter.set(&mut config, Value::Number(*value));
    }
    config
}

fn complaint(changes: &[(&str, u32)]) -> String {
    with(changes).validate().unwrap_err().to_string()
}

fn file_error(text: &str) -> String {
    match Draft::parse(text, Path::new("core.toml")).and_then(Draft::finish) {
        Ok(config) => panic!("accepted as {config:?}"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn each_rule_is_reported_alone() {
    let cases: &[&[(&str, u32)]] = &[
        &[("array.rows", 1)],
        &[("array.rows", 129)],
        &[("array.cols", 0)],
        &[("array.cols", 30)],
        &[("array.cols", 260)],
        &[("vq.dim", 0)],
        &[("vq.dim", 6)],
        &[("vq.dim", 16)],
        &[("vq.index_bits", 1)],
        &[("vq.index_bits", 13)],
        &[("vq.max_codebooks", 0)],
        &[("vq.max_codebooks", 9)],
        &[("epilogue.units", 0)],
        &[("epilogue.units", 17)],
        &[("buffers.max_k", 0)],
        &[("buffers.max_k", 4100)],
        &[("buffers.max_k", 65544)],
        &[("buffers.max_n_block", 0)],
        &[("buffers.max_n_block", 65537)],
        &[("stream.width", 16)],
        &[("stream.width", 768)],
        &[("stream.width", 8192)],
        &[("pipeline.pe", 3)],
        &[("pipeline.tree", 5)],
        &[("pipeline.epilogue", 0)],
        &[("pipeline.epilogue", 5)],
        &[("pipeline.scale", 0)],
        &[("pipeline.scale", 6)],
    ];
    let mut messages = String::new();
    for changes in cases {
        let violations = with(changes).validate().unwrap_err().0;
        assert_eq!(violations.len(), 1, "{changes:?}: {violations:?}");
        messages += &format!("{}\n", violations[0]);
    }
    assert_snapshot!(messages);
}

#[test]
fn sizes_that_only_together_are_too_large() {
    let rows = ("array.rows", 128);
    let cols = ("array.cols", 256);
    let messages = [
        // 128 rows of 64 segments: even one unit makes words of 8192 * 12 bits.
        complaint(&[rows, cols, ("vq.dim", 1), ("vq.index_bits", 12), ("epilogue.units", 1)]),
        complaint(&[rows, cols, ("epilogue.units", 16)]),
        // Words of 5120 * 12 bits pass, their output codebooks of 640 Mbit do not.
        complaint(&[rows, cols, ("vq.index_bits", 12), ("epilogue.units", 5)]),
    ];
    assert_snapshot!(messages.join("\n"));
    let largest = with(&[rows, cols, ("epilogue.units", 8)]);
    assert_eq!(largest.validate(), Ok(()));
    assert_eq!(largest.index_word_bits(), 65536);
}

#[test]
fn all_violations_at_once() {
    assert_snapshot!(complaint(&[
        ("array.rows", 1),
        ("array.cols", 30),
        ("vq.dim", 6),
        ("vq.index_bits", 13),
        ("vq.max_codebooks", 9),
        ("epilogue.units", 0),
        ("buffers.max_k", 102),
        ("buffers.max_n_block", 0),
        ("stream.width", 1000),
        ("pipeline.pe", 3),
        ("pipeline.tree", 5),
        ("pipeline.epilogue", 0),
        ("pipeline.scale", 6),
    ]));
}

/// Values near and far from every limit.
fn any_number() -> impl Strategy<Value = u32> {
    prop_oneof![0..20u32, 0..300u32, (0..17u32).prop_map(|log| 1 << log), any::<u32>(),]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(3000) })]

    /// Whatever was asked for, taking the suggestions gives a valid configuration and leaves the rest alone.
    #[test]
    fn the_suggestions_work(numbers in proptest::collection::vec(any_number(), 13)) {
        let mut config = paper();
        let keys = PARAMETERS.iter().filter(|parameter| parameter.range().is_some());
        for (parameter, number) in keys.zip(&numbers) {
            parameter.set(&mut config, Value::Number(*number));
        }
        let mut mended = config.clone();
        if let Err(violations) = config.validate() {
            for violation in violations.0 {
                prop_assert_ne!(violation.value, violation.suggestion);
                let parameter = Parameter::find(violation.key).unwrap();
                prop_assert_eq!(parameter.get(&config), Value::Number(violation.value));
                parameter.set(&mut mended, Value::Number(violation.suggestion));
            }
        }
        prop_assert_eq!(mended.validate(), Ok(()));
        prop_assert!(mended.index_word_bits() <= 65536);
        prop_assert!(mended.segments() * mended.vq.dim == mended.fp16_cols());
        prop_assert!(mended.max_vectors() * mended.vq.dim == mended.buffers.max_k);
    }
}

#[test]
fn presets_are_valid_files_and_describe_themselves() {
    for preset in PRESETS {
        let read = Draft::parse(preset.toml, Path::new(preset.name)).unwrap();
        let config = read.finish().unwrap();
        assert_eq!(config, preset.config(), "{}", preset.name);
        assert_eq!(config, toml::from_str(preset.toml).unwrap());
        assert!(preset.about().ends_with('.'), "{}", preset.about());
        for parameter in &PARAMETERS {
            let lines: Vec<&str> = preset.toml.lines().collect();
            let line = format!("{} = ", parameter.name());
            let section = format!("[{}]", parameter.section());
            let start = lines.iter().position(|text| *text == section).unwrap();
            let offset = lines[start..].iter().position(|text| text.starts_with(&line)).unwrap();
            let comment = lines[start + offset - 1];
            assert!(comment.starts_with("# "), "{}: {comment}", parameter.key);
        }
    }
    let main_numbers: Vec<_> = PRESETS
        .iter()
        .map(|preset| {
            let config = preset.config();
            let words = config.index_words_per_beat();
            (preset.name, config.tile_vectors(), config.index_word_bits(), words)
        })
        .collect();
    assert_eq!(main_numbers, [("paper", 128, 1024, 1), ("small", 32, 256, 1), ("fpga", 8, 64, 2), ("tiny", 4, 16, 2)]);
}

#[test]
fn a_file_can_build_on_a_preset() {
    let text = "preset = \"small\"\n[array]\nrows = 0x10\n[buffers]\nmax_k = 8_192\n[memory]\nstyle = \"macro\"\n";
    let config = Draft::parse(text, Path::new("core.toml")).and_then(Draft::finish).unwrap();
    let mut expected = CoreConfig::preset("small").unwrap();
    expected.array.rows = 16;
    expected.buffers.max_k = 8192;
    expected.memory.style = eva_rtl::config::MemoryStyle::Macro;
    assert_eq!(config, expected);
}

#[test]
fn every_parameter_can_be_set_and_read_by_its_key() {
    for (index, parameter) in PARAMETERS.iter().enumerate() {
        let text = parameter.range().map_or("macro".to_owned(), |range| range.start().to_string());
        let mut config = paper();
        let value = parameter.parse(&text).unwrap();
        parameter.set(&mut config, value);
        assert_eq!(parameter.get(&config).to_string(), text);
        // No two parameters share a place.
        for (other, another) in PARAMETERS.iter().enumerate() {
            if other != index {
                assert_eq!(another.get(&config), another.get(&paper()));
            }
        }
        let json = serde_json::to_value(&config).unwrap();
        assert_eq!(json[parameter.section()][parameter.name()].to_string().trim_matches('"'), text);
    }
}

#[test]
fn violations_say_where_the_value_was_set() {
    let text = "preset = \"small\"\n\n[vq]\nindex_bits = 13\n";
    let mut draft = Draft::parse(text, Path::new("core.toml")).unwrap();
    draft.set(Parameter::find("array.rows").unwrap(), Value::Number(1));
    draft.set(Parameter::find("array.cols").unwrap(), Value::Number(16));
    assert_snapshot!(draft.finish().unwrap_err());
}

#[test]
fn mistakes_in_a_file_are_located() {
    let files = [
        "[array]\nrows = \n",
        "preset = \"papr\"\n",
        "preset = 3\n",
        "preset = \"tiny\"\n[array]\nrows = 2\nrows = 4\n",
        "array = 3\n",
        "[array]\nrows = true\n[vq]\ndim = 8\n",
        "",
        r#"preset = "tiny"
rows = 4
color = 3
[array]
colums = 32
height = 2
dim = 3
[epilog]
units = 1
[vq]
dim = "8"
index_bits = 8.0
max_codebooks = -1
[buffers]
max_k = 4294967296
[memory]
style = "Macro"
"#,
    ];
    let report = files.map(|text| format!("{text}=>\n{}\n", file_error(text)));
    assert_snapshot!(report.join("\n"));
}

/// What is no configuration at all is not told line by line.
#[test]
fn of_many_mistakes_the_first_are_told() {
    let page = file_error(include_str!("../README.md"));
    assert_eq!(page.lines().count(), 4, "{page}");
    assert!(
        page.starts_with("core.toml:3: ") && page.contains(" more mistakes; a configuration is written in TOML"),
        "{page}"
    );
    let keys: String = (0..100).map(|number| format!("key{number} = 1\n")).collect();
    let unknown = file_error(&keys);
    assert_eq!(unknown.lines().count(), 25, "{unknown}");
    assert!(unknown.ends_with("\n... and 76 more"), "{unknown}");
}

/// Larger parameters that are enough, but not more than that.
#[test]
fn room_for_larger_layers() {
    // 512 vectors of 8 inputs, 2 codebooks.
    let small = CoreConfig::preset("small").unwrap();
    let flags = |layers: &[(u64, u64)]| small.flags_for(layers.iter().copied());
    assert_eq!(flags(&[(512, 2), (1024, 1)]), None);
    assert_eq!(flags(&[(512, 2), (513, 2)]).unwrap(), "--max-k 4104");
    assert_eq!(flags(&[(1025, 1)]).unwrap(), "--max-k 4104");
    assert_eq!(flags(&[(512, 3)]).unwrap(), "--max-codebooks 3");
    assert_eq!(flags(&[(1376, 3)]).unwrap(), "--max-codebooks 3 --max-k 11008");
    assert_eq!(flags(&[(8192, 2)]).unwrap(), "--max-k 65536");
    assert_eq!([flags(&[(8193, 2)]), flags(&[(1, 9)]), flags(&[(u64::MAX, 8)])], [None, None, None]);
}

#[test]
fn mistakes_in_macros_are_located() {
    let files = [
        "preset = \"tiny\"\n[memory]\nmacro = 3\nmacros = []\n",
        r#"preset = "tiny"
[[memory.macro]]
[[memory.macro]]
module = "ram"
deph = 4
width = 0
holds_output = "yes"
write = { clock = "clk", enable = [], adress = "a", data = 3 }
read = 7
tie = { test = 2, mask = "4'b11111", clk = 0, "x y" = 1 }
open = "q"
[[memory.macro]]
module = "eva_ram"
depth = 4
width = 5000
write = { clock = "!clk", enable = ["!csb", "csb", "reg"], address = "a", data = "d" }
read = { clock = "clk", address = "a" }
tie = 1
"#,
        r#"preset = "tiny"
[[memory.macro]]
module = "ram"
depth = 256
width = 32
holds_output = true
write = { clock = "clk", enable = ["we"], address = "wa", data = "d" }
read = { clock = "clk", address = "ra", data = "q" }
open = { clk = 1, dout0 = 0 }
[[memory.macro]]
module = "ram2"
depth = 256
width = 32
write = { clock = "clk", enable = ["we"], address = "wa", data = "d" }
read = { clock = "clk", enable = ["re"], address = "ra", data = "q" }
[[memory.macro]]
module = "ram2"
depth = 512
width = 32
write = { clock = "clk", enable = ["we"], address = "wa", data = "d" }
read = { clock = "clk", enable = ["re"], address = "ra", data = "q" }
"#,
    ];
    let report = files.map(|text| format!("{text}=>\n{}\n", file_error(text)));
    assert_snapshot!(report.join("\n"));
}

#[test]
fn files_that_cannot_be_read() {
    let folder = tempfile::tempdir().unwrap();
    let missing = Draft::read(&folder.path().join("none.toml")).unwrap_err();
    assert!(missing.to_string().starts_with("cannot read the configuration "), "{missing}");
    assert!(missing.to_string().contains("none.toml"));

    let binary = folder.path().join("binary.toml");
    std::fs::write(&binary, b"[array]\n\xff\xfe").unwrap();
    let error = Draft::read(&binary).unwrap_err().to_string();
    assert!(error.ends_with("binary.toml:2: is not UTF-8 text"), "{error}");

    assert!(Draft::read(folder.path()).is_err());
}

#[test]
fn an_unknown_preset_is_refused_by_name() {
    let message = |name| CoreConfig::preset(name).unwrap_err().to_string();
    assert_eq!(message("papper"), "there is no preset `papper`; did you mean `paper`?");
    assert_eq!(message("gigantic"), "there is no preset `gigantic`; the presets are paper, small, fpga, tiny");
}
