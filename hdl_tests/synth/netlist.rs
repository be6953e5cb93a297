//! `--netlist`: files that other programs can read.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use eva_rtl::synth::default_library;

use super::{eva, output, tools};

fn names(folder: &Path) -> BTreeSet<String> {
    fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn a_netlist_has_the_timing_that_was_reported() {
    let folder = tempfile::tempdir().unwrap();
    let [cache, netlist] = ["cache", "netlist"].map(|name| folder.path().join(name));
    let run = |top: &str| {
        let args = ["--preset", "tiny", "--effort", "quick", "--json", "--top", top];
        let (output, stderr) = output(eva(&args, &cache, folder.path()).arg("--netlist").arg(&netlist));
        assert!(output.status.success(), "{stderr}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).unwrap()
    };
    run("eva_fifo_32x33");
    assert!(names(&netlist).contains("eva_fifo_32x33.v"));
    let mine = netlist.join("mine.v");
    fs::write(&mine, "// mine").unwrap();

    // Another one in its place.
    let report = run("eva_completion");
    let list = fs::read_to_string(netlist.join("netlist.f")).unwrap();
    // Names alone: `iverilog $(cat netlist.f)` works.
    let lines: Vec<&str> = list.lines().collect();
    let [queue, "eva_completion.v"] = lines[..] else { panic!("{list}") };
    assert!(queue.starts_with("eva_fifo_") && queue.ends_with("x67.v"), "{queue}");
    let expected = ["eva_completion.v", queue, "memories.lib", "mine.v", "netlist.f", "netlist.sdc"];
    assert_eq!(names(&netlist), expected.map(str::to_owned).into());

    let mut script = format!("read_liberty {}\nread_liberty memories.lib\n", default_library().unwrap().display());
    script += &format!("read_verilog {queue}\nread_verilog eva_completion.v\nlink_design eva_completion\n");
    script += "source netlist.sdc\nreport_worst_slack -digits 4\nexit\n";
    fs::write(netlist.join("script.tcl"), script).unwrap();
    let sta = tools().sta.expect("OpenSTA: scripts/setup installs it");
    let mut command = Command::new(sta.executable());
    let output =
        command.args(["-no_init", "-no_splash", "-exit", "script.tcl"]).current_dir(&netlist).output().unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let slack = text.lines().find_map(|line| line.strip_prefix("worst slack ")?.trim().parse::<f64>().ok());
    let slack = slack.unwrap_or_else(|| panic!("{text}"));
    assert!(!text.contains("Warning: netlist.sdc"), "{text}");
    assert!(String::from_utf8_lossy(&output.stderr).lines().all(|line| !line.contains("netlist.sdc")), "{output:?}");
    let longest = report["timing"]["longest_ns"].as_f64().unwrap();
    assert!((10.0 - slack - longest).abs() < 1e-3, "{slack} left, {longest} reported");
}
