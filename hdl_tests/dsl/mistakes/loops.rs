//! Combinational loops, with the way round.

use super::{assert_report, refusal};
use eva_rtl::hdl::lib::priority::leading_zeros;
use eva_rtl::hdl::{Data, PortStyle, Scope, Stream};
use eva_rtl::hw;

fn adder(m: &Scope) {
    let (a, b) = (m.input("a", 8), m.input("b", 8));
    hw! {
        sum = a + b;
    }
    m.output("y", sum);
    m.output("registered", b.reg("b_q"));
}

fn wrapper(m: &Scope) {
    let (p, q) = (m.input("p", 8), m.input("q", 8));
    let inst = m.instance("u_adder", &m.define("adder", adder));
    inst.set("a", p ^ 1).set("b", q);
    m.output("r", inst.get("y"));
    m.output("s", inst.get("registered"));
}

#[test]
fn in_one_module() {
    assert_report!(refusal(|m| {
        let a = m.input("a", 8);
        let around = m.wire("around", 8);
        hw! {
            masked = around.get() & a;
            flipped = !masked;
        }
        around.drive(flipped + 1);
        m.output("y", around.get());
        let itself = m.wire("itself", 1);
        itself.drive(itself.get());
        m.output("z", itself.get());
    }));
}

#[test]
fn through_an_instance() {
    assert_report!(refusal(|m| {
        let inst = m.instance("u_adder", &m.define("adder", adder));
        let back = inst.get("y").named("back");
        inst.set("a", m.input("a", 8)).set("b", back);
        m.output("y", back);
        m.output("z", inst.get("registered"));
    }));
}

#[test]
fn through_two_levels() {
    assert_report!(refusal(|m| {
        let inst = m.instance("u_wrapper", &m.define("wrapper", wrapper));
        hw! {
            turned = inst.get("r") + 3;
        }
        inst.set("p", turned).set("q", m.input("q", 8));
        m.output("y", turned);
        m.output("z", inst.get("s"));
    }));
}

/// The same instance, but what comes back passes its register.
#[test]
fn a_register_breaks_a_loop() {
    let elaborated = eva_rtl::hdl::elaborate("top", super::clocking(), |m| {
        let inst = m.instance("u_wrapper", &m.define("wrapper", wrapper));
        inst.set("p", inst.get("s")).set("q", m.input("q", 8));
        m.output("y", inst.get("r"));
    });
    elaborated.unwrap();
}

#[test]
fn through_two_instances_and_a_memory() {
    assert_report!(refusal(|m| {
        let module = m.define("lookup", |m| {
            let rom = m.mem("rom", 256, 8).read_latency(0).init(&[]);
            m.output("y", rom.read(m.input("x", 8)));
        });
        let (first, second) = (m.instance("u_first", &module), m.instance("u_second", &module));
        first.set("x", second.get("y"));
        second.set("x", first.get("y"));
        m.output("y", first.get("y"));
    }));
}

#[test]
fn through_a_library_block() {
    assert_report!(refusal(|m| {
        let around = m.wire("around", 4);
        let (count, zero) = leading_zeros("u_lz", around.get());
        around.drive(m.cat(&[zero, zero, count]));
        m.output("y", around.get());
    }));
}

/// A producer must not look at ready before it says valid.
#[test]
fn valid_that_waits_for_ready_of_a_consumer_that_waits_for_valid() {
    assert_report!(refusal(|m| {
        let valid = m.wire("valid", 1);
        let stream = Stream::new("s", valid.get(), Data { data: m.zeros(4) });
        valid.drive(stream.ready() & m.input("go", 1));
        let other = m.stream_in("other", PortStyle::Plain, Data { data: 4 });
        let joined = stream.join("pair", other, |a, b| Data { data: a.data + b.data });
        let taken = joined.valid;
        joined.take(taken);
    }));
}
