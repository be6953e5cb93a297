//! `eva completions`: what a shell needs to complete the command line.

use clap::Command;
use clap_complete::{Shell, generate};
use serde_json::json;

use super::{Failure, terminal};

/// Print the completions of a shell
///
/// For every command, flag and value that has a name. Shells read them from the files in the examples, in new sessions: bash with its package
/// bash-completion installed; zsh from any folder in $fpath, which is set before compinit in ~/.zshrc.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva completions bash > eva        # into ~/.local/share/bash-completion/completions
  eva completions zsh > _eva        # into a folder of $fpath
  eva completions fish > eva.fish   # into ~/.config/fish/completions")]
pub struct Args {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// `command` is the whole command line.
pub fn run(args: &Args, mut command: Command, json: bool) -> Result<(), Failure> {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    generate(args.shell, &mut command, name, &mut script);
    let script = String::from_utf8(script).expect("what clap is told is UTF-8");
    if json {
        return terminal::print_json(&json!({ "shell": args.shell.to_string(), "script": script }));
    }
    terminal::print(&script)
}
