//! From scheduled instructions to an executable program with addresses.

use super::SimError;
use super::code::Run;
use super::exec::Code;
use super::flatten::{Flat, FlatMem};
use super::graph::{Graph, Place};
use super::lower::{Arg, Lowered, lower};
use super::schedule::{Schedule, schedule};
use crate::hdl::bits::{Bits, words_for};
use crate::hdl::ir::{self, Collision, NodeId};

/// Everything about a design that does not change while it runs.
pub struct Program {
    pub code: Code,
    /// The first run that depends on inputs.
    pub input_dependent: usize,
    /// Where the results of instructions begin in the state.
    pub results: u32,
    pub mems: Vec<Memory>,
    pub edge: Edge,
}

/// What happens to registers at a clock edge.
#[derive(Default)]
pub struct Edge {
    /// Moves of many words: destination, source, length.
    pub blocks: Vec<(u32, u32, u32)>,
    /// Moves of single words: destination, source.
    pub moves: Vec<(u32, u32)>,
    /// With reset active, afterwards: destination and word.
    pub resets: Vec<(u32, u64)>,
}

/// A memory.
pub struct Memory {
    pub path: String,
    /// Where it begins in the array of the words of all memories.
    pub base: usize,
    pub depth: u32,
    pub width: u32,
    /// Machine words of each word.
    pub words: usize,
    pub collision: Collision,
    /// Ports of latency 1 only.
    pub reads: Vec<SyncRead>,
    pub writes: Vec<Write>,
}

/// Word offsets in the state of the operands and of the data of a synchronous read.
pub struct SyncRead {
    pub addr: u32,
    pub enable: Option<u32>,
    pub data: u32,
}

/// Word offsets in the state.
pub struct Write {
    pub addr: u32,
    pub data: u32,
    pub enable: u32,
}

impl Edge {
    /// Registers take over their next values from below (constants, inputs) or above (results) them.
    pub fn commit(&self, state: &mut [u64], reset: bool) {
        for (dst, src, words) in &self.blocks {
            state.copy_within(*src as usize..(*src + *words) as usize, *dst as usize);
        }
        for (dst, src) in &self.moves {
            state[*dst as usize] = state[*src as usize];
        }
        if reset {
            for (dst, word) in &self.resets {
                state[*dst as usize] = *word;
            }
        }
    }
}

/// Moves of fewer words than this are done word by word.
const MIN_BLOCK: u32 = 8;

pub struct Assembled {
    pub program: Program,
    pub addresses: Addresses,
    /// The state at power-up; results of instructions are zero.
    pub power_up: Vec<u64>,
    /// The words of all memories at power-up.
    pub contents: Vec<u64>,
    pub instructions: usize,
    pub input_dependent_instructions: usize,
}

/// Word offsets of the stored values by node of the graph.
pub struct Addresses(Vec<u32>);

const UNPLACED: u32 = u32::MAX;

impl Addresses {
    fn of(&self, place: Place) -> u32 {
        self.0[place.value.index()] + place.word
    }

    /// Where a value lies that was asked for.
    pub fn find(&self, graph: &Graph, node: NodeId) -> u32 {
        self.of(graph.place(node))
    }
}

/// Compiles a flat design.
pub fn assemble(flat: &mut Flat) -> Result<Assembled, SimError> {
    let lowered = lower(flat);
    let graph = &flat.graph;
    let order = schedule(&lowered, graph.nodes.len(), |value| matches!(graph.nodes[value].op, ir::Op::Input(_)));
    let layout = Layout::new(flat, &lowered, &order)?;
    let addresses = Addresses(layout.addresses);
    let (runs, records) = encode(&lowered, &order, &addresses);
    let program = Program {
        code: Code::new(runs, records),
        input_dependent: order.input_dependent,
        results: layout.results,
        mems: memories(flat, &addresses),
        edge: edge(flat, &addresses),
    };
    let power_up = power_up(flat, &lowered, &addresses, layout.next as usize);
    let contents = flat.mems.iter().flat_map(|m| &m.content).copied().collect();
    let input_dependent = &order.batches[order.input_dependent..];
    Ok(Assembled {
        program,
        addresses,
        power_up,
        contents,
        instructions: lowered.instrs.len(),
        input_dependent_instructions: input_dependent.iter().map(|b| b.instrs.len()).sum(),
    })
}

struct Layout {
    addresses: Vec<u32>,
    next: u64,
    results: u32,
}

