//! The interpreter: one `match` for each run of instructions, one tight loop for the run.

use super::code::{Field, Op, Run, SignField, SignFields};
use super::program::Memory;
use super::wide;

/// Executes runs in order. `contents` are the words of all memories.
pub fn execute(runs: &[Run], records: &[u32], state: &mut [u64], mems: &[Memory], contents: &[u64]) {
    for run in runs {
        let (src, rest) = state.split_at_mut(run.dst as usize);
        let dst = &mut rest[..run.dst_len as usize];
        let records = &records[run.records as usize..][..run.records_len as usize];
        execute_run(run, records, src, dst, mems, contents);
    }
}

fn execute_run(run: &Run, rec: &[u32], src: &[u64], dst: &mut [u64], mems: &[Memory], contents: &[u64]) {
    let n = run.words as usize;
    match run.op {
        Op::Copy => each(rec, dst, |[a]| at(src, a)),
        Op::And => each(rec, dst, |[a, b]| at(src, a) & at(src, b)),
        Op::Or => each(rec, dst, |[a, b]| at(src, a) | at(src, b)),
        Op::Xor => each(rec, dst, |[a, b]| at(src, a) ^ at(src, b)),
        Op::AndNot => each(rec, dst, |[a, b]| at(src, a) & !at(src, b)),
        Op::AddFits => each(rec, dst, |[a, b]| at(src, a).wrapping_add(at(src, b))),
        Op::Add => each(rec, dst, |[a, b, i]| at(src, a).wrapping_add(at(src, b)) & low(i)),
        Op::Sub => each(rec, dst, |[a, b, i]| at(src, a).wrapping_sub(at(src, b)) & low(i)),
        Op::Mul => each(rec, dst, |[a, b, i]| at(src, a).wrapping_mul(at(src, b)) & low(i)),
        Op::MulS => each(rec, dst, |[a, b, i]| {
            let fields = SignFields::unpack(i);
            fields.a.extended(at(src, a)).wrapping_mul(fields.b.extended(at(src, b))) as u64 & low(fields.mask)
        }),
        Op::Eq => each(rec, dst, |[a, b]| u64::from(at(src, a) == at(src, b))),
        Op::Ne => each(rec, dst, |[a, b]| u64::from(at(src, a) != at(src, b))),
        Op::LtU => each(rec, dst, |[a, b]| u64::from(at(src, a) < at(src, b))),
        Op::LeU => each(rec, dst, |[a, b]| u64::from(at(src, a) <= at(src, b))),
        Op::LtS => each(rec, dst, |[a, b, i]| u64::from(signed(at(src, a), i) < signed(at(src, b), i))),
        Op::LeS => each(rec, dst, |[a, b, i]| u64::from(signed(at(src, a), i) <= signed(at(src, b), i))),
        Op::Shl => each(rec, dst, |[a, s, i]| shift(at(src, s), 64, |s| at(src, a).wrapping_shl(s)) & low(i)),
        Op::Shr => each(rec, dst, |[a, s]| shift(at(src, s), 64, |s| at(src, a).wrapping_shr(s))),
        Op::Sra => each(rec, dst, |[a, s, i]| {
            let amount = at(src, s).min(63) as u32;
            (signed(at(src, a), i).wrapping_shr(i).wrapping_shr(amount)) as u64 & low(i)
        }),
        Op::Mux => each(rec, dst, |[s, t, f]| {
            let (t, f) = (at(src, t), at(src, f));
            f ^ ((t ^ f) & at(src, s).wrapping_neg())
        }),
        Op::Select => {
            let mut rec = rec;
            for d in dst {
                *d = at(src, chosen(src, &mut rec));
            }
        }
        Op::Field => each(rec, dst, |[a, i]| Field::unpack(i).of(at(src, a))),
        Op::FieldOf2 => each(rec, dst, |[a, i]| Field::unpack(i).of_wide(at2(src, a)) as u64),
        Op::SignField => each(rec, dst, |[a, i]| SignField::unpack(i).of(at(src, a))),
        Op::Join => each(rec, dst, |[high, low, i]| at(src, high).wrapping_shl(i) | at(src, low)),
        Op::Gather => {
            let mut rec = rec;
            for d in dst {
                let (count, rest) = rec.split_first().expect("a record for each word");
                let (fields, rest) = rest.split_at(2 * *count as usize);
                *d = fields.as_chunks().0.iter().fold(0, |word, [a, i]| word | Field::unpack(*i).of(at(src, *a)));
                rec = rest;
            }
        }
        Op::Parity => each(rec, dst, |[a]| u64::from(at(src, a).count_ones() & 1)),
        Op::MemRead => each_n(rec, dst, n, |[a, mem], d| {
            let mem = &mems[mem as usize];
            match mem.word(at(src, a)) {
                Some(range) => d.copy_from_slice(&contents[range]),
                None => d.fill(0),
            }
        }),

        Op::Copy2 => each2(rec, dst, |[a]| at2(src, a)),
        Op::And2 => each2(rec, dst, |[a, b]| at2(src, a) & at2(src, b)),
        Op::Or2 => each2(rec, dst, |[a, b]| at2(src, a) | at2(src, b)),
        Op::Xor2 => each2(rec, dst, |[a, b]| at2(src, a) ^ at2(src, b)),
        Op::AndNot2 => each2(rec, dst, |[a, b]| at2(src, a) & !at2(src, b)),
        Op::Add2 => each2(rec, dst, |[a, b, i]| at2(src, a).wrapping_add(at2(src, b)) & low2(i)),
        Op::Sub2 => each2(rec, dst, |[a, b, i]| at2(src, a).wrapping_sub(at2(src, b)) & low2(i)),
        Op::MulTo2 => {
            each2(rec, dst, |[a, b, i]| u128::from(at(src, a)).wrapping_mul(u128::from(at(src, b))) & low2(i));
        }
        Op::MulSTo2 => each2(rec, dst, |[a, b, i]| {
            let fields = SignFields::unpack(i);
            let (a, b) = (fields.a.extended(at(src, a)), fields.b.extended(at(src, b)));
            i128::from(a).wrapping_mul(i128::from(b)) as u128 & low2(fields.mask)
        }),
        Op::Eq2 => each(rec, dst, |[a, b]| u64::from(at2(src, a) == at2(src, b))),
        Op::Ne2 => each(rec, dst, |[a, b]| u64::from(at2(src, a) != at2(src, b))),
        Op::LtU2 => each(rec, dst, |[a, b]| u64::from(at2(src, a) < at2(src, b))),
        Op::LeU2 => each(rec, dst, |[a, b]| u64::from(at2(src, a) <= at2(src, b))),
        Op::LtS2 => each(rec, dst, |[a, b, i]| u64::from(signed2(at2(src, a), i) < signed2(at2(src, b), i))),
        Op::LeS2 => each(rec, dst, |[a, b, i]| u64::from(signed2(at2(src, a), i) <= signed2(at2(src, b), i))),
        Op::Shl2 => each2(rec, dst, |[a, s, i]| shift(at(src, s), 128, |s| at2(src, a).wrapping_shl(s)) & low2(i)),
        Op::Shr2 => each2(rec, dst, |[a, s]| shift(at(src, s), 128, |s| at2(src, a).wrapping_shr(s))),
        Op::Sra2 => each2(rec, dst, |[a, s, i]| {
            let amount = at(src, s).min(127) as u32;
            (signed2(at2(src, a), i).wrapping_shr(i).wrapping_shr(amount)) as u128 & low2(i)
        }),
        Op::Mux2 => each2(rec, dst, |[s, t, f]| {
            let (t, f) = (at2(src, t), at2(src, f));
            f ^ ((t ^ f) & u128::from(at(src, s)).wrapping_neg())
        }),
        Op::Select2 => {
            let mut rec = rec;
            for d in dst.as_chunks_mut().0 {
                *d = words(at2(src, chosen(src, &mut rec)));
            }
        }
        Op::Field2 => each2(rec, dst, |[a, i]| Field::unpack(i).of_wide(at2(src, a))),
        Op::Zext2 => each2(rec, dst, |[a]| u128::from(at(src, a))),
        Op::SignFieldTo2 => {
            each2(rec, dst, |[a, i, j]| i128::from(SignField::unpack(i).extended(at(src, a))) as u128 & low2(j));
        }
        Op::Sext2 => each2(rec, dst, |[a, i, j]| signed2(at2(src, a), i).wrapping_shr(i) as u128 & low2(j)),

        Op::CopyN => each_n(rec, dst, n, |[a], d| d.copy_from_slice(many(src, a, n))),
        Op::AndN => each_n(rec, dst, n, |[a, b], d| bitwise(d, many(src, a, n), many(src, b, n), |a, b| a & b)),
        Op::OrN => each_n(rec, dst, n, |[a, b], d| bitwise(d, many(src, a, n), many(src, b, n), |a, b| a | b)),
        Op::XorN => each_n(rec, dst, n, |[a, b], d| bitwise(d, many(src, a, n), many(src, b, n), |a, b| a ^ b)),
        Op::AndNotN => each_n(rec, dst, n, |[a, b], d| bitwise(d, many(src, a, n), many(src, b, n), |a, b| a & !b)),
        Op::AddN => each_n(rec, dst, n, |[a, b, i], d| {
            wide::add(d, many(src, a, n), many(src, b, n));
            cut(d, i);
        }),
        Op::SubN => each_n(rec, dst, n, |[a, b, i], d| {
            wide::sub(d, many(src, a, n), many(src, b, n));
            cut(d, i);
        }),
        Op::MulN => each_n(rec, dst, n, |[a, wa, b, wb, i], d| {
            wide::mul(d, bits(src, a, wa), bits(src, b, wb));
            cut(d, i);
        }),
        Op::MulSN => each_n(rec, dst, n, |[a, wa, b, wb, i], d| {
            wide::mul_signed(d, bits(src, a, wa), wa, bits(src, b, wb), wb);
            cut(d, i);
        }),
        Op::EqN => each(rec, dst, |[a, b]| u64::from(many(src, a, n) == many(src, b, n))),
        Op::NeN => each(rec, dst, |[a, b]| u64::from(many(src, a, n) != many(src, b, n))),
        Op::LtUN => each(rec, dst, |[a, b]| u64::from(wide::lt_unsigned(many(src, a, n), many(src, b, n)))),
        Op::LeUN => each(rec, dst, |[a, b]| u64::from(!wide::lt_unsigned(many(src, b, n), many(src, a, n)))),
        Op::LtSN => each(rec, dst, |[a, b, w]| u64::from(wide::lt_signed(many(src, a, n), many(src, b, n), w))),
        Op::LeSN => each(rec, dst, |[a, b, w]| u64::from(!wide::lt_signed(many(src, b, n), many(src, a, n), w))),
        Op::ParityN => each(rec, dst, |[a]| u64::from(wide::parity(many(src, a, n)))),
        Op::ShlN => each_n(rec, dst, n, |[a, s, i], d| {
            wide::shl(d, many(src, a, n), at(src, s) as u32);
            cut(d, i);
        }),
        Op::ShrN => each_n(rec, dst, n, |[a, s], d| wide::shr(d, many(src, a, n), at(src, s) as u32)),
        Op::SraN => each_n(rec, dst, n, |[a, s, w, i], d| {
            wide::sra(d, many(src, a, n), w, at(src, s) as u32);
            cut(d, i);
        }),
        Op::MuxN => each_n(rec, dst, n, |[s, t, f], d| {
            let chosen = if at(src, s) == 0 { f } else { t };
            d.copy_from_slice(many(src, chosen, n));
        }),
        Op::SelectN => {
            let mut rec = rec;
            for d in dst.chunks_exact_mut(n) {
                d.copy_from_slice(many(src, chosen(src, &mut rec), n));
            }
        }
        Op::SextN => each_n(rec, dst, n, |[a, from, i], d| {
            wide::sext(d, bits(src, a, from), from);
            cut(d, i);
        }),
        Op::SliceN => each_n(rec, dst, n, |[a, count, lo, i], d| {
            wide::shr(d, many(src, a, count as usize), lo);
            cut(d, i);
        }),
    }
}

