//! A loaded model, and the simulator over it. All `unsafe` of the co-simulation is here.

use std::ffi::{CString, c_char, c_int, c_void};
use std::fmt;
use std::path::Path;
use std::ptr::NonNull;
use std::sync::Arc;

use libloading::Library;

use super::build::VerilogModel;
use super::shim::storage_bytes;
use crate::cosim::{CosimError, Direction, InPort, OutPort, Simulator, words_for};

/// The functions that the shim exports.
pub(super) struct Api {
    new: unsafe extern "C" fn(u32) -> *mut c_void,
    free: unsafe extern "C" fn(*mut c_void),
    eval: unsafe extern "C" fn(*mut c_void),
    port: unsafe extern "C" fn(*mut c_void, u32) -> *mut c_void,
    waves: Option<WavesApi>,
    /// Keeps the code of the functions above in memory.
    _library: Library,
}

struct WavesApi {
    open: unsafe extern "C" fn(*mut c_void, *const c_char) -> c_int,
    dump: unsafe extern "C" fn(*mut c_void, u64),
    close: unsafe extern "C" fn(*mut c_void),
}

impl fmt::Debug for Api {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("Api")
    }
}

impl Api {
    pub(super) fn load(path: &Path, waves: bool) -> Result<Self, CosimError> {
        let failed = |error: libloading::Error| {
            CosimError::Model(format!(
                "cannot load the compiled model {}: {error}; delete this file to have it built again",
                path.display()
            ))
        };
        // SAFETY: the library was built from our shim, whose functions have exactly the types declared above (a build
        // with another shim has another name). Loading runs only C++ static initialisers. The function pointers stay
        // valid because the library is dropped after them, as part of the same value.
        unsafe {
            let library = Library::new(path).map_err(failed)?;
            macro_rules! function {
                ($name:literal) => {
                    *library.get($name).map_err(failed)?
                };
            }
            Ok(Self {
                new: function!("dut_new"),
                free: function!("dut_free"),
                eval: function!("dut_eval"),
                port: function!("dut_port"),
                waves: if waves {
                    Some(WavesApi {
                        open: function!("dut_waves_open"),
                        dump: function!("dut_waves_dump"),
                        close: function!("dut_waves_close"),
                    })
                } else {
                    None
                },
                _library: library,
            })
        }
    }
}

/// Where the model keeps a port.
#[derive(Clone, Copy, Debug)]
struct Storage {
    address: NonNull<u8>,
    width: u32,
}

impl Storage {
    /// # Safety
    /// The model must be alive and not being evaluated.
    unsafe fn write(self, words: &[u64]) {
        assert_eq!(words.len(), words_for(self.width), "words of a port of {} bits", self.width);
        let bits_in_last = (self.width - 1) % 64 + 1;
        let last = words[words.len() - 1] & (u64::MAX >> (64 - bits_in_last));
        let address = self.address.as_ptr();
        // SAFETY: `address` points to storage of the size class of `width` (asserted when the shim was compiled),
        // aligned for its type, which only the model uses beside this.
        unsafe {
            match storage_bytes(self.width) {
                1 => address.write(last as u8),
                2 => address.cast::<u16>().write(last as u16),
                4 => address.cast::<u32>().write(last as u32),
                8 => address.cast::<u64>().write(last),
                bytes => {
                    let halves = std::slice::from_raw_parts_mut(address.cast::<u32>(), bytes / 4);
                    let (whole, rest) = halves.split_at_mut(2 * (words.len() - 1));
                    for (pair, word) in whole.chunks_exact_mut(2).zip(words) {
                        pair[0] = *word as u32;
                        pair[1] = (*word >> 32) as u32;
                    }
                    rest[0] = last as u32;
                    if let Some(high) = rest.get_mut(1) {
                        *high = (last >> 32) as u32;
                    }
                }
            }
        }
    }

