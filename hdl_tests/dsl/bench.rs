//! Small designs on the native simulator, and the integers they are compared with.

use crate::clocking;
use eva_rtl::hdl::bits::Bits;
use eva_rtl::hdl::sim::{PowerUp, SimOptions, Simulator};
use eva_rtl::hdl::{Scope, elaborate};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A generator for one test; the seed is part of each failure message.
pub fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// Elaborates and compiles a description that is free of errors; undefined state starts at random values.
#[track_caller]
pub fn simulate(seed: u64, describe: impl FnOnce(&Scope)) -> Simulator {
    let design = elaborate("top", clocking(), describe).expect("elaborates").design;
    let options = SimOptions { power_up: PowerUp::Random(seed), ..SimOptions::default() };
    Simulator::new(&design, options).expect("compiles")
}

/// Access to ports by name, for at most 128 bits.
pub trait Ports {
    fn put(&mut self, input: &str, value: u128);
    fn value(&mut self, output: &str) -> Number;
}

impl Ports for Simulator {
    #[track_caller]
    fn put(&mut self, input: &str, value: u128) {
        let id = self.input(input).unwrap();
        let bits = Bits::from_words(&[value as u64, (value >> 64) as u64], self.input_width(id));
        self.set(id, &bits);
    }

    #[track_caller]
    fn value(&mut self, output: &str) -> Number {
        let id = self.output(output).unwrap();
        let width = self.output_width(id);
        let words = self.get_words(id);
        let high = words.get(1).copied().unwrap_or(0);
        Number { bits: u128::from(words[0]) | u128::from(high) << 64, width }
    }
}

/// An integer of at most 128 bits with a width, as a signal has it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Number {
    pub bits: u128,
    pub width: u32,
}

/// The value modulo `2^width`.
pub fn number(value: u128, width: u32) -> Number {
    Number { bits: value & mask(width), width }
}

/// Two's complement modulo `2^width`.
pub fn signed(value: i128, width: u32) -> Number {
    number(value as u128, width)
}

pub fn flag(value: bool) -> Number {
    number(value.into(), 1)
}

impl Number {
    /// The two's complement value.
    pub fn signed(self) -> i128 {
        let shift = 128 - self.width;
        (self.bits << shift) as i128 >> shift
    }
}

pub fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width)
}

/// Often an extreme value, otherwise any.
pub fn random_number(rng: &mut ChaCha8Rng, width: u32) -> Number {
    let top = 1u128 << (width - 1);
    let bits = match rng.random_range(0..10) {
        0 => 0,
        1 => 1,
        2 => u128::MAX,
        3 => top,
        4 => top - 1,
        5 => top >> rng.random_range(0..width),
        _ => rng.random(),
    };
    number(bits, width)
}
