//! What can go wrong before or beside a simulation; a core that misbehaves is a failure in the report instead.

use std::path::{Path, PathBuf};

/// An error of the co-simulation layer. Each message says what, where and what to do.
#[derive(Debug, thiserror::Error)]
pub enum CosimError {
    /// A needed program is missing, too old or does not start. Exit code 3.
    #[error("{tool} is needed but {problem}\n  to install it: {install}")]
    ToolMissing {
        /// The program.
        tool: &'static str,
        /// What was found instead, or where it was looked for.
        problem: String,
        /// The command that installs it.
        install: String,
    },

    /// A program ran and reported errors; `output` is what it said.
    #[error("{step} failed:\n{output}")]
    Build {
        /// What was being done.
        step: String,
        /// What the program said.
        output: String,
    },

    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// What was to be done: `read`, `write` and so on.
        action: &'static str,
        /// The file or folder.
        path: PathBuf,
        /// What the operating system said.
        source: std::io::Error,
    },

    /// The model cannot be built or loaded as described.
    #[error("{0}")]
    Model(String),

    /// A port was asked for that the simulated module does not have.
    #[error("{model} has no {direction} port `{name}`; it has: {available}")]
    UnknownPort {
        /// The simulated module.
        model: String,
        /// `input` or `output`.
        direction: &'static str,
        /// The name that was asked for.
        name: String,
        /// The names it could have been, comma separated.
        available: String,
    },

    /// Stimulus or expectations that no core could satisfy.
    #[error("{0}")]
    Stimulus(String),

    /// The file for waves cannot be written.
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