    /// # Safety
    /// The model must be alive and not being evaluated.
    unsafe fn read(self, words: &mut [u64]) {
        assert_eq!(words.len(), words_for(self.width), "words of a port of {} bits", self.width);
        let address = self.address.as_ptr();
        // SAFETY: as in `write`. Verilator keeps the unused upper bits of outputs zero.
        unsafe {
            match storage_bytes(self.width) {
                1 => words[0] = u64::from(address.read()),
                2 => words[0] = u64::from(address.cast::<u16>().read()),
                4 => words[0] = u64::from(address.cast::<u32>().read()),
                8 => words[0] = address.cast::<u64>().read(),
                bytes => {
                    let halves = std::slice::from_raw_parts(address.cast::<u32>(), bytes / 4);
                    for (word, pair) in words.iter_mut().zip(halves.chunks(2)) {
                        *word = u64::from(pair[0]) | pair.get(1).map_or(0, |high| u64::from(*high) << 32);
                    }
                }
            }
        }
    }
}

/// A running Verilated model.
///
/// Two evaluations make a cycle: one with the clock low, which [`settle`](Simulator::settle) needs anyway to bring
/// changed inputs to the outputs, and one with the clock high. A bare loop that toggles the clock makes the same two.
pub struct VerilatorSim {
    dut: NonNull<c_void>,
    api: Arc<Api>,
    model: Arc<VerilogModel>,
    /// In the order of `model.ports`.
    storage: Vec<Storage>,
    clock: Storage,
    /// The last evaluation was with the clock high: the model needs one with it low to see the next edge.
    clock_high: bool,
    /// An input changed since the last evaluation.
    dirty: bool,
    /// Cycles recorded into the open VCD file.
    wave_cycles: Option<u64>,
}

/// Clock period in waves, in their unit of 1 ns.
const PERIOD: u64 = 10;

impl VerilatorSim {
    pub(super) fn new(api: &Arc<Api>, model: &Arc<VerilogModel>, waves: bool, seed: u64) -> Self {
        assert_eq!(api.waves.is_some(), waves);
        // Verilator takes a positive 31-bit seed; 0 would mean one of its own choice.
        let folded = ((seed ^ (seed >> 32)) as u32) & 0x7fff_ffff;
        let seed = if folded == 0 { 0x7fff_ffff } else { folded };
        // SAFETY: `dut_new` returns a new model or does not return; `dut_port` the address of a member of it for every
        // index below the number of ports it was generated for. The addresses are valid until `dut_free`, in `drop`.
        let (dut, storage) = unsafe {
            let dut = NonNull::new((api.new)(seed)).expect("`new` of C++ does not return null");
            let storage: Vec<Storage> = model
                .ports
                .iter()
                .enumerate()
                .map(|(index, port)| Storage {
                    address: NonNull::new((api.port)(dut.as_ptr(), index as u32))
                        .expect("the shim knows every port")
                        .cast(),
                    width: port.width,
                })
                .collect();
            (dut, storage)
        };
        let clock = model.ports.iter().position(|port| port.name == model.clock).expect("checked before compiling");
        let mut sim = Self {
            dut,
            clock: storage[clock],
            api: Arc::clone(api),
            model: Arc::clone(model),
            storage,
            clock_high: false,
            dirty: false,
            wave_cycles: None,
        };
        // Inputs hold random bits as well; the clock must not, and no testbench should see a port it never set change.
        for (storage, port) in sim.storage.iter().zip(&sim.model.ports) {
            if port.direction == Direction::Input {
                // SAFETY: the model is alive and idle.
                unsafe { storage.write(&vec![0; words_for(port.width)]) };
            }
        }
        sim.eval(false);
        sim
    }

    fn eval(&mut self, clock: bool) {
        // SAFETY: the model is alive, and `&mut self` excludes other uses.
        unsafe {
            self.clock.write(&[u64::from(clock)]);
            (self.api.eval)(self.dut.as_ptr());
        }
        self.clock_high = clock;
        self.dirty = false;
    }

    fn dump(&mut self, time: u64) {
        if let Some(waves) = &self.api.waves {
            // SAFETY: the model is alive, and its VCD file open: only callers with `wave_cycles` get here.
            unsafe { (waves.dump)(self.dut.as_ptr(), time) }
        }
    }

