//! Whole runs on a small core, good and misbehaving.

use std::sync::OnceLock;

use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::verilator::{CompiledModel, VerilatorSim, VerilogModel};
use eva_rtl::cosim::{COUNTERS, Command, Job, PortSpec, Report, RunOptions, Simulator, run};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{model, verilator};

const W_BYTES: usize = 128;
const X_BYTES: usize = 8;

fn fake_model() -> VerilogModel {
    let mut ports = vec![PortSpec::input("aresetn", 1), PortSpec::input("bug", 5)];
    for (stream, width) in [("s_axis_cmd", 128), ("s_axis_w", 1024), ("s_axis_x", 64)] {
        ports.push(PortSpec::input(&format!("{stream}_tdata"), width));
        ports.push(PortSpec::input(&format!("{stream}_tvalid"), 1));
        ports.push(PortSpec::output(&format!("{stream}_tready"), 1));
    }
    for (stream, width) in [("m_axis_y", 32), ("m_axis_sts", 64)] {
        ports.push(PortSpec::output(&format!("{stream}_tdata"), width));
        ports.push(PortSpec::output(&format!("{stream}_tvalid"), 1));
        ports.push(PortSpec::input(&format!("{stream}_tready"), 1));
    }
    ports.push(PortSpec::output("m_axis_y_tlast", 1));
    ports.push(PortSpec::output("busy", 1));
    for counter in COUNTERS {
        ports.push(PortSpec::output(counter, 32));
    }
    model("eva_core", include_str!("fake_core.v"), ports)
}

fn fake_core() -> &'static CompiledModel {
    static MODEL: OnceLock<CompiledModel> = OnceLock::new();
    MODEL.get_or_init(|| verilator().compile(&fake_model(), false).unwrap())
}

fn sim(bug: u64) -> VerilatorSim {
    let mut sim = fake_core().simulator(1);
    sim.set_u64(sim.input("bug").unwrap(), bug);
    sim
}

/// Stimulus and what the fake core is to make of it.
struct Layer {
    commands: Vec<Command>,
    weights: Vec<u8>,
    activations: Vec<u8>,
}

impl Layer {
    fn job(&self) -> Job<'_> {
        Job { commands: &self.commands, weights: &self.weights, activations: &self.activations, reference: None }
    }
}

fn command(opcode: u8, tag: u16, codebooks: u8, vectors: u32, outputs: u32) -> Command {
    let mut bits = [0; 16];
    bits[0] = opcode;
    bits[2..4].copy_from_slice(&tag.to_le_bytes());
    bits[4] = codebooks;
    bits[8..12].copy_from_slice(&vectors.to_le_bytes());
    bits[12..16].copy_from_slice(&outputs.to_le_bytes());
    Command { bits, status: 0, outputs: Vec::new() }
}

fn layer(seed: u64, vectors: u32, blocks: &[u32]) -> Layer {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut bytes = |count: usize| {
        let mut bytes = vec![0; count];
        rng.fill_bytes(&mut bytes);
        bytes
    };
    let activations = bytes(vectors as usize * X_BYTES);
    let mut weights = bytes(2 * W_BYTES);
    let lane = |bytes: &[u8]| u16::from_le_bytes([bytes[0], bytes[1]]);
    let sum = activations.chunks(X_BYTES).map(lane).fold(0, u16::wrapping_add);
    let mut refused = command(9, 0x77, 0, 0, 0);
    refused.status = 1;
    let mut commands = vec![command(1, 1, 2, 0, 0), command(2, 2, 0, vectors, 0), refused];
    for (number, outputs) in blocks.iter().enumerate() {
        let mut gemv = command(3, 0x100 + number as u16, 2, vectors, *outputs);
        for _ in 0..*outputs {
            let beat = bytes(W_BYTES);
            let fold = beat.chunks(2).map(lane).fold(0, |a, b| a ^ b);
            gemv.outputs.push(sum.wrapping_add(fold).into());
            weights.extend(beat);
        }
        commands.push(gemv);
    }
    Layer { commands, weights, activations }
}

fn options(seed: u64, sources: &str, sinks: &str, after_valid: bool) -> RunOptions {
    RunOptions {
        seed,
        sources: sources.parse().unwrap(),
        sinks: Backpressure { stalls: sinks.parse().unwrap(), after_valid },
        idle_limit: 500,
        ..RunOptions::default()
    }
}

