//! A testbench of its own for hosts that do not send everything at once: they wait for the status of an earlier command, or hold beats back until the
//! command that takes them has been taken. Every cycle is looked at: `busy`, beats that change or vanish while they wait, and without stalls
//! the cycles of all commands on one clock, from the first to the last.

use crate::harness::native;
use crate::rules::{INT8_GEMM, LOAD_CODEBOOKS, Rules, draw_core, sequence};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::{Command, InPort, OutPort, Simulator};
use eva_rtl::perf::{Model, Timing};
use eva_rtl::vq;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Each one takes about a tenth of a second, most of it for the making of its core.
const CORES: u64 = 60;
/// Cycles without a beat after which a core is stuck.
const IDLE_LIMIT: u64 = 6000;
/// In the order of [`Seen::counters`].
const COUNTERS: [&str; 7] = ["cycles", "w_beats", "x_beats", "y_beats", "y_stalls", "w_stalls", "x_stalls"];

/// How a host and what is around a core behave.
struct Host {
    /// For each command, the earlier one whose status it waits for.
    after: Vec<Option<usize>>,
    /// Whether weights and activations are held back until the command before the one that takes them has been taken.
    held_back: [bool; 2],
    /// Probabilities of a pause in each cycle: commands, weights, activations; outputs and statuses that are not taken.
    pauses: [f64; 5],
}

impl Host {
    /// One that keeps everything ready and takes all at once, but may wait for statuses.
    fn prompt(commands: usize, rng: &mut ChaCha8Rng) -> Self {
        let waits = [0.0, 0.2, 1.0][rng.random_range(0..3)];
        let after = (0..commands).map(|number| {
            (number > 0 && rng.random_bool(waits))
                .then(|| if rng.random() { number - 1 } else { rng.random_range(0..number) })
        });
        Self { after: after.collect(), held_back: [false; 2], pauses: [0.0; 5] }
    }

    fn slow(commands: usize, rng: &mut ChaCha8Rng) -> Self {
        let held_back = std::array::from_fn(|_| rng.random_bool(0.4));
        let pauses = std::array::from_fn(|_| if rng.random() { 0.0 } else { rng.random_range(0.0..0.95) });
        Self { held_back, pauses, ..Self::prompt(commands, rng) }
    }
}

/// An input stream.
struct Source<'w> {
    data: InPort,
    valid: InPort,
    ready: OutPort,
    bytes: &'w [u8],
    beat_bytes: usize,
    taken: usize,
    is_offered: bool,
}

impl<'w> Source<'w> {
    fn new(sim: &dyn Simulator, name: &str, bits: u32, bytes: &'w [u8]) -> Self {
        let port = |what: &str| sim.input(&format!("{name}_{what}")).unwrap();
        let ready = sim.output(&format!("{name}_tready")).unwrap();
        let (data, valid) = (port("tdata"), port("tvalid"));
        Self { data, valid, ready, bytes, beat_bytes: bits as usize / 8, taken: 0, is_offered: false }
    }

    /// Offers the next beat if it is below `limit`, or goes on offering the present one; otherwise the data are noise.
    fn drive(&mut self, sim: &mut dyn Simulator, limit: usize, pause: f64, rng: &mut ChaCha8Rng) {
        let is_there = self.taken < limit.min(self.bytes.len() / self.beat_bytes);
        self.is_offered |= is_there && !rng.random_bool(pause);
        let mut beat: Vec<u8> = (0..self.beat_bytes).map(|_| rng.random()).collect();
        if self.is_offered {
            beat.copy_from_slice(&self.bytes[self.taken * self.beat_bytes..][..self.beat_bytes]);
        }
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
        sim.set(self.data, &beat.chunks(8).map(word).collect::<Vec<u64>>());
        sim.set_u64(self.valid, self.is_offered.into());
    }

    /// Whether a beat moves in this cycle.
    fn sample(&mut self, sim: &dyn Simulator) -> bool {
        let moves = self.is_offered && sim.get_u64(self.ready) != 0;
        self.taken += usize::from(moves);
        self.is_offered &= !moves;
        moves
    }
}

