//! External tools of the tests: found through an environment variable, `.tools/` (made by `scripts/setup`) or `PATH`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The command for `verilator` (`EVA_VERILATOR`), `iverilog` (`EVA_IVERILOG`) or `python` (`EVA_PYTHON`, with pyosys,
/// pyslang and cocotb).
pub fn command(tool: &str) -> Command {
    let (variable, local) = match tool {
        "verilator" => ("EVA_VERILATOR", "bin/verilator"),
        "iverilog" => ("EVA_IVERILOG", "bin/iverilog"),
        "python" => ("EVA_PYTHON", "bin/python"),
        _ => panic!("no tool called {tool}"),
    };
    let local = Path::new(env!("CARGO_MANIFEST_DIR")).join(".tools").join(local);
    let path = std::env::var_os(variable).map(PathBuf::from);
    Command::new(path.or_else(|| local.exists().then_some(local)).unwrap_or_else(|| tool.into()))
}

/// The same command with signals that do what they do by default: whoever runs the tests in the background may have had
/// them ignored.
pub fn with_signals(command: &Command) -> Command {
    let mut whole = Command::new("env");
    whole.arg("--default-signal=HUP,INT,TERM").arg(command.get_program()).args(command.get_args());
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => whole.env(name, value),
            None => whole.env_remove(name),
        };
    }
    if let Some(folder) = command.get_current_dir() {
        whole.current_dir(folder);
    }
    whole
}

/// Runs the command; a tool that is missing is a failure that says what to do.
pub fn run(command: &mut Command) -> Output {
    command.output().unwrap_or_else(|e| {
        panic!(
            "cannot run {}: {e}; run scripts/setup, which installs the tools of the tests",
            command.get_program().display()
        )
    })
}

/// Runs the command and fails unless it exits with 0 and, if `must_be_silent`, prints nothing.
pub fn expect_success(what: &str, command: &mut Command, must_be_silent: bool) {
    let output = run(command);
    let text = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let is_quiet = !must_be_silent || text.trim().is_empty();
    assert!(output.status.success() && is_quiet, "{what}: {}\n{text}", output.status);
}
