//! The Verilog of the array, compiled by Verilator.

use eva_rtl::cosim::verilator::{Verilator, VerilatorSim, VerilogModel};
use eva_rtl::cosim::{CosimError, InPort, OutPort, PortSpec, Simulator};
use eva_rtl::hdl::ir::{Design, Dir};
use eva_rtl::hdl::verilog::{Options, emit};

pub struct Verilated {
    sim: VerilatorSim,
    load: InPort,
    a: Vec<InPort>,
    w: Vec<InPort>,
    sum: Vec<OutPort>,
}

impl Verilated {
    /// Fails when there is no Verilator.
    pub fn new(design: &Design, n: usize) -> Result<Verilated, CosimError> {
        let clocking = &design.clocking;
        let mut ports = vec![PortSpec::input(&clocking.clock, 1), PortSpec::input(&clocking.reset, 1)];
        ports.extend(design.top_module().ports.iter().map(|p| match p.dir {
            Dir::Input => PortSpec::input(&p.name, p.width),
            Dir::Output => PortSpec::output(&p.name, p.width),
        }));
        let model = VerilogModel {
            top: design.top_module().name.clone(),
            clock: clocking.clock.clone(),
            files: emit(design, &Options::default()).into_iter().map(|f| (f.name, f.text)).collect(),
            ports,
        };
        let mut sim = Verilator::find()?.compile(&model, false)?.simulator(0);
        let inputs = |name: &str| (0..n).map(|i| sim.input(&format!("{name}{i}"))).collect::<Result<Vec<_>, _>>();
        let (a, w) = (inputs("a")?, inputs("w")?);
        let sum = (0..n).map(|i| sim.output(&format!("sum{i}"))).collect::<Result<Vec<_>, _>>()?;
        let (load, reset) = (sim.input("load")?, sim.input(&clocking.reset)?);
        for (level, steps) in [(0, 1), (1, 0)] {
            sim.set_u64(reset, level);
            (0..steps).for_each(|_| sim.step());
        }
        Ok(Verilated { load, a, w, sum, sim })
    }

    /// One cycle with these inputs; gives the sums after it.
    pub fn cycle<const N: usize>(&mut self, load: bool, a: &[i8; N], w: &[i8; N]) -> [i32; N] {
        self.sim.set_u64(self.load, u64::from(load));
        for i in 0..N {
            self.sim.set_u64(self.a[i], u64::from(a[i] as u8));
            self.sim.set_u64(self.w[i], u64::from(w[i] as u8));
        }
        self.sim.step();
        self.sim.settle();
        std::array::from_fn(|i| self.sim.get_u64(self.sum[i]) as i32)
    }

    pub fn step(&mut self) {
        self.sim.step();
    }
}
