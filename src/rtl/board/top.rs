//! The core with a serial port around it.

use super::link::{self, Output};
use super::{byte_queue, uart};
use crate::config::CoreConfig;
use crate::hdl::{Bundle, Data, Instance, Scope, Signal, Stream};
use crate::hw;
use crate::rtl::core::{self, Stats};

/// Name of the module.
pub const NAME: &str = "eva_board";

/// Describes the core behind a serial port whose bits take `divider` cycles.
///
/// `rx` and `tx` carry the frames of `docs/board.md`. `rts_n` is 1 when the host has to stop sending, `cts_n` when it
/// cannot take more; both are active low, as on the pins of a serial port. `busy` is that of the core. `error`
/// stays 1 from the first byte that was lost, damaged or in the place of a header until the reset.
pub fn board(m: &Scope, cfg: &CoreConfig, divider: u32) {
    m.doc("EVA core behind a serial port with hardware flow control, for boards.");
    m.param("divider", divider);
    m.param("generator", concat!("eva-rtl ", env!("CARGO_PKG_VERSION")));
    let (rx, cts_n) = (m.input("rx", 1), m.input("cts_n", 1));

    let receiver = m.instance("u_receiver", &m.define(uart::RECEIVER, |m| uart::receiver(m, divider)));
    receiver.set("rx", rx);
    let queue = m.instance("u_queue", &m.define(byte_queue::NAME, byte_queue::byte_queue));
    queue.set("push", receiver.get("valid")).set("data", receiver.get("data"));
    let from_host = m.instance("u_from_host", &m.define(link::FROM_HOST, |m| link::from_host(m, cfg)));
    from_host.set_stream("byte", queue.get_stream::<Data<Signal>>("byte"));

    let unit = m.instance("u_core", &m.define(core::NAME, |m| core::core(m, cfg)));
    for name in ["cmd", "w", "x"] {
        let beats = from_host.get_stream::<Data<Signal>>(name);
        let port = |signal: &str| format!("s_axis_{name}_t{signal}");
        unit.set(&port("valid"), beats.valid).set(&port("data"), beats.payload.data);
        beats.take(unit.get(&port("ready")));
    }
    unit.get_bundle::<Stats<Signal>>("stat").map(|_, counter| counter.discard());

    let to_host = m.instance("u_to_host", &m.define(link::TO_HOST, |m| link::to_host(m, cfg)));
    let last = unit.get("m_axis_y_tlast");
    to_host.set_stream("y", output(&unit, "m_axis_y", |data| Output { data, last }));
    to_host.set_stream("sts", output(&unit, "m_axis_sts", |data| Data { data }));
    let transmitter = m.instance("u_transmitter", &m.define(uart::TRANSMITTER, |m| uart::transmitter(m, divider)));
    transmitter.set_stream("byte", to_host.get_stream::<Data<Signal>>("byte")).set("cts_n", cts_n);

    hw! {
        wrong = receiver.get("broken") | queue.get("lost") | from_host.get("unknown");
    }
    let error = m.reg("error_q", 1).reset(0);
    error.on(wrong, 1);
    // Nothing is taken before the end of the reset.
    let full = m.reg("full", 1).reset(1);
    full.next(queue.get("nearly_full"));
    m.output("tx", transmitter.get("tx"));
    m.output("rts_n", full.q());
    m.output("busy", unit.get("busy"));
    m.output("error", error.q());
}

/// An output stream of the core.
fn output<'m, P>(unit: &Instance<'m>, name: &str, payload: impl FnOnce(Signal<'m>) -> P) -> Stream<'m, P>
where
    P: Bundle<Leaf = Signal<'m>>,
{
    let stream = Stream::new(name, unit.get(&format!("{name}_tvalid")), payload(unit.get(&format!("{name}_tdata"))));
    unit.set(&format!("{name}_tready"), stream.ready());
    stream
}
