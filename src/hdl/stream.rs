//! Streams: a payload with a valid and a ready signal.
//!
//! Rules (those of AXI4-Stream): a transfer happens in a cycle in which both are 1; valid must not depend on ready in
//! the same cycle, and once up it stays up with the same payload until the transfer. A [`Stream`] is consumed exactly
//! once: that is its type, it is not `Copy`. A stream that nobody consumes is reported as an undriven `ready`.

use super::bundle::{Bundle, Data, unpack_bundle};
use super::instance::{Instance, ModuleRef};
use super::lib::arbiter::round_robin;
use super::lib::fifo;
use super::scope::{Scope, Wire};
use super::signal::Signal;

/// A stream inside a module, seen from its consumer.
pub struct Stream<'m, P> {
    /// 1 while the producer offers `payload`.
    pub valid: Signal<'m>,
    /// What is transferred; means something only while `valid` is 1.
    pub payload: P,
    ready: Wire<'m>,
}

/// What a consumer gets from a stream.
pub struct Taken<'m, P> {
    /// 1 in the cycles in which a transfer happens.
    pub fire: Signal<'m>,
    /// 1 while the producer offers `payload`.
    pub valid: Signal<'m>,
    /// What is transferred.
    pub payload: P,
}

/// How the ports of a stream are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PortStyle {
    /// `x_valid`, `x_ready`, `x_field`
    Plain,
    /// `x_tvalid`, `x_tready`, `x_tfield`
    Axis,
}

impl PortStyle {
    fn port(self, stream: &str, signal: &str) -> String {
        match self {
            PortStyle::Plain => format!("{stream}_{signal}"),
            PortStyle::Axis => format!("{stream}_t{signal}"),
        }
    }
}

