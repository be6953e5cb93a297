//! Identifiers: which ones are legal, and which one each node of a module gets.
//!
//! Ports, instances and memories keep their names (the checks refuse bad or clashing ones). A named node or register
//! gets the name it wants, or that name with the first free suffix `_1`, `_2`, .. when it is taken or a reserved word.
//! Everything here depends on the module alone, so all backends agree on the names.

use super::ir::{BinOp, Clocking, Design, Dir, Module, NodeId, Op, RedOp};
use std::collections::{HashMap, HashSet};

/// Why a string cannot name a port, instance, memory or module.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// A name has at least one character.
    #[error("is empty")]
    Empty,
    /// It would be read as a number or an operator.
    #[error("does not start with a letter or an underscore")]
    FirstCharacter,
    /// `$` is legal in Verilog but not in the languages that tools are scripted in.
    #[error("contains {0:?}; letters, digits and underscores are allowed")]
    Character(char),
    /// Some tools cut long names.
    #[error("is longer than 200 characters")]
    Length,
    /// `reg`, `input` and their like.
    #[error("is a reserved word of Verilog or SystemVerilog")]
    Reserved,
}

/// Whether `name` can be used as it is: a simple Verilog-2005 identifier without `$`, of at most 200 characters, that
/// is reserved neither in Verilog-2005 nor in SystemVerilog-2017.
pub fn check_name(name: &str) -> Result<(), NameError> {
    check_characters(name)?;
    if is_reserved(name) { Err(NameError::Reserved) } else { Ok(()) }
}

/// Like [`check_name`] but for nodes, whose names may be reserved words since they can be given a suffix.
pub fn check_characters(name: &str) -> Result<(), NameError> {
    let first = name.chars().next().ok_or(NameError::Empty)?;
    if !(first.is_ascii_alphabetic() || first == '_') {
        return Err(NameError::FirstCharacter);
    }
    if let Some(bad) = name.chars().find(|c| !(c.is_ascii_alphanumeric() || *c == '_')) {
        return Err(NameError::Character(bad));
    }
    if name.len() > 200 { Err(NameError::Length) } else { Ok(()) }
}

/// Whether `word` is reserved in Verilog-2005 or SystemVerilog-2017.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.binary_search(&word).is_ok()
}

/// The one of `candidates` that `word` is most probably a slip of, if any is near enough.
pub fn nearest<'a>(word: &str, candidates: impl Iterator<Item = &'a str>) -> Option<String> {
    candidates
        .map(|candidate| (strsim::jaro_winkler(word, candidate), candidate))
        .filter(|(similarity, _)| *similarity >= 0.8)
        .max_by(|(left, _), (right, _)| left.total_cmp(right))
        .map(|(_, candidate)| candidate.to_owned())
}

/// The identifiers in use in one name space.
#[derive(Clone, Debug, Default)]
pub struct Names {
    taken: HashSet<String>,
    /// The next suffix to try for a stem.
    next: HashMap<String, u32>,
}

impl Names {
    /// Marks `name` as in use; false if it was already.
    pub fn reserve(&mut self, name: &str) -> bool {
        self.taken.insert(name.to_owned())
    }

    /// `wanted` if it is free and not reserved, otherwise the first free one of `wanted_1`, `wanted_2`, ..
    pub fn unique(&mut self, wanted: &str) -> String {
        if !is_reserved(wanted) && self.reserve(wanted) {
            return wanted.to_owned();
        }
        self.numbered(wanted, 1)
    }

    /// The first free one of `stem_0`, `stem_1`, ..
    pub fn fresh(&mut self, stem: &str) -> String {
        self.numbered(stem, 0)
    }

    fn numbered(&mut self, stem: &str, first: u32) -> String {
        let mut suffix = self.next.get(stem).copied().unwrap_or(0).max(first);
        loop {
            let name = format!("{stem}_{suffix}");
            suffix += 1;
            if self.reserve(&name) {
                self.next.insert(stem.to_owned(), suffix);
                return name;
            }
        }
    }
}

/// The names of one module's nodes.
#[derive(Clone, Debug)]
pub struct NodeNames {
    /// For each node its unique name, `None` if it wants none. An input node has the name of its port. A node that
    /// drives an output port and is unnamed or wants the port's name has the port's name: it *is* the port.
    pub nodes: Vec<Option<String>>,
    /// For each node the index of the output port that it is, if any.
    pub output_of: Vec<Option<u32>>,
    names: Names,
}

