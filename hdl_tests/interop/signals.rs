//! Signals of all kinds, edges, reset, and what settles within a delta cycle.

use crate::{counter, design};
use eva_rtl::hdl;
use eva_rtl::hdl::interop::rust_hdl::{AllPorts, Instance, Library, Port};
use eva_rtl::hdl::sim::PowerUp;
use eva_rtl::rust_hdl_ports;
use rust_hdl::prelude::*;

/// Sets the clock and lets everything settle.
macro_rules! clock_to {
    ($block:expr, $level:expr) => {
        $block.clock.next = $level.into();
        assert!(simulate(&mut $block, 100), "settles");
    };
}

rust_hdl_ports! {
    struct CounterPorts {
        clock: Signal<In, Clock> = "clk",
        rst_n: Signal<In, Bit>,
        step: Signal<In, Bits<8>>,
        count: Signal<Out, Bits<12>>,
    }
}

/// Two counters at different depths of the hierarchy and a flip-flop of rust-hdl, each fed by the one before.
#[derive(LogicBlock)]
struct Chain {
    clock: Signal<In, Clock>,
    rst_n: Signal<In, Bit>,
    step: Signal<In, Bits<8>>,
    first: Signal<Out, Bits<12>>,
    second: Signal<Out, Bits<12>>,
    a: Instance<CounterPorts>,
    between: DFF<Bits<8>>,
    deeper: Deeper,
}

#[derive(LogicBlock)]
struct Deeper {
    clock: Signal<In, Clock>,
    rst_n: Signal<In, Bit>,
    step: Signal<In, Bits<8>>,
    count: Signal<Out, Bits<12>>,
    b: Instance<CounterPorts>,
}

impl Logic for Deeper {
    #[hdl_gen]
    fn update(&mut self) {
        self.b.clock.next = self.clock.val();
        self.b.rst_n.next = self.rst_n.val();
        self.b.step.next = self.step.val();
        self.count.next = self.b.count.val();
    }
}

impl Logic for Chain {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, a, deeper);
        self.between.clock.next = self.clock.val();
        self.a.rst_n.next = self.rst_n.val();
        self.deeper.rst_n.next = self.rst_n.val();
        self.a.step.next = self.step.val();
        self.between.d.next = self.a.count.val().get_bits::<8>(0);
        self.deeper.step.next = self.between.q.val();
        self.first.next = self.a.count.val();
        self.second.next = self.deeper.count.val();
    }
}

fn chain() -> Chain {
    let module = Library::new().module(&design("counter", counter)).unwrap();
    let mut chain = Chain {
        clock: Signal::default(),
        rst_n: Signal::default(),
        step: Signal::default(),
        first: Signal::default(),
        second: Signal::default(),
        a: module.instance().unwrap(),
        between: DFF::default(),
        deeper: Deeper {
            clock: Signal::default(),
            rst_n: Signal::default(),
            step: Signal::default(),
            count: Signal::default(),
            b: module.instance().unwrap(),
        },
    };
    chain.connect_all();
    check_all(&chain).unwrap();
    chain
}

#[test]
fn instances_and_flip_flops_step_together() {
    let mut chain = chain();
    let (mut first, mut between, mut second) = (5u64, 0, 5u64);
    for cycle in 0..600u64 {
        // Between the edges, as testbenches do; reset now and then.
        let (step, run) = (cycle * 37 % 256, cycle % 97 > 1);
        chain.step.next = step.into();
        chain.rst_n.next = run;
        clock_to!(chain, false);
        assert_eq!((chain.first.val(), chain.second.val()), (first.into(), second.into()), "before edge {cycle}");
        clock_to!(chain, true);
        (first, between, second) = match run {
            true => ((first + step) % 4096, first % 256, (second + between) % 4096),
            false => (5, first % 256, 5),
        };
        assert_eq!((chain.first.val(), chain.second.val()), (first.into(), second.into()), "after edge {cycle}");
        // Neither a high clock nor other changes while it is high are edges.
        chain.step.next = (step ^ 0xFF).into();
        clock_to!(chain, true);
        assert_eq!((chain.first.val(), chain.second.val()), (first.into(), second.into()), "after edge {cycle}");
    }
    assert_eq!((chain.a.cycles(), chain.deeper.b.cycles()), (600, 600));
}

