//! Two rows of the array inside a rust-hdl design: against the golden model in rust-hdl's simulation, and the emitted
//! text in Icarus Verilog.

use crate::bench::{config, pack};
use crate::emitted::{definitions, lint, simulate};
use crate::whole::whole_row;
use eva_rtl::config::CoreConfig;
use eva_rtl::hdl;
use eva_rtl::hdl::elaborate;
use eva_rtl::hdl::interop::rust_hdl::{Instance, Library, Module};
use eva_rtl::rtl::{self, row};
use eva_rtl::{golden, rust_hdl_ports};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::*;

rust_hdl_ports! {
    /// A row of four PEs, and the registers before it.
    struct RowPorts {
        clock: Signal<In, Clock> = "aclk",
        int8: Signal<In, Bit>,
        load: Signal<In, Bit>,
        live: Signal<In, Bits<4>>,
        w_fp16: Signal<In, Bits<64>>,
        w_int8: Signal<In, Bits<128>>,
        x_fp16: Signal<In, Bits<64>>,
        x_int8: Signal<In, Bits<128>>,
        psum: Signal<In, Bits<32>>,
        y: Signal<Out, Bits<32>>,
    }
}

/// Two rows one below the other: the streaming operands reach the second one a cycle later.
#[derive(LogicBlock)]
struct TwoRows {
    clock: Signal<In, Clock>,
    load: Signal<In, Bit>,
    w: Signal<In, Bits<64>>,
    x0: Signal<In, Bits<64>>,
    x1: Signal<In, Bits<64>>,
    y0: Signal<Out, Bits<16>>,
    y1: Signal<Out, Bits<16>>,
    rows: [Instance<RowPorts>; 2],
    w_delayed: DFF<Bits<64>>,
    load_delayed: DFF<Bit>,
    x1_delayed: DFF<Bits<64>>,
    // Of their widths also in Verilog, unlike literals.
    all_live: Constant<Bits<4>>,
    no_bytes: Constant<Bits<128>>,
    no_sum: Constant<Bits<32>>,
}

impl Logic for TwoRows {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, w_delayed, load_delayed, x1_delayed);
        self.w_delayed.d.next = self.w.val();
        self.load_delayed.d.next = self.load.val();
        self.x1_delayed.d.next = self.x1.val();
        for i in 0..2 {
            self.rows[i].clock.next = self.clock.val();
            self.rows[i].int8.next = false;
            self.rows[i].live.next = self.all_live.val();
            self.rows[i].w_int8.next = self.no_bytes.val();
            self.rows[i].x_int8.next = self.no_bytes.val();
            self.rows[i].psum.next = self.no_sum.val();
        }
        self.rows[0].load.next = self.load.val();
        self.rows[0].w_fp16.next = self.w.val();
        self.rows[0].x_fp16.next = self.x0.val();
        self.rows[1].load.next = self.load_delayed.q.val();
        self.rows[1].w_fp16.next = self.w_delayed.q.val();
        self.rows[1].x_fp16.next = self.x1_delayed.q.val();
        self.y0.next = self.rows[0].y.val().get_bits::<16>(0);
        self.y1.next = self.rows[1].y.val().get_bits::<16>(16);
    }
}

fn module(cfg: &CoreConfig) -> Module {
    let row = elaborate("eva_whole_row", rtl::clocking(), |m| whole_row(m, cfg)).expect("elaborates").design;
    Library::new().module(&row).expect("a module")
}

fn two_rows(module: &Module) -> TwoRows {
    let mut rows = TwoRows {
        clock: Signal::default(),
        load: Signal::default(),
        w: Signal::default(),
        x0: Signal::default(),
        x1: Signal::default(),
        y0: Signal::default(),
        y1: Signal::default(),
        rows: std::array::from_fn(|_| module.instance().expect("fits")),
        w_delayed: DFF::default(),
        load_delayed: DFF::default(),
        x1_delayed: DFF::default(),
        all_live: Constant::new(15.into()),
        no_bytes: Constant::new(0.into()),
        no_sum: Constant::new(0.into()),
    };
    rows.connect_all();
    rows
}

/// What enters in a cycle: the operands that stream through both rows, and those that each takes.
#[derive(Clone, Debug)]
struct Operands {
    w: [u16; 4],
    x: [[u16; 4]; 2],
}

impl Operands {
    /// Finite values of small and large exponents, and now and then anything.
    fn random(rng: &mut ChaCha8Rng) -> Operands {
        let mut value = || match rng.random_range(0..16) {
            0 => rng.random(),
            _ => rng.random::<u16>() & 0x83FF | rng.random_range(11..19u16) << 10,
        };
        let w = std::array::from_fn(|_| value());
        Operands { w, x: std::array::from_fn(|_| std::array::from_fn(|_| value())) }
    }

