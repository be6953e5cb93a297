//! What came out of the core against what should have.

use half::f16;

use super::report::{CommandResult, Mismatch};
use super::run::Command;
use crate::vq::StatusCode;

/// Mismatches listed in full; the others are only counted.
const LISTED: usize = 16;

/// The outcome of a comparison of outputs.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Outputs that were expected and came.
    pub compared: u64,
    pub mismatches: u64,
    pub first: Vec<Mismatch>,
    pub failures: Vec<String>,
}

/// Compares the beats of `m_axis_y` with the expected outputs of `commands`, in order. A `tlast` in the wrong place is
/// a mismatch like a wrong bit.
pub(super) fn compare_outputs(commands: &[Command], data: &[u64], lasts: &[bool]) -> Comparison {
    let expected: u64 = commands.iter().map(|command| command.outputs.len() as u64).sum();
    let mut comparison = Comparison::default();
    if expected != data.len() as u64 {
        comparison.failures.push(format!("m_axis_y: {expected} outputs expected, {} came", data.len()));
    }
    let all_expected = commands.iter().enumerate().flat_map(|(number, command)| {
        let outputs = command.outputs.iter().enumerate();
        outputs.map(move |(index, value)| (number, index, *value, index + 1 == command.outputs.len()))
    });
    for ((command, index, value, last), (data, got_last)) in all_expected.zip(data.iter().zip(lasts)) {
        comparison.compared += 1;
        if u64::from(value) != *data || last != *got_last {
            comparison.mismatches += 1;
            if comparison.first.len() < LISTED {
                comparison.first.push(Mismatch {
                    command,
                    index,
                    expected: value,
                    got: *data as u32,
                    expected_last: last,
                    got_last: *got_last,
                });
            }
        }
    }
    comparison
}

/// Reads the beats of `m_axis_sts` and checks them against `commands` and the cycles that were `measured`, one for
/// each; returns them and what is wrong with them.
pub(super) fn check_statuses(
    commands: &[Command],
    beats: &[u64],
    measured: &[u64],
) -> (Vec<CommandResult>, Vec<String>) {
    let mut failures = Vec::new();
    let results: Vec<CommandResult> = beats.iter().copied().map(CommandResult::from_beat).collect();
    if commands.len() != results.len() {
        failures.push(format!("m_axis_sts: {} statuses expected, {} came", commands.len(), results.len()));
    }
    for (number, (command, result)) in commands.iter().zip(&results).enumerate() {
        let (opcode, tag) = (command.opcode(), command.tag());
        if (result.opcode, result.tag) != (opcode, tag) {
            failures.push(format!(
                "status {number} is of opcode {} with tag {:#06x}, but command {number} has opcode {opcode} and tag {tag:#06x}",
                result.opcode, result.tag
            ));
        } else if result.status != command.status {
            failures.push(format!(
                "command {number} (opcode {opcode}, tag {tag:#06x}) was answered with status {} ({}), expected {} ({})",
                result.status,
                status_name(result.status),
                command.status,
                status_name(command.status)
            ));
        } else if let Some(cycles) = measured.get(number)
            && result.cycles != *cycles as u32
        {
            failures.push(format!(
                "command {number} (opcode {opcode}, tag {tag:#06x}) took {cycles} cycles, its status says {}",
                result.cycles
            ));
        }
    }
    (results, failures)
}

fn status_name(status: u8) -> String {
    StatusCode::from_code(status).map_or_else(|| "no such status".into(), |code| code.to_string())
}

/// The largest error of FP16 outputs (in the low bits of the beats) against `reference`, relative to the largest
/// magnitude in
/// `reference`: an output that is small because its terms cancel is not expected to be better than the terms were.
/// Pairs in which either is not finite are left out; `None` if that leaves none, or only zeros.
pub fn max_rel_err(beats: &[u64], reference: &[f64]) -> Option<f64> {
    let pairs = beats.iter().zip(reference).map(|(beat, r)| (f16::from_bits(*beat as u16).to_f64(), *r));
    let finite = pairs.filter(|(value, r)| value.is_finite() && r.is_finite());
    let (error, scale) =
        finite.fold((0f64, 0f64), |(error, scale), (value, r)| (error.max((value - r).abs()), scale.max(r.abs())));
    (scale > 0.0).then(|| error / scale)
}

