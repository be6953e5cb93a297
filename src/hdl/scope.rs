//! Elaboration: a [`Scope`] is a module being described, [`elaborate`] runs the description of a whole hierarchy.

use super::bits::{Bits, index_width};
use super::check;
use super::diag::{Diagnostic, Diagnostics};
use super::instance::ModuleRef;
use super::ir::*;
use super::reg::Reg;
use super::signal::{Operand, Signal};
use std::cell::{Ref, RefCell, RefMut};
use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;

/// What all scopes of one elaboration have in common.
pub(super) struct Shared {
    clocking: Clocking,
    modules: RefCell<Vec<Rc<Module>>>,
    by_name: RefCell<HashMap<String, ModuleId>>,
    errors: RefCell<Vec<Diagnostic>>,
}

/// A module under construction. Signals borrow it, so they cannot escape into another module.
pub struct Scope {
    pub(super) shared: Rc<Shared>,
    body: RefCell<Module>,
    /// Where each wire, register or instance input got its driver, to name both ends of a conflict.
    driven_at: RefCell<HashMap<NodeId, Loc>>,
    /// Conditional updates of registers, in order; later ones take priority.
    updates: RefCell<Vec<(RegId, NodeId, NodeId)>>,
}

/// A checked design, and what is legal in it but looks like a mistake.
#[derive(Debug)]
pub struct Elaborated {
    pub design: Design,
    pub warnings: Vec<Diagnostic>,
}

/// Elaborates the module `name` described by `describe`, with everything below it.
///
/// # Errors
/// Every mistake of the description, each with its place in the Rust code: see [`check`](super::check).
#[track_caller]
pub fn elaborate(name: &str, clocking: Clocking, describe: impl FnOnce(&Scope)) -> Result<Elaborated, Diagnostics> {
    let shared = Rc::new(Shared {
        clocking,
        modules: RefCell::default(),
        by_name: RefCell::default(),
        errors: RefCell::default(),
    });
    let top = define(&shared, name, Loc::caller(), describe);
    let design = Design {
        clocking: shared.clocking.clone(),
        prefix: String::new(),
        modules: shared.modules.borrow().clone(),
        top: top.id,
    };
    let mut errors = shared.errors.borrow().clone();
    let checked = check::check(&design);
    errors.extend(checked.errors);
    if errors.is_empty() { Ok(Elaborated { design, warnings: checked.warnings }) } else { Err(Diagnostics::from(errors)) }
}

pub(super) fn define(shared: &Rc<Shared>, name: &str, loc: Loc, describe: impl FnOnce(&Scope)) -> ModuleRef {
    let scope = Scope {
        shared: shared.clone(),
        body: RefCell::new(Module {
            name: name.to_string(),
            doc: String::new(),
            params: Vec::new(),
            nodes: Vec::new(),
            ports: Vec::new(),
            regs: Vec::new(),
            mems: Vec::new(),
            instances: Vec::new(),
            discards: Vec::new(),
            loc,
        }),
        driven_at: RefCell::default(),
        updates: RefCell::default(),
    };
    describe(&scope);
    scope.apply_updates();
    let module = Rc::new(scope.body.into_inner());
    let known = shared.by_name.borrow().get(name).copied();
    if let Some(id) = known {
        let existing = shared.modules.borrow()[id.index()].clone();
        if *existing == *module {
            return ModuleRef { id, module: existing };
        }
        shared.errors.borrow_mut().push(Diagnostic {
            message: format!("two different modules are called `{name}`; give them names that contain what differs"),
            module: name.to_string(),
            loc,
            notes: vec![(Some(existing.loc), "the other one is defined here".to_string())],
        });
        return ModuleRef { id, module };
    }
    let mut modules = shared.modules.borrow_mut();
    let id = ModuleId(modules.len() as u32);
    modules.push(module.clone());
    shared.by_name.borrow_mut().insert(name.to_string(), id);
    ModuleRef { id, module }
}

impl Scope {
    /// The sentence or two printed above the module.
    pub fn doc(&self, text: &str) {
        self.body_mut().doc = text.to_string();
    }

    /// Records a generator parameter, to be printed above the module.
    pub fn param(&self, name: &str, value: impl Display) {
        self.body_mut().params.push((name.to_string(), value.to_string()));
    }

