//! Buffers for what drives too much across modules.
//!
//! ABC buffers within the logic of a module. It does not see wires that lead from a register or a port to other modules,
//! whose loads add up from level to level. Here each module, children before parents, gets trees of buffers so that nothing
//! in it drives more than [`MAX_LOADS`] inputs, those within its children included.

use std::collections::HashMap;

/// Inputs of cells that a net may drive, as in the recipes.
const MAX_LOADS: u64 = 16;

/// The cell to buffer with.
#[derive(Clone, Debug)]
pub struct Buffer {
    pub cell: String,
    pub input: String,
    pub output: String,
    pub area: f64,
}

/// A module with its buffers.
pub struct Buffered {
    /// Verilog.
    pub netlist: String,
    /// How many were added.
    pub buffers: u64,
    /// Inputs of cells that each bit of an input port drives, the lowest bit first.
    pub loads: HashMap<String, Vec<u64>>,
}

/// A bit of a connection: a net, or a constant.
type Bit = String;

/// The place of a bit in the text: line, and index into the bits of its connection.
struct Sink {
    line: usize,
    index: usize,
    loads: u64,
}

/// Adds buffers to `netlist`, a module as Yosys writes it with one connection per line. `is_output` says whether a pin of a
/// cell drives; `children` has the loads of the input ports of modules in it, by their names. The net `clock` is left
/// alone.
pub fn buffer(
    netlist: &str,
    clock: &str,
    buffer: &Buffer,
    is_output: impl Fn(&str, &str) -> bool,
    children: &HashMap<String, HashMap<String, Vec<u64>>>,
) -> Buffered {
    let mut lines: Vec<String> = netlist.lines().map(str::to_owned).collect();
    let widths = widths(netlist);
    let mut connections: HashMap<usize, Vec<Bit>> = HashMap::new();
    let mut sinks: HashMap<Bit, Vec<Sink>> = HashMap::new();
    let mut cell = None;
    for (line, text) in lines.iter().enumerate() {
        let trimmed = text.trim();
        if let Some((head, "")) = trimmed.split_once(" (") {
            cell = head.split_whitespace().next();
            continue;
        }
        let connection = trimmed.strip_prefix('.').and_then(|rest| rest.trim_end_matches(',').split_once('('));
        let (Some(cell), Some((pin, net))) = (cell, connection) else {
            continue;
        };
        let Some(bits) = net.strip_suffix(')').and_then(|net| bits(net.trim(), &widths)) else {
            continue;
        };
        let child = children.get(cell);
        if child.map_or_else(|| is_output(cell, pin), |child| !child.contains_key(pin)) {
            continue;
        }
        let count = bits.len();
        for (index, bit) in bits.iter().enumerate() {
            // The highest bit is written first.
            let loads = child.and_then(|child| child.get(pin)?.get(count - 1 - index).copied()).unwrap_or(1);
            if !bit.contains('\'') && bit != clock && loads > 0 {
                sinks.entry(bit.clone()).or_default().push(Sink { line, index, loads });
            }
        }
        connections.insert(line, bits);
    }

    let mut nets: Vec<(Bit, Vec<Sink>)> = sinks.into_iter().collect();
    nets.sort_by(|a, b| a.0.cmp(&b.0));
    let mut added = Vec::new();
    let mut driven: HashMap<Bit, u64> = HashMap::new();
    for (net, sinks) in nets {
        let mut total: u64 = sinks.iter().map(|sink| sink.loads).sum();
        if total > MAX_LOADS {
            // The first level of buffers stands before the sinks, each next one before the buffers of that before.
            let mut level: Vec<usize> = Vec::new();
            let mut room = 0;
            for sink in &sinks {
                if sink.loads > room {
                    level.push(added.len());
                    added.push(net.clone());
                    room = MAX_LOADS.max(sink.loads);
                }
                room -= sink.loads;
                let bits = connections.get_mut(&sink.line).expect("every sink is in a connection");
                bits[sink.index] = format!("_fan{}_", added.len() - 1);
            }
            while level.len() as u64 > MAX_LOADS {
                let mut next = Vec::new();
                for group in level.chunks(MAX_LOADS as usize) {
                    next.push(added.len());
                    group.iter().for_each(|below| added[*below] = format!("_fan{}_", added.len()));
                    added.push(net.clone());
                }
                level = next;
            }
            total = level.len() as u64;
        }
        driven.insert(net, total);
    }

    for (line, bits) in &connections {
        if bits.iter().any(|bit| bit.starts_with("_fan")) {
            let (head, _) = lines[*line].split_once('(').expect("a connection has parentheses");
            let comma = if lines[*line].ends_with(',') { "," } else { "" };
            lines[*line] = format!("{head}({{ {} }}){comma}", bits.join(", "));
        }
    }
    let end = lines.iter().rposition(|line| line.trim() == "endmodule").unwrap_or(lines.len());
    let Buffer { cell, input, output, .. } = buffer;
    let instances = added.iter().enumerate().flat_map(|(index, net)| {
        [
            format!("  wire _fan{index}_;"),
            format!("  {cell} _buffer{index}_ (\n    .{input}({net}),\n    .{output}(_fan{index}_)\n  );"),
        ]
    });
    let instances: Vec<String> = instances.collect();
    lines.splice(end..end, instances);

    let ports = netlist.lines().filter_map(|line| Some(declaration(line.trim().strip_prefix("input ")?)));
    let loads = ports.map(|(name, width)| {
        let bit = |index: u32| width.map_or_else(|| name.clone(), |_| format!("{name}[{index}]"));
        let of = |index| driven.get(&bit(index)).copied().unwrap_or(0);
        (name.trim_start_matches('\\').trim().to_owned(), (0..width.unwrap_or(1)).map(of).collect())
    });
    Buffered { loads: loads.collect(), buffers: added.len() as u64, netlist: lines.join("\n") + "\n" }
}

