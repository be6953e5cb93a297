//! Widths that do not agree, and widths that do not exist.

use super::{assert_report, refusal};
use eva_rtl::hdl::bits::Bits;

#[test]
fn operators_take_equal_widths() {
    assert_report!(refusal(|m| {
        let (a, b) = (m.input("a", 8), m.input("b", 5));
        let results = [
            a + b,
            a - b,
            a & b,
            a | b,
            a ^ b,
            a.eq(b),
            a.ne(b),
            a.lt(b),
            a.le(b),
            a.gt(b),
            a.ge(b),
            a.lt_signed(b),
            a.le_signed(b),
            a.gt_signed(b),
            a.ge_signed(b),
        ];
        m.output("y", m.cat(&results));
    }));
}

#[test]
fn choices_take_equal_widths() {
    assert_report!(refusal(|m| {
        let (a, b, sel) = (m.input("a", 8), m.input("b", 5), m.input("sel", 1));
        m.output("mux", sel.mux(a, b));
        m.output("select", sel.select(&[a, b]));
    }));
}

#[test]
fn conditions_are_one_bit() {
    assert_report!(refusal(|m| {
        let (a, wide) = (m.input("a", 8), m.input("wide", 3));
        m.output("mux", wide.mux(a, a));
        m.output("gated", a.gate(wide));
        m.output("q", m.reg("q", 8).enable(wide).next(a).q());
        m.output("r", m.reg("r", 8).on(wide, a).q());
        let ram = m.mem("ram", 256, 8);
        ram.write(a, a, wide);
        m.output("read", ram.read_en(a, wide));
    }));
}

#[test]
fn drivers_have_the_width_of_what_they_drive() {
    assert_report!(refusal(|m| {
        let (a, narrow) = (m.input("a", 8), m.input("narrow", 1));
        let wire = m.wire("w", 4);
        wire.drive(a);
        let next = m.reg("next", 16).next(a).q();
        let on = m.reg("on", 4).on(narrow, a).q();
        let child = m.define("child", |m| {
            m.output("y", !m.input("x", 4));
        });
        let inst = m.instance("u_child", &child);
        inst.set("x", narrow);
        m.output("all", m.cat(&[wire.get(), next, on, inst.get("y")]));
    }));
}

#[test]
fn numbers_must_fit() {
    assert_report!(refusal(|m| {
        let a = m.input("a", 4);
        m.output("sum", a + 16);
        m.output("equal", a.eq(100));
        m.output("literal", m.lit(2, 1));
        m.output("negative", m.lit_signed(-9, 4));
        m.output("positive", m.lit_signed(8, 4));
        m.output("q", m.reg("q", 4).reset(16).next(a).q());
        m.output("r", m.reg("r", 4).on(a.any(), 99).q());
    }));
}

#[test]
fn numbers_at_the_limit_do_fit() {
    let elaborated = eva_rtl::hdl::elaborate("top", super::clocking(), |m| {
        let a = m.input("a", 4);
        let wide = m.input("wide", 64);
        let limits = [m.lit(15, 4), m.lit_signed(-8, 4), m.lit_signed(7, 4), a + 15, m.lit_signed(i64::MIN, 64)];
        m.output("y", m.cat(&limits));
        m.output("z", (wide + u64::MAX) ^ m.lit(u64::MAX, 64));
    });
    elaborated.unwrap();
}

#[test]
fn slices_stay_inside() {
    assert_report!(refusal(|m| {
        let a = m.input("a", 8);
        let slices = [a.slice(4, 5), a.slice(2, 0), a.bit(8), a.trunc(9), a.bits_from(8), a.slice(u32::MAX, u32::MAX)];
        m.output("y", m.cat(&slices[..5]));
        m.output("parts", m.cat(&a.split(3)));
        m.output("none", m.cat(&a.split(0)));
    }));
}

#[test]
fn extensions_do_not_narrow_and_saturations_do_not_grow() {
    assert_report!(refusal(|m| {
        let a = m.input("a", 8);
        let resized = [a.zext(7), a.sext(1), a.sat(9), a.sat_signed(16), a.sat_signed(0), a.zext(0)];
        m.output("y", m.cat(&resized));
    }));
}

#[test]
fn every_signal_has_bits() {
    assert_report!(refusal(|m| {
        let a = m.input("a", 0);
        let wire = m.wire("w", 0);
        wire.drive(a);
        m.output("w_out", wire.get());
        m.output("q", m.reg("q", 0).next(a).q());
        m.output("literal", m.lit(0, 0));
        m.output("bits", m.bits(Bits::zero(0)));
        m.output("ones", m.ones(0));
        m.output("nothing", m.cat(&[]));
        m.output("copies", a.repeat(0));
    }));
}

#[test]
fn no_signal_has_millions_of_bits() {
    assert_report!(refusal(|m| {
        let a = m.input("a", u32::MAX);
        m.output("copies", m.input("b", 8).repeat(u32::MAX));
        m.output("pair", m.cat(&[a, a]));
        m.output("product", a.mul(a));
        m.output("extended", a.zext(u32::MAX));
    }));
}

#[test]
fn selects_have_as_many_cases_as_their_index_tells_apart() {
    assert_report!(refusal(|m| {
        let (sel, a) = (m.input("sel", 2), m.input("a", 8));
        m.output("five", sel.select(&[a; 5]));
        m.output("none", sel.select(&[]));
    }));
}
