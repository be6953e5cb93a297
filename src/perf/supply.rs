//! A memory that is slower than the port, or faster.

use std::ops::RangeInclusive;

use super::limits::Limits;
use crate::config::CoreConfig;

/// The memory of the weight image, as fast as it is: the cycle model takes it to deliver a beat in each cycle.
///
/// If it delivers `r < 1` beats per cycle, each of `S` beats comes up to `1/r - 1` cycles late. No unit of a core does anything but wait for
/// the latest of what it needs, so that the end is late by no more than all of these together: what takes `T` cycles where no stream stalls then
/// takes from `max(T, S/r)` to `T + S*(1/r - 1)`. The two differ by the cycles in which the port was idle anyway.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Supply {
    beats_per_cycle: f64,
}

impl Supply {
    /// A memory of that many bytes per second at the port of a core with a clock of `hertz`; both above 0.
    pub fn new(bytes_per_second: f64, config: &CoreConfig, hertz: f64) -> Self {
        Self { beats_per_cycle: bytes_per_second / Self::port(config, hertz) }
    }

    /// What the port of a core can take, in bytes per second at a clock of `hertz`.
    pub fn port(config: &CoreConfig, hertz: f64) -> f64 {
        f64::from(config.stream.width) / 8.0 * hertz
    }

    /// `r`; above 1 if the port cannot take what the memory could deliver.
    pub fn beats_per_cycle(&self) -> f64 {
        self.beats_per_cycle
    }

    /// Whether the port waits for the memory.
    pub fn is_slow(&self) -> bool {
        self.beats_per_cycle < 1.0
    }

    /// Least and most cycles of what takes `cycles` where no stream stalls, for `beats` beats of the weight image.
    pub fn cycles(&self, cycles: u64, beats: u64) -> RangeInclusive<u64> {
        if !self.is_slow() {
            return cycles..=cycles;
        }
        let beats = beats as f64 / self.beats_per_cycle;
        let late = beats - beats * self.beats_per_cycle;
        cycles.max(beats.ceil() as u64)..=cycles + late.ceil() as u64
    }

    /// What limits: `memory`, or the resource of the core that does, with `port` for its stream.
    pub fn limit(&self, needs: &Limits) -> &'static str {
        let beats = needs.stream as f64 / self.beats_per_cycle.min(1.0);
        let stream = Limits { stream: beats.ceil() as u64, ..*needs };
        match stream.largest().0 {
            "stream" if self.is_slow() => "memory",
            "stream" => "port",
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn supply(bytes_per_second: f64) -> Supply {
        // 32 bytes per cycle.
        Supply::new(bytes_per_second, &CoreConfig::preset("small").unwrap(), 100e6)
    }

    #[test]
    fn a_fast_memory_changes_nothing() {
        for supply in [supply(3.2e9), supply(9e9)] {
            assert_eq!(supply.cycles(1000, 900), 1000..=1000);
            assert!(!supply.is_slow());
            assert_eq!(supply.limit(&Limits { stream: 9, lookups: 8, ..Limits::default() }), "port");
        }
    }

    #[test]
    fn a_slow_memory_stretches_the_stream() {
        let supply = supply(0.8e9);
        assert_eq!(supply.beats_per_cycle(), 0.25);
        assert_eq!(supply.cycles(1000, 900), 3600..=3700);
        // Hidden behind the lookups as far as these last.
        assert_eq!(supply.cycles(1000, 200), 1000..=1600);
        assert_eq!(supply.limit(&Limits { stream: 200, lookups: 900, ..Limits::default() }), "lookups");
        assert_eq!(supply.limit(&Limits { stream: 300, lookups: 900, ..Limits::default() }), "memory");
    }
}
