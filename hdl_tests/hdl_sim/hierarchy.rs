//! Instances, loops and missing drivers.

use crate::build::{Build, design};
use crate::state::{get, set};
use eva_rtl::hdl::ir::*;
use eva_rtl::hdl::sim::{SimError, SimOptions, Simulator};

/// Two independent paths: `x = !a`, `y = b + 1`, and a counter of the cycles in which `a` is set.
fn child() -> Module {
    let mut m = Build::new("child");
    let (a, b) = (m.input("a", 1), m.input("b", 8));
    let x = m.node(Op::Not(a), 1);
    m.output("x", x);
    let one = m.constant(1, 8);
    let y = m.binary(BinOp::Add, b, one);
    m.output("y", y);
    let count = m.reg("count", 8, Some(0));
    let next = m.binary(BinOp::Add, count, one);
    m.next(count, next, Some(a));
    m.output("count_out", count);
    m.0
}

#[test]
fn instances_of_one_module_have_states_of_their_own() {
    let child = child();
    let mut m = Build::new("top");
    let (a, b) = (m.input("a", 1), m.input("b", 8));
    let first = m.instance("u_first", ModuleId(0), &child, &[a, b]);
    let second = m.instance("u_second", ModuleId(0), &child, &[first[0], first[1]]);
    m.output("y", second[1]);
    m.output("first", first[2]);
    m.output("second", second[2]);
    let mut sim = Simulator::new(&design(vec![child, m.0]), SimOptions::default()).unwrap();
    sim.reset(1);
    set(&mut sim, "b", 250);
    for cycle in 0..10 {
        set(&mut sim, "a", u64::from(cycle % 5 == 0));
        sim.step();
    }
    assert_eq!(get(&mut sim, "first"), 2);
    assert_eq!(get(&mut sim, "second"), 8);
    assert_eq!(get(&mut sim, "y"), 252);
}

/// An output of an instance may feed another input of it, as long as no value depends on itself.
#[test]
fn feedback_around_an_instance_is_no_loop() {
    let child = child();
    let mut m = Build::new("top");
    let a = m.input("a", 1);
    let wire = m.wire(8);
    let outputs = m.instance("u", ModuleId(0), &child, &[a, wire]);
    let extended = m.node(Op::Zext(outputs[0]), 8);
    m.drive(wire, extended);
    m.output("y", outputs[1]);
    let mut sim = Simulator::new(&design(vec![child, m.0]), SimOptions::default()).unwrap();
    assert_eq!(get(&mut sim, "y"), 2);
    set(&mut sim, "a", 1);
    assert_eq!(get(&mut sim, "y"), 1);
}

#[test]
fn loops_through_instances_are_reported_with_their_path() {
    let child = child();
    let mut m = Build::new("top");
    let a = m.input("a", 1);
    let back = m.wire(8);
    m.name(back, "back");
    let outputs = m.instance("u", ModuleId(0), &child, &[a, back]);
    m.drive(back, outputs[1]);
    m.output("y", outputs[1]);
    let error = Simulator::new(&design(vec![child, m.0]), SimOptions::default()).err().expect("a loop");
    let SimError::Loop { path } = &error else { panic!("{error}") };
    for part in ["u.y (", "u.b (", "back ("] {
        assert!(path.iter().any(|p| p.starts_with(part)), "{part} in {path:#?}");
    }
    let text = error.to_string();
    assert!(text.starts_with("combinational loop: ") && text.contains("hierarchy.rs:"), "{text}");
}

#[test]
fn a_wire_that_drives_itself_is_a_loop() {
    let mut m = Build::new("top");
    let wire = m.wire(3);
    m.drive(wire, wire);
    m.output("y", wire);
    assert!(matches!(Simulator::new(&design(vec![m.0]), SimOptions::default()), Err(SimError::Loop { .. })));
}

#[test]
fn missing_drivers_are_reported() {
    let undriven = |m: Build| match Simulator::new(&design(vec![m.0]), SimOptions::default()) {
        Err(SimError::Undriven { path }) => path,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("no error"),
    };
    let mut m = Build::new("top");
    let wire = m.wire(3);
    m.name(wire, "open");
    m.output("y", wire);
    assert!(undriven(m).starts_with("open ("));
    let mut m = Build::new("top");
    let reg = m.reg("held", 3, None);
    m.output("y", reg);
    assert!(undriven(m).starts_with("held ("));
}

/// Chains are followed without recursion.
#[test]
fn long_chains() {
    let mut m = Build::new("top");
    let one = m.input("one", 32);
    let mut sum = one;
    for _ in 0..200_000 {
        sum = m.binary(BinOp::Add, sum, one);
    }
    m.output("y", sum);
    let mut sim = Simulator::new(&design(vec![m.0]), SimOptions::default()).unwrap();
    set(&mut sim, "one", 3);
    assert_eq!(get(&mut sim, "y"), 600_003);
}
