//! What the presets take, against what they took before: `scripts/refresh` makes it the new baseline.

use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::fs;
use std::path::{Path, PathBuf};

use eva_rtl::hdl::Design;
use eva_rtl::hdl::verilog;
use eva_rtl::synth::Mapping;
use serde::{Deserialize, Serialize};

use super::asic::cells;
use super::{core, map, occurrences, one_at_a_time, shared_cache, tools};

/// Set by `scripts/refresh`: write instead of compare.
const REFRESH: &str = "EVA_REFRESH_BASELINES";
/// Part by which an area may change.
const AREA: f64 = 0.03;

/// What the hardware description of a preset has.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Description {
    modules: usize,
    /// Without memory models that stand for macros.
    verilog_lines: usize,
    /// Bits of all registers, as often as they occur.
    flip_flops: u64,
    /// The same of each module, of one instance.
    each: BTreeMap<String, u64>,
}

/// What a module takes, with the modules in it, in the default library.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Area {
    /// Of standard cells, in um2.
    area_um2: f64,
    flip_flops: u64,
}

fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("hdl_tests/baselines").join(name)
}

/// The baseline of this name, or none if it is to be, or has just been, written anew.
fn baseline<T: Serialize + for<'a> Deserialize<'a>>(name: &str, now: &T) -> Option<T> {
    let path = path(name);
    if std::env::var_os(REFRESH).is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, toml::to_string_pretty(now).unwrap()).unwrap();
        return None;
    }
    let text =
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}; run scripts/refresh", path.display()));
    Some(toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}; run scripts/refresh", path.display())))
}

/// A list of what has changed.
#[derive(Default)]
struct Difference(String);

impl Difference {
    fn exact<T: PartialEq + Display>(&mut self, what: &str, before: T, now: T) {
        if before != now {
            writeln!(self.0, "  {what}: {before} -> {now}").unwrap();
        }
    }

    fn near(&mut self, what: &str, before: f64, now: f64) {
        let change = now / before - 1.0;
        if change.abs() > AREA {
            writeln!(self.0, "  {what}: {before:.0} -> {now:.0} ({:+.1} %)", 100.0 * change).unwrap();
        }
    }

    /// Compares what both maps have and names what only one of them has.
    fn maps<T>(
        &mut self,
        before: &BTreeMap<String, T>,
        now: &BTreeMap<String, T>,
        compare: impl Fn(&mut Self, &str, &T, &T),
    ) {
        for (name, value) in before {
            match now.get(name) {
                Some(other) => compare(self, name, value, other),
                None => writeln!(self.0, "  {name}: is gone").unwrap(),
            }
        }
        for name in now.keys().filter(|name| !before.contains_key(*name)) {
            writeln!(self.0, "  {name}: is new").unwrap();
        }
    }
}

fn description(design: &Design) -> Description {
    let files = verilog::emit(design, &verilog::Options::default());
    let bits = design.modules.iter().map(|module| {
        let bits: u64 = module.regs.iter().map(|reg| u64::from(module.node(reg.node).width)).sum();
        (module.name.clone(), bits)
    });
    let each: BTreeMap<String, u64> = bits.filter(|(_, bits)| *bits > 0).collect();
    Description {
        modules: files.len(),
        verilog_lines: files.iter().map(|file| file.text.lines().count()).sum(),
        flip_flops: occurrences(design).iter().map(|(name, count)| count * each.get(name).unwrap_or(&0)).sum(),
        each,
    }
}

fn compare_descriptions(before: &Description, now: &Description) -> String {
    let mut found = Difference::default();
    found.exact("modules", before.modules, now.modules);
    found.exact("lines of Verilog", before.verilog_lines, now.verilog_lines);
    found.exact("flip-flops", before.flip_flops, now.flip_flops);
    found.maps(&before.each, &now.each, |found, module, before, now| {
        found.exact(&format!("flip-flops of one {module}"), before, now)
    });
    found.0
}

fn compare_areas(before: &BTreeMap<String, Area>, now: &BTreeMap<String, Area>) -> String {
    let mut found = Difference::default();
    found.maps(before, now, |found, module, before, now| {
        found.near(&format!("area of {module} in um2"), before.area_um2, now.area_um2);
        found.exact(&format!("flip-flops of {module}"), before.flip_flops, now.flip_flops);
    });
    found.0
}

#[track_caller]
fn unchanged(what: &str, difference: &str) {
    assert!(difference.is_empty(), "{what} is not what it was (if it is meant to be: scripts/refresh):\n{difference}");
}

#[test]
fn baselines_of_the_descriptions_of_all_presets() {
    for preset in ["paper", "small", "tiny", "fpga"] {
        let now = description(&core(preset));
        if let Some(before) = baseline(&format!("{preset}.toml"), &now) {
            unchanged(preset, &compare_descriptions(&before, &now));
        }
    }
}

#[test]
fn baselines_of_areas() {
    let _lock = one_at_a_time();
    let tools = tools();
    let mut now = BTreeMap::new();
    let modules = ["eva_pe", "eva_dot", "eva_epilogue_unit", "eva_scaler"].map(|module| ("paper", Some(module)));
    for (preset, top) in [("tiny", None)].into_iter().chain(modules) {
        let report = map(&core(preset), Mapping::Asic(Box::new(cells())), top, shared_cache(), &tools);
        let area = ((report.total.area - report.total.memory_area) * 10.0).round() / 10.0;
        let area = Area { area_um2: area, flip_flops: report.total.flip_flops };
        now.insert(format!("{preset} {}", top.unwrap_or("eva_core")), area);
    }
    if let Some(before) = baseline("areas.toml", &now) {
        unchanged("an area", &compare_areas(&before, &now));
    }
}

/// What a person gets to read.
#[test]
fn differences_are_named_with_both_values() {
    let description = |flip_flops, modules: &[(&str, u64)]| Description {
        modules: 2,
        verilog_lines: 100,
        flip_flops,
        each: modules.iter().map(|(name, bits)| ((*name).to_owned(), *bits)).collect(),
    };
    let text = compare_descriptions(&description(9, &[("a", 4), ("b", 5)]), &description(12, &[("a", 6), ("c", 6)]));
    assert_eq!(text, "  flip-flops: 9 -> 12\n  flip-flops of one a: 4 -> 6\n  b: is gone\n  c: is new\n");
    let area = |area_um2, flip_flops| BTreeMap::from([("tiny eva_pe".to_owned(), Area { area_um2, flip_flops })]);
    assert_eq!(compare_areas(&area(100.0, 8), &area(102.9, 8)), "");
    let text = compare_areas(&area(100.0, 8), &area(96.0, 9));
    assert_eq!(text, "  area of tiny eva_pe in um2: 100 -> 96 (-4.0 %)\n  flip-flops of tiny eva_pe: 8 -> 9\n");
}
