//! What can be wrong with a configuration, told completely and with its place.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use super::PRESETS;

/// Why there is no usable configuration.
#[derive(Debug, Error)]
pub enum ConfigError {
    #[error("there is no preset `{name}`; {}", match .suggestion {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("the presets are {}", PRESETS.iter().map(|preset| preset.name).collect::<Vec<_>>().join(", ")),
    })]
    /// There is no preset of this name.
    UnknownPreset {
        /// As it was asked for.
        name: String,
        /// The one most like it, if any is close.
        suggestion: Option<String>,
    },
    #[error("cannot read the configuration {}: {source}", .path.display())]
    /// The file cannot be read.
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file is not what a configuration looks like; every problem found is listed.
    #[error("{}", Lines(.0))]
    File(Vec<FileProblem>),
    #[error(transparent)]
    /// Parameters that cannot be used, or not together.
    Invalid(#[from] Violations),
}

/// Something in a configuration file that cannot be understood.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileProblem {
    /// The file.
    pub path: PathBuf,
    /// Counted from 1; `None` if it concerns the file as a whole.
    pub line: Option<usize>,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for FileProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, "{line}:")?;
        }
        write!(f, " {}", self.message)
    }
}

/// Every rule that a configuration breaks. Putting in all the suggested values gives a valid one.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub struct Violations(pub Vec<Violation>);

/// One parameter that breaks a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The parameter: `array.rows`.
    pub key: &'static str,
    /// Its value, as given.
    pub value: u32,
    /// What its value must be, to follow "must be": `from 2 to 128`.
    pub rule: String,
    /// A value that would work, with the suggestions for the other parameters also taken.
    pub suggestion: u32,
    /// Where the value was set, if known: `core.toml:4`.
    pub origin: Option<String>,
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.len() {
            1 => write!(f, "a parameter cannot be used:")?,
            count => write!(f, "{count} parameters cannot be used:")?,
        }
        for violation in &self.0 {
            write!(f, "\n  {violation}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.key, self.value)?;
        if let Some(origin) = &self.origin {
            write!(f, " ({origin})")?;
        }
        write!(f, ": must be {}; {} would work", self.rule, self.suggestion)
    }
}

/// One item per line, the first of many.
struct Lines<'a, T>(&'a [T]);

impl<T> Lines<'_, T> {
    /// So many are told; a file with more mistakes is likely something else altogether.
    const MOST: usize = 24;
}

impl<T: fmt::Display> fmt::Display for Lines<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (position, item) in self.0.iter().take(Self::MOST).enumerate() {
            if position > 0 {
                writeln!(f)?;
            }
            item.fmt(f)?;
        }
        match self.0.len().saturating_sub(Self::MOST) {
            0 => Ok(()),
            more => {
                write!(f, "\n... and {more} more")
            }
        }
    }
}
