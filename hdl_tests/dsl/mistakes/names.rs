//! Names that do not exist, clash, or are not legal.

use super::{assert_report, clocking, refusal};
use eva_rtl::hdl::{Clocking, Scope, elaborate};

fn inverter(m: &Scope) {
    m.output("y", !m.input("x", 4));
}

#[test]
fn unknown_ports_are_met_with_the_known_ones() {
    assert_report!(refusal(|m| {
        let a = m.input("a", 4);
        let inst = m.instance("u_inv", &m.define("inv", inverter));
        inst.set("x", a).set("enable", a).set("y", a);
        m.output("z", inst.get("z"));
        let source = m.define("source", |m| m.output("y", m.high()));
        m.instance("u_source", &source).set("x", a);
    }));
}

#[test]
fn names_are_unique_in_a_module() {
    assert_report!(refusal(|m| {
        let a = m.input("a", 4);
        let b = m.input("a", 4);
        m.output("y", a);
        m.output("y", b);
        let inv = m.define("inv", inverter);
        for name in ["u_inv", "u_inv", "a"] {
            let inst = m.instance(name, &inv);
            inst.set("x", a);
        }
        for name in ["rom", "rom", "u_inv"] {
            let rom = m.mem(name, 16, 4).init(&[]);
            m.output(&format!("{name}_y"), rom.read(b));
        }
    }));
}

#[test]
fn reserved_words_and_odd_characters_are_refused() {
    assert_report!(refusal(|m| {
        let a = m.input("reg", 4);
        m.output("logic", a);
        m.output("2nd", a);
        m.output("a.b", a);
        m.output("", a);
        m.output("odd_signal", (a + 1).named("sum of a"));
        m.instance("always", &m.define("module", inverter)).set("x", a);
        m.output("endmodule_y", m.mem("endmodule", 16, 4).init(&[]).read(a));
    }));
}

#[test]
fn clock_and_reset_are_taken() {
    assert_report!(refusal(|m| {
        let a = m.input("clk", 4);
        m.output("rst_n", a);
        m.instance("clk", &m.define("inv", inverter)).set("x", a);
    }));
}

#[test]
fn clock_and_reset_need_names_of_their_own() {
    let report = |clock: &str, reset: &str| {
        let clocking = Clocking { clock: clock.into(), reset: reset.into() };
        let errors = elaborate("top", clocking, inverter).unwrap_err();
        errors.iter().for_each(super::assert_places_are_here);
        errors.to_string()
    };
    assert_report!([report("clk", "clk"), report("input", "rst n")].join("\n"));
}

#[test]
fn different_modules_need_different_names() {
    assert_report!(refusal(|m| {
        let a = m.input("a", 4);
        let one = m.define("unit", inverter);
        let other = m.define("unit", |m| {
            m.output("y", m.input("x", 4) + 1);
            m.output("z", m.high());
        });
        m.define("Unit", inverter);
        for (name, module) in [("u_one", one), ("u_other", other)] {
            let inst = m.instance(name, &module);
            inst.set("x", a);
            m.output(&format!("{name}_y"), inst.get("y"));
        }
    }));
}

/// Signals that clash get a suffix instead: their names are only wishes.
#[test]
fn signals_may_want_any_name_of_legal_characters() {
    let elaborated = elaborate("top", clocking(), |m| {
        let a = m.input("a", 4);
        m.output("y", (a + 1).named("reg") ^ (a + 2).named("a") ^ (a + 3).named("clk") ^ (a + 4).named("a"));
    });
    elaborated.unwrap();
}
