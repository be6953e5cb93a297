//! What rust-hdl records of blocks that are modules.

use crate::{counter, design};
use eva_rtl::hdl::interop::rust_hdl::{Instance, Library, Port};
use eva_rtl::rust_hdl_ports;
use rust_hdl::prelude::*;
use std::collections::HashMap;
use vcd::{Command, Parser, ScopeItem, Var};

rust_hdl_ports! {
    struct CounterPorts {
        clock: Signal<In, Clock> = "clk",
        rst_n: Signal<In, Bit>,
        step: Port<In>,
        count: Port<Out>,
    }
}

#[derive(LogicBlock)]
struct Recorded {
    clock: Signal<In, Clock>,
    rst_n: Signal<In, Bit>,
    step: Signal<In, Bits<8>>,
    count: Signal<Out, Bits<12>>,
    counter: Instance<CounterPorts>,
}

impl Logic for Recorded {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, counter);
        self.counter.rst_n.next = self.rst_n.val();
        self.counter.step.next = self.step.val().into();
        self.count.next = self.counter.count.val().to_bits();
    }
}

/// Three cycles after reset, recorded by rust-hdl.
fn record() -> Vec<u8> {
    let module = Library::new().module(&design("counter", counter)).unwrap();
    let recorded = Recorded {
        clock: Signal::default(),
        rst_n: Signal::default(),
        step: Signal::default(),
        count: Signal::default(),
        counter: module.instance().unwrap(),
    };
    let mut simulation = Simulation::new();
    simulation.add_clock(5, |x: &mut Box<Recorded>| x.clock.next = !x.clock.val());
    simulation.add_testbench(|mut sim: Sim<Recorded>| {
        let mut x = sim.init()?;
        wait_clock_cycle!(sim, clock, x);
        x.rst_n.next = true;
        for step in [100u64, 200, 255] {
            x.step.next = step.into();
            wait_clock_cycle!(sim, clock, x);
        }
        sim.done(x)
    });
    let mut waves = Vec::new();
    simulation.run_traced(Box::new(recorded), 1_000, &mut waves).expect("passes");
    waves
}

/// The variables below a scope, with the scopes' names before theirs.
fn variables(items: &[ScopeItem], prefix: &str, found: &mut HashMap<String, Var>) {
    for item in items {
        match item {
            ScopeItem::Var(var) => {
                found.insert(format!("{prefix}{}", var.reference), var.clone());
            }
            ScopeItem::Scope(scope) => variables(&scope.items, &format!("{prefix}{}.", scope.identifier), found),
            _ => {}
        }
    }
}

#[test]
fn ports_are_recorded_with_their_names_widths_and_values() {
    let waves = record();
    let mut parser = Parser::new(&waves[..]);
    let mut found = HashMap::new();
    variables(&parser.parse_header().unwrap().items, "", &mut found);
    let width = |name: &str| found.get(name).unwrap_or_else(|| panic!("no {name} in {:?}", found.keys())).size;
    assert_eq!((width("uut.counter.step"), width("uut.counter.count"), width("uut.count")), (8, 12, 12));
    assert_eq!((width("uut.counter.clock"), width("uut.counter.rst_n")), (1, 1));

    let values = |name: &str| -> Vec<u64> {
        let mut parser = Parser::new(&waves[..]);
        let code = found[name].code;
        parser.parse_header().unwrap();
        let changes = parser.filter_map(|command| match command.unwrap() {
            Command::ChangeVector(id, bits) if id == code => {
                Some(bits.iter().fold(0, |value, bit| value << 1 | u64::from(bit == vcd::Value::V1)))
            }
            _ => None,
        });
        changes.collect()
    };
    for name in ["uut.counter.count", "uut.count"] {
        assert_eq!(values(name), [5, 105, 305, 560], "{name}");
    }
    assert_eq!(values("uut.counter.step"), [0, 100, 200, 255]);
}