/// An output stream.
struct Sink {
    name: &'static str,
    data: OutPort,
    last: Option<OutPort>,
    valid: OutPort,
    ready: InPort,
    /// What waits to be taken.
    waiting: Option<(u64, bool)>,
    /// Beats and `tlast`, and the cycles in which they were first offered and taken.
    beats: Vec<(u64, bool)>,
    offered: Vec<u64>,
    taken: Vec<u64>,
    refused: u64,
}

impl Sink {
    fn new(sim: &dyn Simulator, name: &'static str, has_last: bool) -> Self {
        let port = |what: &str| sim.output(&format!("{name}_{what}")).unwrap();
        Self {
            name,
            data: port("tdata"),
            last: has_last.then(|| port("tlast")),
            valid: port("tvalid"),
            ready: sim.input(&format!("{name}_tready")).unwrap(),
            waiting: None,
            beats: Vec::new(),
            offered: Vec::new(),
            taken: Vec::new(),
            refused: 0,
        }
    }

    /// Whether a beat moves in this cycle, with `tready` as it is; what may not be is added to `problems`.
    fn sample(&mut self, sim: &dyn Simulator, is_ready: bool, cycle: u64, problems: &mut Vec<String>) -> bool {
        let is_valid = sim.get_u64(self.valid) != 0;
        let beat = (sim.get_u64(self.data), self.last.is_some_and(|last| sim.get_u64(last) != 0));
        match self.waiting {
            Some(_) if !is_valid => problems.push(format!("cycle {cycle}: a beat of {} vanished", self.name)),
            Some(waiting) if waiting != beat => {
                problems.push(format!("cycle {cycle}: a beat of {} changed", self.name))
            }
            None if is_valid => self.offered.push(cycle),
            _ => {}
        }
        let moves = is_valid && is_ready;
        self.waiting = (is_valid && !is_ready).then_some(beat);
        self.refused += u64::from(self.waiting.is_some());
        if moves {
            self.beats.push(beat);
            self.taken.push(cycle);
        }
        moves
    }
}

/// What was seen of a run.
struct Seen {
    /// Cycle in which each command was taken.
    commands: Vec<u64>,
    outputs: Sink,
    statuses: Sink,
    /// Beats of weights and activations that were taken.
    beats: [usize; 2],
    busy_cycles: u64,
    /// Of [`COUNTERS`].
    counters: [u64; 7],
    problems: Vec<String>,
}

/// Runs commands to the end.
fn play(sim: &mut dyn Simulator, rules: &Rules, host: &Host, rng: &mut ChaCha8Rng) -> Seen {
    let work = &rules.work;
    let [w_bits, x_bits] = [work.cfg.stream.width, work.cfg.x_width()];
    let bits: Vec<u8> = work.commands.iter().flat_map(|command| command.bits).collect();
    let mut commands = Source::new(sim, "s_axis_cmd", 128, &bits);
    let mut operands =
        [Source::new(sim, "s_axis_w", w_bits, &work.weights), Source::new(sim, "s_axis_x", x_bits, &work.activations)];
    let (outputs, statuses) = (Sink::new(sim, "m_axis_y", true), Sink::new(sim, "m_axis_sts", false));
    let busy = sim.output("busy").unwrap();
    let problems = Vec::new();
    let mut seen =
        Seen { commands: Vec::new(), outputs, statuses, beats: [0; 2], busy_cycles: 0, counters: [0; 7], problems };
    reset(sim, rng.random_range(1..4));

    let expected_outputs: usize = work.commands.iter().map(|command| command.outputs.len()).sum();
    let (mut cycle, mut idle) = (0, 0);
    while seen.statuses.beats.len() < work.commands.len() || seen.outputs.beats.len() < expected_outputs {
        if idle == IDLE_LIMIT {
            seen.problems.push(format!("cycle {cycle}: the core is stuck"));
            break;
        }
        let taken = seen.commands.len();
        let told = seen.statuses.beats.len();
        let may_send = host.after.get(taken).is_some_and(|after| after.is_none_or(|earlier| told > earlier));
        commands.drive(sim, taken + usize::from(may_send), host.pauses[0], rng);
        let (w_end, x_end) = taken.checked_sub(1).map_or((0, 0), |last| rules.ends[last]);
        for (place, end) in [w_end, x_end].into_iter().enumerate() {
            let operand = &mut operands[place];
            let limit = if host.held_back[place] { end / operand.beat_bytes } else { usize::MAX };
            operand.drive(sim, limit, host.pauses[place + 1], rng);
        }
        let is_ready = [3, 4].map(|place| !rng.random_bool(host.pauses[place]));
        sim.set_u64(seen.outputs.ready, is_ready[0].into());
        sim.set_u64(seen.statuses.ready, is_ready[1].into());
        sim.settle();

        let is_busy = sim.get_u64(busy) != 0;
        if is_busy != (taken > told || lingers(&work.commands, &seen, cycle)) {
            seen.problems.push(format!("cycle {cycle}: busy is {is_busy} with {taken} commands taken, {told} told"));
        }
        seen.busy_cycles += u64::from(is_busy);
        let mut moves = commands.sample(sim);
        if moves {
            seen.commands.push(cycle);
        }
        for operand in &mut operands {
            moves |= operand.sample(sim);
        }
        moves |= seen.outputs.sample(sim, is_ready[0], cycle, &mut seen.problems);
        moves |= seen.statuses.sample(sim, is_ready[1], cycle, &mut seen.problems);
        sim.step();
        cycle += 1;
        idle = if moves { 0 } else { idle + 1 };
    }
    sim.settle();
    seen.beats = [operands[0].taken, operands[1].taken];
    // They are a cycle behind.
    sim.step();
    sim.settle();
    seen.counters = COUNTERS.map(|name| sim.get_u64(sim.output(&format!("stat_{name}")).unwrap()));
    seen
}

