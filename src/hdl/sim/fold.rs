//! The value of an operation on constants.

use super::wide;
use crate::hdl::bits::{Bits, words_for};
use crate::hdl::ir::{BinOp, NodeId, Op, RedOp};

/// The value of `op` when all its operands are constants, `None` otherwise and for operations that are no function of
/// operands. Shift amounts have at most 32 bits here.
pub fn fold<'a>(op: &Op, width: u32, constant: impl Fn(NodeId) -> Option<&'a Bits>) -> Option<Bits> {
    let mut words = vec![0; words_for(width)];
    match op {
        Op::Const(_) | Op::Input(_) | Op::Wire(_) | Op::Reg(_) | Op::MemRead { .. } | Op::InstOut { .. } => {
            return None;
        }
        Op::Not(a) => words.iter_mut().zip(constant(*a)?.words()).for_each(|(d, a)| *d = !a),
        Op::Binary(op, a, b) => binary(*op, &mut words, width, constant(*a)?, constant(*b)?),
        Op::Mux { sel, t, f } => {
            let chosen = if constant(*sel)?.is_zero() { f } else { t };
            return constant(*chosen).cloned();
        }
        Op::Select { sel, cases } => {
            let index = constant(*sel)?.to_u64().map_or(usize::MAX, |v| v as usize);
            return constant(cases[index.min(cases.len() - 1)]).cloned();
        }
        Op::Concat(parts) => {
            let mut at = 0;
            for part in parts.iter().rev() {
                let part = constant(*part)?;
                wide::insert(&mut words, part.words(), at);
                at += part.width();
            }
        }
        Op::Slice { a, lo } => wide::shr(&mut words, constant(*a)?.words(), *lo),
        Op::Zext(a) => wide::shr(&mut words, constant(*a)?.words(), 0),
        Op::Sext(a) => {
            let a = constant(*a)?;
            wide::sext(&mut words, a.words(), a.width());
        }
        Op::Reduce(op, a) => {
            let a = constant(*a)?;
            words[0] = u64::from(match op {
                RedOp::And => *a == Bits::ones(a.width()),
                RedOp::Or => !a.is_zero(),
                RedOp::Xor => wide::parity(a.words()),
            });
        }
    }
    Some(Bits::from_words(&words, width))
}

fn binary(op: BinOp, dst: &mut [u64], width: u32, a: &Bits, b: &Bits) {
    let (x, y) = (a.words(), b.words());
    let amount = || b.to_u64().map_or(u32::MAX, |v| v.min(u64::from(u32::MAX)) as u32);
    let mut bitwise =
        |f: fn(u64, u64) -> u64| dst.iter_mut().zip(x.iter().zip(y)).for_each(|(d, (x, y))| *d = f(*x, *y));
    match op {
        BinOp::And => bitwise(|x, y| x & y),
        BinOp::Or => bitwise(|x, y| x | y),
        BinOp::Xor => bitwise(|x, y| x ^ y),
        BinOp::Add => wide::add(dst, x, y),
        BinOp::Sub => wide::sub(dst, x, y),
        BinOp::MulU => wide::mul(dst, x, y),
        BinOp::MulS => wide::mul_signed(dst, x, a.width(), y, b.width()),
        BinOp::Eq => dst[0] = u64::from(x == y),
        BinOp::Ne => dst[0] = u64::from(x != y),
        BinOp::LtU => dst[0] = u64::from(wide::lt_unsigned(x, y)),
        BinOp::LtS => dst[0] = u64::from(wide::lt_signed(x, y, a.width())),
        BinOp::LeU => dst[0] = u64::from(!wide::lt_unsigned(y, x)),
        BinOp::LeS => dst[0] = u64::from(!wide::lt_signed(y, x, a.width())),
        BinOp::Shl => wide::shl(dst, x, amount()),
        BinOp::Shr => wide::shr(dst, x, amount()),
        BinOp::Sra => wide::sra(dst, x, width, amount()),
    }
}
