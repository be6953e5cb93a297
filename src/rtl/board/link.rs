//! The frames on a serial line: a header byte that names a stream, then the bytes of one beat of it, the lowest first.

use super::uart::BYTE;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::lib::fsm::Fsm;
use crate::hdl::{Data, PortStyle, Scope, Signal, Stream};
use crate::hw;
use crate::rtl::command::{COMMAND, STATUS};
use crate::rtl::core::OUTPUT;

/// Name of the module that takes what the host sends.
pub const FROM_HOST: &str = "eva_link_from_host";
/// Name of the module that sends to the host.
pub const TO_HOST: &str = "eva_link_to_host";

/// Header of a frame with an output; with [`LAST`] added for the last one of a command.
pub const OUTPUT_HEADER: u64 = 0;
/// Header of a frame with a status.
pub const STATUS_HEADER: u64 = 1;
/// Added to the header of an output with `tlast`.
pub const LAST: u64 = 0x80;

bundle! {
    /// An output with its end-of-packet mark.
    pub Output { data, last }
}

/// Name and bits of a beat of the streams to the core; the number of each is the header of its frames.
fn streams(cfg: &CoreConfig) -> [(&'static str, u32); 3] {
    [("cmd", COMMAND), ("w", cfg.stream.width), ("x", cfg.x_width())]
}

/// Describes what turns the bytes of stream `byte` into beats of the streams `cmd`, `w` and `x`. While a beat waits to be
/// taken no byte is. A byte that should be a header and is none is dropped, with `unknown` 1 in that cycle.
pub fn from_host(m: &Scope, cfg: &CoreConfig) {
    m.doc("Frames from the host: collects the bytes of a beat and offers it to the stream that their header names.");
    let byte = m.stream_in("byte", PortStyle::Plain, Data { data: BYTE });

    let streams = streams(cfg);
    let widest = streams.map(|(_, bits)| bits).into_iter().max().expect("there are streams");
    let bytes = |bits: u32| u64::from(bits / BYTE);
    let fsm = Fsm::new(m, "state", &["header", "payload", "beat"]);
    let taken = byte.take(!fsm.is("beat"));
    let header = taken.payload.data;
    let is_known = header.lt(streams.len() as u64).named("is_known");

    let number = m.reg("number", Scope::index_width(streams.len() as u32));
    // Bytes that follow the next one.
    let left = m.reg("left", Scope::index_width(widest / BYTE));
    let lengths = streams.map(|(_, bits)| m.lit(bytes(bits) - 1, left.q().width()));
    let begins = (taken.fire & fsm.is("header")).named("begins");
    number.on(begins, header.trunc(number.q().width()));
    left.on(taken.fire, left.q() - 1).on(begins, header.trunc(number.q().width()).select(&lengths));

    // Bytes come in at the top: those of a narrow beat have not come far down.
    let beat = m.reg("beat", widest);
    beat.on(taken.fire, m.cat(&[taken.payload.data, beat.q().bits_from(BYTE)]));

    let mut moved = m.low();
    for ((name, bits), code) in streams.into_iter().zip(0u64..) {
        let offered = (fsm.is("beat") & number.q().eq(code)).named(&format!("offers_{name}"));
        let stream = Stream::new(&format!("to_{name}"), offered, Data { data: beat.q().bits_from(widest - bits) });
        moved = moved | (offered & stream.ready());
        m.stream_out(name, PortStyle::Plain, stream);
    }
    fsm.go("header", begins & is_known, "payload");
    fsm.go("payload", taken.fire & left.q().is_zero(), "beat");
    fsm.go("beat", moved, "header");
    m.output("unknown", begins & !is_known);
}

/// Describes what turns the beats of the streams `y` and `sts` into the bytes of stream `byte`. Statuses go first: there
/// are few of them, and the one of a command with outputs comes after these anyway.
pub fn to_host(m: &Scope, _: &CoreConfig) {
    m.doc("Frames to the host: sends outputs and statuses byte by byte behind their headers.");
    let y = m.stream_in("y", PortStyle::Plain, Output { data: OUTPUT, last: 1 });
    let sts = m.stream_in("sts", PortStyle::Plain, Data { data: STATUS });

    let frame = m.reg("frame", STATUS + BYTE);
    let left = m.reg("left", Scope::index_width(frame.q().width() / BYTE + 1)).reset(0);
    hw! {
        idle = left.q().is_zero();
    }
    let y_turn = (idle & !sts.valid).named("y_turn");
    let (y, sts) = (y.take(y_turn), sts.take(idle));

    let byte = Stream::new("head", !idle, Data { data: frame.q().trunc(BYTE) });
    let sent = (!idle & byte.ready()).named("sent");
    let frame_of = |data: Signal<'_>| u64::from(data.width() / BYTE + 1);
    let (y_bytes, sts_bytes) = (frame_of(y.payload.data), frame_of(sts.payload.data));
    let headers = [OUTPUT_HEADER, OUTPUT_HEADER + LAST].map(|header| m.lit(header, BYTE));
    let output = m.cat(&[y.payload.data, y.payload.last.mux(headers[1], headers[0])]);
    let status = m.cat(&[sts.payload.data, m.lit(STATUS_HEADER, BYTE)]);
    left.on(sent, left.q() - 1).on(y.fire, y_bytes).on(sts.fire, sts_bytes);
    let frame_bits = frame.q().width();
    frame.on(sent, frame.q().bits_from(BYTE).zext(frame_bits)).on(y.fire, output.zext(frame_bits)).on(sts.fire, status);
    m.stream_out("byte", PortStyle::Plain, byte);
}
