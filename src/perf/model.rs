//! The times of all commands of a program.

use std::ops::Range;

use super::beats::{Beats, IndexWords};
use super::int8;
use super::latency::Latencies;
use super::units::{Activations, Completion, JobQueue, Slot, Steps};
use crate::config::CoreConfig;
use crate::vq::{Int8Gemm, Operation, VqGemv};

/// When things happen to one command, in cycles from the one in which the first command is offered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// It is taken from `s_axis_cmd`.
    pub taken: u64,
    /// It is handed to the units that execute it.
    pub dispatched: u64,
    /// Its status is formed, one cycle before `m_axis_sts` offers it.
    pub told: u64,
    /// Its last output is taken from `m_axis_y`, if it has any.
    pub last_output: Option<u64>,
}

impl Timing {
    /// The `cycles` of its status.
    pub fn cycles(&self) -> u64 {
        self.told - self.taken
    }
}

/// Cycles in which units wait for others: the counters `stat_load_stalls` and `stat_oc_stalls`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stalls {
    /// The array waits for codebooks or vectors.
    pub load: u64,
    /// The epilogue waits for the array.
    pub oc: u64,
}

/// Cycles from the first of these commands, which the core executes, to the last output; 0 if there is none.
pub fn cycles(operations: impl IntoIterator<Item = Operation>, config: &CoreConfig) -> u64 {
    let mut core = Model::new(config);
    let outputs = operations.into_iter().filter_map(|operation| core.command(&operation).last_output);
    outputs.max().map_or(0, |last| last + 1)
}

/// A core from reset on, with streams that never stall: commands, weights and activations are always offered, outputs and
/// statuses always taken. Commands are given in order; each costs time in proportion to its steps (`VQ_GEMV`) or passes
/// (`INT8_GEMM`).
#[derive(Clone, Debug)]
pub struct Model<'c> {
    config: &'c CoreConfig,
    latency: Latencies,
    /// From which cycle the next command can be taken.
    commands: u64,
    completion: Completion,
    /// Weight control: its queue, from which cycle it can take a job, and from which cycle scales can be replaced.
    weight_jobs: JobQueue,
    weights: u64,
    scales: u64,
    array_jobs: JobQueue,
    array: u64,
    epilogue_jobs: JobQueue,
    epilogue: u64,
    activations: Activations,
    slots: [Slot; 8],
    steps: Steps,
    stalls: Stalls,
}

impl<'c> Model<'c> {
    /// A core after reset.
    pub fn new(config: &'c CoreConfig) -> Self {
        Self {
            config,
            latency: Latencies::new(config),
            commands: 0,
            completion: Completion::default(),
            weight_jobs: JobQueue::default(),
            weights: 0,
            scales: 0,
            array_jobs: JobQueue::default(),
            array: 0,
            epilogue_jobs: JobQueue::default(),
            epilogue: 0,
            activations: Activations::default(),
            slots: [Slot::default(); 8],
            steps: Steps::default(),
            stalls: Stalls::default(),
        }
    }

    /// The host sends the next command only when it has seen the status of an earlier one.
    pub fn wait_for(&mut self, earlier: &Timing) {
        // Offered a cycle after it was formed, and taken at once.
        self.commands = self.commands.max(earlier.told + 2);
    }

    /// What units have waited for in all commands so far.
    pub fn stalls(&self) -> Stalls {
        self.stalls
    }

    /// A command that the core refuses.
    pub fn refused(&mut self) -> Timing {
        let at = self.checked().max(self.completion.ready());
        self.enter(at, 0, None)
    }

    /// A command that the core executes: the caller knows that it is valid.
    ///
    /// # Panics
    /// If it uses slots beyond the eighth, or has a size of zero.
    pub fn command(&mut self, operation: &Operation) -> Timing {
        let at = self.checked().max(self.completion.ready());
        let beats = Beats::new(operation, self.config);
        match operation {
            Operation::LoadCodebooks { slot, codebooks } => self.load_codebooks(at, *slot, *codebooks, beats),
            Operation::LoadX { .. } => {
                let at = at.max(self.array).max(self.activations.free());
                let loaded = self.activations.load(at, beats.activations);
                self.enter(at, loaded, None)
            }
            Operation::VqGemv(gemv) => self.gemv(at, gemv, beats),
            Operation::Int8Gemm(gemm) => self.int8(at, gemm, beats),
        }
    }

    /// From which cycle the next command can be dispatched: after one in which it is taken and one in which it is checked.
    fn checked(&self) -> u64 {
        self.commands + 2
    }

    /// Enters the command, dispatched in cycle `at`, that ends with what happens in cycle `event`.
    fn enter(&mut self, at: u64, event: u64, last_output: Option<u64>) -> Timing {
        let taken = self.commands;
        self.commands = at + 1;
        Timing { taken, dispatched: at, told: self.completion.enter(at, event), last_output }
    }