fn run_with(bug: u64, layer: &Layer, options: &RunOptions) -> Report {
    run(&mut sim(bug), &layer.job(), options, &mut |_| ()).unwrap()
}

#[test]
fn a_good_core_passes_under_every_stall_pattern() {
    let layer = layer(1, 20, &[30, 1, 7]);
    let mut cycles = Vec::new();
    for (sources, sinks, after_valid) in [
        ("none", "none", false),
        ("0.3", "none", false),
        ("none", "0.5", false),
        ("none", "none", true),
        ("burst:0.3:15", "burst:0.3:15", false),
        ("0.9", "0.9", true),
    ] {
        for seed in 0..5 {
            let report = run_with(0, &layer, &options(seed, sources, sinks, after_valid));
            assert!(report.passed(), "{sources} {sinks} {seed}: {report}");
            assert_eq!((report.outputs, report.mismatches, report.bound_cycles), (38, 0, 40));
            assert_eq!(report.utilization, 40.0 / report.cycles as f64);
            let statuses: Vec<u8> = report.commands.iter().map(|command| command.status).collect();
            assert_eq!(statuses, [0, 0, 1, 0, 0, 0]);
            assert_eq!(report.counters.w_beats, 40);
            cycles.push(report.cycles);
        }
    }
    // Without stalls every seed takes the same time. Per command: 1 cycle to take it, one per beat, one to notice the
    // end (not for codebooks), 1 for the status (not in the last one, which is counted to its last output).
    let expected = (1 + 2 + 1) + (1 + 20 + 1 + 1) + (1 + 1) + (1 + 30 + 1 + 1) + (1 + 1 + 1 + 1) + (1 + 7 + 1);
    assert_eq!(cycles[..5], [expected; 5]);
    assert!(cycles[5..].iter().all(|cycles| *cycles > expected), "{cycles:?}");
    assert!(cycles[25] > 5 * expected);
}

#[test]
fn a_simulator_can_be_used_again() {
    let layer = layer(7, 4, &[9]);
    let mut sim = sim(0);
    for (seed, sinks) in [(1, "none"), (2, "0.7"), (3, "burst:0.7:9"), (4, "none")] {
        let report = run(&mut sim, &layer.job(), &options(seed, "0.2", sinks, false), &mut |_| ()).unwrap();
        assert!(report.passed(), "{sinks}: {report}");
    }
}

#[test]
fn every_way_to_misbehave_is_noticed() {
    let layer = layer(2, 5, &[8, 4]);
    let stalled = options(3, "0.3", "0.4", false);
    let free = options(3, "none", "none", false);
    let late = options(3, "none", "none", true);
    for (bug, options, expected) in [
        (1, &stalled, "m_axis_y: tvalid fell before the beat was taken"),
        (2, &stalled, "m_axis_y: tdata or tlast changed before the beat was taken"),
        (
            3,
            &late,
            "s_axis_w offers beat 3 of 14 and the core does not take it; s_axis_x has no beats left (all 5 taken); m_axis_y waits for beat 0 of 12",
        ),
        (4, &free, "m_axis_y: tvalid is high in reset"),
        (6, &free, "m_axis_y waits for beat 10 of 12"),
        (7, &free, "m_axis_y: 12 outputs expected, 17 came"),
        (8, &free, "status 0 is of opcode 1 with tag 0x0000, but command 0 has opcode 1 and tag 0x0001"),
        (9, &free, "stat_w_beats is 15, but 14 beats of s_axis_w were taken"),
        (11, &free, "busy is high"),
        (14, &free, "s_axis_w: 3 of 14 beats were never taken"),
        (
            15,
            &free,
            "command 0 (opcode 1, tag 0x0001) was answered with status 1 (refused: unknown opcode), expected 0 (done)",
        ),
    ] {
        let report = run_with(bug, &layer, options);
        assert!(!report.passed(), "bug {bug}");
        assert!(report.failures.iter().any(|failure| failure.contains(expected)), "bug {bug}: {report}");
    }
}

