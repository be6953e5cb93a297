//! The native simulator behind the interface of testbenches.

use super::simulator::{InPort, OutPort, Simulator};
use super::{CosimError, words_for};
use crate::hdl::Design;
use crate::hdl::sim::{self, InputId, OutputId, PowerUp, SimOptions};
use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

/// A design in the embedded simulator: no tool needed.
pub struct Native {
    sim: sim::Simulator,
    model: String,
    reset: String,
}

/// The number by which the reset is known here; it is not an input of the simulator below.
const RESET: u32 = u32::MAX;

impl Native {
    /// Compiles a design. Registers without reset and memories start at values drawn from `seed`. For waves of
    /// everything named, `keep_names` must be set; it costs speed.
    ///
    /// # Errors
    /// The design has a combinational loop: it has not been checked.
    pub fn new(design: &Design, seed: u64, keep_names: bool) -> Result<Native, CosimError> {
        let options = SimOptions { power_up: PowerUp::Random(seed), keep_names };
        let sim = sim::Simulator::new(design, options).map_err(|e| CosimError::Model(e.to_string()))?;
        Ok(Native { sim, model: design.top_module().name.clone(), reset: design.clocking.reset.clone() })
    }

    fn unknown<'a>(&self, direction: &'static str, name: &str, names: impl Iterator<Item = &'a str>) -> CosimError {
        let available = names.collect::<Vec<_>>().join(", ");
        CosimError::UnknownPort { model: self.model.clone(), direction, name: name.to_owned(), available }
    }
}

impl Simulator for Native {
    fn kind(&self) -> &'static str {
        "native"
    }

    fn input(&self, name: &str) -> Result<InPort, CosimError> {
        if name == self.reset {
            return Ok(InPort::new(RESET, 1));
        }
        match self.sim.input(name) {
            Ok(id) => Ok(InPort::new(id.0, self.sim.input_width(id))),
            Err(_) => Err(self.unknown("input", name, self.sim.inputs().map(|(_, name, _)| name))),
        }
    }

    fn output(&self, name: &str) -> Result<OutPort, CosimError> {
        match self.sim.output(name) {
            Ok(id) => Ok(OutPort::new(id.0, self.sim.output_width(id))),
            Err(_) => Err(self.unknown("output", name, self.sim.outputs().map(|(_, name, _)| name))),
        }
    }

    fn set(&mut self, port: InPort, words: &[u64]) {
        if port.index() == RESET as usize {
            return self.sim.set_reset(words[0] & 1 == 0);
        }
        let id = InputId(port.index() as u32);
        let used = port.width() % 64;
        match words.split_last() {
            Some((top, low)) if used != 0 && top >> used != 0 => {
                let mut masked = Vec::with_capacity(words_for(port.width()));
                masked.extend_from_slice(low);
                masked.push(top & ((1 << used) - 1));
                self.sim.set_words(id, &masked);
            }
            _ => self.sim.set_words(id, words),
        }
    }

    fn set_u64(&mut self, port: InPort, value: u64) {
        self.set(port, &[value]);
    }

    fn get(&self, port: OutPort, words: &mut [u64]) {
        words.copy_from_slice(self.sim.settled_words(OutputId(port.index() as u32)));
    }

    fn get_u64(&self, port: OutPort) -> u64 {
        self.sim.settled_words(OutputId(port.index() as u32))[0]
    }

    fn settle(&mut self) {
        self.sim.eval();
    }

    fn step(&mut self) {
        self.sim.step();
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), CosimError> {
        let file = File::create(path).map_err(CosimError::io("create", path))?;
        self.sim.trace(BufWriter::new(file)).map_err(|e| CosimError::Waves(e.to_string()))
    }

    fn close_waves(&mut self) -> Result<(), CosimError> {
        self.sim.finish_trace().map_err(|e| CosimError::Waves(e.to_string()))
    }
}
