//! A complete run of `eva_core`: reset, streams, outputs, statuses, verdict.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempPath;

use super::axis::{Backpressure, Sink, Source, Stalls};
use super::report::{Counters, Int8Use, LayerResult, Report, StreamResult};
use super::scoreboard::{check_statuses, compare_outputs, max_rel_err, non_finite};
use super::{COUNTERS, CosimError, OutPort, Simulator};
use crate::config::CoreConfig;
use crate::perf::Limits;
use crate::vq;
use crate::vq::int8::FullPasses;

/// A command, and what the core is to answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Command {
    /// The beat of `s_axis_cmd`, lowest byte first.
    pub bits: [u8; 16],
    /// Expected status: 0, or the reason for a refusal.
    pub status: u8,
    /// Expected beats of `m_axis_y`, with `tlast` on the last one. Empty if the command sends none.
    pub outputs: Vec<u32>,
}

impl Command {
    /// The opcode in its bits.
    pub fn opcode(&self) -> u8 {
        self.bits[0]
    }

    /// The tag in its bits.
    pub fn tag(&self) -> u16 {
        u16::from_le_bytes([self.bits[2], self.bits[3]])
    }
}

/// What to play into the core, and what it is to do.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// What goes to `s_axis_cmd`, in order.
    pub commands: &'a [Command],
    /// Bytes of `s_axis_w`, a whole number of beats. All of them must be taken.
    pub weights: &'a [u8],
    /// Bytes of `s_axis_x`, a whole number of beats. All of them must be taken.
    pub activations: &'a [u8],
    /// The outputs of all commands as a more precise evaluation gives them, for [`Report::max_rel_err`].
    pub reference: Option<&'a [f64]>,
}

/// How to run a [`Job`].
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// Of the stall patterns.
    pub seed: u64,
    /// On all inputs.
    pub sources: Stalls,
    /// On all outputs.
    pub sinks: Backpressure,
    /// The run fails after this many cycles without a beat on any stream.
    pub idle_limit: u64,
    /// The run fails after this many cycles in all.
    pub cycle_limit: Option<u64>,
    /// VCD file to write; appears when the run is over. A pipe or a device receives it as the run goes.
    pub waves: Option<PathBuf>,
    /// Of the core, for [`Report::bounds`] and [`Report::int8`].
    pub config: Option<CoreConfig>,
    /// Work of the array in INT8 commands, for [`Report::int8`].
    pub int8: Option<Int8Work>,
    /// The layers of a program, for [`Report::layers`].
    pub layers: Vec<LayerSpan>,
    /// Goes into the report as it is.
    pub parameters: Value,
}

/// Which commands of a job are those of a layer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayerSpan {
    /// Of the layer.
    pub name: String,
    /// `K`.
    pub inputs: usize,
    /// `N`.
    pub outputs: usize,
    /// Number of its last command. Its first one comes after the last one of the layer before.
    pub last_command: usize,
    /// Beats of `s_axis_w` of these commands.
    pub beats: u64,
}

impl Default for RunOptions {
    /// No stalls, seed 0, no waves; gives up after 100,000 idle cycles, more than the longest computation between two
    /// beats.
    fn default() -> Self {
        Self {
            seed: 0,
            sources: Stalls::None,
            sinks: Backpressure::default(),
            idle_limit: 100_000,
            cycle_limit: None,
            waves: None,
            config: None,
            int8: None,
            layers: Vec::new(),
            parameters: Value::Null,
        }
    }
}

/// What the INT8 commands of a job ask of the array.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Int8Work {
    /// Multiply-accumulates in all.
    pub macs: u64,
    /// Parts of the run in which the whole array works, in order and apart from each other.
    pub steady: Vec<FullPasses>,
}

/// How far a run is.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// Cycles simulated so far.
    pub cycles: u64,
    /// Beats taken and to take on `s_axis_w`.
    pub weight_beats: (usize, usize),
    /// Outputs taken and expected on `m_axis_y`.
    pub outputs: (usize, usize),
}

