//! Why a command did not succeed, and the exit code that says so.

use std::process::ExitCode;

use thiserror::Error;

#[derive(Debug, Error)]
pub enum Failure {
    /// The user has to change something: exit code 2, like clap's own errors.
    #[error("{0}")]
    BadInput(String),
}

impl Failure {
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Failure::BadInput(_) => 2,
        })
    }
}
