//! Things without a driver, and things with two.

use super::{assert_report, refusal};

#[test]
fn everything_needs_a_driver() {
    assert_report!(refusal(|m| {
        let child = m.define("child", |m| {
            m.output("y", m.input("x", 4) ^ m.input("mask", 4));
        });
        let wire = m.wire("floating", 4);
        let reg = m.reg("idle", 4);
        let inst = m.instance("u_child", &child);
        inst.set("x", wire.get());
        m.output("y", reg.q() & inst.get("y"));
    }));
}

#[test]
fn nothing_is_driven_twice() {
    assert_report!(refusal(|m| {
        let (a, b) = (m.input("a", 4), m.input("b", 4));
        let child = m.define("child", |m| m.output("y", !m.input("x", 4)));
        let wire = m.wire("shared", 4);
        wire.drive(a);
        wire.drive(b);
        let reg = m.reg("state", 4);
        reg.next(a);
        reg.next(b);
        let inst = m.instance("u_child", &child);
        inst.set("x", a);
        inst.set("x", b);
        m.output("y", wire.get() & reg.q() & inst.get("y"));
    }));
}

#[test]
fn a_register_has_one_reset_value_and_one_enable() {
    assert_report!(refusal(|m| {
        let (a, en) = (m.input("a", 4), m.input("en", 1));
        let reg = m.reg("state", 4).reset(0).enable(en);
        reg.reset(1).enable(!en).next(a);
        m.output("y", reg.q());
    }));
}

#[test]
fn all_mistakes_are_reported_at_once_and_each_once() {
    let report = refusal(|m| {
        for i in 0..3 {
            m.output(&format!("y{i}"), m.wire("floating", 4).get());
        }
        m.output("sum", m.input("a", 4) + m.input("b", 3));
    });
    assert_report!(report);
}
