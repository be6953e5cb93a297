//! `eva man`: manual pages.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Command;
use clap_mangen::Man;
use serde_json::json;

use super::Failure;
use super::output::Output;
use super::terminal::{self, count};

/// Print the manual page of a command, or write those of all commands
///
/// The pages say what --help says, in the form that `man` reads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva man cosim > eva-cosim.1   # then: man ./eva-cosim.1
  eva man --out man1            # in ~/.local/share/man/man1, `man eva` finds them")]
pub struct Args {
    /// The command whose page is printed; without one, the page of `eva` itself
    #[arg(value_name = "COMMAND", conflicts_with = "out")]
    command: Option<String>,
    /// Folder to write the pages of all commands to; made if it does not exist
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// A manual page.
struct Page {
    /// Of its file.
    name: String,
    text: String,
}

impl Page {
    fn of(command: &Command) -> Self {
        let page = Man::new(command.clone()).source(concat!("eva ", env!("CARGO_PKG_VERSION")));
        let mut text = Vec::new();
        page.render(&mut text).expect("a vector takes whatever is written to it");
        let text = String::from_utf8(text).expect("what clap is told is UTF-8");
        Self { name: page.get_filename(), text: with_usage(&with_examples(&text), command) }
    }
}

/// The synopsis as the help has it: with the values of flags, and those that exclude each other.
fn with_usage(page: &str, command: &Command) -> String {
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage:").trim().replace('\\', "\\e").replace('-', "\\-");
    let start = page.find(SYNOPSIS).expect("pages have a synopsis") + SYNOPSIS.len();
    let end = start + page[start..].find(".SH ").expect("a synopsis is followed by the description");
    format!("{}{usage}\n{}", &page[..start], &page[end..])
}

/// Heading of the synopsis.
const SYNOPSIS: &str = ".SH SYNOPSIS\n";

/// Examples as a section of that name, with their lines as they are, to be copied; what stands before them as notes.
fn with_examples(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    let (extra, after) = extra.split_at(extra.find(".SH ").unwrap_or(extra.len()));
    let Some((notes, examples)) = extra.split_once("Examples:\n") else { return page.to_owned() };
    let notes = if notes.trim().is_empty() { String::new() } else { format!(".SH NOTES\n{}\n", notes.trim()) };
    format!("{before}{notes}.SH EXAMPLES\n.nf\n{}\n.fi\n{after}", examples.trim_end())
}

/// `whole` is the whole command line.
pub fn run(args: &Args, whole: Command, json: bool) -> Result<(), Failure> {
    // `help` does nothing that a page could tell of.
    let mut whole = whole.disable_help_subcommand(true);
    // Gives subcommands their global flags and the names of their pages.
    whole.build();
    let Some(folder) = &args.out else {
        let of =
            args.command.as_deref().map(|name| whole.find_subcommand(name).expect("the parser knows the commands"));
        let page = Page::of(of.unwrap_or(&whole));
        return match json {
            true => terminal::print_json(&json!({ "page": page.name, "text": page.text })),
            false => terminal::print(&page.text),
        };
    };
    let pages: Vec<Page> = std::iter::once(&whole).chain(whole.get_subcommands()).map(Page::of).collect();
    let mut output = Output::open(folder)?;
    for page in &pages {
        output.write(&page.name, &page.text)?;
    }
    output.complete(&BTreeSet::new())?;
    if json {
        let names: Vec<_> = pages.iter().map(|page| &page.name).collect();
        return terminal::print_json(&json!({ "out": folder.to_string_lossy(), "pages": names }));
    }
    terminal::print(&format!("{} in {}", count(pages.len(), "page"), folder.display()))
}