fn reset(sim: &mut dyn Simulator, cycles: u32) {
    let port = |name: &str| sim.input(name).unwrap();
    let reset = port("aresetn");
    for valid in ["s_axis_cmd_tvalid", "s_axis_w_tvalid", "s_axis_x_tvalid"].map(port) {
        sim.set_u64(valid, 0);
    }
    sim.set_u64(reset, 0);
    for _ in 0..cycles {
        sim.settle();
        sim.step();
    }
    sim.set_u64(reset, 1);
}

/// After an INT8 product, `busy` stays for a cycle longer than its status.
fn lingers(commands: &[Command], seen: &Seen, cycle: u64) -> bool {
    let last = seen.statuses.taken.last().is_some_and(|taken| taken + 1 == cycle);
    let command = seen.statuses.beats.len().checked_sub(1).map(|last| &commands[last]);
    last && command.is_some_and(|command| command.opcode() == INT8_GEMM && command.status == 0)
}

/// What is not as the page says.
fn problems(rules: &Rules, host: &Host, seen: &Seen) -> Vec<String> {
    let work = &rules.work;
    let mut problems = seen.problems.clone();
    let outputs = work.commands.iter().flat_map(|command| {
        let last = command.outputs.len().wrapping_sub(1);
        command.outputs.iter().enumerate().map(move |(place, value)| (u64::from(*value), place == last))
    });
    for (number, (got, expected)) in seen.outputs.beats.iter().zip(outputs).enumerate() {
        if *got != expected {
            problems.push(format!("output {number} is {got:x?}, expected {expected:x?}"));
        }
    }
    for (number, ((beat, _), command)) in seen.statuses.beats.iter().zip(&work.commands).enumerate() {
        let cycles = seen.statuses.offered[number] - seen.commands[number] - 1;
        let fields = u64::from(command.tag()) << 16 | u64::from(command.status) << 8 | u64::from(command.opcode());
        if *beat != cycles << 32 | fields {
            problems.push(format!("status {number} is {beat:x}, expected {fields:x} and {cycles:x} cycles"));
        }
    }
    let [w, x] = seen.beats;
    let cfg = &work.cfg;
    if (w * cfg.stream.width as usize, x * cfg.x_width() as usize)
        != (8 * work.weights.len(), 8 * work.activations.len())
    {
        problems.push(format!("{w} beats of weights and {x} of activations were taken"));
    }
    let y = seen.outputs.beats.len() as u64;
    let counted = [seen.busy_cycles, w as u64, x as u64, y, seen.outputs.refused];
    if seen.counters[..5] != counted {
        problems.push(format!("{COUNTERS:?} are {:?}, expected {counted:?}", seen.counters));
    }
    let is_starved = host.held_back != [false; 2] || host.pauses[1..3] != [0.0; 2];
    if !is_starved && seen.counters[5..] != [0; 2] {
        problems.push(format!("{COUNTERS:?} are {:?} although no beat was missing", seen.counters));
    }
    problems
}

