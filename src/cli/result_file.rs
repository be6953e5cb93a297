//! Single result files, which appear when they are complete.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::output::{OutputError, describe};
use super::staging::Staging;

/// Where a result asked for by name really goes.
#[derive(Debug, PartialEq, Eq)]
pub enum Destination {
    /// Standard output of this process.
    Stdout,
    /// A pipe, a device or the like: what is there receives the result, and stays what it is.
    Through(PathBuf),
    /// A file that the result replaces; a symbolic link has been followed to what it points to.
    Replace(PathBuf),
}

impl Destination {
    /// Links followed before a path is taken to lead nowhere, as Linux does.
    const MAX_LINKS: usize = 40;
    /// Names of standard output as a file.
    const STDOUT: [&str; 4] = ["-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

    /// What is to be done with a result called `path`.
    pub fn of(path: &Path) -> Self {
        let mut target = path.to_owned();
        for _ in 0..Self::MAX_LINKS {
            if Self::STDOUT.iter().any(|name| target == Path::new(name)) {
                return Self::Stdout;
            }
            if fs::metadata(&target).is_ok_and(|found| !found.is_file()) {
                return Self::Through(path.to_owned());
            }
            match fs::read_link(&target) {
                // A relative link is relative to the folder it is in.
                Ok(next) => target = folder_of(&target).join(next),
                Err(_) => return Self::Replace(target),
            }
        }
        Self::Through(path.to_owned())
    }
}

/// The one path, without links, of a file or folder that may not exist yet.
pub fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = path.ancestors().find_map(|ancestor| Some((ancestor, ancestor.canonicalize().ok()?)));
    match found {
        // Without the `/` that an empty rest would append.
        Some((ancestor, real)) if ancestor == path => real,
        Some((ancestor, real)) => real.join(path.strip_prefix(ancestor).unwrap_or(Path::new(""))),
        None => path,
    }
}

/// The folder that a file is in, or is to be in.
fn folder_of(file: &Path) -> &Path {
    let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new("."))
}

/// A single result file; it appears when it is complete.
pub struct ResultFile {
    /// As the user named it.
    path: PathBuf,
    destination: Destination,
    /// In the folder of the destination, so that moving the result there is a rename.
    staging: Option<Staging>,
}

impl ResultFile {
    /// Makes sure that `path` can be written, before the work whose result it is to hold. `-` is standard output.
    pub fn open(path: &Path) -> Result<Self, OutputError> {
        let refusal = |reason: &str| OutputError::new(path, reason);
        if path.is_dir() {
            return Err(refusal("it is a folder"));
        }
        let destination = Destination::of(path);
        let staging = match &destination {
            Destination::Stdout | Destination::Through(_) => None,
            Destination::Replace(target) => {
                let folder = folder_of(target);
                if !folder.is_dir() {
                    return Err(refusal(&format!("there is no folder {}", folder.display())));
                }
                Some(Staging::within(folder).map_err(|error| refusal(&describe(&error)))?)
            }
        };
        Ok(Self { path: path.to_owned(), destination, staging })
    }

    /// Whether the result goes where everything else is printed.
    pub fn is_stdout(&self) -> bool {
        self.destination == Destination::Stdout
    }

    /// The file to write now. Where nothing can be staged it is the destination itself.
    pub fn staged(&self) -> PathBuf {
        match &self.staging {
            Some(staging) => staging.path().join("result"),
            None => self.path.clone(),
        }
    }

    /// Lets what is in [`staged`](Self::staged) appear under its name.
    pub fn complete(self) -> Result<(), OutputError> {
        let Destination::Replace(target) = &self.destination else {
            return Ok(());
        };
        fs::rename(self.staged(), target).map_err(|error| OutputError::new(&self.path, &describe(&error)))
    }

    /// Writes all of it; [`complete`](Self::complete) lets it appear.
    pub fn write(&self, contents: impl AsRef<[u8]>) -> Result<(), OutputError> {
        let written = match self.destination {
            Destination::Stdout => io::stdout().write_all(contents.as_ref()).and_then(|()| io::stdout().flush()),
            _ => fs::write(self.staged(), contents),
        };
        written.map_err(|error| OutputError::new(&self.path, &describe(&error)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_standard_output_are_known() {
        for name in Destination::STDOUT {
            assert_eq!(Destination::of(Path::new(name)), Destination::Stdout, "{name}");
        }
        assert_eq!(Destination::of(Path::new("./-")), Destination::Replace("./-".into()));
    }
}
