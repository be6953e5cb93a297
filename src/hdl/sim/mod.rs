//! Native simulation of a [`Design`]: no external tool, any width, cycle by cycle.
//!
//! The hierarchy is flattened, simplified and compiled to a compact bytecode (`code`), which an interpreter (`exec`)
//! runs. There is one clock, so simulated time advances by whole cycles: set inputs, look at outputs,
//! [`Simulator::step`].

mod code;
mod exec;
mod flatten;
mod fold;
mod graph;
mod lower;
mod memory;
mod power_up;
mod program;
mod schedule;
mod vcd;
mod wide;

pub use power_up::PowerUp;

use super::bits::{Bits, words_for};
use super::ir::{Design, Dir};
use super::names::nearest;
use super::scope::bits;
use program::Program;
use std::collections::HashMap;
use std::fmt;
use std::io;
use std::time::{Duration, Instant};

/// How a design is compiled.
#[derive(Clone, Copy, Debug)]
pub struct SimOptions {
    /// What registers and memories hold at first.
    pub power_up: PowerUp,
    /// Keep all named signals, registers and ports of inner modules, to be read by [`Simulator::signal`] and traced.
    /// Costs speed: nothing that has a name is dropped or fused. Without it only the ports of the top module have
    /// names.
    pub keep_names: bool,
}

impl Default for SimOptions {
    /// Random power-up content from a fixed seed; no inner names.
    fn default() -> SimOptions {
        SimOptions { power_up: PowerUp::Random(0), keep_names: false }
    }
}

/// Why a design cannot be simulated. Designs that elaboration has checked give none of these but `TooLarge`.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // the fields of a variant are explained with it
pub enum SimError {
    /// Each entry names a node and where it was made; the last depends on the first.
    #[error("combinational loop: {}; break it with a register", .path.join(" <- "))]
    Loop { path: Vec<String> },
    /// A wire, a register or an input of an instance, by its hierarchical path, has no driver.
    #[error("{path} has no driver; give it one")]
    Undriven { path: String },
    /// Addresses of the interpreter have 32 bits.
    #[error(
        "the flattened design has {words} words of state, more than fit into 32 bits; simulate a smaller configuration"
    )]
    TooLarge { words: u64 },
}

/// A name that a simulated design does not have, and the one that was probably meant.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnknownName(String);

/// Like `Display`, so that `unwrap` in a testbench shows what is wrong.
impl fmt::Debug for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// An input of the top module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct InputId(pub(crate) u32);

/// An output of the top module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OutputId(pub(crate) u32);

/// A named signal, register or port anywhere in the hierarchy.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SignalId(u32);

/// Figures of a compiled design.
#[derive(Clone, Copy, Debug)]
pub struct SimStats {
    /// Instructions executed per evaluation.
    pub instructions: usize,
    /// Those of them that depend on inputs within the cycle.
    pub input_dependent_instructions: usize,
    /// Dispatches per evaluation: runs of equal instructions.
    pub runs: usize,
    /// 64-bit words of signals.
    pub state_words: usize,
    /// 64-bit words of memories.
    pub memory_words: usize,
    /// From the design to the ready simulator.
    pub compile_time: Duration,
}

struct Port {
    name: String,
    width: u32,
    addr: u32,
}

impl Port {
    fn words<'s>(&self, state: &'s [u64]) -> &'s [u64] {
        &state[self.addr as usize..][..words_for(self.width)]
    }
}

struct Signal {
    scope: u32,
    is_register: bool,
    port: Port,
}

struct ScopeName {
    name: String,
    parent: Option<u32>,
}

/// What has changed since combinational values were computed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stale {
    Nothing,
    Inputs,
    State,
}

/// A running design. It owns all it needs.
pub struct Simulator {
    program: Program,
    state: Vec<u64>,
    contents: Vec<u64>,
    stale: Stale,
    reset: bool,
    cycle: u64,
    clock_name: String,
    reset_name: String,
    inputs: Vec<Port>,
    outputs: Vec<Port>,
    scopes: Vec<ScopeName>,
    signals: Vec<Signal>,
    signal_ids: HashMap<String, SignalId>,
    trace: Option<vcd::Trace>,
    stats: SimStats,
}

