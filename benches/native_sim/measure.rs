//! What all simulators of the array are measured with.

use std::time::{Duration, Instant};

/// Cycles between two looks at the clock.
const BATCH: u64 = 100;

/// Stimulus of a cycle, the same for all simulators: weights are loaded now and then, activations always move.
pub fn stimulus<const N: usize>(cycle: u64) -> (bool, [i8; N], [i8; N]) {
    let value = |lane: usize, salt: u64| {
        let x = (cycle * 64 + lane as u64 + salt).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        // rust-hdl 0.46 recurses without end when it extends the sign of -128.
        ((x >> 56) as i8).max(-127)
    };
    (cycle % 64 < N as u64, std::array::from_fn(|i| value(i, 0)), std::array::from_fn(|i| value(i, 32)))
}

/// Cycles per second of `cycle`, best of three runs of about a second.
pub fn rate(mut cycle: impl FnMut(u64)) -> f64 {
    let mut at = 0;
    let mut best = 0f64;
    for _ in 0..3 {
        let start = Instant::now();
        let mut count = 0u64;
        while start.elapsed() < Duration::from_secs(1) {
            for _ in 0..BATCH {
                cycle(at);
                at += 1;
            }
            count += BATCH;
        }
        best = best.max(count as f64 / start.elapsed().as_secs_f64());
    }
    best
}
