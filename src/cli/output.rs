//! Output folders that are either completely new or untouched.
//!
//! Files are staged in a temporary folder inside the destination, so that moving them into place is a rename on one
//! file system. Nothing visible changes before everything is staged.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

use super::result_file::put;
use super::staging::{Staging, uninterrupted};

#[derive(Debug, Error)]
#[error("cannot write to {}: {reason}", .path.display())]
pub struct OutputError {
    /// The folder or file asked for.
    path: PathBuf,
    reason: String,
}

impl OutputError {
    /// `path`, as the user named it, cannot be written because of `reason`.
    pub fn new(path: &Path, reason: &str) -> Self {
        Self { path: path.to_owned(), reason: reason.to_owned() }
    }
}

/// A folder of generated files being put together.
pub struct Output {
    folder: PathBuf,
    staging: Staging,
    /// Relative paths, in the order in which they are to appear.
    files: Vec<PathBuf>,
}

impl Output {
    /// Opens `folder`, which is made if it does not exist.
    pub fn open(folder: &Path) -> Result<Self, OutputError> {
        if folder.exists() && !folder.is_dir() {
            return Err(OutputError::new(folder, "it is not a folder"));
        }
        let staging = Staging::within_new(folder).map_err(|error| OutputError::new(folder, &describe(&error)))?;
        Ok(Self { folder: folder.to_owned(), staging, files: Vec::new() })
    }

    /// Adds the file at the relative path `name`.
    pub fn write(&mut self, name: &str, contents: impl AsRef<[u8]>) -> Result<(), OutputError> {
        let path = self.staged(Path::new(name));
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, contents))
            .map_err(|error| self.refusal(Path::new(name), &describe(&error)))?;
        self.files.push(name.into());
        Ok(())
    }

    /// Moves everything into place, in the order written, and then removes those files of `stale` that were not
    /// written this time.
    pub fn complete(self, stale: &BTreeSet<PathBuf>) -> Result<(), OutputError> {
        // Most of what could stop the moves halfway is found before the first of them.
        for file in &self.files {
            let target = self.folder.join(file);
            if target.is_dir() {
                return Err(self.refusal(file, "there is a folder of that name"));
            }
            let parent = target.parent().unwrap_or(&self.folder);
            if parent.exists() && !parent.is_dir() {
                let name = parent.strip_prefix(&self.folder).unwrap_or(parent);
                return Err(self.refusal(name, "it is not a folder"));
            }
        }
        let moving = uninterrupted();
        for file in &self.files {
            let target = self.folder.join(file);
            target
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| put(&self.staged(file), &target))
                .map_err(|error| self.refusal(file, &describe(&error)))?;
        }
        for file in stale {
            let linked = |path: &Path| self.folder.join(path).is_symlink();
            let reached_by_link = file.ancestors().skip(1).any(linked);
            if !self.files.contains(file) && stays_inside(file) && !reached_by_link {
                // A file that the user removed already is as good as removed, and a folder goes only if it is empty.
                let _ = fs::remove_file(self.folder.join(file));
                let parent = file.parent().filter(|parent| !parent.as_os_str().is_empty());
                let _ = parent.map(|parent| fs::remove_dir(self.folder.join(parent)));
            }
        }
        drop(moving);
        self.staging.complete();
        Ok(())
    }

    fn staged(&self, name: &Path) -> PathBuf {
        self.staging.path().join(name)
    }

    fn refusal(&self, name: &Path, reason: &str) -> OutputError {
        OutputError::new(&self.folder.join(name), reason)
    }
}

/// What the operating system said.
pub fn describe(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(_) => error.to_string(),
        // An error of tempfile, whose text names the temporary folder, which says nothing to a user.
        None => error.kind().to_string(),
    }
}

/// Whether a relative path cannot lead out of the folder it is relative to.
fn stays_inside(path: &Path) -> bool {
    path.components().all(|component| matches!(component, Component::Normal(_)))
}