impl Simulator {
    /// Compiles a design. Inputs are zero and reset is inactive at first.
    pub fn new(design: &Design, options: SimOptions) -> Result<Simulator, SimError> {
        let start = Instant::now();
        let mut flat = flatten::flatten(design, options.keep_names, options.power_up)?;
        let assembled = program::assemble(&mut flat)?;
        let addresses = &assembled.addresses;
        let top_ports = &design.top_module().ports;
        let ports = |dir: Dir| -> Vec<Port> {
            let ports = top_ports.iter().zip(&flat.ports).filter(|(p, _)| p.dir == dir);
            let port = |(p, node): (&super::ir::Port, &super::ir::NodeId)| Port {
                name: p.name.clone(),
                width: p.width,
                addr: addresses.find(&flat.graph, *node),
            };
            ports.map(port).collect()
        };
        let (inputs, outputs) = (ports(Dir::Input), ports(Dir::Output));
        let signals: Vec<Signal> = if options.keep_names {
            let signal = |s: flatten::FlatSignal| Signal {
                scope: s.scope,
                is_register: s.is_register,
                port: Port { name: s.name, width: flat.graph.width(s.node), addr: addresses.find(&flat.graph, s.node) },
            };
            std::mem::take(&mut flat.signals).into_iter().map(signal).collect()
        } else {
            let port = |p: &Port| Port { name: p.name.clone(), ..*p };
            let all = inputs.iter().chain(&outputs);
            all.map(|p| Signal { scope: 0, is_register: false, port: port(p) }).collect()
        };
        // Without names only the top module, the first scope, has signals.
        let kept_scopes = if options.keep_names { flat.scopes.len() } else { 1 };
        let scopes = flat.scopes.into_iter().take(kept_scopes).map(|s| ScopeName { name: s.name, parent: s.parent });
        let scopes: Vec<_> = scopes.collect();
        let signal_ids = signals.iter().enumerate().map(|(i, s)| (path_of(&scopes, s), SignalId(i as u32))).collect();
        let stats = SimStats {
            instructions: assembled.instructions,
            input_dependent_instructions: assembled.input_dependent_instructions,
            runs: assembled.program.code.runs().len(),
            state_words: assembled.power_up.len(),
            memory_words: assembled.contents.len(),
            compile_time: start.elapsed(),
        };
        Ok(Simulator {
            program: assembled.program,
            state: assembled.power_up,
            contents: assembled.contents,
            stale: Stale::State,
            reset: false,
            cycle: 0,
            clock_name: design.clocking.clock.clone(),
            reset_name: design.clocking.reset.clone(),
            inputs,
            outputs,
            scopes,
            signals,
            signal_ids,
            trace: None,
            stats,
        })
    }

    /// The input of this name. Clock and reset are not among the inputs; see [`Simulator::step`] and
    /// [`Simulator::set_reset`].
    ///
    /// # Errors
    /// There is none; the error names the nearest one.
    pub fn input(&self, name: &str) -> Result<InputId, UnknownName> {
        let found = self.inputs.iter().position(|p| p.name == name);
        found.map(|i| InputId(i as u32)).ok_or_else(|| self.unknown_port("input", name, &self.inputs))
    }

    /// The output of this name.
    ///
    /// # Errors
    /// There is none; the error names the nearest one.
    pub fn output(&self, name: &str) -> Result<OutputId, UnknownName> {
        let found = self.outputs.iter().position(|p| p.name == name);
        found.map(|i| OutputId(i as u32)).ok_or_else(|| self.unknown_port("output", name, &self.outputs))
    }

