//! Why a command did not succeed, and the exit code that says so.

use std::process::ExitCode;

use eva_rtl::config::ConfigError;
use eva_rtl::cosim::CosimError;
use eva_rtl::hdl::Diagnostics;
use eva_rtl::models::ModelError;
use eva_rtl::perf::EstimateError;
use eva_rtl::synth::SynthError;
use eva_rtl::vq;
use thiserror::Error;

use super::output::OutputError;
use super::terminal::harmless;

#[derive(Debug, Error)]
pub enum Failure {
    /// The work was done and its outcome is bad: exit code 1.
    #[error("{0}")]
    CheckFailed(String),
    /// The user has to change something: exit code 2, like clap's own errors.
    #[error("{0}")]
    BadInput(String),
    #[error(transparent)]
    Config(#[from] ConfigError),
    // Its one line may quote names from files.
    #[error("{}", harmless(&.0.to_string()))]
    Vq(#[from] vq::Error),
    #[error(transparent)]
    Model(#[from] ModelError),
    #[error(transparent)]
    Estimate(#[from] EstimateError),
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The generator contradicts itself: exit code 1.
    #[error("the generated core does not pass its own checks; please report this\n{0}")]
    Design(#[from] Diagnostics),
    /// A program is missing (exit code 3), a file cannot be written (2), or simulation cannot be set up (1).
    #[error(transparent)]
    Cosim(#[from] CosimError),
    /// A program is missing (exit code 3), a library or a file cannot be used (2), or a tool fails (1).
    #[error(transparent)]
    Synth(#[from] SynthError),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::CheckFailed(_) | Failure::Design(_) => 1,
            Failure::BadInput(_)
            | Failure::Config(_)
            | Failure::Vq(_)
            | Failure::Model(_)
            | Failure::Estimate(_)
            | Failure::Output(_) => 2,
            Failure::Cosim(error) => match error {
                CosimError::ToolMissing { .. } => 3,
                CosimError::Io { .. } | CosimError::Waves(_) => 2,
                _ => 1,
            },
            Failure::Synth(error) => match error {
                SynthError::ToolMissing { .. } | SynthError::NoLibrary(_) => 3,
                SynthError::Failed { .. } | SynthError::Stopped => 1,
                _ => 2,
            },
        })
    }
}
