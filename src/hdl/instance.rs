//! Instances of modules.

use super::ir::{Dir, InstId, Instance as InstanceIr, Loc, Module, ModuleId, Op, PortId};
use super::scope::{Scope, Target};
use super::signal::Signal;
use std::cell::RefCell;
use std::rc::Rc;

/// A module that has been described and can be instanced any number of times.
#[derive(Clone)]
pub struct ModuleRef {
    pub(super) id: ModuleId,
    pub(super) module: Rc<Module>,
}

impl ModuleRef {
    /// The name of the module.
    pub fn name(&self) -> &str {
        &self.module.name
    }
}

/// An instance being connected.
pub struct Instance<'m> {
    scope: &'m Scope,
    id: InstId,
    module: Rc<Module>,
    connected_at: RefCell<Vec<Option<Loc>>>,
}

impl Scope {
    /// An instance of `module`; connect its inputs with [`Instance::set`], read its outputs with [`Instance::get`].
    #[track_caller]
    pub fn instance(&self, name: &str, module: &ModuleRef) -> Instance<'_> {
        let loc = self.here();
        self.check_origin(module, loc);
        let id = InstId(self.body().instances.len() as u32);
        let connections = module
            .module
            .ports
            .iter()
            .enumerate()
            .map(|(index, port)| {
                let out = || Op::InstOut { inst: id, port: PortId(index as u32) };
                (port.dir == Dir::Output).then(|| self.push(out(), port.width, None, loc))
            })
            .collect();
        self.body_mut().instances.push(InstanceIr { name: name.to_string(), module: module.id, connections, loc });
        let ports = module.module.ports.len();
        Instance { scope: self, id, module: module.module.clone(), connected_at: RefCell::new(vec![None; ports]) }
    }
}

impl<'m> Instance<'m> {
    /// Drives an input port.
    #[track_caller]
    pub fn set(&self, port: &str, value: Signal<'m>) -> &Instance<'m> {
        self.set_at(port, value, self.scope.here())
    }

    pub(super) fn set_at(&self, port: &str, value: Signal<'m>, loc: Loc) -> &Instance<'m> {
        let Some(index) = self.find(port, Dir::Input, loc) else { return self };
        let name = self.port_name(port, '.');
        if let Some(earlier) = self.connected_at.borrow_mut()[index].replace(loc) {
            let note = (Some(earlier), "it is driven first".to_string());
            self.scope.error(loc, format!("input `{name}` is driven twice"), vec![note]);
            return self;
        }
        let declared = &self.module.ports[index];
        let source = self.scope.own(value, loc);
        let name = format!("input `{name}`");
        let target = Target { name: &name, width: declared.width, part_of: None, loc: declared.loc };
        let driver = self.scope.checked_driver(source, &target, loc);
        self.scope.body_mut().instances[self.id.index()].connections[index] = Some(driver);
        self
    }

    /// An output port.
    #[track_caller]
    pub fn get(&self, port: &str) -> Signal<'m> {
        self.get_at(port, self.scope.here())
    }

    pub(super) fn get_at(&self, port: &str, loc: Loc) -> Signal<'m> {
        match self.find(port, Dir::Output, loc) {
            Some(index) => {
                let node = self.scope.body().instances[self.id.index()].connections[index];
                self.scope.signal(node.expect("outputs are connected when the instance is made"))
            }
            None => self.scope.zeros(1),
        }
    }

    fn find(&self, port: &str, dir: Dir, loc: Loc) -> Option<usize> {
        let ports = &self.module.ports;
        let found = ports.iter().position(|p| p.name == port && p.dir == dir);
        if found.is_none() {
            let kind = if dir == Dir::Input { "input" } else { "output" };
            let names: Vec<_> = ports.iter().filter(|p| p.dir == dir).map(|p| p.name.as_str()).collect();
            let has = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            let message = format!("module `{}` has no {kind} `{port}`; it has {has}", self.module.name);
            self.scope.error(loc, message, vec![(Some(self.module.loc), "the module is defined".to_string())]);
        }
        found
    }

    /// The scope that the instance is in.
    pub(super) fn scope(&self) -> &'m Scope {
        self.scope
    }

    /// The names of instance and port, with `separator` between them.
    pub(super) fn port_name(&self, port: &str, separator: char) -> String {
        format!("{}{separator}{port}", self.scope.body().instances[self.id.index()].name)
    }
}
