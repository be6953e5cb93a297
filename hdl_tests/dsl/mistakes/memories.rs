//! Memories that cannot be built.

use super::{assert_report, refusal};
use eva_rtl::hdl::bits::Bits;

#[test]
fn ports_have_the_widths_of_the_memory() {
    assert_report!(refusal(|m| {
        let (addr, data, en) = (m.input("addr", 4), m.input("data", 12), m.input("en", 1));
        let ram = m.mem("ram", 256, 16);
        ram.write(addr, data, en);
        m.output("y", ram.read(addr));
        m.output("z", ram.read_en(addr, en));
    }));
}

#[test]
fn read_latency_is_0_or_1() {
    assert_report!(refusal(|m| {
        let (addr, data, en) = (m.input("addr", 8), m.input("data", 16), m.input("en", 1));
        let ram = m.mem("ram", 256, 16).read_latency(2);
        ram.write(addr, data, en);
        m.output("y", ram.read(addr));
    }));
}

#[test]
fn combinational_reads_have_no_enable() {
    assert_report!(refusal(|m| {
        let (addr, data, en) = (m.input("addr", 8), m.input("data", 16), m.input("en", 1));
        let ram = m.mem("ram", 256, 16).read_latency(0);
        ram.write(addr, data, en);
        m.output("y", ram.read_en(addr, en));
    }));
}

#[test]
fn properties_are_stated_before_ports_are_added() {
    assert_report!(refusal(|m| {
        let (addr, data, en) = (m.input("addr", 8), m.input("data", 16), m.input("en", 1));
        let ram = m.mem("ram", 256, 16);
        ram.write(addr, data, en);
        m.output("y", ram.read_en(addr, en));
        ram.read_latency(0);
    }));
}

#[test]
fn a_memory_has_words_and_something_in_them() {
    assert_report!(refusal(|m| {
        let addr = m.input("addr", 1);
        m.output("no_words", m.mem("no_words", 0, 8).init(&[]).read(addr));
        m.output("no_bits", m.mem("no_bits", 2, 0).init(&[]).read(addr));
        m.output("no_content", m.mem("no_content", 2, 8).read(addr));
        m.output("too_long", m.mem("too_long", 2, 8).init(&vec![Bits::zero(8); 3]).read(addr));
        m.output("too_wide", m.mem("too_wide", 2, 8).init(&[Bits::zero(9)]).read(addr));
    }));
}
