//! A signal the width of which is known at run time only.

use super::signal::{PortSignal, Role};
use crate::hdl::Bits;
use rust_hdl::core::signal::get_signal_id;
use rust_hdl::prelude::{
    Atom, AtomKind, Block, Direction, In, Logic, Out, PinConstraint, Probe, TypeDescriptor, TypeKind, VCDValue,
    VerilogLiteral,
};
use std::marker::PhantomData;

/// A signal that takes its width from the port it stands for. It is used like rust-hdl's `Signal`, with values of type
/// [`Bits`]: in a kernel `self.u.a.next = self.a.val().into()` and `self.y.next = self.u.y.val().to_bits()`.
///
/// Rust cannot check these widths: an update fails when `next` has another width than the port.
#[derive(Clone, Debug)]
pub struct Port<D: Direction> {
    /// The value from the next delta cycle on; of an output the present one.
    pub next: Bits,
    val: Bits,
    name: String,
    is_new: bool,
    is_driven: bool,
    id: usize,
    direction: PhantomData<D>,
}

impl<D: Direction> Port<D> {
    fn new(name: &str, width: u32) -> Port<D> {
        Port {
            next: Bits::zero(width),
            val: Bits::zero(width),
            name: name.to_owned(),
            is_new: false,
            is_driven: false,
            id: get_signal_id(),
            direction: PhantomData,
        }
    }

    /// Bits.
    pub fn width(&self) -> u32 {
        self.val.width()
    }
}

impl Port<In> {
    /// The present value.
    pub fn val(&self) -> Bits {
        self.val.clone()
    }
}

impl Port<Out> {
    /// The present value.
    pub fn val(&self) -> Bits {
        self.next.clone()
    }
}

impl<D: Direction> Atom for Port<D> {
    fn bits(&self) -> usize {
        self.width() as usize
    }

    fn connected(&self) -> bool {
        self.is_driven
    }

    fn changed(&self) -> bool {
        self.is_new
    }

    fn kind(&self) -> AtomKind {
        D::KIND
    }

    fn descriptor(&self) -> TypeDescriptor {
        let width = self.bits();
        TypeDescriptor { name: format!("Bits::<{width}>"), kind: TypeKind::Bits(width) }
    }

    fn vcd(&self) -> VCDValue {
        let bits = (0..self.width()).rev().map(|i| match VCDValue::from(self.val.bit(i)) {
            VCDValue::Single(bit) => bit,
            other => unreachable!("rust-hdl made {other:?} of a bit"),
        });
        VCDValue::Vector(bits.collect())
    }

    fn id(&self) -> usize {
        self.id
    }

    /// rust-hdl prints the values of constants only, which this is not.
    fn verilog(&self) -> VerilogLiteral {
        VerilogLiteral::from(self.val.words()[0])
    }

    fn constraints(&self) -> Vec<PinConstraint> {
        Vec::new()
    }
}

impl<D: Direction> Logic for Port<D> {
    fn update(&mut self) {}

    fn connect(&mut self) {
        self.is_driven = true;
    }
}

impl<D: Direction> Block for Port<D> {
    fn connect_all(&mut self) {}

    /// # Panics
    /// If `next` has another width than the port.
    fn update_all(&mut self) {
        assert!(
            self.next.width() == self.val.width(),
            "port `{}` has {} bits, and was given a value of {}",
            self.name,
            self.val.width(),
            self.next.width(),
        );
        self.is_new = self.val != self.next;
        if self.is_new {
            self.val.clone_from(&self.next);
        }
    }

    fn has_changed(&self) -> bool {
        self.is_new
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        probe.visit_atom(name, self);
    }
}

macro_rules! port_signal {
    ($direction:ty, $role:expr) => {
        impl PortSignal for Port<$direction> {
            fn role() -> Role {
                $role
            }

            fn fixed_width() -> Option<u32> {
                None
            }

            fn for_port(name: &str, width: u32) -> Self {
                Port::new(name, width)
            }

            fn is_new(&self) -> bool {
                self.is_new
            }

            fn read(&self, words: &mut [u64]) {
                words.copy_from_slice(self.val.words());
            }

            fn drive(&mut self, words: &[u64]) {
                if self.next.words() != words {
                    self.next = Bits::from_words(words, self.width());
                }
            }
        }
    };
}
port_signal!(In, Role::Input);
port_signal!(Out, Role::Output);
