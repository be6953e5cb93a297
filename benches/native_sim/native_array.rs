//! The array in the elaborated form, and a testbench on the native simulator.

use crate::build::{Build, design};
use eva_rtl::hdl::ir::{BinOp, Design, Module, ModuleId, NodeId};
use eva_rtl::hdl::sim::{InputId, OutputId, SimOptions, SimStats, Simulator};

/// The activation moves right, the partial sum down; the weight is loaded from above and stays.
fn pe() -> Module {
    let mut m = Build::new("pe");
    let load = m.input("load", 1);
    let a_in = m.input("a_in", 8);
    let w_in = m.input("w_in", 8);
    let sum_in = m.input("sum_in", 32);
    let a = m.reg_of("a", a_in, Some(0));
    let w = m.reg("w", 8, Some(0));
    m.next(w, w_in, Some(load));
    let product = m.binary(BinOp::MulS, a, w);
    let product = m.sext(product, 32);
    let sum = m.binary(BinOp::Add, sum_in, product);
    let sum = m.reg_of("sum", sum, Some(0));
    m.output("a_out", a);
    m.output("w_out", w);
    m.output("sum_out", sum);
    m.0
}

pub fn array(n: usize) -> Design {
    let pe = pe();
    let mut m = Build::new("array");
    let load = m.input("load", 1);
    let mut a: Vec<NodeId> = (0..n).map(|i| m.input(&format!("a{i}"), 8)).collect();
    let mut w: Vec<NodeId> = (0..n).map(|i| m.input(&format!("w{i}"), 8)).collect();
    let zero = m.constant(0, 32);
    let mut sum = vec![zero; n];
    for (row, a) in a.iter_mut().enumerate() {
        for (column, (w, sum)) in w.iter_mut().zip(&mut sum).enumerate() {
            let outputs = m.instance(&format!("u_{row}_{column}"), ModuleId(0), &pe, &[load, *a, *w, *sum]);
            (*a, *w, *sum) = (outputs[0], outputs[1], outputs[2]);
        }
    }
    sum.iter().enumerate().for_each(|(i, sum)| m.output(&format!("sum{i}"), *sum));
    design(vec![pe, m.0])
}

pub struct Native {
    sim: Simulator,
    load: InputId,
    a: Vec<InputId>,
    w: Vec<InputId>,
    sum: Vec<OutputId>,
}

impl Native {
    pub fn new(n: usize) -> Native {
        let sim = Simulator::new(&array(n), SimOptions::default()).expect("a well-formed design");
        let inputs = |name: &str| (0..n).map(|i| sim.input(&format!("{name}{i}")).unwrap()).collect();
        let (a, w) = (inputs("a"), inputs("w"));
        let sum = (0..n).map(|i| sim.output(&format!("sum{i}")).unwrap()).collect();
        Native { load: sim.input("load").unwrap(), a, w, sum, sim }
    }

    /// One cycle with these inputs; gives the sums after it.
    pub fn cycle<const N: usize>(&mut self, load: bool, a: &[i8; N], w: &[i8; N]) -> [i32; N] {
        self.sim.set_u64(self.load, u64::from(load));
        for i in 0..N {
            self.sim.set_u64(self.a[i], u64::from(a[i] as u8));
            self.sim.set_u64(self.w[i], u64::from(w[i] as u8));
        }
        self.sim.step();
        std::array::from_fn(|i| self.sim.get_u64(self.sum[i]) as i32)
    }

    pub fn step(&mut self) {
        self.sim.step();
    }

    pub fn stats(&self) -> SimStats {
        self.sim.stats()
    }
}
