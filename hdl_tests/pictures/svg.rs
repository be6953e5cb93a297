//! The few elements of SVG that the pictures are made of. Lengths are in pixels, from the upper left corner.

use std::fmt::{Display, Write};

/// Colours of lines and letters, and of one kind of thing each.
pub const INK: &str = "#222";
pub const GREY: &str = "#666";
pub const PALE: &str = "#f4f4f1";
pub const BLUE: &str = "#bcd4ea";
pub const AMBER: &str = "#f0d9a8";
pub const GREEN: &str = "#c5dfbc";

/// Where a text stands in relation to its position.
#[derive(Clone, Copy)]
pub enum Anchor {
    Start,
    Middle,
    End,
}

/// A picture being drawn.
pub struct Svg(String);

impl Svg {
    /// A white page, with arrow heads to use.
    pub fn new(width: u32, height: u32) -> Self {
        let mut text = String::new();
        writeln!(
            text,
            r##"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="Helvetica, Arial, sans-serif">
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0,0 L8,4 L0,8 z" fill="{INK}"/></marker></defs>
<rect width="{width}" height="{height}" fill="#fff"/>"##
        )
        .unwrap();
        Self(text)
    }

    /// A box with an outline.
    pub fn rect(&mut self, x: f64, y: f64, width: f64, height: f64, fill: &str) -> &mut Self {
        let shape = format!(r#"x="{x}" y="{y}" width="{width}" height="{height}""#);
        writeln!(self.0, r#"<rect {shape} fill="{fill}" stroke="{INK}" stroke-width="0.8"/>"#).unwrap();
        self
    }

    /// One line of text, its middle at height `y`.
    pub fn text(&mut self, x: f64, y: f64, size: u32, color: &str, anchor: Anchor, text: impl Display) -> &mut Self {
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        let text = text.to_string().replace('&', "&amp;").replace('<', "&lt;");
        let y = y + 0.35 * f64::from(size);
        writeln!(
            self.0,
            r#"<text x="{x}" y="{y:.1}" font-size="{size}" fill="{color}" text-anchor="{anchor}">{text}</text>"#
        )
        .unwrap();
        self
    }

    /// A line along `path`, in the notation of SVG.
    pub fn line(&mut self, path: impl Display) -> &mut Self {
        self.path(path, "")
    }

    /// An arrow along `path`; dashed if what it carries is control.
    pub fn arrow(&mut self, path: impl Display, dashed: bool) -> &mut Self {
        let dashes = if dashed { r#" stroke-dasharray="4 3""# } else { "" };
        self.path(path, &format!(r#" marker-end="url(#head)"{dashes}"#))
    }

    fn path(&mut self, path: impl Display, style: &str) -> &mut Self {
        writeln!(self.0, r#"<path d="{path}" fill="none" stroke="{INK}" stroke-width="1.2"{style}/>"#).unwrap();
        self
    }

    /// The whole file.
    pub fn finish(self) -> String {
        self.0 + "</svg>\n"
    }
}
