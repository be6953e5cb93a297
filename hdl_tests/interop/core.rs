//! A whole core inside a rust-hdl design, driven through the pins of that design: in rust-hdl's simulation, and its
//! Verilog compiled by Verilator. Streams, checks and expected outputs are those of any other co-simulation.

use crate::emitted::{definitions, lint};
use crate::harness::{Work, assert_passed, play, work};
use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::axis::{Backpressure, Stalls};
use eva_rtl::cosim::verilator::{Verilator, VerilogModel};
use eva_rtl::cosim::{CosimError, InPort, OutPort, PortSpec, Simulator};
use eva_rtl::hdl;
use eva_rtl::hdl::bits::words_for;
use eva_rtl::hdl::interop::rust_hdl::{Instance, Library, Port, PortSignal};
use eva_rtl::rtl::eva_core;
use eva_rtl::rust_hdl_ports;
use eva_rtl::vq::{Distribution, LayerShape, random_activations, random_layer};
use rust_hdl::prelude::*;
use std::path::Path;

rust_hdl_ports! {
    /// The ports of a core of the preset `tiny`; its weight stream has a width that is known at run time only.
    struct CorePorts {
        clock: Signal<In, Clock> = "aclk",
        reset_n: Signal<In, Bit> = "aresetn",
        cmd_tdata: Signal<In, Bits<128>> = "s_axis_cmd_tdata",
        cmd_tvalid: Signal<In, Bit> = "s_axis_cmd_tvalid",
        cmd_tready: Signal<Out, Bit> = "s_axis_cmd_tready",
        w_tdata: Port<In> = "s_axis_w_tdata",
        w_tvalid: Signal<In, Bit> = "s_axis_w_tvalid",
        w_tready: Signal<Out, Bit> = "s_axis_w_tready",
        x_tdata: Signal<In, Bits<128>> = "s_axis_x_tdata",
        x_tvalid: Signal<In, Bit> = "s_axis_x_tvalid",
        x_tready: Signal<Out, Bit> = "s_axis_x_tready",
        y_tdata: Signal<Out, Bits<32>> = "m_axis_y_tdata",
        y_tvalid: Signal<Out, Bit> = "m_axis_y_tvalid",
        y_tlast: Signal<Out, Bit> = "m_axis_y_tlast",
        y_tready: Signal<In, Bit> = "m_axis_y_tready",
        sts_tdata: Signal<Out, Bits<64>> = "m_axis_sts_tdata",
        sts_tvalid: Signal<Out, Bit> = "m_axis_sts_tvalid",
        sts_tready: Signal<In, Bit> = "m_axis_sts_tready",
        busy: Signal<Out, Bit>,
        stat_cycles: Signal<Out, Bits<32>>,
        stat_w_beats: Signal<Out, Bits<32>>,
        stat_x_beats: Signal<Out, Bits<32>>,
        stat_y_beats: Signal<Out, Bits<32>>,
        stat_w_stalls: Signal<Out, Bits<32>>,
        stat_x_stalls: Signal<Out, Bits<32>>,
        stat_y_stalls: Signal<Out, Bits<32>>,
        stat_load_stalls: Signal<Out, Bits<32>>,
        stat_oc_stalls: Signal<Out, Bits<32>>,
    }
}

/// The core, and a counter of rust-hdl beside it that must agree with one of the core's.
#[derive(LogicBlock)]
struct Host {
    clock: Signal<In, Clock>,
    aresetn: Signal<In, Bit>,
    s_axis_cmd_tdata: Signal<In, Bits<128>>,
    s_axis_cmd_tvalid: Signal<In, Bit>,
    s_axis_cmd_tready: Signal<Out, Bit>,
    s_axis_w_tdata: Signal<In, Bits<32>>,
    s_axis_w_tvalid: Signal<In, Bit>,
    s_axis_w_tready: Signal<Out, Bit>,
    s_axis_x_tdata: Signal<In, Bits<128>>,
    s_axis_x_tvalid: Signal<In, Bit>,
    s_axis_x_tready: Signal<Out, Bit>,
    m_axis_y_tdata: Signal<Out, Bits<32>>,
    m_axis_y_tvalid: Signal<Out, Bit>,
    m_axis_y_tlast: Signal<Out, Bit>,
    m_axis_y_tready: Signal<In, Bit>,
    m_axis_sts_tdata: Signal<Out, Bits<64>>,
    m_axis_sts_tvalid: Signal<Out, Bit>,
    m_axis_sts_tready: Signal<In, Bit>,
    busy: Signal<Out, Bit>,
    stat_cycles: Signal<Out, Bits<32>>,
    stat_w_beats: Signal<Out, Bits<32>>,
    stat_x_beats: Signal<Out, Bits<32>>,
    stat_y_beats: Signal<Out, Bits<32>>,
    stat_w_stalls: Signal<Out, Bits<32>>,
    stat_x_stalls: Signal<Out, Bits<32>>,
    stat_y_stalls: Signal<Out, Bits<32>>,
    stat_load_stalls: Signal<Out, Bits<32>>,
    stat_oc_stalls: Signal<Out, Bits<32>>,
    weights_taken: Signal<Out, Bits<32>>,
    core: Instance<CorePorts>,
    taken: DFF<Bits<32>>,
    one: Constant<Bits<32>>,
    none: Constant<Bits<32>>,
}

