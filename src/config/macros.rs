//! Reading `[[memory.macro]]`, the vendor's RAM macros: every problem in it is found.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::{Range, RangeInclusive};

use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::file::describe;
use super::nearest;
use crate::hdl::names::check_name;
use crate::hdl::verilog::{RamMacro, RamMacroPort};

/// The key in the section `memory`.
pub const KEY: &str = "macro";

const DEPTHS: RangeInclusive<u32> = 16..=1 << 20;
const WIDTHS: RangeInclusive<u32> = 1..=4096;

type Span = Range<usize>;
type Value<'a> = Spanned<DeValue<'a>>;

/// What is wrong, and where in the text.
pub struct Problem {
    pub span: Span,
    pub message: String,
}

/// Reads the value of `memory.macro`.
pub fn read(value: &Value<'_>) -> Result<Vec<RamMacro>, Vec<Problem>> {
    let mut problems = Vec::new();
    let mut macros = Vec::new();
    let entries = value.get_ref().as_array();
    let Some(entries) = entries.filter(|entries| entries.iter().all(|entry| entry.get_ref().is_table())) else {
        let message = "`memory.macro` must be an array of tables: write [[memory.macro]]".to_owned();
        return Err(vec![Problem { span: value.span(), message }]);
    };
    let mut modules = BTreeSet::new();
    for entry in entries {
        let table = entry.get_ref().as_table().expect("every entry is a table");
        let ram = Entry { problems: &mut problems, pins: BTreeMap::new() }.read(table, entry.span());
        if let Some(ram) = &ram
            && !modules.insert(ram.module.clone())
        {
            let message = format!("`memory.macro` has `{}` twice", ram.module);
            problems.push(Problem { span: entry.span(), message });
        }
        macros.extend(ram);
    }
    if problems.is_empty() { Ok(macros) } else { Err(problems) }
}

/// One macro being read.
struct Entry<'p> {
    problems: &'p mut Vec<Problem>,
    /// Pins seen so far, and the key that each was first given for.
    pins: BTreeMap<String, String>,
}

