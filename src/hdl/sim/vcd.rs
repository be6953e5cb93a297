//! Wave dumps.

use super::{Port, Simulator};
use crate::hdl::bits::words_for;
use std::collections::HashMap;
use std::io;
use vcd::{IdCode, TimescaleUnit, Value, VarType, Writer};

/// Time units (ns) of a clock cycle; the clock rises at multiples of it and falls half-way.
const PERIOD: u64 = 10;

/// A dump in progress: writes what has changed since the last sample.
pub struct Trace {
    writer: Writer<Box<dyn io::Write + Send>>,
    clock: IdCode,
    reset: IdCode,
    vars: Vec<Var>,
    /// The values last written, one after the other.
    last: Vec<u64>,
    last_reset: bool,
    /// Whether there was a sample already; the first one writes all values.
    begun: bool,
    /// The first error ends the dump; it is reported at the end.
    result: io::Result<()>,
}

struct Var {
    code: IdCode,
    width: u32,
    addr: u32,
}

impl Trace {
    /// Writes the header.
    pub fn new(writer: Box<dyn io::Write + Send>, sim: &Simulator) -> io::Result<Trace> {
        let mut writer = Writer::new(writer);
        let (clock, reset) = (IdCode::FIRST, IdCode::FIRST.next());
        let mut children = vec![Vec::new(); sim.scopes.len()];
        for (i, scope) in sim.scopes.iter().enumerate() {
            if let Some(parent) = scope.parent {
                children[parent as usize].push(i);
            }
        }
        let mut signals = vec![Vec::new(); sim.scopes.len()];
        sim.signals.iter().for_each(|s| signals[s.scope as usize].push(s));

        writer.timescale(1, TimescaleUnit::NS)?;
        let mut vars = Vars { codes: HashMap::new(), next: reset.next(), list: Vec::new() };
        // Depth first; `None` closes a scope.
        let mut stack = vec![Some(0)];
        while let Some(entry) = stack.pop() {
            let Some(scope) = entry else {
                writer.upscope()?;
                continue;
            };
            writer.add_module(&sim.scopes[scope].name)?;
            if scope == 0 {
                writer.var_def(VarType::Wire, 1, clock, &sim.clock_name, None)?;
                writer.var_def(VarType::Wire, 1, reset, &sim.reset_name, None)?;
            }
            for signal in &signals[scope] {
                let kind = if signal.is_register { VarType::Reg } else { VarType::Wire };
                writer.var_def(kind, signal.port.width, vars.code(&signal.port), &signal.port.name, None)?;
            }
            stack.push(None);
            stack.extend(children[scope].iter().rev().map(|child| Some(*child)));
        }
        writer.enddefinitions()?;
        let words = vars.list.iter().map(|v| words_for(v.width)).sum();
        let last = vec![0; words];
        Ok(Trace { writer, clock, reset, vars: vars.list, last, last_reset: false, begun: false, result: Ok(()) })
    }

    /// Records the values of a cycle; `reset` is the level of the reset signal.
    pub fn sample(&mut self, cycle: u64, reset: bool, state: &[u64]) {
        if self.result.is_ok() {
            self.result = self.write_sample(cycle, reset, state);
        }
    }

    /// Records the values of the unfinished cycle and ends the dump.
    pub fn finish(mut self, cycle: u64, reset: bool, state: &[u64]) -> io::Result<()> {
        self.sample(cycle, reset, state);
        self.result?;
        self.writer.flush()
    }

    fn write_sample(&mut self, cycle: u64, reset: bool, state: &[u64]) -> io::Result<()> {
        let first = !std::mem::replace(&mut self.begun, true);
        self.writer.timestamp(cycle * PERIOD)?;
        self.writer.change_scalar(self.clock, true)?;
        if first || reset != self.last_reset {
            self.writer.change_scalar(self.reset, reset)?;
            self.last_reset = reset;
        }
        let mut rest = &mut self.last[..];
        for var in &self.vars {
            let (last, others) = rest.split_at_mut(words_for(var.width));
            rest = others;
            let now = &state[var.addr as usize..][..last.len()];
            if !first && last == now {
                continue;
            }
            last.copy_from_slice(now);
            let bit = |i: u32| Value::from(now[i as usize / 64] >> (i % 64) & 1 == 1);
            if var.width == 1 {
                self.writer.change_scalar(var.code, bit(0))?;
            } else {
                // Leading zeros are implied.
                let top = (1..var.width).rev().find(|i| bit(*i) == Value::V1).unwrap_or(0);
                self.writer.change_vector(var.code, (0..=top).rev().map(bit))?;
            }
        }
        self.writer.timestamp(cycle * PERIOD + PERIOD / 2)?;
        self.writer.change_scalar(self.clock, false)
    }
}

/// Signals with the same place and width share an identifier and are written once.
struct Vars {
    codes: HashMap<(u32, u32), IdCode>,
    next: IdCode,
    list: Vec<Var>,
}

impl Vars {
    fn code(&mut self, port: &Port) -> IdCode {
        *self.codes.entry((port.addr, port.width)).or_insert_with(|| {
            let code = self.next;
            self.next = code.next();
            self.list.push(Var { code, width: port.width, addr: port.addr });
            code
        })
    }
}
