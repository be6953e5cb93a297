//! Elaboration: a [`Scope`] is a module being described, [`elaborate`] runs the description of a whole hierarchy.

use super::bits::{Bits, index_width};
use super::check;
use super::diag::{Diagnostic, Diagnostics};
use super::instance::ModuleRef;
use super::ir::*;
use super::reg::Reg;
use super::signal::{Operand, Signal};
use std::cell::{Cell, Ref, RefCell, RefMut};
use std::collections::HashMap;
use std::fmt::Display;
use std::rc::Rc;

/// The widest signal: more than any hardware has, and little enough for sums of two widths.
pub(super) const MAX_WIDTH: u32 = 1 << 24;

/// What all scopes of one elaboration have in common.
pub(super) struct Shared {
    clocking: Clocking,
    modules: RefCell<Vec<Rc<Module>>>,
    /// Modules of each name: more than one if a name stands for different modules, which the checks refuse.
    by_name: RefCell<HashMap<String, Vec<ModuleId>>>,
    errors: RefCell<Vec<Diagnostic>>,
    /// Whether a module of another elaboration was instanced: then the hierarchy has holes and cannot be checked.
    has_foreign_module: Cell<bool>,
}

/// A module under construction. Signals borrow it, so they cannot escape into another module.
pub struct Scope {
    pub(super) shared: Rc<Shared>,
    /// Modules around this one.
    depth: u32,
    body: RefCell<Module>,
    /// Where the library code that is running was called; see [`Scope::library`].
    library_call: Cell<Option<Loc>>,
    /// Ready wires of streams, with the names of the streams.
    streams: RefCell<Vec<(NodeId, String)>>,
    /// Where each wire, register or instance input got its driver, to name both ends of a conflict.
    driven_at: RefCell<HashMap<NodeId, Loc>>,
    /// Conditional updates of registers, in order; later ones take priority.
    updates: RefCell<Vec<(RegId, NodeId, NodeId)>>,
}

/// A checked design, and what is legal in it but looks like a mistake.
#[derive(Debug)]
pub struct Elaborated {
    /// Free of errors.
    pub design: Design,
    /// Each once, in a deterministic order.
    pub warnings: Vec<Diagnostic>,
}

/// Elaborates the module `name` described by `describe`, with everything below it.
///
/// # Errors
/// Every mistake of the description, each with its place in the Rust code: see [`check`].
#[track_caller]
pub fn elaborate(name: &str, clocking: Clocking, describe: impl FnOnce(&Scope)) -> Result<Elaborated, Diagnostics> {
    let shared = Rc::new(Shared {
        clocking,
        modules: RefCell::default(),
        by_name: RefCell::default(),
        errors: RefCell::default(),
        has_foreign_module: Cell::new(false),
    });
    let place = Place { depth: 0, loc: Loc::caller(), library_call: None };
    let top = define(&shared, name, place, describe);
    let design = Design {
        clocking: shared.clocking.clone(),
        prefix: String::new(),
        modules: shared.modules.borrow().clone(),
        top: top.id,
    };
    let mut errors = shared.errors.take();
    if shared.has_foreign_module.get() {
        return Err(Diagnostics::from(errors));
    }
    let checked = check::check(&design);
    errors.extend(checked.errors);
    if errors.is_empty() {
        Ok(Elaborated { design, warnings: checked.warnings })
    } else {
        Err(Diagnostics::from(errors))
    }
}

/// Where a module is defined.
struct Place {
    depth: u32,
    loc: Loc,
    library_call: Option<Loc>,
}

