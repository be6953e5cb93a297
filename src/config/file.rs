//! Reading a configuration file: every problem in it is found, each with its line.

use std::ops::Range;
use std::path::Path;

use toml::de::{DeInteger, DeTable, DeValue};

use super::{ConfigError, FileProblem, PARAMETERS, Parameter, Preset, Value, macros, nearest};
use crate::hdl::verilog::RamMacro;

/// The key outside all sections that names a preset to start from.
const BASE_KEY: &str = "preset";

/// Mistakes in the syntax that are told one by one: most of those that follow come from these, or the file is none at all.
const MOST_SYNTAX_ERRORS: usize = 3;

/// What a configuration file says.
#[derive(Debug, Default)]
pub struct File {
    /// The preset that gives the parameters not in `values`; without one, `values` has all of them.
    pub base: Option<&'static Preset>,
    /// Position in [`PARAMETERS`], value, and line counted from 1.
    pub values: Vec<(usize, Value, usize)>,
    /// The vendor's RAM macros.
    pub macros: Vec<RamMacro>,
}

/// Reads the text of a file; `path` serves the messages only.
pub fn parse(text: &str, path: &Path) -> Result<File, ConfigError> {
    let mut reader =
        Reader { text, path, problems: Vec::new(), file: File::default(), given: [false; PARAMETERS.len()] };
    let (document, errors) = DeTable::parse_recoverable(text);
    let mistakes = errors.len();
    for error in errors.into_iter().take(MOST_SYNTAX_ERRORS) {
        reader.problem(error.span(), error.message().to_owned());
    }
    if let more @ 1.. = mistakes.saturating_sub(MOST_SYNTAX_ERRORS) {
        let message = format!(
            "{more} more mistakes; a configuration is written in TOML, as `eva presets --show small` prints one"
        );
        reader.problem(None, message);
    }
    // After a mistake in the syntax the rest would be guesswork.
    if reader.problems.is_empty() {
        reader.document(document.get_ref());
    }
    if reader.problems.is_empty() {
        return Ok(reader.file);
    }
    reader.problems.sort_by_key(|problem| problem.line.unwrap_or(usize::MAX));
    Err(ConfigError::File(reader.problems))
}

/// The error for a file of which only the first `valid` bytes are UTF-8.
pub fn not_utf8(path: &Path, bytes: &[u8], valid: usize) -> ConfigError {
    ConfigError::File(vec![FileProblem {
        path: path.to_owned(),
        line: Some(line_of(bytes, valid)),
        message: "is not UTF-8 text".to_owned(),
    }])
}

fn line_of(text: &[u8], offset: usize) -> usize {
    1 + text[..offset].iter().filter(|byte| **byte == b'\n').count()
}

struct Reader<'a> {
    text: &'a str,
    path: &'a Path,
    problems: Vec<FileProblem>,
    file: File,
    /// Which of [`PARAMETERS`] the text mentions, usable or not.
    given: [bool; PARAMETERS.len()],
}