impl Layout {
    fn new(flat: &Flat, lowered: &Lowered, order: &Schedule) -> Result<Layout, SimError> {
        let graph = &flat.graph;
        let mut layout = Layout { addresses: vec![UNPLACED; graph.nodes.len()], next: 0, results: 0 };
        let stored = |wanted: fn(&ir::Op) -> bool| {
            let ids = (0..graph.nodes.len()).filter(move |i| lowered.needed[*i] && wanted(&graph.nodes[*i].op));
            ids.map(|i| NodeId(i as u32))
        };
        stored(|op| matches!(op, ir::Op::Const(_))).for_each(|id| layout.place(graph, id));
        stored(|op| matches!(op, ir::Op::Input(_))).for_each(|id| layout.place(graph, id));

        // Registers in the order in which their next values are computed, so that many move as one block.
        let computed = || order.batches.iter().flat_map(|b| &b.instrs).map(|i| lowered.instrs[*i as usize].value);
        let mut rank = vec![0u32; graph.nodes.len()];
        computed().enumerate().for_each(|(i, value)| rank[value.index()] = i as u32);
        let mut regs: Vec<_> = flat.regs.iter().map(|r| (graph.place(r.next), r.node)).collect();
        regs.sort_by_key(|(next, node)| (rank[next.value.index()], next.word, *node));
        regs.iter().for_each(|(_, node)| layout.place(graph, *node));
        for read in flat.mems.iter().filter(|m| m.read_latency == 1).flat_map(|m| m.reads.iter().flatten()) {
            layout.place(graph, read.node);
        }
        layout.results = layout.next as u32;
        computed().for_each(|value| layout.place(graph, value));
        if layout.next >= u64::from(UNPLACED) {
            return Err(SimError::TooLarge { words: layout.next });
        }
        Ok(layout)
    }

    fn place(&mut self, graph: &Graph, id: NodeId) {
        // Addresses that do not fit are refused at the end.
        self.addresses[id.index()] = self.next as u32;
        self.next += words_for(graph.width(id)) as u64;
    }
}

fn encode(lowered: &Lowered, order: &Schedule, addresses: &Addresses) -> (Vec<Run>, Vec<u32>) {
    let mut records = Vec::with_capacity(lowered.args.len());
    let runs = order.batches.iter().map(|batch| {
        let start = records.len();
        let mut dst_len = 0;
        for instr in batch.instrs.iter().map(|i| &lowered.instrs[*i as usize]) {
            dst_len += instr.dst_len;
            records.extend(lowered.args[instr.args.start as usize..instr.args.end as usize].iter().map(
                |arg| match arg {
                    Arg::Imm(i) => *i,
                    Arg::Word(place) => addresses.of(*place),
                },
            ));
        }
        let first = &lowered.instrs[batch.instrs[0] as usize];
        Run {
            op: batch.op,
            words: batch.words,
            dst: addresses.0[first.value.index()],
            dst_len,
            records: start as u32,
            records_len: (records.len() - start) as u32,
        }
    });
    (runs.collect(), records)
}

fn memories(flat: &Flat, addresses: &Addresses) -> Vec<Memory> {
    let find = |node| addresses.find(&flat.graph, node);
    let mut base = 0;
    let memory = |mem: &FlatMem| {
        let words = words_for(mem.width);
        let sync = mem.read_latency == 1;
        let reads = mem.reads.iter().flatten().filter(|_| sync).map(|r| SyncRead {
            addr: find(r.addr),
            enable: r.enable.map(find),
            data: find(r.node),
        });
        let writes =
            mem.writes.iter().map(|w| Write { addr: find(w.addr), data: find(w.data), enable: find(w.enable) });
        let memory = Memory {
            path: mem.path.clone(),
            base,
            depth: mem.depth,
            width: mem.width,
            words,
            collision: mem.collision,
            reads: reads.collect(),
            writes: writes.collect(),
        };
        base += words * mem.depth as usize;
        memory
    };
    flat.mems.iter().map(memory).collect()
}

fn edge(flat: &Flat, addresses: &Addresses) -> Edge {
    let mut edge = Edge::default();
    let mut moves = Vec::new();
    for reg in &flat.regs {
        let (dst, src) = (addresses.find(&flat.graph, reg.node), addresses.find(&flat.graph, reg.next));
        let words = words_for(flat.graph.width(reg.node)) as u32;
        if dst != src {
            moves.push((dst, src, words));
        }
        if let Some(reset) = &reg.reset {
            edge.resets.extend(reset.words().iter().zip(dst..).map(|(word, at)| (at, *word)));
        }
    }
    moves.sort_unstable();
    let mut blocks: Vec<(u32, u32, u32)> = Vec::new();
    for (dst, src, words) in moves {
        match blocks.last_mut() {
            Some((d, s, n)) if *d + *n == dst && *s + *n == src => *n += words,
            _ => blocks.push((dst, src, words)),
        }
    }
    for (dst, src, words) in blocks {
        if words >= MIN_BLOCK {
            edge.blocks.push((dst, src, words));
        } else {
            edge.moves.extend((0..words).map(|i| (dst + i, src + i)));
        }
    }
    edge
}

fn power_up(flat: &Flat, lowered: &Lowered, addresses: &Addresses, words: usize) -> Vec<u64> {
    let mut state = vec![0; words];
    let mut set = |node: NodeId, value: &Bits| {
        let at = addresses.0[node.index()] as usize;
        state[at..at + value.words().len()].copy_from_slice(value.words());
    };
    for (id, node) in flat.graph.nodes.iter().enumerate() {
        if let (true, ir::Op::Const(value)) = (lowered.needed[id], &node.op) {
            set(NodeId(id as u32), value);
        }
    }
    flat.regs.iter().for_each(|reg| set(reg.node, &reg.power_up));
    for read in flat.mems.iter().filter(|m| m.read_latency == 1).flat_map(|m| m.reads.iter().flatten()) {
        set(read.node, &read.power_up);
    }
    state
}