impl Logic for Host {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, core);
        self.core.reset_n.next = self.aresetn.val();
        self.core.cmd_tdata.next = self.s_axis_cmd_tdata.val();
        self.core.cmd_tvalid.next = self.s_axis_cmd_tvalid.val();
        self.s_axis_cmd_tready.next = self.core.cmd_tready.val();
        self.core.w_tdata.next = self.s_axis_w_tdata.val().into();
        self.core.w_tvalid.next = self.s_axis_w_tvalid.val();
        self.s_axis_w_tready.next = self.core.w_tready.val();
        self.core.x_tdata.next = self.s_axis_x_tdata.val();
        self.core.x_tvalid.next = self.s_axis_x_tvalid.val();
        self.s_axis_x_tready.next = self.core.x_tready.val();
        self.m_axis_y_tdata.next = self.core.y_tdata.val();
        self.m_axis_y_tvalid.next = self.core.y_tvalid.val();
        self.m_axis_y_tlast.next = self.core.y_tlast.val();
        self.core.y_tready.next = self.m_axis_y_tready.val();
        self.m_axis_sts_tdata.next = self.core.sts_tdata.val();
        self.m_axis_sts_tvalid.next = self.core.sts_tvalid.val();
        self.core.sts_tready.next = self.m_axis_sts_tready.val();
        self.busy.next = self.core.busy.val();
        self.stat_cycles.next = self.core.stat_cycles.val();
        self.stat_w_beats.next = self.core.stat_w_beats.val();
        self.stat_x_beats.next = self.core.stat_x_beats.val();
        self.stat_y_beats.next = self.core.stat_y_beats.val();
        self.stat_w_stalls.next = self.core.stat_w_stalls.val();
        self.stat_x_stalls.next = self.core.stat_x_stalls.val();
        self.stat_y_stalls.next = self.core.stat_y_stalls.val();
        self.stat_load_stalls.next = self.core.stat_load_stalls.val();
        self.stat_oc_stalls.next = self.core.stat_oc_stalls.val();

        dff_setup!(self, clock, taken);
        if self.s_axis_w_tvalid.val() & self.core.w_tready.val() {
            self.taken.d.next = self.taken.q.val() + self.one.val();
        }
        if !self.aresetn.val() {
            self.taken.d.next = self.none.val();
        }
        self.weights_taken.next = self.taken.q.val();
    }
}

/// Lists the pins of [`Host`] but the clock, and finds them by number.
macro_rules! pins {
    (inputs: $($input:ident)+; outputs: $($output:ident)+;) => {
        impl Host {
            fn new() -> Host {
                let cfg = CoreConfig::preset("tiny").expect("a preset");
                let core = eva_core(&cfg).expect("elaborates").design;
                let core = Library::new().module(&core).expect("a module").instance().expect("fits");
                $(let $input = Signal::default();)+
                $(let $output = Signal::default();)+
                let (clock, taken) = (Signal::default(), DFF::default());
                let (one, none) = (Constant::new(1.into()), Constant::new(0.into()));
                Host { clock, $($input,)+ $($output,)+ core, taken, one, none }
            }

            fn pins() -> Vec<PortSpec> {
                let host = Host::new();
                vec![
                    $(PortSpec::input(stringify!($input), host.$input.bits() as u32),)+
                    $(PortSpec::output(stringify!($output), host.$output.bits() as u32),)+
                ]
            }

            fn set(&mut self, pin: usize, value: hdl::Bits) {
                let mut inputs = 0..;
                $(if inputs.next() == Some(pin) {
                    self.$input.next = FromBits::from_bits(value);
                    return;
                })+
                panic!("no input {pin}");
            }

            fn get(&self, pin: usize, words: &mut [u64]) {
                let mut outputs = [$(stringify!($input)),+].len()..;
                $(if outputs.next() == Some(pin) {
                    return self.$output.read(words);
                })+
                panic!("no output {pin}");
            }
        }
    };
}
pins! {
    inputs: aresetn s_axis_cmd_tdata s_axis_cmd_tvalid s_axis_w_tdata s_axis_w_tvalid s_axis_x_tdata s_axis_x_tvalid
        m_axis_y_tready m_axis_sts_tready;
    outputs: s_axis_cmd_tready s_axis_w_tready s_axis_x_tready m_axis_y_tdata m_axis_y_tvalid m_axis_y_tlast
        m_axis_sts_tdata m_axis_sts_tvalid busy stat_cycles stat_w_beats stat_x_beats stat_y_beats stat_w_stalls
        stat_x_stalls stat_y_stalls stat_load_stalls stat_oc_stalls weights_taken;
}

/// A value of one of rust-hdl's types.
trait FromBits {
    fn from_bits(value: hdl::Bits) -> Self;
}

