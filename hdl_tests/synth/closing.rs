//! Modules that only together miss the clock are mapped again, others are not.

use eva_rtl::hdl::{Design, Scope, elaborate};
use eva_rtl::rtl::clocking;
use eva_rtl::synth::{Cells, Mapping, Report};

use super::asic::{cells, module};
use super::{map, one_at_a_time, tools};

const WIDTH: u32 = 16;

/// Adds a register to an input; the sum leaves at once.
fn half(m: &Scope) {
    let sum = m.input("a", WIDTH) + m.input("b", WIDTH).reg("b_q");
    m.output("y", sum);
}

/// The same between registers.
fn apart(m: &Scope) {
    let sum = m.input("a", WIDTH).reg("a_q") + m.input("b", WIDTH).reg("b_q");
    m.output("y", sum.reg("y_q"));
}

/// Two halves one after the other, and one module beside them.
fn chain(m: &Scope) {
    let [a, b] = ["a", "b"].map(|name| m.input(name, WIDTH));
    let module = m.define("half", half);
    let mut value = a.reg("a_q");
    for number in 0..2 {
        let instance = m.instance(&format!("u_half{number}"), &module);
        instance.set("a", value).set("b", b);
        value = instance.get("y");
    }
    m.output("y", value.reg("y_q"));
    let module = m.define("apart", apart);
    let instance = m.instance("u_apart", &module);
    instance.set("a", a).set("b", b);
    m.output("z", instance.get("y"));
}

#[test]
fn modules_that_only_together_miss_the_clock_become_faster() {
    let _lock = one_at_a_time();
    let cache = tempfile::tempdir().unwrap();
    let design: Design = elaborate("chain", clocking(), chain).expect("elaborates").design;
    let at = |clock_ns: f64, top: Option<&str>| -> Report {
        let mapping = Mapping::Asic(Box::new(Cells { clock_ns, ..cells() }));
        map(&design, mapping, top, cache.path(), &tools())
    };
    let longest = |report: &Report| report.timing.as_ref().unwrap().longest_ns.unwrap();
    let slow = at(100.0, None);
    let clock_ns = 0.85 * longest(&slow);
    let fast = at(clock_ns, None);
    let [before, after] = [&slow, &fast].map(|report| module(report, "half"));
    // Inputs come 5 % of the period after the clock edge.
    let alone = before.path_ns.unwrap() - 0.05 * (100.0 - clock_ns);
    assert!(alone < clock_ns, "alone it meets {clock_ns} ns: {before:?}");
    assert!(longest(&fast) <= clock_ns && fast.timing.as_ref().unwrap().meets_clock, "{:?}", fast.timing);
    assert_eq!(before.recipe.as_deref(), Some("area"));
    assert_ne!(after.recipe, before.recipe);
    assert!(after.each.area > before.each.area);
    // What is not on the path is mapped as if it were the only module.
    let apart = |report: &Report| (module(report, "apart").each.area, module(report, "apart").recipe.clone());
    assert_eq!(apart(&fast), apart(&at(clock_ns, Some("apart"))));

    // Nothing that is known would do for this one.
    let hopeless = at(0.2 * longest(&slow), None);
    assert!(!hopeless.timing.as_ref().unwrap().meets_clock);
}
