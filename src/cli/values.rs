//! How values of flags are read, and what shells are told about them.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, ValueHint};
use eva_rtl::config::nearest;
use eva_rtl::models::LanguageModel;

/// Whole numbers of a range, which the error names whatever is wrong.
pub fn whole<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("must be a whole number from {} to {}", range.start(), range.end()))
    }
}

/// Reads values as another parser does, errors included, and tells shells and the help the `names` that there are.
#[derive(Clone)]
pub struct Named<P> {
    names: Vec<String>,
    parser: P,
}

impl<P: TypedValueParser> Named<P> {
    pub fn new(names: impl IntoIterator<Item = impl Into<String>>, parser: P) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), parser }
    }
}

impl<P: TypedValueParser> TypedValueParser for Named<P> {
    type Value = P::Value;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &std::ffi::OsStr,
    ) -> Result<Self::Value, clap::Error> {
        self.parser.parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.names.iter().cloned().map(PossibleValue::new)))
    }
}

/// The name of a language model, or of a file with one.
pub fn model() -> impl TypedValueParser<Value = String> {
    Named::new(LanguageModel::names(), StringValueParser::new())
}

/// The name of one of these commands.
fn subcommand(names: Vec<String>) -> impl TypedValueParser<Value = String> {
    let known = names.clone();
    Named::new(names, move |name: &str| {
        if known.iter().any(|known| known == name) {
            return Ok(name.to_owned());
        }
        Err(match nearest(name, known.iter().map(String::as_str)) {
            Some(near) => format!("there is no command `{name}`; did you mean `{near}`?"),
            None => format!("there is no command `{name}`; the commands are {}", known.join(", ")),
        })
    })
}

/// The command line with what shells have to know about the values of its flags.
pub fn described(command: Command) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let command =
        command.mut_subcommand("man", |man| man.mut_arg("command", |arg| arg.value_parser(subcommand(names))));
    command.mut_subcommands(|command| command.mut_args(hinted))
}

/// The argument, completed as the name of its value says: with files, with folders, or with nothing. What is neither may begin with a minus,
/// so that a negative number is answered by what reads the value.
fn hinted(arg: Arg) -> Arg {
    if !arg.get_action().takes_values() {
        return arg;
    }
    let name = arg.get_value_names().and_then(|names| names.first()).map_or("", |name| name.as_str());
    match name {
        "FILE" | "FILE[.gz]" => arg.value_hint(ValueHint::FilePath),
        "DIR" => arg.value_hint(ValueHint::DirPath),
        "CHECKPOINT" => arg.value_hint(ValueHint::AnyPath),
        // Several numbers, or one with a unit: not what clap takes for a negative number.
        "K,N" | "M,K,N" | "CLOCK" => arg.value_hint(ValueHint::Other).allow_hyphen_values(true),
        _ if !arg.get_possible_values().is_empty() => arg,
        _ => arg.value_hint(ValueHint::Other).allow_negative_numbers(true),
    }
}
