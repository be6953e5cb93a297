//! Subcommands, one file each, and what they share: core parameters, output folders, exit codes.

mod batch;
mod clock;
mod completions;
mod core_args;
mod cosim;
mod dump;
mod estimate;
mod failure;
mod generate;
mod inspect;
mod layers;
mod man;
mod manifest;
mod npy;
mod output;
mod pack;
mod presets;
mod result_file;
mod sources;
mod staging;
mod synth;
mod synth_table;
mod terminal;
mod values;
mod workload;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};

use eva_rtl::config::nearest;
pub use failure::Failure;
use terminal::Notice;

/// Generates and verifies EVA cores: hardware that decodes vector-quantised language models.
#[derive(Parser)]
#[command(name = "eva", version, after_help = AFTER_HELP)]
struct Cli {
    /// Print results as JSON
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

const AFTER_HELP: &str = "\
Exit codes: 0 fine, 1 a check failed, 2 wrong use or bad input, 3 a needed tool is missing; 128 and more by a signal, 130 interrupted.

Examples:
  eva cosim --preset small --random 1024,1024
  eva cosim --preset small --int8 128,1024,64
  eva estimate --model llama-2-7b
  eva generate --rows 16 --index-bits 6 --out build/core
  eva inspect model.safetensors
  eva pack --random-block llama-2-7b --out build/program
  eva presets
  eva synth --preset small --clock 10ns
  eva completions bash > eva.bash
  eva man --out man1";

#[derive(Subcommand)]
enum Command {
    Completions(completions::Args),
    // Boxed, because they have many more flags than the others.
    Cosim(Box<cosim::Args>),
    Estimate(estimate::Args),
    Generate(generate::Args),
    Inspect(inspect::Args),
    Man(man::Args),
    Pack(Box<pack::Args>),
    Presets(presets::Args),
    Synth(Box<synth::Args>),
}

/// The error, with the command that was likely meant where clap suggests none: after `help`.
fn with_suggestion(mut error: clap::Error) -> clap::Error {
    if let Some(ContextValue::String(name)) = error.get(ContextKind::InvalidSubcommand)
        && error.get(ContextKind::SuggestedSubcommand).is_none()
        && let Some(near) = nearest(name, command().get_subcommands().map(clap::Command::get_name))
    {
        error.insert(ContextKind::SuggestedSubcommand, ContextValue::Strings(vec![near]));
    }
    error
}

/// The whole command line.
fn command() -> clap::Command {
    values::described(Cli::command())
}

/// The command line as it was given.
fn given() -> Result<Cli, clap::Error> {
    let matches = command().try_get_matches()?;
    Cli::from_arg_matches(&matches)
}

/// Does what the command line asks; every error ends here, as one message and an exit code.
pub fn run() -> ExitCode {
    let cli = given().unwrap_or_else(|error| with_suggestion(error).exit());
    staging::clean_up_when_ended();
    let result = match cli.command {
        Command::Completions(args) => completions::run(&args, command(), cli.json),
        Command::Cosim(args) => cosim::run(&args, cli.json),
        Command::Estimate(args) => estimate::run(&args, cli.json),
        Command::Generate(args) => generate::run(&args, cli.json),
        Command::Inspect(args) => inspect::run(&args, cli.json),
        Command::Man(args) => man::run(&args, command(), cli.json),
        Command::Pack(args) => pack::run(&args, cli.json),
        Command::Presets(args) => presets::run(&args, cli.json),
        Command::Synth(args) => synth::run(&args, cli.json),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            // Whatever a message quotes, its lines are all that a terminal sees of it.
            terminal::tell(Notice::Error, &terminal::harmless_lines(&failure.to_string()));
            failure.exit_code()
        }
    }
}
