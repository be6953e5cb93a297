//! Exact sums.

use std::ops::{Add, AddAssign};

use super::fp16::Value;

/// An exact sum of values that are all multiples of `2^UNIT`. Infinities and NaN travel as flags beside the integer, so
/// adding is associative and commutative: a sum over a range of inputs can be split anywhere and the parts be added.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ExactSum<const UNIT: i32> {
    /// Sum of the finite terms, in units of `2^UNIT`.
    pub finite: i128,
    /// A term was +infinity.
    pub positive_infinity: bool,
    /// A term was -infinity.
    pub negative_infinity: bool,
    /// A term was NaN.
    pub nan: bool,
}

impl<const UNIT: i32> ExactSum<UNIT> {
    /// The value of the sum; NaN also when infinities of both signs met.
    #[inline]
    pub fn value(&self) -> Value {
        match (self.nan, self.positive_infinity, self.negative_infinity) {
            (true, _, _) | (_, true, true) => Value::Nan,
            (_, true, false) => Value::Infinity { negative: false },
            (_, false, true) => Value::Infinity { negative: true },
            (_, false, false) => Value::Finite { mantissa: self.finite, exponent: UNIT },
        }
    }
}

impl<const UNIT: i32> AddAssign<Value> for ExactSum<UNIT> {
    /// Adds a term.
    ///
    /// # Panics
    /// If the term is finite with an exponent below `UNIT`: it might not be a multiple of the unit.
    #[inline]
    fn add_assign(&mut self, term: Value) {
        match term {
            Value::Finite { mantissa, exponent } => {
                assert!(exponent >= UNIT, "term in units of 2^{exponent} in a sum in units of 2^{UNIT}");
                self.finite += mantissa << (exponent - UNIT);
            }
            Value::Infinity { negative: false } => self.positive_infinity = true,
            Value::Infinity { negative: true } => self.negative_infinity = true,
            Value::Nan => self.nan = true,
        }
    }
}

impl<const UNIT: i32> Add for ExactSum<UNIT> {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            finite: self.finite + other.finite,
            positive_infinity: self.positive_infinity | other.positive_infinity,
            negative_infinity: self.negative_infinity | other.negative_infinity,
            nan: self.nan | other.nan,
        }
    }
}

impl<const UNIT: i32> FromIterator<Value> for ExactSum<UNIT> {
    fn from_iter<I: IntoIterator<Item = Value>>(terms: I) -> Self {
        let mut sum = Self::default();
        for term in terms {
            sum += term;
        }
        sum
    }
}
