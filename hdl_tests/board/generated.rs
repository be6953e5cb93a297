//! What `eva generate --design board` writes.

use crate::common::lint::{self, lint};
use crate::common::tools::{command, expect_success, run};
use assert_cmd::Command;
use eva_rtl::flows::board::{BOARDS, Board, divider};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

fn generate(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    let mut eva = Command::cargo_bin("eva").expect("the program is built with the tests");
    eva.args(["generate", "--preset", "tiny", "--out"]).arg(folder).args(args).assert()
}

/// Generated for a board, into a folder of this test.
fn board(board: &Board, test: &str) -> PathBuf {
    let folder = lint::scratch(&format!("{}_{test}", board.name));
    generate(&folder, &["--design", "board", "--target", board.target.name()]).success();
    folder
}

#[test]
fn the_target_is_implied() {
    let named = board(&BOARDS[0], "named");
    let implied = lint::scratch("implied");
    generate(&implied, &["--design", "board"]).success();
    for path in ["constraints/eva_board.lpf", "eva_board.json"] {
        assert_eq!(fs::read(named.join(path)).unwrap(), fs::read(implied.join(path)).unwrap(), "{path}");
    }
}

/// Names of the ports of a module, from its own text.
fn ports(text: &str) -> BTreeSet<String> {
    let header = text.split_once(" (\n").unwrap().1.split_once(");").unwrap().0;
    let name = |line: &str| line.split_whitespace().last().unwrap_or_default().replace(',', "");
    header.lines().map(name).filter(|name| !name.is_empty()).collect()
}

#[test]
fn every_tool_takes_the_verilog() {
    let folder = board(&BOARDS[0], "lint");
    let list = fs::read_to_string(folder.join("eva_board.f")).unwrap();
    let paths: Vec<PathBuf> = list.lines().map(|path| folder.join(path)).collect();
    lint(&paths, "eva_board_pins", "a board");
}

/// The core is in reset from configuration on and whenever no host is there.
#[test]
fn the_reset_lasts_until_a_host_is_there() {
    let folder = board(&BOARDS[0], "reset");
    let program = folder.join("pins_tb.vvp");
    let testbench = concat!(env!("CARGO_MANIFEST_DIR"), "/hdl_tests/board/pins_tb.v");
    let mut iverilog = command("iverilog");
    iverilog.args(["-g2005", "-Wall", "-s", "pins_tb", "-o"]).arg(&program).arg(testbench);
    expect_success("iverilog", iverilog.arg(folder.join("rtl/eva_board_pins.v")), true);
    let output = run(std::process::Command::new("vvp").arg("-n").arg(&program));
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().next(), Some("passed"));
}

/// Every port of the module at the pins has a place of its own, and nothing else has.
#[test]
fn every_port_has_a_pin() {
    for entry in BOARDS {
        let folder = board(entry, "pins");
        let ports = ports(&fs::read_to_string(folder.join("rtl/eva_board_pins.v")).unwrap());
        let manifest = fs::read_to_string(folder.join("eva_board.json")).unwrap();
        let manifest: serde_json::Value = serde_json::from_str(&manifest).unwrap();
        assert_eq!(manifest["target"], entry.target.name());
        let [path] = &manifest["constraints"].as_array().unwrap()[..] else { panic!("one file") };
        let text = fs::read_to_string(folder.join(path.as_str().unwrap())).unwrap();
        let pins: Vec<(String, String)> = text
            .lines()
            .filter(|line| line.starts_with("set_io ") || line.starts_with("LOCATE "))
            .map(|line| {
                let line = line.replace("-pullup yes ", "").replace(['"', ';'], "");
                let words: Vec<&str> = line.split(' ').filter(|word| !["COMP", "SITE"].contains(word)).collect();
                (words[1].to_owned(), words[2].to_owned())
            })
            .collect();
        assert_eq!(pins.len(), ports.len(), "{path}");
        assert_eq!(pins.iter().map(|(port, _)| port.clone()).collect::<BTreeSet<_>>(), ports, "{path}");
        assert_eq!(pins.iter().map(|(_, pin)| pin).collect::<BTreeSet<_>>().len(), pins.len(), "{path}");
        let frequency = format!("{:.3}", entry.clock_mhz);
        assert!(text.contains(&frequency) && !text.contains('@'), "{text}");
        let top = fs::read_to_string(folder.join("rtl/eva_board.v")).unwrap();
        let cycles = divider(entry.period(), 115_200).unwrap();
        assert!(top.contains(&format!("divider   = {cycles}\n")), "{top}");
    }
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    for (args, message) in [
        (&["--design", "board", "--target", "ice40"][..], "--design board needs --target ecp5"),
        (&["--design", "baseline", "--target", "xilinx"], "--design baseline has none"),
        (&["--design", "baseline", "--clock", "5"], "--design baseline has none"),
        (&["--design", "board", "--target", "ecp5", "--baud", "8333333"], "takes 3.0 clock cycles"),
        (&["--design", "board", "--target", "ecp5", "--baud", "100"], "takes 250000.0 clock cycles"),
        (&["--design", "board", "--target", "ecp5", "--baud", "5555555"], "off by 10.0 %"),
        (&["--baud", "9600"], "--baud is of the serial port"),
    ] {
        let assert = generate(folder.path(), args).code(2);
        let text = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(text.contains(message), "{args:?}: {text}");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