    fn results(&self) -> [u16; 2] {
        self.x.map(|x| golden::dot(&x, &self.w))
    }
}

fn packed(values: &[u16; 4]) -> u64 {
    pack(values.iter().map(|v| u64::from(*v)), 16)[0]
}

fn stimuli(count: usize) -> Vec<Operands> {
    let mut rng = ChaCha8Rng::seed_from_u64(91);
    (0..count).map(|_| Operands::random(&mut rng)).collect()
}

/// Cycles from the operands to the result of the first row; the second one follows a cycle later.
fn latency(cfg: &CoreConfig) -> usize {
    1 + row::latency(cfg) as usize
}

#[test]
fn rows_in_a_simulation_of_rust_hdl_compute_what_the_golden_model_does() {
    let cfg = config(4, 1);
    let (stimuli, latency) = (stimuli(2000), latency(&cfg));
    let mut simulation = Simulation::new();
    simulation.add_clock(5, |x: &mut Box<TwoRows>| x.clock.next = !x.clock.val());
    let checked = std::sync::Arc::new(std::sync::atomic::AtomicUsize::new(0));
    let count = checked.clone();
    simulation.add_testbench(move |mut ep: Sim<TwoRows>| {
        let mut x = ep.init()?;
        for cycle in 0..stimuli.len() + latency + 1 {
            let operands = &stimuli[cycle.min(stimuli.len() - 1)];
            x.load.next = true;
            x.w.next = packed(&operands.w).into();
            x.x0.next = packed(&operands.x[0]).into();
            x.x1.next = packed(&operands.x[1]).into();
            wait_clock_cycle!(ep, clock, x);
            // Results that have just appeared.
            let (y0, y1) = (x.y0.val(), x.y1.val());
            for (row, y) in [(0, y0), (1, y1)] {
                let done = (cycle + 1).checked_sub(latency + row).and_then(|of| stimuli.get(of));
                if let Some(operands) = done {
                    assert_eq!(y, u64::from(operands.results()[row]), "row {row}: {operands:04x?}");
                    count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                }
            }
        }
        ep.done(x)
    });
    simulation.run(Box::new(two_rows(&module(&cfg))), 1_000_000).expect("passes");
    assert_eq!(checked.load(std::sync::atomic::Ordering::Relaxed), 4000);
}

/// A testbench that prints both results after each clock cycle.
fn testbench(stimuli: &[Operands]) -> String {
    let mut text = "module bench;\n  reg clock = 0, load = 1;\n  reg [63:0] w, x0, x1;\n  wire [15:0] y0, y1;\n  \
                    top dut (.clock(clock), .load(load), .w(w), .x0(x0), .x1(x1), .y0(y0), .y1(y1));\n  \
                    task cycle; begin #1 clock = 1; #1 clock = 0; #1 $display(\"%h %h\", y0, y1); end endtask\n  \
                    initial begin\n"
        .to_owned();
    for Operands { w, x } in stimuli {
        let [w, x0, x1] = [w, &x[0], &x[1]].map(packed);
        text += &format!("    w = 64'h{w:x}; x0 = 64'h{x0:x}; x1 = 64'h{x1:x}; cycle;\n");
    }
    text + "    $finish;\n  end\nendmodule\n"
}

#[test]
fn the_emitted_rows_compute_the_same_in_icarus() {
    let cfg = config(4, 1);
    let text = generate_verilog(&two_rows(&module(&cfg)));
    for name in ["eva_whole_row", "eva_row", "eva_pe", "eva_dot"] {
        assert_eq!(definitions(&text, name), 1, "{name}");
    }
    let (stimuli, latency) = (stimuli(300), latency(&cfg));
    let printed = simulate(&lint(&text, "two_rows"), &testbench(&stimuli));
    let lines: Vec<[&str; 2]> = printed.lines().filter_map(|l| l.split_once(' ').map(|(a, b)| [a, b])).collect();
    assert_eq!(lines.len(), stimuli.len());
    let mut checked = 0;
    for (cycle, line) in lines.iter().enumerate() {
        for (row, y) in line.iter().enumerate() {
            if let Some(of) = (cycle + 1).checked_sub(latency + row) {
                assert_eq!(*y, format!("{:04x}", stimuli[of].results()[row]), "row {row}: {:04x?}", stimuli[of]);
                checked += 1;
            }
        }
    }
    assert!(checked > 500, "{checked} results");
}

/// A value of the interface in both worlds.
#[test]
fn values_convert_without_loss() {
    let value: Bits<64> = 0x0123_4567_89AB_CDEF.into();
    let ours = hdl::Bits::from(value);
    assert_eq!((ours.width(), ours.to_u64()), (64, Some(0x0123_4567_89AB_CDEF)));
    assert_eq!(ours.to_bits::<64>(), value);
}
