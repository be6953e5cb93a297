//! Maps all modules of a design and adds up what they take.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::thread;
use std::time::Instant;

use rayon::prelude::*;

use crate::hdl::Design;
use crate::hdl::bits::index_width;
use crate::hdl::verilog::MemoryModule;

use super::SynthError;
use super::cache::{Cache, digest};
use super::closing::Whole;
use super::fanout;
use super::liberty::Library;
use super::map::{Job, Mapped, Mapper};
use super::memory::{self, MemoryModel};
use super::netlist::{Netlist, TimingFiles};
use super::parts::{Kind, Part, Parts};
use super::process::Batch;
use super::progress::{Progress, Tracker};
use super::recipe::{Effort, LOGIC, Recipe, files};
use super::report::{ModuleReport, Report, Total};
use super::segments::Way;
use super::sta::{self, Analysis, Analyst, Groups, TimedPath};
use super::target::{Resources, Target};
use super::timing::{Naming, Timing};
use super::tool::{OpenSta, Yosys};

/// Programs to use.
#[derive(Clone, Debug)]
pub struct Tools {
    /// What maps modules.
    pub yosys: Yosys,
    /// For timing across modules.
    pub sta: Option<OpenSta>,
}

impl Tools {
    /// The installed ones; Yosys is needed, OpenSTA is not.
    pub fn find() -> Result<Self, SynthError> {
        Ok(Self { yosys: Yosys::find()?, sta: OpenSta::find()? })
    }
}

/// Standard cells, and how they are to be chosen.
#[derive(Clone, Debug)]
pub struct Cells {
    /// The cells.
    pub library: Library,
    /// Period to meet, above 0.
    pub clock_ns: f64,
    /// How many ways to map a module are tried.
    pub effort: Effort,
    /// What memories are assumed to take.
    pub memory: MemoryModel,
}

impl Cells {
    /// 10 ns, normal effort, default memories.
    pub fn new(library: Library) -> Self {
        Self { library, clock_ns: 10.0, effort: Effort::Normal, memory: MemoryModel::default() }
    }
}

/// What to map to.
#[derive(Clone, Debug)]
pub enum Mapping {
    /// Gates of no technology.
    Generic,
    /// Standard cells.
    Asic(Box<Cells>),
    /// Lattice iCE40.
    Ice40,
    /// Lattice ECP5.
    Ecp5,
    /// AMD/Xilinx 7 series.
    Xilinx,
}

impl Mapping {
    /// The target without the details.
    pub fn target(&self) -> Target {
        match self {
            Self::Generic => Target::Generic,
            Self::Asic(_) => Target::Asic,
            Self::Ice40 => Target::Ice40,
            Self::Ecp5 => Target::Ecp5,
            Self::Xilinx => Target::Xilinx,
        }
    }

    fn cells(&self) -> Option<&Cells> {
        match self {
            Self::Asic(cells) => Some(cells),
            _ => None,
        }
    }
}

/// What to synthesise, and how.
#[derive(Clone, Debug)]
pub struct Options {
    /// What to map to.
    pub mapping: Mapping,
    /// The module to begin with, instead of the design's top module.
    pub top: Option<String>,
    /// Modules that are mapped at the same time, at least 1.
    pub jobs: usize,
    /// Keeps results in this folder instead of the user's cache folder.
    pub cache: Option<PathBuf>,
}

impl Options {
    /// The whole design, two modules at a time if there are two processors.
    pub fn new(mapping: Mapping) -> Self {
        let jobs = thread::available_parallelism().map_or(1, usize::from).min(2);
        Self { mapping, top: None, jobs, cache: None }
    }
}

/// Distinct paths in a report.
const PATHS: usize = 50;
/// Ends of paths in the registers of each module among which they are looked for.
const ENDS: usize = 50;
/// Inputs of a module come from flip-flops of others: this share of the period after the clock.
pub(super) const INPUT_DELAY: f64 = 0.05;

