//! Output folders that are either completely new or untouched.
//!
//! Files are staged in a temporary folder inside the destination, so that moving them into place is a rename on one
//! file system. Nothing visible changes before everything is staged.

use std::collections::BTreeSet;
use std::fs::{self, FileType};
use std::io;
use std::path::{Component, Path, PathBuf};

use thiserror::Error;

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
        let refusal = |reason: &str| Err(OutputError::new(folder, reason));
        if folder.as_os_str() == "-" {
            return refusal("this is not for standard output; name a folder");
        }
        if folder.is_symlink() && !folder.exists() {
            return refusal("it is a link to something that does not exist");
        }
        if folder.exists() && !folder.is_dir() {
            return refusal("it is not a folder");
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
    /// written this time. A link in the place of a file is replaced, and what it points to left alone; links in the places of folders are refused,
    /// so that nothing outside of the folder changes.
    pub fn complete(self, stale: &BTreeSet<PathBuf>) -> Result<(), OutputError> {
        // Most of what could stop the moves halfway is found before the first of them.
        for file in &self.files {
            match self.kind_of(file) {
                Some(kind) if kind.is_dir() => return Err(self.refusal(file, "there is a folder of that name")),
                Some(kind) if !kind.is_file() && !kind.is_symlink() => {
                    return Err(self.refusal(file, "there is something of that name that is no file"));
                }
                _ => {}
            }
            for parent in folders_of(file) {
                match self.kind_of(parent) {
                    Some(kind) if kind.is_symlink() => {
                        return Err(self.refusal(parent, "it is a link; remove it or name another folder"));
                    }
                    Some(kind) if !kind.is_dir() => return Err(self.refusal(parent, "it is not a folder")),
                    _ => {}
                }
            }
        }
        let moving = uninterrupted();
        for file in &self.files {
            let target = self.folder.join(file);
            target
                .parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::rename(self.staged(file), &target))
                .map_err(|error| self.refusal(file, &describe(&error)))?;
        }
        for file in stale {
            let reached_by_link = folders_of(file).any(|parent| self.folder.join(parent).is_symlink());
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

    /// What there is at the relative path `name`, if anything; links are not followed.
    fn kind_of(&self, name: &Path) -> Option<FileType> {
        self.folder.join(name).symlink_metadata().ok().map(|found| found.file_type())
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

/// The folders on the way to the relative path of a file, innermost first.
fn folders_of(file: &Path) -> impl Iterator<Item = &Path> {
    file.ancestors().skip(1).filter(|folder| !folder.as_os_str().is_empty())
}

/// Whether a relative path cannot lead out of the folder it is relative to.
fn stays_inside(path: &Path) -> bool {
    path.components().all(|component| matches!(component, Component::Normal(_)))
}
