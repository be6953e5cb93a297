//! `scripts/area`: that its figures are those of `eva synth`, and what it says to wrong use.

use std::collections::BTreeMap;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{eva, one_at_a_time, output, shared_cache, shell_script};

/// The script, with the program of this build.
fn script(args: &[&str], cache: &Path) -> Command {
    let mut command = Command::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/area"));
    command.args(args).env("EVA", env!("CARGO_BIN_EXE_eva")).env("EVA_CACHE", cache);
    command
}

#[test]
fn blocks_are_those_of_eva_synth() {
    let _lock = one_at_a_time();
    let core = ["--preset", "tiny", "--effort", "quick"];
    let (done, stderr) = output(&mut script(&core, shared_cache()));
    assert!(done.status.success(), "{stderr}");
    let text = String::from_utf8(done.stdout).unwrap();
    // Name, instances, cells, area, flip-flops, path.
    let table: BTreeMap<&str, Vec<f64>> = text
        .lines()
        .skip(2)
        .filter(|line| !line.contains(':'))
        .map(|line| {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap();
            (name, words.map(|word| word.trim_end_matches('!').parse().unwrap()).collect())
        })
        .collect();

    // What the INT8 array has by definition: operands and sum in each PE, and the chain that loads the weights.
    let (rows, columns) = (2.0, 16.0);
    assert_eq!(table["eva_baseline_array"][3], rows * columns * (8.0 + 8.0 + 32.0) + rows + columns - 2.0);
    assert_eq!(table["eva_baseline_pe"][0], columns);
    assert_eq!(table["eva_pe"][0], columns / 4.0);

    let folder = tempfile::tempdir().unwrap();
    let mut areas = BTreeMap::new();
    for (design, top) in [("core", "eva_row"), ("core", "eva_epilogue_unit"), ("baseline", "eva_baseline_row")] {
        let mut command = eva(&core, shared_cache(), folder.path());
        let (done, stderr) = output(command.args(["--design", design, "--top", top, "--json"]));
        assert!(done.status.success(), "{stderr}");
        let report: Value = serde_json::from_slice(&done.stdout).unwrap();
        let total = |field: &str| report["total"][field].as_f64().unwrap();
        let area = total("area") - total("memory_area");
        let line = &table[top];
        assert_eq!(line[..4], [1.0, total("cells"), area.round(), total("flip_flops")], "{top}");
        assert!((line[4] - report["timing"]["longest_ns"].as_f64().unwrap()).abs() < 0.006, "{top}");
        let late = text.lines().any(|line| line.starts_with(&format!("{top} ")) && line.ends_with('!'));
        assert_eq!(late, report["timing"]["meets_clock"] == false, "{top}");
        areas.insert(top, area);
    }
    let ratio = |name: &str| -> f64 {
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(": "));
        line.unwrap_or_else(|| panic!("{name}: {text}")).parse().unwrap()
    };
    let row = areas["eva_row"] / areas["eva_baseline_row"];
    assert!((ratio("row / row of the INT8 array") - row).abs() < 0.0006, "{row}");
    let array = table["eva_array"][2] / table["eva_baseline_array"][2];
    assert!((ratio("array / array of the INT8 array") - array).abs() < 0.0006, "{array}");
    let unit = areas["eva_epilogue_unit"] / table["eva_array"][2];
    assert!((ratio("epilogue unit / array") - unit).abs() < 0.0001, "{unit}");
}

#[test]
fn wrong_use_exits_with_2_and_says_what_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    for (args, program, expected) in [
        (&["--rowz", "3"][..], env!("CARGO_BIN_EXE_eva"), "unexpected argument '--rowz'"),
        (&["--rows", "1"], env!("CARGO_BIN_EXE_eva"), "array.rows"),
        (&["--top", "eva_pe"], env!("CARGO_BIN_EXE_eva"), "'--top <MODULE>' cannot be used multiple times"),
        (&["--liberty", "/nowhere/cells.lib"], env!("CARGO_BIN_EXE_eva"), "/nowhere/cells.lib: No such file"),
        (&["--report=area.json"], env!("CARGO_BIN_EXE_eva"), "--report is for a single block"),
        (&[], "/nowhere/eva", "/nowhere/eva: No such file or directory"),
    ] {
        let (done, stderr) = output(script(args, folder.path()).env("EVA", program));
        assert_eq!(done.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(expected) && !stderr.contains("Traceback"), "{args:?}: {stderr}");
        assert_eq!(String::from_utf8_lossy(&done.stdout), "", "{args:?}");
    }
}

#[test]
fn an_interrupt_ends_it_with_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let started = folder.path().join("started");
    let text = format!("[ \"$1\" = -V ] && echo 'Yosys 0.70' && exit\ntouch '{}'\nsleep 600", started.display());
    let yosys = shell_script(folder.path().join("yosys"), &text);
    let mut command = script(&["--preset", "tiny"], folder.path());
    command.env("EVA_YOSYS", yosys);
    let mut command = crate::tools_of_tests::with_signals(&command);
    let mut child = command.process_group(0).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let start = Instant::now();
    while !started.exists() {
        assert!(start.elapsed() < Duration::from_secs(60), "Yosys is started");
        sleep(Duration::from_millis(20));
    }
    // As a terminal does it.
    let interrupt = Command::new("kill").args(["-INT", "--", &format!("-{}", child.id())]).status().unwrap();
    assert!(interrupt.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let mut stderr = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut stderr).unwrap();
    assert!(!stderr.contains("Traceback"), "{stderr}");
}
