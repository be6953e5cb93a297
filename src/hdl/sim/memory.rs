//! What memories do at a clock edge.

use super::program::{Memory, SyncRead, Write};
use super::wide;
use crate::hdl::ir::Collision;
use std::ops::Range;

impl Memory {
    /// Where a word lies in the array of the words of all memories; `None` beyond the depth.
    pub fn word(&self, addr: u64) -> Option<Range<usize>> {
        (addr < u64::from(self.depth)).then(|| {
            let start = self.base + addr as usize * self.words;
            start..start + self.words
        })
    }

    /// Reads and writes as the ports say; read data goes into `state`, from where no port of a memory takes an operand.
    pub fn clock_edge(&self, state: &mut [u64], contents: &mut [u64]) {
        if self.collision == Collision::ReadOld {
            self.reads.iter().for_each(|read| self.read(read, state, contents));
        }
        for write in self.writes.iter().filter(|w| state[w.enable as usize] != 0) {
            if let Some(range) = self.word(state[write.addr as usize]) {
                let data = write.data as usize;
                contents[range].copy_from_slice(&state[data..data + self.words]);
            }
        }
        if self.collision != Collision::ReadOld {
            self.reads.iter().for_each(|read| self.read(read, state, contents));
        }
    }

    fn read(&self, read: &SyncRead, state: &mut [u64], contents: &[u64]) {
        if read.enable.is_some_and(|e| state[e as usize] == 0) {
            return;
        }
        let addr = state[read.addr as usize];
        let writes = |w: &Write| state[w.enable as usize] != 0 && state[w.addr as usize] == addr;
        let collides = self.collision == Collision::Undefined && self.writes.iter().any(writes);
        let data = &mut state[read.data as usize..][..self.words];
        match self.word(addr) {
            Some(range) => data.copy_from_slice(&contents[range]),
            None => return data.fill(0),
        }
        if collides {
            data.iter_mut().for_each(|w| *w = !*w);
            wide::mask_top(data, self.width);
        }
    }
}
