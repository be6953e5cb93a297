//! The interface that testbenches drive; native and Verilator simulation stand behind it.

use std::path::Path;

use super::CosimError;

/// Direction of a port, as the simulated module sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Driven from outside.
    Input,
    /// Driven by the module.
    Output,
}

/// A port of the simulated module.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PortSpec {
    /// As in the Verilog.
    pub name: String,
    /// As the module sees it.
    pub direction: Direction,
    /// Bits, at least 1.
    pub width: u32,
}

impl PortSpec {
    /// An input of `width` bits.
    pub fn input(name: &str, width: u32) -> Self {
        Self { name: name.to_owned(), direction: Direction::Input, width }
    }

    /// An output of `width` bits.
    pub fn output(name: &str, width: u32) -> Self {
        Self { name: name.to_owned(), direction: Direction::Output, width }
    }
}

/// Handle of an input; valid only for the simulator that gave it.
#[derive(Clone, Copy, Debug)]
pub struct InPort {
    index: u32,
    width: u32,
}

/// Handle of an output; valid only for the simulator that gave it.
#[derive(Clone, Copy, Debug)]
pub struct OutPort {
    index: u32,
    width: u32,
}

macro_rules! handle {
    ($name:ident) => {
        impl $name {
            /// For simulators: the handle of their port number `index`, `width` bits wide.
            pub fn new(index: u32, width: u32) -> Self {
                Self { index, width }
            }

            /// The simulator's own number of this port.
            pub fn index(self) -> usize {
                self.index as usize
            }

            /// Bits.
            pub fn width(self) -> u32 {
                self.width
            }

            /// 64-bit words that hold a value of this port.
            pub fn words(self) -> usize {
                words_for(self.width)
            }
        }
    };
}
handle!(InPort);
handle!(OutPort);

pub use crate::hdl::bits::words_for;

/// A running model of a module with a single clock, which only [`step`](Self::step) drives.
///
/// Values are little-endian: bit `i` of a port is bit `i % 64` of word `i / 64`.
pub trait Simulator {
    /// `native` or `verilator`; goes into reports.
    fn kind(&self) -> &'static str;

    /// The input called `name`; the clock is not one of them.
    fn input(&self, name: &str) -> Result<InPort, CosimError>;

    /// The output called `name`.
    fn output(&self, name: &str) -> Result<OutPort, CosimError>;

    /// Sets an input from exactly [`InPort::words`] words. Bits beyond the port's width are ignored.
    fn set(&mut self, port: InPort, words: &[u64]);

    /// Sets an input of at most 64 bits.
    fn set_u64(&mut self, port: InPort, value: u64) {
        self.set(port, &[value]);
    }

    /// Copies the value of an output into exactly [`OutPort::words`] words. Meaningful from a [`settle`](Self::settle)
    /// to the next `set` or `step`.
    fn get(&self, port: OutPort, words: &mut [u64]);

    /// The value of an output of at most 64 bits; meaningful when that of [`get`](Self::get) is.
    fn get_u64(&self, port: OutPort) -> u64 {
        let mut word = [0];
        self.get(port, &mut word);
        word[0]
    }

    /// Makes the outputs reflect the state and the inputs.
    fn settle(&mut self);

    /// One rising edge of the clock, with the inputs as they are.
    fn step(&mut self);

    /// Records every signal from now on into a VCD file.
    fn open_waves(&mut self, path: &Path) -> Result<(), CosimError>;

    /// Completes the VCD file. Does nothing when none is open.
    fn close_waves(&mut self) -> Result<(), CosimError>;
}
