//! Makes modules faster whose paths meet the clock within them but not together with those of others.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::SynthError;
use super::recipe::{PERCENT, Recipe};
use super::run::{Attempt, Cells, Choice, INPUT_DELAY, Run};
use super::segments::{Demand, Demands, Way, demands};
use super::sta::{Analyst, TimedPath};

/// How often modules are mapped again.
const ROUNDS: u32 = 4;
/// Whoever asks for less than this share of what the longest path takes gets no answer from another recipe.
const HOPELESS: f64 = 0.5;
/// After a round that did not help, the next one demands this share of the times demanded before.
const TIGHTEN: f64 = 0.9;
/// The time that ABC sizes for changes in steps of this many percent of the period, so that small changes of a design
/// leave it alone.
const STEP: u8 = 5;

/// Share of the period by which the longest path may change without a difference being made.
const ROUGHLY: f64 = 0.005;
const RESOLUTION_NS: f64 = 0.01;

/// All modules together.
pub(super) struct Whole {
    chosen: Choice,
    /// The same with buffers for what drives too much across modules.
    pub buffered: Choice,
    /// The longest paths, the worst first.
    pub paths: Vec<TimedPath>,
}

impl Whole {
    pub fn longest_ns(&self) -> Option<f64> {
        self.paths.first().map(|path| path.ns)
    }

    fn meets(&self, clock_ns: f64) -> bool {
        self.longest_ns().is_none_or(|ns| ns <= clock_ns)
    }

    /// How far from the clock it is, less is better: by how much the longest path misses, roughly, then by how much all
    /// that are known do together, in ns.
    fn distance(&self, clock_ns: f64) -> (u64, f64) {
        let excess = |ns: f64| (ns - clock_ns).max(0.0);
        let longest = self.longest_ns().map_or(0.0, excess);
        let all: f64 = self.paths.iter().map(|path| excess(path.ns)).sum();
        ((longest / (ROUGHLY * clock_ns)).ceil() as u64, (all / RESOLUTION_NS).round() * RESOLUTION_NS)
    }
}

impl Run<'_> {
    /// Starts with `chosen` and returns what meets the clock, or is the fastest found. `tried` has all attempts so far.
    pub fn close(
        &self,
        analyst: &Analyst,
        cells: &Cells,
        chosen: Choice,
        mut tried: BTreeMap<usize, Vec<Attempt>>,
    ) -> Result<Whole, SynthError> {
        let small = chosen.clone();
        let mut best = self.whole(analyst, cells, chosen)?;
        let mut tightness = 1.0;
        for _ in 0..ROUNDS {
            let is_hopeless = best.longest_ns().is_some_and(|ns| HOPELESS * ns > cells.clock_ns);
            if best.meets(cells.clock_ns) || is_hopeless {
                break;
            }
            let demands = demands(self.parts, self.top, &best.paths, cells.clock_ns);
            self.try_faster(cells, &best.chosen, &demands, tightness, &mut tried)?;
            let better = demands.iter().filter_map(|(part, demands)| {
                let judge = Judge { now: &best.chosen[part], demands, tightness, clock_ns: cells.clock_ns };
                Some((*part, judge.best(tried.get(part)?)?.clone()))
            });
            let better: Vec<(usize, Attempt)> = better.collect();
            let is_better = |next: &Whole, best: &Whole| next.distance(cells.clock_ns) < best.distance(cells.clock_ns);
            let next = self.exchange(analyst, cells, &best, better.clone())?;
            if is_better(&next, &best) {
                best = next;
                continue;
            }
            // Some of them help, others do not.
            let mut has_helped = false;
            for one in better {
                let next = self.exchange(analyst, cells, &best, vec![one])?;
                if is_better(&next, &best) {
                    best = next;
                    has_helped = true;
                }
            }
            if !has_helped {
                tightness *= TIGHTEN;
            }
        }
        self.give_back(analyst, cells, &small, best)
    }

    fn whole(&self, analyst: &Analyst, cells: &Cells, chosen: Choice) -> Result<Whole, SynthError> {
        let buffered = self.buffered(&chosen);
        let paths = self.paths(analyst, &buffered, cells.clock_ns)?;
        Ok(Whole { chosen, buffered, paths })
    }

    /// `whole` with these modules in the place of its own.
    fn exchange(
        &self,
        analyst: &Analyst,
        cells: &Cells,
        whole: &Whole,
        modules: Vec<(usize, Attempt)>,
    ) -> Result<Whole, SynthError> {
        let mut chosen = whole.chosen.clone();
        chosen.extend(modules);
        self.whole(analyst, cells, chosen)
    }

    /// Maps modules with demands on them by recipes that have not been tried, and adds the attempts to `tried`.
    fn try_faster(
        &self,
        cells: &Cells,
        chosen: &Choice,
        demands: &BTreeMap<usize, Demands>,
        tightness: f64,
        tried: &mut BTreeMap<usize, Vec<Attempt>>,
    ) -> Result<(), SynthError> {
        let mut todo = Vec::new();
        for (part, demands) in demands {
            let Some(now) = chosen[part].recipe else {
                continue;
            };
            let percent = percent(now, demands, tightness, cells.clock_ns);
            let faster = now.faster(cells.effort, percent);
            let recipes = self.rounds(*part).into_iter().flatten().flatten().chain(faster);
            let is_new = |recipe: &Recipe| !tried[part].iter().any(|other| is_as_good(other, *recipe, cells.clock_ns));
            todo.extend(recipes.filter(is_new).map(|recipe| (*part, Some(recipe))));
        }
        for (part, attempt) in self.attempts(todo)? {
            tried.entry(part).or_default().push(attempt);
        }
        Ok(())
    }

    /// Takes back what did not matter: modules that may be as small as in `small` without paths that miss the clock
    /// becoming longer.
    fn give_back(&self, analyst: &Analyst, cells: &Cells, small: &Choice, best: Whole) -> Result<Whole, SynthError> {
        let mut best = best;
        let saved = |part: &usize| best.chosen[part].own.area - small[part].own.area;
        let changed = best.chosen.iter().filter(|(part, attempt)| attempt.recipe != small[*part].recipe);
        let mut changed: Vec<(f64, usize)> = changed.map(|(part, _)| (saved(part), *part)).collect();
        changed.sort_by_key(|(area, part)| (Reverse((*area * 1e3) as i64), *part));
        for (_, part) in changed {
            let next = self.exchange(analyst, cells, &best, vec![(part, small[&part].clone())])?;
            if next.distance(cells.clock_ns) <= best.distance(cells.clock_ns) {
                best = next;
            }
        }
        Ok(best)
    }
}

