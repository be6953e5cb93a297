//! Signals and modules that do not belong where they are used.
//!
//! A signal borrows its scope, so it cannot leave the function that describes its module; but a closure that describes
//! a child can capture signals of its parent.

use super::{assert_report, clocking, refusal};
use eva_rtl::hdl::{Data, Stream, elaborate};

#[test]
fn signals_of_the_parent_do_not_reach_into_a_child() {
    assert_report!(refusal(|m| {
        let (outer, flag) = (m.input("outer", 4), m.input("flag", 1));
        m.define("child", |m| {
            let (inner, own) = (m.input("inner", 4), m.input("own", 1));
            m.output("left", outer & inner);
            m.output("right", inner & outer);
            m.output("sum", inner.add_full(outer));
            m.output("inverted", !outer);
            m.output("mux", flag.mux(inner, inner));
            m.output("muxed", own.mux(outer, inner));
            m.output("select", flag.select(&[inner, outer]));
            m.output("cat", m.cat(&[inner, outer]));
            m.output("gated", inner.gate(flag));
            m.output("next", m.reg("next", 4).next(outer).q());
            m.output("on", m.reg("on", 4).enable(flag).on(own, outer).q());
            let wire = m.wire("wire", 4);
            wire.drive(outer);
            m.output("driven", wire.get());
            let ram = m.mem("ram", 16, 4);
            ram.write(outer, inner, own);
            m.output("read", ram.read(inner));
            let grandchild = m.define("grandchild", |m| m.output("y", !m.input("x", 4)));
            m.instance("u_grandchild", &grandchild).set("x", outer);
        });
        m.output("y", outer);
    }));
}

#[test]
fn signals_of_a_child_do_not_drive_its_parent() {
    assert_report!(refusal(|m| {
        let wire = m.wire("wire", 4);
        let reg = m.reg("reg_q", 4);
        let stream = Stream::new("s", m.high(), Data { data: m.zeros(4) });
        m.output("ready", stream.ready());
        m.define("child", |m| {
            let inner = m.input("inner", 4);
            wire.drive(inner);
            reg.next(inner);
            stream.take(inner.any());
        });
        m.output("y", wire.get() & reg.q());
    }));
}

#[test]
fn modules_do_not_leave_their_elaboration() {
    let mut smuggled = None;
    let mut deeper = None;
    elaborate("first", clocking(), |m| {
        smuggled = Some(m.define("child", |m| {
            deeper = Some(m.define("grandchild", |m| m.output("y", !m.input("x", 4))));
            m.output("y", m.high());
        }));
        m.output("y", m.high());
    })
    .unwrap();
    assert_report!(refusal(|m| {
        let a = m.input("a", 4);
        m.output("y", m.instance("u_child", &smuggled.unwrap()).get("y"));
        m.instance("u_deeper", &deeper.unwrap()).set("x", a);
    }));
}
