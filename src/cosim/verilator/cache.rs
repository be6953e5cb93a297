//! Compiled models, kept by content so that each is built once per machine.
//!
//! Every entry appears under its final name by a rename, complete. Whoever builds one holds its lock file, so that a
//! second process (or thread) that needs the same entry waits instead of building it again. The folder may be deleted
//! at any time when no build is running.

use std::env;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Duration;

use tempfile::TempDir;

use crate::cosim::CosimError;

pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// In `folder`, else in that of [`crate::cache::root`]; created if needed.
    pub(super) fn open(folder: Option<&Path>) -> Result<Self, CosimError> {
        let root = folder.map(Path::to_owned).or_else(crate::cache::root).ok_or_else(|| {
            CosimError::Model(
                "no folder for compiled models: neither EVA_CACHE, XDG_CACHE_HOME nor HOME is set; set EVA_CACHE"
                    .into(),
            )
        })?;
        let folder = root.join("verilator");
        fs::create_dir_all(&folder).map_err(CosimError::io("create", &folder))?;
        let folder = fs::canonicalize(&folder).map_err(CosimError::io("open", &folder))?;
        Ok(Self { folder })
    }

    /// Where the entry `name` is once it is complete.
    pub(super) fn entry(&self, name: &str) -> PathBuf {
        self.folder.join(name)
    }

    /// Waits until nobody else builds the entry `name`; the lock lasts as long as the returned file.
    pub(super) fn lock(&self, name: &str) -> Result<File, CosimError> {
        let path = self.folder.join(format!("{name}.lock"));
        let file = File::create(&path).map_err(CosimError::io("create", &path))?;
        file.lock().map_err(CosimError::io("lock", &path))?;
        Ok(file)
    }

    /// A folder to build in, deleted when dropped.
    pub(super) fn scratch(&self) -> Result<TempDir, CosimError> {
        self.sweep();
        // GNU Make cannot work in a path with spaces.
        let spaced = self.folder.to_string_lossy().contains(char::is_whitespace);
        let parent = if spaced { env::temp_dir() } else { self.folder.clone() };
        tempfile::Builder::new()
            .prefix(".build-")
            .tempdir_in(&parent)
            .map_err(CosimError::io("create a folder in", &parent))
    }

    /// Removes what killed processes left behind, as far as it can.
    fn sweep(&self) {
        /// No build takes as long.
        const AGE: Duration = Duration::from_secs(24 * 3600);
        for entry in fs::read_dir(&self.folder).into_iter().flatten().flatten() {
            let old = entry
                .metadata()
                .and_then(|metadata| metadata.modified())
                .is_ok_and(|time| time.elapsed().is_ok_and(|age| age > AGE));
            if old && entry.file_name().to_string_lossy().starts_with('.') {
                let path = entry.path();
                let _best_effort = fs::remove_dir_all(&path).or_else(|_| fs::remove_file(&path));
            }
        }
    }

    /// Makes a copy of `file` the entry `name`.
    pub(super) fn store(&self, name: &str, file: &Path) -> Result<(), CosimError> {
        let partial = tempfile::Builder::new()
            .prefix(".store-")
            .tempfile_in(&self.folder)
            .map_err(CosimError::io("create a file in", &self.folder))?;
        fs::copy(file, partial.path()).map_err(CosimError::io("copy", file))?;
        let path = self.entry(name);
        partial.persist(&path).map_err(|error| CosimError::io("create", &path)(error.error))?;
        Ok(())
    }
}