/// Name of a declared net, and its width if it is a vector.
fn declaration(text: &str) -> (String, Option<u32>) {
    let text = text.trim_end_matches(';');
    match text.strip_prefix('[').and_then(|rest| rest.split_once("] ")) {
        Some((range, name)) => {
            let high = range.split_once(':').and_then(|(high, _)| high.parse::<u32>().ok());
            (name.to_owned(), high.map(|high| high + 1))
        }
        None => (text.to_owned(), None),
    }
}

/// Widths of vectors.
fn widths(netlist: &str) -> HashMap<String, u32> {
    let declared = netlist.lines().filter_map(|line| {
        let line = line.trim();
        let rest = ["wire ", "input ", "output "].iter().find_map(|kind| line.strip_prefix(kind))?;
        let (name, width) = declaration(rest);
        Some((name, width?))
    });
    declared.collect()
}

/// The bits of an expression, as they are written; `None` if it is of a kind that is left as it is.
fn bits(text: &str, widths: &HashMap<String, u32>) -> Option<Vec<Bit>> {
    if let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) {
        let parts: Option<Vec<Vec<Bit>>> = inner.split(',').map(|part| bits(part.trim(), widths)).collect();
        return Some(parts?.concat());
    }
    if let Some((width, digits)) = text.split_once("'h") {
        let width: u32 = width.parse().ok()?;
        let digits = digits.as_bytes();
        let value = |bit: u32| {
            let digit = digits.len().checked_sub(1 + bit as usize / 4).map_or(b'0', |index| digits[index]);
            (digit as char).to_digit(16).map(|digit| digit >> (bit % 4) & 1)
        };
        return (0..width).rev().map(|bit| Some(format!("1'b{}", value(bit)?))).collect();
    }
    if text.is_empty() || text.contains(['{', '\'', '(']) {
        return None;
    }
    let (name, range) = match text.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((name, range)) => (name, Some(range)),
        None => (text, None),
    };
    let (high, low) = match (range, widths.get(name)) {
        (Some(range), _) => match range.split_once(':') {
            Some((high, low)) => (high.parse().ok()?, low.parse().ok()?),
            None => return Some(vec![text.to_owned()]),
        },
        (None, Some(width)) => (width - 1, 0),
        (None, None) => return Some(vec![text.to_owned()]),
    };
    let range: std::ops::RangeInclusive<u32> = low..=high;
    Some(range.rev().map(|bit| format!("{name}[{bit}]")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cell() -> Buffer {
        Buffer { cell: "BUF".into(), input: "A".into(), output: "Y".into(), area: 2.0 }
    }

    #[test]
    fn what_drives_too_much_is_buffered_level_by_level() {
        let mut text = "module m(a, aclk, b);\n  input a;\n  input aclk;\n  input [1:0] b;\n".to_owned();
        for i in 0..40 {
            text += &format!("  INV _{i}_ (\n    .A(a),\n    .CK(aclk),\n    .Y(_n{i}_)\n  );\n");
        }
        text += "  child c (\n    .p({ b, 1'h0 }),\n    .q(y)\n  );\nendmodule\n";
        let children = HashMap::from([("child".to_owned(), HashMap::from([("p".to_owned(), vec![1, 20, 3])]))]);
        let result = buffer(&text, "aclk", &cell(), |_, pin| pin == "Y", &children);
        assert_eq!(result.buffers, 4, "three for a, one for the lower bit of b");
        assert_eq!(result.loads["a"], [3]);
        assert_eq!(result.loads["b"], [1, 3]);
        assert!(result.netlist.contains(".p({ b[1], _fan3_, 1'b0 }),"), "{}", result.netlist);
        assert_eq!(result.netlist.matches(".CK(aclk)").count(), 40);
        assert_eq!(result.netlist.matches(".A(a)").count(), 3);
        assert_eq!(result.netlist.matches(" BUF _buffer").count(), 4);
    }

    #[test]
    fn bits_of_every_kind_of_expression() {
        let widths = HashMap::from([("v".to_owned(), 3)]);
        let of = |text: &str| bits(text, &widths);
        assert_eq!(of("{ x, v[1:0], 2'h2 }").unwrap(), ["x", "v[1]", "v[0]", "1'b1", "1'b0"]);
        assert_eq!(of("v").unwrap(), ["v[2]", "v[1]", "v[0]"]);
        assert_eq!(of("\\u.x [4]").unwrap(), ["\\u.x [4]"]);
        assert_eq!(of("4'bx01x"), None);
        assert_eq!(of(""), None);
    }
}
