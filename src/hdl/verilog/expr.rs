//! Expression text with just enough structure to parenthesise it, to limit its length and to break it into lines.

use crate::hdl::bits::Bits;

/// Longest line, in characters.
pub(super) const LINE: usize = 116;

/// Longest expression in parentheses that is kept on one line.
const SHORT: usize = 60;

/// A place where a line may be broken.
pub(super) const BREAK: char = '\u{1}';
/// A place where a line is broken as soon as the whole statement does not fit into one.
pub(super) const BREAK_ALL: char = '\u{2}';

/// What binds an expression together at its outermost level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// Identifiers, literals, selections, replications, function calls.
    Atom,
    /// `{a, b}`.
    Concat,
    /// `~a`.
    Not,
    /// `&a`, `|a`, `^a`.
    Reduce,
    Binary(&'static str),
    Ternary,
    /// Signed operators: right only as the whole of an assignment, because an unsigned neighbour would change their
    /// meaning.
    Signed,
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub text: String,
    pub level: Level,
}

impl Expr {
    pub fn new(level: Level, text: impl Into<String>) -> Expr {
        Expr { text: text.into(), level }
    }

    /// `1'b1`, `4'd5`, `16'h7c00`; long constants in pieces.
    pub fn literal(bits: &Bits) -> Expr {
        let width = bits.width();
        match bits.to_u64() {
            Some(value) if width == 1 => Expr::new(Level::Atom, format!("1'b{value}")),
            Some(value) if value < 1000 => Expr::new(Level::Atom, format!("{width}'d{value}")),
            Some(value) => Expr::new(Level::Atom, format!("{width}'h{value:x}")),
            None if *bits == Bits::ones(width) => Expr::new(Level::Atom, format!("{{{width}{{1'b1}}}}")),
            None if width > 128 => {
                let top = (width - 1) % 64 + 1;
                let word = |(i, word): (usize, &u64)| {
                    let width = if i + 1 == bits.words().len() { top } else { 64 };
                    Expr::literal(&Bits::from_u64(*word, width)).text
                };
                let words: Vec<String> = bits.words().iter().enumerate().rev().map(word).collect();
                Expr::new(Level::Concat, format!("{{{}}}", words.join(&format!(", {BREAK}"))))
            }
            None => Expr::new(Level::Atom, format!("{width}'h{}", bits.to_hex())),
        }
    }

    /// Characters on a line, break marks not counted.
    pub fn len(&self) -> usize {
        self.text.chars().filter(|c| !is_mark(*c)).count()
    }

    /// As an operand of a unary operator or of one that binds more tightly than anything else around.
    pub fn tight(self) -> String {
        match self.level {
            Level::Atom | Level::Concat => self.text,
            _ => self.in_parentheses(),
        }
    }

    /// Short ones stay on one line; in longer ones no mark forces a break.
    fn in_parentheses(self) -> String {
        if self.len() <= SHORT {
            format!("({})", self.text.replace(is_mark, ""))
        } else {
            format!("({})", self.text.replace(BREAK_ALL, &BREAK.to_string()))
        }
    }

    /// As an operand of a binary operator or as a condition.
    pub fn operand(self) -> String {
        match self.level {
            Level::Atom | Level::Concat | Level::Not => self.text,
            _ => self.in_parentheses(),
        }
    }

    /// As the left operand of `symbol`, where a chain of the same operator needs no parentheses.
    pub fn left_operand(self, symbol: &str) -> String {
        if self.chains_with(symbol) { self.text } else { self.operand() }
    }

    pub fn chains_with(&self, symbol: &str) -> bool {
        match self.level {
            Level::Binary(own) => {
                matches!((own, symbol), ("+" | "-", "+" | "-") | ("&", "&") | ("|", "|") | ("^", "^"))
            }
            _ => false,
        }
    }

    /// As a part of a concatenation, which swallows the braces of an inner one.
    pub fn part(self) -> String {
        if self.level == Level::Concat { self.text[1..self.text.len() - 1].to_owned() } else { self.text }
    }
}

fn is_mark(c: char) -> bool {
    c == BREAK || c == BREAK_ALL
}

/// Appends `text` to `out` as lines that start with `indent` spaces, broken at marks where necessary; continuation
/// lines are indented by four more.
pub(super) fn push_lines(out: &mut String, indent: usize, text: &str) {
    let width = |s: &str| s.chars().filter(|c| !is_mark(*c)).count();
    let push_indent = |out: &mut String, n: usize| out.extend(std::iter::repeat_n(' ', n));
    push_indent(out, indent);
    if indent + width(text) <= LINE {
        out.extend(text.chars().filter(|c| !is_mark(*c)));
        out.push('\n');
        return;
    }
    let mut column = indent;
    let new_line = |out: &mut String| {
        out.truncate(out.trim_end_matches(' ').len());
        out.push('\n');
        push_indent(out, indent + 4);
        indent + 4
    };
    for (index, piece) in text.split_inclusive(is_mark).enumerate() {
        let broken_before = index > 0 && text_before_ends_with_break_all(text, piece);
        if index > 0 && (broken_before || column + width(piece.trim_end_matches(' ')) > LINE) {
            column = new_line(out);
        }
        out.extend(piece.chars().filter(|c| !is_mark(*c)));
        column += width(piece);
    }
    out.push('\n');
}

/// Whether the mark just before `piece`, a part of `text`, is a [`BREAK_ALL`].
fn text_before_ends_with_break_all(text: &str, piece: &str) -> bool {
    let offset = piece.as_ptr() as usize - text.as_ptr() as usize;
    text[..offset].ends_with(BREAK_ALL)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn literal(bits: Bits) -> String {
        Expr::literal(&bits).text.replace(BREAK, "")
    }

    #[test]
    fn literals() {
        assert_eq!(literal(Bits::from_u64(1, 1)), "1'b1");
        assert_eq!(literal(Bits::from_u64(5, 4)), "4'd5");
        assert_eq!(literal(Bits::from_u64(0x3f, 8)), "8'd63");
        assert_eq!(literal(Bits::from_u64(0xf, 16)), "16'd15");
        assert_eq!(literal(Bits::from_u64(0x7c00, 16)), "16'h7c00");
        assert_eq!(literal(Bits::zero(200)), "200'd0");
        assert_eq!(literal(Bits::from_u64(0x1234, 200)), "200'h1234");
        assert_eq!(literal(Bits::ones(200)), "{200{1'b1}}");
        assert_eq!(literal(Bits::from_words(&[1, 2, 3], 130)), "{2'd3, 64'd2, 64'd1}");
        assert_eq!(literal(Bits::from_words(&[0xab, 2], 100)), "100'h00000000200000000000000ab");
    }

    #[test]
    fn lines_break_at_marks_only_when_needed() {
        let mut out = String::new();
        push_lines(&mut out, 4, &format!("wire a = b, {BREAK}c;"));
        assert_eq!(out, "    wire a = b, c;\n");
        let long = "x".repeat(60);
        let mut out = String::new();
        push_lines(&mut out, 4, &format!("{long}, {BREAK}{long}, {BREAK}y;"));
        assert_eq!(out, format!("    {long},\n        {long}, y;\n"));
        let mut out = String::new();
        push_lines(&mut out, 0, &format!("a = {long} {BREAK_ALL}: b {BREAK_ALL}: {long};"));
        assert_eq!(out, format!("a = {long}\n    : b\n    : {long};\n"));
    }
}