/// Maps `design` with files in the empty folder `work`, which may be deleted afterwards. Nothing else is written but the
/// cache. `progress` is called from several threads, one at a time.
pub fn synthesise(
    design: &Design,
    options: &Options,
    tools: &Tools,
    work: &Path,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Report, SynthError> {
    let start = Instant::now();
    let parts = Parts::new(design);
    let top = match &options.top {
        Some(name) => parts.find(name)?,
        None => parts.find(&design.top_module().name)?,
    };
    if parts.all[top].memory().is_some() && !options.mapping.target().is_fpga() {
        return Err(SynthError::MemoryTop(parts.all[top].name.clone()));
    }
    let cache = Cache::open(options.cache.as_deref())?;
    let batch = Batch::new();
    let cells = options.mapping.cells();
    let library = cells.map_or("", |cells| cells.library.text.as_str());
    if cells.is_some() {
        let path = work.join(sta::LIBRARY);
        fs::write(&path, library).map_err(SynthError::io("write", &path))?;
    }
    let library = digest(&[library]);
    let mapper = Mapper::new(&tools.yosys, &cache, &batch, work, library.clone());
    let analyst = cells.zip(tools.sta.as_ref()).map(|(cells, sta)| {
        let memories = parts.all.iter().filter_map(|part| part.memory());
        let memories = cells.memory.liberty(memories, &parts.clock);
        Analyst::new(sta, &cache, &batch, work, library, memories)
    });
    let tracker = Tracker::new(progress);
    let run = Run { parts: &parts, top, options, mapper, analyst, batch: &batch, tracker, counts: Mutex::default() };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.jobs.max(1)).build();
    let pool =
        pool.map_err(|error| SynthError::Failed { step: "starting threads".into(), output: error.to_string() })?;
    let mut report = run.tracker.watch(|| pool.install(|| run.all()))?;
    report.tool = format!("Yosys {}", tools.yosys.version());
    report.seconds = start.elapsed().as_secs_f64();
    Ok(report)
}

/// Each input of a memory is one load.
fn memory_loads(memory: &MemoryModule) -> HashMap<String, Vec<u64>> {
    let mut loads = HashMap::new();
    let address = index_width(u64::from(memory.depth));
    let mut add = |name: String, width: u32| loads.insert(name, vec![1; width as usize]);
    for port in 0..memory.writes {
        add(format!("w{port}_en"), 1);
        add(format!("w{port}_addr"), address);
        add(format!("w{port}_data"), memory.width);
    }
    for port in 0..memory.reads {
        add(format!("r{port}_en"), 1);
        add(format!("r{port}_addr"), address);
    }
    loads
}

#[derive(Default)]
struct Counts {
    jobs: u64,
    cached: u64,
}

/// A module mapped by one recipe.
#[derive(Clone)]
pub(super) struct Attempt {
    pub mapped: Mapped,
    /// Without instances of modules.
    pub own: Resources,
    pub recipe: Option<Recipe>,
    /// The longest path.
    pub path_ns: Option<f64>,
    /// The longest path of each kind, if there is OpenSTA.
    pub ways: BTreeMap<Way, f64>,
}

/// One attempt for each module.
pub(super) type Choice = BTreeMap<usize, Attempt>;

pub(super) struct Run<'a> {
    pub parts: &'a Parts,
    pub top: usize,
    options: &'a Options,
    mapper: Mapper<'a>,
    pub analyst: Option<Analyst<'a>>,
    batch: &'a Batch,
    tracker: Tracker<'a>,
    counts: Mutex<Counts>,
}

