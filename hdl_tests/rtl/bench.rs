//! A pipelined module under test: one stimulus in and one result out per cycle.

use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::sim::{InputId, PowerUp, SimOptions, Simulator};
use eva_rtl::hdl::{Scope, elaborate};
use eva_rtl::rtl;

/// A configuration in which only what the module needs matters.
pub fn config(dim: u32, segments: u32) -> CoreConfig {
    let mut cfg = CoreConfig::preset("tiny").expect("a preset");
    cfg.vq.dim = dim;
    cfg.array.cols = 4 * dim * segments;
    cfg.buffers.max_k = 64 * dim;
    cfg
}

/// Elaborates one module as top; it must be free of errors and warnings.
pub fn simulate(name: &str, describe: impl FnOnce(&Scope)) -> Simulator {
    let elaborated = elaborate(name, rtl::clocking(), describe).expect("elaborates");
    assert!(elaborated.warnings.is_empty(), "{:?}", elaborated.warnings);
    let options = SimOptions { power_up: PowerUp::Random(1), ..SimOptions::default() };
    let mut sim = Simulator::new(&elaborated.design, options).expect("compiles");
    sim.reset(2);
    sim
}

/// Plays `stimuli`, one per cycle, and hands each with what the module shows `latency` cycles later to `check`. Returns
/// how many were checked.
pub fn pipeline<S: Clone>(
    sim: &mut Simulator,
    latency: u32,
    stimuli: impl IntoIterator<Item = S>,
    mut apply: impl FnMut(&mut Simulator, &S),
    mut check: impl FnMut(&mut Simulator, &S),
) -> u64 {
    let mut pending = std::collections::VecDeque::new();
    let mut checked = 0;
    let mut stimuli = stimuli.into_iter();
    loop {
        let next = stimuli.next();
        if let Some(stimulus) = &next {
            apply(sim, stimulus);
        }
        pending.push_back(next);
        if pending.len() > latency as usize {
            match pending.pop_front().expect("not empty") {
                Some(stimulus) => {
                    check(sim, &stimulus);
                    checked += 1;
                }
                None => return checked,
            }
        }
        sim.step();
    }
}

/// Values of `width` bits each as a port has them side by side, the first one lowest.
pub fn pack(values: impl IntoIterator<Item = u64>, width: u32) -> Vec<u64> {
    let mut words = vec![0];
    for (value, at) in values.into_iter().zip((0..).step_by(width as usize)) {
        let (word, shift) = (at / 64, at % 64);
        words.resize(word + 2, 0);
        words[word] |= value << shift;
        if shift > 0 {
            words[word + 1] |= value >> (64 - shift);
        }
    }
    words
}

/// Value `number` of those that are side by side in `words`, as [`pack`] puts them.
pub fn unpack(words: &[u64], number: usize, width: u32) -> u64 {
    let at = number * width as usize;
    let high = words.get(at / 64 + 1).copied().unwrap_or(0);
    let both = u128::from(words[at / 64]) | u128::from(high) << 64;
    (both >> (at % 64)) as u64 & (u64::MAX >> (64 - width))
}

/// Sets an input to values of `width` bits side by side.
pub fn set_packed(sim: &mut Simulator, input: InputId, values: impl IntoIterator<Item = u64>, width: u32) {
    let mut words = pack(values, width);
    words.resize(sim.input_width(input).div_ceil(64) as usize, 0);
    sim.set_words(input, &words);
}
