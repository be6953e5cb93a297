//! The units of a core, as the cycles from which each can do the next thing.
//!
//! Cycles count from the one in which the first command is offered. "Free from" is the first cycle in which something can
//! happen, so that a new core is free from cycle 0.

/// Jobs that wait for a unit beside the one that it does.
const JOBS: usize = 2;

/// A queue of jobs in front of a unit.
#[derive(Clone, Copy, Debug, Default)]
pub struct JobQueue {
    /// From which cycle each place has room.
    room: [u64; JOBS],
    next: usize,
}

impl JobQueue {
    /// From which cycle the next job can be handed over.
    pub fn ready(&self) -> u64 {
        self.room[self.next]
    }

    /// Hands over a job in cycle `at` to a unit that is free from `unit`; the cycle in which the unit takes it.
    pub fn pass(&mut self, at: u64, unit: u64) -> u64 {
        let taken = unit.max(at + 1);
        self.room[self.next] = taken + 1;
        self.next = (self.next + 1) % JOBS;
        taken
    }
}

/// Commands on their way at a time.
const COMMANDS: usize = 8;

/// The statuses, told in order.
#[derive(Clone, Copy, Debug, Default)]
pub struct Completion {
    room: [u64; COMMANDS],
    next: usize,
    /// From which cycle the next status can be formed.
    free: u64,
}

impl Completion {
    /// From which cycle the next command can be entered.
    pub fn ready(&self) -> u64 {
        self.room[self.next]
    }

    /// From which cycle no command is on its way.
    pub fn idle(&self) -> u64 {
        if self.free == 0 { 0 } else { self.free + 1 }
    }

    /// Enters a command in cycle `at` that waits for something to happen in cycle `event`; the cycle in which its
    /// status is formed, one before it is offered.
    pub fn enter(&mut self, at: u64, event: u64) -> u64 {
        // Through the queue and its register.
        let told = self.free.max(at + 2).max(event + 1);
        self.room[self.next] = told + 1;
        self.next = (self.next + 1) % COMMANDS;
        self.free = told + 1;
        told
    }
}

/// The activation buffer.
#[derive(Clone, Copy, Debug, Default)]
pub struct Activations {
    /// The cycle in which the first beat was taken; one per cycle has followed.
    first_beat: u64,
    /// From which cycle everything is there.
    loaded: u64,
}

impl Activations {
    /// Starts loading `beats` beats in cycle `at`; the cycle of the last one.
    pub fn load(&mut self, at: u64, beats: u64) -> u64 {
        *self = Self { first_beat: at + 1, loaded: at + 1 + beats };
        at + beats
    }

    /// From which cycle nothing is being loaded.
    pub fn free(&self) -> u64 {
        self.loaded
    }

    /// From which cycle the half beats before number `end` are there.
    pub fn there(&self, end: u64) -> u64 {
        self.loaded.min(self.first_beat + end.div_ceil(2))
    }
}

/// A codebook slot.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slot {
    /// From which cycle its entries can be read.
    pub loaded: u64,
    /// From which cycle the array does not need them any more.
    pub unused: u64,
}

/// Array and epilogue with the two halves of the OC between them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Steps {
    /// From which cycle the array can begin the next pass.
    pub array: u64,
    /// From which cycle the epilogue can take an index word.
    pub epilogue: u64,
    /// From which cycle each half can be filled again; the next one first.
    pub halves: [u64; 2],
}
