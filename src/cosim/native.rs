//! The native simulator as a [`Simulator`] of testbenches.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use super::simulator::{InPort, OutPort, Simulator, words_for};
use super::{CosimError, Direction};
use crate::hdl::Design;
use crate::hdl::sim::{self, InputId, OutputId, PowerUp, SimOptions};

/// A design in the native simulator: no compiler needed, any host.
pub struct NativeSim {
    sim: sim::Simulator,
    design: String,
    inputs: Vec<Input>,
    outputs: Vec<Output>,
    /// For values with bits to be ignored.
    scratch: Vec<u64>,
}

struct Input {
    name: String,
    /// `None` for the reset, which the simulator has apart.
    id: Option<InputId>,
    width: u32,
}

struct Output {
    name: String,
    id: OutputId,
    /// As of the last [`Simulator::settle`].
    words: Vec<u64>,
    width: u32,
}

impl NativeSim {
    /// Compiles `design`. What has no defined content at power-up starts with random bits drawn from `seed`, so that a result
    /// which depends on them differs between seeds. Waves need `waves`, which costs speed.
    ///
    /// # Errors
    /// If the design is too large.
    pub fn new(design: &Design, seed: u64, waves: bool) -> Result<Self, CosimError> {
        let options = SimOptions { power_up: PowerUp::Random(seed), keep_names: waves };
        let sim = sim::Simulator::new(design, options).map_err(|error| CosimError::Model(error.to_string()))?;
        let mut inputs = vec![Input { name: design.clocking.reset.clone(), id: None, width: 1 }];
        inputs.extend(sim.inputs().map(|(id, name, width)| Input { name: name.to_owned(), id: Some(id), width }));
        let outputs = sim.outputs().map(|(id, name, width)| Output {
            name: name.to_owned(),
            id,
            words: vec![0; words_for(width)],
            width,
        });
        let outputs = outputs.collect();
        Ok(Self { sim, design: design.top_module().name.clone(), inputs, outputs, scratch: Vec::new() })
    }

    fn unknown(&self, direction: Direction, name: &str) -> CosimError {
        let (direction, available): (_, Vec<&str>) = match direction {
            Direction::Input => ("input", self.inputs.iter().map(|port| port.name.as_str()).collect()),
            Direction::Output => ("output", self.outputs.iter().map(|port| port.name.as_str()).collect()),
        };
        CosimError::UnknownPort {
            model: self.design.clone(),
            direction,
            name: name.to_owned(),
            available: available.join(", "),
        }
    }
}

impl Simulator for NativeSim {
    fn kind(&self) -> &'static str {
        "native"
    }

    fn input(&self, name: &str) -> Result<InPort, CosimError> {
        let index = self.inputs.iter().position(|port| port.name == name);
        let index = index.ok_or_else(|| self.unknown(Direction::Input, name))?;
        Ok(InPort::new(index as u32, self.inputs[index].width))
    }

    fn output(&self, name: &str) -> Result<OutPort, CosimError> {
        let index = self.outputs.iter().position(|port| port.name == name);
        let index = index.ok_or_else(|| self.unknown(Direction::Output, name))?;
        Ok(OutPort::new(index as u32, self.outputs[index].width))
    }

    fn set(&mut self, port: InPort, words: &[u64]) {
        let Some(id) = self.inputs[port.index()].id else {
            return self.set_u64(port, words[0]);
        };
        if port.width().is_multiple_of(64) {
            return self.sim.set_words(id, words);
        }
        self.scratch.clear();
        self.scratch.extend_from_slice(words);
        if let Some(top) = self.scratch.last_mut() {
            *top &= top_mask(port.width());
        }
        self.sim.set_words(id, &self.scratch);
    }

    fn set_u64(&mut self, port: InPort, value: u64) {
        let value = value & top_mask(port.width());
        match self.inputs[port.index()].id {
            Some(id) => self.sim.set_u64(id, value),
            None => self.sim.set_reset(value == 0),
        }
    }

    fn get(&self, port: OutPort, words: &mut [u64]) {
        words.copy_from_slice(&self.outputs[port.index()].words);
    }

    fn get_u64(&self, port: OutPort) -> u64 {
        self.outputs[port.index()].words[0]
    }

    fn settle(&mut self) {
        self.sim.eval();
        for output in &mut self.outputs {
            output.words.copy_from_slice(self.sim.get_words(output.id));
        }
    }

    fn step(&mut self) {
        self.sim.step();
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), CosimError> {
        let file = File::create(path).map_err(CosimError::io("create", path))?;
        self.sim.trace(BufWriter::new(file)).map_err(|error| CosimError::Waves(error.to_string()))
    }

    fn close_waves(&mut self) -> Result<(), CosimError> {
        self.sim.finish_trace().map_err(|error| CosimError::Waves(error.to_string()))
    }
}

/// The bits of the last word that belong to a value of `width` bits.
fn top_mask(width: u32) -> u64 {
    u64::MAX >> (64 * width.div_ceil(64) - width)
}
