//! The stimulus of a run and what is to come of it, as text for testbenches in other languages.

use std::collections::BTreeSet;
use std::fmt::Write;

use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::Command;

use super::output::{Output, OutputError};
use super::workload::Workload;

const COMMANDS: &str = "commands.hex";
const WEIGHTS: &str = "weights.hex";
const ACTIVATIONS: &str = "activations.hex";
const OUTPUTS: &str = "outputs.hex";
const STATUSES: &str = "statuses.hex";

/// Names of the files in the folder.
pub const FILES: [&str; 5] = [COMMANDS, WEIGHTS, ACTIVATIONS, OUTPUTS, STATUSES];

/// Writes one file for each stream: a beat per line, as `$readmemh` reads it.
pub fn write(mut output: Output, workload: &Workload, config: &CoreConfig) -> Result<(), OutputError> {
    let (w_bits, x_bits) = (config.stream.width, config.x_width());
    let commands: Vec<u8> = workload.commands.iter().flat_map(|command| command.bits).collect();
    output.write(COMMANDS, beats("s_axis_cmd", 128, &commands))?;
    output.write(WEIGHTS, beats("s_axis_w", w_bits, &workload.weights))?;
    output.write(ACTIVATIONS, beats("s_axis_x", x_bits, &workload.activations))?;
    output.write(OUTPUTS, outputs(&workload.commands))?;
    output.write(STATUSES, statuses(&workload.commands))?;
    output.complete(&BTreeSet::new())
}

/// Beats of `bits` each for an input of the core.
fn beats(stream: &str, bits: u32, data: &[u8]) -> String {
    let beats = data.chunks_exact((bits / 8) as usize);
    let mut text = header(stream, "to be offered", bits, beats.len(), "");
    for beat in beats {
        for byte in beat.iter().rev() {
            push(&mut text, format_args!("{byte:02x}"));
        }
        text.push('\n');
    }
    text
}

fn outputs(commands: &[Command]) -> String {
    let count = commands.iter().map(|command| command.outputs.len()).sum();
    let note = "// Lines that end in `// tlast` are beats with tlast, the last ones of their commands.\n";
    let mut text = header("m_axis_y", "expected", 32, count, note);
    for command in commands {
        for (index, value) in command.outputs.iter().enumerate() {
            let last = if index + 1 == command.outputs.len() { " // tlast" } else { "" };
            push(&mut text, format_args!("{value:08x}{last}\n"));
        }
    }
    text
}

fn statuses(commands: &[Command]) -> String {
    let note =
        "// These are bits 31:0 of the 64: tag, status, opcode. Bits 63:32 are the cycles that the command took.\n";
    let mut text = header("m_axis_sts", "expected", 32, commands.len(), note);
    for command in commands {
        push(&mut text, format_args!("{:04x}{:02x}{:02x}\n", command.tag(), command.status, command.opcode()));
    }
    text
}

fn header(stream: &str, role: &str, bits: u32, count: usize, note: &str) -> String {
    format!(
        "// {stream}: {count} beats {role}, one per line, the first one first, {bits} bits of tdata as {} hexadecimal digits,\n\
         // the most significant one first. Read it with $readmemh. The streams are described in docs/interface.md.\n{note}",
        bits / 4
    )
}

fn push(text: &mut String, what: std::fmt::Arguments) {
    text.write_fmt(what).expect("writing to a string does not fail");
}