/// Time between two calls of the progress function.
const PROGRESS_PERIOD: Duration = Duration::from_millis(100);
/// Rising edges with `aresetn` low.
const RESET_CYCLES: u32 = 4;
/// Cycles watched after the last status, in which nothing more may come.
const DRAIN_CYCLES: u32 = 64;

/// Runs `job` on `sim` from reset. `progress` is called about ten times a second.
///
/// A core that misbehaves makes a report with failures, not an error.
///
/// # Errors
/// The stimulus is no whole number of beats, a port of `docs/interface.md` is missing, or waves cannot be written.
pub fn run(
    sim: &mut dyn Simulator,
    job: &Job,
    options: &RunOptions,
    progress: &mut dyn FnMut(&Progress),
) -> Result<Report, CosimError> {
    let mut bench = Bench::new(sim, job, options)?;
    let waves = options.waves.as_deref().map(|path| Waves::open(sim, path)).transpose()?;
    let started = Instant::now();
    bench.reset(sim)?;
    bench.play(sim, options, progress);
    let seconds = started.elapsed().as_secs_f64();
    if let Some(waves) = waves {
        sim.close_waves()?;
        waves.complete()?;
    }
    Ok(bench.report(sim, job, options, seconds))
}

/// The parts of the run that are to be timed.
fn steady(options: &RunOptions) -> &[FullPasses] {
    options.int8.as_ref().map_or(&[], |work| &work.steady)
}

/// What the commands need that the core is to execute.
fn limits(commands: &[Command], config: &CoreConfig) -> Limits {
    let executed = commands.iter().filter(|command| command.status == 0);
    let mut limits = Limits::default();
    for command in executed.filter_map(|command| vq::Command::from_bytes(command.bits).ok()) {
        limits.add(&command.operation, config);
    }
    limits
}

/// A recording in progress.
enum Waves {
    /// Into a temporary file beside the one that it is to become.
    Staged { partial: TempPath, path: PathBuf },
    /// Into a pipe or a device, which nothing can replace.
    Direct,
}

impl Waves {
    /// Starts recording into `path`. A symbolic link is followed.
    fn open(sim: &mut dyn Simulator, path: &Path) -> Result<Self, CosimError> {
        if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
            sim.open_waves(path)?;
            return Ok(Self::Direct);
        }
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let folder = match path.parent() {
            Some(parent) if !parent.as_os_str().is_empty() => parent,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".waves-").suffix(".vcd");
        // A recording is to be readable by whom other files of the user are, unlike other temporary files.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let partial = builder.tempfile_in(folder).map_err(CosimError::io("create a file in", folder))?.into_temp_path();
        sim.open_waves(&partial)?;
        Ok(Self::Staged { partial, path })
    }

    /// Lets the recording appear under its name.
    fn complete(self) -> Result<(), CosimError> {
        match self {
            Self::Staged { partial, path } => {
                partial.persist(&path).map_err(|error| CosimError::io("create", &path)(error.error))
            }
            Self::Direct => Ok(()),
        }
    }
}

/// The core's surroundings.
struct Bench<'a> {
    commands: Source<'a>,
    weights: Source<'a>,
    activations: Source<'a>,
    outputs: Sink,
    statuses: Sink,
    expected_outputs: usize,
    busy: OutPort,
    /// In the order of [`Counters`].
    counters: Vec<OutPort>,
    cycle: u64,
    first_command: u64,
    /// Cycle in which each command was taken.
    commands_taken: Vec<u64>,
    /// Numbers of beats of `s_axis_x` whose times are wanted, ascending, and the cycles in which they were taken so far.
    marks: Vec<usize>,
    mark_cycles: Vec<u64>,
    last_output: Option<u64>,
    /// Outputs of all layers up to each one, and the cycles in which the last of these were taken so far.
    layer_ends: Vec<usize>,
    layer_cycles: Vec<u64>,
    last_status: u64,
    failures: Vec<String>,
}

