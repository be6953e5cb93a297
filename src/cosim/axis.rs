//! AXI4-Stream drivers: sources that play bytes, sinks that collect beats and check the protocol.
//!
//! Both work in the two halves of a cycle: `drive` sets the inputs before [`Simulator::settle`], `sample` looks at the
//! outputs between it and [`Simulator::step`]. What a driver does in a cycle never depends on the outputs of that
//! cycle.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{CosimError, InPort, OutPort, Simulator};

/// When a driver holds back: a source by not offering a beat, a sink by not being ready.
///
/// As text: `none`, a probability (`0.3`), or `burst:PROBABILITY:LENGTH` (`burst:0.2:40`).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Stalls {
    /// Never.
    #[default]
    None,
    /// Each cycle on its own with this probability, 0 to below 1.
    Random {
        /// Of a stall, for each cycle.
        probability: f64,
    },
    /// In runs of `length` cycles on average (at least 1), and so that a share of `probability` of all cycles is
    /// stalled.
    Bursts {
        /// Share of the cycles that are stalled, 0 to below 1.
        probability: f64,
        /// Cycles of a run on average, at least 1.
        length: u32,
    },
}

impl fmt::Display for Stalls {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Random { probability } => write!(f, "{probability}"),
            Self::Bursts { probability, length } => write!(f, "burst:{probability}:{length}"),
        }
    }
}

impl FromStr for Stalls {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || {
            format!(
                "`{text}` is not a stall pattern: use `none`, a probability from 0 to 0.99 such as `0.3`, or \
                 `burst:PROBABILITY:LENGTH` such as `burst:0.2:40`"
            )
        };
        let probability = |text: &str| match text.parse::<f64>() {
            Ok(value) if (0.0..=0.99).contains(&value) => Ok(value),
            _ => Err(bad()),
        };
        if text == "none" {
            return Ok(Self::None);
        }
        if let Some(rest) = text.strip_prefix("burst:") {
            let (first, second) = rest.split_once(':').ok_or_else(bad)?;
            let length = second.parse().ok().filter(|length| *length >= 1).ok_or_else(bad)?;
            return Ok(Self::Bursts { probability: probability(first)?, length });
        }
        Ok(Self::Random { probability: probability(text)? })
    }
}

/// A stall pattern being played.
#[derive(Debug)]
struct Staller {
    pattern: Stalls,
    rng: ChaCha8Rng,
    /// `Bursts`: whether this run stalls, and how many of its cycles are left.
    stalling: bool,
    left: u32,
}

impl Staller {
    /// Streams of different names with the same seed have independent patterns.
    fn new(pattern: Stalls, seed: u64, stream: &str) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let name = blake3::hash(stream.as_bytes());
        rng.set_stream(u64::from_le_bytes(name.as_bytes()[..8].try_into().expect("8 bytes")));
        Self { pattern, rng, stalling: true, left: 0 }
    }

    /// Length of a run, uniform around the mean. Runs that would mostly be shorter than a cycle are a cycle or none,
    /// so that short means come out right too.
    fn run_of(&mut self, mean: f64) -> u32 {
        // Longer than any test bench waits.
        let mean = mean.min(1e6);
        if mean < 0.5 {
            return u32::from(self.rng.random_bool(mean));
        }
        self.rng.random_range(0.0..2.0 * mean).round() as u32
    }

    /// Whether to hold back in the next cycle.
    fn next(&mut self) -> bool {
        match self.pattern {
            Stalls::None => false,
            Stalls::Random { probability } => self.rng.random_bool(probability),
            Stalls::Bursts { probability: 0.0, .. } => false,
            Stalls::Bursts { probability, length } => {
                while self.left == 0 {
                    self.stalling = !self.stalling;
                    let mean = if self.stalling {
                        f64::from(length)
                    } else {
                        f64::from(length) * (1.0 - probability) / probability
                    };
                    self.left = self.run_of(mean);
                }
                self.left -= 1;
                self.stalling
            }
        }
    }
}

