//! All ports of a module, without a declaration.

use super::Ports;
use super::binding::Binding;
use super::port::Port;
use super::signal::{PortSignal, Role};
use rust_hdl::prelude::{Clock, In, Out, Signal};

/// Every port of a module, by its name: for testbenches of a module alone, and of modules whose ports are known at run
/// time only. Kernels cannot name them.
pub struct AllPorts(Vec<(String, AnySignal)>);

enum AnySignal {
    Clock(Signal<In, Clock>),
    Input(Port<In>),
    Output(Port<Out>),
}

impl AllPorts {
    /// The clock, if the module has one.
    pub fn clock(&mut self) -> Option<&mut Signal<In, Clock>> {
        self.0.iter_mut().find_map(|(_, signal)| match signal {
            AnySignal::Clock(clock) => Some(clock),
            AnySignal::Input(_) | AnySignal::Output(_) => None,
        })
    }

    /// The input of this name; the reset is one.
    pub fn input(&mut self, name: &str) -> Option<&mut Port<In>> {
        self.0.iter_mut().find_map(|(own, signal)| match signal {
            AnySignal::Input(port) if own == name => Some(port),
            _ => None,
        })
    }

    /// The output of this name.
    pub fn output(&self, name: &str) -> Option<&Port<Out>> {
        self.0.iter().find_map(|(own, signal)| match signal {
            AnySignal::Output(port) if own == name => Some(port),
            _ => None,
        })
    }
}

impl Ports for AllPorts {
    fn bind(binding: &mut Binding) -> AllPorts {
        let ports: Vec<_> = binding.ports().collect();
        let signal = |(name, role): (&str, Role)| {
            let signal = match role {
                Role::Clock => AnySignal::Clock(binding.unnamed(name, name)),
                Role::Input => AnySignal::Input(binding.unnamed(name, name)),
                Role::Output => AnySignal::Output(binding.unnamed(name, name)),
            };
            (name.to_owned(), signal)
        };
        AllPorts(ports.into_iter().map(signal).collect())
    }

    fn for_each(&self, f: &mut dyn FnMut(&str, &dyn PortSignal)) {
        for (name, signal) in &self.0 {
            match signal {
                AnySignal::Clock(signal) => f(name, signal),
                AnySignal::Input(signal) => f(name, signal),
                AnySignal::Output(signal) => f(name, signal),
            }
        }
    }

    fn for_each_mut(&mut self, f: &mut dyn FnMut(&str, &mut dyn PortSignal)) {
        for (name, signal) in &mut self.0 {
            match signal {
                AnySignal::Clock(signal) => f(name, signal),
                AnySignal::Input(signal) => f(name, signal),
                AnySignal::Output(signal) => f(name, signal),
            }
        }
    }
}