impl<'a> Bench<'a> {
    fn new(sim: &mut dyn Simulator, job: &Job<'a>, options: &RunOptions) -> Result<Self, CosimError> {
        let expected_outputs = job.commands.iter().map(|command| command.outputs.len()).sum();
        if let Some(reference) = job.reference
            && reference.len() != expected_outputs
        {
            return Err(CosimError::Stimulus(format!(
                "{expected_outputs} outputs are expected, but the reference has {}",
                reference.len()
            )));
        }
        let commands: Vec<u8> = job.commands.iter().flat_map(|command| command.bits).collect();
        let outputs_up_to = |last: usize| job.commands.iter().take(last + 1).map(|command| command.outputs.len()).sum();
        let (stalls, backpressure, seed) = (options.sources, options.sinks, options.seed);
        Ok(Self {
            commands: Source::new(sim, "s_axis_cmd", commands, stalls, seed)?,
            weights: Source::new(sim, "s_axis_w", job.weights, stalls, seed)?,
            activations: Source::new(sim, "s_axis_x", job.activations, stalls, seed)?,
            outputs: Sink::new(sim, "m_axis_y", true, backpressure, seed)?,
            statuses: Sink::new(sim, "m_axis_sts", false, backpressure, seed)?,
            expected_outputs,
            busy: sim.output("busy")?,
            counters: COUNTERS.iter().map(|name| sim.output(name)).collect::<Result<_, _>>()?,
            cycle: 0,
            first_command: 0,
            commands_taken: Vec::new(),
            marks: steady(options).iter().flat_map(|part| [part.first_beat, part.last_beat]).collect(),
            mark_cycles: Vec::new(),
            last_output: None,
            layer_ends: options.layers.iter().map(|span| span.last_command).map(outputs_up_to).collect(),
            layer_cycles: Vec::new(),
            last_status: 0,
            failures: Vec::new(),
        })
    }

    /// Holds `aresetn` low; at the end of it no output may be offered.
    fn reset(&mut self, sim: &mut dyn Simulator) -> Result<(), CosimError> {
        let aresetn = sim.input("aresetn")?;
        sim.set_u64(aresetn, 0);
        for _ in 0..RESET_CYCLES {
            sim.settle();
            sim.step();
        }
        sim.settle();
        self.outputs.check_reset(sim);
        self.statuses.check_reset(sim);
        sim.set_u64(aresetn, 1);
        Ok(())
    }

    /// Cycles until everything expected has come and a little longer, or until a limit is reached.
    fn play(&mut self, sim: &mut dyn Simulator, options: &RunOptions, progress: &mut dyn FnMut(&Progress)) {
        let mut last_progress = Instant::now();
        let mut idle = 0;
        while !self.is_complete() {
            let moved = self.cycle(sim);
            idle = if moved { 0 } else { idle + 1 };
            let limit = match options.cycle_limit {
                Some(limit) if self.cycle >= limit => Some(format!("the limit of {limit} cycles is reached")),
                _ if idle >= options.idle_limit => Some(format!("no beat moved for {idle} cycles")),
                _ => None,
            };
            if let Some(limit) = limit {
                self.failures.push(format!("gave up at cycle {}: {limit}; {}", self.cycle, self.waiting()));
                return;
            }
            if self.cycle.is_multiple_of(64) && last_progress.elapsed() >= PROGRESS_PERIOD {
                last_progress = Instant::now();
                progress(&Progress {
                    cycles: self.cycle,
                    weight_beats: (self.weights.taken(), self.weights.beats()),
                    outputs: (self.outputs.beats(), self.expected_outputs),
                });
            }
        }
        for _ in 0..DRAIN_CYCLES {
            self.cycle(sim);
        }
        sim.settle();
        self.check_end(sim);
    }

    fn is_complete(&self) -> bool {
        self.statuses.beats() >= self.commands.beats() && self.outputs.beats() >= self.expected_outputs
    }