/// The data port of a stream may be wider than a word; its beats are whole bytes.
fn beat_bytes(stream: &str, width: u32) -> Result<usize, CosimError> {
    if width.is_multiple_of(8) {
        Ok(width as usize / 8)
    } else {
        Err(CosimError::Model(format!("{stream}_tdata has {width} bits; AXI4-Stream data is whole bytes")))
    }
}

/// Plays bytes into a stream, `tdata` first byte in the lowest bits.
///
/// A beat that is offered stays offered, unchanged, until it is taken. While none is offered `tdata` holds random bits,
/// so that hardware which looks at it without `tvalid` fails.
#[derive(Debug)]
pub struct Source<'a> {
    name: String,
    tdata: InPort,
    tvalid: InPort,
    tready: OutPort,
    data: Cow<'a, [u8]>,
    beat_bytes: usize,
    /// Beats taken so far.
    taken: usize,
    offering: bool,
    /// Whether the outputs seen last took the beat.
    just_taken: bool,
    staller: Staller,
    words: Vec<u64>,
    blocked: u64,
    starved: u64,
}

impl<'a> Source<'a> {
    /// Plays `data` into the core's input stream `name` (ports `name_tdata`, `name_tvalid`, `name_tready`); offers
    /// nothing yet.
    ///
    /// # Errors
    /// A port is missing, or `data` is not a whole number of beats.
    pub fn new(
        sim: &mut dyn Simulator,
        name: &str,
        data: impl Into<Cow<'a, [u8]>>,
        stalls: Stalls,
        seed: u64,
    ) -> Result<Self, CosimError> {
        let data = data.into();
        let tdata = sim.input(&format!("{name}_tdata"))?;
        let beat_bytes = beat_bytes(name, tdata.width())?;
        if !data.len().is_multiple_of(beat_bytes) {
            return Err(CosimError::Stimulus(format!(
                "{} bytes for {name} are not a whole number of beats of {beat_bytes} bytes; pad them with zeros",
                data.len()
            )));
        }
        let tvalid = sim.input(&format!("{name}_tvalid"))?;
        sim.set_u64(tvalid, 0);
        Ok(Self {
            name: name.to_owned(),
            tdata,
            tvalid,
            tready: sim.output(&format!("{name}_tready"))?,
            data,
            beat_bytes,
            taken: 0,
            offering: false,
            just_taken: true,
            staller: Staller::new(stalls, seed, name),
            words: vec![0; tdata.words()],
            blocked: 0,
            starved: 0,
        })
    }

    /// Before `settle`: offers the next beat, keeps the one on offer, or offers none.
    pub fn drive(&mut self, sim: &mut dyn Simulator) {
        if self.offering && !self.just_taken {
            return;
        }
        let was_offering = self.offering;
        self.offering = self.taken < self.beats() && !self.staller.next();
        if self.offering {
            let start = self.taken * self.beat_bytes;
            let beat = &self.data[start..start + self.beat_bytes];
            for (word, bytes) in self.words.iter_mut().zip(beat.chunks(8)) {
                let mut padded = [0; 8];
                padded[..bytes.len()].copy_from_slice(bytes);
                *word = u64::from_le_bytes(padded);
            }
            sim.set(self.tdata, &self.words);
        } else if self.just_taken {
            self.words.fill_with(|| self.staller.rng.next_u64());
            sim.set(self.tdata, &self.words);
        }
        if self.offering != was_offering {
            sim.set_u64(self.tvalid, self.offering.into());
        }
        self.just_taken = false;
    }

    /// After `settle`: notes whether the beat on offer is taken at the coming edge; returns it.
    pub fn sample(&mut self, sim: &dyn Simulator) -> bool {
        let ready = sim.get_u64(self.tready) == 1;
        self.just_taken = self.offering && ready;
        if self.just_taken {
            self.taken += 1;
        } else if self.offering {
            self.blocked += 1;
        } else if ready && self.taken < self.beats() {
            self.starved += 1;
        }
        self.just_taken
    }

