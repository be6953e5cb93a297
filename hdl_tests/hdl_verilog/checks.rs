//! What the checks of a hierarchy find, and that they point at the lines to look at.

use eva_rtl::hdl::check::check;
use eva_rtl::hdl::diag::{Diagnostic, Diagnostics, Severity};
use eva_rtl::hdl::ir::*;
use eva_rtl::hdl::{Scope, elaborate};
use std::rc::Rc;

fn clocking() -> Clocking {
    Clocking { clock: "clk".into(), reset: "rst_n".into() }
}

fn errors(describe: impl FnOnce(&Scope)) -> String {
    with_source(&elaborate("top", clocking(), describe).expect_err("a mistake").to_string())
}

fn warnings(describe: impl FnOnce(&Scope)) -> String {
    let warnings = elaborate("top", clocking(), describe).expect("no errors").warnings;
    let render = |w: &Diagnostic| w.render(Severity::Warning);
    with_source(&warnings.iter().map(render).collect::<Vec<_>>().join("\n"))
}

/// Replaces each `file:line:column` by the text from there to the end of the line, which stays the same when lines
/// move.
fn with_source(report: &str) -> String {
    let source: Vec<&str> = include_str!("checks.rs").lines().collect();
    let mut out = String::new();
    let mut rest = report;
    while let Some(start) = rest.find(file!()) {
        out.push_str(&rest[..start]);
        rest = &rest[start + file!().len()..];
        let end = rest.find(|c: char| c != ':' && !c.is_ascii_digit()).unwrap_or(rest.len());
        let numbers: Vec<usize> = rest[1..end].split(':').map(|n| n.parse().expect("a number")).collect();
        out.push_str(&format!("«{}»", &source[numbers[0] - 1][numbers[1] - 1..]));
        rest = &rest[end..];
    }
    out + rest
}

#[test]
fn missing_drivers() {
    let report = errors(|m| {
        let child = m.define("child", |c| c.output("y", !c.input("a", 4)));
        let instance = m.instance("u0", &child);
        let wire = m.wire("unfinished", 4);
        let register = m.reg("state", 4);
        let mem = m.mem("store", 16, 4);
        let data = mem.read(register.q());
        m.output("y", instance.get("y") ^ wire.get() ^ data);
    });
    insta::assert_snapshot!(report);
}

#[test]
fn names() {
    let report = errors(|m| {
        let a = m.input("reg", 1);
        let b = m.input("clk", 1);
        let c = m.input("b", 1);
        let d = m.input("b", 1);
        let child = m.define("2fast", |c| c.output("y", c.input("a", 1)));
        let u = m.instance("b", &child);
        u.set("a", (a ^ b ^ c ^ d).named("not legal"));
        m.output("y", u.get("y"));
    });
    insta::assert_snapshot!(report);
}

#[test]
fn two_modules_with_one_name() {
    let report = errors(|m| {
        let a = m.input("a", 2);
        let one = m.define("pair", |c| c.output("y", c.input("a", 2)));
        let two = m.define("pair", |c| c.output("y", !c.input("a", 2)));
        let three = m.define("Pair", |c| c.output("y", !c.input("a", 2)));
        for (name, module) in [("u0", one), ("u1", two), ("u2", three)] {
            let u = m.instance(name, &module);
            u.set("a", a);
            m.output(&format!("y_{name}"), u.get("y"));
        }
    });
    insta::assert_snapshot!(report);
}

#[test]
fn loop_in_one_module() {
    let report = errors(|m| {
        let a = m.input("a", 8);
        let feedback = m.wire("feedback", 8);
        let sum = (a + feedback.get()).named("sum");
        let masked = sum & a;
        feedback.drive(!masked);
        // Not part of the loop.
        m.output("y", sum ^ feedback.get());
    });
    insta::assert_snapshot!(report);
}

