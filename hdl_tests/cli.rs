//! The command line as a user meets it: output, messages, exit codes, and what is left on disk.

#[path = "cli/colours.rs"]
mod colours;
#[path = "cli/cosim.rs"]
mod cosim;
#[path = "cli/docs.rs"]
mod docs;
#[path = "cli/estimate.rs"]
mod estimate;
#[path = "cli/generate.rs"]
mod generate;
#[path = "cli/inspect.rs"]
mod inspect;
#[path = "cli/int8.rs"]
mod int8;
#[path = "cli/pack.rs"]
mod pack;
#[path = "cli/presets.rs"]
mod presets;
#[path = "cli/results.rs"]
mod results;
#[path = "cli/shell.rs"]
mod shell;
#[path = "cli/suggestions.rs"]
mod suggestions;
#[allow(dead_code)] // a part of it is for other tests
#[path = "common/tools.rs"]
mod tools;

use std::path::Path;
use std::process::Output;

use assert_cmd::Command;

/// The program, ready to be given arguments.
fn eva(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("eva").expect("the program is built with the tests");
    command.args(args).env("NO_COLOR", "1");
    command
}

/// Runs the program, which must exit with `code`.
#[track_caller]
fn run(args: &[&str], code: i32) -> Output {
    let output = eva(args).output().expect("the program starts");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {stderr}");
    output
}

/// Standard output of a run that succeeds.
#[track_caller]
fn stdout(args: &[&str]) -> String {
    String::from_utf8(run(args, 0).stdout).expect("output is UTF-8")
}

/// The message of a run that the user has to correct: exit code 2, nothing on standard output.
#[track_caller]
fn refusal(args: &[&str]) -> String {
    let output = run(args, 2);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "{args:?}");
    String::from_utf8(output.stderr).expect("messages are UTF-8")
}

/// The files in `folder` and below, as sorted relative paths.
fn files_below(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in std::fs::read_dir(next).expect("the folder can be read") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(folder).expect("the file is below the folder");
                files.push(name.to_str().expect("names are UTF-8").to_owned());
            }
        }
    }
    files.sort();
    files
}

/// With thousands separators.
fn grouped(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", grouped(number / 1000), number % 1000),
    }
}

#[test]
fn wrong_use_exits_with_2_and_says_what_is_wrong() {
    for (args, expected) in [
        (&["generat"][..], "unrecognized subcommand 'generat'"),
        (&["presets", "--sow", "tiny"], "unexpected argument '--sow'"),
        (&["presets", "extra"], "unexpected argument 'extra'"),
    ] {
        let message = refusal(args);
        assert!(message.contains(expected), "{args:?}: {message}");
    }
    // Without a subcommand: the help, but on standard error.
    assert!(refusal(&[]).contains("Usage: eva"));
}

/// Examples in help texts are executed by the tests of the documentation.
#[test]
fn help_tells_exit_codes_and_version() {
    assert!(stdout(&["--help"]).contains("Exit codes: 0 fine, 1 a check failed"));
    assert!(stdout(&["--version"]).starts_with("eva "));
}
