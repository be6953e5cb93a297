//! Names of modules, ports, instances, memories, clock and reset are legal and unique.

use crate::hdl::diag::Diagnostic;
use crate::hdl::ir::{Design, Loc, Module};
use crate::hdl::names::{check_characters, check_name};
use std::collections::HashMap;

/// Module names, clock and reset.
pub(super) fn check_design(design: &Design, errors: &mut Vec<Diagnostic>) {
    let top = design.top_module();
    for (what, name) in [("clock", &design.clocking.clock), ("reset", &design.clocking.reset)] {
        if let Err(reason) = check_name(name) {
            errors.push(Diagnostic::new("", top.loc, format!("{what} name `{name}` {reason}")));
        }
    }
    if design.clocking.clock == design.clocking.reset {
        errors.push(Diagnostic::new(
            "",
            top.loc,
            format!("clock and reset are both called `{}`", design.clocking.clock),
        ));
    }
    // Each module becomes a file, and some file systems do not tell upper from lower case.
    let mut seen: HashMap<String, &Module> = HashMap::new();
    for module in &design.modules {
        if let Err(reason) = check_name(&module.name) {
            errors.push(Diagnostic::new(&module.name, module.loc, format!("module name `{}` {reason}", module.name)));
        }
        let Some(other) = seen.insert(module.name.to_lowercase(), module) else { continue };
        let message = if other.name == module.name {
            format!("two different modules are called `{}`; give them names that contain what differs", module.name)
        } else {
            format!("modules `{}` and `{}` differ only in upper and lower case", other.name, module.name)
        };
        errors.push(Diagnostic::new(&module.name, module.loc, message).note_at(other.loc, "the other one is defined"));
    }
}

/// Names inside one module. Wanted names of nodes need only be made of legal characters: they can be given a suffix.
pub(super) fn check_module(design: &Design, module: &Module, errors: &mut Vec<Diagnostic>) {
    let ports = module.ports.iter().map(|p| ("port", p.name.as_str(), p.loc));
    let mems = module.mems.iter().map(|m| ("memory", m.name.as_str(), m.loc));
    let instances = module.instances.iter().map(|i| ("instance", i.name.as_str(), i.loc));
    let mut seen: HashMap<&str, (&str, Loc)> = HashMap::new();
    for (what, name, loc) in ports.chain(mems).chain(instances) {
        if let Err(reason) = check_name(name) {
            errors.push(Diagnostic::new(&module.name, loc, format!("{what} name `{name}` {reason}")));
        }
        for (role, reserved) in [("clock", &design.clocking.clock), ("reset", &design.clocking.reset)] {
            if name == reserved {
                errors.push(Diagnostic::new(&module.name, loc, format!("{what} `{name}` has the name of the {role}")));
            }
        }
        if let Some((other, other_loc)) = seen.insert(name, (what, loc)) {
            let message = if other == what {
                format!("two {} are called `{name}`", plural(what))
            } else {
                format!("{what} `{name}` has the name of a {other}")
            };
            errors.push(
                Diagnostic::new(&module.name, loc, message).note_at(other_loc, format!("the {other} is declared")),
            );
        }
    }
    for node in &module.nodes {
        if let Some(name) = &node.name
            && let Err(reason) = check_characters(name)
        {
            errors.push(Diagnostic::new(&module.name, node.loc, format!("signal name `{name}` {reason}")));
        }
    }
}

fn plural(what: &str) -> &'static str {
    match what {
        "port" => "ports",
        "memory" => "memories",
        _ => "instances",
    }
}
