//! A module as a block.

use super::Ports;
use super::binding::Field;
use super::library::{Definition, Library, PortKind};
use crate::hdl::bits::words_for;
use crate::hdl::names::Names;
use crate::hdl::sim::{InputId, OutputId, Simulator};
use rust_hdl::prelude::{Block, Logic, Probe, Verilog, Wrapper};
use std::cell::RefCell;
use std::fmt;
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A module as a rust-hdl block with the signals `P`, whose fields are reached as if they were its own.
///
/// In simulation a rising edge of the clock steps the native simulator with the inputs of the delta cycle before, as
/// rust-hdl's flip-flops do; outputs follow inputs in the next delta cycle. In Verilog it is a module with the fields
/// as ports around an instance of the module proper.
pub struct Instance<P> {
    ports: P,
    model: Model,
    fields: Vec<Field>,
    text: ModuleText,
    /// Which definitions the probe that is visiting asks for, `None` between visits.
    to_define: RefCell<Option<Vec<usize>>>,
}

/// What the block emits.
pub(super) struct ModuleText {
    /// The module proper.
    pub name: String,
    /// Outputs without a field.
    pub open: Vec<String>,
    /// It and all modules below it.
    pub definitions: Arc<[Definition]>,
    pub library: Library,
    /// Number of the instance in the library.
    pub instance: u64,
}

/// The simulated module.
struct Model {
    simulator: Simulator,
    /// What each field stands for.
    pins: Vec<Pin>,
    /// Whether outputs have been computed at all.
    has_run: bool,
    words: Vec<u64>,
}

#[derive(Clone, Copy)]
enum Pin {
    Clock,
    Reset,
    Input(InputId, usize),
    Output(OutputId),
}

impl<P: Ports> Instance<P> {
    pub(super) fn new(ports: P, fields: Vec<Field>, simulator: Simulator, text: ModuleText) -> Instance<P> {
        let pin = |field: &Field| match field.kind {
            PortKind::Clock => Pin::Clock,
            PortKind::Reset => Pin::Reset,
            PortKind::Input => {
                let id = simulator.input(&field.port).expect("an input of the design");
                Pin::Input(id, words_for(field.width))
            }
            PortKind::Output => Pin::Output(simulator.output(&field.port).expect("an output of the design")),
        };
        let pins = fields.iter().map(pin).collect();
        let widest = fields.iter().map(|f| words_for(f.width)).max().unwrap_or(1);
        let model = Model { simulator, pins, has_run: false, words: vec![0; widest] };
        Instance { ports, model, fields, text, to_define: RefCell::new(None) }
    }

    /// The module that this is an instance of.
    pub fn module_name(&self) -> &str {
        &self.text.name
    }

    /// Rising edges of the clock so far.
    pub fn cycles(&self) -> u64 {
        self.model.simulator.cycle()
    }
}

impl Model {
    fn update<P: Ports>(&mut self, ports: &mut P) {
        let Model { simulator, pins, has_run, words } = self;
        let mut rising = false;
        let mut is_stale = !*has_run;
        let mut left = pins.iter();
        ports.for_each(&mut |_, signal| {
            let pin = left.next().expect("a pin for each field");
            let is_new = signal.is_new() || !*has_run;
            match *pin {
                Pin::Clock => rising = signal.has_risen(),
                Pin::Reset if is_new => {
                    signal.read(&mut words[..1]);
                    simulator.set_reset(words[0] == 0);
                }
                Pin::Input(id, count) if is_new => {
                    signal.read(&mut words[..count]);
                    simulator.set_words(id, &words[..count]);
                    is_stale = true;
                }
                Pin::Reset | Pin::Input(..) | Pin::Output(_) => {}
            }
        });
        if rising {
            simulator.step();
            is_stale = true;
        }
        if is_stale {
            let mut left = pins.iter();
            ports.for_each_mut(&mut |_, signal| {
                if let Pin::Output(id) = *left.next().expect("a pin for each field") {
                    signal.drive(simulator.get_words(id));
                }
            });
            *has_run = true;
        }
    }
}

impl<P: Ports> Logic for Instance<P> {
    fn update(&mut self) {
        self.model.update(&mut self.ports);
    }

    fn connect(&mut self) {
        let mut pins = self.model.pins.iter();
        self.ports.for_each_mut(&mut |_, signal| {
            if let Pin::Output(_) = *pins.next().expect("a pin for each field") {
                signal.mark_driven();
            }
        });
    }

    /// An instance of the module and, unless a visit has met them already, the definitions of it and of all below it.
    fn hdl(&self) -> Verilog {
        let to_define = self.to_define.borrow();
        let definitions = &self.text.definitions;
        let texts: Vec<&str> = match &*to_define {
            Some(some) => some.iter().map(|index| &*definitions[*index].text).collect(),
            None => definitions.iter().map(|d| &*d.text).collect(),
        };
        Verilog::Wrapper(Wrapper { code: self.instantiation(), cores: texts.join("\n") })
    }
}

impl<P: Ports> Instance<P> {
    fn instantiation(&self) -> String {
        let mut names = Names::default();
        self.fields.iter().for_each(|field| {
            names.reserve(&field.name);
        });
        let instance = names.unique(&format!("u_{}", self.text.name));
        let connected = self.fields.iter().map(|f| format!("    .{}({})", f.port, f.name));
        let open = self.text.open.iter().map(|port| format!("    .{port}()"));
        let connections: Vec<String> = connected.chain(open).collect();
        format!("{} {instance} (\n{}\n);", self.text.name, connections.join(",\n"))
    }
}

impl<P: Ports> Block for Instance<P> {
    fn connect_all(&mut self) {
        self.connect();
        self.ports.for_each_mut(&mut |_, signal| signal.connect_all());
    }

    fn update_all(&mut self) {
        self.update();
        self.ports.for_each_mut(&mut |_, signal| signal.update_all());
    }

    fn has_changed(&self) -> bool {
        let mut has_changed = false;
        self.ports.for_each(&mut |_, signal| has_changed |= signal.has_changed());
        has_changed
    }

    fn accept(&self, name: &str, probe: &mut dyn Probe) {
        let ModuleText { library, instance, definitions, .. } = &self.text;
        self.to_define.replace(Some(library.visit(*instance, definitions)));
        probe.visit_start_scope(name, self);
        self.ports.for_each(&mut |field, signal| signal.accept(field, probe));
        probe.visit_end_scope(name, self);
        self.to_define.replace(None);
    }
}

impl<P> fmt::Debug for Instance<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Instance").field("module", &self.text.name).finish_non_exhaustive()
    }
}

impl<P> Deref for Instance<P> {
    type Target = P;

    fn deref(&self) -> &P {
        &self.ports
    }
}

impl<P> DerefMut for Instance<P> {
    fn deref_mut(&mut self) -> &mut P {
        &mut self.ports
    }
}