/// FP16 outputs (in the low bits of the beats) that are infinite or NaN where `reference` is finite.
pub fn non_finite(beats: &[u64], reference: &[f64]) -> u64 {
    let pairs = beats.iter().zip(reference);
    pairs.filter(|(beat, exact)| exact.is_finite() && !f16::from_bits(**beat as u16).is_finite()).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(opcode: u8, tag: u16, outputs: &[u32]) -> Command {
        let mut bits = [0; 16];
        bits[0] = opcode;
        bits[2..4].copy_from_slice(&tag.to_le_bytes());
        Command { bits, status: 0, outputs: outputs.to_vec() }
    }

    #[test]
    fn outputs_are_compared_across_commands_with_tlast() {
        let commands = [command(3, 0, &[1, 2]), command(2, 0, &[]), command(3, 0, &[3])];
        let exact = compare_outputs(&commands, &[1, 2, 3], &[false, true, true]);
        assert_eq!((exact.compared, exact.mismatches, exact.failures.len()), (3, 0, 0));

        let wrong = compare_outputs(&commands, &[1, 5, 3], &[false, true, false]);
        assert_eq!((wrong.compared, wrong.mismatches), (3, 2));
        let places: Vec<_> = wrong.first.iter().map(|m| (m.command, m.index)).collect();
        assert_eq!(places, [(0, 1), (2, 0)]);
        assert_eq!((wrong.first[0].expected, wrong.first[0].got), (2, 5));

        let short = compare_outputs(&commands, &[1], &[false]);
        assert_eq!((short.compared, short.mismatches), (1, 0));
        assert_eq!(short.failures, ["m_axis_y: 3 outputs expected, 1 came"]);
        assert_eq!(compare_outputs(&commands, &[1, 2, 3, 4], &[false, true, true, true]).failures.len(), 1);
    }

    #[test]
    fn statuses_must_name_their_command() {
        let commands = [command(1, 7, &[]), command(3, 8, &[])];
        let (results, failures) = check_statuses(&commands, &[0x10_0007_0001, 0x20_0008_0003], &[0x10, 0x20]);
        assert_eq!(failures, [""; 0]);
        assert_eq!((results[1].opcode, results[1].tag, results[1].status, results[1].cycles), (3, 8, 0, 0x20));
        for beats in [&[0x7_0001u64, 0x9_0003][..], &[0x7_0001, 0x8_0203], &[0x7_0001], &[0x7_0001, 0x8_0003, 0x8_0003]]
        {
            assert_eq!(check_statuses(&commands, beats, &[0, 0, 0]).1.len(), 1, "{beats:x?}");
        }
        let late = check_statuses(&commands, &[0x10_0007_0001, 0x21_0008_0003], &[0x10, 0x20]).1;
        assert_eq!(late, ["command 1 (opcode 3, tag 0x0008) took 32 cycles, its status says 33"]);
    }

    #[test]
    fn relative_errors_are_against_the_reference() {
        let bits = |value: f32| u64::from(f16::from_f32(value).to_bits());
        let beats = [bits(1.0), bits(-2.0), bits(f32::INFINITY), 0x7e00];
        // The last two are not finite: their references do not count either.
        assert_eq!(max_rel_err(&beats, &[1.0, -1.5, 1e9, f64::NAN]), Some(0.5 / 1.5));
        assert_eq!(max_rel_err(&beats[2..], &[1e9, 0.0]), None);
        assert_eq!(non_finite(&beats, &[1.0, f64::INFINITY, 1e9, f64::NAN]), 1);
        assert_eq!(non_finite(&beats, &[0.0; 4]), 2);
        assert_eq!(max_rel_err(&[bits(0.0), bits(4.0)], &[2f64.powi(-26), 4.0]), Some(2f64.powi(-28)));
    }
}