impl NodeNames {
    /// Linear time. The module has passed the name checks.
    pub fn new(module: &Module, clocking: &Clocking) -> NodeNames {
        let mut names = Names::default();
        names.reserve(&clocking.clock);
        names.reserve(&clocking.reset);
        let mut nodes = vec![None; module.nodes.len()];
        let mut output_of = vec![None; module.nodes.len()];
        for (index, port) in module.ports.iter().enumerate() {
            names.reserve(&port.name);
            let node = module.node(port.node);
            let slot = &mut nodes[port.node.index()];
            let becomes_port = match port.dir {
                Dir::Input => true,
                Dir::Output => can_be_output(&node.op) && node.name.as_ref().is_none_or(|n| *n == port.name),
            };
            if becomes_port && slot.is_none() {
                *slot = Some(port.name.clone());
                if port.dir == Dir::Output {
                    output_of[port.node.index()] = Some(index as u32);
                }
            }
        }
        for name in module.instances.iter().map(|i| &i.name).chain(module.mems.iter().map(|m| &m.name)) {
            names.reserve(name);
        }
        for (node, slot) in module.nodes.iter().zip(&mut nodes) {
            if let (Some(wanted), None) = (&node.name, &slot) {
                *slot = Some(names.unique(wanted));
            }
        }
        NodeNames { nodes, output_of, names }
    }

    /// The name of `node`, chosen now after what it computes if it wanted none.
    pub fn name(&mut self, design: &Design, module: &Module, node: NodeId) -> &str {
        if self.nodes[node.index()].is_none() {
            let name = match &module.node(node).op {
                Op::InstOut { inst, port } => {
                    let instance = &module.instances[inst.index()];
                    let port = &design.module(instance.module).ports[port.index()];
                    self.names.unique(&format!("{}_{}", instance.name, port.name))
                }
                Op::MemRead { mem, port } => {
                    let mem = &module.mems[mem.index()];
                    let number = if mem.reads.len() > 1 { port.to_string() } else { String::new() };
                    self.names.unique(&format!("{}_data{number}", mem.name))
                }
                op => self.names.fresh(stem(op)),
            };
            self.nodes[node.index()] = Some(name);
        }
        self.nodes[node.index()].as_deref().expect("just named")
    }

    /// Takes back that `node` is an output port just because it is unnamed: it repeats another node, which is to be
    /// named instead.
    pub fn forget_port(&mut self, node: NodeId) {
        self.output_of[node.index()] = None;
        self.nodes[node.index()] = None;
    }

    /// A new name in this module that is no node's.
    pub fn unique(&mut self, wanted: &str) -> String {
        self.names.unique(wanted)
    }
}

/// Constants and inputs exist beside the output ports that they drive.
fn can_be_output(op: &Op) -> bool {
    !matches!(op, Op::Const(_) | Op::Input(_) | Op::Wire(None))
}

/// What an unnamed node is called, before the number.
fn stem(op: &Op) -> &'static str {
    match op {
        Op::Const(_) => "const",
        Op::Input(_) => "in",
        Op::Wire(_) => "wire",
        Op::Reg(_) => "reg",
        Op::MemRead { .. } => "data",
        Op::InstOut { .. } => "out",
        Op::Not(_) => "inv",
        Op::Mux { .. } => "mux",
        Op::Select { .. } => "select",
        Op::Concat(_) => "cat",
        Op::Slice { .. } => "bits",
        Op::Zext(_) => "zext",
        Op::Sext(_) => "sext",
        Op::Reduce(RedOp::And, _) => "all",
        Op::Reduce(RedOp::Or, _) => "any",
        Op::Reduce(RedOp::Xor, _) => "parity",
        Op::Binary(op, ..) => match op {
            BinOp::And => "and",
            BinOp::Or => "or",
            BinOp::Xor => "xor",
            BinOp::Add => "sum",
            BinOp::Sub => "diff",
            BinOp::MulU | BinOp::MulS => "prod",
            BinOp::Eq => "eq",
            BinOp::Ne => "ne",
            BinOp::LtU | BinOp::LtS => "lt",
            BinOp::LeU | BinOp::LeS => "le",
            BinOp::Shl => "shl",
            BinOp::Shr => "shr",
            BinOp::Sra => "sra",
        },
    }
}

