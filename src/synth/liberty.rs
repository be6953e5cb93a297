//! What mapping needs to know of a cell library: areas, flip-flops, a full adder, a cell that drives inputs.

mod function;
mod parse;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::MultiGzDecoder;

use super::SynthError;
use super::fanout::Buffer;
use crate::input::open;
use crate::programs;
use function::Function;
use parse::Group;

/// A cell with two outputs: the sum and the carry of three bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FullAdder {
    /// Name of the cell.
    pub cell: String,
    /// Its input pins.
    pub inputs: [String; 3],
    /// Its output pin for the carry.
    pub carry: String,
    /// Its output pin for the sum.
    pub sum: String,
}

/// A cell library in the Liberty format.
#[derive(Clone, Debug)]
pub struct Library {
    /// Of the file, without suffixes.
    pub name: String,
    /// Uncompressed text, for the tools.
    pub text: String,
    /// Area of each cell, in the unit of the library, which is um2 in all that are known.
    pub areas: HashMap<String, f64>,
    /// Cells that are flip-flops.
    pub flip_flops: HashSet<String>,
    /// Names of their output pins.
    pub flip_flop_outputs: Vec<String>,
    /// Cells that must not be used: for power domains, or marked so.
    pub special: Vec<String>,
    /// One that it has; `None` if there is none.
    pub full_adder: Option<FullAdder>,
    /// Output pins of each cell.
    pub(super) outputs: HashMap<String, Vec<String>>,
    /// The smallest buffer that drives well what buffers are to drive; `None` if there is none.
    pub(super) buffer: Option<Buffer>,
    /// The smallest inverter, taken for what drives the inputs of a piece of logic.
    pub driver: String,
    /// Input capacitance of the driver.
    pub femtofarads: f64,
}

/// Cells for power domains would pass for ordinary gates.
const SPECIAL: [&str; 4] = ["is_isolation_cell", "is_level_shifter", "always_on", "dont_use"];

impl Library {
    /// Reads a library, gzipped if its name ends in `.gz`.
    pub fn read(path: &Path) -> Result<Self, SynthError> {
        let refusal = |reason: String| SynthError::Liberty { path: path.to_owned(), reason };
        let mut data = Vec::new();
        let read = open(path).and_then(|mut file| file.read_to_end(&mut data));
        read.map_err(|error| refusal(error.to_string()))?;
        if path.extension().is_some_and(|extension| extension == "gz") {
            let mut plain = Vec::new();
            let unpacked = MultiGzDecoder::new(data.as_slice()).read_to_end(&mut plain);
            unpacked.map_err(|error| refusal(format!("it cannot be unpacked: {error}")))?;
            data = plain;
        }
        let text = String::from_utf8(data).map_err(|_| refusal("it is not text".to_owned()))?;
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let file = file.trim_end_matches(".gz");
        let name = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        Self::parse(name, text).map_err(refusal)
    }

    /// The library `name` with this text; the error says what is wrong with it.
    pub fn parse(name: &str, text: String) -> Result<Self, String> {
        const FORMAT: &str = "a cell library in the Liberty format is needed";
        let top = parse::library(&text).map_err(|problem| format!("{problem}; {FORMAT}"))?;
        let cells: Vec<&Group> = top.groups("cell").filter(|cell| cell.name().is_some()).collect();
        if cells.is_empty() {
            return Err(format!("there are no cells in it; {FORMAT}"));
        }
        let mut areas = HashMap::new();
        for cell in &cells {
            let area = number(cell, "area")?.unwrap_or(0.0);
            if !(0.0..=LARGEST_CELL).contains(&area) {
                return Err(format!("cell {}: an area of {area} um2 is none", name_of(cell)));
            }
            areas.insert(name_of(cell), area);
        }
        let is_special = |cell: &Group| SPECIAL.iter().any(|name| cell.attribute(name) == Some("true"));
        let mut usable: Vec<&Group> = cells.iter().copied().filter(|cell| !is_special(cell)).collect();
        usable.sort_by(|a, b| areas[&name_of(a)].total_cmp(&areas[&name_of(b)]));
        let inverter = usable.iter().find(|cell| is_inverter(cell));
        let driver = *inverter.ok_or_else(|| "there is no inverter in it, which every mapping needs".to_owned())?;
        let flip_flops: Vec<&Group> = cells.iter().copied().filter(|cell| cell.groups("ff").next().is_some()).collect();
        if !flip_flops.iter().any(|cell| !is_special(cell)) {
            return Err("there is no flip-flop in it that may be used, which every mapping needs".to_owned());
        }
        let pins = flip_flops.iter().flat_map(|cell| cell.groups("pin"));
        let outputs = pins.filter(|pin| pin.attribute("direction") == Some("output")).filter_map(Group::name);
        let outputs: BTreeSet<&str> = outputs.collect();
        let input = driver.groups("pin").find(|pin| pin.attribute("direction") == Some("input"));
        let load = input.map(|pin| number(pin, "capacitance")).transpose()?.flatten().unwrap_or(0.0);
        let femtofarads = load * capacitance_unit(&top)?;
        Ok(Self {
            name: name.to_owned(),
            flip_flops: flip_flops.iter().map(|cell| name_of(cell)).collect(),
            flip_flop_outputs: outputs.into_iter().map(str::to_owned).collect(),
            special: cells.iter().filter(|cell| is_special(cell)).map(|cell| name_of(cell)).collect(),
            full_adder: usable.iter().find_map(|cell| full_adder(cell)),
            buffer: usable.iter().find_map(|cell| buffer(cell, BUFFER_LOADS * load)),
            outputs: cells.iter().map(|cell| (name_of(cell), output_pins(cell))).collect(),
            driver: name_of(driver),
            femtofarads,
            areas,
            text,
        })
    }
}