/// Commands whose cycles are not those of the cycle model, for a host that is [prompt](Host::prompt).
fn late(cfg: &CoreConfig, commands: &[Command], host: &Host, seen: &Seen) -> Vec<String> {
    let mut model = Model::new(cfg);
    let mut timings: Vec<Timing> = Vec::new();
    let (first, mut sent, mut late) = (seen.commands[0], 0, Vec::new());
    for (number, command) in commands.iter().enumerate() {
        if let Some(earlier) = host.after[number] {
            model.wait_for(&timings[earlier]);
        }
        let timing = match command.status {
            0 => model.command(&vq::Command::from_bytes(command.bits).expect("it is accepted").operation),
            _ => model.refused(),
        };
        timings.push(timing);
        sent += command.outputs.len();
        let last_output = (!command.outputs.is_empty()).then(|| seen.outputs.taken[sent - 1] - first);
        let got = (seen.commands[number] - first, seen.statuses.offered[number] - first, last_output);
        let expected = (timing.taken, timing.told + 1, timing.last_output);
        if got != expected {
            late.push(format!("command {number} is taken, told and done in cycles {got:?}, expected {expected:?}"));
        }
    }
    late
}

fn check(seed: u64, host: impl Fn(usize, &mut ChaCha8Rng) -> Host, is_exact: bool) {
    let rng = &mut ChaCha8Rng::seed_from_u64(seed);
    let cfg = draw_core(rng);
    let mut sim = native(&cfg, seed);
    for round in 0..3 {
        let length = rng.random_range(3..=45);
        let rules = sequence(&cfg, length, rng);
        let commands = &rules.work.commands;
        if commands.is_empty() {
            continue;
        }
        let host = host(commands.len(), rng);
        let seen = play(&mut sim, &rules, &host, rng);
        let mut problems = problems(&rules, &host, &seen);
        if problems.is_empty() && is_exact {
            problems = late(&cfg, commands, &host, &seen);
        }
        let Host { after, held_back, pauses } = host;
        assert!(
            problems.is_empty(),
            "seed {seed}, round {round}: {cfg:?}\nafter {after:?}, held back {held_back:?}, pauses {pauses:?}\n{}\n{commands:x?}",
            problems.join("\n")
        );
    }
}

#[test]
fn hosts_that_wait_for_statuses_meet_the_cycle_model() {
    (0..CORES).for_each(|seed| check(1000 + seed, Host::prompt, true));
}

/// Behind a command whose weights never come.
#[test]
fn nine_commands_are_taken_before_the_first_has_ended() {
    assert!(include_str!("../../docs/interface.md").contains("Up to nine commands are taken before the first"));
    let cfg = CoreConfig::preset("tiny").unwrap();
    let mut sim = native(&cfg, 1);
    let load: u128 = 1 << 32 | u128::from(LOAD_CODEBOOKS);
    let unknown: u128 = 0xFF;
    let commands: Vec<u8> = [load].into_iter().chain([unknown; 20]).flat_map(u128::to_le_bytes).collect();
    let mut source = Source::new(&sim, "s_axis_cmd", 128, &commands);
    let rng = &mut ChaCha8Rng::seed_from_u64(1);
    reset(&mut sim, 1);
    for _ in 0..300 {
        source.drive(&mut sim, usize::MAX, 0.0, rng);
        sim.settle();
        source.sample(&sim);
        sim.step();
    }
    assert_eq!(source.taken, 9);
}

#[test]
fn slow_hosts_get_the_same_results() {
    (0..CORES).for_each(|seed| check(2000 + seed, Host::slow, false));
}
