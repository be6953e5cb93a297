//! From preset or file, with single parameters set on top, to a validated configuration.

use std::fmt;
use std::path::{Path, PathBuf};

use super::file;
use super::{ConfigError, CoreConfig, PARAMETERS, PRESETS, Parameter, Preset, Value};
use crate::input::read_limited;

/// Bytes of a file, many more than all parameters take.
const MAX_BYTES: u64 = 1 << 20;

/// A configuration being put together. It remembers where each value came from, so that a complaint can say so.
#[derive(Clone, Debug)]
pub struct Draft {
    config: CoreConfig,
    /// One for each of [`PARAMETERS`].
    origins: Vec<Origin>,
}

/// Where a value came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    Preset(&'static str),
    File { path: PathBuf, line: usize },
    Flag(&'static str),
    Program(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Preset(name) => write!(f, "preset {name}"),
            Origin::File { path, line } => write!(f, "{}:{line}", path.display()),
            Origin::Flag(flag) => write!(f, "--{flag}"),
            Origin::Program(path) => path.display().fmt(f),
        }
    }
}

impl Draft {
    /// Starts from a preset.
    pub fn from_preset(preset: &'static Preset) -> Self {
        Self {
            config: toml::from_str(preset.toml).expect("the presets of the crate are complete, which its tests check"),
            origins: vec![Origin::Preset(preset.name); PARAMETERS.len()],
        }
    }

    /// Starts from a TOML file; see [`Draft::parse`].
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let bytes = read_limited(path, MAX_BYTES)
            .map_err(|source| ConfigError::Unreadable { path: path.to_owned(), source })?;
        let text = String::from_utf8(bytes)
            .map_err(|error| file::not_utf8(path, error.as_bytes(), error.utf8_error().valid_up_to()))?;
        Self::parse(&text, path)
    }

    /// Starts from TOML text. `path` serves the messages only.
    ///
    /// The text gives every parameter, or names in a first line `preset = "small"` where the others come from.
    /// Every unknown key, wrong type and missing parameter is reported at once.
    pub fn parse(text: &str, path: &Path) -> Result<Self, ConfigError> {
        let file = file::parse(text, path)?;
        // A file without a base gives every parameter, so that any preset serves as the canvas.
        let mut draft = Self::from_preset(file.base.unwrap_or(&PRESETS[0]));
        draft.config.memory.macros = file.macros;
        for (index, value, line) in file.values {
            PARAMETERS[index].set(&mut draft.config, value);
            draft.origins[index] = Origin::File { path: path.to_owned(), line };
        }
        Ok(draft)
    }

    /// Sets one parameter as its flag asks.
    ///
    /// # Panics
    /// If `value` is of the wrong kind; see [`Parameter::set`].
    pub fn set(&mut self, parameter: &'static Parameter, value: Value) {
        self.set_from(Origin::Flag(parameter.flag), parameter, value);
    }

    /// Sets one parameter as the description `path` of a program asks. The path serves the messages only.
    ///
    /// # Panics
    /// If `value` is of the wrong kind; see [`Parameter::set`].
    pub fn set_from_program(&mut self, path: &Path, parameter: &'static Parameter, value: Value) {
        self.set_from(Origin::Program(path.to_owned()), parameter, value);
    }

    fn set_from(&mut self, origin: Origin, parameter: &'static Parameter, value: Value) {
        parameter.set(&mut self.config, value);
        let index = PARAMETERS.iter().position(|candidate| candidate.key == parameter.key);
        self.origins[index.expect("all parameters are in the table")] = origin;
    }

    /// Checks every rule.
    pub fn finish(self) -> Result<CoreConfig, ConfigError> {
        match self.config.validate() {
            Ok(()) => Ok(self.config),
            Err(mut violations) => {
                for violation in &mut violations.0 {
                    violation.origin = PARAMETERS
                        .iter()
                        .position(|parameter| parameter.key == violation.key)
                        .map(|index| self.origins[index].to_string());
                }
                Err(violations.into())
            }
        }
    }
}
