//! Logic functions as Liberty writes them: `!A`, `A'`, `A * B`, `A & B`, `A B`, `A + B`, `A | B`, `A ^ B`.

/// A function of named inputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Function {
    Constant(bool),
    Input(String),
    Not(Box<Function>),
    And(Box<Function>, Box<Function>),
    Xor(Box<Function>, Box<Function>),
    Or(Box<Function>, Box<Function>),
}

/// A table of more inputs does not fit 64 bits.
const MAX_INPUTS: usize = 6;
/// Longer ones are no gates, and would nest deeper than the stack is.
const MAX_LENGTH: usize = 1024;

impl Function {
    /// `None` if it is not a logic function.
    pub fn parse(text: &str) -> Option<Self> {
        if text.len() > MAX_LENGTH {
            return None;
        }
        let mut parser = Parser { rest: text.trim_start() };
        let function = parser.or()?;
        parser.rest.is_empty().then_some(function)
    }

    /// The inputs, sorted.
    pub fn variables(&self) -> Vec<String> {
        let mut found = Vec::new();
        self.collect(&mut found);
        found.sort();
        found.dedup();
        found
    }

    fn collect(&self, found: &mut Vec<String>) {
        match self {
            Self::Constant(_) => {}
            Self::Input(name) => found.push(name.clone()),
            Self::Not(a) => a.collect(found),
            Self::And(a, b) | Self::Xor(a, b) | Self::Or(a, b) => {
                a.collect(found);
                b.collect(found);
            }
        }
    }

    /// Bit i is the value where input j has bit j of i; `None` if there is more to the function than these inputs, or
    /// there are more than six.
    pub fn truth_table(&self, inputs: &[String]) -> Option<u64> {
        if inputs.len() > MAX_INPUTS {
            return None;
        }
        let bit = |row: u32| self.value(inputs, row).map(|value| u64::from(value) << row);
        (0..1 << inputs.len()).try_fold(0, |table, row| Some(table | bit(row)?))
    }

    fn value(&self, inputs: &[String], row: u32) -> Option<bool> {
        Some(match self {
            Self::Constant(value) => *value,
            Self::Input(name) => row >> inputs.iter().position(|input| input == name)? & 1 == 1,
            Self::Not(a) => !a.value(inputs, row)?,
            Self::And(a, b) => a.value(inputs, row)? & b.value(inputs, row)?,
            Self::Xor(a, b) => a.value(inputs, row)? ^ b.value(inputs, row)?,
            Self::Or(a, b) => a.value(inputs, row)? | b.value(inputs, row)?,
        })
    }
}

struct Parser<'a> {
    rest: &'a str,
}

impl Parser<'_> {
    fn take(&mut self, wanted: &[char]) -> bool {
        let found = self.rest.starts_with(wanted);
        if found {
            self.rest = self.rest[1..].trim_start();
        }
        found
    }

    fn or(&mut self) -> Option<Function> {
        let mut left = self.xor()?;
        while self.take(&['+', '|']) {
            left = Function::Or(left.into(), self.xor()?.into());
        }
        Some(left)
    }

    fn xor(&mut self) -> Option<Function> {
        let mut left = self.and()?;
        while self.take(&['^']) {
            left = Function::Xor(left.into(), self.and()?.into());
        }
        Some(left)
    }

    fn and(&mut self) -> Option<Function> {
        let mut left = self.operand()?;
        // Side by side is another way to write a conjunction.
        while self.take(&['*', '&']) || self.rest.starts_with(|c: char| c == '(' || c == '!' || is_name(c)) {
            left = Function::And(left.into(), self.operand()?.into());
        }
        Some(left)
    }

    fn operand(&mut self) -> Option<Function> {
        let mut operand = if self.take(&['!']) {
            return Some(Function::Not(self.operand()?.into()));
        } else if self.take(&['(']) {
            let inner = self.or()?;
            self.take(&[')']).then_some(inner)?
        } else {
            let length = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
            let (name, rest) = self.rest.split_at(length);
            self.rest = rest.trim_start();
            match name {
                "" => return None,
                "0" | "1" => Function::Constant(name == "1"),
                _ => Function::Input(name.to_owned()),
            }
        };
        while self.take(&['\'']) {
            operand = Function::Not(operand.into());
        }
        Some(operand)
    }
}

fn is_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "_[]".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_write_a_function_is_understood() {
        let table = |text: &str| {
            let function = Function::parse(text)?;
            function.truth_table(&function.variables())
        };
        for (text, expected) in [
            ("A", 0b10),
            ("!A", 0b01),
            ("A'", 0b01),
            ("(A)'", 0b01),
            ("A B", 0b1000),
            ("A*B", 0b1000),
            ("A&!B", 0b0010),
            ("(!A)(B)", 0b0100),
            ("A + B", 0b1110),
            ("A|B ^ A", 0b1110),
            ("A^B", 0b0110),
            ("A + B C", 0b1110_1010),
            ("1", 1),
        ] {
            assert_eq!(table(text), Some(expected), "{text}");
        }
        for text in ["", "A +", "(A", "A)", "A $ B", "'", &"(".repeat(1000)] {
            assert_eq!(table(text), None, "{text}");
        }
        assert_eq!(Function::parse("A B").unwrap().truth_table(&["A".to_owned()]), None);
    }
}
