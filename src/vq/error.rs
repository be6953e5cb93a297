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
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was to be done: `open`, `read` and so on.
        action: &'static str,
        /// What the operating system said.
        source: io::Error,
    },
    /// The file as a whole is not what it should be.
    #[error("{}: {problem}; {advice}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        problem: String,
        /// What to do.
        advice: String,
    },
    /// A tensor is missing or is not what it should be.
    #[error("{}: tensor `{tensor}`: found {found}, expected {expected}; {advice}", path.display())]
    Tensor {
        /// The file.
        path: PathBuf,
        /// Name of the tensor.
        tensor: String,
        /// What there is.
        found: String,
        /// What there should be.
        expected: String,
        /// What to do.
        advice: String,
    },
    /// A layer is well-formed but of a kind that is not supported.
    #[error("{}: layer `{layer}` is not supported: {reason}", path.display())]
    Unsupported {
        /// The file.
        path: PathBuf,
        /// Name of the layer.
        layer: String,
        /// Why not.
        reason: String,
    },
    /// No layer has the requested name.
    #[error("{}: no {kind} layer `{prefix}`; {suggestion}", path.display())]
    UnknownLayer {
        /// The file.
        path: PathBuf,
        /// Kind of layer that was asked for.
        kind: &'static str,
        /// The name that was asked for.
        prefix: String,
        /// Names like it, or what else to do.
        suggestion: String,
    },
    /// The parts of a layer do not agree with each other.
    #[error("layer `{layer}`: {problem}")]
    Layer {
        /// Name of the layer.
        layer: String,
        /// What does not agree.
        problem: String,
    },
    /// A layer cannot run on a core of the given parameters.
    #[error("layer `{layer}` does not fit this core: {}", reasons.join("; "))]
    DoesNotFit {
        /// Name of the layer.
        layer: String,
        /// One for each thing that is in the way.
        reasons: Vec<String>,
    },
    /// An INT8 product cannot be computed.
    #[error("INT8: {problem}")]
    Plan {
        /// Why not.
        problem: String,
    },
    /// The activations do not fit the layer or the core.
    #[error("activations: {problem}")]
    Activations {
        /// What does not fit.
        problem: String,
    },
}
