//! What is generated for other people's tools and memories.

mod constraints;
mod core_of_macros;
mod fusesoc;
mod ram_macro;
mod scripts;
#[allow(dead_code)] // a part of it is for other tests
#[path = "../common/tools.rs"]
mod tools;

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use eva_rtl::config::Draft;
use eva_rtl::flows::Target;
use eva_rtl::hdl::verilog::RamMacro;
use serde_json::Value;

/// The behaviour of the macro that [`sky130`] describes.
const SKY130_MODEL: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/hdl_tests/flows/sky130_sram_1kbyte_1rw1r_32x256_8.v");
const SKY130: &str = include_str!("sky130.toml");

/// A macro with a port for reading and writing and a port for reading.
fn sky130() -> RamMacro {
    let text = format!("preset = \"tiny\"\n{SKY130}");
    let config = Draft::parse(&text, Path::new("sky130.toml")).and_then(Draft::finish).expect("no mistakes");
    config.memory.macros.into_iter().next().expect("one macro")
}

/// A core in a temporary folder.
struct Generated {
    folder: tempfile::TempDir,
    /// What was printed.
    stdout: String,
}

impl Generated {
    /// From `eva generate` with these arguments.
    fn new(args: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut eva = Command::cargo_bin("eva").expect("the program is built with the tests");
        let run = eva.arg("generate").args(args).arg("--out").arg(folder.path()).assert().success();
        let stdout = String::from_utf8(run.get_output().stdout.clone()).expect("it is text");
        Self { folder, stdout }
    }

    /// The preset `tiny` for a target.
    fn tiny(target: Target) -> Self {
        Self::new(&["--preset", "tiny", "--target", target.name(), "--clock", "8"])
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    fn manifest(&self) -> Value {
        serde_json::from_str(&self.text("eva_core.json")).expect("it is JSON")
    }

    /// The entries of a list in the manifest.
    fn listed(&self, key: &str) -> Vec<String> {
        serde_json::from_value(self.manifest()[key].clone()).expect("a list of strings")
    }
}