    /// One cycle; returns whether any beat moved.
    fn cycle(&mut self, sim: &mut dyn Simulator) -> bool {
        let mut moved = false;
        for source in [&mut self.commands, &mut self.weights, &mut self.activations] {
            source.drive(sim);
        }
        for sink in [&mut self.outputs, &mut self.statuses] {
            sink.drive(sim);
        }
        sim.settle();
        if self.commands.taken() == 0 && !self.commands.offering() {
            self.first_command = self.cycle + 1;
        }
        if self.commands.sample(sim) {
            self.commands_taken.push(self.cycle);
            moved = true;
        }
        moved |= self.weights.sample(sim);
        let beat = self.activations.taken();
        if self.activations.sample(sim) {
            if self.marks.get(self.mark_cycles.len()) == Some(&beat) {
                self.mark_cycles.push(self.cycle);
            }
            moved = true;
        }
        if self.outputs.sample(sim) {
            self.last_output = Some(self.cycle);
            if self.layer_ends.get(self.layer_cycles.len()) == Some(&self.outputs.beats()) {
                self.layer_cycles.push(self.cycle);
            }
            moved = true;
        }
        if self.statuses.sample(sim) {
            self.last_status = self.cycle;
            moved = true;
        }
        sim.step();
        self.cycle += 1;
        moved
    }

    /// What is still to come, for a run that got stuck.
    fn waiting(&self) -> String {
        let mut parts = Vec::new();
        for source in [&self.commands, &self.weights, &self.activations] {
            let (name, taken, beats) = (source.name(), source.taken(), source.beats());
            if source.offering() {
                parts.push(format!("{name} offers beat {taken} of {beats} and the core does not take it"));
            } else if taken == beats {
                parts.push(format!("{name} has no beats left (all {beats} taken)"));
            }
        }
        for (sink, expected) in [(&self.outputs, self.expected_outputs), (&self.statuses, self.commands.beats())] {
            if sink.beats() < expected {
                parts.push(format!("{} waits for beat {} of {expected}", sink.name(), sink.beats()));
            }
        }
        parts.join("; ")
    }

    /// What must hold once everything expected has come.
    fn check_end(&mut self, sim: &dyn Simulator) {
        for source in [&self.weights, &self.activations] {
            if source.taken() < source.beats() {
                self.failures.push(format!(
                    "{}: {} of {} beats were never taken",
                    source.name(),
                    source.beats() - source.taken(),
                    source.beats()
                ));
            }
        }
        if sim.get_u64(self.busy) != 0 {
            self.failures.push("busy is high after the last status was taken".into());
        }
        let counted = self.read_counters(sim);
        for (name, got, seen, what) in [
            ("stat_w_beats", counted.w_beats, self.weights.taken() as u64, "beats of s_axis_w were taken"),
            ("stat_x_beats", counted.x_beats, self.activations.taken() as u64, "beats of s_axis_x were taken"),
            ("stat_y_beats", counted.y_beats, self.outputs.beats() as u64, "outputs were taken"),
            ("stat_y_stalls", counted.y_stalls, self.outputs.refused(), "cycles an output waited on m_axis_y"),
        ] {
            if got != seen as u32 {
                self.failures.push(format!("{name} is {got}, but {seen} {what}"));
            }
        }
    }

    /// Of each command that got a status: the cycles between the one in which it was taken and the one in which the
    /// status was first offered.
    fn measured_cycles(&self) -> Vec<u64> {
        let pairs = self.commands_taken.iter().zip(self.statuses.offered());
        pairs.map(|(taken, offered)| offered.saturating_sub(*taken + 1)).collect()
    }

    /// Use of the array by INT8 commands, if it is asked for.
    fn int8(&self, options: &RunOptions, cycles: u64) -> Option<Int8Use> {
        let (work, config) = (options.int8.as_ref()?, options.config.as_ref()?);
        // Parts that the run has not reached do not count.
        let parts = work.steady.iter().zip(self.mark_cycles.as_chunks().0);
        let (macs, steady_cycles) =
            parts.fold((0, 0), |(macs, cycles), (part, [first, last])| (macs + part.macs, cycles + last - first));
        Some(Int8Use::new(config, work.macs, cycles, macs, steady_cycles))
    }

