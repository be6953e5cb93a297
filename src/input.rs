//! Reading files that others name.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use crate::config::nearest;

/// Opens a file for reading.
///
/// # Errors
/// If it cannot be opened; if there is none, a name like it that there is goes with the message.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    File::open(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound => match existing_like(path) {
            Some(near) => io::Error::new(error.kind(), format!("{error}; did you mean {}?", near.display())),
            None => error,
        },
        _ => error,
    })
}

/// All bytes of a file, or of a pipe or device, that should have no more than `most`: what never ends must not take all memory.
///
/// # Errors
/// If it cannot be read, or has more.
pub(crate) fn read_limited(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(io::Error::new(ErrorKind::FileTooLarge, format!("it has more than {most} bytes")));
    }
    Ok(bytes)
}

/// A path that there is, with another name in the first place where `path` leads nowhere.
fn existing_like(path: &Path) -> Option<PathBuf> {
    let folder_of = |path: &Path| match path.parent() {
        Some(parent) if parent.as_os_str().is_empty() => Some(PathBuf::from(".")),
        parent => parent.map(Path::to_owned),
    };
    let wrong = path.ancestors().find(|part| folder_of(part).is_some_and(|folder| folder.is_dir()))?;
    let rest = path.strip_prefix(wrong).ok()?;
    let entries = fs::read_dir(folder_of(wrong)?).ok()?.flatten();
    // An empty rest would append a `/`.
    let renamed = |name: &str| match wrong.with_file_name(name) {
        found if rest.as_os_str().is_empty() => found,
        found => found.join(rest),
    };
    // What is there but does not lead on is no help, nor is a folder in the place of a file.
    let mut names: Vec<String> = entries
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| renamed(name).is_file())
        .collect();
    names.sort();
    nearest(wrong.file_name()?.to_str()?, names.iter().map(String::as_str)).map(|near| renamed(&near))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_like_the_one_that_is_missing_are_told() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir_all(at("block")).unwrap();
        fs::create_dir_all(at("blocked")).unwrap();
        for file in ["block/program.json", "model.safetensors", "other"] {
            fs::write(at(file), "").unwrap();
        }
        assert_eq!(existing_like(&at("mdoel.safetensors")), Some(at("model.safetensors")));
        assert_eq!(existing_like(&at("blcok/program.json")), Some(at("block/program.json")));
        assert_eq!(existing_like(&at("block/porgram.json")), Some(at("block/program.json")));
        // Not the folder, and nothing that is unlike.
        assert_eq!(existing_like(&at("blocke")), None);
        assert_eq!(existing_like(&at("x.npy")), None);
        let message = open(&at("mdoel.safetensors")).unwrap_err().to_string();
        assert!(message.ends_with(&format!("; did you mean {}?", at("model.safetensors").display())), "{message}");
    }
}
