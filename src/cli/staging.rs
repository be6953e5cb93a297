//! Temporary folders in which results are put together; they go away however the program ends, also when it is interrupted, told to end, or
//! loses its terminal.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Duration;

use eva_rtl::synth::kill_all;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use tempfile::TempDir;

/// Signals that ask a program to end, and what is said then.
const ENDING: [(i32, &str); 3] = [(SIGINT, "interrupted"), (SIGTERM, "terminated"), (SIGHUP, "hung up")];
/// The exit code of a program that a signal ended is the number of the signal above this one, as shells have it.
const SIGNALLED: i32 = 128;

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

/// As long as it is held, signals wait, and no [`Staging`] is to be made or dropped.
pub struct Uninterrupted {
    _open: MutexGuard<'static, Vec<Traces>>,
}

/// For what must not end halfway.
pub fn uninterrupted() -> Uninterrupted {
    Uninterrupted { _open: open() }
}

/// From now on each of the signals that ask a program to end removes what is unfinished before it does: exit code 130 for Ctrl-C, 143 for
/// SIGTERM, 129 for SIGHUP.
pub fn clean_up_when_ended() {
    // What the parent has this program ignore, as `nohup` does, stays ignored.
    let ending: Vec<_> = ENDING.into_iter().filter(|(signal, _)| !is_ignored(*signal)).collect();
    let Ok(mut signals) = Signals::new(ending.iter().map(|(signal, _)| signal)) else {
        // The program ends as any other does.
        return;
    };
    thread::spawn(move || {
        let Some(signal) = signals.forever().next() else { return };
        // They would go on writing.
        kill_all();
        // Never unlocked: until the end of the program nothing more appears.
        let open = open();
        for traces in open.iter() {
            // Again while other threads, on their way to their end, still put something into it.
            for _ in 0..50 {
                if fs::remove_dir_all(&traces.staging).is_ok() || !traces.staging.exists() {
                    break;
                }
                thread::sleep(Duration::from_millis(2));
            }
            traces.remove_made();
        }
        let what = ending.iter().find(|(number, _)| *number == signal).map_or("ended", |(_, what)| what);
        // With its terminal gone there may be nobody to tell.
        let _ = writeln!(io::stderr(), "{what}");
        exit(SIGNALLED + signal);
    });
}

/// Whether this program was started with `signal` ignored.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: an all-zero `sigaction` is a valid value of it, and with no new action the call does nothing but write the present one to it.
    unsafe {
        let mut present: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &mut present) == 0 && present.sa_sigaction == libc::SIG_IGN
    }
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
