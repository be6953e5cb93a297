//! Programs that run on behalf of this one, and that end with it.
//!
//! Each is the leader of a process group of its own, so that what it starts itself (Yosys runs ABC) ends with it too.

use std::fs::File;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard};

use rustix::process::{Pid, Signal, kill_process_group};

use super::SynthError;

/// The end of a log that is shown when a program failed.
const SHOWN_LINES: usize = 15;

struct Running {
    /// The batch each belongs to.
    programs: Vec<(u64, Pid)>,
    /// Batches of which nothing more is started.
    stopped: Vec<u64>,
    all_stopped: bool,
}

static RUNNING: Mutex<Running> = Mutex::new(Running { programs: Vec::new(), stopped: Vec::new(), all_stopped: false });

fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Ends every program that was started here and those that they started; from now on none is started any more.
pub fn kill_all() {
    let mut running = running();
    running.all_stopped = true;
    running.programs.iter().for_each(|(_, group)| kill(*group));
}

/// For what must not end halfway: [`kill_all`] waits as long as it is held.
pub(super) fn uninterrupted() -> Result<impl Sized, SynthError> {
    let running = running();
    if running.all_stopped { Err(SynthError::Stopped) } else { Ok(running) }
}

fn kill(group: Pid) {
    // It may have ended by itself just now.
    let _ended = kill_process_group(group, Signal::KILL);
}

/// Programs that are stopped together.
pub(super) struct Batch {
    id: u64,
}

impl Batch {
    pub fn new() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Self { id: NEXT.fetch_add(1, Ordering::Relaxed) }
    }

    /// Ends the programs of this batch; from now on it starts none.
    pub fn stop(&self) {
        let mut running = running();
        running.stopped.push(self.id);
        running.programs.iter().filter(|(batch, _)| *batch == self.id).for_each(|(_, group)| kill(*group));
    }

    /// Runs a program to its end with both outputs going to the file `log`. `step` names it in errors, which carry the
    /// end of the log.
    pub fn run(&self, step: &str, command: &mut Command, log: &Path) -> Result<(), SynthError> {
        let failed = |output: String| SynthError::Failed { step: step.to_owned(), output };
        let file = File::create(log).map_err(SynthError::io("create", log))?;
        let copy = file.try_clone().map_err(SynthError::io("create", log))?;
        command.stdin(Stdio::null()).stdout(file).stderr(copy);
        let status = self.wait(command).map_err(|error| failed(error.to_string()))?;
        match status {
            None => Err(SynthError::Stopped),
            Some(status) if status.success() => Ok(()),
            Some(status) => {
                let text = std::fs::read(log).unwrap_or_default();
                let text = String::from_utf8_lossy(&text);
                let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
                let end = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
                Err(failed(format!("{}\n({status})", end.join("\n"))))
            }
        }
    }

    /// The exit status; `None` if it was stopped.
    fn wait(&self, command: &mut Command) -> io::Result<Option<ExitStatus>> {
        let mut child;
        let group;
        {
            // Held while the program starts, so that none is missed by whoever stops them.
            let mut running = running();
            if running.is_stopped(self.id) {
                return Ok(None);
            }
            child = command.process_group(0).spawn()?;
            group = Pid::from_child(&child);
            running.programs.push((self.id, group));
        }
        let status = child.wait();
        let mut running = running();
        running.programs.retain(|(_, other)| *other != group);
        Ok(if running.is_stopped(self.id) { None } else { Some(status?) })
    }
}

impl Drop for Batch {
    fn drop(&mut self) {
        running().stopped.retain(|batch| *batch != self.id);
    }
}

impl Running {
    fn is_stopped(&self, batch: u64) -> bool {
        self.all_stopped || self.stopped.contains(&batch)
    }
}
