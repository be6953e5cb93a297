//! From designs to gates: what Yosys and OpenSTA make of small cores, and what is said when they cannot.

#[path = "synth/area.rs"]
mod area;
#[path = "synth/asic.rs"]
mod asic;
#[path = "synth/baselines.rs"]
mod baselines;
#[allow(dead_code)] // a part of it is for other tests
#[path = "rtl/bench.rs"]
mod bench;
#[path = "synth/closing.rs"]
mod closing;
#[path = "synth/fpga.rs"]
mod fpga;
#[path = "synth/gate_level.rs"]
mod gate_level;
#[path = "synth/gates.rs"]
mod gates;
#[path = "synth/interrupt.rs"]
mod interrupt;
#[path = "synth/netlist.rs"]
mod netlist;
#[path = "synth/refusals.rs"]
mod refusals;
#[allow(dead_code)] // a part of it is for other tests
#[path = "common/tools.rs"]
mod tools_of_tests;
#[allow(dead_code)] // a part of it is for other tests
#[path = "rtl/values.rs"]
mod values;
#[allow(dead_code)] // a part of it is for other tests
#[path = "rtl/whole.rs"]
mod whole;
#[path = "synth/wrapper.rs"]
mod wrapper;

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{self, Command, Output};
use std::sync::{LazyLock, Mutex, MutexGuard};

use eva_rtl::config::Preset;
use eva_rtl::hdl::Design;
use eva_rtl::rtl::eva_core;
use eva_rtl::synth::{Mapping, Options, Report, Tools, synthesise};

/// Each test that maps keeps both processors busy by itself.
fn one_at_a_time() -> MutexGuard<'static, ()> {
    static LOCK: Mutex<()> = Mutex::new(());
    LOCK.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn core(preset: &str) -> Design {
    let config = Preset::find(preset).expect("a preset").config();
    eva_core(&config).expect("a sound design").design
}

/// The installed tools; without Yosys the test fails with the line that installs it.
fn tools() -> Tools {
    Tools::find().unwrap_or_else(|error| panic!("{error}"))
}

/// Where tests keep results that do not ask how they come about: what one has mapped others need not map again. Each run of
/// the tests begins with an empty folder.
fn shared_cache() -> &'static Path {
    static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
        let runs = Path::new(env!("CARGO_TARGET_TMPDIR")).join("synth");
        fs::create_dir_all(&runs).expect("a writable folder");
        let folder = runs.join(process::id().to_string());
        // Nothing runs when the last test ends: each run removes what those before have left.
        for run in fs::read_dir(&runs).expect("a folder") {
            let run = run.expect("a folder").path();
            let has_ended = !Path::new("/proc").join(run.file_name().expect("a name")).exists();
            if has_ended || run == folder {
                // Another run may be doing the same.
                fs::remove_dir_all(run).ok();
            }
        }
        folder
    });
    &FOLDER
}

/// Maps with results kept in `cache`.
fn map(design: &Design, mapping: Mapping, top: Option<&str>, cache: &Path, tools: &Tools) -> Report {
    let options = Options { top: top.map(str::to_owned), cache: Some(cache.to_owned()), ..Options::new(mapping) };
    let work = tempfile::tempdir().expect("a folder");
    synthesise(design, &options, tools, work.path(), &|_| {}).unwrap_or_else(|error| panic!("{error}"))
}

/// How often each module of a design occurs.
fn occurrences(design: &Design) -> Vec<(String, u64)> {
    let mut counts = vec![0; design.modules.len()];
    counts[design.top.index()] = 1;
    for (index, module) in design.modules.iter().enumerate().rev() {
        for instance in &module.instances {
            counts[instance.module.index()] += counts[index];
        }
    }
    design.modules.iter().map(|module| module.name.clone()).zip(counts).collect()
}

/// The program with results kept in `cache` and temporary files below `temporary`.
fn eva(args: &[&str], cache: &Path, temporary: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_eva"));
    command.arg("synth").args(args).env("EVA_CACHE", cache).env("TMPDIR", temporary).env("NO_COLOR", "1");
    command
}

fn output(command: &mut Command) -> (Output, String) {
    let output = command.output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    (output, stderr)
}

/// An executable shell script.
fn shell_script(path: PathBuf, text: &str) -> PathBuf {
    fs::write(&path, format!("#!/bin/sh\n{text}\n")).expect("a writable folder");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions can be set");
    path
}