/// Reserved words of IEEE 1364-2005 and IEEE 1800-2017, sorted.
#[rustfmt::skip]
const RESERVED: &[&str] = &[
    "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert", "assign", "assume",
    "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "break", "buf", "bufif0", "bufif1", "byte",
    "case", "casex", "casez", "cell", "chandle", "checker", "class", "clocking", "cmos", "config", "const",
    "constraint", "context", "continue", "cover", "covergroup", "coverpoint", "cross", "deassign", "default",
    "defparam", "design", "disable", "dist", "do", "edge", "else", "end", "endcase", "endchecker", "endclass",
    "endclocking", "endconfig", "endfunction", "endgenerate", "endgroup", "endinterface", "endmodule", "endpackage",
    "endprimitive", "endprogram", "endproperty", "endsequence", "endspecify", "endtable", "endtask", "enum",
    "event", "eventually", "expect", "export", "extends", "extern", "final", "first_match", "for", "force",
    "foreach", "forever", "fork", "forkjoin", "function", "generate", "genvar", "global", "highz0", "highz1", "if",
    "iff", "ifnone", "ignore_bins", "illegal_bins", "implements", "implies", "import", "incdir", "include",
    "initial", "inout", "input", "inside", "instance", "int", "integer", "interconnect", "interface", "intersect",
    "join", "join_any", "join_none", "large", "let", "liblist", "library", "local", "localparam", "logic",
    "longint", "macromodule", "matches", "medium", "modport", "module", "nand", "negedge", "nettype", "new",
    "nexttime", "nmos", "nor", "noshowcancelled", "not", "notif0", "notif1", "null", "or", "output", "package",
    "packed", "parameter", "pmos", "posedge", "primitive", "priority", "program", "property", "protected", "pull0",
    "pull1", "pulldown", "pullup", "pulsestyle_ondetect", "pulsestyle_onevent", "pure", "rand", "randc", "randcase",
    "randsequence", "rcmos", "real", "realtime", "ref", "reg", "reject_on", "release", "repeat", "restrict",
    "return", "rnmos", "rpmos", "rtran", "rtranif0", "rtranif1", "s_always", "s_eventually", "s_nexttime",
    "s_until", "s_until_with", "scalared", "sequence", "shortint", "shortreal", "showcancelled", "signed", "small",
    "soft", "solve", "specify", "specparam", "static", "string", "strong", "strong0", "strong1", "struct", "super",
    "supply0", "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged", "task", "this", "throughout",
    "time", "timeprecision", "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0", "tri1", "triand", "trior",
    "trireg", "type", "typedef", "union", "unique", "unique0", "unsigned", "until", "until_with", "untyped", "use",
    "uwire", "var", "vectored", "virtual", "void", "wait", "wait_order", "wand", "weak", "weak0", "weak1", "while",
    "wildcard", "wire", "with", "within", "wor", "xnor", "xor",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reserved_words_are_sorted_and_found() {
        assert!(RESERVED.is_sorted());
        for word in ["reg", "always_ff", "endmodule", "logic", "xor", "accept_on", "within", "checker"] {
            assert!(is_reserved(word), "{word}");
        }
        assert!(!is_reserved("count"));
    }

    #[test]
    fn illegal_names_are_told_apart() {
        assert_eq!(check_name("a_1"), Ok(()));
        assert_eq!(check_name("_"), Ok(()));
        assert_eq!(check_name(""), Err(NameError::Empty));
        assert_eq!(check_name("1a"), Err(NameError::FirstCharacter));
        assert_eq!(check_name("a.b"), Err(NameError::Character('.')));
        assert_eq!(check_name("größe"), Err(NameError::Character('ö')));
        assert_eq!(check_name("wire"), Err(NameError::Reserved));
        assert_eq!(check_name(&"x".repeat(201)), Err(NameError::Length));
    }

    #[test]
    fn suffixes_skip_what_is_taken() {
        let mut names = Names::default();
        assert_eq!(names.unique("a_1"), "a_1");
        assert_eq!(names.unique("a"), "a");
        assert_eq!(names.unique("a"), "a_2");
        assert_eq!(names.unique("a"), "a_3");
        assert_eq!(names.unique("bit"), "bit_1");
        assert_eq!(names.fresh("sum"), "sum_0");
        assert_eq!(names.fresh("sum"), "sum_1");
    }
}