/// In um2, larger than any chip.
const LARGEST_CELL: f64 = 1e12;

/// Debian's package qflow-tech-osu018, unpacked into a folder.
const OSU018: &str = "usr/share/qflow/tech/osu018/osu018_stdcells.lib";

/// The library that is used when none is named, OSU's cells for 0.18 um: where `scripts/setup` puts it (`.tools` of the
/// current folder and its parents), else where Debian does.
pub fn default_library() -> Result<PathBuf, SynthError> {
    let current = std::env::current_dir().unwrap_or_default();
    let installed = current.ancestors().map(|folder| folder.join(".tools/osu018").join(OSU018));
    let debian = Path::new("/").join(OSU018);
    installed.chain([debian]).find(|path| path.is_file()).ok_or_else(|| {
        let how = programs::how_to_install("Debian's package qflow-tech-osu018; or name a library with --liberty");
        SynthError::NoLibrary(format!("the default cell library is not there\n  to install it: {how}"))
    })
}

fn name_of(cell: &Group) -> String {
    cell.name().unwrap_or_default().to_owned()
}

fn number(group: &Group, attribute: &str) -> Result<Option<f64>, String> {
    let parse = |text: &str| match text.parse::<f64>() {
        Ok(value) if value.is_finite() => Ok(value),
        _ => Err(format!("{} {}: {attribute} `{text}` is not a number", group.kind, group.name().unwrap_or_default())),
    };
    group.attribute(attribute).map(parse).transpose()
}

/// In femtofarads.
fn capacitance_unit(library: &Group) -> Result<f64, String> {
    let Some([value, unit]) = library.complex("capacitive_load_unit") else {
        return Ok(1000.0);
    };
    let value: f64 = value.parse().map_err(|_| format!("capacitive_load_unit `{value}` is not a number"))?;
    Ok(value * if unit.eq_ignore_ascii_case("pf") { 1000.0 } else { 1.0 })
}

/// What a cell with state has; a function of its pins may name the state.
const STATE: [&str; 5] = ["ff", "ff_bank", "latch", "latch_bank", "statetable"];

/// Output pins of a cell without state, and what they compute; none of one with state.
fn functions<'a>(cell: &Group<'a>) -> Vec<(&'a str, Function)> {
    if STATE.iter().any(|kind| cell.groups(kind).next().is_some()) {
        return Vec::new();
    }
    let pins = cell.groups("pin").filter(|pin| pin.attribute("three_state").is_none());
    pins.filter_map(|pin| Some((pin.name()?, Function::parse(pin.attribute("function")?)?))).collect()
}

fn is_inverter(cell: &Group) -> bool {
    match functions(cell).as_slice() {
        [(_, function)] => function.variables().len() == 1 && function.truth_table(&function.variables()) == Some(0b01),
        _ => false,
    }
}

/// Inputs of the smallest inverter that a buffer must be able to drive: several times those that it will, to be fast.
const BUFFER_LOADS: f64 = 100.0;

fn output_pins(cell: &Group) -> Vec<String> {
    let pins = ["pin", "bus"].into_iter().flat_map(|kind| cell.groups(kind));
    pins.filter(|pin| pin.attribute("direction") != Some("input"))
        .filter_map(|pin| pin.name())
        .map(str::to_owned)
        .collect()
}