impl Reader<'_> {
    fn document(&mut self, document: &DeTable<'_>) {
        // An unknown key is likely a misspelt one, so that a list of missing parameters would mislead.
        let mut complete = true;
        for (key, value) in document {
            let name = key.get_ref().as_ref();
            if name == BASE_KEY {
                self.base(value.get_ref(), value.span());
            } else if !PARAMETERS.iter().any(|known| known.section() == name) {
                let message = unknown_section(name);
                self.problem(Some(key.span()), message);
                complete = false;
            } else if let Some(section) = value.get_ref().as_table() {
                complete &= self.section(name, section);
            } else {
                let message = format!("`{name}` must be a table: write [{name}]");
                self.problem(Some(key.span()), message);
                complete = false;
            }
        }
        if complete && !document.contains_key(BASE_KEY) {
            self.missing();
        }
    }

    fn base(&mut self, value: &DeValue<'_>, span: Range<usize>) {
        match value.as_str().map(Preset::find) {
            Some(Ok(preset)) => self.file.base = Some(preset),
            Some(Err(error)) => self.problem(Some(span), error.to_string()),
            None => {
                let message = "`preset` must be the name of a preset, as a string".to_owned();
                self.problem(Some(span), message);
            }
        }
    }

    /// Reads one table; returns whether every key in it is known.
    fn section(&mut self, section: &str, table: &DeTable<'_>) -> bool {
        let mut all_known = true;
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if (section, name) == ("memory", macros::KEY) {
                match macros::read(value) {
                    Ok(macros) => self.file.macros = macros,
                    Err(problems) => {
                        problems.into_iter().for_each(|found| self.problem(Some(found.span), found.message))
                    }
                }
                continue;
            }
            let known = PARAMETERS.iter().position(|known| known.section() == section && known.name() == name);
            let Some(index) = known else {
                let message = unknown_key(section, name);
                self.problem(Some(key.span()), message);
                all_known = false;
                continue;
            };
            self.given[index] = true;
            let parameter = &PARAMETERS[index];
            match convert(parameter, value.get_ref()) {
                Ok(converted) => {
                    let line = line_of(self.text.as_bytes(), key.span().start);
                    self.file.values.push((index, converted, line));
                }
                Err(found) => {
                    let message = format!("`{}` must be {}, not {found}", parameter.key, parameter.expects());
                    self.problem(Some(value.span()), message);
                }
            }
        }
        all_known
    }

    fn missing(&mut self) {
        let missing: Vec<String> = PARAMETERS
            .iter()
            .zip(self.given)
            .filter(|(_, given)| !given)
            .map(|(parameter, _)| format!("`{}`", parameter.key))
            .collect();
        if !missing.is_empty() {
            let message = format!(
                "missing {}; give them, or start the file with a line like preset = \"small\" \
                 to take from that preset what is not given",
                missing.join(", ")
            );
            self.problem(None, message);
        }
    }

    fn problem(&mut self, span: Option<Range<usize>>, message: String) {
        self.problems.push(FileProblem {
            path: self.path.to_owned(),
            line: span.map(|span| line_of(self.text.as_bytes(), span.start)),
            message,
        });
    }
}

/// The value of `parameter`, or a description of what was found instead.
fn convert(parameter: &Parameter, value: &DeValue<'_>) -> Result<Value, String> {
    let converted = match (parameter.range(), value) {
        (Some(_), DeValue::Integer(integer)) => to_u32(integer).map(Value::Number),
        (None, DeValue::String(text)) => parameter.parse(text).ok(),
        _ => None,
    };
    converted.ok_or_else(|| match value {
        DeValue::String(text) if parameter.range().is_none() => format!("{text:?}"),
        _ => describe(value),
    })
}

/// What was found in the place of something else.
pub fn describe(value: &DeValue<'_>) -> String {
    match value {
        DeValue::Integer(integer) => integer.to_string(),
        DeValue::String(text) => format!("the string {text:?}"),
        DeValue::Float(float) => float.to_string(),
        DeValue::Boolean(boolean) => boolean.to_string(),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "an array".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}

fn to_u32(integer: &DeInteger<'_>) -> Option<u32> {
    u32::from_str_radix(integer.as_str(), integer.radix()).ok()
}

fn unknown_section(name: &str) -> String {
    let mut sections: Vec<&str> = PARAMETERS.iter().map(Parameter::section).collect();
    sections.dedup();
    let known = sections.iter().copied().chain([BASE_KEY]);
    // A parameter written without its section is a likely slip too.
    let suggestion = PARAMETERS
        .iter()
        .find(|known| known.name() == name)
        .map(|known| known.key.to_owned())
        .or_else(|| nearest(name, known));
    match suggestion {
        Some(found) => format!("unknown key `{name}`; did you mean `{found}`?"),
        None => format!("unknown key `{name}`; the sections are {}", sections.join(", ")),
    }
}

fn unknown_key(section: &str, name: &str) -> String {
    let mut here: Vec<&str> =
        PARAMETERS.iter().filter(|known| known.section() == section).map(Parameter::name).collect();
    if section == "memory" {
        here.push(macros::KEY);
    }
    let suggestion = nearest(name, here.iter().copied()).map(|found| format!("{section}.{found}")).or_else(|| {
        let elsewhere = PARAMETERS.iter().find(|known| known.name() == name);
        elsewhere.map(|known| known.key.to_owned())
    });
    match suggestion {
        Some(found) => format!("unknown key `{section}.{name}`; did you mean `{found}`?"),
        None => format!("unknown key `{section}.{name}`; [{section}] has {}", here.join(", ")),
    }
}
