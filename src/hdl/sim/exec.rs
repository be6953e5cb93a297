//! The interpreter: one `match` for each run of instructions, one tight loop for the run.

use super::code::{Cut, Entry, Field, Op, Run, Shape, SignField, SignFields};
use super::program::Memory;
use super::wide;

/// Runs of which all operands are known to lie below the results.
pub struct Code {
    runs: Vec<Run>,
    records: Vec<u32>,
}

impl Code {
    /// # Panics
    /// If a record is malformed or an operand does not lie below the results of its run, which would be a mistake in the
    /// compiler of this simulator.
    pub fn new(runs: Vec<Run>, records: Vec<u32>) -> Code {
        for run in &runs {
            check(run, &records[run.records as usize..][..run.records_len as usize]);
        }
        Code { runs, records }
    }

    pub fn runs(&self) -> &[Run] {
        &self.runs
    }

    /// Executes all runs from `first` on. `contents` are the words of all memories.
    pub fn execute(&self, first: usize, state: &mut [u64], mems: &[Memory], contents: &[u64]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("popcnt")
        {
            // SAFETY: the processor has these features.
            return self.for_each_run(first, state, |run, rec, src, dst| unsafe {
                execute_run_avx2(run, rec, src, dst, mems, contents);
            });
        }
        self.for_each_run(first, state, |run, rec, src, dst| execute_run(run, rec, src, dst, mems, contents));
    }

    /// Calls `f` with a run, its records, the state below its results, and its results.
    #[inline(always)]
    fn for_each_run(&self, first: usize, state: &mut [u64], f: impl Fn(&Run, &[u32], &[u64], &mut [u64])) {
        for run in &self.runs[first..] {
            let (src, rest) = state.split_at_mut(run.dst as usize);
            let dst = &mut rest[..run.dst_len as usize];
            f(run, &self.records[run.records as usize..][..run.records_len as usize], src, dst);
        }
    }
}

fn check(run: &Run, mut records: &[u32]) {
    let below = |a: u32, words: u64| {
        assert!(u64::from(a) + words <= u64::from(run.dst), "operand of {:?} out of place", run.op)
    };
    let words = |entry: Entry, next: Option<&u32>| match entry {
        Entry::One => 1,
        Entry::Two => 2,
        Entry::Many => u64::from(run.words),
        Entry::Bits => u64::from(next.expect("a width").div_ceil(64)),
        Entry::Words => u64::from(*next.expect("a count")),
        Entry::Imm => 0,
    };
    while !records.is_empty() {
        let length = match run.op.shape() {
            Shape::Fixed(entries) => {
                for (i, entry) in entries.iter().enumerate().filter(|(_, e)| **e != Entry::Imm) {
                    below(records[i], words(*entry, records.get(i + 1)));
                }
                entries.len()
            }
            Shape::Select(case) => {
                let count = records[1] as usize;
                assert!(count > 0, "no cases");
                below(records[0], 1);
                records[2..2 + count].iter().for_each(|a| below(*a, words(case, None)));
                2 + count
            }
            Shape::Gather => {
                let count = records[0] as usize;
                records[1..1 + 2 * count].iter().step_by(2).for_each(|a| below(*a, 1));
                1 + 2 * count
            }
        };
        records = &records[length..];
    }
}

/// [`execute_run`] with vector operations and three-operand shifts: a third faster (AVX-512 with its slow gathers is
/// slower than either). Not inlined, because only as parameters `src` and `dst` are known to be apart.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
#[inline(never)]
fn execute_run_avx2(run: &Run, rec: &[u32], src: &[u64], dst: &mut [u64], mems: &[Memory], contents: &[u64]) {
    execute_run(run, rec, src, dst, mems, contents);
}

#[inline(always)]
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
            let (a, b) = SignFields::extended(i, at(src, a), at(src, b));
            a.wrapping_mul(b) as u64 & low(SignFields::mask(i))
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
        Op::Bit => each(rec, dst, |[a, i]| at(src, a).wrapping_shr(i) & 1),
        Op::ShlFits => each(rec, dst, |[a, i]| at(src, a).wrapping_shl(i)),
        Op::Slice => each(rec, dst, |[a, i]| Cut::of(i, at(src, a))),
        Op::Field => each(rec, dst, |[a, i]| Field::of(i, at(src, a))),
        Op::FieldOf2 => each(rec, dst, |[a, i]| Field::of_wide(i, at2(src, a)) as u64),
        Op::SignField => each(rec, dst, |[a, i]| SignField::of(i, at(src, a))),
        Op::Join => each(rec, dst, |[high, low, i]| at(src, high).wrapping_shl(i) | at(src, low)),
        Op::Gather2 => each(rec, dst, |[a, i, b, j]| Field::of(i, at(src, a)) | Field::of(j, at(src, b))),
        Op::Gather => {
            let mut rec = rec;
            for d in dst {
                let (count, rest) = rec.split_first().expect("a record for each word");
                let (fields, rest) = rest.split_at(2 * *count as usize);
                *d = fields.as_chunks().0.iter().fold(0, |word, [a, i]| word | Field::of(*i, at(src, *a)));
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
            let (a, b) = SignFields::extended(i, at(src, a), at(src, b));
            i128::from(a).wrapping_mul(i128::from(b)) as u128 & low2(SignFields::mask(i))
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
        Op::Field2 => each2(rec, dst, |[a, i]| Field::of_wide(i, at2(src, a))),
        Op::Zext2 => each2(rec, dst, |[a]| u128::from(at(src, a))),
        Op::SignFieldTo2 => {
            each2(rec, dst, |[a, i, j]| i128::from(SignField::extended(i, at(src, a))) as u128 & low2(j));
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

/// An operand of one word.
#[inline(always)]
fn at(src: &[u64], a: u32) -> u64 {
    // SAFETY: `src` is the state below the results of a run, and `Code::new` has checked that the operand lies there.
    unsafe { *src.get_unchecked(a as usize) }
}

/// An operand of two words.
#[inline(always)]
fn at2(src: &[u64], a: u32) -> u128 {
    u128::from(at(src, a)) | u128::from(at(src, a + 1)) << 64
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
