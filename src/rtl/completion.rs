//! The end of commands: their statuses, in order.

use super::command::STATUS;
use crate::bundle;
use crate::config::CoreConfig;
use crate::hdl::{Data, PortStyle, Scope, Stream};

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
    let queue = queued.fifo("u_commands", COMMANDS - 1);
    let in_queue = queue.valid;
    let head = queue.reg("head");

    // Events that no status has been given for yet.
    let tells = m.wire("tells", 1);
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
        let used = (tells.get() & is_awaited & count.q().any()).named(&format!("{name}_used"));
        count.on(happens & !used, count.q() + 1).on(used & !happens, count.q() - 1);
        complete = complete | (is_awaited & count.q().any());
    }
    let Queued { opcode, status, tag, start, .. } = head.payload;
    let status = m.cat(&[now.q() - start, tag, status, opcode]);
    debug_assert_eq!(status.width(), STATUS);
    let waiting = in_queue | head.valid;
    let told = Stream::new("told", head.valid & complete, Data { data: status });
    tells.drive(head.take(told.ready() & complete).fire);
    let sts = told.reg("status");
    m.output("idle", !waiting & !sts.valid);
    m.stream_out("sts", PortStyle::Plain, sts);
}

bundle! {
    Queued { opcode, status, tag, awaits, start }
}