#[test]
fn wrong_bits_are_mismatches_with_their_place() {
    let layer = layer(2, 5, &[8, 4]);
    let report = run_with(5, &layer, &options(3, "0.3", "0.4", false));
    assert!(!report.bit_exact && report.failures.is_empty(), "{report}");
    let places: Vec<_> = report.first_mismatches.iter().map(|m| (m.command, m.index, m.expected ^ m.got)).collect();
    assert_eq!(places, [(3, 2, 1), (4, 2, 1)]);
    let listed = format!("command 3, output 2: expected {:#010x}, got", report.first_mismatches[0].expected);
    assert!(report.to_string().contains(&listed), "{report}");

    // Missing tlast on the last output of both commands.
    let report = run_with(10, &layer, &options(3, "0.3", "0.4", false));
    let places: Vec<_> = report.first_mismatches.iter().map(|m| (m.command, m.index, m.got_last)).collect();
    assert_eq!(places, [(3, 7, false), (4, 3, false)]);

    // Data used without tvalid, and a register that nobody wrote: both only show because they hold random bits.
    for bug in [12, 13] {
        let report = run_with(bug, &layer, &options(3, "0.6", "none", false));
        assert!(report.mismatches > 0, "bug {bug}: {report}");
    }
}

#[test]
fn a_run_without_outputs_fails() {
    let mut layer = layer(4, 3, &[]);
    let report = run_with(0, &layer, &RunOptions::default());
    assert!(!report.bit_exact && !report.passed());
    assert_eq!(report.failures, ["no output was compared: the run shows nothing"]);
    layer.commands.clear();
    let report = run_with(0, &layer, &RunOptions::default());
    assert!(!report.passed(), "{report}");
}

#[test]
fn beats_left_over_and_beats_missing_are_failures() {
    let mut long = layer(5, 3, &[4]);
    long.weights.extend([0; 3 * W_BYTES]);
    let report = run_with(0, &long, &RunOptions::default());
    assert_eq!(report.failures, ["s_axis_w: 3 of 9 beats were never taken"]);

    let mut short = layer(5, 3, &[4]);
    short.weights.truncate(4 * W_BYTES);
    let report = run_with(0, &short, &options(1, "none", "none", false));
    let failure = &report.failures[0];
    assert!(failure.contains("s_axis_w has no beats left (all 4 taken)"), "{failure}");
    assert!(failure.contains("m_axis_y waits for beat 2 of 4"), "{failure}");
    assert_eq!((report.outputs, report.mismatches), (2, 0));

    short.weights.truncate(4 * W_BYTES - 1);
    let error = run(&mut sim(0), &short.job(), &RunOptions::default(), &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("511 bytes for s_axis_w are not a whole number of beats of 128"), "{error}");
}

#[test]
fn limits_waves_progress_and_reference() {
    let layer = layer(6, 3, &[50]);
    let reference = vec![1.0; 50];
    let folder = tempfile::tempdir().unwrap();
    let mut options = options(1, "0.99", "none", false);
    options.cycle_limit = Some(100);
    options.parameters = serde_json::json!({"K": 8});
    let job = Job { reference: Some(&reference), ..layer.job() };
    let report = run(&mut sim(0), &job, &options, &mut |_| ()).unwrap();
    assert!(report.failures[0].contains("gave up at cycle 100: the limit of 100 cycles is reached"), "{report}");

    options.cycle_limit = None;
    options.sources = Stalls::None;
    let report = run(&mut sim(0), &job, &options, &mut |_| ()).unwrap();
    assert!(report.passed(), "{report}");
    assert!(report.max_rel_err.unwrap() > 0.0);
    let json = serde_json::to_value(&report).unwrap();
    assert_eq!((&json["parameters"]["K"], &json["sim"]), (&8.into(), &"verilator".into()));

    options.waves = Some(folder.path().join("no/such/folder/w.vcd"));
    assert!(run(&mut sim(0), &job, &options, &mut |_| ()).is_err());
    options.waves = Some(folder.path().join("w.vcd"));
    let error = run(&mut sim(0), &job, &options, &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("compiled without"), "{error}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);

    let job = Job { reference: Some(&reference[1..]), ..layer.job() };
    let error = run(&mut sim(0), &job, &RunOptions::default(), &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("50 outputs are expected, but the reference has 49"), "{error}");
}

#[test]
fn waves_appear_when_the_run_is_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("w.vcd");
    let layer = layer(8, 3, &[5]);
    let options = RunOptions { waves: Some(path.clone()), ..RunOptions::default() };
    let mut sim = verilator().compile(&fake_model(), true).unwrap().simulator(1);
    let report = run(&mut sim, &layer.job(), &options, &mut |_| assert!(!path.exists())).unwrap();
    assert!(report.passed(), "{report}");
    let text = std::fs::read_to_string(&path).unwrap();
    let last_time = text.lines().rev().find_map(|line| line.strip_prefix('#')).unwrap();
    assert_eq!(last_time, (10 * report.simulated_cycles).to_string());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}
