//! How far synthesis is, and what takes long.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::{Duration, Instant};

/// How far synthesis is.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// From 1. Modules that miss the clock are mapped again in another round; how many there will be is not known before.
    pub round: u64,
    /// Mappings of modules in this round.
    pub done: u64,
    /// How many it has; at least 1.
    pub total: u64,
    /// What has been running for the longest time, and that time.
    pub running: Option<(&'a str, Duration)>,
}

/// How often is told what is running when nothing else changes.
const PERIOD: Duration = Duration::from_secs(1);

/// Keeps an account of what is running.
pub(super) struct Tracker<'a> {
    tell: &'a (dyn Fn(&Progress) + Sync),
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    round: u64,
    done: u64,
    total: u64,
    started: u64,
    /// By the order in which it was started.
    running: BTreeMap<u64, (String, Instant)>,
}

impl<'a> Tracker<'a> {
    pub fn new(tell: &'a (dyn Fn(&Progress) + Sync)) -> Self {
        Self { tell, state: Mutex::default() }
    }

    /// Begins a round of `total` mappings, unless there are none.
    pub fn begin_round(&self, total: usize) {
        if total > 0 {
            let mut state = self.state();
            *state = State { round: state.round + 1, done: 0, total: total as u64, ..std::mem::take(&mut *state) };
            self.tell(&state);
        }
    }

    /// One more mapping of this round is done.
    pub fn advance(&self) {
        let mut state = self.state();
        state.done += 1;
        self.tell(&state);
    }

    /// Does `work`, which is called `what`.
    pub fn run<T>(&self, what: &str, work: impl FnOnce() -> T) -> T {
        let id = {
            let mut state = self.state();
            state.started += 1;
            let id = state.started;
            state.running.insert(id, (what.to_owned(), Instant::now()));
            id
        };
        let result = work();
        self.state().running.remove(&id);
        result
    }

    /// Does `work`, and tells now and then what of it is running.
    pub fn watch<T>(&self, work: impl FnOnce() -> T) -> T {
        let (finished, wait) = mpsc::channel::<()>();
        thread::scope(|scope| {
            scope.spawn(move || {
                while wait.recv_timeout(PERIOD) == Err(RecvTimeoutError::Timeout) {
                    let state = self.state();
                    if state.round > 0 {
                        self.tell(&state);
                    }
                }
            });
            let result = work();
            drop(finished);
            result
        })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn tell(&self, state: &State) {
        let oldest = state.running.values().next();
        let running = oldest.map(|(what, start)| (what.as_str(), start.elapsed()));
        (self.tell)(&Progress { round: state.round, done: state.done, total: state.total, running });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_round_counts_from_0_to_its_end() {
        let told = Mutex::new(Vec::new());
        let tell = |at: &Progress| {
            let running = at.running.map(|(what, _)| what.to_owned());
            told.lock().unwrap().push((at.round, at.done, at.total, running));
        };
        let tracker = Tracker::new(&tell);
        tracker.begin_round(2);
        tracker.run("slow", || tracker.run("fast", || tracker.advance()));
        tracker.advance();
        tracker.begin_round(0);
        tracker.begin_round(1);
        let slow = Some("slow".to_owned());
        assert_eq!(*told.lock().unwrap(), [(1, 0, 2, None), (1, 1, 2, slow), (1, 2, 2, None), (2, 0, 1, None)]);
    }

    #[test]
    fn what_takes_long_is_told_meanwhile() {
        let (told, tells) = mpsc::sync_channel(1);
        let tell = |at: &Progress| drop(told.try_send(at.running.map(|(what, _)| what.to_owned())));
        let tracker = Tracker::new(&tell);
        tracker.begin_round(1);
        assert_eq!(tells.recv().unwrap(), None);
        let seen = tracker.watch(|| tracker.run("slow", || tells.recv_timeout(60 * PERIOD)));
        assert_eq!(seen.unwrap().as_deref(), Some("slow"));
    }
}
