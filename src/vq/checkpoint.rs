//! Tensors of a checkpoint by name, be they in one `.safetensors` file or in many.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

use memmap2::Mmap;
use safetensors::tensor::Metadata;
use safetensors::{Dtype, SafeTensorError, SafeTensors};
use serde::Deserialize;

use super::error::{Error, Result};
use crate::input::{open, read_limited};

const INDEX_SUFFIX: &str = ".safetensors.index.json";
const FILE_SUFFIX: &str = ".safetensors";
/// Bytes of an index, more than that of any model has.
const MAX_INDEX: u64 = 1 << 28;
const DOWNLOAD_AGAIN: &str = "the file is damaged or incomplete, fetch it again";

/// A checkpoint. Of many files, each is opened when the first of its tensors is asked for.
pub(super) struct Checkpoint {
    path: PathBuf,
    shards: Vec<Shard>,
    /// Position in `shards` of the file of each tensor.
    tensors: BTreeMap<String, usize>,
}

struct Shard {
    path: PathBuf,
    contents: OnceLock<Contents>,
}

struct Contents {
    map: Mmap,
    metadata: Metadata,
    data_start: usize,
}

/// A tensor in a mapped file.
#[derive(Clone, Copy)]
pub(super) struct Tensor<'a> {
    pub path: &'a Path,
    pub name: &'a str,
    pub dtype: Dtype,
    pub shape: &'a [usize],
    /// Row-major, little-endian, not aligned.
    pub data: &'a [u8],
}

impl Tensor<'_> {
    /// The error that this tensor is not what it should be.
    pub fn error(&self, found: impl Into<String>, expected: impl Into<String>, advice: impl Into<String>) -> Error {
        Error::Tensor {
            path: self.path.to_owned(),
            tensor: self.name.to_owned(),
            found: found.into(),
            expected: expected.into(),
            advice: advice.into(),
        }
    }
}

/// The part of `model.safetensors.index.json` that matters here.
#[derive(Deserialize)]
struct Index {
    weight_map: BTreeMap<String, String>,
}

impl Checkpoint {
    /// Opens a `.safetensors` file, a `*.safetensors.index.json` with the files beside it, or a folder with either.
    pub fn open(path: &Path) -> Result<Self> {
        let path = if path.is_dir() { find_in_folder(path)? } else { path.to_owned() };
        if path.as_os_str().to_string_lossy().ends_with(".json") {
            return Self::open_index(path);
        }
        let shard = Shard { path: path.clone(), contents: OnceLock::new() };
        let names = shard.contents()?.metadata.offset_keys();
        Ok(Self { path, shards: vec![shard], tensors: names.into_iter().map(|name| (name, 0)).collect() })
    }

    fn open_index(path: PathBuf) -> Result<Self> {
        let text = read_limited(&path, MAX_INDEX).map_err(io_error(&path, "read"))?;
        let damaged = |problem: String| Error::File {
            path: path.clone(),
            problem,
            advice: "an index of a sharded checkpoint has a `weight_map` from tensor names to names of files beside it"
                .into(),
        };
        let index: Index = serde_json::from_slice(&text).map_err(|error| damaged(format!("not an index: {error}")))?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let mut positions = BTreeMap::new();
        let mut shards = Vec::new();
        let mut tensors = BTreeMap::new();
        for (tensor, file) in index.weight_map {
            let position = match positions.get(&file) {
                Some(&position) => position,
                None => {
                    // A name that leads out of the folder is a mistake or an attack.
                    let mut components = Path::new(&file).components();
                    if !matches!((components.next(), components.next()), (Some(Component::Normal(_)), None)) {
                        return Err(damaged(format!("tensor `{tensor}` is said to be in `{file}`")));
                    }
                    shards.push(Shard { path: folder.join(&file), contents: OnceLock::new() });
                    positions.insert(file, shards.len() - 1);
                    shards.len() - 1
                }
            };
            tensors.insert(tensor, position);
        }
        Ok(Self { path, shards, tensors })
    }

    /// The file, or the index of the files.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Names of all tensors, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.tensors.keys().map(String::as_str)
    }

    /// Whether there is a tensor of this name.
    pub fn contains(&self, name: &str) -> bool {
        self.tensors.contains_key(name)
    }

    /// The tensor of this name, if the checkpoint has one.
    ///
    /// # Errors
    /// If its file cannot be read, or does not hold it although the index says so.
    pub fn tensor<'a>(&'a self, name: &'a str) -> Result<Option<Tensor<'a>>> {
        let Some(&position) = self.tensors.get(name) else {
            return Ok(None);
        };
        let shard = &self.shards[position];
        let contents = shard.contents()?;
        let Some(info) = contents.metadata.info(name) else {
            return Err(Error::Tensor {
                path: shard.path.clone(),
                tensor: name.to_owned(),
                found: "no such tensor".into(),
                expected: format!("it here according to {}", self.path.display()),
                advice: "fetch both files again".into(),
            });
        };
        let (start, end) = info.data_offsets;
        let data = &contents.map[contents.data_start..][start..end];
        Ok(Some(Tensor { path: &shard.path, name, dtype: info.dtype, shape: &info.shape, data }))
    }
}

