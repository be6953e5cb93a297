//! Mistakes in a design, collected and reported together with the places in the user's code that they come from.

use super::ir::Loc;
use std::collections::HashSet;
use std::error::Error;
use std::fmt;

/// One mistake (or, in a list of warnings, one suspicion).
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// What is wrong and what to do, in one sentence without a final full stop.
    pub message: String,
    /// Name of the module in which it was found; empty when it concerns none in particular.
    pub module: String,
    /// The line of the user's code to look at first.
    pub loc: Loc,
    /// Further facts in reading order, each with its own place if it has one.
    pub notes: Vec<(Option<Loc>, String)>,
}

/// What a [`Diagnostic`] is presented as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// The design cannot be used.
    Error,
    /// The design can be used.
    Warning,
}

impl Diagnostic {
    /// A mistake without notes.
    pub fn new(module: impl Into<String>, loc: Loc, message: impl Into<String>) -> Diagnostic {
        Diagnostic { message: message.into(), module: module.into(), loc, notes: Vec::new() }
    }

    /// Adds a fact that has no place of its own.
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push((None, text.into()));
        self
    }

    /// Adds a fact about another place in the user's code.
    pub fn note_at(mut self, loc: Loc, text: impl Into<String>) -> Diagnostic {
        self.notes.push((Some(loc), text.into()));
        self
    }

    /// The text shown to the user, several lines without a final newline: `error: ` or `warning: `, and the mistake.
    pub fn render(&self, severity: Severity) -> String {
        let word = match severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        format!("{word}: {self}")
    }
}

/// The message, the place and the notes, several lines without a final newline.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  --> {}", self.message, self.loc)?;
        if !self.module.is_empty() {
            write!(f, " in module {}", self.module)?;
        }
        for (loc, note) in &self.notes {
            write!(f, "\n  note: {note}")?;
            if let Some(loc) = loc {
                write!(f, " at {loc}")?;
            }
        }
        Ok(())
    }
}

impl Error for Diagnostic {}

/// The errors of a whole elaboration, in the order in which they were found, each once.
#[derive(Clone, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    /// How many errors there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no error.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The errors in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.0.iter()
    }

    /// The errors in order.
    pub fn into_vec(self) -> Vec<Diagnostic> {
        self.0
    }

    /// `Ok` when there is no error.
    pub fn into_result(self) -> Result<(), Diagnostics> {
        if self.is_empty() { Ok(()) } else { Err(self) }
    }
}

/// Keeps the order and drops repetitions: a constructor called many times makes the same mistake as often.
impl From<Vec<Diagnostic>> for Diagnostics {
    fn from(list: Vec<Diagnostic>) -> Diagnostics {
        Diagnostics(without_repetitions(list))
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for diagnostic in &self.0 {
            writeln!(f, "{}", diagnostic.render(Severity::Error))?;
        }
        match self.0.len() {
            0 => write!(f, "no errors"),
            1 => write!(f, "1 error"),
            n => write!(f, "{n} errors"),
        }
    }
}

/// Like `Display`, so that `unwrap` in a test shows the report.
impl fmt::Debug for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Error for Diagnostics {}

/// Removes diagnostics that would read the same as an earlier one, keeping the order.
pub(super) fn without_repetitions(mut list: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut seen = HashSet::new();
    list.retain(|d| seen.insert(d.to_string()));
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_well_and_drops_repetitions() {
        let here = Loc::caller();
        let one = Diagnostic::new("pe", here, "wire `a` has no driver").note("connect it").note_at(here, "declared");
        let two = Diagnostic::new("", here, "something else");
        let all = Diagnostics::from(vec![one.clone(), two, one]);
        assert_eq!(
            all.to_string(),
            format!(
                "error: wire `a` has no driver\n  --> {here} in module pe\n  note: connect it\n  note: declared at {here}\n\
                 error: something else\n  --> {here}\n2 errors"
            )
        );
        assert!(all.into_result().is_err());
    }
}
