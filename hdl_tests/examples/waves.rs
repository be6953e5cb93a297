//! Wave dumps as tables: the value of each signal in each cycle.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;
use vcd::{Command, IdCode, Parser, ScopeItem, Value};

/// Time units of a cycle.
const PERIOD: u64 = 10;

/// Values of a signal by cycle, as they were before the clock edge at its end.
pub struct Signal {
    pub width: u32,
    pub values: Vec<u64>,
}

/// A dump of a simulation with one clock.
pub struct Waves {
    /// By hierarchical path below the top module. That of the clock is 1: a cycle begins with its edge.
    pub signals: BTreeMap<String, Signal>,
    pub cycles: usize,
}

impl Waves {
    /// Reads a dump of module `top`, all of whose signals have at most 64 bits.
    pub fn read(path: &Path, top: &str) -> Waves {
        let bytes = std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut parser = Parser::new(&bytes[..]);
        let header = parser.parse_header().expect("a header");
        let mut found = Vec::new();
        let scope = header.find_scope(&[top]).expect("the top module");
        variables(&scope.items, "", &mut found);

        let mut now: BTreeMap<IdCode, u64> = BTreeMap::new();
        let mut rows: Vec<BTreeMap<IdCode, u64>> = Vec::new();
        for command in parser {
            match command.expect("a well-formed dump") {
                // The cycle is complete when its second half begins.
                Command::Timestamp(time) if time % PERIOD != 0 => rows.push(now.clone()),
                Command::ChangeScalar(code, value) => {
                    now.insert(code, number([value]));
                }
                Command::ChangeVector(code, bits) => {
                    now.insert(code, number(&bits));
                }
                _ => {}
            }
        }
        let signals = found.into_iter().map(|(path, width, code)| {
            assert!(width <= 64, "{path} has {width} bits");
            let values = rows.iter().map(|row| row[&code]).collect();
            (path, Signal { width, values })
        });
        Waves { signals: signals.collect(), cycles: rows.len() }
    }

    pub fn signal(&self, path: &str) -> &Signal {
        let names = || self.signals.keys().map(String::as_str).collect::<Vec<_>>().join(", ");
        self.signals.get(path).unwrap_or_else(|| panic!("no signal {path} among {}", names()))
    }

    /// Runs of cycles in which a signal keeps its value, where `is_valid`.
    pub fn runs(&self, path: &str, cycles: Range<usize>, is_valid: impl Fn(usize) -> bool) -> Vec<(Range<usize>, u64)> {
        let values = &self.signal(path).values;
        let mut runs: Vec<(Range<usize>, u64)> = Vec::new();
        for cycle in cycles.filter(|cycle| is_valid(*cycle)) {
            match runs.last_mut() {
                Some((run, value)) if run.end == cycle && *value == values[cycle] => run.end += 1,
                _ => runs.push((cycle..cycle + 1, values[cycle])),
            }
        }
        runs
    }
}

fn number<'a>(bits: impl IntoIterator<Item = impl std::borrow::Borrow<Value> + 'a>) -> u64 {
    bits.into_iter().fold(0, |value, bit| match bit.borrow() {
        Value::V0 => value << 1,
        Value::V1 => value << 1 | 1,
        other => panic!("a bit is {other}"),
    })
}

fn variables(items: &[ScopeItem], prefix: &str, found: &mut Vec<(String, u32, IdCode)>) {
    for item in items {
        match item {
            ScopeItem::Var(var) => found.push((format!("{prefix}{}", var.reference), var.size, var.code)),
            ScopeItem::Scope(scope) => variables(&scope.items, &format!("{prefix}{}.", scope.identifier), found),
            _ => {}
        }
    }
}
