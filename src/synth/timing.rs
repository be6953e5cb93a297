//! The longest paths of a whole design, with names that people know.

use std::collections::HashMap;

use serde::Serialize;

use super::names::{driven_net, without_bit};
use super::parts::Parts;
use super::sta::{Point, TimedPath};

/// How fast a mapped design is.
#[derive(Debug, Serialize)]
pub struct Timing {
    /// What says so.
    pub by: String,
    /// Whether paths through several modules were seen. If not, there may be longer ones.
    pub across_modules: bool,
    /// The longest path, in ns; `None` if there is no path.
    pub longest_ns: Option<f64>,
    /// The frequency that the longest path allows, in MHz.
    pub fmax_mhz: Option<f64>,
    /// Whether the longest path fits into the period asked for.
    pub meets_clock: bool,
    /// The longest path, then the longest ones between other registers. Empty if only their lengths are known.
    pub paths: Vec<PathReport>,
}

/// A path from register to register, or from or to a port.
#[derive(Debug, Serialize)]
pub struct PathReport {
    /// Where it starts.
    pub start: End,
    /// Where it ends.
    pub end: End,
    /// The period that it needs.
    pub ns: f64,
    /// Gates on it.
    pub gates: u64,
    /// The largest delay of a single cell on it, in ns: a cell that drives much more than the others.
    pub slowest_cell_ns: f64,
    /// The output pin of that cell.
    pub slowest_cell: String,
    /// Its pins, in order.
    pub points: Vec<Point>,
}

/// Where a path starts or ends.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct End {
    /// With the path of instances it is in.
    pub pin: String,
    /// The module it is in.
    pub module: String,
    /// Register, port or memory port in that module, without the number of its bit.
    pub name: String,
}

impl Timing {
    /// From the longest path in ns.
    pub(super) fn new(by: String, across_modules: bool, longest_ns: Option<f64>, clock_ns: f64) -> Self {
        Self {
            by,
            across_modules,
            longest_ns,
            fmax_mhz: longest_ns.map(|ns| 1000.0 / ns),
            meets_clock: longest_ns.is_none_or(|ns| ns <= clock_ns),
            paths: Vec::new(),
        }
    }
}

/// What is needed to name the ends of paths.
pub(super) struct Naming<'a> {
    pub parts: &'a Parts,
    pub top: usize,
    /// Of each mapped module.
    pub netlists: HashMap<usize, &'a str>,
    /// Names of the outputs of flip-flops.
    pub outputs: Vec<&'a str>,
}

impl Naming<'_> {
    /// The longest of `paths` between each pair of registers, in the order given, at most `count`.
    pub fn distinct(&self, paths: &[TimedPath], count: usize) -> Vec<PathReport> {
        let mut found: Vec<PathReport> = Vec::new();
        for path in paths {
            let [Some(first), Some(last)] = [path.points.first(), path.points.last()] else {
                continue;
            };
            // A flip-flop's path starts at its clock; the pin to show is the one that the value comes out of.
            let out =
                path.points.get(1).filter(|out| owner(&first.pin).is_some() && owner(&out.pin) == owner(&first.pin));
            let first = out.unwrap_or(first);
            let (start, end) = (self.end(&first.pin), self.end(&last.pin));
            let is_known = |other: &PathReport| {
                (&other.start.module, &other.start.name, &other.end.module, &other.end.name)
                    == (&start.module, &start.name, &end.module, &end.name)
            };
            if found.iter().any(is_known) {
                continue;
            }
            let (slowest_cell_ns, slowest_cell) = slowest(&path.points);
            let TimedPath { ns, gates, points } = path.clone();
            found.push(PathReport { start, end, ns, gates, slowest_cell_ns, slowest_cell, points });
            if found.len() == count {
                break;
            }
        }
        found
    }

    fn end(&self, pin: &str) -> End {
        let (module, rest) = self.parts.resolve(self.top, pin);
        let part = &self.parts.all[module];
        let net =
            rest.split_once('/').and_then(|(cell, _)| driven_net(self.netlists.get(&module)?, cell, &self.outputs));
        let name = without_bit(net.as_deref().unwrap_or(rest)).to_owned();
        End { pin: pin.to_owned(), module: part.name.clone(), name }
    }
}

/// The largest step from one point to the next, and where it ends.
fn slowest(points: &[Point]) -> (f64, String) {
    let steps = points.windows(2).map(|pair| (pair[1].ns - pair[0].ns, &pair[1].pin));
    let (ns, pin) = steps.max_by(|a, b| a.0.total_cmp(&b.0)).map_or((0.0, ""), |(ns, pin)| (ns, pin));
    ((1e4 * ns).round() / 1e4, pin.to_owned())
}

/// The instance that a pin belongs to.
fn owner(pin: &str) -> Option<&str> {
    pin.rsplit_once('/').map(|(instance, _)| instance)
}