impl Shard {
    fn contents(&self) -> Result<&Contents> {
        if let Some(contents) = self.contents.get() {
            return Ok(contents);
        }
        let contents = Contents::open(&self.path)?;
        Ok(self.contents.get_or_init(|| contents))
    }
}

impl Contents {
    fn open(path: &Path) -> Result<Self> {
        let file = open(path).map_err(io_error(path, "open"))?;
        // SAFETY: the file is only read. Should another process shorten it meanwhile, the system ends this one, as it
        // does for every reader of mapped files.
        let map = unsafe { Mmap::map(&file) }.map_err(io_error(path, "map"))?;
        let damaged = |problem: String| Error::File { path: path.to_owned(), problem, advice: DOWNLOAD_AGAIN.into() };
        let (header, metadata) = SafeTensors::read_metadata(&map).map_err(|error| damaged(describe(error, &map)))?;
        let data_start = header + size_of::<u64>();
        if data_start.checked_add(metadata.data_len()) != Some(map.len()) {
            return Err(damaged(describe(SafeTensorError::MetadataIncompleteBuffer, &map)));
        }
        Ok(Self { map, metadata, data_start })
    }
}

/// What is wrong with a file that the safetensors library does not accept.
fn describe(error: SafeTensorError, file: &[u8]) -> String {
    const LFS_POINTER: &[u8] = b"version https://git-lfs";
    if file.starts_with(LFS_POINTER) {
        return "a Git LFS pointer instead of the data (`git lfs pull` fetches it)".into();
    }
    let claimed = || file.first_chunk().map_or(0, |&bytes| u64::from_le_bytes(bytes));
    let length = file.len();
    match error {
        SafeTensorError::HeaderTooSmall => format!("{length} bytes, too short for a safetensors file"),
        SafeTensorError::HeaderTooLarge => {
            format!("not a safetensors file: it claims a header of {} bytes, 100000000 at most expected", claimed())
        }
        SafeTensorError::InvalidHeaderLength => {
            format!("truncated: it claims a header of {} bytes, but has only {length} in all", claimed())
        }
        SafeTensorError::MetadataIncompleteBuffer => {
            format!("truncated or overlong: its tensors do not end where the file does, at {length} bytes")
        }
        other => format!("not a valid safetensors file: {other}"),
    }
}

/// The index in a folder, or else its only `.safetensors` file.
fn find_in_folder(folder: &Path) -> Result<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(io_error(folder, "list"))? {
        files.push(entry.map_err(io_error(folder, "list"))?.path());
    }
    files.sort();
    for suffix in [INDEX_SUFFIX, FILE_SUFFIX] {
        let mut found = files.iter().filter(|file| file.as_os_str().to_string_lossy().ends_with(suffix));
        match (found.next(), found.next()) {
            (Some(file), None) => return Ok(file.clone()),
            (Some(_), Some(_)) => {
                let problem = format!("several files end in `{suffix}`");
                return Err(Error::File { path: folder.to_owned(), problem, advice: "name one of them".into() });
            }
            (None, _) => {}
        }
    }
    let problem = format!("no file in this folder ends in `{INDEX_SUFFIX}` or `{FILE_SUFFIX}`");
    Err(Error::File { path: folder.to_owned(), problem, advice: "name a checkpoint".into() })
}

/// Makes an [`Error`] of what the operating system says.
pub(super) fn io_error(path: &Path, action: &'static str) -> impl FnOnce(std::io::Error) -> Error {
    move |source| Error::Io { path: path.to_owned(), action, source }
}

/// The layer that is meant: `prefix` itself if `exists`, otherwise without the dot with which a prefix may be written.
pub(super) fn layer_called(prefix: &str, exists: impl Fn(&str) -> bool) -> &str {
    if exists(prefix) { prefix } else { prefix.trim_end_matches('.') }
}

/// The error that no layer is called `prefix`, with the nearest of `names`. `kind` is what kind of layer was asked for, and
/// `origin` of checkpoint, with its article.
pub(super) fn unknown_layer(
    checkpoint: &Checkpoint,
    names: BTreeSet<&str>,
    prefix: &str,
    kind: &'static str,
    origin: &str,
) -> Error {
    let total = names.len();
    let mut nearest: Vec<&str> = names.into_iter().collect();
    // Parents and children of what was asked for first, then the smallest number of typing mistakes.
    nearest.sort_by_key(|name| {
        (!(name.contains(prefix) || prefix.contains(name)), strsim::damerau_levenshtein(name, prefix))
    });
    nearest.truncate(3);
    let suggestion = match nearest.is_empty() {
        true => format!("it has none at all: is it {origin} checkpoint?"),
        false => format!("nearest of its {total}: {}", nearest.join(", ")),
    };
    Error::UnknownLayer { path: checkpoint.path().to_owned(), kind, prefix: prefix.to_owned(), suggestion }
}
