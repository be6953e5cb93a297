//! The ports of `eva_core`, as `docs/interface.md` states them.

use super::PortSpec;
use crate::config::CoreConfig;

/// The counters, in the order of [`Counters`](super::Counters).
pub const COUNTERS: [&str; 9] = [
    "stat_cycles",
    "stat_w_beats",
    "stat_x_beats",
    "stat_y_beats",
    "stat_w_stalls",
    "stat_x_stalls",
    "stat_y_stalls",
    "stat_load_stalls",
    "stat_oc_stalls",
];

/// Every port of the `eva_core` that `config` describes, clock included.
pub fn core_ports(config: &CoreConfig) -> Vec<PortSpec> {
    let mut ports = vec![PortSpec::input("aclk", 1), PortSpec::input("aresetn", 1)];
    for (stream, width) in [("s_axis_cmd", 128), ("s_axis_w", config.stream.width), ("s_axis_x", config.x_width())] {
        ports.push(PortSpec::input(&format!("{stream}_tdata"), width));
        ports.push(PortSpec::input(&format!("{stream}_tvalid"), 1));
        ports.push(PortSpec::output(&format!("{stream}_tready"), 1));
    }
    for (stream, width) in [("m_axis_y", 32), ("m_axis_sts", 64)] {
        ports.push(PortSpec::output(&format!("{stream}_tdata"), width));
        ports.push(PortSpec::output(&format!("{stream}_tvalid"), 1));
        ports.push(PortSpec::input(&format!("{stream}_tready"), 1));
    }
    ports.push(PortSpec::output("m_axis_y_tlast", 1));
    ports.push(PortSpec::output("busy", 1));
    for counter in COUNTERS {
        ports.push(PortSpec::output(counter, 32));
    }
    ports
}
