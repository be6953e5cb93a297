//! Queues between a producer and a consumer.

use crate::hdl::bundle::Data;
use crate::hdl::{ModuleRef, PortStyle, Scope, Stream};

/// Module `fifo_<depth>x<width>`: a queue with input stream `s` and output stream `m`, each with a field `data` of
/// `width` bits. Full throughput, latency 1 cycle; valid and ready are registered state, no input reaches an output in
/// the same cycle.
#[track_caller]
pub fn fifo(scope: &Scope, depth: u32, width: u32) -> ModuleRef {
    scope.library(|| {
        if depth < 2 {
            scope.report(format!("a queue of {depth} elements cannot pass one per cycle; use at least 2, or `skid`"));
        }
        queue(scope, depth.max(2), scope.checked_width(width, "the payload of a queue", scope.here()))
    })
}

fn queue(scope: &Scope, depth: u32, width: u32) -> ModuleRef {
    scope.define(&format!("fifo_{depth}x{width}"), |m| {
        m.doc(&format!("Queue of {depth} elements of {width} bits; one in and one out per cycle, latency 1 cycle."));
        let input = m.stream_in("s", PortStyle::Plain, Data { data: width });
        let store = m.mem("store", depth, width).read_latency(0);
        let index = store.addr_width();
        let count = m.reg("count", Scope::index_width(depth + 1)).reset(0);

        let not_full = count.q().ne(u64::from(depth)).named("not_full");
        let not_empty = count.q().ne(0).named("not_empty");
        let taken = input.take(not_full);
        let push = taken.fire.named("push");

        let head = m.wire("head", width);
        let output = Stream::new("out", not_empty, Data { data: head.get() });
        let pop = (not_empty & output.ready()).named("pop");
        let advance = |name: &str, step| {
            let pointer = m.reg(name, index).reset(0);
            let wrap = pointer.q().eq(u64::from(depth - 1));
            pointer.on(step, wrap.mux(0, pointer.q() + 1));
            pointer.q()
        };
        let write_index = advance("write_index", push);
        let read_index = advance("read_index", pop);
        store.write(write_index, taken.payload.data, push);
        head.drive(store.read(read_index));

        count.on(push & !pop, count.q() + 1).on(pop & !push, count.q() - 1);
        m.stream_out("m", PortStyle::Plain, output);
    })
}

/// Module `skid_<width>`: a two-element register slice with input stream `s` and output stream `m`. Valid, ready and
/// data of both sides are registers; full throughput, latency 1 cycle.
#[track_caller]
pub fn skid(scope: &Scope, width: u32) -> ModuleRef {
    scope.library(|| {
        let width = scope.checked_width(width, "the payload of a register slice", scope.here());
        scope.define(&format!("skid_{width}"), |m| {
            m.doc("Register slice: cuts every combinational path between its two sides; one element per cycle, latency 1 cycle.");
            let input = m.stream_in("s", PortStyle::Plain, Data { data: width });
            let out_valid = m.reg("out_valid", 1).reset(0);
            let out_data = m.reg("out_data", width);
            let spare_empty = m.reg("spare_empty", 1).reset(1);
            let spare_data = m.reg("spare_data", width);

            let output = Stream::new("out", out_valid.q(), Data { data: out_data.q() });
            let advance = (!out_valid.q() | output.ready()).named("advance");
            let taken = input.take(spare_empty.q());

            // What arrives while the output register is blocked waits in the spare one; ready falls one cycle later.
            spare_empty.next(advance | (spare_empty.q() & !taken.fire));
            spare_data.on(spare_empty.q(), taken.payload.data);
            out_valid.on(advance, taken.fire | !spare_empty.q());
            out_data.on(advance, spare_empty.q().mux(taken.payload.data, spare_data.q()));
            m.stream_out("m", PortStyle::Plain, output);
        })
    })
}