/// One result word for each record.
#[inline(always)]
fn each<const L: usize>(records: &[u32], dst: &mut [u64], f: impl Fn([u32; L]) -> u64) {
    for (d, record) in dst.iter_mut().zip(records.as_chunks().0) {
        *d = f(*record);
    }
}

/// Two result words for each record.
#[inline(always)]
fn each2<const L: usize>(records: &[u32], dst: &mut [u64], f: impl Fn([u32; L]) -> u128) {
    for (d, record) in dst.as_chunks_mut().0.iter_mut().zip(records.as_chunks().0) {
        *d = words(f(*record));
    }
}

/// `n` result words for each record.
#[inline(always)]
fn each_n<const L: usize>(records: &[u32], dst: &mut [u64], n: usize, mut f: impl FnMut([u32; L], &mut [u64])) {
    for (d, record) in dst.chunks_exact_mut(n).zip(records.as_chunks().0) {
        f(*record, d);
    }
}

#[inline(always)]
fn at(src: &[u64], a: u32) -> u64 {
    src[a as usize]
}

#[inline(always)]
fn at2(src: &[u64], a: u32) -> u128 {
    let pair = &src[a as usize..a as usize + 2];
    u128::from(pair[0]) | u128::from(pair[1]) << 64
}

#[inline(always)]
fn many(src: &[u64], a: u32, n: usize) -> &[u64] {
    &src[a as usize..a as usize + n]
}

