//! What can go wrong before or beside a simulation; a core that misbehaves is a failure in the report instead.

use std::path::{Path, PathBuf};

/// An error of the co-simulation layer. Each message says what, where and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CosimError {
    /// A needed program is missing, too old or does not start. Exit code 3.
    #[error("{tool} is needed but {problem}\n  to install it: {install}")]
    ToolMissing {
        tool: &'static str,
        /// What was found instead, or where it was looked for.
        problem: String,
        /// The command that installs it.
        install: String,
    },

    /// A program ran and reported errors; `output` is what it said.
    #[error("{step} failed:\n{output}")]
    Build { step: String, output: String },

    #[error("cannot {action} {}: {source}", path.display())]
    Io { action: &'static str, path: PathBuf, source: std::io::Error },

    /// The model cannot be built or loaded as described.
    #[error("{0}")]
    Model(String),

    #[error("{model} has no {direction} port `{name}`; it has: {available}")]
    UnknownPort {
        model: String,
        direction: &'static str,
        name: String,
        /// The names it could have been, comma separated.
        available: String,
    },

    /// Stimulus or expectations that no core could satisfy.
    #[error("{0}")]
    Stimulus(String),

    #[error("cannot record waves: {0}")]
    Waves(String),
}

impl CosimError {
    /// Whether the user has to install something (exit code 3).
    pub fn is_tool_missing(&self) -> bool {
        matches!(self, Self::ToolMissing { .. })
    }

    /// For `map_err`: an I/O error with the path it concerns.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