impl Run<'_> {
    fn all(&self) -> Result<Report, SynthError> {
        let target = self.options.mapping.target();
        let mut parts = self.parts.mapped(self.top);
        parts.retain(|part| target.is_fpga() || self.parts.all[*part].memory().is_none());
        // The largest first, so that they do not keep one processor busy at the end.
        parts.sort_by_key(|part| std::cmp::Reverse(self.parts.all[*part].text.len()));

        let mut tried: BTreeMap<usize, Vec<Attempt>> = BTreeMap::new();
        for round in 0.. {
            let done = |part: &usize| {
                tried.get(part).is_some_and(|attempts| attempts.iter().any(|attempt| self.meets_clock(attempt)))
            };
            let recipes = |part: usize| self.rounds(part).into_iter().nth(round).unwrap_or_default();
            let todo = parts.iter().copied().filter(|part| !done(part));
            let todo: Vec<_> =
                todo.flat_map(|part| recipes(part).into_iter().map(move |recipe| (part, recipe))).collect();
            if todo.is_empty() {
                break;
            }
            for (part, attempt) in self.attempts(todo)? {
                tried.entry(part).or_default().push(attempt);
            }
        }
        let better = |one: Attempt, other: Attempt| if self.is_better(&other, &one) { other } else { one };
        let best = tried.iter().filter_map(|(part, all)| Some((*part, all.iter().cloned().reduce(better)?)));
        let best: Choice = best.collect();
        let Some(cells) = self.options.mapping.cells() else {
            return Ok(self.report(&best, None));
        };
        let Some(analyst) = &self.analyst else {
            let longest = best.values().filter_map(|attempt| attempt.path_ns).reduce(f64::max);
            let timing = Timing::new("ABC".to_owned(), false, longest, cells.clock_ns);
            return Ok(self.report(&self.buffered(&best), Some(timing)));
        };
        let whole = self.close(analyst, cells, best, tried)?;
        let timing = self.timing(analyst, &whole, cells);
        Ok(self.report(&whole.buffered, Some(timing)))
    }

    /// Maps modules by recipes; everything stops at the first error.
    pub fn attempts(&self, todo: Vec<(usize, Option<Recipe>)>) -> Result<Vec<(usize, Attempt)>, SynthError> {
        self.tracker.begin_round(todo.len());
        let attempts = todo.into_par_iter().map(|(part, recipe)| {
            let attempt = self.attempt(part, recipe).inspect_err(|_| self.batch.stop())?;
            self.tracker.advance();
            Ok((part, attempt))
        });
        let results: Vec<Result<_, SynthError>> = attempts.collect();
        // The error that stopped the others, not theirs.
        let (stopped, others): (Vec<_>, Vec<_>) =
            results.into_iter().partition(|result| matches!(result, Err(SynthError::Stopped)));
        others.into_iter().chain(stopped).collect()
    }

    fn counts(&self) -> std::sync::MutexGuard<'_, Counts> {
        self.counts.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Recipes to try, in rounds; `None` is the target's only one.
    pub fn rounds(&self, part: usize) -> Vec<Vec<Option<Recipe>>> {
        let Some(cells) = self.options.mapping.cells() else {
            return vec![vec![None]];
        };
        let part = &self.parts.all[part];
        // ABC does not see through full adders: without OpenSTA their delay would be anyone's guess.
        let full_adders = cells.library.full_adder.is_some() && self.analyst.is_some() && part.adds();
        let rounds = cells.effort.rounds(part.multiplies(), full_adders);
        rounds.into_iter().map(|round| round.into_iter().map(Some).collect()).collect()
    }

    fn attempt(&self, index: usize, recipe: Option<Recipe>) -> Result<Attempt, SynthError> {
        let part = &self.parts.all[index];
        let mapping = &self.options.mapping;
        let (script, mut files) = match (mapping.cells(), &recipe) {
            (Some(cells), Some(recipe)) => recipe.script(&part.name, &cells.library, cells.clock_ns),
            _ => (mapping.target().script(&part.name), Vec::new()),
        };
        files.extend([(files::SOURCE, self.parts.source(index)), (files::STUBS, self.parts.stubs(index))]);
        let what = recipe.map_or_else(|| format!("{:?}", mapping.target()), |recipe| recipe.to_string());
        let step = format!("{} ({what})", part.name);
        let job = Job { top: part.name.clone(), what, script, files };
        let mapped = self.tracker.run(&step, || self.mapper.map(&job))?;
        let library = mapping.cells().map(|cells| &cells.library);
        let is_module = |cell: &str| self.parts.get(cell).is_some();
        let own = mapping
            .target()
            .resources(&mapped.cells, library, is_module)
            .map_err(|output| SynthError::Failed { step: format!("mapping {step}"), output })?;
        let mut ways = BTreeMap::new();
        let path_ns = match (mapping.cells(), &self.analyst) {
            (Some(cells), Some(analyst)) => {
                let early = INPUT_DELAY * cells.clock_ns;
                let analysis = Analysis {
                    groups: Groups::Ways(self.parts.inner(index).into_iter().map(|(name, _)| name).collect()),
                    modules: self.inner_modules(index, early),
                    ..self.analysis(index, early, cells.clock_ns, vec![&mapped.netlist], 1)
                };
                let paths = self.tracker.run(&step, || analyst.paths(&analysis))?;
                let is_inner =
                    |cell: &str| self.parts.get(cell).is_some_and(|part| self.parts.all[part].memory().is_none());
                ways.extend(paths.iter().filter_map(|path| Some((Way::of(path, is_inner)?, path.ns))));
                paths.first().map(|path| path.ns)
            }
            (Some(cells), None) => mapped.logic_ns.map(|ns| ns + (1.0 - LOGIC) * cells.clock_ns),
            (None, _) => None,
        };
        let mut counts = self.counts();
        counts.jobs += 1;
        counts.cached += u64::from(mapped.is_cached);
        drop(counts);
        Ok(Attempt { mapped, own, recipe, path_ns, ways })
    }

    fn analysis<'b>(
        &'b self,
        part: usize,
        input_delay_ns: f64,
        period_ns: f64,
        netlists: Vec<&'b str>,
        ends: usize,
    ) -> Analysis<'b> {
        let part = &self.parts.all[part];
        let inputs = part.ports().iter().filter(|(_, _, is_output)| !is_output);
        let clock = (!part.is_dissolved()).then_some(self.parts.clock.as_str());
        Analysis {
            top: &part.name,
            clock,
            inputs: inputs.map(|(name, _, _)| name.as_str()).collect(),
            period_ns,
            input_delay_ns,
            netlists,
            ends,
            groups: Groups::One,
            modules: None,
        }
    }

    /// A library of the modules in `part`, with registers at their ports; `None` without any.
    fn inner_modules(&self, part: usize, output_ns: f64) -> Option<String> {
        let modules: BTreeSet<usize> = self.parts.inner(part).into_iter().map(|(_, module)| module).collect();
        let modules: Vec<&Part> = modules.into_iter().map(|module| &self.parts.all[module]).collect();
        let widths = modules.iter().flat_map(|module| module.ports()).map(|(_, width, _)| *width);
        let cell = |module: &&Part| memory::registered(&module.name, module.ports(), &self.parts.clock, output_ns);
        let library = || memory::library("eva_modules", widths) + &modules.iter().map(cell).collect::<String>() + "}\n";
        (!modules.is_empty()).then(library)
    }

    fn meets_clock(&self, attempt: &Attempt) -> bool {
        let clock = self.options.mapping.cells().map_or(f64::INFINITY, |cells| cells.clock_ns);
        attempt.path_ns.is_none_or(|ns| ns <= clock)
    }

    /// The smallest that meets the clock is the best, else the fastest.
    fn is_better(&self, one: &Attempt, other: &Attempt) -> bool {
        match (self.meets_clock(one), self.meets_clock(other)) {
            (true, true) => one.own.area < other.own.area,
            (false, false) => one.path_ns < other.path_ns,
            (meets, _) => meets,
        }
    }

    /// Adds buffers for what drives too much across modules.
    pub fn buffered(&self, best: &Choice) -> Choice {
        let mut best = best.clone();
        let library = self.options.mapping.cells().map(|cells| &cells.library);
        let Some((library, cell)) = library.and_then(|library| Some((library, library.buffer.as_ref()?))) else {
            return best;
        };
        let is_output =
            |cell: &str, pin: &str| library.outputs.get(cell).is_none_or(|pins| pins.iter().any(|p| p == pin));
        let mut loads: HashMap<String, HashMap<String, Vec<u64>>> = HashMap::new();
        // Children stand before their parents.
        for (index, part) in self.parts.all.iter().enumerate() {
            if let Some(memory) = part.memory() {
                loads.insert(part.name.clone(), memory_loads(memory));
            } else if let Some(attempt) = best.get_mut(&index) {
                let buffered = fanout::buffer(&attempt.mapped.netlist, &self.parts.clock, cell, is_output, &loads);
                attempt.mapped.netlist = buffered.netlist;
                attempt.own.cells += buffered.buffers;
                attempt.own.area += buffered.buffers as f64 * cell.area;
                loads.insert(part.name.clone(), buffered.loads);
            }
        }
        best
    }

    /// The longest paths of the whole, the worst first.
    pub fn paths(&self, analyst: &Analyst, best: &Choice, clock_ns: f64) -> Result<Vec<TimedPath>, SynthError> {
        let netlists = best.values().map(|attempt| attempt.mapped.netlist.as_str()).collect();
        let groups = Groups::Modules(self.parts.instance_paths(self.top));
        let analysis = Analysis { groups, ..self.analysis(self.top, 0.0, clock_ns, netlists, ENDS) };
        self.tracker.run("timing of the whole", || analyst.paths(&analysis))
    }

    fn timing(&self, analyst: &Analyst, whole: &Whole, cells: &Cells) -> Timing {
        let by = format!("OpenSTA {}", analyst.sta.version());
        let netlists = whole.buffered.iter();
        let naming = Naming {
            parts: self.parts,
            top: self.top,
            netlists: netlists.map(|(part, attempt)| (*part, attempt.mapped.netlist.as_str())).collect(),
            outputs: cells.library.flip_flop_outputs.iter().map(String::as_str).collect(),
        };
        let paths = naming.distinct(&whole.paths, PATHS);
        Timing { paths, ..Timing::new(by, true, whole.longest_ns(), cells.clock_ns) }
    }

    fn report(&self, best: &Choice, timing: Option<Timing>) -> Report {
        let mapping = &self.options.mapping;
        let cells = mapping.cells();
        let modules = self.instances(best).into_iter().map(|(index, instances)| {
            let part = &self.parts.all[index];
            let attempt = best.get(&index);
            let each = match (attempt, &part.kind) {
                (Some(attempt), _) => attempt.own,
                (None, Kind::Memory(memory)) => {
                    let area = cells.map_or(0.0, |cells| cells.memory.area(memory));
                    Resources { area, ..Resources::default() }
                }
                (None, Kind::Logic { .. }) => Resources::default(),
            };
            let mut all = Resources::default();
            all.add(&each, instances);
            ModuleReport {
                module: part.name.clone(),
                instances,
                each,
                all,
                register_bits: part.register_bits() * instances,
                memory_bits: part.memory_bits() * instances,
                share: 0.0,
                path_ns: attempt.and_then(|attempt| attempt.path_ns),
                recipe: attempt.and_then(|attempt| attempt.recipe).map(|recipe| recipe.to_string()),
            }
        });
        let counts = self.counts();
        Report {
            top: self.parts.all[self.top].name.clone(),
            target: mapping.target(),
            tool: String::new(),
            library: cells.map(|cells| cells.library.name.clone()),
            clock_ns: cells.map(|cells| cells.clock_ns),
            memory: cells.map(|cells| cells.memory),
            modules: modules.collect(),
            total: Total::default(),
            timing,
            jobs: counts.jobs,
            cached_jobs: counts.cached,
            seconds: 0.0,
            netlist: self.netlist(best),
        }
        .finish()
    }

    fn netlist(&self, best: &Choice) -> Netlist {
        let module =
            |(part, attempt): (&usize, &Attempt)| (self.parts.all[*part].name.clone(), attempt.mapped.netlist.clone());
        let timing = self.options.mapping.cells().map(|cells| {
            let analysis = self.analysis(self.top, 0.0, cells.clock_ns, Vec::new(), 1);
            let inside = self.parts.mapped(self.top).into_iter().filter_map(|part| self.parts.all[part].memory());
            let memories: Vec<_> = inside.collect();
            let memories =
                (!memories.is_empty()).then(|| cells.memory.liberty(memories.into_iter(), &self.parts.clock));
            TimingFiles { constraints: sta::constraints(&analysis).join("\n") + "\n", memories }
        });
        Netlist { modules: best.iter().map(module).collect(), timing }
    }

    /// How often each module occurs, as the netlists say.
    fn instances(&self, best: &Choice) -> Vec<(usize, u64)> {
        let mut counts: HashMap<usize, u64> = HashMap::from([(self.top, 1)]);
        let order = self.parts.mapped(self.top);
        // Parents stand before their children, so that each count is complete when it is passed on.
        for part in &order {
            let times = counts.get(part).copied().unwrap_or(0);
            let cells = best.get(part).into_iter().flat_map(|attempt| &attempt.mapped.cells);
            for (cell, count) in cells {
                if let Some(child) = self.parts.get(cell) {
                    *counts.entry(child).or_default() += times * count;
                }
            }
        }
        order.into_iter().map(|part| (part, counts.get(&part).copied().unwrap_or(0))).filter(|(_, n)| *n > 0).collect()
    }
}