    /// Of the stream.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Beats to play in all.
    pub fn beats(&self) -> usize {
        self.data.len() / self.beat_bytes
    }

    /// Beats taken by the core.
    pub fn taken(&self) -> usize {
        self.taken
    }

    /// Whether a beat is on offer in this cycle.
    pub fn offering(&self) -> bool {
        self.offering
    }

    /// Cycles in which a beat was offered and not taken.
    pub fn blocked(&self) -> u64 {
        self.blocked
    }

    /// Cycles in which the core was ready and a beat was held back by the stall pattern.
    pub fn starved(&self) -> u64 {
        self.starved
    }
}

/// How a sink is ready.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Backpressure {
    /// When it is not ready.
    pub stalls: Stalls,
    /// Ready only after `tvalid` has been seen high: a core whose `tvalid` waits for `tready` never gets anywhere.
    pub after_valid: bool,
}

/// The stall pattern, and `after-valid:` before it if so.
impl fmt::Display for Backpressure {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let prefix = if self.after_valid { "after-valid:" } else { "" };
        write!(f, "{prefix}{}", self.stalls)
    }
}

/// Collects the beats of a stream and checks that its sender keeps the protocol.
#[derive(Debug)]
pub struct Sink {
    name: String,
    tdata: OutPort,
    tvalid: OutPort,
    tlast: Option<OutPort>,
    tready: InPort,
    staller: Staller,
    after_valid: bool,
    ready: bool,
    /// A beat was offered and not taken in the last cycle: its data and `tlast`, in `held`.
    waiting: bool,
    held: Vec<u64>,
    words: Vec<u64>,
    data: Vec<u64>,
    lasts: Vec<bool>,
    beats: usize,
    /// Cycle in which each beat was first offered.
    offered: Vec<u64>,
    refused: u64,
    cycle: u64,
    violations: Vec<String>,
}

/// More would only repeat the first ones.
const MAX_VIOLATIONS: usize = 8;

impl Sink {
    /// Collects from the core's output stream `name` (ports `name_tdata`, `name_tvalid`, `name_tready`, with `tlast`
    /// also
    /// `name_tlast`); not ready yet.
    ///
    /// # Errors
    /// A port is missing.
    pub fn new(
        sim: &mut dyn Simulator,
        name: &str,
        tlast: bool,
        backpressure: Backpressure,
        seed: u64,
    ) -> Result<Self, CosimError> {
        let tdata = sim.output(&format!("{name}_tdata"))?;
        let tlast = tlast.then(|| sim.output(&format!("{name}_tlast"))).transpose()?;
        let tready = sim.input(&format!("{name}_tready"))?;
        sim.set_u64(tready, 0);
        let words = vec![0; tdata.words() + usize::from(tlast.is_some())];
        Ok(Self {
            name: name.to_owned(),
            tdata,
            tvalid: sim.output(&format!("{name}_tvalid"))?,
            tlast,
            tready,
            staller: Staller::new(backpressure.stalls, seed, name),
            after_valid: backpressure.after_valid,
            ready: false,
            waiting: false,
            held: words.clone(),
            words,
            data: Vec::new(),
            lasts: Vec::new(),
            beats: 0,
            offered: Vec::new(),
            refused: 0,
            cycle: 0,
            violations: Vec::new(),
        })
    }

    /// Before `settle`: is ready or not.
    pub fn drive(&mut self, sim: &mut dyn Simulator) {
        let ready = !self.staller.next() && (self.waiting || !self.after_valid);
        if ready != self.ready {
            self.ready = ready;
            sim.set_u64(self.tready, ready.into());
        }
    }