    fn find(&self, name: &str, direction: Direction) -> Result<(u32, u32), CosimError> {
        let usable = |port: &crate::cosim::PortSpec| port.direction == direction && port.name != self.model.clock;
        let mut ports = self.model.ports.iter();
        match ports.position(|port| usable(port) && port.name == name) {
            Some(index) => Ok((index as u32, self.model.ports[index].width)),
            None => Err(CosimError::UnknownPort {
                model: self.model.top.clone(),
                direction: match direction {
                    Direction::Input => "input",
                    Direction::Output => "output",
                },
                name: name.to_owned(),
                available: self
                    .model
                    .ports
                    .iter()
                    .filter(|port| usable(port))
                    .map(|port| port.name.as_str())
                    .collect::<Vec<_>>()
                    .join(", "),
            }),
        }
    }
}

impl Simulator for VerilatorSim {
    fn kind(&self) -> &'static str {
        "verilator"
    }

    fn input(&self, name: &str) -> Result<InPort, CosimError> {
        let (index, width) = self.find(name, Direction::Input)?;
        Ok(InPort::new(index, width))
    }

    fn output(&self, name: &str) -> Result<OutPort, CosimError> {
        let (index, width) = self.find(name, Direction::Output)?;
        Ok(OutPort::new(index, width))
    }

    fn set(&mut self, port: InPort, words: &[u64]) {
        // SAFETY: the model is alive and idle.
        unsafe { self.storage[port.index()].write(words) }
        self.dirty = true;
    }

    fn get(&self, port: OutPort, words: &mut [u64]) {
        // SAFETY: the model is alive and idle.
        unsafe { self.storage[port.index()].read(words) }
    }

    fn settle(&mut self) {
        if self.clock_high || self.dirty {
            self.eval(false);
        }
    }

    fn step(&mut self) {
        // Inputs that changed since the last low evaluation need none of their own: within an evaluation Verilator
        // brings inputs to the logic behind them before it looks for edges.
        if self.clock_high || (self.dirty && self.wave_cycles.is_some()) {
            self.eval(false);
        }
        if let Some(cycle) = self.wave_cycles {
            self.dump(cycle * PERIOD);
            self.eval(true);
            self.dump(cycle * PERIOD + PERIOD / 2);
            self.wave_cycles = Some(cycle + 1);
        } else {
            self.eval(true);
        }
    }

    fn open_waves(&mut self, path: &Path) -> Result<(), CosimError> {
        let waves = self
            .api
            .waves
            .as_ref()
            .ok_or_else(|| CosimError::Waves(format!("model `{}` was compiled without them", self.model.top)))?;
        if self.wave_cycles.is_some() {
            return Err(CosimError::Waves("a file is open already".into()));
        }
        let name = CString::new(path.as_os_str().as_encoded_bytes())
            .map_err(|_| CosimError::Waves(format!("{} contains a NUL", path.display())))?;
        // SAFETY: the model is alive, the path ends with a NUL.
        if unsafe { (waves.open)(self.dut.as_ptr(), name.as_ptr()) } == 0 {
            return Err(CosimError::Waves(format!("{} cannot be written", path.display())));
        }
        self.wave_cycles = Some(0);
        Ok(())
    }

    fn close_waves(&mut self) -> Result<(), CosimError> {
        if let (Some(cycle), Some(waves)) = (self.wave_cycles.take(), &self.api.waves) {
            // SAFETY: the model is alive and its file open.
            unsafe {
                (waves.dump)(self.dut.as_ptr(), cycle * PERIOD);
                (waves.close)(self.dut.as_ptr());
            }
        }
        Ok(())
    }
}

impl Drop for VerilatorSim {
    fn drop(&mut self) {
        // SAFETY: made by `dut_new` of the same library, not used afterwards. It also closes an open VCD file.
        unsafe { (self.api.free)(self.dut.as_ptr()) }
    }
}