#[test]
fn loop_through_nested_instances() {
    let report = errors(|m| {
        let inner = m.define("inner", |c| {
            let through = c.input("through", 1);
            let registered = c.input("registered", 1);
            c.output("fast", !through);
            c.output("slow", registered.reg("r"));
        });
        let outer = m.define("outer", |c| {
            let u = c.instance("u_inner", &inner);
            let (a, b) = (c.input("a", 1), c.input("b", 1));
            u.set("through", a).set("registered", b);
            c.output("y", (!u.get("fast")).named("inverted"));
            c.output("z", u.get("slow"));
        });
        let back = m.wire("back", 1);
        let u = m.instance("u_outer", &outer);
        u.set("a", back.get()).set("b", back.get());
        back.drive(u.get("y"));
        m.output("z", u.get("z"));
    });
    insta::assert_snapshot!(report);
}

#[test]
fn a_register_inside_an_instance_cuts_the_loop() {
    let elaborated = elaborate("top", clocking(), |m| {
        let delay = m.define("delay", |c| {
            let a = c.input("a", 1);
            c.output("q", a.reg("r"));
            c.output("other", !c.input("b", 1));
        });
        let back = m.wire("back", 1);
        let u = m.instance("u0", &delay);
        // `other` depends on `b` alone, `q` on nothing in the same cycle.
        u.set("a", u.get("other")).set("b", back.get());
        back.drive(u.get("q"));
        m.output("y", back.get());
    });
    assert!(elaborated.expect("no loop").warnings.is_empty());
}

#[test]
fn many_loops_are_reported_once_each() {
    let report = elaborate("top", clocking(), |m| {
        for i in 0..3 {
            let back = m.wire(&format!("back_{i}"), 4);
            // Two ways round, one loop to break.
            back.drive((back.get() + 1) ^ !back.get());
            m.output(&format!("y_{i}"), back.get());
        }
    });
    let report = report.expect_err("loops");
    assert_eq!(report.iter().filter(|d| d.message.starts_with("combinational loop")).count(), 3, "{report}");
}

#[test]
fn unused_things_are_warned_of() {
    let report = warnings(|m| {
        let a = m.input("a", 8);
        m.input("idle", 3);
        m.input("spare", 3).discard();
        let lonely = m.reg("lonely", 8).reset(0);
        lonely.next(lonely.q() + 1);
        // One warning, at the end of the chain.
        let first = (a + 1).named("first");
        (first ^ a).named("second");
        (first & a).named("meant").discard();
        let log = m.mem("log", 8, 8);
        log.write(a.trunc(3), a, a.bit(0));
        m.output("y", a);
    });
    insta::assert_snapshot!(report);
}

#[test]
fn malformed_widths_are_found_behind_the_builder() {
    let node = |op, width, name: Option<&str>| Node { op, width, name: name.map(str::to_owned), loc: Loc::caller() };
    let ids = [0, 1, 2, 3].map(NodeId);
    let module = Module {
        name: "top".into(),
        doc: String::new(),
        params: Vec::new(),
        nodes: vec![
            node(Op::Input(PortId(0)), 8, Some("a")),
            node(Op::Binary(BinOp::Add, ids[0], ids[0]), 9, None),
            node(Op::Slice { a: ids[0], lo: 5 }, 4, Some("beyond")),
            node(Op::Select { sel: ids[0], cases: vec![ids[0]] }, 8, None),
        ],
        ports: vec![
            Port { name: "a".into(), dir: Dir::Input, width: 8, node: ids[0], loc: Loc::caller() },
            Port { name: "y".into(), dir: Dir::Output, width: 7, node: ids[1], loc: Loc::caller() },
        ],
        regs: Vec::new(),
        mems: Vec::new(),
        instances: Vec::new(),
        discards: Vec::new(),
        loc: Loc::caller(),
    };
    let design =
        Design { clocking: clocking(), prefix: String::new(), modules: vec![Rc::new(module)], top: ModuleId(0) };
    let report = with_source(&Diagnostics::from(check(&design).errors).to_string());
    insta::assert_snapshot!(report);
}
