//! When things happen: cycles of commands and counters as the cycle model has them.
//!
//! Without stalls it is exact to the cycle; so a pause that costs a single cycle anywhere is noticed. With stalls nothing
//! may be faster than it says.

use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::{Command, Report, RunOptions};
use eva_rtl::perf::{Model, Timing};
use eva_rtl::vq::{self, Operation};

/// What cannot be in the counters and the cycles of a run that passed otherwise.
pub fn problems(cfg: &CoreConfig, commands: &[Command], options: &RunOptions, report: &Report) -> Vec<String> {
    let starved = options.sources != Stalls::None;
    let stalled = starved || options.sinks != Backpressure::default();
    let mut problems = Vec::new();
    let mut expect = |what: String, got: u64, low: u64, high: u64| {
        if !(low..=high).contains(&got) {
            problems.push(format!("{what} is {got}, expected {low} to {high}"));
        }
    };
    let most = |exact: u64| if stalled { u64::MAX } else { exact };

    let mut model = Model::new(cfg);
    let timings: Vec<Timing> = commands.iter().map(|command| time(&mut model, command)).collect();
    let total = timings.iter().filter_map(|timing| timing.last_output).max().map_or(0, |cycle| cycle + 1);
    expect("cycles".into(), report.cycles, total, most(total));
    for (number, ((command, result), timing)) in commands.iter().zip(&report.commands).zip(&timings).enumerate() {
        let what = format!("cycles of command {number} (opcode {})", command.opcode());
        // What a command waits for may be over when it comes late.
        let least = if stalled { alone(cfg, command) } else { timing.cycles() };
        expect(what, result.cycles.into(), least, most(least));
    }

    let counters = &report.counters;
    let busy = busy_cycles(commands, &timings);
    expect("stat_cycles".into(), counters.cycles.into(), if stalled { 1 } else { busy }, most(busy));
    // At most one in each cycle.
    let most = if starved { report.simulated_cycles } else { 0 };
    expect("stat_w_stalls".into(), counters.w_stalls.into(), 0, most);
    expect("stat_x_stalls".into(), counters.x_stalls.into(), 0, most);
    let waited = model.stalls();
    let [load, oc] = if stalled { [[0, report.simulated_cycles]; 2] } else { [[waited.load; 2], [waited.oc; 2]] };
    expect("stat_load_stalls".into(), counters.load_stalls.into(), load[0], load[1]);
    expect("stat_oc_stalls".into(), counters.oc_stalls.into(), oc[0], oc[1]);
    problems
}

fn time(model: &mut Model, command: &Command) -> Timing {
    match operation(command) {
        Some(operation) => model.command(&operation),
        None => model.refused(),
    }
}

/// What an accepted command does.
fn operation(command: &Command) -> Option<Operation> {
    (command.status == 0).then(|| vq::Command::from_bytes(command.bits).expect("a command that is accepted").operation)
}

/// Cycles of a command with nothing before it, which is never more than after others.
fn alone(cfg: &CoreConfig, command: &Command) -> u64 {
    time(&mut Model::new(cfg), command).cycles()
}

/// Cycles in which a command is on its way.
fn busy_cycles(commands: &[Command], timings: &[Timing]) -> u64 {
    let (Some(first), Some(last)) = (timings.first(), timings.last()) else { return 0 };
    // An INT8 product has the core to itself until after its status; the next command is taken in an idle cycle.
    let int8 = |command: &Command| matches!(operation(command), Some(Operation::Int8Gemm(_)));
    let ends_alone = commands.last().is_some_and(int8);
    let pauses = commands.iter().filter(|command| int8(command)).count() as u64 - u64::from(ends_alone);
    last.told + 1 - first.taken + u64::from(ends_alone) - pauses
}
