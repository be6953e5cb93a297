//! A queue of bytes in a memory that FPGAs have as block RAM.

use super::uart::BYTE;
use crate::hdl::{Data, PortStyle, Scope, Stream};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_byte_queue";

/// Bytes that it holds.
pub const DEPTH: u32 = 256;

/// Room that is left when it says that it is nearly full: what the other side of a serial line may still send, whose own
/// queue may have some bytes on the way (16 to 32 in common ones).
pub const MARGIN: u32 = 64;

/// Describes the queue from `push`, a byte in each cycle in which it is 1, to stream `byte`. From `nearly_full` on
/// [`MARGIN`] bytes still fit; `lost` is 1 in a cycle whose byte has found no room.
pub fn byte_queue(m: &Scope) {
    m.doc("Queue of bytes that says early when it is nearly full.");
    m.param("depth", DEPTH);
    m.param("margin", MARGIN);
    let push = m.input("push", 1);
    let data = m.input("data", BYTE);

    // What has been read waits in the output register of the memory, and is not counted.
    let store = m.mem("store", DEPTH, BYTE).read_latency(1);
    let count = m.reg("count", Scope::index_width(DEPTH + 1)).reset(0);
    let valid = m.reg("valid", 1).reset(0);
    let write_index = m.reg("write_index", store.addr_width()).reset(0);
    let read_index = m.reg("read_index", store.addr_width()).reset(0);
    let ready = m.wire("ready", 1);
    hw! {
        full = count.q().eq(u64::from(DEPTH));
        stored = push & !full;
        fetched = count.q().any() & (!valid.q() | ready.get());
    }
    store.write(write_index.q(), data, stored);
    write_index.on(stored, write_index.q() + 1);
    read_index.on(fetched, read_index.q() + 1);
    count.on(stored & !fetched, count.q() + 1).on(fetched & !stored, count.q() - 1);
    valid.on(ready.get(), 0).on(fetched, 1);

    let byte = Stream::new("head", valid.q(), Data { data: store.read_en(read_index.q(), fetched) });
    ready.drive(byte.ready());
    m.stream_out("byte", PortStyle::Plain, byte);
    m.output("nearly_full", count.q().ge(u64::from(DEPTH - MARGIN)));
    m.output("lost", push & full);
}
