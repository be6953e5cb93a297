//! The modules of a design as the units of mapping.

use std::collections::{BTreeSet, HashMap};

use crate::config::nearest;
use crate::hdl::ir::{BinOp, Dir, Module, Op};
use crate::hdl::verilog::{self, MemoryModule};
use crate::hdl::{Design, verilog::Options};

use super::SynthError;

/// One Verilog module.
#[derive(Debug)]
pub struct Part {
    pub name: String,
    /// Its Verilog.
    pub text: String,
    /// Its interface alone, as a black box.
    pub stub: String,
    /// Instances in it: their names, and indices into [`Parts::all`].
    pub children: Vec<(String, usize)>,
    pub kind: Kind,
}

/// What a module is for mapping.
#[derive(Debug)]
pub enum Kind {
    Logic {
        /// Modules without a clock are dissolved in those that use them.
        is_clocked: bool,
        /// Whether there are multipliers in it, or in what is dissolved in it.
        multiplies: bool,
        /// Whether there is anything in it, or in what is dissolved in it, that full adders could be made for.
        adds: bool,
        /// Bits of its registers.
        register_bits: u64,
        /// Names and widths of its ports but the clock, and whether they are outputs.
        ports: Vec<(String, u32, bool)>,
    },
    Memory(MemoryModule),
}

/// All modules of a design.
#[derive(Debug)]
pub struct Parts {
    /// Children before parents.
    pub all: Vec<Part>,
    by_name: HashMap<String, usize>,
    /// Name of the clock.
    pub clock: String,
}

impl Parts {
    pub fn new(design: &Design) -> Self {
        let files = verilog::emit(design, &Options::default());
        let name = |file: &verilog::File| file.name.trim_end_matches(".v").to_owned();
        let by_name: HashMap<String, usize> = files.iter().enumerate().map(|(i, file)| (name(file), i)).collect();
        let memories: HashMap<String, MemoryModule> =
            verilog::memory_modules(design).into_iter().map(|memory| (memory.name.clone(), memory)).collect();
        let modules: HashMap<&str, (&Module, (bool, bool))> = design
            .modules
            .iter()
            .zip(design.clock_and_reset_use())
            .map(|(module, uses)| (module.name.as_str(), (module.as_ref(), uses)))
            .collect();
        let mut all: Vec<Part> = Vec::with_capacity(files.len());
        for file in files {
            let name = name(&file);
            let children = instances(&file.text, &by_name);
            let kind = match memories.get(&name) {
                Some(memory) => Kind::Memory(memory.clone()),
                None => {
                    let (module, (is_clocked, has_reset)) = modules[name.as_str()];
                    let inside = |pick: fn(&Kind) -> bool| children.iter().any(|(_, child)| pick(&all[*child].kind));
                    Kind::Logic {
                        is_clocked,
                        multiplies: has(module, |op| matches!(op, BinOp::MulS | BinOp::MulU))
                            || inside(|kind| matches!(kind, Kind::Logic { is_clocked: false, multiplies: true, .. })),
                        adds: has(module, |op| {
                            matches!(op, BinOp::Add | BinOp::Sub | BinOp::Xor | BinOp::MulS | BinOp::MulU)
                        }) || inside(|kind| matches!(kind, Kind::Logic { is_clocked: false, adds: true, .. })),
                        register_bits: module.regs.iter().map(|reg| u64::from(module.node(reg.node).width)).sum(),
                        ports: ports(module, has_reset.then_some(design.clocking.reset.as_str())),
                    }
                }
            };
            all.push(Part { stub: stub(&name, &file.text), name, text: file.text, children, kind });
        }
        Self { all, by_name, clock: design.clocking.clock.clone() }
    }

    /// The module of this name.
    pub fn find(&self, name: &str) -> Result<usize, SynthError> {
        self.get(name).ok_or_else(|| {
            let names = self.all.iter().map(|part| part.name.as_str());
            let hint = nearest(name, names).map_or(String::new(), |near| format!("; did you mean {near}?"));
            SynthError::UnknownTop(format!("the design has no module `{name}`{hint}"))
        })
    }

    pub fn get(&self, name: &str) -> Option<usize> {
        self.by_name.get(name).copied()
    }

    /// What is mapped for `top`: itself and all modules in it but those that are dissolved; parents first.
    pub fn mapped(&self, top: usize) -> Vec<usize> {
        let mut found = BTreeSet::new();
        self.visit(top, &mut found, |_| true);
        found.retain(|part| !self.all[*part].is_dissolved());
        found.insert(top);
        found.into_iter().rev().collect()
    }

    /// The modules that are dissolved in `part`, however deep.
    fn dissolved(&self, part: usize) -> Vec<usize> {
        let mut found = BTreeSet::new();
        self.visit(part, &mut found, Part::is_dissolved);
        found.into_iter().filter(|other| self.all[*other].is_dissolved()).collect()
    }

    /// The Verilog to map `part` from: its own and that of what is dissolved in it.
    pub fn source(&self, part: usize) -> String {
        let within = [part].into_iter().chain(self.dissolved(part));
        within.map(|other| self.all[other].text.as_str()).collect()
    }

    /// The Verilog of the black boxes in `part`.
    pub fn stubs(&self, part: usize) -> String {
        self.black_boxes(part).into_iter().map(|other| self.all[other].stub.as_str()).collect()
    }

