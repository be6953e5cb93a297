//! Which modules have to become faster, and by how much, so that paths through several of them meet the clock.

use std::collections::BTreeMap;

use super::parts::Parts;
use super::sta::TimedPath;

/// Of a path: a module that takes less of it is left alone.
const MIN_SHARE: f64 = 0.1;

/// What a module sees of a path. It comes from outside (an input, or a module in it) or from a register, and goes outside
/// or to a register; a memory is a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Way {
    pub from_input: bool,
    pub to_output: bool,
}

/// Why a module has to become faster: the most that is demanded of its paths of one kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Demand {
    /// Share of their time that these paths may still take, below 1.
    pub factor: f64,
    /// What the module takes of the path that demands it, in ns.
    pub ns: f64,
}

/// Demands on a module.
pub type Demands = BTreeMap<Way, Demand>;

impl Way {
    /// That of a path of a module by itself; what is outside are ports, which have no instance before their names, and
    /// cells that are modules.
    pub fn of(path: &TimedPath, is_module: impl Fn(&str) -> bool) -> Option<Self> {
        let [from_input, to_output] =
            [path.points.first()?, path.points.last()?].map(|point| !point.pin.contains('/') || is_module(&point.cell));
        Some(Self { from_input, to_output })
    }
}

/// The part of a path that is in one instance.
struct Segment {
    module: usize,
    /// Path of the instance.
    instance: String,
    way: Way,
    ns: f64,
}

/// What paths of the module `top` that need more than `period_ns` demand of the modules on them: each is to give the
/// same share of its time.
pub fn demands(parts: &Parts, top: usize, paths: &[TimedPath], period_ns: f64) -> BTreeMap<usize, Demands> {
    let mut found: BTreeMap<usize, Demands> = BTreeMap::new();
    for path in paths.iter().filter(|path| path.ns > period_ns) {
        let factor = period_ns / path.ns;
        for Segment { module, way, ns, .. } in segments(parts, top, path) {
            if ns < MIN_SHARE * path.ns || parts.all[module].memory().is_some() {
                continue;
            }
            let known = found.entry(module).or_default().entry(way).or_insert(Demand { factor, ns });
            if factor < known.factor {
                *known = Demand { factor, ns };
            }
        }
    }
    found
}

fn segments(parts: &Parts, top: usize, path: &TimedPath) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    let mut before = 0.0;
    for point in &path.points {
        let (module, rest) = parts.resolve(top, &point.pin);
        let instance = point.pin[..point.pin.len() - rest.len()].to_owned();
        match segments.last_mut().filter(|last| last.instance == instance) {
            Some(last) => last.ns += point.ns - before,
            None => {
                let way = Way { from_input: !segments.is_empty() || !point.pin.contains('/'), to_output: true };
                segments.push(Segment { module, instance, way, ns: point.ns - before });
            }
        }
        before = point.ns;
    }
    if let Some((last, end)) = segments.last_mut().zip(path.points.last()) {
        // What the end needs before the clock edge.
        last.ns += path.ns - end.ns;
        last.way.to_output = !end.pin.contains('/');
    }
    segments
}
