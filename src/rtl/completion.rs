//! The end of commands: their statuses, in order.

use super::command::STATUS;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Data, PortStyle, Scope, Stream};
use crate::hw;

/// Name of the module.
pub const NAME: &str = "eva_completion";

/// Commands on their way at a time.
pub const COMMANDS: u32 = 8;

bundle! {
    /// A command on its way: what its status will say, and the event that it awaits, a number of [`Event`].
    pub Pending { opcode, status, tag, awaits }
    /// Things that happen, each for one cycle: codebooks or activations are loaded, sums that are kept are complete, the
    /// last output of a command was taken.
    pub Events { codebooks, x, sums, outputs }
}

/// What ends a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// It has been refused.
    Nothing,
    /// Its codebooks are loaded.
    Codebooks,
    /// Its activations are loaded.
    X,
    /// Its sums, which are kept, are complete.
    Sums,
    /// The last of its outputs was taken.
    Outputs,
}

/// Widths of [`Pending`].
pub fn pending_widths() -> Pending<u32> {
    Pending { opcode: 8, status: 8, tag: 16, awaits: 3 }
}

/// Describes the completion. Commands (stream `pending`) are told in order on stream `sts`, each when its event has
/// happened; events of one kind belong to the commands that await them in order. `taken` is 1 in the cycle in which a
/// command was taken from outside. `idle`: none is on its way.
pub fn completion(m: &Scope, _: &CoreConfig) {
    m.doc("Completion: reports the statuses of commands in order, each when what it waits for has happened.");
    m.param("commands", COMMANDS);
    let taken = m.input("taken", 1);
    let pending = m.stream_in("pending", PortStyle::Plain, pending_widths());
    let events = m.inputs("event", Events { codebooks: 1, x: 1, sums: 1, outputs: 1 });

    let now = m.reg("now", 32).reset(0);
    now.next(now.q() + 1);
    let start = now.q().reg_en("start", taken);
    let queued = pending.map(|p| Queued { opcode: p.opcode, status: p.status, tag: p.tag, awaits: p.awaits, start });
    let head = queued.fifo("u_commands", COMMANDS);

    // Events that no status has been given for yet.
    let sts_free = m.wire("sts_free", 1);
    let mut complete = head.payload.awaits.eq(Event::Nothing as u64);
    let kinds = [
        ("codebooks", Event::Codebooks, events.codebooks),
        ("x", Event::X, events.x),
        ("sums", Event::Sums, events.sums),
        ("outputs", Event::Outputs, events.outputs),
    ];
    for (name, event, happens) in kinds {
        let count = m.reg(&format!("{name}_done"), Scope::index_width(COMMANDS + 1)).reset(0);
        let is_awaited = head.payload.awaits.eq(event as u64).named(&format!("awaits_{name}"));
        let used = (head.valid & sts_free.get() & is_awaited & count.q().any()).named(&format!("{name}_used"));
        count.on(happens & !used, count.q() + 1).on(used & !happens, count.q() - 1);
        complete = complete | (is_awaited & count.q().any());
    }
    hw! {
        ready = complete & sts_free.get();
    }
    let waiting = head.valid;
    let told = head.take(ready);
    let status = m.cat(&[now.q() - told.payload.start, told.payload.tag, told.payload.status, told.payload.opcode]);
    debug_assert_eq!(status.width(), STATUS);

    let valid = m.reg("sts_valid_q", 1).reset(0);
    let sts = Stream::new("status", valid.q(), Data { data: status.reg_en("status_q", told.fire) });
    sts_free.drive(!valid.q() | sts.ready());
    valid.on(sts_free.get(), told.fire);
    m.output("idle", !waiting & !valid.q());
    m.stream_out("sts", PortStyle::Plain, sts);
}

bundle! {
    Queued { opcode, status, tag, awaits, start }
}
