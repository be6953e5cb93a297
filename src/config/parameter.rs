//! The table of parameters: the one place that knows their keys, flags, ranges and descriptions.

use std::fmt;
use std::ops::RangeInclusive;

use super::{CoreConfig, MemoryStyle};

/// A parameter of [`CoreConfig`], settable in a configuration file and by a flag.
#[derive(Debug)]
pub struct Parameter {
    /// Section and name in a configuration file: `array.rows`.
    pub key: &'static str,
    /// Long flag without the dashes: `rows`.
    pub flag: &'static str,
    /// One line for a reader who knows the architecture.
    pub about: &'static str,
    access: Access,
}

#[derive(Debug)]
enum Access {
    Number { range: RangeInclusive<u32>, slot: fn(&mut CoreConfig) -> &mut u32 },
    Style,
}

/// What a parameter holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    /// All parameters but the style of memories.
    Number(u32),
    /// Of `memory.style`.
    Style(MemoryStyle),
}

const fn number(
    key: &'static str,
    flag: &'static str,
    range: RangeInclusive<u32>,
    slot: fn(&mut CoreConfig) -> &mut u32,
    about: &'static str,
) -> Parameter {
    Parameter { key, flag, about, access: Access::Number { range, slot } }
}

/// Every parameter, in the order in which configurations are written.
pub static PARAMETERS: [Parameter; 14] = [
    number("array.rows", "rows", 2..=128, |c| &mut c.array.rows, "R, rows of the array"),
    number(
        "array.cols",
        "cols",
        4..=256,
        |c| &mut c.array.cols,
        "INT8 columns, a multiple of 4; four make one FP16 element",
    ),
    number("vq.dim", "dim", 1..=64, |c| &mut c.vq.dim, "d, weights per vector; a power of two that divides cols/4"),
    number(
        "vq.index_bits",
        "index-bits",
        2..=12,
        |c| &mut c.vq.index_bits,
        "n, bits of an index; a codebook has 2^n entries",
    ),
    number(
        "vq.max_codebooks",
        "max-codebooks",
        1..=8,
        |c| &mut c.vq.max_codebooks,
        "Additive codebooks C held on chip",
    ),
    number("epilogue.units", "epilogue-units", 1..=16, |c| &mut c.epilogue.units, "E, epilogue units"),
    number("buffers.max_k", "max-k", 1..=65536, |c| &mut c.buffers.max_k, "Inputs K held on chip, a multiple of d"),
    number(
        "buffers.max_n_block",
        "max-n-block",
        1..=65536,
        |c| &mut c.buffers.max_n_block,
        "Outputs of one block, depth of the accumulator memory",
    ),
    number(
        "stream.width",
        "stream-width",
        32..=4096,
        |c| &mut c.stream.width,
        "W, bits of the weight stream per beat, a power of two",
    ),
    number("pipeline.pe", "pipe-pe", 0..=2, |c| &mut c.pipeline.pe, "Register stages of a processing element"),
    number("pipeline.tree", "pipe-tree", 0..=4, |c| &mut c.pipeline.tree, "Register stages of a row's adder tree"),
    number(
        "pipeline.epilogue",
        "pipe-epilogue",
        1..=4,
        |c| &mut c.pipeline.epilogue,
        "Register stages of an epilogue unit",
    ),
    number(
        "pipeline.scale",
        "pipe-scale",
        1..=5,
        |c| &mut c.pipeline.scale,
        "Register stages of the scaling of outputs",
    ),
    Parameter {
        key: "memory.style",
        flag: "memory-style",
        about: "Behavioural memories, or black boxes for vendor macros",
        access: Access::Style,
    },
];

impl Parameter {
    /// Finds a parameter by its key.
    pub fn find(key: &str) -> Option<&'static Parameter> {
        PARAMETERS.iter().find(|parameter| parameter.key == key)
    }

    /// The table of a configuration file that holds it: `array`.
    pub fn section(&self) -> &'static str {
        self.key.split_once('.').map_or("", |(section, _)| section)
    }

    /// Its name within the section: `rows`.
    pub fn name(&self) -> &'static str {
        self.key.split_once('.').map_or(self.key, |(_, name)| name)
    }

    /// Smallest and largest usable number; `None` if it does not hold a number.
    /// Rules beyond the range are in [`CoreConfig::validate`].
    pub fn range(&self) -> Option<RangeInclusive<u32>> {
        match &self.access {
            Access::Number { range, .. } => Some(range.clone()),
            Access::Style => None,
        }
    }

    /// What may be written for it: `a whole number from 2 to 128`.
    pub fn expects(&self) -> String {
        match self.range() {
            Some(range) => format!("a whole number from {} to {}", range.start(), range.end()),
            None => r#""inferred" or "macro""#.to_owned(),
        }
    }

    /// Its value in `config`.
    pub fn get(&self, config: &CoreConfig) -> Value {
        match self.access {
            // One accessor serves reading and writing; the copy is a few words.
            Access::Number { slot, .. } => Value::Number(*slot(&mut config.clone())),
            Access::Style => Value::Style(config.memory.style),
        }
    }

    /// Reads a value from text, as a flag gives it. The error says what is expected.
    pub fn parse(&self, text: &str) -> Result<Value, String> {
        let value = match self.access {
            Access::Number { .. } => text.parse().ok().map(Value::Number),
            Access::Style => match text {
                "inferred" => Some(Value::Style(MemoryStyle::Inferred)),
                "macro" => Some(Value::Style(MemoryStyle::Macro)),
                _ => None,
            },
        };
        value.ok_or_else(|| format!("must be {}", self.expects()))
    }

    /// Stores `value`.
    ///
    /// # Panics
    /// If `value` is of the other kind than the parameter; [`Parameter::parse`] gives the right one.
    pub fn set(&self, config: &mut CoreConfig, value: Value) {
        match (&self.access, value) {
            (Access::Number { slot, .. }, Value::Number(number)) => *slot(config) = number,
            (Access::Style, Value::Style(style)) => config.memory.style = style,
            _ => panic!("{} cannot hold {value}", self.key),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Style(MemoryStyle::Inferred) => f.write_str("inferred"),
            Value::Style(MemoryStyle::Macro) => f.write_str("macro"),
        }
    }
}
