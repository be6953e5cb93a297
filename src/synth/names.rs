//! Names of registers for the flip-flops of a mapped netlist, whose own names are numbers.

/// The net that the flip-flop `cell` drives in `netlist`, a module as Yosys writes it; `None` if there is none.
pub fn driven_net(netlist: &str, cell: &str, outputs: &[&str]) -> Option<String> {
    let start = netlist.find(&format!(" {cell} ("))?;
    let body = &netlist[start..];
    let body = &body[..body.find(");\n")?];
    let net = |line: &str| {
        let (pin, net) = line.trim().strip_prefix('.')?.split_once('(')?;
        let net = net.trim_end_matches(',').strip_suffix(')')?.trim();
        (outputs.contains(&pin) && !net.is_empty()).then(|| net.trim_start_matches('\\').replace(' ', ""))
    };
    body.lines().find_map(net)
}

/// A name without the number of its bit.
pub fn without_bit(name: &str) -> &str {
    match name.strip_suffix(']').and_then(|rest| rest.rsplit_once('[')) {
        Some((stem, bit)) if bit.chars().all(|c| c.is_ascii_digit()) => stem,
        _ => name,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_net_of_a_flip_flop_is_found() {
        let netlist = "module a();\n  DFF _12_ (\n    .CLK(aclk),\n    .D(_3_),\n    .Q(total_q[3])\n  );\n  DFF _13_ (\n    \
                       .Q(\\u.x [1]),\n    .CLK(aclk)\n  );\nendmodule\n";
        assert_eq!(driven_net(netlist, "_12_", &["Q", "QN"]).as_deref(), Some("total_q[3]"));
        assert_eq!(driven_net(netlist, "_13_", &["Q"]).as_deref(), Some("u.x[1]"));
        assert_eq!(driven_net(netlist, "_1_", &["Q"]), None);
        assert_eq!(driven_net(netlist, "_12_", &["Z"]), None);
    }

    #[test]
    fn bits_are_left_out() {
        assert_eq!(without_bit("total_q[3]"), "total_q");
        assert_eq!(without_bit("u_a.b[x]"), "u_a.b[x]");
        assert_eq!(without_bit("y"), "y");
    }
}