    /// After `settle`: checks the protocol and takes the beat if there is one; returns whether there was.
    pub fn sample(&mut self, sim: &dyn Simulator) -> bool {
        let valid = sim.get_u64(self.tvalid) == 1;
        if valid {
            let data_words = self.tdata.words();
            sim.get(self.tdata, &mut self.words[..data_words]);
            if let Some(tlast) = self.tlast {
                self.words[data_words] = sim.get_u64(tlast);
            }
            if !self.waiting {
                self.offered.push(self.cycle);
            } else if self.words != self.held {
                self.violation("tdata or tlast changed before the beat was taken");
            }
        } else if self.waiting {
            self.violation("tvalid fell before the beat was taken");
        }
        let take = valid && self.ready;
        self.waiting = valid && !take;
        if self.waiting {
            self.refused += 1;
            self.held.copy_from_slice(&self.words);
        }
        if take {
            self.data.extend_from_slice(&self.words[..self.tdata.words()]);
            if self.tlast.is_some() {
                self.lasts.push(self.words[self.tdata.words()] == 1);
            }
            self.beats += 1;
        }
        self.cycle += 1;
        take
    }

    /// After `settle`, in the last cycle of reset: a sender must not offer anything.
    pub fn check_reset(&mut self, sim: &dyn Simulator) {
        if sim.get_u64(self.tvalid) == 1 {
            self.violation("tvalid is high in reset");
        }
    }

    fn violation(&mut self, what: &str) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(format!("{}: {what} (cycle {})", self.name, self.cycle));
        }
    }

    /// Of the stream.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Data of the beats taken, `tdata.words()` words each.
    pub fn data(&self) -> &[u64] {
        &self.data
    }

    /// `tlast` of the beats taken; empty if the stream has none.
    pub fn lasts(&self) -> &[bool] {
        &self.lasts
    }

    /// Beats taken.
    pub fn beats(&self) -> usize {
        self.beats
    }

    /// The cycle, counted by calls of [`sample`](Self::sample), in which each beat was first offered.
    pub fn offered(&self) -> &[u64] {
        &self.offered
    }

    /// Cycles in which a beat was offered and not taken.
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Breaches of the protocol by the core, the first few.
    pub fn violations(&self) -> &[String] {
        &self.violations
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stall_patterns_read_what_they_print() {
        for text in ["none", "0.25", "burst:0.2:40"] {
            assert_eq!(text.parse::<Stalls>().unwrap().to_string(), text);
        }
        for text in ["", "1", "-0.1", "nan", "burst:0.2", "burst:0.2:0", "burst:x:3"] {
            assert!(text.parse::<Stalls>().is_err(), "{text}");
        }
    }

    #[test]
    fn stalls_have_the_share_and_length_that_were_asked_for() {
        for (text, share, run) in [("0.3", 0.3, 1.43), ("burst:0.25:20", 0.25, 20.0), ("burst:0.5:5", 0.5, 5.5)] {
            let mut staller = Staller::new(text.parse().unwrap(), 7, "s");
            let cycles: Vec<bool> = (0..200_000).map(|_| staller.next()).collect();
            let stalled = cycles.iter().filter(|stalled| **stalled).count() as f64;
            assert!((stalled / 2e5 - share).abs() < 0.02, "{text}: {}", stalled / 2e5);
            let runs = cycles.windows(2).filter(|pair| !pair[0] && pair[1]).count() as f64;
            let length = stalled / runs;
            assert!((0.9..1.1).contains(&(length / run)), "{text}: runs of {length}");
        }
    }

    #[test]
    fn streams_stall_independently_and_reproducibly() {
        let play = |seed, name| {
            let mut staller = Staller::new("0.5".parse().unwrap(), seed, name);
            (0..64).map(|_| staller.next()).collect::<Vec<_>>()
        };
        assert_eq!(play(1, "a"), play(1, "a"));
        assert_ne!(play(1, "a"), play(1, "b"));
        assert_ne!(play(1, "a"), play(2, "a"));
    }
}
