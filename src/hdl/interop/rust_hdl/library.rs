//! The Verilog modules of one rust-hdl design, each to be defined once.

use super::binding::Binding;
use super::error::InteropError;
use super::instance::{Instance, ModuleText};
use super::{AllPorts, Ports};
use crate::hdl::ir::{Design, Dir};
use crate::hdl::sim::{PowerUp, SimOptions, Simulator};
use crate::hdl::verilog::{self, Options};
use std::collections::{HashMap, HashSet};
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::ThreadId;

/// What rust-hdl calls the outermost module.
const ROOT: &str = "top";

/// The modules that the blocks of one rust-hdl design are instances of. Every design that is emitted should have a
/// library of its own; a clone is the same library.
///
/// rust-hdl asks each block for its Verilog and knows no modules with several instances. So the first block that it visits
/// brings the definitions it needs, and the others those that are still missing.
#[derive(Clone, Debug, Default)]
pub struct Library(Arc<Mutex<Shelf>>);

#[derive(Debug, Default)]
struct Shelf {
    /// The text of every module by its name.
    texts: HashMap<String, Arc<str>>,
    instances: u64,
    visits: HashMap<ThreadId, Visits>,
}

/// What one thread does: probes visit all blocks of a rust-hdl design, one after the other.
#[derive(Debug, Default)]
struct Visits {
    /// The instances that the present visit has met, and those of the one before.
    instances: HashSet<u64>,
    before: HashSet<u64>,
    /// The modules that the present visit has met.
    defined: HashSet<String>,
}

/// A module of a [`Library`], to make blocks of.
pub struct Module {
    library: Library,
    design: Design,
    power_up: PowerUp,
    definitions: Arc<[Definition]>,
    ports: Vec<PortInfo>,
}

/// A module and its text.
#[derive(Clone, Debug)]
pub(super) struct Definition {
    pub name: String,
    pub text: Arc<str>,
}

/// A port, clock and reset included.
pub(super) struct PortInfo {
    pub name: String,
    pub kind: PortKind,
    pub width: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PortKind {
    Clock,
    Reset,
    Input,
    Output,
}

impl Library {
    /// An empty library.
    pub fn new() -> Library {
        Library::default()
    }

    /// Adds the modules of a design and gives its top module. Modules that are there already are shared.
    ///
    /// # Errors
    /// A module has the name of another one of this library, or that of rust-hdl's outermost module.
    pub fn module(&self, design: &Design) -> Result<Module, InteropError> {
        let files = verilog::emit(design, &Options::default());
        let definitions: Arc<[Definition]> = files.into_iter().map(Definition::guarded).collect();
        self.change(|shelf| {
            for Definition { name, text } in definitions.iter() {
                if name == ROOT {
                    return Err(InteropError::ModuleNamedTop);
                }
                if shelf.texts.get(name).is_some_and(|known| known != text) {
                    return Err(InteropError::DifferentModules { name: name.clone() });
                }
            }
            shelf.texts.extend(definitions.iter().map(|d| (d.name.clone(), d.text.clone())));
            Ok(())
        })?;
        let ports = ports(design);
        Ok(Module {
            library: self.clone(),
            design: design.clone(),
            power_up: SimOptions::default().power_up,
            definitions,
            ports,
        })
    }

    /// A number for a new instance.
    fn number(&self) -> u64 {
        self.change(|shelf| {
            shelf.instances += 1;
            shelf.instances
        })
    }

    /// Tells that a probe visits an instance, and gets which of the modules below it this instance has to define.
    ///
    /// A visit ends when an instance is met again. The checks of rust-hdl's `generate_verilog` visit all instances three
    /// times before they are to be emitted. So by then a visit is one way round, wherever it begins, and each module has one
    /// instance that defines it. An instance that the visit before has not met defines all modules, which the guards
    /// around them permit: it may belong to another design.
    pub(super) fn visit(&self, instance: u64, definitions: &[Definition]) -> Vec<usize> {
        self.change(|shelf| {
            let visits = shelf.visits.entry(std::thread::current().id()).or_default();
            if !visits.instances.insert(instance) {
                visits.before = std::mem::replace(&mut visits.instances, HashSet::from([instance]));
                visits.defined.clear();
            }
            let is_expected = visits.before.contains(&instance);
            let to_define = |(index, d): (usize, &Definition)| {
                let is_new = visits.defined.insert(d.name.clone());
                (is_new || !is_expected).then_some(index)
            };
            definitions.iter().enumerate().filter_map(to_define).collect()
        })
    }

    fn change<T>(&self, f: impl FnOnce(&mut Shelf) -> T) -> T {
        // No change can be left half done, so a panic elsewhere does not matter.
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Module {
    /// What registers and memories of instances made from now on hold before anything is written to them, in
    /// simulation; random values at first.
    pub fn with_power_up(mut self, power_up: PowerUp) -> Module {
        self.power_up = power_up;
        self
    }

    /// A block with the ports that `P` declares.
    ///
    /// # Errors
    /// All differences between `P` and the ports of the module at once.
    pub fn instance<P: Ports>(&self) -> Result<Instance<P>, InteropError> {
        let module = &self.design.top_module().name;
        let mut binding = Binding::new(&self.ports);
        let ports = P::bind(&mut binding);
        let fields = binding.finish().map_err(|problems| InteropError::Ports { module: module.clone(), problems })?;
        let options = SimOptions { power_up: self.power_up, keep_names: false };
        let simulator = Simulator::new(&self.design, options)
            .map_err(|source| InteropError::Simulation { module: module.clone(), source })?;
        let open = self.ports.iter().filter(|p| fields.iter().all(|f| f.port != p.name)).map(|p| p.name.clone());
        let text = ModuleText {
            name: module.clone(),
            open: open.collect(),
            definitions: self.definitions.clone(),
            library: self.library.clone(),
            instance: self.library.number(),
        };
        Ok(Instance::new(ports, fields, simulator, text))
    }

    /// A block with all ports of the module.
    ///
    /// # Errors
    /// The native simulator cannot run the module.
    pub fn block(&self) -> Result<Instance<AllPorts>, InteropError> {
        self.instance()
    }
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module").field("name", &self.design.top_module().name).finish_non_exhaustive()
    }
}

impl Definition {
    /// The text of a file with guards that let it be read twice. Files of other content have other guards, so that nothing is
    /// hidden by a module that has just the same name.
    fn guarded(file: verilog::File) -> Definition {
        let name = file.name.trim_end_matches(".v").to_owned();
        let hash = blake3::hash(file.text.as_bytes()).to_hex();
        let guard = format!("{}_{}", name.to_uppercase(), hash[..16].to_uppercase());
        let text = format!("`ifndef {guard}\n`define {guard}\n\n{}\n`endif // {guard}\n", file.text.trim_end());
        Definition { name, text: text.into() }
    }
}

fn ports(design: &Design) -> Vec<PortInfo> {
    let (clock, reset) = design.clock_and_reset_use()[design.top.index()];
    let one_bit = |name: &str, kind| PortInfo { name: name.to_owned(), kind, width: 1 };
    let clock = clock.then(|| one_bit(&design.clocking.clock, PortKind::Clock));
    let reset = reset.then(|| one_bit(&design.clocking.reset, PortKind::Reset));
    let declared = design.top_module().ports.iter().map(|p| PortInfo {
        name: p.name.clone(),
        kind: match p.dir {
            Dir::Input => PortKind::Input,
            Dir::Output => PortKind::Output,
        },
        width: p.width,
    });
    clock.into_iter().chain(reset).chain(declared).collect()
}
