//! Results of the tools, kept by a digest of everything that determines them.
//!
//! Every entry appears under its final name by a rename, complete. The folder may be deleted at any time.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::{SynthError, process};

pub(super) struct Cache {
    folder: PathBuf,
}

/// Digest of a number of texts in this order.
pub(super) fn digest(texts: &[&str]) -> String {
    let mut digest = blake3::Hasher::new();
    for text in texts {
        digest.update(&(text.len() as u64).to_le_bytes());
        digest.update(text.as_bytes());
    }
    digest.finalize().to_hex().as_str()[..32].to_owned()
}

impl Cache {
    /// In `folder`, else in that of [`crate::cache::root`]; created if needed.
    pub fn open(folder: Option<&Path>) -> Result<Self, SynthError> {
        let root = folder.map(Path::to_owned).or_else(crate::cache::root).ok_or(SynthError::NoCache)?;
        let folder = root.join("synth");
        fs::create_dir_all(&folder).map_err(SynthError::io("create", &folder))?;
        Ok(Self { folder })
    }

    /// The entry `name`. One that cannot be read does not count: it is made anew.
    pub fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_slice(&fs::read(self.path(name)).ok()?).ok()
    }

    /// Makes `value` the entry `name`.
    pub fn put(&self, name: &str, value: &impl Serialize) -> Result<(), SynthError> {
        let _uninterrupted = process::uninterrupted()?;
        let mut partial = tempfile::NamedTempFile::with_prefix_in(".incomplete-", &self.folder)
            .map_err(SynthError::io("create a file in", &self.folder))?;
        let text = serde_json::to_vec(value).expect("results have string keys only");
        let path = self.path(name);
        partial.write_all(&text).map_err(SynthError::io("write", &path))?;
        partial.persist(&path).map_err(|error| SynthError::io("create", &path)(error.error))?;
        Ok(())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.json"))
    }
}
