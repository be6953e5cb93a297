//! Memories with stated semantics.

use super::bits::{Bits, index_width};
use super::ir::{Collision, Loc, Mem as MemIr, MemId, NodeId, Op, ReadPort, WritePort};
use super::scope::{Scope, Target, bits};
use super::signal::Signal;

/// A memory being described.
#[derive(Clone, Copy)]
pub struct Mem<'m> {
    scope: &'m Scope,
    id: MemId,
    width: u32,
    addr_width: u32,
}

impl Scope {
    /// A memory of `depth` words of `width` bits: read latency 1, collisions [`Collision::Undefined`], content
    /// undefined at power-up, unless said otherwise before its ports are added.
    #[track_caller]
    pub fn mem(&self, name: &str, depth: u32, width: u32) -> Mem<'_> {
        let loc = self.here();
        let width = self.checked_width(width, &format!("memory `{name}`"), loc);
        if depth == 0 {
            self.error(loc, format!("memory `{name}` has no words"), Vec::new());
        }
        let depth = depth.max(1);
        let id = MemId(self.body().mems.len() as u32);
        self.body_mut().mems.push(MemIr {
            name: name.to_string(),
            depth,
            width,
            init: None,
            read_latency: 1,
            collision: Collision::Undefined,
            reads: Vec::new(),
            writes: Vec::new(),
            loc,
        });
        Mem { scope: self, id, width, addr_width: index_width(u64::from(depth)) }
    }
}

impl<'m> Mem<'m> {
    /// 0: data follows the address in the same cycle; 1: it appears after the next clock edge.
    #[track_caller]
    pub fn read_latency(self, cycles: u32) -> Mem<'m> {
        if cycles > 1 {
            let message = format!("a memory has read latency 0 or 1, not {cycles}; add `pipe` stages behind it");
            self.scope.error(self.scope.here(), message, Vec::new());
        }
        self.scope.body_mut().mems[self.id.index()].read_latency = cycles.min(1);
        self
    }

    /// What a read sees of a word that is written in the same cycle.
    pub fn on_collision(self, collision: Collision) -> Mem<'m> {
        self.scope.body_mut().mems[self.id.index()].collision = collision;
        self
    }

    /// Content at power-up: at most `depth` words of `width` bits, the rest zero.
    #[track_caller]
    pub fn init(self, words: &[Bits]) -> Mem<'m> {
        let depth = self.scope.body().mems[self.id.index()].depth as usize;
        if words.len() > depth || words.iter().any(|w| w.width() != self.width) {
            let message = format!("initial content must be at most {depth} words of {}", bits(self.width));
            self.scope.error(self.scope.here(), message, Vec::new());
        }
        let mut content: Vec<Bits> = words.iter().map(|w| Bits::from_words(w.words(), self.width)).collect();
        content.resize(depth, Bits::zero(self.width));
        self.scope.body_mut().mems[self.id.index()].init = Some(content);
        self
    }

    /// Address bits: `ceil(log2(depth))`, at least 1.
    pub fn addr_width(self) -> u32 {
        self.addr_width
    }

    /// Adds a read port; returns its data.
    #[track_caller]
    pub fn read(self, addr: Signal<'m>) -> Signal<'m> {
        self.read_port(addr, None, self.scope.here())
    }

    /// Adds a read port (latency 1) that keeps its data while `enable` is 0.
    #[track_caller]
    pub fn read_en(self, addr: Signal<'m>, enable: Signal<'m>) -> Signal<'m> {
        let loc = self.scope.here();
        if self.scope.body().mems[self.id.index()].read_latency == 0 {
            self.scope.error(loc, "a combinational read port has no enable".to_string(), Vec::new());
            return self.read_port(addr, None, loc);
        }
        self.read_port(addr, Some(enable), loc)
    }

    /// Adds a write port: `data` goes to `addr` at the clock edge while `enable` is 1.
    #[track_caller]
    pub fn write(self, addr: Signal<'m>, data: Signal<'m>, enable: Signal<'m>) {
        let loc = self.scope.here();
        let addr = self.operand(addr, self.addr_width, "write address", loc);
        let data = self.operand(data, self.width, "write data", loc);
        let enable = self.scope.checked_flag(self.scope.own(enable, loc), "the write enable of a memory", loc);
        self.scope.body_mut().mems[self.id.index()].writes.push(WritePort { addr, data, enable });
    }

    fn read_port(self, addr: Signal<'m>, enable: Option<Signal<'m>>, loc: Loc) -> Signal<'m> {
        let addr = self.operand(addr, self.addr_width, "read address", loc);
        let enable =
            enable.map(|e| self.scope.checked_flag(self.scope.own(e, loc), "the read enable of a memory", loc));
        let port = self.scope.body().mems[self.id.index()].reads.len() as u32;
        let data = self.scope.add(Op::MemRead { mem: self.id, port }, self.width, loc);
        self.scope.body_mut().mems[self.id.index()].reads.push(ReadPort { addr, enable, node: data.id });
        data
    }

    fn operand(self, signal: Signal<'m>, width: u32, what: &str, loc: Loc) -> NodeId {
        let (memory, declared) = {
            let body = self.scope.body();
            let mem = &body.mems[self.id.index()];
            (format!("memory `{}`", mem.name), mem.loc)
        };
        let target = Target { name: &format!("{what} of {memory}"), width, part_of: Some(&memory), loc: declared };
        self.scope.checked_driver(self.scope.own(signal, loc), &target, loc)
    }
}