/// The cell, if it is a buffer that may drive `load`.
fn buffer(cell: &Group, load: f64) -> Option<Buffer> {
    let outputs = functions(cell);
    let [(output, function)] = outputs.as_slice() else {
        return None;
    };
    let [input] = function.variables().try_into().ok()?;
    let is_buffer = function.truth_table(std::slice::from_ref(&input)) == Some(0b10);
    let pin = cell.groups("pin").find(|pin| pin.name() == Some(output))?;
    let limit = number(pin, "max_capacitance").ok()?.unwrap_or(f64::INFINITY);
    let area = number(cell, "area").ok()?.unwrap_or(0.0);
    (is_buffer && limit >= load).then(|| Buffer { cell: name_of(cell), input, output: (*output).to_owned(), area })
}

fn full_adder(cell: &Group) -> Option<FullAdder> {
    let outputs = functions(cell);
    let [first, second] = outputs.as_slice() else {
        return None;
    };
    let inputs = first.1.variables();
    let [a, b, c] = inputs.as_slice() else {
        return None;
    };
    let find = |table: u64| [first, second].into_iter().find(|(_, f)| f.truth_table(&inputs) == Some(table));
    Some(FullAdder {
        cell: name_of(cell),
        inputs: [a.clone(), b.clone(), c.clone()],
        // Bit i of a table is the value for inputs whose bits are those of i.
        carry: find(0b1110_1000)?.0.to_owned(),
        sum: find(0b1001_0110)?.0.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An inverter, a full adder, a flip-flop and a cell that is not to be used.
    const SMALL: &str = r#"
        /* A comment { with a brace */
        library (small) {
            capacitive_load_unit (1, pf);
            nom_voltage : 1.8;
            cell (INV) { area : 4; pin (A) { direction : input; capacitance : 0.002; }
                pin (Y) { direction : output; function : "A'"; } }
            cell ("FA") { area : "20.5"; pin (A) { direction : input; } pin (B) { direction : input; }
                pin (C) { direction : input; }
                pin (CO) { direction : output; function : "(A B) + (C (A + B))"; }
                pin (S) { direction : output; function : "(A ^ B) ^ C"; timing () { cell_rise (t) {
                    values ("1, 2", \
                            "3, 4"); } } } }
            cell (DFF) { area : 30; ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; } }
            cell (ISO) { area : 1; is_isolation_cell : true; pin (Y) { function : "!A"; } }
            cell (LATCH) { area : 0; latch (STATE, STATEN) { data_in : "D"; enable : "G"; }
                pin (Q) { direction : output; function : "STATE"; } }
            cell (NOT_FF) { area : 0; ff (IQ, IQN) { next_state : "D"; clocked_on : "CK"; }
                pin (Q) { direction : output; function : "!IQ"; } }
            cell (BUF) { area : 6; pin (A) { direction : input; } pin (Y) { direction : output; function : "A"; } }
        }"#;

    #[test]
    fn what_mapping_needs_is_found() {
        let library = Library::parse("small", SMALL.to_owned()).unwrap();
        assert_eq!(library.areas["FA"], 20.5);
        assert_eq!(library.driver, "INV");
        assert_eq!(library.femtofarads, 2.0);
        assert_eq!(library.special, ["ISO"]);
        assert!(library.flip_flops.contains("DFF") && library.flip_flops.len() == 2);
        // Neither the latch, whose state is called like a pin, nor the flip-flop that inverts.
        assert_eq!(library.buffer.unwrap().cell, "BUF");
        let adder = library.full_adder.unwrap();
        assert_eq!((adder.cell.as_str(), adder.carry.as_str(), adder.sum.as_str()), ("FA", "CO", "S"));
        assert_eq!(adder.inputs, ["A", "B", "C"]);
    }

    #[test]
    fn what_is_not_a_library_is_refused_with_the_reason() {
        for (text, expected) in [
            ("", "it is empty"),
            ("module adder(input a);", "line 1"),
            ("library (x) { }", "no cells"),
            (&SMALL.replace("0.002", "much"), "capacitance `much` is not a number"),
            (&SMALL.replace("\"20.5\"", "nan"), "area `nan` is not a number"),
            (&SMALL[..SMALL.len() - 9], "ends within"),
            (&SMALL.replace("function : \"A'\"", "function : \"A\""), "no inverter"),
            (&SMALL.replace("ff (IQ", "latch (IQ"), "no flip-flop"),
            (
                &SMALL
                    .replace("area : 30;", "area : 30; dont_use : true;")
                    .replace("NOT_FF) {", "NOT_FF) { dont_use : true;"),
                "that may be used",
            ),
            (&SMALL.replace("area : 4;", "area : -4;"), "cell INV: an area of -4 um2"),
            (&SMALL.replace("area : 4;", "area : 1e300;"), "cell INV: an area of"),
            (&"library (x) { a () ".replace("a ()", &"a () {".repeat(500)), "nested"),
        ] {
            let problem = Library::parse("broken", text.to_owned()).unwrap_err();
            assert!(problem.contains(expected), "{expected}: {problem}");
        }
    }
}
