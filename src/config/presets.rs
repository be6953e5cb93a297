//! Named configurations, kept as commented TOML so that a user can print one and edit it.

use super::{ConfigError, CoreConfig, Draft, nearest};

/// A configuration that comes with the crate.
#[derive(Debug)]
pub struct Preset {
    /// As it is called on the command line.
    pub name: &'static str,
    /// The commented TOML text: a complete configuration file.
    pub toml: &'static str,
}

/// Every preset, largest first.
pub const PRESETS: &[Preset] = &[
    Preset { name: "paper", toml: include_str!("presets/paper.toml") },
    Preset { name: "small", toml: include_str!("presets/small.toml") },
    Preset { name: "fpga", toml: include_str!("presets/fpga.toml") },
    Preset { name: "tiny", toml: include_str!("presets/tiny.toml") },
];

impl Preset {
    /// `paper`, which is taken where none is named.
    pub const DEFAULT: &'static Preset = &PRESETS[0];

    /// Finds a preset by name; the error suggests the nearest one.
    pub fn find(name: &str) -> Result<&'static Preset, ConfigError> {
        PRESETS.iter().find(|preset| preset.name == name).ok_or_else(|| ConfigError::UnknownPreset {
            name: name.to_owned(),
            suggestion: nearest(name, PRESETS.iter().map(|preset| preset.name)),
        })
    }

    /// What the preset is for: the first line of its text.
    pub fn about(&self) -> &'static str {
        let line = self.toml.lines().next().unwrap_or_default();
        line.trim_start_matches("# ")
    }

    /// The configuration itself.
    pub fn config(&'static self) -> CoreConfig {
        Draft::from_preset(self).finish().expect("the presets of the crate are valid, which its tests check")
    }
}

impl CoreConfig {
    /// The preset called `name`: `paper`, `small`, `fpga` or `tiny`.
    ///
    /// ```
    /// use eva_rtl::config::CoreConfig;
    ///
    /// let config = CoreConfig::preset("paper")?;
    /// assert_eq!((config.array.rows, config.tile_vectors()), (32, 128));
    /// # Ok::<(), eva_rtl::config::ConfigError>(())
    /// ```
    pub fn preset(name: &str) -> Result<Self, ConfigError> {
        Preset::find(name).map(Preset::config)
    }
}
