//! Each example by itself.

use crate::common::lint;
use crate::replay::replay;
use crate::waves::Waves;
use crate::{EXAMPLES, Example};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

impl Example {
    /// Runs it, which compares all results with a model, and returns the folder with its files.
    pub fn files(&self, purpose: &str) -> PathBuf {
        let folder = lint::scratch(&format!("examples/{}_{purpose}", self.name));
        fs::create_dir_all(&folder).expect("a writable folder");
        (self.run)(&folder).unwrap_or_else(|error| panic!("{}: {error:?}", self.name));
        folder
    }

    pub fn waves(&self, folder: &Path) -> Waves {
        Waves::read(&folder.join(self.name).with_extension("vcd"), self.name)
    }
}

fn verilog(folder: &Path) -> Vec<PathBuf> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "v")).collect();
    files.sort();
    files
}

#[test]
fn all_examples_of_the_language_are_tested() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let programs = files.filter(|file| file.extension().is_some_and(|end| end == "rs"));
    let names = programs.map(|file| file.file_stem().unwrap().to_str().unwrap().to_owned());
    // hdl_tests/interop has the other one.
    let mut names: Vec<String> = names.filter(|name| name != "rust_hdl").collect();
    names.sort();
    let mut tested = EXAMPLES.map(|example| example.name);
    tested.sort();
    assert_eq!(names, tested);
}

#[test]
fn their_verilog_is_accepted_and_does_the_same() {
    for example in EXAMPLES {
        let folder = example.files("verilog");
        let files = verilog(&folder);
        lint::lint(&files, example.name, example.name);

        let waves = example.waves(&folder);
        assert!(waves.cycles > 1000, "{}: {} cycles", example.name, waves.cycles);
        let (wrong, known) = replay(example.name, example.inputs, example.outputs, &waves, &files);
        assert_eq!(wrong, 0, "{}: cycles that differ", example.name);
        assert!(known * 100 > waves.cycles * 99, "{}: {known} of {} cycles are known", example.name, waves.cycles);
    }
}

#[test]
fn a_difference_between_verilog_and_simulation_would_be_seen() {
    let example = &EXAMPLES[0];
    let folder = example.files("broken");
    let files = verilog(&folder);
    let text = fs::read_to_string(&files[0]).unwrap();
    let broken = text.replace("sum_4 + product_16", "sum_4 - product_16");
    assert_ne!(text, broken);
    fs::write(&files[0], broken).unwrap();
    let (wrong, _) = replay(example.name, example.inputs, example.outputs, &example.waves(&folder), &files);
    assert!(wrong > 500, "{wrong} cycles differ");
}

#[test]
fn their_waves_have_ports_and_inner_signals() {
    for example in EXAMPLES {
        let waves = example.waves(&example.files("waves"));
        let ports = example.inputs.iter().chain(example.outputs).copied();
        for name in ports.chain(example.picture.rows.iter().flat_map(|row| [Some(row.signal), row.valid]).flatten()) {
            let values = &waves.signal(name).values;
            assert_eq!(values.len(), waves.cycles);
            // The clock is seen at its edges.
            let changes = values.iter().any(|value| *value != values[0]);
            assert!(changes || name == example.inputs[0], "{}: {name} never changes", example.name);
        }
    }
}

/// `cargo run --example` with this argument, in the build that the tests belong to.
fn program(name: &str, argument: Option<&Path>) -> Output {
    let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).args(["run", "--quiet", "--locked", "--offline"]);
    if cfg!(feature = "rust-hdl") {
        cargo.args(["--features", "rust-hdl"]);
    }
    cargo.args(["--example", name, "--"]).args(argument).output().expect("cargo starts")
}

#[test]
fn they_write_into_the_folder_that_is_given() {
    let temporary = tempfile::tempdir().unwrap();
    for Example { name, .. } in EXAMPLES {
        let folder = temporary.path().join("new").join(name);
        let output = program(name, Some(&folder));
        // No warnings either.
        assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
        for extension in ["v", "vcd"] {
            let file = folder.join(name).with_extension(extension);
            assert!(file.exists());
            assert!(String::from_utf8_lossy(&output.stdout).contains(file.to_str().unwrap()), "{output:?}");
        }
    }
}

#[test]
fn they_say_where_they_write_and_fail_where_they_cannot() {
    let output = program("fir_filter", None);
    let text = String::from_utf8(output.stdout).unwrap();
    let file = Path::new(text.split_once(": ").expect("a file and what it is").0);
    assert!(file.exists(), "{text}");
    fs::remove_dir_all(file.parent().unwrap()).unwrap();

    // No folder can be made below a file.
    let output = program("fir_filter", Some(&Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml/below")));
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("Error: cannot make "), "{output:?}");
}