impl FromBits for Bit {
    fn from_bits(value: hdl::Bits) -> Bit {
        value.bit(0)
    }
}

impl<const N: usize> FromBits for Bits<N> {
    fn from_bits(value: hdl::Bits) -> Bits<N> {
        value.to_bits()
    }
}

/// A testbench of rust-hdl as the simulator of a co-simulation.
struct Testbench {
    sim: Sim<Host>,
    /// With rust-hdl while time passes.
    host: Option<Box<Host>>,
    pins: Vec<PortSpec>,
}

impl Testbench {
    fn host(&mut self) -> &mut Host {
        self.host.as_mut().expect("at hand between steps")
    }

    /// Lets everything settle.
    fn wait(&mut self) {
        let host = self.host.take().expect("at hand between steps");
        self.host = Some(self.sim.wait(1, host).expect("rust-hdl goes on"));
    }

    fn pin(&self, name: &str) -> (u32, u32) {
        let number = self.pins.iter().position(|pin| pin.name == name).unwrap_or_else(|| panic!("no pin {name}"));
        (number as u32, self.pins[number].width)
    }
}

impl Simulator for Testbench {
    fn kind(&self) -> &'static str {
        "rust-hdl"
    }

    fn input(&self, name: &str) -> Result<InPort, CosimError> {
        let (number, width) = self.pin(name);
        Ok(InPort::new(number, width))
    }

    fn output(&self, name: &str) -> Result<OutPort, CosimError> {
        let (number, width) = self.pin(name);
        Ok(OutPort::new(number, width))
    }

    fn set(&mut self, port: InPort, words: &[u64]) {
        self.host().set(port.index(), hdl::Bits::from_words(words, port.width()));
    }

    fn get(&self, port: OutPort, words: &mut [u64]) {
        assert_eq!(words.len(), words_for(port.width()));
        self.host.as_ref().expect("at hand between steps").get(port.index(), words);
    }

    fn settle(&mut self) {
        self.wait();
    }

    fn step(&mut self) {
        for level in [true, false] {
            self.host().clock.next = level.into();
            self.wait();
        }
    }

    fn open_waves(&mut self, _: &Path) -> Result<(), CosimError> {
        unreachable!("rust-hdl writes its own waves")
    }

    fn close_waves(&mut self) -> Result<(), CosimError> {
        Ok(())
    }
}

/// A layer of two codebooks that has more vectors than the core takes at a time, and more outputs than a block has.
fn layer_work() -> Work {
    let cfg = CoreConfig::preset("tiny").expect("a preset");
    let shape = LayerShape { inputs: 88, outputs: 75, dim: 4, index_bits: 4, codebooks: 2 };
    let layer = random_layer(shape, Distribution::Realistic, 5).expect("a layer");
    let x = random_activations(shape.inputs, Distribution::Realistic, 6);
    work(&cfg, &layer, &x)
}

/// Runs the layer in rust-hdl's simulation, with and without stalls.
#[test]
fn a_core_in_a_simulation_of_rust_hdl_computes_what_the_golden_model_does() {
    let mut simulation = Simulation::new();
    simulation.add_testbench(|sim: Sim<Host>| {
        let host = Some(sim.init()?);
        let mut testbench = Testbench { sim, host, pins: Host::pins() };
        let work = layer_work();
        let report = play(&mut testbench, &work, Stalls::None, Backpressure::default(), 1);
        assert_passed(&report, "no stalls");
        let counted = testbench.host().weights_taken.val();
        assert_eq!(counted, u64::from(report.counters.w_beats));
        assert_eq!(counted, testbench.host().stat_w_beats.val());
        let stalls = Stalls::Random { probability: 0.3 };
        let report = play(&mut testbench, &work, stalls, Backpressure { stalls, after_valid: true }, 2);
        assert_passed(&report, "stalls");
        let host = testbench.host.take().expect("at hand between steps");
        testbench.sim.done(host)
    });
    simulation.run(Box::new(Host::new()), u64::MAX).expect("passes");
}

#[test]
fn the_emitted_host_computes_the_same_in_verilator() {
    let mut host = Host::new();
    host.connect_all();
    let text = generate_verilog(&host);
    lint(&text, "host");
    assert_eq!(definitions(&text, "eva_core"), 1);
    let mut ports = Host::pins();
    ports.push(PortSpec::input("clock", 1));
    let model = VerilogModel { top: "top".into(), clock: "clock".into(), files: vec![("top.v".into(), text)], ports };
    let verilator = Verilator::find().expect("Verilator is installed by scripts/setup");
    let mut sim = verilator.compile(&model, false).expect("compiles").simulator(3);
    let work = layer_work();
    let report = play(&mut sim, &work, Stalls::None, Backpressure::default(), 1);
    assert_passed(&report, "emitted");
    let taken = sim.output("weights_taken").expect("a pin");
    sim.settle();
    assert_eq!(sim.get_u64(taken), u64::from(report.counters.w_beats));
}