    /// The instances in `part` of modules that are mapped by themselves: their names, and indices.
    pub fn inner(&self, part: usize) -> Vec<(&str, usize)> {
        let children = self.all[part].children.iter().map(|(name, child)| (name.as_str(), *child));
        children.filter(|(_, child)| matches!(self.all[*child].kind, Kind::Logic { is_clocked: true, .. })).collect()
    }

    /// The modules that are black boxes when `part` is mapped.
    fn black_boxes(&self, part: usize) -> Vec<usize> {
        let within = self.dissolved(part).into_iter().chain([part]);
        let children = within.flat_map(|inner| self.all[inner].children.iter().map(|(_, child)| *child));
        let found: BTreeSet<usize> = children.filter(|child| !self.all[*child].is_dissolved()).collect();
        found.into_iter().collect()
    }

    /// Collects the children of `part`, and theirs where `deeper` says so.
    fn visit(&self, part: usize, found: &mut BTreeSet<usize>, deeper: fn(&Part) -> bool) {
        for (_, child) in &self.all[part].children {
            if found.insert(*child) && deeper(&self.all[*child]) {
                self.visit(*child, found, deeper);
            }
        }
    }

    /// The paths of the instances of each module below `top`, itself excepted; those of dissolved modules and memories,
    /// which are cells of others, are left out.
    pub fn instance_paths(&self, top: usize) -> Vec<(&str, Vec<String>)> {
        let mut paths = vec![Vec::new(); self.all.len()];
        let mut todo = vec![(top, String::new())];
        while let Some((part, prefix)) = todo.pop() {
            for (name, child) in &self.all[part].children {
                let path = format!("{prefix}{name}");
                if self.all[*child].memory().is_none() && !self.all[*child].is_dissolved() {
                    todo.push((*child, format!("{path}/")));
                    paths[*child].push(path);
                }
            }
        }
        let named = self.all.iter().zip(paths).map(|(part, paths)| (part.name.as_str(), paths));
        named.filter(|(_, paths)| !paths.is_empty()).collect()
    }

    /// The module at the instance path `path`, and what is left of it: names of cells that mapping made.
    pub fn resolve<'a>(&self, top: usize, path: &'a str) -> (usize, &'a str) {
        let mut module = top;
        let mut rest = path;
        while let Some((name, below)) = rest.split_once('/') {
            let child = self.all[module].children.iter().find(|(instance, _)| instance == name);
            match child {
                Some((_, child)) => (module, rest) = (*child, below),
                None => break,
            }
        }
        (module, rest)
    }
}

impl Part {
    /// Whether it becomes a part of the modules that use it.
    pub fn is_dissolved(&self) -> bool {
        matches!(self.kind, Kind::Logic { is_clocked: false, .. })
    }

    pub fn memory(&self) -> Option<&MemoryModule> {
        match &self.kind {
            Kind::Memory(memory) => Some(memory),
            Kind::Logic { .. } => None,
        }
    }

    /// Bits of the memory that it is.
    pub fn memory_bits(&self) -> u64 {
        self.memory().map_or(0, |memory| u64::from(memory.depth) * u64::from(memory.width))
    }

    /// Bits of its registers.
    pub fn register_bits(&self) -> u64 {
        match self.kind {
            Kind::Logic { register_bits, .. } => register_bits,
            Kind::Memory(_) => 0,
        }
    }

    /// Names and widths of its ports but the clock, and whether they are outputs; none if it is a memory.
    pub fn ports(&self) -> &[(String, u32, bool)] {
        match &self.kind {
            Kind::Logic { ports, .. } => ports,
            Kind::Memory(_) => &[],
        }
    }

    /// Whether there are multipliers in it.
    pub fn multiplies(&self) -> bool {
        matches!(self.kind, Kind::Logic { multiplies: true, .. })
    }

    /// Whether there is anything in it that full adders could be made for.
    pub fn adds(&self) -> bool {
        matches!(self.kind, Kind::Logic { adds: true, .. })
    }
}

/// Names and widths of ports, the `reset` included, and whether they are outputs.
fn ports(module: &Module, reset: Option<&str>) -> Vec<(String, u32, bool)> {
    let listed = module.ports.iter().map(|port| (port.name.clone(), port.width, port.dir == Dir::Output));
    listed.chain(reset.map(|name| (name.to_owned(), 1, false))).collect()
}

fn has(module: &Module, wanted: impl Fn(&BinOp) -> bool) -> bool {
    module.nodes.iter().any(|node| matches!(&node.op, Op::Binary(op, ..) if wanted(op)))
}

/// Instances in a module as [`verilog::emit`] writes them: `    module name (`.
fn instances(text: &str, modules: &HashMap<String, usize>) -> Vec<(String, usize)> {
    let instance = |line: &str| {
        let mut words = line.split_whitespace();
        let (module, name, rest) = (words.next()?, words.next()?, words.next()?);
        let index = modules.get(module)?;
        (rest == "(" && words.next().is_none()).then(|| (name.to_owned(), *index))
    };
    text.lines().filter_map(instance).collect()
}

/// The part of a module that others see, without comments, so that nothing else makes a difference to them.
fn stub(name: &str, text: &str) -> String {
    let start = text.find(&format!("module {name} (")).expect("a module starts with its name");
    let length = text[start..].find(");").expect("the list of ports ends") + 2;
    format!("(* blackbox *)\n{}\nendmodule\n", &text[start..start + length])
}
