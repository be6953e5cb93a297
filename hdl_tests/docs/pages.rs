//! Commands in README.md, CONTRIBUTING.md and docs/.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::commands::{Example, assert_exact, execute, parses};
use super::not_run::{NOT_RUN, Place};
use super::scratch::Scratch;

/// All pages with commands, in order.
fn pages() -> Vec<(PathBuf, String)> {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files: Vec<PathBuf> = [project.to_owned(), project.join("docs")]
        .iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    files.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    files.sort();
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// What is in the fenced blocks that are for a shell.
fn blocks(page: &str) -> impl Iterator<Item = &str> {
    let fenced = page.split("\n```sh\n").skip(1);
    fenced.map(|rest| rest.split_once("\n```").expect("the block has an end").0)
}

/// Every command of every page, in the order of the page and in a folder that the page has for itself, but those in [`NOT_RUN`].
#[test]
fn commands_on_pages_work() {
    let pages = pages();
    let results: Vec<(usize, BTreeSet<String>)> = std::thread::scope(|scope| {
        let runs: Vec<_> = pages
            .iter()
            .map(|(path, page)| {
                scope.spawn(move || {
                    let scratch = Scratch::new();
                    let mut examples = 0;
                    let mut not_run = BTreeSet::new();
                    for block in blocks(page) {
                        let block = Example::all(block);
                        examples += block.len();
                        not_run.extend(execute(&block, &scratch));
                    }
                    println!("{}: {examples} commands, {} of them not run", path.display(), not_run.len());
                    (examples, not_run)
                })
            })
            .collect();
        runs.into_iter().map(|run| run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
    });
    let examples: usize = results.iter().map(|(examples, _)| examples).sum();
    assert!(examples >= 70, "{examples} commands");
    let not_run = results.into_iter().flat_map(|(_, not_run)| not_run).collect();
    assert_exact(&not_run, &NOT_RUN.on(Place::Page));
}

/// Commands within sentences and tables, as far as they are complete.
#[test]
fn commands_in_sentences_have_flags_that_exist() {
    let scratch = Scratch::new();
    let mut checked = 0;
    for (path, page) in pages() {
        let prose: String = page.split("\n```").step_by(2).collect();
        let quoted = prose.split('`').skip(1).step_by(2);
        for command in quoted.filter(|quoted| quoted.starts_with("eva ") && quoted.contains("--")) {
            // `--random K,N` is for the reader to fill in.
            let is_complete = |word: &str| !word.starts_with(|first: char| first.is_ascii_uppercase()) && word != "...";
            if command.split(' ').all(is_complete) {
                match parses(command, &scratch) {
                    // What ends with a flag names just that.
                    Err(message) if !message.contains("a value is required for") => {
                        panic!("{}: {command}: {message}", path.display())
                    }
                    _ => {}
                }
                checked += 1;
            }
        }
    }
    assert!(checked >= 5, "{checked} commands");
}
