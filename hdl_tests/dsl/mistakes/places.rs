//! Everything in a design comes from a line of its user, also what the library made.

use super::{assert_is_here, clocking};
use eva_rtl::bundle;
use eva_rtl::hdl::lib::arbiter::round_robin;
use eva_rtl::hdl::lib::counter::{counter, counter_to};
use eva_rtl::hdl::lib::csa;
use eva_rtl::hdl::lib::fifo::{fifo, skid};
use eva_rtl::hdl::lib::fsm::Fsm;
use eva_rtl::hdl::lib::priority::{choose, leading_zeros, lowest_one};
use eva_rtl::hdl::{Data, PortStyle, Scope, Signal, elaborate};

bundle! {
    Pair { low, high }
}

/// One of everything.
pub fn everything(m: &Scope) {
    let (a, b, c) = (m.input("a", 8), m.input("b", 8), m.input("c", 1));
    let pair = m.inputs("pair", Pair { low: 8, high: 8 });
    m.outputs("swapped", Pair { low: pair.high, high: pair.low });
    let values = [
        a.add_full(b),
        a.add_full_signed(b),
        a.mul(b),
        a.mul_signed(b),
        a.neg(),
        a.sat(3),
        a.sat_signed(3),
        a.sat_signed(1),
        a.repeat(3),
        c.repeat(3),
        a.append_zeros(2),
        a.gate(c),
        a.shl(b) ^ a.shr(b) ^ a.shr_signed(b),
        a.msb() ^ a.is_zero() ^ a.all() ^ a.parity(),
        c.mux(3, a),
        a.trunc(2).select(&[a, b, a]),
        a.gt(3) ^ a.ge(b) ^ a.gt_signed(b) ^ a.ge_signed(b),
        a.pipe("a", 3),
        b.pipe_reset("b", 2),
        a.reg_en("c", c),
        m.pack(&a.split(2)),
        a.onehot(5),
        m.lit_signed(-1, 4),
        m.high() ^ m.low(),
        m.reg("r", 8).reset(1).on(c, a).on(a.any(), 2).q(),
    ];
    m.output("values", m.cat(&values));
    m.output("lib", library(m, a, b, c));
    streams(m, c);
}

fn library<'m>(m: &'m Scope, a: Signal<'m>, b: Signal<'m>, c: Signal<'m>) -> Signal<'m> {
    let fsm = Fsm::new(m, "state", &["idle", "run"]);
    fsm.go("idle", c, "run");
    let (sum, carry) = csa::reduce(m, &[a, b, a, b]);
    let (count, zero) = leading_zeros("u_lz", a);
    let first = choose(&[(c, a), (a.any(), b)], lowest_one(a));
    let grant = round_robin("u_arbiter", a, c);
    m.cat(&[
        first,
        grant,
        fsm.is("run"),
        counter(m, "n", c, a).wrap,
        counter_to(m, "k", c, 5).value,
        sum,
        carry,
        count,
        zero,
    ])
}

fn streams(m: &Scope, c: Signal<'_>) {
    let queue = m.instance("u_outer_queue", &fifo(m, 3, 4));
    queue.set_stream("s", m.stream_in("q", PortStyle::Plain, Data { data: 4 }));
    let slice = m.instance("u_outer_slice", &skid(m, 4));
    slice.set_stream("s", queue.get_stream::<Data<Signal>>("m"));
    let one = slice.get_stream::<Data<Signal>>("m").gate("gated", c);
    let (left, right) = one.fork("copy");
    let joined = left.join("both", right, |a, b| Pair { low: a.data, high: b.data });
    let mut routed = joined.route("to", &[("x", c), ("y", !c), ("z", m.low())]);
    let merged = routed.remove(0).merge("u_merge", routed.pop());
    for (i, stream) in routed.into_iter().chain([merged]).enumerate() {
        let buffered = stream.fifo(&format!("u_fifo{i}"), 2).skid(&format!("u_skid{i}"));
        m.stream_out(&format!("m{i}"), PortStyle::Axis, buffered);
    }
}

#[test]
fn everything_comes_from_the_user() {
    let design = elaborate("everything", clocking(), everything).unwrap().design;
    let mut places = 0;
    for module in &design.modules {
        let nodes = module.nodes.iter().map(|n| n.loc);
        let ports = module.ports.iter().map(|p| p.loc);
        let regs = module.regs.iter().map(|r| r.loc);
        let mems = module.mems.iter().map(|m| m.loc);
        let instances = module.instances.iter().map(|i| i.loc);
        for loc in nodes.chain(ports).chain(regs).chain(mems).chain(instances).chain([module.loc]) {
            assert_is_here(loc, &format!("something in {}", module.name));
            places += 1;
        }
    }
    assert!(places > 300, "only {places} places");
}
