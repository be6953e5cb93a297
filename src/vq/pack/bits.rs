//! Packing values of any number of bits, low bits first.

/// Writes values one after another from the lowest bit of a slice. Bytes that nothing was written to keep their value.
pub(super) struct BitWriter<'a> {
    rest: &'a mut [u8],
    /// Bits not yet written, `pending` of them, fewer than 32 between calls.
    buffer: u64,
    pending: u32,
}

impl<'a> BitWriter<'a> {
    pub fn new(out: &'a mut [u8]) -> Self {
        Self { rest: out, buffer: 0, pending: 0 }
    }

    /// Appends the low `bits` bits (at most 32) of `value`, whose other bits must be zero.
    #[inline]
    pub fn put(&mut self, value: u32, bits: u32) {
        debug_assert!(bits <= 32 && u64::from(value) >> bits == 0);
        self.buffer |= u64::from(value) << self.pending;
        self.pending += bits;
        if self.pending >= 32 {
            let (word, rest) = std::mem::take(&mut self.rest).split_at_mut(4);
            word.copy_from_slice(&(self.buffer as u32).to_le_bytes());
            self.rest = rest;
            self.buffer >>= 32;
            self.pending -= 32;
        }
    }

    /// Writes what is left, padded with zeros to a whole byte.
    pub fn finish(self) {
        let bytes = self.pending.div_ceil(8) as usize;
        self.rest[..bytes].copy_from_slice(&self.buffer.to_le_bytes()[..bytes]);
    }
}