#[test]
fn registers_without_reset_start_as_the_module_says() {
    let design = design("delay", |m| m.output("y", m.input("x", 64).reg("q")));
    let module = Library::new().module(&design).unwrap();
    let first_output = |module: &eva_rtl::hdl::interop::rust_hdl::Module| {
        let mut block = module.block().unwrap();
        assert!(simulate(&mut block, 10));
        block.output("y").unwrap().val()
    };
    assert!(!first_output(&module).is_zero());
    assert!(first_output(&module.with_power_up(PowerUp::Zero)).is_zero());
}

rust_hdl_ports! {
    struct AddPorts {
        a: Signal<In, Signed<8>>,
        b: Signal<In, Bits<8>>,
        invert: Signal<In, Bit>,
        y: Signal<Out, Signed<8>>,
        odd: Signal<Out, Bit>,
    }
}

/// Three combinational modules in a row.
#[derive(LogicBlock)]
struct Sum {
    a: Signal<In, Signed<8>>,
    b: Signal<In, Bits<8>>,
    y: Signal<Out, Signed<8>>,
    odd: Signal<Out, Bit>,
    adders: [Instance<AddPorts>; 3],
}

impl Logic for Sum {
    #[hdl_gen]
    fn update(&mut self) {
        self.adders[0].a.next = self.a.val();
        for i in 1..3 {
            self.adders[i].a.next = self.adders[i - 1].y.val();
        }
        for i in 0..3 {
            self.adders[i].b.next = self.b.val();
            self.adders[i].invert.next = false;
        }
        self.y.next = self.adders[2].y.val();
        self.odd.next = self.adders[2].odd.val();
    }
}

#[test]
fn combinational_outputs_settle_within_the_time_step() {
    let design = design("adder", |m| {
        let (a, b, invert) = (m.input("a", 8), m.input("b", 8), m.input("invert", 1));
        let sum = a + invert.mux(!b, b);
        m.output("y", sum);
        m.output("odd", sum.bit(0));
    });
    let module = Library::new().module(&design).unwrap();
    let adders = std::array::from_fn(|_| module.instance().unwrap());
    let (a, b, y, odd) = (Signal::default(), Signal::default(), Signal::default(), Signal::default());
    let mut sum = Sum { a, b, y, odd, adders };
    sum.connect_all();
    check_all(&sum).unwrap();
    for a in -128i64..128 {
        let b = (a * a + 3) as u64 % 256;
        sum.a.next = Signed::from(a);
        sum.b.next = b.into();
        assert!(simulate(&mut sum, 100));
        let expected = (a + 3 * b as i64) as i8;
        assert_eq!((sum.y.val().bigint(), sum.odd.val()), (expected.into(), expected & 1 == 1), "{a} + 3 * {b}");
    }
}

rust_hdl_ports! {
    struct WidePorts {
        x: Signal<In, Bits<1000>>,
        y: Signal<Out, Bits<1000>>,
        x32: Signal<In, Bits<32>>,
        y32: Signal<Out, Bits<32>>,
        x33: Signal<In, Bits<33>>,
        y33: Signal<Out, Bits<33>>,
        more_x: Port<In>,
        more_y: Port<Out>,
    }
}

/// Ports of widths that are known at compile time, and one that is not.
#[derive(LogicBlock)]
struct Wide {
    x: Signal<In, Bits<1000>>,
    y: Signal<Out, Bits<1000>>,
    x32: Signal<In, Bits<32>>,
    y32: Signal<Out, Bits<32>>,
    x33: Signal<In, Bits<33>>,
    y33: Signal<Out, Bits<33>>,
    more: Signal<Out, Bits<80>>,
    inverter: Instance<WidePorts>,
}