fn define(shared: &Rc<Shared>, name: &str, place: Place, describe: impl FnOnce(&Scope)) -> ModuleRef {
    let scope = Scope {
        shared: shared.clone(),
        depth: place.depth,
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
            loc: place.loc,
        }),
        library_call: Cell::new(place.library_call),
        streams: RefCell::default(),
        driven_at: RefCell::default(),
        updates: RefCell::default(),
    };
    describe(&scope);
    scope.apply_updates();
    scope.check_streams();
    let module = Rc::new(scope.body.into_inner());
    let mut modules = shared.modules.borrow_mut();
    let mut by_name = shared.by_name.borrow_mut();
    let namesakes = by_name.entry(name.to_string()).or_default();
    if let Some(id) = namesakes.iter().copied().find(|id| *modules[id.index()] == *module) {
        return ModuleRef { id, module: modules[id.index()].clone() };
    }
    let id = ModuleId(modules.len() as u32);
    namesakes.push(id);
    modules.push(module.clone());
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
        self.input_at(name, width, self.here())
    }

    pub(super) fn input_at(&self, name: &str, width: u32, loc: Loc) -> Signal<'_> {
        let width = self.checked_width(width, &format!("`{name}`"), loc);
        let port = PortId(self.body().ports.len() as u32);
        let node = self.push(Op::Input(port), width, Some(name.to_string()), loc);
        self.body_mut().ports.push(Port { name: name.to_string(), dir: Dir::Input, width, node, loc });
        self.signal(node)
    }

    /// Declares an output port driven by `value`.
    #[track_caller]
    pub fn output(&self, name: &str, value: Signal<'_>) {
        self.output_at(name, value, self.here());
    }

    pub(super) fn output_at(&self, name: &str, value: Signal<'_>, loc: Loc) {
        let node = self.own(value, loc);
        let width = self.body().node(node).width;
        self.body_mut().ports.push(Port { name: name.to_string(), dir: Dir::Output, width, node, loc });
    }

    /// A constant of `width` bits. It is an error if `value` needs more.
    #[track_caller]
    pub fn lit(&self, value: u64, width: u32) -> Signal<'_> {
        let loc = self.here();
        let width = self.checked_width(width, "constant", loc);
        if width < 64 && value >> width != 0 {
            self.error(loc, format!("constant {value} does not fit into {}", bits(width)), Vec::new());
        }
        self.add(Op::Const(Bits::from_u64(value, width)), width, loc)
    }

    /// A two's complement constant of `width` bits. It is an error if `value` needs more.
    #[track_caller]
    pub fn lit_signed(&self, value: i64, width: u32) -> Signal<'_> {
        let loc = self.here();
        let width = self.checked_width(width, "constant", loc);
        let constant = Bits::from_i128(i128::from(value), width);
        if width < 64 && constant.to_i128() != Some(i128::from(value)) {
            self.error(loc, format!("constant {value} with its sign does not fit into {}", bits(width)), Vec::new());
        }
        self.add(Op::Const(constant), width, loc)
    }

    /// A constant.
    #[track_caller]
    pub fn bits(&self, value: Bits) -> Signal<'_> {
        let loc = self.here();
        let width = self.checked_width(value.width(), "constant", loc);
        let value = if value.width() == 0 { Bits::zero(1) } else { value };
        self.add(Op::Const(value), width, loc)
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
        let width = self.checked_width(width, "constant", self.here());
        self.bits(Bits::ones(width))
    }

    /// A connection whose driver comes later, for feedback.
    #[track_caller]
    pub fn wire(&self, name: &str, width: u32) -> Wire<'_> {
        let loc = self.here();
        let width = self.checked_width(width, &format!("`{name}`"), loc);
        let node = self.push(Op::Wire(None), width, Some(name.to_string()), loc);
        Wire { signal: self.signal(node) }
    }

    /// A register of `width` bits on the rising clock edge. Say what it takes with [`Reg::next`] or [`Reg::on`].
    #[track_caller]
    pub fn reg(&self, name: &str, width: u32) -> Reg<'_> {
        let loc = self.here();
        let width = self.checked_width(width, &format!("`{name}`"), loc);
        let id = RegId(self.body().regs.len() as u32);
        let node = self.push(Op::Reg(id), width, Some(name.to_string()), loc);
        self.body_mut().regs.push(super::ir::Reg { node, next: None, enable: None, reset: None, loc });
        Reg { q: self.signal(node), id }
    }

    /// First operand most significant.
    #[track_caller]
    pub fn cat<'m>(&'m self, parts: &[Signal<'m>]) -> Signal<'m> {
        let loc = self.here();
        match parts {
            [] => {
                self.error(loc, "concatenation of nothing".to_string(), Vec::new());
                self.zeros(1)
            }
            [one] => *one,
            _ => {
                let ids = parts.iter().map(|p| self.own(*p, loc)).collect();
                let width: u64 = parts.iter().map(|p| u64::from(p.width())).sum();
                self.add(Op::Concat(ids), u32::try_from(width).unwrap_or(u32::MAX), loc)
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
        let place = Place { depth: self.depth + 1, loc: self.here(), library_call: self.library_call.get() };
        define(&self.shared, name, place, describe)
    }

    /// Runs library code: what `describe` makes, in this module and in modules that it defines, is located where the
    /// function around it was called (give it `#[track_caller]`) and not inside it, so that messages lead to the line
    /// which the user of the library wrote.
    #[track_caller]
    pub fn library<R>(&self, describe: impl FnOnce() -> R) -> R {
        let outer = self.library_call.replace(Some(self.here()));
        let result = describe();
        self.library_call.set(outer);
        result
    }

    /// The width that counts up to `count - 1`; see [`index_width`].
    pub fn index_width(count: u32) -> u32 {
        index_width(u64::from(count))
    }

    /// Reports a mistake in the description, at the caller's place. Elaboration goes on, and then fails with all of
    /// them.
    #[track_caller]
    pub fn report(&self, message: impl Into<String>) {
        self.error(self.here(), message.into(), Vec::new());
    }

    /// The line that what is being made comes from: the caller's, or that of a library call around it.
    #[track_caller]
    pub(super) fn here(&self) -> Loc {
        match self.library_call.get() {
            Some(loc) => loc,
            None => Loc::caller(),
        }
    }

    /// Of two scopes that are open at a time the inner one, whose module is being described.
    pub(super) fn inner_of<'m>(&'m self, other: &'m Scope) -> &'m Scope {
        if other.depth > self.depth { other } else { self }
    }

    /// Reports a module that does not belong to this elaboration.
    pub(super) fn check_origin(&self, module: &ModuleRef, loc: Loc) {
        let known = self.shared.modules.borrow().get(module.id.index()).is_some_and(|m| Rc::ptr_eq(m, &module.module));
        if !known {
            self.shared.has_foreign_module.set(true);
            let message =
                format!("module `{}` was defined in another elaboration; define it in this one", module.name());
            self.error(loc, message, vec![(Some(module.module.loc), "the module is defined".to_string())]);
        }
    }

    pub(super) fn note_stream(&self, ready: NodeId, name: &str) {
        self.streams.borrow_mut().push((ready, name.to_string()));
    }

    /// A stream must have been consumed; one that is not is reported as such instead of as a wire.
    fn check_streams(&self) {
        for (ready, name) in self.streams.take() {
            let loc = self.body().node(ready).loc;
            if self.body().node(ready).op == Op::Wire(None) {
                let message =
                    format!("stream `{name}` is never consumed; `take` it or connect it to an instance or a port");
                self.error(loc, message, Vec::new());
                let low = self.push(Op::Const(Bits::zero(1)), 1, None, loc);
                self.body_mut().nodes[ready.index()].op = Op::Wire(Some(low));
            }
        }
    }

    pub(super) fn error(&self, loc: Loc, message: String, notes: Vec<(Option<Loc>, String)>) {
        let module = self.body().name.clone();
        self.shared.errors.borrow_mut().push(Diagnostic { message, module, loc, notes });
    }

    /// The note that says where a node comes from, with its name if it has one.
    pub(super) fn made(&self, what: &str, id: NodeId) -> (Option<Loc>, String) {
        let body = self.body();
        let node = body.node(id);
        let name = node.name.as_ref().map_or(String::new(), |n| format!(" `{n}`"));
        (Some(node.loc), format!("{what}{name} is made"))
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
        if width > MAX_WIDTH {
            self.error(loc, format!("a signal of {width} bits; at most {MAX_WIDTH} are possible"), Vec::new());
            return self.add(Op::Const(Bits::zero(1)), 1, loc);
        }
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
        let (here, there) = (self.body().name.clone(), signal.scope.body().name.clone());
        let message = format!("signal of module `{there}` used in module `{here}`; pass it through a port");
        self.error(loc, message, vec![signal.scope.made("the signal", signal.id)]);
        self.push(Op::Const(Bits::zero(signal.width)), signal.width, None, loc)
    }

    /// `width`, or the nearest one that is possible, with an error about `what`.
    pub(super) fn checked_width(&self, width: u32, what: &str, loc: Loc) -> u32 {
        if width == 0 {
            self.error(loc, format!("{what} has width 0; a signal has at least one bit"), Vec::new());
        }
        if width > MAX_WIDTH {
            self.error(loc, format!("{what} has width {width}; at most {MAX_WIDTH} is possible"), Vec::new());
        }
        width.clamp(1, MAX_WIDTH)
    }

    /// Notes that `node` gets its driver at `loc`; reports the conflict when it has one already.
    pub(super) fn claim(&self, node: NodeId, what: &str, loc: Loc) -> bool {
        let earlier = self.driven_at.borrow_mut().insert(node, loc);
        if let Some(earlier) = earlier {
            let name = self.body().node(node).name.clone().unwrap_or_default();
            self.error(
                loc,
                format!("{what} `{name}` is driven twice"),
                vec![(Some(earlier), "it is driven first".to_string())],
            );
        }
        earlier.is_none()
    }

    /// `source` as driver of `target`; a mismatch is reported with both ends.
    pub(super) fn checked_driver(&self, source: NodeId, target: &Target, loc: Loc) -> NodeId {
        let Target { name, width, part_of, .. } = *target;
        let found = self.body().node(source).width;
        if found == width {
            return source;
        }
        let verb = if found < width { "`zext` or `sext`" } else { "`trunc`, `sat` or `sat_signed`" };
        self.error(
            loc,
            format!("{name} has {}, its driver has {}; use {verb}", bits(width), bits(found)),
            vec![
                (Some(target.loc), format!("{} is declared", part_of.unwrap_or(name))),
                self.made(&format!("the {found}-bit driver"), source),
            ],
        );
        self.push(Op::Const(Bits::zero(width)), width, None, loc)
    }

    /// `source`, which must be one bit, as `what`.
    pub(super) fn checked_flag(&self, source: NodeId, what: &str, loc: Loc) -> NodeId {
        let found = self.body().node(source).width;
        if found == 1 {
            return source;
        }
        self.error(
            loc,
            format!("{what} must be one bit, not {found}; compare it, or use `any`, `all` or `bit`"),
            vec![self.made(&format!("the {found}-bit signal"), source)],
        );
        self.push(Op::Const(Bits::zero(1)), 1, None, loc)
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
            let next =
                list.iter().fold(start, |f, (sel, t)| self.push(Op::Mux { sel: *sel, t: *t, f }, width, None, loc));
            self.body_mut().regs[index].next = Some(next);
        }
    }
}

/// Something that takes a driver.
pub(super) struct Target<'a> {
    pub name: &'a str,
    pub width: u32,
    /// What is declared at `loc`, when it is not the target itself.
    pub part_of: Option<&'a str>,
    pub loc: Loc,
}

/// "1 bit", "8 bits".
pub(in crate::hdl) fn bits(count: u32) -> String {
    format!("{count} bit{}", if count == 1 { "" } else { "s" })
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
        let scope = self.signal.scope;
        let loc = scope.here();
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
        let target = Target { name: &format!("wire `{name}`"), width: self.signal.width, part_of: None, loc: declared };
        let driver = scope.checked_driver(source, &target, loc);
        scope.body_mut().nodes[self.signal.id.index()].op = Op::Wire(Some(driver));
    }
}
