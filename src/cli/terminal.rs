//! What commands print: results on standard output, as text, tables or JSON.

use std::io::{ErrorKind, IsTerminal, Write};
use std::time::{Duration, Instant};

use anstyle::{AnsiColor, Style};
use comfy_table::{Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use super::Failure;

/// Prints `text` and a line end. A reader that has had enough (`eva presets | head -1`) is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{}", text.trim_end_matches('\n')).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(Failure::BadInput(format!("cannot write to standard output: {error}")))
        }
        _ => Ok(()),
    }
}

/// What a line on standard error is to those who read it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The command did not do what was asked.
    Error,
    /// Something may not be as it should.
    Warning,
    /// Good to know.
    Note,
}

impl Notice {
    /// The word in front, and how it looks where there are colours: as in the errors of clap.
    fn label(self) -> (&'static str, Style) {
        match self {
            Self::Error => ("error:", AnsiColor::Red.on_default().bold()),
            Self::Warning => ("warning:", AnsiColor::Yellow.on_default().bold()),
            Self::Note => ("note:", AnsiColor::Green.on_default().bold()),
        }
    }
}

/// Prints a line on standard error, with what it is in front: in colour on a terminal that has any, unless `NO_COLOR` is set.
pub fn tell(notice: Notice, text: &str) {
    let (label, style) = notice.label();
    // Without a standard error there is nobody to tell.
    let _ = writeln!(anstream::stderr(), "{style}{label}{style:#} {text}");
}

/// Prints a line on standard error that needs no word in front.
pub fn remark(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Text from a file, a name for example, in one line and without anything that a terminal would obey.
pub fn harmless(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for char in text.chars() {
        match char {
            '\'' | '"' | '\\' => shown.push(char),
            _ => shown.extend(char.escape_debug()),
        }
    }
    shown
}

/// Text of several lines, each of them [`harmless`].
pub fn harmless_lines(text: &str) -> String {
    text.split('\n').map(harmless).collect::<Vec<_>>().join("\n")
}

/// Prints `value` as indented JSON.
pub fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    print(&json_text(value))
}

/// `value` as indented JSON with a line end.
pub fn json_text(value: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(value);
    text.expect("results have string keys only") + "\n"
}

/// A whole number for people, with thousands separators: `12,878,464`.
pub fn number(number: impl Into<u64>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// How many there are of something, whose plural ends in `s`: `1 layer`, `2 layers`.
pub fn count(many: usize, what: &str) -> String {
    format!("{} {what}{}", number(many as u64), if many == 1 { "" } else { "s" })
}

/// An empty table with a header; plain columns, which other programs can read too.
pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_header(header);
    table
}

/// Whether standard error is a terminal on which a line can be written over.
fn can_redraw() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_some_and(|terminal| terminal != "dumb")
}

/// How far long work is: a bar on a terminal, otherwise a line now and then. On standard error.
pub struct Meter {
    what: &'static str,
    bar: Option<ProgressBar>,
    last_line: Instant,
}

impl Meter {
    /// Between two lines where there is no terminal.
    const LINE_PERIOD: Duration = Duration::from_secs(10);

    /// A meter for `what` is being done.
    pub fn new(what: &'static str) -> Self {
        Self::with_template(what, "{prefix} {wide_bar} {percent:>3}% {msg} ({eta})")
    }

    /// A meter for what is done in stages, where nobody knows how many will follow: without percentages.
    pub fn of_stages(what: &'static str) -> Self {
        Self::with_template(what, "{prefix} {wide_bar} {msg}")
    }

    fn with_template(what: &'static str, template: &str) -> Self {
        let bar = can_redraw().then(|| {
            let style = ProgressStyle::with_template(template);
            ProgressBar::new(0).with_prefix(what).with_style(style.expect("the template is well-formed"))
        });
        Self { what, bar, last_line: Instant::now() }
    }

    /// `done` of `total` is done.
    pub fn show(&mut self, done: u64, total: u64, note: &str) {
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
            bar.set_message(note.to_owned());
        } else {
            self.line(&format!("{}% ({note})", 100 * done / total.max(1)));
        }
    }

    /// `done` of `total` is done in a stage of the work; `stage` says in words which it is, and how far.
    pub fn show_stage(&mut self, done: u64, total: u64, stage: &str) {
        if self.bar.is_some() {
            self.show(done, total, stage);
        } else {
            self.line(stage);
        }
    }

    /// Without a terminal: a line, unless there has just been one.
    fn line(&mut self, text: &str) {
        if self.last_line.elapsed() >= Self::LINE_PERIOD {
            self.last_line = Instant::now();
            remark(&format!("{}: {text}", self.what));
        }
    }

    /// Takes the bar away.
    pub fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_separators() {
        for (value, text) in [(0, "0"), (999, "999"), (1000, "1,000"), (123_456, "123,456"), (1_234_567, "1,234,567")] {
            assert_eq!(number(value as u64), text);
        }
        assert_eq!([count(0, "run"), count(1, "run"), count(2000, "run")], ["0 runs", "1 run", "2,000 runs"]);
    }

    #[test]
    fn names_from_files_do_not_drive_the_terminal() {
        assert_eq!(harmless("model.layers.0 `it's` C:\\größe"), "model.layers.0 `it's` C:\\größe");
        assert_eq!(harmless_lines("a\x1b[31m\n  b\r\n"), "a\\u{1b}[31m\n  b\\r\n");
        assert_eq!(harmless("a\x1b[31m\nb\u{9b}\u{202e}"), "a\\u{1b}[31m\\nb\\u{9b}\\u{202e}");
    }
}
