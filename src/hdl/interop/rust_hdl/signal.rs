//! rust-hdl's own signals as ports.

use crate::hdl::bits::words_for;
use rust_hdl::prelude::{Bit, Bits, Block, Clock, In, Out, Signal, Signed, Synth, signed_cast};

/// What a signal can stand for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The clock.
    Clock,
    /// An input or the reset.
    Input,
    /// An output.
    Output,
}

/// A signal that can stand for a port of a module. Values are little-endian words, as many as hold the bits of the port.
pub trait PortSignal: Block {
    /// What it can stand for.
    fn role() -> Role
    where
        Self: Sized;

    /// Its bits, `None` if it can have any number.
    fn fixed_width() -> Option<u32>
    where
        Self: Sized;

    /// A signal for the port `name` of `width` bits, which are those of [`PortSignal::fixed_width`].
    fn for_port(name: &str, width: u32) -> Self
    where
        Self: Sized;

    /// Whether the value has changed in the latest delta cycle.
    fn is_new(&self) -> bool;

    /// Whether it is a clock that has just risen.
    fn has_risen(&self) -> bool {
        false
    }

    /// The present value of an input.
    fn read(&self, words: &mut [u64]);

    /// Sets the next value of an output; of no use for others.
    fn drive(&mut self, _words: &[u64]) {}

    /// Tells rust-hdl's checks that the signal has a driver.
    fn mark_driven(&mut self) {
        self.connect();
    }
}

/// A type of rust-hdl that is nothing but bits.
trait Plain: Synth {
    fn to_words(self, words: &mut [u64]);
    fn from_words(words: &[u64]) -> Self;
}

impl Plain for Bit {
    fn to_words(self, words: &mut [u64]) {
        words[0] = u64::from(self);
    }

    fn from_words(words: &[u64]) -> Bit {
        words[0] & 1 == 1
    }
}

impl<const N: usize> Plain for Bits<N> {
    fn to_words(self, words: &mut [u64]) {
        match self {
            Bits::Short(short) => words[0] = u64::from(short.short()),
            Bits::Long(long) => {
                words.fill(0);
                (0..N).for_each(|i| words[i / 64] |= u64::from(long.get_bit(i)) << (i % 64));
            }
        }
    }

    fn from_words(words: &[u64]) -> Bits<N> {
        // Of N alone depends which of its two forms rust-hdl uses.
        match Bits::<N>::default() {
            Bits::Short(_) => Bits::Short((words[0] as u32).into()),
            Bits::Long(_) => Bits::Long(std::array::from_fn(|i| words[i / 64] >> (i % 64) & 1 == 1).into()),
        }
    }
}

impl<const N: usize> Plain for Signed<N> {
    fn to_words(self, words: &mut [u64]) {
        self.inner().to_words(words);
    }

    fn from_words(words: &[u64]) -> Signed<N> {
        signed_cast(Bits::from_words(words))
    }
}

macro_rules! plain_signal {
    ([$($generics:tt)*] $type:ty, $direction:ty, $role:expr) => {
        impl<$($generics)*> PortSignal for Signal<$direction, $type> {
            fn role() -> Role {
                $role
            }

            fn fixed_width() -> Option<u32> {
                Some(<$type>::BITS as u32)
            }

            fn for_port(_: &str, _: u32) -> Self {
                Signal::default()
            }

            fn is_new(&self) -> bool {
                self.changed
            }

            fn read(&self, words: &mut [u64]) {
                self.val().to_words(words);
            }

            fn drive(&mut self, words: &[u64]) {
                self.next = <$type as Plain>::from_words(words);
            }
        }
    };
}

macro_rules! plain_signals {
    ($([$($generics:tt)*] $type:ty),+ $(,)?) => {$(
        plain_signal!([$($generics)*] $type, In, Role::Input);
        plain_signal!([$($generics)*] $type, Out, Role::Output);
    )+};
}
plain_signals!([] Bit, [const N: usize] Bits<N>, [const N: usize] Signed<N>);

impl PortSignal for Signal<In, Clock> {
    fn role() -> Role {
        Role::Clock
    }

    fn fixed_width() -> Option<u32> {
        Some(1)
    }

    fn for_port(_: &str, _: u32) -> Self {
        Signal::default()
    }

    fn is_new(&self) -> bool {
        self.changed
    }

    fn has_risen(&self) -> bool {
        self.pos_edge()
    }

    fn read(&self, words: &mut [u64]) {
        words[0] = u64::from(self.val().clk);
    }
}

impl<const N: usize> From<Bits<N>> for crate::hdl::Bits {
    /// The same bits, of the same width.
    fn from(value: Bits<N>) -> crate::hdl::Bits {
        let mut words = vec![0; words_for(N as u32)];
        value.to_words(&mut words);
        crate::hdl::Bits::from_words(&words, N as u32)
    }
}

impl From<Bit> for crate::hdl::Bits {
    /// One bit.
    fn from(value: Bit) -> crate::hdl::Bits {
        crate::hdl::Bits::from_u64(u64::from(value), 1)
    }
}

impl rust_hdl::prelude::ToBits for crate::hdl::Bits {
    /// The same bits, of the same width.
    ///
    /// # Panics
    /// If the width is not `N`.
    fn to_bits<const N: usize>(self) -> Bits<N> {
        assert!(self.width() as usize == N, "a value of {} bits was taken for one of {N}", self.width());
        Bits::from_words(self.words())
    }
}
