//! The frame of a module: header comment, port list, end.

use super::expr::LINE;
use crate::hdl::ir::Dir;

pub(super) struct Header<'a> {
    pub name: &'a str,
    pub doc: &'a str,
    pub params: &'a [(String, String)],
    pub is_black_box: bool,
}

pub(super) struct PortLine {
    pub dir: Dir,
    pub is_reg: bool,
    pub width: u32,
    pub name: String,
}

/// Everything up to the blank line after the port list.
pub(super) fn start_module(header: &Header, ports: &[PortLine]) -> String {
    let mut out = String::new();
    let title = if header.doc.is_empty() { header.name.to_owned() } else { format!("{}: {}", header.name, header.doc) };
    push_comment(&mut out, &title);
    if !header.params.is_empty() {
        out.push_str("//\n");
        let name_width = header.params.iter().map(|(n, _)| n.chars().count()).max().unwrap_or(0);
        for (name, value) in header.params {
            let value = value.replace(['\n', '\r'], " ");
            out.push_str(&format!("//   {name:name_width$} = {value}\n"));
        }
    }
    out.push_str("//\n// Generated; change the generator, not this file.\n\n`default_nettype none\n\n");
    if header.is_black_box {
        out.push_str("(* blackbox *)\n");
    }
    out.push_str(&format!("module {} (\n", header.name));
    let ranges: Vec<String> = ports.iter().map(|p| range(p.width)).collect();
    let range_width = ranges.iter().map(String::len).max().unwrap_or(0);
    for (index, (port, range)) in ports.iter().zip(&ranges).enumerate() {
        let dir = if port.dir == Dir::Input { "input " } else { "output" };
        let kind = if port.is_reg { "reg " } else { "wire" };
        let comma = if index + 1 < ports.len() { "," } else { "" };
        let gap = if range_width > 0 { " " } else { "" };
        out.push_str(&format!("    {dir} {kind}{gap}{range:range_width$} {}{comma}\n", port.name));
    }
    out.push_str(");\n\n");
    out
}

/// `endmodule`, with exactly one blank line before it unless the module is empty.
pub(super) fn finish_module(out: &mut String) {
    out.truncate(out.trim_end_matches('\n').len());
    out.push_str("\n\nendmodule\n\n`default_nettype wire\n");
}

/// `[7:0]`, nothing for one bit.
pub(super) fn range(width: u32) -> String {
    if width == 1 { String::new() } else { format!("[{}:0]", width - 1) }
}

/// Appends `text` as comment lines, wrapped at spaces.
fn push_comment(out: &mut String, text: &str) {
    for line in text.lines() {
        let mut column = 2;
        out.push_str("//");
        for word in line.split_whitespace() {
            let width = 1 + word.chars().count();
            if column + width > LINE && column > 2 {
                out.push_str("\n//");
                column = 2;
            }
            out.push(' ');
            out.push_str(word);
            column += width;
        }
        out.push('\n');
    }
}
