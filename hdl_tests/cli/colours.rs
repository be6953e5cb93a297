//! Colours only where they can be seen and are wanted.

use std::process::Command;

use assert_cmd::cargo::cargo_bin;

/// Runs the program, on a terminal or into pipes; all that it writes, to whatever stream.
fn written(args: &str, on_terminal: bool, environment: &[(&str, &str)]) -> String {
    let eva = cargo_bin("eva");
    let line = format!("{} {args} 2>&1", eva.display());
    let mut command = match on_terminal {
        // Gives the program a terminal of its own; the exit code is not of interest.
        true => Command::new("script"),
        false => Command::new("sh"),
    };
    match on_terminal {
        true => command.args(["-qc", &line, "/dev/null"]),
        false => command.args(["-c", &line]),
    };
    for variable in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "CI"] {
        command.env_remove(variable);
    }
    command.env("TERM", "xterm-256color").envs(environment.iter().copied());
    let output = command.stdin(std::process::Stdio::null()).output().expect("`script` is part of every Debian");
    String::from_utf8(output.stdout).expect("output is UTF-8")
}

/// Sequences that set colours or weights.
fn is_coloured(text: &str) -> bool {
    let sequences = text.split("\x1b[").skip(1);
    sequences
        .map(|rest| rest.trim_start_matches(|char: char| char.is_ascii_digit() || char == ';'))
        .any(|rest| rest.starts_with('m'))
}

/// Help, an error of the command line, and one of ours.
const COLOURED: [&str; 3] = ["presets --help", "presets --sow", "cosim --weights nothing.safetensors --prefix a"];
/// Results, and work with a meter.
const PLAIN: [&str; 3] = ["presets", "estimate --model llama-2-7b", "cosim --preset tiny --random 64,16"];

#[test]
fn colours_are_for_terminals() {
    for args in COLOURED {
        assert!(is_coloured(&written(args, true, &[])), "{args}");
        let text = written(args, false, &[]);
        assert!(!text.is_empty() && !text.contains('\x1b'), "{args}: {text:?}");
    }
}

#[test]
fn colours_can_be_refused_and_forced() {
    for args in COLOURED.into_iter().chain(PLAIN) {
        for refusal in [("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb")] {
            let text = written(args, true, &[refusal]);
            assert!(!text.is_empty() && !is_coloured(&text), "{args} with {refusal:?}: {text:?}");
        }
    }
    for args in COLOURED {
        assert!(is_coloured(&written(args, false, &[("CLICOLOR_FORCE", "1")])), "{args}");
        assert!(!is_coloured(&written(args, false, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])), "{args}");
    }
}

#[test]
fn tables_and_meters_have_no_colours() {
    for args in PLAIN {
        let text = written(args, true, &[]);
        assert!(!text.is_empty() && !is_coloured(&text), "{args}: {text:?}");
    }
}

#[test]
fn a_dumb_terminal_is_written_to_in_lines() {
    for args in COLOURED.into_iter().chain(PLAIN) {
        let text = written(args, true, &[("TERM", "dumb")]);
        let text = text.replace("\r\n", "\n");
        assert!(!text.contains(['\x1b', '\r']), "{args}: {text:?}");
    }
    // There is something to see otherwise.
    let bar = written("cosim --preset small --random 1024,1024", true, &[]);
    assert!(bar.contains("simulating") && bar.contains("\x1b["), "{bar:?}");
}