    fn load_codebooks(&mut self, at: u64, slot: u8, codebooks: u8, beats: Beats) -> Timing {
        let range = usize::from(slot)..usize::from(slot) + usize::from(codebooks);
        let replaceable = self.slots[range.clone()].iter().map(|slot| slot.loaded.max(slot.unused)).max();
        let at = at.max(self.weight_jobs.ready()).max(replaceable.unwrap_or(0));
        let job = self.weight_jobs.pass(at, self.weights);
        // The cycle after the job was taken starts the loader.
        let loaded = job + 1 + beats.codebooks;
        self.weights = loaded + 1;
        self.slots[range].iter_mut().for_each(|slot| slot.loaded = loaded + 1);
        self.enter(at, loaded, None)
    }

    fn gemv(&mut self, at: u64, gemv: &VqGemv, beats: Beats) -> Timing {
        let queues = self.weight_jobs.ready().max(self.array_jobs.ready()).max(self.epilogue_jobs.ready());
        let at = at.max(queues);
        let mut words = self.words(at, beats.scales);
        let slots = self.slots_of(gemv);
        let codebooks = self.slots[slots.clone()].iter().map(|slot| slot.loaded).max().unwrap_or(0);
        let array_job = self.array_jobs.pass(at, self.array);
        let epilogue_job = self.epilogue_jobs.pass(at, self.epilogue);
        // Vectors come twice as fast as the passes take them, so that only the first one can be without.
        let first_pass = 2 * u64::from(gemv.start) + u64::from(self.config.array.rows);
        let vectors = self.activations.there(first_pass);
        self.stalls.load += codebooks.max(vectors).saturating_sub(array_job + 1);
        self.steps.array = self.steps.array.max(array_job + 1).max(codebooks).max(vectors);
        self.steps.epilogue = self.steps.epilogue.max(epilogue_job + 1);
        let mut step_begin = epilogue_job + 1;

        let travel = IndexWords::new(gemv, self.config);
        // The beats of a word come while the one before is waited for.
        words += travel.beats_per_word - 1;
        let outputs = u64::from(gemv.outputs);
        let pause = if outputs < self.latency.access_distance { self.latency.access_distance - 1 } else { 0 };
        let mut last_word = 0;
        for step in 0..travel.steps {
            let filled = self.fill();
            self.stalls.oc += filled.saturating_sub(step_begin);
            let first = filled.max(words).max(self.steps.epilogue);
            // The outputs of all tokens leave one after the other.
            let sends = gemv.last && step + 1 == travel.steps;
            let sent = if sends { travel.tokens } else { 1 };
            last_word = first + (outputs - 1) * travel.beats_per_word.max(sent);
            words = last_word + travel.beats_per_word;
            step_begin = last_word + 1;
            self.steps.epilogue = last_word + 1 + if sends { sent - 1 } else { pause };
            self.steps.halves = [self.steps.halves[1], last_word + 1];
        }
        self.array = self.steps.array;
        self.epilogue = last_word + 1;
        self.weights = last_word + 1;
        self.scales = last_word + 1 + self.latency.drain();
        self.slots[slots].iter_mut().for_each(|slot| slot.unused = self.array);
        let last_output = gemv.last.then(|| last_word + self.latency.output() + travel.tokens - 1);
        self.enter(at, last_output.unwrap_or(last_word), last_output)
    }

    /// Hands weight control a job of scales and words in cycle `at`: from which cycle the words can be taken.
    fn words(&mut self, at: u64, scales: u64) -> u64 {
        let begin = self.weight_jobs.pass(at, self.weights) + 1;
        if scales == 0 { begin + 1 } else { begin.max(self.scales) + scales + 1 }
    }

    /// The slots that a command reads.
    fn slots_of(&self, gemv: &VqGemv) -> Range<usize> {
        let first = usize::from(gemv.slot);
        let count = match gemv.grouped {
            true => gemv.vectors.div_ceil(self.config.lanes()) as usize,
            false => usize::from(gemv.codebooks),
        };
        first..first + count
    }

    /// The array fills a half of the OC: from which cycle it can be looked up.
    fn fill(&mut self) -> u64 {
        let start = self.steps.array.max(self.steps.halves[0]);
        self.steps.array = start + u64::from(self.config.epilogue.units) * self.latency.pass;
        self.steps.array - self.latency.pass + u64::from(self.config.entries()) - 1 + self.latency.fill(self.config)
    }

    fn int8(&mut self, at: u64, gemm: &Int8Gemm, beats: Beats) -> Timing {
        // It waits for everything, so that nothing else is in its way.
        let at = at.max(self.completion.idle()).max(self.weight_jobs.ready());
        let words = self.words(at, beats.scales);
        let last_output = int8::last_output(self.config, gemm, at + 1, words);
        let timing = self.enter(at, last_output, Some(last_output));
        // Everything waits for it.
        self.commands = self.completion.idle() + 1;
        self.weights = self.commands;
        timing
    }
}
