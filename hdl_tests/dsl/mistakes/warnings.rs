//! What is legal but looks like a mistake.

use super::{assert_report, warnings};
use eva_rtl::hdl::{Data, PortStyle};
use eva_rtl::hw;

#[test]
fn what_nobody_uses() {
    assert_report!(warnings(|m| {
        let (a, _unused_input) = (m.input("a", 8), m.input("spare", 8));
        let lonely = m.reg("lonely", 8);
        lonely.next(lonely.q() + 1);
        let wire = m.wire("dangling", 8);
        wire.drive(!a);
        hw! {
            first = a + 1;
            last = first ^ a;
        }
        let _ = last;
        m.mem("write_only", 16, 8).write(a.trunc(4), a, a.bit(0));
        m.define("child", |m| {
            m.input("nothing", 1);
        });
        m.stream_in("s", PortStyle::Plain, Data { data: 4 }).take(m.high());
        m.output("y", a);
    }));
}

#[test]
fn discarding_says_that_it_is_deliberate() {
    let text = warnings(|m| {
        let a = m.input("a", 8);
        m.input("spare", 8).discard();
        (a + 1).named("sum").discard();
        a.reg("a_q").discard();
        m.output("y", a);
    });
    assert_eq!(text, "");
}