/// The words of a value of `width` bits.
#[inline(always)]
fn bits(src: &[u64], a: u32, width: u32) -> &[u64] {
    many(src, a, width.div_ceil(64) as usize)
}

#[inline(always)]
fn words(value: u128) -> [u64; 2] {
    [value as u64, (value >> 64) as u64]
}

#[inline(always)]
fn low(i: u32) -> u64 {
    u64::MAX.wrapping_shr(i)
}

#[inline(always)]
fn low2(i: u32) -> u128 {
    u128::MAX.wrapping_shr(i)
}

#[inline(always)]
fn cut(dst: &mut [u64], i: u32) {
    if let Some(top) = dst.last_mut() {
        *top &= low(i);
    }
}

/// A value whose sign bit is brought to the top.
#[inline(always)]
fn signed(a: u64, i: u32) -> i64 {
    a.wrapping_shl(i) as i64
}

#[inline(always)]
fn signed2(a: u128, i: u32) -> i128 {
    a.wrapping_shl(i) as i128
}

/// A shift that may move everything out.
#[inline(always)]
fn shift<T: Default>(amount: u64, bits: u64, f: impl Fn(u32) -> T) -> T {
    if amount < bits { f(amount as u32) } else { T::default() }
}

#[inline(always)]
fn bitwise(dst: &mut [u64], a: &[u64], b: &[u64], f: impl Fn(u64, u64) -> u64) {
    for ((d, a), b) in dst.iter_mut().zip(a).zip(b) {
        *d = f(*a, *b);
    }
}

/// The case that the next record of a selection chooses; takes the record off.
#[inline(always)]
fn chosen(src: &[u64], records: &mut &[u32]) -> u32 {
    let (sel, count) = (records[0], records[1] as usize);
    let cases = &records[2..2 + count];
    let case = cases[(at(src, sel) as usize).min(count - 1)];
    *records = &records[2 + count..];
    case
}