    /// Declares an input port of `width` bits.
    #[track_caller]
    pub fn input(&self, name: &str, width: u32) -> Signal<'_> {
        self.input_at(name, width, Loc::caller())
    }

    pub(super) fn input_at(&self, name: &str, width: u32, loc: Loc) -> Signal<'_> {
        let width = self.checked_width(width, name, loc);
        let port = PortId(self.body().ports.len() as u32);
        let node = self.push(Op::Input(port), width, Some(name.to_string()), loc);
        self.body_mut().ports.push(Port { name: name.to_string(), dir: Dir::Input, width, node, loc });
        self.signal(node)
    }

    /// Declares an output port driven by `value`.
    #[track_caller]
    pub fn output(&self, name: &str, value: Signal<'_>) {
        self.output_at(name, value, Loc::caller());
    }

    pub(super) fn output_at(&self, name: &str, value: Signal<'_>, loc: Loc) {
        let node = self.own(value, loc);
        let width = self.body().node(node).width;
        self.body_mut().ports.push(Port { name: name.to_string(), dir: Dir::Output, width, node, loc });
    }

    /// A constant of `width` bits. It is an error if `value` needs more.
    #[track_caller]
    pub fn lit(&self, value: u64, width: u32) -> Signal<'_> {
        let loc = Loc::caller();
        let width = self.checked_width(width, "constant", loc);
        if width < 64 && value >> width != 0 {
            self.error(loc, format!("constant {value} does not fit into {width} bits"), Vec::new());
        }
        self.bits(Bits::from_u64(value, width))
    }

    /// A constant.
    #[track_caller]
    pub fn bits(&self, value: Bits) -> Signal<'_> {
        let width = value.width();
        self.add(Op::Const(value), width, Loc::caller())
    }

    /// The one-bit constant 1.
    #[track_caller]
    pub fn high(&self) -> Signal<'_> {
        self.lit(1, 1)
    }

    /// The one-bit constant 0.
    #[track_caller]
    pub fn low(&self) -> Signal<'_> {
        self.lit(0, 1)
    }

    /// All bits 0.
    #[track_caller]
    pub fn zeros(&self, width: u32) -> Signal<'_> {
        self.lit(0, width)
    }

    /// All bits 1.
    #[track_caller]
    pub fn ones(&self, width: u32) -> Signal<'_> {
        self.bits(Bits::ones(width))
    }

    /// A connection whose driver comes later, for feedback.
    #[track_caller]
    pub fn wire(&self, name: &str, width: u32) -> Wire<'_> {
        let loc = Loc::caller();
        let width = self.checked_width(width, name, loc);
        let node = self.push(Op::Wire(None), width, Some(name.to_string()), loc);
        Wire { signal: self.signal(node) }
    }

    /// A register of `width` bits on the rising clock edge. Say what it takes with [`Reg::next`] or [`Reg::on`].
    #[track_caller]
    pub fn reg(&self, name: &str, width: u32) -> Reg<'_> {
        let loc = Loc::caller();
        let width = self.checked_width(width, name, loc);
        let id = RegId(self.body().regs.len() as u32);
        let node = self.push(Op::Reg(id), width, Some(name.to_string()), loc);
        self.body_mut().regs.push(super::ir::Reg { node, next: None, enable: None, reset: None, loc });
        Reg { q: self.signal(node), id }
    }

    /// First operand most significant.
    #[track_caller]
    pub fn cat<'m>(&'m self, parts: &[Signal<'m>]) -> Signal<'m> {
        let loc = Loc::caller();
        match parts {
            [] => {
                self.error(loc, "concatenation of nothing".to_string(), Vec::new());
                self.zeros(1)
            }
            [one] => *one,
            _ => {
                let ids = parts.iter().map(|p| self.own(*p, loc)).collect();
                self.add(Op::Concat(ids), parts.iter().map(|p| p.width()).sum(), loc)
            }
        }
    }

    /// `elements[0]` in the lowest bits, as in AXI4-Stream data.
    #[track_caller]
    pub fn pack<'m>(&'m self, elements: &[Signal<'m>]) -> Signal<'m> {
        let reversed: Vec<_> = elements.iter().rev().copied().collect();
        self.cat(&reversed)
    }

    /// Describes a child module. Defining the same name with the same content again returns the one that exists.
    #[track_caller]
    pub fn define(&self, name: &str, describe: impl FnOnce(&Scope)) -> ModuleRef {
        define(&self.shared, name, Loc::caller(), describe)
    }

    /// The width that counts up to `count - 1`; see [`index_width`].
    pub fn index_width(count: u32) -> u32 {
        index_width(u64::from(count))
    }

    /// Reports a mistake in the description, at the caller's place. Elaboration goes on, and then fails with all of them.
    #[track_caller]
    pub fn report(&self, message: impl Into<String>) {
        self.error(Loc::caller(), message.into(), Vec::new());
    }

    pub(super) fn error(&self, loc: Loc, message: String, notes: Vec<(Option<Loc>, String)>) {
        let module = self.body().name.clone();
        self.shared.errors.borrow_mut().push(Diagnostic { message, module, loc, notes });
    }

    pub(super) fn body(&self) -> Ref<'_, Module> {
        self.body.borrow()
    }

    pub(super) fn body_mut(&self) -> RefMut<'_, Module> {
        self.body.borrow_mut()
    }

    pub(super) fn push(&self, op: Op, width: u32, name: Option<String>, loc: Loc) -> NodeId {
        let mut body = self.body.borrow_mut();
        let id = NodeId(body.nodes.len() as u32);
        body.nodes.push(Node { op, width, name, loc });
        id
    }

    pub(super) fn add(&self, op: Op, width: u32, loc: Loc) -> Signal<'_> {
        self.signal(self.push(op, width, None, loc))
    }

    pub(super) fn signal(&self, id: NodeId) -> Signal<'_> {
        Signal { scope: self, id, width: self.body().node(id).width }
    }

    /// The node of a signal of this module; a signal of another one is a mistake and becomes a zero.
    pub(super) fn own(&self, signal: Signal<'_>, loc: Loc) -> NodeId {
        if std::ptr::eq(signal.scope, self) {
            return signal.id;
        }
        let other = signal.scope.body();
        self.error(
            loc,
            format!("signal of module `{}` used in module `{}`; pass it through a port", other.name, self.body().name),
            vec![(Some(other.node(signal.id).loc), "the signal comes from here".to_string())],
        );
        drop(other);
        self.push(Op::Const(Bits::zero(signal.width)), signal.width, None, loc)
    }

    pub(super) fn checked_width(&self, width: u32, what: &str, loc: Loc) -> u32 {
        if width == 0 {
            self.error(loc, format!("`{what}` has width 0; a signal has at least one bit"), Vec::new());
        }
        width.max(1)
    }

    /// Notes that `node` gets its driver at `loc`; reports the conflict when it has one already.
    pub(super) fn claim(&self, node: NodeId, what: &str, loc: Loc) -> bool {
        let earlier = self.driven_at.borrow_mut().insert(node, loc);
        if let Some(earlier) = earlier {
            let name = self.body().node(node).name.clone().unwrap_or_default();
            self.error(loc, format!("{what} `{name}` is driven twice"), vec![(Some(earlier), "it was first driven here".to_string())]);
        }
        earlier.is_none()
    }

    /// `source` as driver of something `width` wide called `target`; a mismatch is reported with both ends.
    pub(super) fn checked_driver(&self, source: NodeId, width: u32, target: &str, target_loc: Loc, loc: Loc) -> NodeId {
        let (found, source_loc) = {
            let body = self.body();
            (body.node(source).width, body.node(source).loc)
        };
        if found == width {
            return source;
        }
        self.error(
            loc,
            format!("`{target}` has {width} bits, its driver has {found}; use zext, sext or trunc"),
            vec![
                (Some(target_loc), format!("`{target}` is declared here")),
                (Some(source_loc), format!("the {found}-bit driver comes from here")),
            ],
        );
        self.push(Op::Const(Bits::zero(width)), width, None, loc)
    }

    pub(super) fn record_update(&self, reg: RegId, condition: NodeId, value: NodeId) {
        self.updates.borrow_mut().push((reg, condition, value));
    }

    /// Turns the conditional updates of each register into its next value: one update becomes a clock enable, more
    /// become a chain of multiplexers.
    fn apply_updates(&self) {
        let updates = self.updates.take();
        let mut by_reg: Vec<Vec<(NodeId, NodeId)>> = vec![Vec::new(); self.body().regs.len()];
        for (reg, condition, value) in updates {
            by_reg[reg.index()].push((condition, value));
        }
        for (index, list) in by_reg.into_iter().enumerate().filter(|(_, l)| !l.is_empty()) {
            let reg = self.body().regs[index].clone();
            let (width, loc) = (self.body().node(reg.node).width, reg.loc);
            if let ([(condition, value)], None, None) = (list.as_slice(), reg.next, reg.enable) {
                let mut body = self.body_mut();
                body.regs[index].enable = Some(*condition);
                body.regs[index].next = Some(*value);
                continue;
            }
            let start = reg.next.unwrap_or(reg.node);
            let next = list.iter().fold(start, |f, (sel, t)| self.push(Op::Mux { sel: *sel, t: *t, f }, width, None, loc));
            self.body_mut().regs[index].next = Some(next);
        }
    }
}

/// A connection that is read before it is driven.
pub struct Wire<'m> {
    signal: Signal<'m>,
}

impl<'m> Wire<'m> {
    /// What reads of the wire see.
    pub fn get(&self) -> Signal<'m> {
        self.signal
    }

    /// Gives the wire its driver, of equal width. A second driver is an error.
    #[track_caller]
    pub fn drive(&self, source: impl Operand<'m>) {
        let loc = Loc::caller();
        let scope = self.signal.scope;
        if !scope.claim(self.signal.id, "wire", loc) {
            return;
        }
        let source = source.operand(self.signal, loc);
        let (name, declared) = {
            let body = scope.body();
            let node = body.node(self.signal.id);
            (node.name.clone().unwrap_or_default(), node.loc)
        };
        let source = scope.own(source, loc);
        let driver = scope.checked_driver(source, self.signal.width, &name, declared, loc);
        scope.body_mut().nodes[self.signal.id.index()].op = Op::Wire(Some(driver));
    }
}