impl Entry<'_> {
    /// The macro; `None` after a problem that leaves a part of it unknown.
    fn read(&mut self, table: &DeTable<'_>, span: Span) -> Option<RamMacro> {
        const KEYS: [&str; 8] = ["module", "depth", "width", "holds_output", "write", "read", "tie", "open"];
        const OPTIONAL: [&str; 3] = ["holds_output", "tie", "open"];
        let known = self.keys("memory.macro", table, &KEYS, &OPTIONAL, span.clone());
        let module = table.get("module").and_then(|value| self.module(value));
        let depth = table.get("depth").and_then(|value| self.number("depth", value, &DEPTHS));
        let width = table.get("width").and_then(|value| self.number("width", value, &WIDTHS));
        let holds_output = match table.get("holds_output") {
            Some(value) => self.expect("holds_output", "true or false", value, value.get_ref().as_bool()),
            None => Some(false),
        };
        let write = table.get("write").and_then(|value| self.port("write", value));
        let read = table.get("read").and_then(|value| self.port("read", value));
        let tie = table.get("tie").map_or(Some(BTreeMap::new()), |value| self.tie(value));
        let open = table.get("open").map_or(Some(BTreeMap::new()), |value| self.open(value));
        if holds_output == Some(true) && read.as_ref().is_some_and(|port| port.enable.is_empty()) {
            let message = "`memory.macro.holds_output` must be false for a macro without `read.enable`: it reads in \
                           every cycle"
                .to_owned();
            self.problems.push(Problem { span, message });
        }
        let ram = RamMacro {
            module: module?,
            depth: depth?,
            width: width?,
            holds_output: holds_output?,
            write: write?,
            read: read?,
            tie: tie?,
            open: open?,
        };
        known.then_some(ram)
    }

    /// Complains about unknown and missing keys of a table; returns whether there are none.
    fn keys(&mut self, path: &str, table: &DeTable<'_>, keys: &[&str], optional: &[&str], span: Span) -> bool {
        let before = self.problems.len();
        for (key, _) in table {
            let name = key.get_ref().as_ref();
            if !keys.contains(&name) {
                let hint = match nearest(name, keys.iter().copied()) {
                    Some(near) => format!("did you mean `{path}.{near}`?"),
                    None => format!("it has {}", keys.join(", ")),
                };
                let message = format!("unknown key `{path}.{name}`; {hint}");
                self.problems.push(Problem { span: key.span(), message });
            }
        }
        // An unknown key is likely a misspelt one, so that a list of missing ones would mislead.
        let missing: Vec<String> = keys
            .iter()
            .filter(|key| !optional.contains(key) && !table.contains_key(**key))
            .map(|key| format!("`{path}.{key}`"))
            .collect();
        if self.problems.len() == before && !missing.is_empty() {
            self.problems.push(Problem { span, message: format!("missing {}", missing.join(", ")) });
        }
        self.problems.len() == before
    }

    fn port(&mut self, name: &str, value: &Value<'_>) -> Option<RamMacroPort> {
        let table = self.expect(name, "a table", value, value.get_ref().as_table())?;
        let path = |key: &str| format!("{name}.{key}");
        let optional: &[&str] = if name == "read" { &["enable"] } else { &[] };
        let keys = ["clock", "enable", "address", "data"];
        let known = self.keys(&format!("memory.macro.{name}"), table, &keys, optional, value.span());
        let clock = table.get("clock").and_then(|value| self.pin(&path("clock"), value, false));
        let enable = match table.get("enable") {
            Some(value) => self.enables(&path("enable"), value),
            None => Some(Vec::new()),
        };
        if name == "write"
            && let (Some(value), Some([])) = (table.get("enable"), enable.as_deref())
        {
            let message = "`memory.macro.write.enable` must name at least one pin".to_owned();
            self.problems.push(Problem { span: value.span(), message });
        }
        let address = table.get("address").and_then(|value| self.pin(&path("address"), value, false));
        let data = table.get("data").and_then(|value| self.pin(&path("data"), value, false));
        let port = RamMacroPort { clock: clock?, enable: enable?, address: address?, data: data? };
        known.then_some(port)
    }

    fn module(&mut self, value: &Value<'_>) -> Option<String> {
        let name = self.name("module", "a module", value, value.get_ref().as_str())?;
        if name.starts_with("eva_") {
            let message = format!("`memory.macro.module` must not start with eva_ as `{name}` does: the core's own do");
            self.problems.push(Problem { span: value.span(), message });
            return None;
        }
        Some(name)
    }

    /// One pin, with `!` before its name where it `may_invert`.
    fn pin(&mut self, key: &str, value: &Value<'_>, may_invert: bool) -> Option<String> {
        let text = value.get_ref().as_str();
        let inverted = may_invert && text.is_some_and(|text| text.starts_with('!'));
        let name = text.map(|text| if inverted { &text[1..] } else { text });
        let name = self.name(key, "a pin", value, name)?;
        if !self.is_new(key, &name, value.span()) {
            return None;
        }
        Some(if inverted { format!("!{name}") } else { name })
    }

    fn enables(&mut self, key: &str, value: &Value<'_>) -> Option<Vec<String>> {
        let expected = r#"an array of pins, like ["!csb0"]"#;
        let array: &DeArray<'_> = self.expect(key, expected, value, value.get_ref().as_array())?;
        // All are looked at, whatever is wrong with the first.
        let pins: Vec<Option<String>> = array.iter().map(|pin| self.pin(key, pin, true)).collect();
        pins.into_iter().collect()
    }

    fn tie(&mut self, value: &Value<'_>) -> Option<BTreeMap<String, String>> {
        self.by_pin("tie", value, |entry, key, value| {
            let literal = match value.get_ref() {
                DeValue::Integer(bit) if ["0", "1"].contains(&bit.as_str()) => Some(format!("1'b{}", bit.as_str())),
                DeValue::String(text) if is_literal(text) => Some(text.to_string()),
                _ => None,
            };
            entry.expect(key, r#"0, 1 or a sized Verilog literal like "4'b1111""#, value, literal)
        })
    }

    fn open(&mut self, value: &Value<'_>) -> Option<BTreeMap<String, u32>> {
        self.by_pin("open", value, |entry, key, value| entry.number(key, value, &WIDTHS))
    }

    /// A table of pins, each with something that `read` reads.
    fn by_pin<T>(
        &mut self,
        key: &str,
        value: &Value<'_>,
        read: impl Fn(&mut Self, &str, &Value<'_>) -> Option<T>,
    ) -> Option<BTreeMap<String, T>> {
        let table = self.expect(key, "a table of pins", value, value.get_ref().as_table())?;
        let mut pins = BTreeMap::new();
        for (pin, value) in table {
            let name = self.name(key, "a pin", value, Some(pin.get_ref().as_ref()));
            let name = name.filter(|name| self.is_new(key, name, pin.span()));
            let found = read(self, &format!("{key}.{}", pin.get_ref()), value);
            pins.extend(name.zip(found));
        }
        (pins.len() == table.len()).then_some(pins)
    }

    /// A Verilog name, given for `key`.
    fn name(&mut self, key: &str, what: &str, value: &Value<'_>, text: Option<&str>) -> Option<String> {
        let text = self.expect(key, &format!("the name of {what}"), value, text)?;
        if let Err(error) = check_name(text) {
            let message = format!("`memory.macro.{key}` must be the name of {what}, but {text:?} {error}");
            self.problems.push(Problem { span: value.span(), message });
            return None;
        }
        Some(text.to_owned())
    }

    /// Whether pin `name` is given for the first time; complains otherwise. Both ports may have one clock.
    fn is_new(&mut self, key: &str, name: &str, span: Span) -> bool {
        let Some(first) = self.pins.get(name) else {
            self.pins.insert(name.to_owned(), key.to_owned());
            return true;
        };
        let is_shared_clock = key != first && [key, first].iter().all(|key| key.ends_with(".clock"));
        if !is_shared_clock {
            let message = format!("`memory.macro.{key}` has pin `{name}`, which `{first}` has already");
            self.problems.push(Problem { span, message });
        }
        is_shared_clock
    }

    fn number(&mut self, key: &str, value: &Value<'_>, range: &RangeInclusive<u32>) -> Option<u32> {
        let integer = value.get_ref().as_integer();
        let number = integer.and_then(|integer| u32::from_str_radix(integer.as_str(), integer.radix()).ok());
        let number = number.filter(|number| range.contains(number));
        let expected = format!("a whole number from {} to {}", range.start(), range.end());
        self.expect(key, &expected, value, number)
    }

    /// `found`; if that is nothing, complains that `value` is not what was expected.
    fn expect<T>(&mut self, key: &str, expected: &str, value: &Value<'_>, found: Option<T>) -> Option<T> {
        if found.is_none() {
            let message = format!("`memory.macro.{key}` must be {expected}, not {}", describe(value.get_ref()));
            self.problems.push(Problem { span: value.span(), message });
        }
        found
    }
}

/// Whether `text` is a sized Verilog literal without unknown bits: `4'b1111`, `8'hff`, `2'd3`.
fn is_literal(text: &str) -> bool {
    let Some((size, (base, digits))) =
        text.split_once('\'').and_then(|(size, rest)| Some((size, rest.split_at_checked(1)?)))
    else {
        return false;
    };
    let radix = match base {
        "b" => 2,
        "d" => 10,
        "h" => 16,
        _ => return false,
    };
    let is_number = |text: &str, radix| !text.is_empty() && text.chars().all(|digit| digit.is_digit(radix));
    let Some(size) = size.parse::<u32>().ok().filter(|bits| is_number(size, 10) && WIDTHS.contains(bits)) else {
        return false;
    };
    let significant = digits.trim_start_matches('0');
    let bits = match (radix, significant.chars().next()) {
        (_, None) => 0,
        (10, Some(_)) => significant.parse::<u128>().map_or(u32::MAX, |value| 128 - value.leading_zeros()),
        (_, Some(first)) => {
            let per_digit = if radix == 2 { 1 } else { 4 };
            let first = first.to_digit(radix).map_or(0, |value| 32 - value.leading_zeros());
            first + per_digit * (significant.len() as u32 - 1)
        }
    };
    is_number(digits, radix) && bits <= size
}

#[cfg(test)]
mod tests {
    use super::is_literal;

    #[test]
    fn literals_have_a_size_that_their_value_fits() {
        for good in ["1'b0", "4'b1111", "8'hff", "8'h0ff", "2'd3", "9'h1ff", "4096'h0"] {
            assert!(is_literal(good), "{good}");
        }
        for bad in [
            "", "1", "'b1", "0'b0", "4097'b0", "4'b11111", "7'hff", "2'd4", "4'b12", "4'bx", "4'", "4'o7", "+4'b1",
            "4'b",
        ] {
            assert!(!is_literal(bad), "{bad}");
        }
    }
}
