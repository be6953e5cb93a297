//! Temporary folders in which results are put together; they go away however the program ends, with Ctrl-C too.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, MutexGuard};

use eva_rtl::synth::kill_all;
use tempfile::TempDir;

/// The exit code of a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// What there is to be removed.
static OPEN: Mutex<Vec<Traces>> = Mutex::new(Vec::new());

/// What a [`Staging`] leaves on disk.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Traces {
    staging: PathBuf,
    /// Folders made for it, outermost first.
    made: Vec<PathBuf>,
}

impl Traces {
    /// Removes folders that were made, if nothing is in them.
    fn remove_made(&self) {
        for folder in self.made.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// A temporary folder in the folder where the results are to appear, so that moving them there is a rename.
pub struct Staging {
    folder: Option<TempDir>,
    traces: Traces,
}

impl Staging {
    /// Makes one in `parent`, which exists.
    pub fn within(parent: &Path) -> io::Result<Self> {
        Self::make(parent, Vec::new(), &mut open())
    }

    /// Makes one in `parent`, which is made if it does not exist, and removed again unless [`complete`](Self::complete)
    /// is called.
    pub fn within_new(parent: &Path) -> io::Result<Self> {
        // From here on, so that none of the folders is forgotten.
        let mut open = open();
        let made = missing_folders(parent);
        fs::create_dir_all(parent).and_then(|()| Self::make(parent, made.clone(), &mut open)).inspect_err(|_| {
            Traces { staging: PathBuf::new(), made }.remove_made();
        })
    }

    fn make(parent: &Path, made: Vec<PathBuf>, open: &mut Vec<Traces>) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(".incomplete-").tempdir_in(parent)?;
        let traces = Traces { staging: folder.path().to_owned(), made };
        open.push(traces.clone());
        Ok(Self { folder: Some(folder), traces })
    }

    pub fn path(&self) -> &Path {
        &self.traces.staging
    }

    /// Takes the folder away and keeps the one it is in.
    pub fn complete(mut self) {
        self.close();
        self.traces.made.clear();
    }

    fn close(&mut self) {
        open().retain(|traces| traces.staging != self.traces.staging);
        drop(self.folder.take());
    }
}

impl Drop for Staging {
    fn drop(&mut self) {
        self.close();
        self.traces.remove_made();
    }
}

/// As long as it is held, Ctrl-C waits, and no [`Staging`] is to be made or dropped.
pub struct Uninterrupted {
    _open: MutexGuard<'static, Vec<Traces>>,
}

/// For what must not end halfway.
pub fn uninterrupted() -> Uninterrupted {
    Uninterrupted { _open: open() }
}

/// From now on Ctrl-C removes what is unfinished and ends the program with exit code 130.
pub fn clean_up_when_interrupted() {
    let installed = ctrlc::set_handler(|| {
        // They would go on writing.
        kill_all();
        // Never unlocked: until the end of the program nothing more appears.
        let open = open();
        for traces in open.iter() {
            // Again if the program put something into it meanwhile.
            let _ = (0..3).any(|_| fs::remove_dir_all(&traces.staging).is_ok());
            traces.remove_made();
        }
        eprintln!("interrupted");
        exit(INTERRUPTED);
    });
    // Without it the program ends as any other does.
    let _ = installed;
}

fn open() -> MutexGuard<'static, Vec<Traces>> {
    OPEN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The folders on the way to `folder`, itself included, that do not exist; outermost first.
fn missing_folders(folder: &Path) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = folder
        .ancestors()
        .take_while(|ancestor| !ancestor.as_os_str().is_empty() && !ancestor.exists())
        .map(Path::to_owned)
        .collect();
    missing.reverse();
    missing
}
