//! Commands of a shell as text: found, told apart, and executed.

use std::collections::BTreeSet;
use std::process::Output;

use super::not_run::{Check, NOT_RUN};
use super::scratch::Scratch;

/// A command as it stands on a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Example {
    /// What is typed, of one or more lines.
    pub command: String,
    /// What is said behind it.
    pub comment: String,
}

impl Example {
    /// The commands in `text`, with lines that go on after a `\` or within quotes put together.
    pub fn all(text: &str) -> Vec<Self> {
        let mut found = Vec::new();
        let mut begun = String::new();
        for line in text.lines() {
            begun += line;
            let is_quoted = begun.matches('"').count() % 2 == 1;
            if is_quoted || begun.ends_with('\\') {
                begun.push('\n');
                continue;
            }
            found.extend(Self::parse(&std::mem::take(&mut begun)));
        }
        assert_eq!(begun, "", "a command without an end");
        found
    }

    /// `None` for lines that only say something.
    fn parse(text: &str) -> Option<Self> {
        let (command, comment) = text.split_once(" #").unwrap_or((text, ""));
        let command = command.trim();
        let is_command = !command.is_empty() && !command.starts_with('#');
        is_command.then(|| Self { command: command.to_owned(), comment: comment.trim().to_owned() })
    }

    /// Why it is not executed, if it is not.
    fn not_run(&self) -> Option<Check> {
        NOT_RUN.check(&self.command)
    }
}

/// Executes the examples one after the other, as one script, so that `cd` lasts; those that are not to be run are checked as far as is
/// possible. Returns which commands these were.
pub fn execute(examples: &[Example], scratch: &Scratch) -> BTreeSet<String> {
    let mut script = "set -euo pipefail\n".to_owned();
    let mut not_run = BTreeSet::new();
    for (number, example) in examples.iter().enumerate() {
        if let Some(check) = example.not_run() {
            not_run.insert(example.command.clone());
            script += &check.command(&example.command);
        } else {
            script += &example.command.replace("cargo run --release --", "eva");
        }
        script += &format!("\necho '{}{number}'\n", Scratch::END);
    }
    let Output { status, stdout, stderr } = scratch.shell(&script).output().expect("there is a bash");
    let stdout = String::from_utf8(stdout).expect("output is UTF-8");
    let mut outputs: Vec<&str> = Vec::new();
    let mut rest = stdout.as_str();
    while let Some((output, after)) = rest.split_once(&format!("{}{}\n", Scratch::END, outputs.len())) {
        outputs.push(output);
        rest = after;
    }
    if outputs.len() < examples.len() || !status.success() {
        let command = &examples[outputs.len().min(examples.len() - 1)].command;
        panic!("{command}\n{status}\n{rest}{}", String::from_utf8_lossy(&stderr));
    }
    for (example, output) in examples.iter().zip(outputs) {
        if example.not_run().is_none() {
            check_figures(example, output);
        }
    }
    not_run
}

/// Cycles, and their quotient with the bound, that a comment promises must be those that were printed.
fn check_figures(Example { command, comment }: &Example, output: &str) {
    let number_before = |text: &str, unit: &str| {
        let words = text.split(unit).next().filter(|before| *before != text)?;
        Some(words.rsplit(' ').next().unwrap_or(words).replace(',', ""))
    };
    if let Some(cycles) = number_before(comment, " cycles") {
        let output = output.replace(',', "");
        assert!(output.contains(&format!("{cycles} cycles")), "{command}: not {comment}: {output}");
    }
    if let Some(quotient) = number_before(comment, " times the bound") {
        let measured =
            number_before(output, " cycles, bound ").and_then(|last| last.rsplit('\n').next().map(str::to_owned));
        let bound = output.split(" cycles, bound ").nth(1).and_then(|rest| rest.split(',').next()).map(str::to_owned);
        let number =
            |text: Option<String>| text.and_then(|text| text.parse::<f64>().ok()).expect("cycles and their bound");
        assert_eq!(format!("{:.3}", number(measured) / number(bound)), quotient, "{command}: {output}");
    }
}

/// Whether the command line of `eva` takes all flags and values of `command`.
pub fn parses(command: &str, scratch: &Scratch) -> Result<(), String> {
    let output = scratch.shell(&Check::Flags.command(command)).output().expect("there is a bash");
    if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&output.stderr).into_owned()) }
}

/// Fails unless the commands that are said not to be run are those `found` that were not.
pub fn assert_exact(found: &BTreeSet<String>, of: &[&str]) {
    let listed: BTreeSet<&str> = of.iter().copied().collect();
    let found: BTreeSet<&str> = found.iter().map(String::as_str).collect();
    let stale: Vec<_> = listed.difference(&found).collect();
    assert!(stale.is_empty(), "no page has these commands, which are listed as not to be run: {stale:#?}");
}

#[test]
fn commands_are_told_apart() {
    let text = "# of the page\neva a --b  # what, and why\n\nx \\\n  y\nz \"1\n2\" # 3\n";
    let found = Example::all(text);
    let example = |command: &str, comment: &str| Example { command: command.to_owned(), comment: comment.to_owned() };
    assert_eq!(found, [example("eva a --b", "what, and why"), example("x \\\n  y", ""), example("z \"1\n2\"", "3")]);
}

#[test]
#[should_panic(expected = "not 8 cycles")]
fn wrong_cycles_are_noticed() {
    let example = Example { command: String::new(), comment: "8 cycles".to_owned() };
    check_figures(&example, "9 cycles");
}

#[test]
fn a_failing_command_is_named() {
    let scratch = Scratch::new();
    let failure = std::panic::catch_unwind(|| {
        execute(&Example::all("eva presets\neva presets --show smal\neva presets"), &scratch)
    });
    let message = *failure.unwrap_err().downcast::<String>().unwrap();
    assert!(message.starts_with("eva presets --show smal\n") && message.contains("did you mean `small`?"), "{message}");
}
