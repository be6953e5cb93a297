//! `eva man`: manual pages.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Command;
use clap_mangen::Man;
use eva_rtl::config::nearest;
use serde_json::json;

use super::output::Output;
use super::{Failure, terminal};

/// Print the manual page of a command, or write those of all commands
///
/// The pages say what --help says, in the form that `man` reads.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  eva man cosim > eva-cosim.1            # then `man ./eva-cosim.1`
  eva man --out man1                     # eva.1, eva-cosim.1 and so on; in ~/.local/share/man/man1, `man eva` finds them")]
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
        Self { name: page.get_filename(), text: with_examples(&text) }
    }
}

/// Examples as a section of that name, with their lines as they are, to be copied; what stands before them as notes.
fn with_examples(page: &str) -> String {
    let Some((before, extra)) = page.split_once(".SH EXTRA\n") else { return page.to_owned() };
    let (extra, after) = extra.split_at(extra.find(".SH ").unwrap_or(extra.len()));
    let Some((notes, examples)) = extra.split_once("Examples:\n") else { return page.to_owned() };
    let notes = if notes.trim().is_empty() { String::new() } else { format!(".SH NOTES\n{}\n", notes.trim()) };
    format!("{before}{notes}.SH EXAMPLES\n.nf\n{}\n.fi\n{after}", examples.trim_end())
}

/// `whole` is the whole command line.
pub fn run(args: &Args, mut whole: Command, json: bool) -> Result<(), Failure> {
    // Gives subcommands their global flags and the names of their pages.
    whole.build();
    let Some(folder) = &args.out else {
        let page = Page::of(args.command.as_deref().map_or(Ok(&whole), |name| subcommand(&whole, name))?);
        return match json {
            true => terminal::print_json(&json!({ "page": page.name, "text": page.text })),
            false => terminal::print(&page.text),
        };
    };
    let pages: Vec<Page> = std::iter::once(&whole).chain(subcommands(&whole)).map(Page::of).collect();
    let mut output = Output::open(folder)?;
    for page in &pages {
        output.write(&page.name, &page.text)?;
    }
    output.complete(&BTreeSet::new())?;
    if json {
        let names: Vec<_> = pages.iter().map(|page| &page.name).collect();
        return terminal::print_json(&json!({ "out": folder.to_string_lossy(), "pages": names }));
    }
    terminal::print(&format!("{} pages in {}", pages.len(), folder.display()))
}

/// Those that do something of their own.
fn subcommands(whole: &Command) -> impl Iterator<Item = &Command> {
    whole.get_subcommands().filter(|command| command.get_name() != "help")
}

fn subcommand<'a>(whole: &'a Command, name: &str) -> Result<&'a Command, Failure> {
    subcommands(whole).find(|command| command.get_name() == name).ok_or_else(|| {
        let names: Vec<&str> = subcommands(whole).map(Command::get_name).collect();
        let hint = match nearest(name, names.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("the commands are {}", names.join(", ")),
        };
        Failure::BadInput(format!("there is no command `{name}`; {hint}"))
    })
}