impl Logic for Wide {
    #[hdl_gen]
    fn update(&mut self) {
        self.inverter.x.next = self.x.val();
        self.y.next = self.inverter.y.val();
        self.inverter.x32.next = self.x32.val();
        self.y32.next = self.inverter.y32.val();
        self.inverter.x33.next = self.x33.val();
        self.y33.next = self.inverter.y33.val();
        self.inverter.more_x.next = bit_cast::<80, 33>(self.x33.val()).into();
        self.more.next = self.inverter.more_y.val().to_bits();
    }
}

fn wide(width: u32) -> Wide {
    let design = design("inverter", |m| {
        for (x, y, width) in [("x", "y", 1000), ("x32", "y32", 32), ("x33", "y33", 33), ("more_x", "more_y", width)] {
            m.output(y, !m.input(x, width));
        }
    });
    let mut wide = Wide {
        x: Signal::default(),
        y: Signal::default(),
        x32: Signal::default(),
        y32: Signal::default(),
        x33: Signal::default(),
        y33: Signal::default(),
        more: Signal::default(),
        inverter: Library::new().module(&design).unwrap().instance().unwrap(),
    };
    wide.connect_all();
    wide
}

#[test]
fn ports_of_any_width_have_all_their_bits() {
    let mut wide = wide(80);
    check_all(&wide).unwrap();
    for at in [0, 31, 32, 63, 64, 128, 777, 999] {
        wide.x.next = Bits::default().replace_bit(at, true);
        wide.x32.next = Bits::default().replace_bit(at % 32, true);
        wide.x33.next = Bits::default().replace_bit(at % 33, true);
        assert!(simulate(&mut wide, 100));
        assert!((0..1000).all(|i| wide.y.val().get_bit(i) != (i == at)), "bit {at}");
        assert!((0..32).all(|i| wide.y32.val().get_bit(i) != (i == at % 32)), "bit {at}");
        assert!((0..33).all(|i| wide.y33.val().get_bit(i) != (i == at % 33)), "bit {at}");
        assert!((0..80).all(|i| wide.more.val().get_bit(i) != (i == at % 33)), "bit {at}");
    }
    assert!(generate_verilog(&wide).contains("wire  [79:0] inverter$more_y;"));
}

#[test]
#[should_panic(expected = "port `x` has 8 bits, and was given a value of 9")]
fn a_value_of_another_width_than_an_input_is_noticed() {
    let design = design("inverter", |m| m.output("y", !m.input("x", 8)));
    let mut block = Library::new().module(&design).unwrap().block().unwrap();
    block.input("x").unwrap().next = hdl::Bits::zero(9);
    simulate(&mut block, 100);
}

#[test]
#[should_panic(expected = "a value of 79 bits was taken for one of 80")]
fn a_value_of_another_width_than_an_output_is_noticed() {
    simulate(&mut wide(79), 100);
}

/// A module alone, without any declaration, with port names that no kernel could write.
#[test]
fn all_ports_by_name() {
    let design = design("odd_names", |m| {
        let next = m.input("next", 5000).reg_reset("q");
        m.output("in", next);
        m.output("u_odd_names", !next);
    });
    let mut block: Instance<AllPorts> = Library::new().module(&design).unwrap().block().unwrap();
    block.connect_all();
    check_all(&block).unwrap();
    let value = hdl::Bits::from_words(&(1..80).map(|i| i * 0x0123_4567_89AB_CDEF).collect::<Vec<_>>(), 5000);
    block.input("next").unwrap().next = value.clone();
    block.input("rst_n").unwrap().next = hdl::Bits::ones(1);
    for level in [false, true] {
        block.clock().unwrap().next = level.into();
        assert!(simulate(&mut block, 100));
    }
    assert_eq!(block.output("in").unwrap().val(), value);
    assert!(block.input("in").is_none() && block.output("next").is_none());
    assert_eq!(block.module_name(), "odd_names");
    crate::emitted::lint(&generate_verilog(&block), "all_ports");
}
