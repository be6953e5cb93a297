//! Which folder of `src` may use which: the table in CONTRIBUTING.md, and what the code does.

use std::collections::{BTreeMap, BTreeSet};

use super::{files_below, read};

/// The words in backticks.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

#[test]
fn rooms_use_what_they_may() {
    let page = read("CONTRIBUTING.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `src/"));
    let allowed: BTreeMap<&str, BTreeSet<&str>> = rows
        .filter(|row| !row.contains("| all |"))
        .map(|row| (row.split('`').next().unwrap(), quoted(row.rsplit(" | ").next().unwrap()).collect()))
        .collect();
    let sources = files_below("src").into_iter().filter(|file| file.ends_with(".rs"));
    let mut used: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for file in sources {
        let Some((room, _)) = file.strip_prefix("src/").and_then(|path| path.split_once('/')) else { continue };
        let names = used.entry(room.to_owned()).or_default();
        for rest in read(&file).split("crate::").skip(1) {
            let end = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
            names.insert(rest[..end].to_owned());
        }
    }
    // The program is a crate of its own.
    used.remove("cli");
    assert!(used.keys().eq(allowed.keys()), "{:?} and {:?}", used.keys(), allowed.keys());
    for (room, names) in &used {
        let others = names.iter().map(String::as_str).filter(|name| name != room && used.contains_key(*name));
        let others: BTreeSet<&str> = others.collect();
        assert_eq!(others, allowed[room.as_str()], "what src/{room} uses, and may use");
    }
}
