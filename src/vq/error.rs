//! What can be wrong with a layer or a file.

use std::io;
use std::path::PathBuf;

/// Result of this module.
pub type Result<T> = std::result::Result<T, Error>;

/// Bad input: each message says what is wrong, where, and what to do.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The operating system refused.
    #[error("{}: cannot {action}: {source}", path.display())]
    Io { path: PathBuf, action: &'static str, source: io::Error },
    /// The file as a whole is not what it should be.
    #[error("{}: {problem}; {advice}", path.display())]
    File { path: PathBuf, problem: String, advice: String },
    /// A tensor is missing or is not what it should be.
    #[error("{}: tensor `{tensor}`: found {found}, expected {expected}; {advice}", path.display())]
    Tensor { path: PathBuf, tensor: String, found: String, expected: String, advice: String },
    /// A layer is well-formed but of a kind that is not supported.
    #[error("{}: layer `{layer}` is not supported: {reason}", path.display())]
    Unsupported { path: PathBuf, layer: String, reason: String },
    /// No layer has the requested name.
    #[error("{}: no {kind} layer `{prefix}`; {suggestion}", path.display())]
    UnknownLayer { path: PathBuf, kind: &'static str, prefix: String, suggestion: String },
    /// The parts of a layer do not agree with each other.
    #[error("layer `{layer}`: {problem}")]
    Layer { layer: String, problem: String },
    /// A layer cannot run on a core of the given parameters.
    #[error("layer `{layer}` does not fit this core: {}", reasons.join("; "))]
    DoesNotFit { layer: String, reasons: Vec<String> },
    /// An INT8 product cannot be computed.
    #[error("INT8: {problem}")]
    Plan { problem: String },
    /// The activations do not fit the layer or the core.
    #[error("activations: {problem}")]
    Activations { problem: String },
}
