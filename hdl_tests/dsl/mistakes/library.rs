//! Library blocks asked for what they cannot be.

use super::{assert_report, refusal};
use eva_rtl::hdl::lib::counter::{counter, counter_to};
use eva_rtl::hdl::lib::csa;
use eva_rtl::hdl::lib::fifo::{fifo, skid};
use eva_rtl::hdl::lib::fsm::Fsm;
use eva_rtl::hdl::{Data, PortStyle};

#[test]
fn queues_need_two_elements_and_bits() {
    assert_report!(refusal(|m| {
        fifo(m, 1, 8);
        fifo(m, 4, 0);
        skid(m, 0);
        let s = m.stream_in("s", PortStyle::Plain, Data { data: 8 }).fifo("u_fifo", 0);
        m.stream_out("m", PortStyle::Plain, s);
    }));
}

#[test]
fn counters_count_to_at_least_1() {
    assert_report!(refusal(|m| {
        let (step, limit) = (m.input("step", 1), m.input("limit", 1));
        m.output("a", counter(m, "narrow", step, limit).wrap);
        m.output("b", counter_to(m, "zero", step, 0).wrap);
        m.output("c", counter_to(m, "wide_step", m.input("steps", 2), 5).value);
    }));
}

#[test]
fn state_machines_know_their_states() {
    assert_report!(refusal(|m| {
        let go = m.input("go", 1);
        let fsm = Fsm::new(m, "state", &["idle", "run"]);
        fsm.go("idle", go, "running");
        fsm.go("stop", go, "run");
        fsm.go("run", m.input("wide", 2), "idle");
        m.output("busy", fsm.is("busy"));
        m.output("run_out", fsm.is("run"));
        Fsm::new(m, "twice", &["a", "b", "a"]).go("a", go, "b");
        Fsm::new(m, "empty", &[]);
    }));
}

#[test]
fn carry_save_adders_need_operands_of_one_width() {
    assert_report!(refusal(|m| {
        let (a, b) = (m.input("a", 8), m.input("b", 7));
        let (sum, carry) = csa::reduce(m, &[a, b, a]);
        m.output("y", sum + carry);
        let (sum, carry) = csa::reduce(m, &[]);
        m.output("z", sum + carry);
    }));
}
