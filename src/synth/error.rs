//! What can go wrong on the way from a design to gates.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Each message says what, where and what to do.
#[derive(Debug, Error)]
pub enum SynthError {
    /// A needed program is missing, too old or does not start.
    #[error("{tool} is needed but {problem}\n  to install it: {install}")]
    ToolMissing {
        /// The program.
        tool: &'static str,
        /// What was found instead, or where it was looked for.
        problem: String,
        /// How to install it.
        install: String,
    },
    /// No cell library was named and the default one is not there.
    #[error("{0}")]
    NoLibrary(String),
    /// A cell library that cannot be used.
    #[error("{}: {reason}", path.display())]
    Liberty {
        /// The file.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// There is no such module in the design.
    #[error("{0}")]
    UnknownTop(String),
    /// The module to begin with is a memory, which is not mapped for this target.
    #[error("`{0}` is a memory, a black box for this target; name a module that uses it, or an FPGA as the target")]
    MemoryTop(String),
    /// A program reported an error or said something that cannot be read; `output` is the end of what it said.
    #[error("{step} failed:\n{output}")]
    Failed {
        /// What was being done.
        step: String,
        /// The end of what the program said.
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
        source: io::Error,
    },
    /// No environment variable says where results are to be kept.
    #[error("no folder for results to be kept in: neither EVA_CACHE, XDG_CACHE_HOME nor HOME is set; set EVA_CACHE")]
    NoCache,
    /// Another part of the same run failed first, or the user interrupted it.
    #[error("synthesis was stopped")]
    Stopped,
}

impl SynthError {
    /// For `map_err`: an I/O error with the path it concerns.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
