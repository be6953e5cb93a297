//! Arithmetic on values of any width as little-endian 64-bit words.
//!
//! Shared by constant folding and by the instructions for values of more than 128 bits. Operands are clean (bits beyond
//! their width are zero); results are computed modulo `2^(64*words)`, and [`mask_top`] brings them to their width.

/// The bits that a value of `width` bits uses in its highest word.
pub fn top_mask(width: u32) -> u64 {
    u64::MAX >> (width.wrapping_neg() & 63)
}

/// Clears the bits beyond `width` in the highest word.
pub fn mask_top(dst: &mut [u64], width: u32) {
    if let Some(top) = dst.last_mut() {
        *top &= top_mask(width);
    }
}

pub fn add(dst: &mut [u64], a: &[u64], b: &[u64]) {
    let mut carry = false;
    for ((d, a), b) in dst.iter_mut().zip(a).zip(b) {
        let (sum, c0) = a.overflowing_add(*b);
        let (sum, c1) = sum.overflowing_add(u64::from(carry));
        *d = sum;
        carry = c0 | c1;
    }
}

pub fn sub(dst: &mut [u64], a: &[u64], b: &[u64]) {
    let mut borrow = false;
    for ((d, a), b) in dst.iter_mut().zip(a).zip(b) {
        let (difference, b0) = a.overflowing_sub(*b);
        let (difference, b1) = difference.overflowing_sub(u64::from(borrow));
        *d = difference;
        borrow = b0 | b1;
    }
}

/// The low words of an unsigned product; the operands may have any number of words.
pub fn mul(dst: &mut [u64], a: &[u64], b: &[u64]) {
    dst.fill(0);
    for (i, x) in a.iter().enumerate().take(dst.len()) {
        let mut carry = 0u64;
        for (d, y) in dst[i..].iter_mut().zip(b.iter().chain(std::iter::repeat(&0))) {
            let t = u128::from(*x) * u128::from(*y) + u128::from(*d) + u128::from(carry);
            *d = t as u64;
            carry = (t >> 64) as u64;
        }
    }
}

/// The low words of a two's complement product of operands of `wa` and `wb` bits.
pub fn mul_signed(dst: &mut [u64], a: &[u64], wa: u32, b: &[u64], wb: u32) {
    mul(dst, a, b);
    // A negative operand stands for its unsigned value less 2^width.
    if bit(a, wa - 1) {
        sub_shifted(dst, b, wa);
    }
    if bit(b, wb - 1) {
        sub_shifted(dst, a, wb);
    }
}

/// `dst -= a << amount`, modulo the words of `dst`.
fn sub_shifted(dst: &mut [u64], a: &[u64], amount: u32) {
    let mut borrow = false;
    for (i, d) in dst.iter_mut().enumerate().skip(amount as usize / 64) {
        let (difference, b0) = d.overflowing_sub(shifted_left(a, amount, i));
        let (difference, b1) = difference.overflowing_sub(u64::from(borrow));
        *d = difference;
        borrow = b0 | b1;
    }
}

/// Word `i` of `a << amount`.
fn shifted_left(a: &[u64], amount: u32, i: usize) -> u64 {
    let word = |k: Option<usize>| k.and_then(|k| a.get(k)).copied().unwrap_or(0);
    let (skip, s) = (amount as usize / 64, amount % 64);
    let low = word(i.checked_sub(skip)) << s;
    if s == 0 { low } else { low | word(i.checked_sub(skip + 1)) >> (64 - s) }
}

/// Word `i` of `a >> amount`.
fn shifted_right(a: &[u64], amount: u32, i: usize) -> u64 {
    let word = |k: usize| a.get(k).copied().unwrap_or(0);
    let (skip, s) = (amount as usize / 64, amount % 64);
    let low = word(i + skip) >> s;
    if s == 0 { low } else { low | word(i + skip + 1) << (64 - s) }
}

pub fn shl(dst: &mut [u64], a: &[u64], amount: u32) {
    for (i, d) in dst.iter_mut().enumerate() {
        *d = shifted_left(a, amount, i);
    }
}

/// Also takes a slice: bits `amount ..` of `a`, as many as `dst` has.
pub fn shr(dst: &mut [u64], a: &[u64], amount: u32) {
    for (i, d) in dst.iter_mut().enumerate() {
        *d = shifted_right(a, amount, i);
    }
}

/// Arithmetic right shift of a value of `width` bits.
pub fn sra(dst: &mut [u64], a: &[u64], width: u32, amount: u32) {
    let amount = amount.min(width);
    shr(dst, a, amount);
    if bit(a, width - 1) {
        fill_ones(dst, width - amount);
    }
}

/// Sign extension of a value of `from` bits to all words of `dst`.
pub fn sext(dst: &mut [u64], a: &[u64], from: u32) {
    shr(dst, a, 0);
    if bit(a, from - 1) {
        fill_ones(dst, from);
    }
}

/// Sets all bits from `from` on.
fn fill_ones(dst: &mut [u64], from: u32) {
    let word = from as usize / 64;
    if let Some(d) = dst.get_mut(word) {
        *d |= u64::MAX << (from % 64);
    }
    dst.iter_mut().skip(word + 1).for_each(|d| *d = u64::MAX);
}

/// `dst |= a << at`: a part of a concatenation.
pub fn insert(dst: &mut [u64], a: &[u64], at: u32) {
    for (i, d) in dst.iter_mut().enumerate().skip(at as usize / 64) {
        *d |= shifted_left(a, at, i);
    }
}

pub fn lt_unsigned(a: &[u64], b: &[u64]) -> bool {
    a.iter().rev().lt(b.iter().rev())
}

/// Two's complement comparison of values of `width` bits.
pub fn lt_signed(a: &[u64], b: &[u64], width: u32) -> bool {
    let (negative_a, negative_b) = (bit(a, width - 1), bit(b, width - 1));
    if negative_a == negative_b { lt_unsigned(a, b) } else { negative_a }
}

pub fn parity(a: &[u64]) -> bool {
    a.iter().fold(0, |acc, w| acc ^ w).count_ones() % 2 == 1
}

fn bit(a: &[u64], index: u32) -> bool {
    a[index as usize / 64] >> (index % 64) & 1 == 1
}