    fn unknown_port(&self, kind: &str, name: &str, ports: &[Port]) -> UnknownName {
        let names = || ports.iter().map(|p| p.name.as_str());
        let hint = if name == self.clock_name {
            "that is the clock, which `step` drives".to_owned()
        } else if name == self.reset_name {
            "that is the reset, which `reset` and `set_reset` drive".to_owned()
        } else if let Some(near) = nearest(name, names()) {
            format!("did you mean `{near}`?")
        } else if ports.is_empty() {
            format!("the design has no {kind}s")
        } else {
            format!("there are {}", names().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", "))
        };
        UnknownName(format!("no {kind} `{name}`; {hint}"))
    }

    /// Name and width of all inputs in the order of their declaration.
    pub fn inputs(&self) -> impl Iterator<Item = (InputId, &str, u32)> {
        self.inputs.iter().enumerate().map(|(i, p)| (InputId(i as u32), p.name.as_str(), p.width))
    }

    /// Name and width of all outputs in the order of their declaration.
    pub fn outputs(&self) -> impl Iterator<Item = (OutputId, &str, u32)> {
        self.outputs.iter().enumerate().map(|(i, p)| (OutputId(i as u32), p.name.as_str(), p.width))
    }

    /// Bits of an input.
    pub fn input_width(&self, id: InputId) -> u32 {
        self.inputs[id.0 as usize].width
    }

    /// Bits of an output.
    pub fn output_width(&self, id: OutputId) -> u32 {
        self.outputs[id.0 as usize].width
    }

    /// Sets an input.
    ///
    /// # Panics
    /// If the value has bits beyond the width of the input: a mistake in the testbench, never silently cut.
    #[track_caller]
    pub fn set_u64(&mut self, id: InputId, value: u64) {
        let port = &self.inputs[id.0 as usize];
        if port.width > 64 {
            return self.set_words(id, &[value]);
        }
        let fits = value & !wide::top_mask(port.width) == 0;
        assert!(fits, "input `{}` has {}; {value} does not fit", port.name, bits(port.width));
        let place = &mut self.state[port.addr as usize];
        if *place != value {
            *place = value;
            self.stale = self.stale.max(Stale::Inputs);
        }
    }

    /// Sets an input to a two's complement number.
    ///
    /// # Panics
    /// If the value does not fit into the input.
    #[track_caller]
    pub fn set_i64(&mut self, id: InputId, value: i64) {
        let port = &self.inputs[id.0 as usize];
        let number = Bits::from_i128(value.into(), port.width);
        let fits = port.width > 64 || number.to_i128() == Some(value.into());
        assert!(fits, "input `{}` has {}; {value} does not fit with its sign", port.name, bits(port.width));
        self.set(id, &number);
    }

    /// Sets an input from little-endian words; missing words are zero.
    ///
    /// # Panics
    /// If the value has bits beyond the width of the input.
    #[track_caller]
    pub fn set_words(&mut self, id: InputId, words: &[u64]) {
        let port = &self.inputs[id.0 as usize];
        let count = words_for(port.width);
        let (kept, beyond) = words.split_at(count.min(words.len()));
        let top_fits = kept.len() < count || kept[count - 1] & !wide::top_mask(port.width) == 0;
        assert!(
            top_fits && beyond.iter().all(|w| *w == 0),
            "input `{}` has {}; 0x{} does not fit",
            port.name,
            bits(port.width),
            Bits::from_words(words, 64 * words.len() as u32).to_hex().trim_start_matches('0'),
        );
        let place = &mut self.state[port.addr as usize..][..count];
        let (low, high) = place.split_at_mut(kept.len());
        if low != kept || high.iter().any(|w| *w != 0) {
            low.copy_from_slice(kept);
            high.fill(0);
            self.stale = self.stale.max(Stale::Inputs);
        }
    }

    /// Sets an input.
    ///
    /// # Panics
    /// If the value has another width than the input.
    #[track_caller]
    pub fn set(&mut self, id: InputId, value: &Bits) {
        let port = &self.inputs[id.0 as usize];
        let given = value.width();
        assert!(given == port.width, "input `{}` has {}, not {given}", port.name, bits(port.width));
        self.set_words(id, value.words());
    }

    /// The low 64 bits of an output, evaluated when needed; all of it when it is not wider.
    pub fn get_u64(&mut self, id: OutputId) -> u64 {
        self.get_words(id)[0]
    }

    /// An output as a two's complement number: the low 64 bits when it is wider, evaluated when needed.
    pub fn get_i64(&mut self, id: OutputId) -> i64 {
        let unused = 64 - self.output_width(id).min(64);
        (self.get_u64(id) << unused) as i64 >> unused
    }

    /// An output as little-endian words, `ceil(width/64)` of them, evaluated when needed.
    pub fn get_words(&mut self, id: OutputId) -> &[u64] {
        let addr = self.outputs[id.0 as usize].addr;
        self.refresh(addr);
        self.outputs[id.0 as usize].words(&self.state)
    }

    /// An output as little-endian words, as the last [`Simulator::eval`] left it.
    pub fn settled_words(&self, id: OutputId) -> &[u64] {
        self.outputs[id.0 as usize].words(&self.state)
    }

    /// An output, evaluated when needed.
    pub fn get(&mut self, id: OutputId) -> Bits {
        let width = self.output_width(id);
        Bits::from_words(self.get_words(id), width)
    }

    /// Evaluates, unless the value at `addr` is no result of an instruction.
    fn refresh(&mut self, addr: u32) {
        if addr >= self.program.results {
            self.eval();
        }
    }

    /// Brings all combinational values up to date. Costs nothing when no input and no state has changed; after changes
    /// of inputs alone, only what depends on inputs is computed.
    pub fn eval(&mut self) {
        let program = &self.program;
        let first = match self.stale {
            Stale::Nothing => return,
            Stale::Inputs => program.input_dependent,
            Stale::State => 0,
        };
        program.code.execute(first, &mut self.state, &program.mems, &self.contents);
        self.stale = Stale::Nothing;
    }

    /// One rising edge of the clock with the present inputs.
    pub fn step(&mut self) {
        self.eval();
        if let Some(trace) = &mut self.trace {
            trace.sample(self.cycle, !self.reset, &self.state);
        }
        for mem in &self.program.mems {
            mem.clock_edge(&mut self.state, &mut self.contents);
        }
        self.program.edge.commit(&mut self.state, self.reset);
        self.stale = Stale::State;
        self.cycle += 1;
    }

    /// Steps several times.
    pub fn run(&mut self, cycles: u64) {
        (0..cycles).for_each(|_| self.step());
    }

    /// Drives the reset from now on: an active reset (the signal itself is then low) acts at every [`Simulator::step`].
    pub fn set_reset(&mut self, active: bool) {
        self.reset = active;
    }

    /// Steps with active reset, then deactivates it.
    pub fn reset(&mut self, cycles: u64) {
        self.set_reset(true);
        self.run(cycles);
        self.set_reset(false);
    }

    /// Rising edges so far.
    pub fn cycle(&self) -> u64 {
        self.cycle
    }

    /// The signal at a hierarchical path below the top module, such as `u_core.u_row_3.sum`.
    ///
    /// # Errors
    /// There is none; the error names the nearest one. Without [`SimOptions::keep_names`] there are only ports of the
    /// top module.
    pub fn signal(&self, path: &str) -> Result<SignalId, UnknownName> {
        self.signal_ids.get(path).copied().ok_or_else(|| {
            let paths: Vec<String> = self.signal_paths().collect();
            let hint = match nearest(path, paths.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None => {
                    "`signal_paths` lists all; without `keep_names` they are the ports of the top module".to_owned()
                }
            };
            UnknownName(format!("no signal `{path}`; {hint}"))
        })
    }

    /// Paths of all signals that [`Simulator::signal`] finds, in the order of the hierarchy.
    pub fn signal_paths(&self) -> impl Iterator<Item = String> {
        self.signals.iter().map(|s| path_of(&self.scopes, s))
    }

    /// Bits of a signal.
    pub fn signal_width(&self, id: SignalId) -> u32 {
        self.signals[id.0 as usize].port.width
    }

    /// The value of a signal, evaluated when needed.
    pub fn peek(&mut self, id: SignalId) -> Bits {
        let addr = self.signals[id.0 as usize].port.addr;
        self.refresh(addr);
        let port = &self.signals[id.0 as usize].port;
        Bits::from_words(port.words(&self.state), port.width)
    }

    /// Word `addr` of the memory at a hierarchical path; `None` when there is no such memory (one that no output
    /// depends on is dropped unless names are kept) or no such word.
    pub fn peek_memory(&self, path: &str, addr: u32) -> Option<Bits> {
        let mem = self.program.mems.iter().find(|m| m.path == path)?;
        let range = mem.word(u64::from(addr))?;
        Some(Bits::from_words(&self.contents[range], mem.width))
    }

    /// Overwrites a word of a memory and says whether there is such a word. Data of latency-1 reads stays what it was.
    ///
    /// # Panics
    /// If the value has another width than the memory.
    #[track_caller]
    pub fn poke_memory(&mut self, path: &str, addr: u32, value: &Bits) -> bool {
        let Some(mem) = self.program.mems.iter().find(|m| m.path == path) else {
            return false;
        };
        assert!(value.width() == mem.width, "memory `{path}` has {}, not {}", bits(mem.width), value.width());
        let Some(range) = mem.word(u64::from(addr)) else {
            return false;
        };
        self.contents[range].copy_from_slice(value.words());
        self.stale = Stale::State;
        true
    }

    /// Writes a VCD wave dump from now on: clock, reset, ports, and with [`SimOptions::keep_names`] all registers and
    /// named signals by hierarchy. A step is 10 ns, its values those just before the next edge. Replaces an earlier
    /// trace.
    pub fn trace(&mut self, writer: impl io::Write + Send + 'static) -> io::Result<()> {
        self.trace = Some(vcd::Trace::new(Box::new(writer), self)?);
        Ok(())
    }

    /// Ends the trace with the present values and reports what went wrong while it was written, if anything.
    pub fn finish_trace(&mut self) -> io::Result<()> {
        self.eval();
        match self.trace.take() {
            Some(trace) => trace.finish(self.cycle, !self.reset, &self.state),
            None => Ok(()),
        }
    }

    /// Figures of the compiled design.
    pub fn stats(&self) -> SimStats {
        self.stats
    }
}

/// Hierarchical path of a signal below the top module.
fn path_of(scopes: &[ScopeName], signal: &Signal) -> String {
    let mut path = signal.port.name.clone();
    let mut scope = &scopes[signal.scope as usize];
    while let Some(parent) = scope.parent {
        path = format!("{}.{path}", scope.name);
        scope = &scopes[parent as usize];
    }
    path
}
