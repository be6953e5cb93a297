//! Why a module cannot become a block.

use crate::hdl::scope::bits;
use crate::hdl::sim::SimError;

/// Why a design does not get into a library, or a block cannot be made of a module.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields of a variant are explained with it
pub enum InteropError {
    /// A module of the design is called `top`.
    #[error(
        "rust-hdl calls the outermost module `top`; give the module `top` another name, or a prefix: Design::with_prefix"
    )]
    ModuleNamedTop,
    /// Another design in the library has a different module of this name.
    #[error(
        "module `{name}` is not the one of the same name that the library has from another design; tell them apart with \
         Design::with_prefix"
    )]
    DifferentModules { name: String },
    /// All that is wrong with the declared ports of a block of `module`.
    #[error("ports of module `{module}`:{}", list(.problems))]
    Ports { module: String, problems: Vec<PortProblem> },
    /// The native simulator cannot run the design.
    #[error("module `{module}` cannot be simulated: {source}")]
    Simulation { module: String, source: SimError },
}

fn list(problems: &[PortProblem]) -> String {
    problems.iter().map(|problem| format!("\n  {problem}")).collect()
}

/// One thing that is wrong with the declared ports of a block.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)] // the fields of a variant are explained with it
pub enum PortProblem {
    /// A field stands for a port that the module does not have.
    #[error("field `{field}`: there is no port `{port}`; {hint}")]
    NoSuchPort { field: String, port: String, hint: String },
    /// A field stands for a port that an earlier field stands for.
    #[error("field `{field}`: port `{port}` has a field already; remove one of the two")]
    Twice { field: String, port: String },
    /// The field has another width than the port.
    #[error("field `{field}`: port `{port}` has {}, the field {found}; declare it as {declaration}", bits(*.expected))]
    Width { field: String, port: String, expected: u32, found: u32, declaration: String },
    /// The field has another direction than the port, or only one of the two is a clock.
    #[error("field `{field}`: port `{port}` is {expected}, the field is {found}; declare it as {declaration}")]
    Role { field: String, port: String, expected: &'static str, found: &'static str, declaration: String },
    /// An input, the clock or the reset has no field.
    #[error("{role} `{port}` has no field; add `{port}: {declaration}`")]
    Undriven { port: String, role: &'static str, declaration: String },
    /// The name of a field is of no use in Verilog or in a kernel.
    #[error(
        "field `{field}`: the name {reason}; take another one, with the port after the type: `..: .. = \"{port}\"`"
    )]
    FieldName { field: String, port: String, reason: String },
}
