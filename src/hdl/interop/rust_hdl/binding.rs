//! Fields and ports brought together, and all that is wrong with them.

use super::error::PortProblem;
use super::library::{PortInfo, PortKind};
use super::signal::{PortSignal, Role};
use crate::hdl::names;

/// The ports of a module, from which a [`Ports`](super::Ports) makes its signals.
pub struct Binding<'m> {
    ports: &'m [PortInfo],
    fields: Vec<Field>,
    problems: Vec<PortProblem>,
}

/// A field and its port.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub name: String,
    pub port: String,
    pub kind: PortKind,
    pub width: u32,
}

impl<'m> Binding<'m> {
    pub(super) fn new(ports: &'m [PortInfo]) -> Binding<'m> {
        Binding { ports, fields: Vec::new(), problems: Vec::new() }
    }

    /// The signal of field `field` for the port called `port`. Whether it fits is found out here and reported when all
    /// signals are made.
    pub fn signal<S: PortSignal>(&mut self, field: &str, port: &str) -> S {
        if let Some(reason) = refusal(field) {
            let (field, port) = (field.to_owned(), port.to_owned());
            self.problems.push(PortProblem::FieldName { field, port, reason });
        }
        self.unnamed(field, port)
    }

    /// The same for a field that no kernel can name, so that any name will do.
    pub(super) fn unnamed<S: PortSignal>(&mut self, field: &str, port: &str) -> S {
        let own_width = S::fixed_width();
        let field = field.to_owned();
        let Some(info) = self.ports.iter().find(|p| p.name == port) else {
            let hint = self.hint(port);
            self.problems.push(PortProblem::NoSuchPort { field, port: port.to_owned(), hint });
            return S::for_port(port, own_width.unwrap_or(1));
        };
        let port = info.name.clone();
        if self.fields.iter().any(|f| f.port == port) {
            self.problems.push(PortProblem::Twice { field: field.clone(), port: port.clone() });
        }
        if S::role() != info.role() {
            let (expected, found) = (describe(info.role()), describe(S::role()));
            let (field, port, declaration) = (field.clone(), port.clone(), info.declaration());
            self.problems.push(PortProblem::Role { field, port, expected, found, declaration });
        } else if let Some(found) = own_width.filter(|w| *w != info.width) {
            let (field, port, declaration) = (field.clone(), port.clone(), info.declaration());
            self.problems.push(PortProblem::Width { field, port, expected: info.width, found, declaration });
        }
        self.fields.push(Field { name: field, port: port.clone(), kind: info.kind, width: info.width });
        S::for_port(&port, own_width.unwrap_or(info.width))
    }

    /// Name and role of all ports of the module, the clock and the reset first.
    pub fn ports(&self) -> impl Iterator<Item = (&'m str, Role)> + use<'m> {
        self.ports.iter().map(|p| (p.name.as_str(), p.role()))
    }

    pub(super) fn finish(mut self) -> Result<Vec<Field>, Vec<PortProblem>> {
        let is_open = |p: &&PortInfo| p.kind != PortKind::Output && self.fields.iter().all(|f| f.port != p.name);
        self.problems.extend(self.ports.iter().filter(is_open).map(|p| PortProblem::Undriven {
            port: p.name.clone(),
            role: match p.kind {
                PortKind::Clock => "clock",
                PortKind::Reset => "reset",
                PortKind::Input | PortKind::Output => "input",
            },
            declaration: p.declaration(),
        }));
        if self.problems.is_empty() { Ok(self.fields) } else { Err(self.problems) }
    }

    fn hint(&self, port: &str) -> String {
        match names::nearest(port, self.ports.iter().map(|p| p.name.as_str())) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => format!(
                "the module has {}",
                self.ports.iter().map(|p| format!("`{}`", p.name)).collect::<Vec<_>>().join(", ")
            ),
        }
    }
}

impl PortInfo {
    fn role(&self) -> Role {
        match self.kind {
            PortKind::Clock => Role::Clock,
            PortKind::Reset | PortKind::Input => Role::Input,
            PortKind::Output => Role::Output,
        }
    }

    /// The type of a field for this port.
    fn declaration(&self) -> String {
        let direction = if self.kind == PortKind::Output { "Out" } else { "In" };
        match (self.kind, self.width) {
            (PortKind::Clock, _) => "Signal<In, Clock>".to_owned(),
            (_, 1) => format!("Signal<{direction}, Bit>"),
            (_, width) => format!("Signal<{direction}, Bits<{width}>>"),
        }
    }
}

fn describe(role: Role) -> &'static str {
    match role {
        Role::Clock => "a clock",
        Role::Input => "an input",
        Role::Output => "an output",
    }
}

/// Why a field cannot have this name.
fn refusal(field: &str) -> Option<String> {
    // A kernel's `self.u.next.next` loses both.
    if field == "next" {
        return Some("is taken by the next value of rust-hdl's signals".to_owned());
    }
    // Kernels are translated to Verilog as they are written.
    if field.starts_with("r#") {
        return Some("is a keyword of Rust".to_owned());
    }
    names::check_name(field).err().map(|error| error.to_string())
}
