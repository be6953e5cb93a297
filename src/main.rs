//! The command line: see `eva --help`.

mod cli;

fn main() -> std::process::ExitCode {
    cli::run()
}
