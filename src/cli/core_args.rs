//! The flags that describe a core; the same for every subcommand that needs one.

use std::path::PathBuf;

use clap::builder::{TypedValueParser, ValueParser};
use clap::{Arg, ArgMatches, Command, FromArgMatches};
use eva_rtl::config::{ConfigError, CoreConfig, Draft, MemoryStyle, PARAMETERS, PRESETS, Parameter, Preset, Value};

use super::values::Named;

/// Reads the name of a preset.
pub fn presets() -> impl TypedValueParser<Value = &'static Preset> {
    Named::new(PRESETS.iter().map(|preset| preset.name), Preset::find)
}

#[derive(Debug, clap::Args)]
pub struct CoreArgs {
    /// Preset to start from; `eva presets` lists them [default: paper]
    #[arg(
        long,
        value_name = "NAME",
        value_parser = presets(),
        conflicts_with = "config",
        help_heading = Overrides::HEADING
    )]
    preset: Option<&'static Preset>,
    /// TOML file to start from instead; `eva presets --show NAME` prints one to edit
    #[arg(long, value_name = "FILE", help_heading = Overrides::HEADING)]
    config: Option<PathBuf>,
    #[command(flatten)]
    overrides: Overrides,
}

impl CoreArgs {
    /// The configuration asked for, validated.
    pub fn config(&self) -> Result<CoreConfig, ConfigError> {
        self.config_from(|| Ok(Draft::from_preset(Preset::DEFAULT)))
    }

    /// The configuration asked for, validated; if neither a preset nor a file is named, it starts from `otherwise`.
    pub fn config_from<E: From<ConfigError>>(
        &self,
        otherwise: impl FnOnce() -> Result<Draft, E>,
    ) -> Result<CoreConfig, E> {
        let mut draft = match (&self.config, self.preset) {
            (Some(path), _) => Draft::read(path)?,
            (None, Some(preset)) => Draft::from_preset(preset),
            (None, None) => otherwise()?,
        };
        for (parameter, value) in &self.overrides.0 {
            draft.set(parameter, *value);
        }
        Ok(draft.finish()?)
    }
}

/// Single parameters, one flag for each in [`PARAMETERS`].
#[derive(Clone, Debug)]
struct Overrides(Vec<(&'static Parameter, Value)>);

impl Overrides {
    const HEADING: &'static str = "Core parameters";

    fn arg(parameter: &'static Parameter) -> Arg {
        let parse = move |text: &str| parameter.parse(text);
        let (value_name, range, parser) = match parameter.range() {
            Some(range) => ("N", format!(" [{} to {}]", range.start(), range.end()), ValueParser::new(parse)),
            None => {
                let names = [MemoryStyle::Inferred, MemoryStyle::Macro].map(|style| Value::Style(style).to_string());
                ("STYLE", String::new(), ValueParser::new(Named::new(names, parse)))
            }
        };
        Arg::new(parameter.flag)
            .long(parameter.flag)
            .value_name(value_name)
            .value_parser(parser)
            .help_heading(Self::HEADING)
            .help(format!("{}{range}", parameter.about))
    }
}

impl clap::Args for Overrides {
    fn augment_args(command: Command) -> Command {
        command.args(PARAMETERS.iter().map(Self::arg))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for Overrides {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = PARAMETERS.iter().filter_map(|parameter| {
            let value = matches.get_one::<Value>(parameter.flag)?;
            Some((parameter, *value))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.extend(Self::from_arg_matches(matches)?.0);
        Ok(())
    }
}