impl<'m, P: Bundle<Leaf = Signal<'m>>> Stream<'m, P> {
    /// A stream that a producer offers. Read [`ready`](Stream::ready) before handing it on.
    #[track_caller]
    pub fn new(name: &str, valid: Signal<'m>, payload: P) -> Stream<'m, P> {
        let scope = valid.scope();
        let valid = valid.flag("the valid of a stream", scope.here());
        let ready = scope.ready_wire(name, &format!("{name}_ready"));
        Stream { valid, payload, ready }
    }

    /// What the consumer answers; for the producer.
    pub fn ready(&self) -> Signal<'m> {
        self.ready.get()
    }

    /// 1 in the cycles in which a transfer happens; to watch a stream on its way to its consumer.
    #[track_caller]
    pub fn fire(&self) -> Signal<'m> {
        self.valid & self.ready()
    }

    /// Consumes the stream: `ready` (one bit) says in which cycles a transfer may happen.
    #[track_caller]
    pub fn take(self, ready: Signal<'m>) -> Taken<'m, P> {
        let ready = ready.flag("the ready of a stream", ready.scope().here());
        self.ready.drive(ready);
        Taken { fire: self.valid & ready, valid: self.valid, payload: self.payload }
    }

    /// Changes the payload, combinationally.
    pub fn map<Q: Bundle<Leaf = Signal<'m>>>(self, f: impl FnOnce(P) -> Q) -> Stream<'m, Q> {
        Stream { valid: self.valid, payload: f(self.payload), ready: self.ready }
    }

    /// Lets transfers happen only while `open` (one bit) is 1. `open` must not fall between valid and its transfer.
    #[track_caller]
    pub fn gate(self, name: &str, open: Signal<'m>) -> Stream<'m, P> {
        let open = open.flag("the condition of `gate`", open.scope().here());
        let gated = Stream::new(name, self.valid & open, self.payload);
        self.ready.drive(gated.ready() & open);
        gated
    }

    /// Splits by destination: each transfer goes to the stream whose select (one bit) is 1; at most one may be. While
    /// none is, the stream waits. A select must not fall between valid and its transfer.
    #[track_caller]
    pub fn route(self, name: &str, selects: &[(&str, Signal<'m>)]) -> Vec<Stream<'m, P>>
    where
        P: Clone,
    {
        self.valid.scope().library(|| {
            let mut ready = self.valid.scope().low();
            let routed = selects
                .iter()
                .map(|(to, select)| {
                    let select = select.flag("the select of `route`", select.scope().here());
                    let stream = Stream::new(&format!("{name}_{to}"), self.valid & select, self.payload.clone());
                    ready = ready | (select & stream.ready());
                    stream
                })
                .collect();
            self.ready.drive(ready);
            routed
        })
    }

    /// Two streams that each get every transfer: both must be ready for one to happen.
    #[track_caller]
    pub fn fork(self, name: &str) -> (Stream<'m, P>, Stream<'m, P>)
    where
        P: Clone,
    {
        let scope = self.valid.scope();
        // Each side remembers that it has taken the current payload already, so neither waits for the other's valid.
        let (a_done, b_done) =
            (scope.reg(&format!("{name}_a_done"), 1).reset(0), scope.reg(&format!("{name}_b_done"), 1).reset(0));
        let a = Stream::new(&format!("{name}_a"), self.valid & !a_done.q(), self.payload.clone());
        let b = Stream::new(&format!("{name}_b"), self.valid & !b_done.q(), self.payload);
        let a_ok = a_done.q() | a.ready();
        let b_ok = b_done.q() | b.ready();
        let done = (a_ok & b_ok).named(&format!("{name}_done"));
        a_done.next(self.valid & a_ok & !done);
        b_done.next(self.valid & b_ok & !done);
        self.ready.drive(done);
        (a, b)
    }

    /// One stream of pairs: a transfer takes one element of each.
    #[track_caller]
    pub fn join<Q, J>(self, name: &str, other: Stream<'m, Q>, pair: impl FnOnce(P, Q) -> J) -> Stream<'m, J>
    where
        Q: Bundle<Leaf = Signal<'m>>,
        J: Bundle<Leaf = Signal<'m>>,
    {
        let joined = Stream::new(name, self.valid & other.valid, pair(self.payload, other.payload));
        self.ready.drive(joined.ready() & other.valid);
        other.ready.drive(joined.ready() & self.valid);
        joined
    }

    /// One stream of the elements of several, of equal widths, in a fair order (an instance `name` of
    /// [`round_robin`]).
    #[track_caller]
    pub fn merge(self, name: &str, others: impl IntoIterator<Item = Stream<'m, P>>) -> Stream<'m, P>
    where
        P::With<u32>: Bundle<Leaf = u32, With<Signal<'m>> = P>,
    {
        let scope = self.valid.scope();
        let sources: Vec<_> = [self].into_iter().chain(others).collect();
        scope.library(|| {
            let valid = scope.pack(&sources.iter().map(|s| s.valid).collect::<Vec<_>>());
            let accept = scope.wire(&format!("{name}_accept"), 1);
            let grants = round_robin(name, valid, accept.get()).split(1);
            let mut shape = None;
            let granted = sources.into_iter().zip(grants).map(|(source, grant)| {
                source.ready.drive(grant & accept.get());
                let (data, widths) = scope.pack_bundle(source.payload);
                shape = Some(widths);
                data.gate(grant)
            });
            let data = granted.reduce(|a, b| a | b).expect("at least `self`");
            let merged = Stream::new(name, valid.any(), unpack_bundle(data, shape.expect("at least `self`")));
            accept.drive(merged.ready());
            merged
        })
    }

    /// A register for valid and payload; full throughput, latency 1. Ready passes it in the same cycle: see
    /// [`skid`](Stream::skid).
    #[track_caller]
    pub fn reg(self, name: &str) -> Stream<'m, P>
    where
        P: Bundle<With<Signal<'m>> = P>,
    {
        let scope = self.valid.scope();
        scope.library(|| {
            let valid = scope.reg(&format!("{name}_valid"), 1).reset(0);
            let free = scope.wire(&format!("{name}_free"), 1);
            let taken = self.take(free.get());
            let payload = taken.payload.map(|field, s| s.reg_en(&format!("{name}_{field}"), taken.fire));
            let held = Stream::new(name, valid.q(), payload);
            free.drive(!valid.q() | held.ready());
            valid.on(free.get(), taken.fire);
            held
        })
    }

    /// A register slice: cuts the combinational paths of valid, payload and ready; full throughput, latency 1.
    #[track_caller]
    pub fn skid(self, name: &str) -> Stream<'m, P>
    where
        P: Bundle<With<Signal<'m>> = P>,
        P::With<u32>: Bundle<Leaf = u32, With<Signal<'m>> = P>,
    {
        self.through(name, |scope, width| fifo::skid(scope, width))
    }

    /// A first-in first-out queue of `depth` elements; full throughput, latency 1.
    #[track_caller]
    pub fn fifo(self, name: &str, depth: u32) -> Stream<'m, P>
    where
        P: Bundle<With<Signal<'m>> = P>,
        P::With<u32>: Bundle<Leaf = u32, With<Signal<'m>> = P>,
    {
        self.through(name, |scope, width| fifo::fifo(scope, depth, width))
    }

    /// Through an instance of a module with one packed input stream `s` and one output stream `m`.
    #[track_caller]
    fn through(self, name: &str, module: impl FnOnce(&Scope, u32) -> ModuleRef) -> Stream<'m, P>
    where
        P::With<u32>: Bundle<Leaf = u32, With<Signal<'m>> = P>,
    {
        let scope = self.valid.scope();
        scope.library(|| {
            let (data, widths) = scope.pack_bundle(self.payload);
            let module = module(scope, data.width());
            let inst = scope.instance(name, &module);
            inst.set_stream("s", Stream { valid: self.valid, payload: Data { data }, ready: self.ready });
            let out: Stream<'m, Data<Signal<'m>>> = inst.get_stream("m");
            out.map(|p| unpack_bundle(p.data, widths))
        })
    }
}

impl Scope {
    /// Declares the ports of a stream that comes in, with payload fields of the given widths.
    #[track_caller]
    pub fn stream_in<'m, W>(&'m self, name: &str, style: PortStyle, widths: W) -> Stream<'m, W::With<Signal<'m>>>
    where
        W: Bundle<Leaf = u32>,
    {
        self.library(|| {
            let valid = self.input(&style.port(name, "valid"), 1);
            let payload = widths.map(|field, width| self.input(&style.port(name, field), width));
            let port = style.port(name, "ready");
            let ready = self.ready_wire(name, &port);
            self.output(&port, ready.get());
            Stream { valid, payload, ready }
        })
    }

    /// Declares the ports of a stream that goes out and connects it.
    #[track_caller]
    pub fn stream_out<'m, P>(&'m self, name: &str, style: PortStyle, stream: Stream<'m, P>)
    where
        P: Bundle<Leaf = Signal<'m>>,
    {
        self.library(|| {
            let ready = self.input(&style.port(name, "ready"), 1);
            self.output(&style.port(name, "valid"), stream.valid);
            stream.payload.map(|field, value| self.output(&style.port(name, field), value));
            stream.ready.drive(ready);
        });
    }

    /// The wire by which the consumer of stream `stream` answers.
    #[track_caller]
    fn ready_wire(&self, stream: &str, wire: &str) -> Wire<'_> {
        let ready = self.wire(wire, 1);
        self.note_stream(ready.get().id, stream);
        ready
    }
}

impl<'m> Instance<'m> {
    /// Connects a stream to the input stream `name` (plain port style) of the instance.
    #[track_caller]
    pub fn set_stream<P: Bundle<Leaf = Signal<'m>>>(&self, name: &str, stream: Stream<'m, P>) -> &Instance<'m> {
        let port = |signal: &str| PortStyle::Plain.port(name, signal);
        self.scope().library(|| {
            self.set(&port("valid"), stream.valid);
            stream.payload.map(|field, value| {
                self.set(&port(field), value);
            });
            stream.ready.drive(self.get(&port("ready")));
        });
        self
    }

    /// The output stream `name` (plain port style) of the instance.
    #[track_caller]
    pub fn get_stream<P: Bundle<Leaf = Signal<'m>>>(&self, name: &str) -> Stream<'m, P> {
        let port = |signal: &str| PortStyle::Plain.port(name, signal);
        self.scope().library(|| {
            let payload = P::from_fields(|field| self.get(&port(field)));
            let wire = self.port_name(&port("ready"), '_');
            let ready = self.scope().ready_wire(&self.port_name(name, '.'), &wire);
            self.set(&port("ready"), ready.get());
            Stream { valid: self.get(&port("valid")), payload, ready }
        })
    }
}
