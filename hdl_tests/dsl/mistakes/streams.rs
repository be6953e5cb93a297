//! Streams that nobody consumes or that do not fit.

use super::{assert_report, refusal};
use eva_rtl::bundle;
use eva_rtl::hdl::lib::fifo::fifo;
use eva_rtl::hdl::{Data, PortStyle, Stream};

bundle! {
    Beat { data, last }
}

#[test]
fn streams_must_be_consumed() {
    assert_report!(refusal(|m| {
        let port = m.stream_in("s_axis", PortStyle::Axis, Data { data: 8 });
        let queue = m.instance("u_queue", &fifo(m, 4, 8));
        queue.set_stream("s", port);
        let out: Stream<Data<_>> = queue.get_stream("m");
        let (a, b) = out.fork("copy");
        m.stream_out("m", PortStyle::Plain, a);
        // Dropped:
        let _ = b.skid("u_skid");
        let _ = Stream::new("made", m.high(), Data { data: m.zeros(4) });
        let routed = m.stream_in("r", PortStyle::Plain, Data { data: 8 });
        let to = m.input("to", 2);
        let _ = routed.route("routed", &[("left", to.bit(0)), ("right", to.bit(1))]);
    }));
}

#[test]
fn payloads_have_the_fields_and_widths_of_the_port() {
    assert_report!(refusal(|m| {
        let module = fifo(m, 4, 8);
        let beat = m.stream_in("beat", PortStyle::Plain, Beat { data: 8, last: 1 });
        let queue = m.instance("u_beats", &module);
        queue.set_stream("s", beat);
        m.stream_out("m_beat", PortStyle::Plain, queue.get_stream::<Beat<_>>("m"));
        let wide = m.stream_in("wide", PortStyle::Plain, Data { data: 16 });
        let queue = m.instance("u_wide", &module);
        queue.set_stream("s", wide);
        m.stream_out("m_wide", PortStyle::Plain, queue.get_stream::<Data<_>>("m"));
        m.stream_out("m_none", PortStyle::Plain, queue.get_stream::<Data<_>>("output"));
    }));
}

#[test]
fn ready_and_valid_are_one_bit() {
    assert_report!(refusal(|m| {
        let wide = m.input("wide", 3);
        m.stream_in("s", PortStyle::Plain, Data { data: 8 }).take(wide);
        let made = Stream::new("made", wide, Data { data: m.zeros(4) });
        m.stream_out("m", PortStyle::Plain, made);
        let gated = m.stream_in("g", PortStyle::Plain, Data { data: 8 }).gate("gated", wide);
        m.stream_out("m_gated", PortStyle::Plain, gated);
    }));
}
