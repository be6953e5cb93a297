//! Examples in the help texts.

use std::collections::BTreeSet;

use super::commands::{Example, assert_exact, execute};
use super::not_run::{NOT_RUN, Place};
use super::scratch::Scratch;

fn help(of: &[&str]) -> String {
    // Examples of any length in one line.
    help_in_columns(of, "1000")
}

fn help_in_columns(of: &[&str], columns: &str) -> String {
    let mut command = assert_cmd::Command::cargo_bin("eva").unwrap();
    let output = command.args(of).arg("--help").env("COLUMNS", columns).output().unwrap();
    assert!(output.status.success(), "{of:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Names of the commands, as the help lists them.
fn commands() -> Vec<String> {
    let whole = help(&[]);
    let (_, list) = whole.split_once("\nCommands:\n").unwrap();
    let names =
        list.lines().take_while(|line| !line.is_empty()).map(|line| line.split_whitespace().next().unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

/// Where help is as wide as it gets, examples have the line breaks that they were given, and can be copied.
#[test]
fn examples_in_help_are_not_broken() {
    for of in commands() {
        let [given, shown] = ["1000", "100"].map(|columns| {
            let text = help_in_columns(&[of.as_str()], columns);
            let (_, examples) = text.split_once("\nExamples:\n").unwrap();
            examples.split("\n\n").next().unwrap().trim_end().to_owned()
        });
        assert_eq!(shown, given);
    }
}

#[test]
fn examples_in_help_work() {
    let commands = commands();
    assert!(commands.len() >= 9, "{commands:?}");
    let mut not_run = BTreeSet::new();
    for of in std::iter::once(None).chain(commands.iter().map(Some)) {
        let text = help(&of.iter().map(|name| name.as_str()).collect::<Vec<_>>());
        let (_, examples) = text.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{of:?} has no examples"));
        let examples: String =
            examples.lines().take_while(|line| !line.is_empty()).map(|line| format!("{line}\n")).collect();
        let examples = Example::all(&examples);
        assert!(examples.len() >= 2, "{of:?} has {} examples", examples.len());
        let start = format!("eva {}", of.map_or("", String::as_str));
        assert!(examples.iter().all(|example| example.command.starts_with(&start)), "{of:?}: {examples:?}");
        not_run.extend(execute(&examples, &Scratch::new()));
    }
    assert_exact(&not_run, &NOT_RUN.on(Place::Help));
}
