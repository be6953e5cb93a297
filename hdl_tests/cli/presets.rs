//! `eva presets`.

use eva_rtl::config::{CoreConfig, PRESETS};

use super::{refusal, stdout};

#[test]
fn the_table_has_every_preset() {
    insta::assert_snapshot!(stdout(&["presets"]));
}

#[test]
fn a_preset_is_printed_as_a_usable_file() {
    for preset in PRESETS {
        let text = stdout(&["presets", "--show", preset.name]);
        assert_eq!(text, preset.toml);
        let config: CoreConfig = toml::from_str(&text).unwrap();
        assert_eq!(config, preset.config());
    }
}

#[test]
fn json_carries_the_parameters() {
    let list: serde_json::Value = serde_json::from_str(&stdout(&["presets", "--json"])).unwrap();
    let list = list.as_array().unwrap();
    assert_eq!(list.len(), PRESETS.len());
    for (entry, preset) in list.iter().zip(PRESETS) {
        assert_eq!(entry["name"], preset.name);
        let config: CoreConfig = serde_json::from_value(entry["parameters"].clone()).unwrap();
        assert_eq!(config, preset.config());
        assert_eq!(entry["tile_vectors"], config.tile_vectors());
    }
    let one = stdout(&["--json", "presets", "--show", "tiny"]);
    let one: serde_json::Value = serde_json::from_str(&one).unwrap();
    assert_eq!(one["parameters"]["array"]["rows"], 2);
}

#[test]
fn an_unknown_preset_is_refused_with_a_suggestion() {
    insta::assert_snapshot!(refusal(&["presets", "--show", "smal"]));
}

#[test]
fn a_reader_may_stop_early() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("eva"))
        .args(["presets", "--show", "paper"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}
