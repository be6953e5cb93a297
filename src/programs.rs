//! Finding and asking programs that others install.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The program to use: the one that the environment variable `variable` names, otherwise the first of [`candidates`]
/// that `probe` takes. The error says what was wrong with each.
pub(crate) fn find<T>(variable: &str, name: &str, probe: impl Fn(&Path) -> Result<T, String>) -> Result<T, String> {
    if let Some(path) = env::var_os(variable) {
        return probe(Path::new(&path)).map_err(|problem| format!("{variable}: {problem}"));
    }
    let mut problems = Vec::new();
    for candidate in candidates(name) {
        match probe(&candidate) {
            Ok(found) => return Ok(found),
            Err(problem) => problems.push(problem),
        }
    }
    Err(match problems.is_empty() {
        true => format!("was not found in {variable}, PATH or .tools/bin of this folder and its parents"),
        false => problems.join("; "),
    })
}

/// Existing files called `name` in `PATH` and in `.tools/bin` of the current folder and its parents, in order.
pub(crate) fn candidates(name: &str) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        env::var_os("PATH").map(|path| env::split_paths(&path).collect()).unwrap_or_default();
    if let Ok(current) = env::current_dir() {
        folders.extend(current.ancestors().map(|folder| folder.join(".tools/bin")));
    }
    folders.into_iter().map(|folder| folder.join(name)).filter(|path| path.is_file()).collect()
}

/// How to get a program: in a clone of this project, which the current folder is in, by its script; elsewhere `otherwise` alone.
pub(crate) fn how_to_install(otherwise: &str) -> String {
    match is_in_clone() {
        true => format!("{SETUP}   (or: {otherwise})"),
        false => otherwise.to_owned(),
    }
}

/// The script of this project that installs tools.
pub(crate) const SETUP: &str = "scripts/setup";

/// Whether [`SETUP`] is at hand: in the current folder or one of its parents, beside what makes it the script of this project.
pub(crate) fn is_in_clone() -> bool {
    let current = env::current_dir().unwrap_or_default();
    let is_clone = |folder: &Path| folder.join(SETUP).is_file() && folder.join("src/hdl").is_dir();
    current.ancestors().any(is_clone)
}

/// The program's path for a process that runs in a folder of its own, where a relative one would mean something else.
pub(crate) fn absolute(path: &Path) -> PathBuf {
    let has_folder = path.components().count() > 1;
    has_folder.then(|| std::path::absolute(path).ok()).flatten().unwrap_or_else(|| path.to_owned())
}

/// What a program answers to these arguments; the error names the program.
pub(crate) fn ask(path: &Path, arguments: &[&str]) -> Result<String, String> {
    let say = |what: String| format!("{} {what}", path.display());
    let output = Command::new(path).args(arguments).stdin(Stdio::null()).output();
    let output = output.map_err(|error| say(format!("cannot be run: {error}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned());
    }
    let stderr = String::from_utf8_lossy(&output.stderr);
    Err(say(format!("does not work: {}", stderr.lines().next().unwrap_or("no message"))))
}
