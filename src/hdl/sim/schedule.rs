//! The order of execution: few, long runs of equal instructions.

use super::code::Op;
use super::lower::{Arg, Lowered};
use std::collections::BTreeMap;

/// Instructions (by index) that form one run. None depends on another one of the same run.
pub struct Batch {
    pub op: Op,
    pub words: u32,
    pub instrs: Vec<u32>,
}

pub struct Schedule {
    pub batches: Vec<Batch>,
    /// The first batch that depends on inputs; all after it do, too.
    pub input_dependent: usize,
}

/// Orders the instructions: first those that depend on state alone, then those that depend on inputs as well.
/// `is_input` tells the values that are inputs.
pub fn schedule(lowered: &Lowered, values: usize, is_input: impl Fn(usize) -> bool) -> Schedule {
    let Dependences { producers, consumers, mut pending } = Dependences::new(lowered, values);

    let mut kinds: BTreeMap<(Op, u32), usize> = BTreeMap::new();
    let instrs = &lowered.instrs;
    for instr in instrs {
        let next = kinds.len();
        kinds.entry((instr.op, instr.words)).or_insert(next);
    }
    let mut kind_of_index = vec![(Op::Copy, 0); kinds.len()];
    kinds.iter().for_each(|(kind, index)| kind_of_index[*index] = *kind);

    // Instructions are in topological order, so one sweep finds those that see an input.
    let mut sees_input = vec![false; instrs.len()];
    for (i, instr) in instrs.iter().enumerate() {
        sees_input[i] = lowered.args[instr.args.start as usize..instr.args.end as usize].iter().any(|arg| match arg {
            Arg::Word(place) => match producers[place.value.index()] {
                NONE => is_input(place.value.index()),
                producer => sees_input[producer as usize],
            },
            Arg::Imm(_) => false,
        });
    }

    let mut batches = Vec::new();
    let mut input_dependent = 0;
    for phase in [false, true] {
        input_dependent = if phase { batches.len() } else { 0 };
        // Ready instructions, and all that remain, of each kind in this phase.
        let mut ready = vec![Vec::new(); kinds.len()];
        let mut remaining = vec![0usize; kinds.len()];
        let kind = |i: usize| kinds[&(instrs[i].op, instrs[i].words)];
        for i in (0..instrs.len()).filter(|i| sees_input[*i] == phase) {
            remaining[kind(i)] += 1;
            if pending[i] == 0 {
                ready[kind(i)].push(i as u32);
            }
        }
        while let Some(next) = choose(&ready, &remaining) {
            let mut batch = std::mem::take(&mut ready[next]);
            remaining[next] -= batch.len();
            // Neighbours in the graph stay neighbours in memory.
            batch.sort_unstable();
            for done in &batch {
                for consumer in consumers.of(*done) {
                    pending[*consumer as usize] -= 1;
                    if pending[*consumer as usize] == 0 && sees_input[*consumer as usize] == phase {
                        ready[kind(*consumer as usize)].push(*consumer);
                    }
                }
            }
            let (op, words) = kind_of_index[next];
            batches.push(Batch { op, words, instrs: batch });
        }
    }
    Schedule { batches, input_dependent }
}

/// The kind of which the largest share is ready: running it now leaves the fewest for another run.
fn choose(ready: &[Vec<u32>], remaining: &[usize]) -> Option<usize> {
    let share = |kind: usize| (ready[kind].len() as f64 / remaining[kind] as f64, ready[kind].len());
    let candidates = (0..ready.len()).filter(|kind| !ready[*kind].is_empty());
    candidates.max_by(|a, b| share(*a).partial_cmp(&share(*b)).expect("shares are finite"))
}

const NONE: u32 = u32::MAX;

struct Dependences {
    /// By value: the instruction that computes it, `NONE` for sources.
    producers: Vec<u32>,
    consumers: Lists,
    /// By instruction: operands that other instructions have yet to compute.
    pending: Vec<u32>,
}

impl Dependences {
    fn new(lowered: &Lowered, values: usize) -> Dependences {
        let mut producers = vec![NONE; values];
        for (i, instr) in lowered.instrs.iter().enumerate() {
            producers[instr.value.index()] = i as u32;
        }
        let mut pending = vec![0; lowered.instrs.len()];
        let mut edges = Vec::new();
        for (i, instr) in lowered.instrs.iter().enumerate() {
            for arg in &lowered.args[instr.args.start as usize..instr.args.end as usize] {
                if let Arg::Word(place) = arg
                    && producers[place.value.index()] != NONE
                {
                    edges.push((producers[place.value.index()], i as u32));
                    pending[i] += 1;
                }
            }
        }
        Dependences { producers, consumers: Lists::new(lowered.instrs.len(), &edges), pending }
    }
}

/// A list for each of a number of keys, stored one after the other.
struct Lists {
    starts: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    fn new(keys: usize, pairs: &[(u32, u32)]) -> Lists {
        let mut starts = vec![0u32; keys + 1];
        pairs.iter().for_each(|(key, _)| starts[*key as usize + 1] += 1);
        (0..keys).for_each(|k| starts[k + 1] += starts[k]);
        let mut at = starts.clone();
        let mut items = vec![0; pairs.len()];
        for (key, item) in pairs {
            items[at[*key as usize] as usize] = *item;
            at[*key as usize] += 1;
        }
        Lists { starts, items }
    }

    fn of(&self, key: u32) -> &[u32] {
        &self.items[self.starts[key as usize] as usize..self.starts[key as usize + 1] as usize]
    }
}
