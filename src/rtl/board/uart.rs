//! Bytes on a line: one start bit, eight data bits, the lowest first, one stop bit.

use crate::hdl::lib::fsm::Fsm;
use crate::hdl::{Data, PortStyle, Scope};
use crate::hw;

/// Name of the module that receives bytes.
pub const RECEIVER: &str = "eva_uart_receiver";
/// Name of the module that sends bytes.
pub const TRANSMITTER: &str = "eva_uart_transmitter";

/// Bits of a byte.
pub const BYTE: u32 = 8;

/// Describes the receiver of a line whose bits take `divider` cycles, at least 4. The line `rx` is asynchronous. A byte
/// is on `data` in the one cycle in which `valid` is 1; `broken` is 1 instead where the stop bit is missing.
pub fn receiver(m: &Scope, divider: u32) {
    m.doc("Receiver of a serial line: samples each bit in its middle.");
    m.param("divider", divider);
    let line = m.input("rx", 1).pipe_reset("line", 2);
    let before = line.reg_reset("line_before");

    let fsm = Fsm::new(m, "state", &["idle", "start", "data", "stop"]);
    let timer = m.reg("timer", Scope::index_width(divider)).reset(0);
    let number = m.reg("number", Scope::index_width(BYTE)).reset(0);
    hw! {
        fell = before & !line;
        begins = fsm.is("idle") & fell;
        sample = timer.q().is_zero() & !fsm.is("idle");
    }
    timer.next(timer.q() - 1);
    timer.on(sample, u64::from(divider - 1));
    // The edge was seen in the cycle after it; from there to the middle of the start bit.
    timer.on(begins, u64::from(divider / 2 - 1));

    let shift = m.reg("shift", BYTE);
    shift.on(sample & fsm.is("data"), m.cat(&[line, shift.q().bits_from(1)]));
    number.on(sample & fsm.is("data"), number.q() + 1).on(begins, 0);

    fsm.go("idle", fell, "start");
    fsm.go("start", sample, "data");
    // A disturbance, shorter than half a bit.
    fsm.go("start", sample & line, "idle");
    fsm.go("data", sample & number.q().eq(u64::from(BYTE - 1)), "stop");
    fsm.go("stop", sample, "idle");

    let ends = (sample & fsm.is("stop")).named("ends");
    m.output("valid", ends & line);
    m.output("data", shift.q());
    m.output("broken", ends & !line);
}

/// Describes the transmitter of a line whose bits take `divider` cycles: sends the bytes of stream `byte` on `tx`, and
/// begins one only while `cts_n`, asynchronous, is 0.
pub fn transmitter(m: &Scope, divider: u32) {
    m.doc("Transmitter of a serial line, which waits before a byte until the other side can take one.");
    m.param("divider", divider);
    let byte = m.stream_in("byte", PortStyle::Plain, Data { data: BYTE });
    let stop = m.input("cts_n", 1).pipe_reset("stop", 2);

    let timer = m.reg("timer", Scope::index_width(divider));
    // Bits that are left of the present byte, start and stop bit included.
    let left = m.reg("left", Scope::index_width(BYTE + 3)).reset(0);
    let line = m.reg("line", 1).reset(1);
    let shift = m.reg("shift", BYTE);
    hw! {
        idle = left.q().is_zero();
        step = timer.q().is_zero() & !idle;
    }
    let taken = byte.take(idle & !stop);
    timer.next(timer.q() - 1);
    timer.on(step | taken.fire, u64::from(divider - 1));
    left.on(step, left.q() - 1).on(taken.fire, u64::from(BYTE + 2));
    // Ones follow the data: the stop bit, and the line at rest.
    shift.on(step, m.cat(&[m.high(), shift.q().bits_from(1)])).on(taken.fire, taken.payload.data);
    line.on(step, shift.q().bit(0)).on(taken.fire, 0);
    m.output("tx", line.q());
}
