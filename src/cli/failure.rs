//! Why a command did not succeed, and the exit code that says so.

use std::process::ExitCode;

use eva_rtl::config::ConfigError;
use eva_rtl::vq;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum Failure {
    /// The user has to change something: exit code 2, like clap's own errors.
    #[error("{0}")]
    BadInput(String),
    #[error(transparent)]
    Config(#[from] ConfigError),
    #[error(transparent)]
    Vq(#[from] vq::Error),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::BadInput(_) | Failure::Config(_) | Failure::Vq(_) => 2,
        })
    }
}
