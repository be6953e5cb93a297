//! Any elaborated module as a block of [rust-hdl](https://docs.rs/rust-hdl) 0.46, behind the cargo feature `rust-hdl`.
//!
//! [`Library::module`] takes a [`Design`](crate::hdl::Design), [`Module::instance`] makes blocks of it. An [`Instance`]
//! is a field of a `#[derive(LogicBlock)]` struct whose `#[hdl_gen]` kernel drives its ports. In rust-hdl's
//! `Simulation` the native simulator computes its outputs; `generate_verilog` contains the Verilog of this library, each
//! module once. `docs/rust-hdl.md` shows how to use it.

mod all_ports;
mod binding;
mod error;
mod instance;
mod library;
mod port;
mod signal;

pub use all_ports::AllPorts;
pub use binding::Binding;
pub use error::{InteropError, PortProblem};
pub use instance::Instance;
pub use library::{Library, Module};
pub use port::Port;
pub use signal::{PortSignal, Role};

/// The signals of a block, one field for each port of a module. Declared with
/// [`rust_hdl_ports!`](crate::rust_hdl_ports); [`AllPorts`] needs no declaration.
pub trait Ports: Sized {
    /// Makes every signal through [`Binding::signal`], in the order of [`Ports::for_each`].
    fn bind(binding: &mut Binding) -> Self;

    /// Calls `f` with the name and the signal of each field, always in the same order.
    fn for_each(&self, f: &mut dyn FnMut(&str, &dyn PortSignal));

    /// The same with signals that can be changed.
    fn for_each_mut(&mut self, f: &mut dyn FnMut(&str, &mut dyn PortSignal));
}

/// Declares the ports of a module as fields, the types of which are rust-hdl's `Signal`s or [`Port`]s:
///
/// ```
/// use eva_rtl::rust_hdl_ports;
/// use rust_hdl::prelude::*;
///
/// rust_hdl_ports! {
///     /// An accumulator.
///     pub struct Accumulator {
///         clock: Signal<In, Clock> = "clk",
///         rst_n: Signal<In, Bit>,
///         step: Signal<In, Bits<8>>,
///         sum: Signal<Out, Bits<12>>,
///     }
/// }
/// ```
///
/// A field has the name of its port unless another one follows: `= "clk"`. Inputs, clock and reset must be there;
/// outputs may be left out.
#[macro_export]
macro_rules! rust_hdl_ports {
    (@port $field:ident) => { stringify!($field) };
    (@port $field:ident $port:literal) => { $port };
    ($(#[$meta:meta])* $vis:vis struct $name:ident {
        $($(#[$field_meta:meta])* $field:ident: $signal:ty $(= $port:literal)?),+ $(,)?
    }) => {
        $(#[$meta])*
        $vis struct $name { $($(#[$field_meta])* pub $field: $signal),+ }

        impl $crate::hdl::interop::rust_hdl::Ports for $name {
            fn bind(binding: &mut $crate::hdl::interop::rust_hdl::Binding) -> Self {
                $name { $($field: binding.signal(stringify!($field), $crate::rust_hdl_ports!(@port $field $($port)?))),+ }
            }

            fn for_each(&self, f: &mut dyn FnMut(&str, &dyn $crate::hdl::interop::rust_hdl::PortSignal)) {
                $(f(stringify!($field), &self.$field);)+
            }

            fn for_each_mut(&mut self, f: &mut dyn FnMut(&str, &mut dyn $crate::hdl::interop::rust_hdl::PortSignal)) {
                $(f(stringify!($field), &mut self.$field);)+
            }
        }
    };
}