/// Whether `recipe` can give nothing else than `attempt`: it is the same, or only demands more of ABC, which could not
/// do what that demanded.
fn is_as_good(attempt: &Attempt, recipe: Recipe, clock_ns: f64) -> bool {
    let Some(other) = attempt.recipe else {
        return false;
    };
    let is_exhausted = || {
        let demanded = f64::from(other.percent) / 100.0 * clock_ns;
        recipe.percent < other.percent && attempt.mapped.logic_ns.is_some_and(|ns| ns > demanded)
    };
    other == recipe || (Recipe { percent: recipe.percent, ..other } == recipe && is_exhausted())
}

/// What ABC is to size a module for that is mapped by `now`, in percent of the period: the largest part of a path that
/// is demanded of it. Less than before in any case.
fn percent(now: Recipe, demands: &Demands, tightness: f64, clock_ns: f64) -> u8 {
    let worst = demands.values().min_by(|a, b| a.factor.total_cmp(&b.factor));
    let share = worst.map_or(1.0, |demand| demand.ns * demand.factor * tightness / clock_ns);
    let steps = f64::from(PERCENT) * share / f64::from(STEP);
    let most = now.percent.saturating_sub(STEP).max(STEP);
    (steps as u8).saturating_mul(STEP).clamp(STEP, most)
}

/// Compares attempts for a module.
struct Judge<'a> {
    now: &'a Attempt,
    demands: &'a Demands,
    tightness: f64,
    clock_ns: f64,
}

impl Judge<'_> {
    /// The smallest that does what is demanded, else the one that comes closest; `None` if none is faster than now.
    fn best<'b>(&self, attempts: &'b [Attempt]) -> Option<&'b Attempt> {
        let limit = self.now.path_ns.unwrap_or(0.0).max(self.clock_ns);
        // No other path of the module becomes one that misses the clock.
        let sound = attempts.iter().filter(|attempt| attempt.path_ns.is_none_or(|ns| ns <= limit));
        let rated: Vec<([f64; 2], &Attempt)> = sound.map(|attempt| (self.excess(attempt), attempt)).collect();
        let enough = rated.iter().filter(|([worst, _], _)| *worst <= 1.0);
        let smallest = enough.min_by(|a, b| a.1.own.area.total_cmp(&b.1.own.area));
        let order = |a: &[f64; 2], b: &[f64; 2]| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1]));
        let now = self.excess(self.now);
        let closest = || rated.iter().min_by(|a, b| order(&a.0, &b.0)).filter(|a| order(&a.0, &now).is_lt());
        smallest.or_else(closest).map(|(_, attempt)| *attempt)
    }

    /// How much longer paths are than they may be, of those that matter the worst, and all together; 1 is as demanded.
    fn excess(&self, attempt: &Attempt) -> [f64; 2] {
        let own = |attempt: &Attempt, way: &Way| {
            let before = if way.from_input { INPUT_DELAY * self.clock_ns } else { 0.0 };
            attempt.ways.get(way).map_or(0.0, |ns| (ns - before).max(0.0))
        };
        let ratio = |(way, demand): (&Way, &Demand)| {
            let allowed = own(self.now, way) * demand.factor * self.tightness;
            if allowed > 0.0 { own(attempt, way) / allowed } else { 0.0 }
        };
        let ratios: Vec<f64> = self.demands.iter().map(ratio).collect();
        [ratios.iter().copied().fold(0.0, f64::max), ratios.iter().sum()]
    }
}
