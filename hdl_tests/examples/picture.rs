//! Waves as a picture.

use crate::waves::Waves;
use std::fmt::Write;
use std::ops::Range;

/// What is drawn of a dump.
pub struct Picture {
    pub cycles: Range<usize>,
    /// Width of a cycle.
    pub pixels: usize,
    pub rows: &'static [Row],
}

/// A signal in a picture.
pub struct Row {
    pub signal: &'static str,
    format: Format,
    /// Drawn in the cycles in which this signal is 1 only.
    pub valid: Option<&'static str>,
}

/// How values are drawn.
#[derive(Clone, Copy)]
pub enum Format {
    /// An edge in each cycle.
    Clock,
    /// One bit, as a line that is low or high.
    Level,
    Unsigned,
    Signed,
    Hex,
    /// The names of the values 0, 1, ..
    Names(&'static [&'static str]),
}

impl Row {
    pub const fn new(signal: &'static str, format: Format) -> Row {
        Row { signal, format, valid: None }
    }

    pub const fn valid_with(self, valid: &'static str) -> Row {
        Row { valid: Some(valid), ..self }
    }
}

/// Distance of rows, and height of a wave, in pixels.
const PITCH: usize = 28;
const HEIGHT: usize = 18;
/// Width of a character of the labels and of the values.
const CHARACTER: usize = 7;
/// Half the width of the crossing between two values.
const SLANT: usize = 2;
const STYLE: &str = "text{font:12px monospace;fill:#222}.n{font-size:10px;fill:#666}.v{text-anchor:middle}\
    .g{stroke:#ddd}.w{fill:none;stroke:#1a5fb4;stroke-width:1.5}.b{fill:#e6effa;stroke:#1a5fb4}.u{stroke:#aaa}";

impl Picture {
    /// The picture as SVG; the same bytes for the same waves.
    pub fn svg(&self, waves: &Waves) -> String {
        let left = CHARACTER * (2 + self.rows.iter().map(|row| row.signal.len()).max().unwrap_or(0));
        let (width, height) = (left + self.cycles.len() * self.pixels + 8, PITCH * (self.rows.len() + 1));
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\">\n<style>{STYLE}</style>\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
        );
        let x = |cycle: usize| left + (cycle - self.cycles.start) * self.pixels;
        // Lines and numbers of cycles as close together as can be read.
        let every = 30usize.div_ceil(self.pixels);
        for cycle in self.cycles.clone().filter(|cycle| cycle % every == 0) {
            let (x, bottom) = (x(cycle), height - 6);
            writeln!(
                svg,
                "<path class=\"g\" d=\"M{x} 18V{bottom}\"/><text class=\"n\" x=\"{x}\" y=\"12\">{cycle}</text>"
            )
            .unwrap();
        }
        for (row, top) in self.rows.iter().zip((1..).map(|i| PITCH * i - 4)) {
            writeln!(svg, "<text x=\"6\" y=\"{}\">{}</text>", top + 14, row.signal).unwrap();
            self.wave(row, waves, top, x, &mut svg);
        }
        svg + "</svg>\n"
    }

    fn wave(&self, row: &Row, waves: &Waves, top: usize, x: impl Fn(usize) -> usize, svg: &mut String) {
        let is_valid = |cycle: usize| row.valid.is_none_or(|valid| waves.signal(valid).values[cycle] == 1);
        let (middle, bottom) = (top + HEIGHT / 2, top + HEIGHT);
        if let Some(valid) = row.valid {
            for (run, _) in waves.runs(valid, self.cycles.clone(), |cycle| !is_valid(cycle)) {
                let (from, to) = (x(run.start), x(run.end));
                writeln!(svg, "<path class=\"u\" d=\"M{from} {middle}H{to}\" stroke-dasharray=\"2 3\"/>").unwrap();
            }
        }
        if let Format::Clock = row.format {
            let half = self.pixels / 2;
            let rest = self.pixels - half;
            let cycle = format!("v-{HEIGHT}h{half}v{HEIGHT}h{rest}").repeat(self.cycles.len());
            writeln!(svg, "<path class=\"w\" d=\"M{} {bottom}{cycle}\"/>", x(self.cycles.start)).unwrap();
            return;
        }
        let signal = waves.signal(row.signal);
        let runs = waves.runs(row.signal, self.cycles.clone(), is_valid);
        if let Format::Level = row.format {
            assert_eq!(signal.width, 1, "{} is no level", row.signal);
            let mut line = String::new();
            let mut end = None;
            for (run, value) in runs {
                let y = if value == 1 { top } else { bottom };
                match end {
                    Some(end) if end == run.start => write!(line, "V{y}").unwrap(),
                    _ => write!(line, "M{} {y}", x(run.start)).unwrap(),
                }
                write!(line, "H{}", x(run.end)).unwrap();
                end = Some(run.end);
            }
            writeln!(svg, "<path class=\"w\" d=\"{line}\"/>").unwrap();
            return;
        }
        for (run, value) in runs {
            let (from, to) = (x(run.start), x(run.end));
            let (inner, outer) = (from + SLANT, to - SLANT);
            writeln!(
                svg,
                "<path class=\"b\" d=\"M{from} {middle}L{inner} {top}H{outer}L{to} {middle}L{outer} {bottom}H{inner}Z\"/>"
            )
            .unwrap();
            let text = row.format.text(value, signal.width);
            if text.len() * CHARACTER + 2 * SLANT <= to - from {
                let centre = (from + to) / 2;
                writeln!(svg, "<text class=\"v\" x=\"{centre}\" y=\"{}\">{text}</text>", top + 14).unwrap();
            }
        }
    }
}

impl Format {
    fn text(self, value: u64, width: u32) -> String {
        match self {
            Format::Signed => (((value << (64 - width)) as i64) >> (64 - width)).to_string(),
            Format::Hex => format!("{value:0digits$X}", digits = width.div_ceil(4) as usize),
            Format::Names(names) => names[value as usize].to_owned(),
            _ => value.to_string(),
        }
    }
}