    /// How long each layer took of those that have sent their outputs.
    fn layers(&self, spans: &[LayerSpan]) -> Vec<LayerResult> {
        let mut before = self.first_command;
        let layers = spans.iter().zip(&self.layer_cycles).map(|(span, last_output)| {
            let cycles = (last_output + 1).saturating_sub(before);
            before = last_output + 1;
            LayerResult {
                name: span.name.clone(),
                inputs: span.inputs,
                outputs: span.outputs,
                cycles,
                bound_cycles: span.beats,
                utilization: if cycles == 0 { 0.0 } else { span.beats as f64 / cycles as f64 },
            }
        });
        layers.collect()
    }

    fn read_counters(&self, sim: &dyn Simulator) -> Counters {
        let mut counted = self.counters.iter().map(|port| sim.get_u64(*port) as u32);
        let mut next = || counted.next().expect("a port for each counter");
        Counters {
            cycles: next(),
            w_beats: next(),
            x_beats: next(),
            y_beats: next(),
            w_stalls: next(),
            x_stalls: next(),
            y_stalls: next(),
            load_stalls: next(),
            oc_stalls: next(),
        }
    }

    fn report(mut self, sim: &mut dyn Simulator, job: &Job, options: &RunOptions, seconds: f64) -> Report {
        let comparison = compare_outputs(job.commands, self.outputs.data(), self.outputs.lasts());
        let (commands, status_failures) = check_statuses(job.commands, self.statuses.data(), &self.measured_cycles());
        let mut failures = std::mem::take(&mut self.failures);
        failures.extend(comparison.failures);
        failures.extend(status_failures);
        failures.extend(self.outputs.violations().iter().cloned());
        failures.extend(self.statuses.violations().iter().cloned());
        if comparison.compared == 0 {
            failures.push("no output was compared: the run shows nothing".into());
        }
        let cycles = (self.last_output.unwrap_or(self.last_status) + 1).saturating_sub(self.first_command);
        let bounds = options.config.as_ref().map(|config| limits(job.commands, config));
        let int8 = self.int8(options, cycles);
        let bound_cycles = match &bounds {
            Some(bounds) if int8.is_some() => bounds.largest().1,
            _ => self.weights.beats() as u64,
        };
        let simulated_cycles = self.cycle + u64::from(RESET_CYCLES);
        let sources = [&self.commands, &self.weights, &self.activations].map(|source| StreamResult {
            name: source.name().to_owned(),
            beats: source.taken() as u64,
            waits: source.blocked(),
            starved: source.starved(),
        });
        let sinks = [&self.outputs, &self.statuses].map(|sink| StreamResult {
            name: sink.name().to_owned(),
            beats: sink.beats() as u64,
            waits: sink.refused(),
            starved: 0,
        });
        sim.settle();
        Report {
            bit_exact: comparison.compared > 0
                && comparison.mismatches == 0
                && self.outputs.beats() == self.expected_outputs,
            outputs: comparison.compared,
            mismatches: comparison.mismatches,
            first_mismatches: comparison.first,
            failures,
            cycles,
            bounds,
            bound_cycles,
            utilization: if cycles == 0 { 0.0 } else { bound_cycles as f64 / cycles as f64 },
            int8,
            layers: self.layers(&options.layers),
            max_rel_err: job.reference.and_then(|reference| max_rel_err(self.outputs.data(), reference)),
            non_finite: job.reference.map(|reference| non_finite(self.outputs.data(), reference)),
            sim: sim.kind().to_owned(),
            seed: options.seed,
            source_stalls: options.sources.to_string(),
            sink_stalls: options.sinks.to_string(),
            parameters: options.parameters.clone(),
            commands,
            streams: sources.into_iter().chain(sinks).collect(),
            counters: self.read_counters(sim),
            simulated_cycles,
            seconds,
            cycles_per_second: simulated_cycles as f64 / seconds,
            received: self.outputs.data().to_vec(),
        }
    }
}
