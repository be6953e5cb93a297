//! The block diagram of a core: where a box stands is written here; what is in it, how often, how wide its connections are, and
//! that they exist, is read from the elaborated hierarchy.

use std::collections::BTreeSet;

use eva_rtl::config::CoreConfig;
use eva_rtl::hdl::ir::{Design, Dir, InstId, Instance, Module, ModuleId, NodeId, Op, Port};
use eva_rtl::hdl::verilog::memory_modules;
use eva_rtl::rtl::eva_core;

use super::svg::{AMBER, Anchor, BLUE, GREEN, GREY, INK, PALE, Svg};

const PRESET: &str = "small";

/// Instances with these names, but for digits at the end, and the modules in them that are counted.
struct Block(&'static str, &'static str, [f64; 4], &'static [&'static str]);

const BLOCKS: [Block; 13] = [
    Block("u_command", "checks commands", [150.0, 40.0, 190.0, 60.0], &[]),
    Block("u_weight_control", "order on the stream", [150.0, 140.0, 190.0, 60.0], &[]),
    Block("u_codebook_buffer", "codebooks", [150.0, 240.0, 190.0, 60.0], &[]),
    Block("u_x_buffer", "activations", [150.0, 340.0, 190.0, 60.0], &[]),
    Block("u_int8_control", "INT8 passes", [150.0, 440.0, 190.0, 60.0], &[]),
    Block("u_scale_buffer", "scales", [150.0, 540.0, 190.0, 60.0], &[]),
    Block("u_gemm_control", "steps of the array", [470.0, 40.0, 190.0, 60.0], &[]),
    Block("u_array", "codebook products", [470.0, 240.0, 190.0, 160.0], &["eva_row", "eva_pe", "eva_dot"]),
    Block("u_epilogue_control", "steps of the epilogue", [760.0, 40.0, 190.0, 60.0], &[]),
    Block("u_epilogue", "lookups and sums", [760.0, 240.0, 190.0, 160.0], &["eva_oc_bank"]),
    Block("u_accumulator", "sums of outputs", [1050.0, 215.0, 190.0, 60.0], &[]),
    Block("u_scaler", "times scale, rounds", [1050.0, 340.0, 190.0, 60.0], &[]),
    Block("u_y_queue", "outputs on their way", [1050.0, 440.0, 190.0, 60.0], &[]),
];
const COMPLETION: Block = Block("u_completion", "statuses in order", [1050.0, 40.0, 190.0, 60.0], &[]);

/// Ports of the core: the left of each, and its middle.
const PORTS: [(&str, f64, f64); 5] = [
    ("s_axis_cmd", 10.0, 70.0),
    ("s_axis_w", 10.0, 225.0),
    ("s_axis_x", 10.0, 370.0),
    ("m_axis_sts", 1275.0, 70.0),
    ("m_axis_y", 1275.0, 470.0),
];

/// From a port of an instance, or of the core, to an instance or port; what it carries, and where that is written, beside the way; the
/// way, as a path of SVG.
struct Edge(&'static str, &'static str, (&'static str, f64, f64), &'static str);

/// Where what is carried is clear.
const CLEAR: (&str, f64, f64) = ("", 0.0, 0.0);

const DATA: [Edge; 21] = [
    Edge("s_axis_cmd_tdata", "u_command", CLEAR, "M100,70 H150"),
    Edge("s_axis_w_tdata", "u_codebook_buffer", CLEAR, "M125,225 V270 H150"),
    Edge("s_axis_w_tdata", "u_int8_control", CLEAR, "M125,225 V460 H150"),
    Edge("s_axis_w_tdata", "u_scale_buffer", CLEAR, "M125,225 V570 H150"),
    Edge("s_axis_w_tdata", "u_epilogue_control", ("index words", 366.0, 215.0), "M100,225 H715 V85 H760"),
    Edge("s_axis_x_tdata", "u_x_buffer", CLEAR, "M100,370 H150"),
    Edge("s_axis_x_tdata", "u_int8_control", CLEAR, "M138,370 V480 H150"),
    Edge("u_codebook_buffer.lane", "u_array", ("entry", 366.0, 260.0), "M340,270 H470"),
    Edge("u_x_buffer.lane", "u_array", ("vectors", 366.0, 350.0), "M340,360 H470"),
    Edge("u_int8_control.steer_token", "u_array", ("token", 408.0, 430.0), "M340,470 H400 V385 H470"),
    Edge("u_int8_control.write_data", "u_x_buffer", ("row words", 252.0, 420.0), "M245,440 V400"),
    Edge("u_array.out_y", "u_epilogue", ("results", 667.0, 270.0), "M660,280 H760"),
    Edge("u_epilogue.psum", "u_array", ("INT8", 667.0, 350.0), "M760,360 H660"),
    Edge("u_epilogue_control.index", "u_epilogue", ("indices", 862.0, 165.0), "M855,100 V240"),
    Edge("u_epilogue.sum_value", "u_accumulator", ("sums", 966.0, 247.0), "M962,257 H1050"),
    Edge("u_accumulator.result_value", "u_scaler", ("sum", 1152.0, 307.0), "M1145,275 V340"),
    Edge("u_array.emitted_sum", "u_scaler", ("INT8 sum", 573.0, 418.0), "M565,400 V428 H1000 V360 H1050"),
    Edge("u_scale_buffer.lane", "u_scaler", ("scale", 366.0, 560.0), "M340,570 H1015 V385 H1050"),
    Edge("u_scaler.y", "u_y_queue", ("output", 1152.0, 420.0), "M1145,400 V440"),
    Edge("u_y_queue.m_data", "m_axis_y_tdata", CLEAR, "M1240,470 H1275"),
    Edge("u_completion.sts_data", "m_axis_sts_tdata", CLEAR, "M1240,70 H1275"),
];
/// Jobs and control.
const CONTROL: [Edge; 7] = [
    Edge("u_command.weight_job_valid", "u_weight_control", CLEAR, "M245,100 V140"),
    Edge("u_weight_control.start_codebooks", "u_codebook_buffer", CLEAR, "M245,200 V240"),
    Edge("u_command.gemm_job_valid", "u_gemm_control", CLEAR, "M340,70 H470"),
    Edge("u_command.start_int8", "u_int8_control", CLEAR, "M340,85 H358 V455 H340"),
    Edge("u_command.epilogue_job_valid", "u_epilogue_control", CLEAR, "M855,22 V40"),
    Edge("u_command.pending_valid", "u_completion", CLEAR, "M245,40 V22 H1145 V40"),
    Edge("u_gemm_control.steer_valid", "u_array", CLEAR, "M565,100 V240"),
];
/// Instances that only hold or cut up what passes through them.
const TRANSPARENT: [&str; 4] = ["_skid", "_jobs", "_loader", "_unpacker"];

/// The picture.
pub fn picture() -> String {
    let cfg = CoreConfig::preset(PRESET).unwrap();
    let design = eva_core(&cfg).unwrap().design;
    let core = Core { design: &design, top: design.top_module() };
    let mut svg = Svg::new(1375, 640);
    let edges = CONTROL.iter().map(|edge| (edge, true)).chain(DATA.iter().map(|edge| (edge, false)));
    let mut labels = Vec::new();
    for (Edge(from, to, (label, x, y), path), is_control) in edges {
        let (sources, width) = core.width(from, to);
        svg.arrow(path, is_control);
        let times = if sources > 1 { format!("{sources} x ") } else { String::new() };
        labels.push((*x, *y, if label.is_empty() { String::new() } else { format!("{label}, {times}{width}") }));
    }
    for (x, y, label) in labels.into_iter().filter(|(_, _, label)| !label.is_empty()) {
        svg.text(x, y, 13, INK, Anchor::Start, label);
    }
    for (name, x, y) in PORTS {
        let width = core.port(&format!("{name}_tdata")).width;
        svg.rect(x, y - 18.0, 90.0, 36.0, GREEN);
        svg.text(x + 45.0, y - 7.0, 13, INK, Anchor::Middle, name);
        svg.text(x + 45.0, y + 8.0, 13, GREY, Anchor::Middle, format!("{width} bits"));
    }
    for block in BLOCKS.iter().chain([&COMPLETION]) {
        core.draw(&mut svg, block);
    }
    let (modules, memories) = (design.modules.len(), memory_modules(&design).len());
    let caption = format!(
        "eva_core of preset {PRESET}: {} files of Verilog, {modules} modules and {memories} memories; numbers are bits; dashed: control; \
         queues, loaders and unpackers between the boxes are left out",
        modules + memories
    );
    svg.text(10.0, 622.0, 13, GREY, Anchor::Start, caption);
    svg.finish()
}

struct Core<'d> {
    design: &'d Design,
    top: &'d Module,
}

impl<'d> Core<'d> {
    /// The instances of a box.
    fn instances(&self, name: &str) -> Vec<(usize, &'d Instance)> {
        let is_one = |instance: &Instance| instance.name.trim_end_matches(|last: char| last.is_ascii_digit()) == name;
        let found: Vec<_> = self.top.instances.iter().enumerate().filter(|(_, instance)| is_one(instance)).collect();
        assert!(!found.is_empty(), "the core has no {name}");
        found
    }

    fn draw(&self, svg: &mut Svg, Block(name, what, [x, y, width, height], parts): &Block) {
        let instances = self.instances(name);
        let module = instances[0].1.module;
        let bits: u64 =
            self.total(module, &|module| module.mems.iter().map(|mem| u64::from(mem.depth * mem.width)).sum());
        let fill = if bits > 0 {
            AMBER
        } else if parts.is_empty() {
            PALE
        } else {
            BLUE
        };
        // A stack of boxes behind the first one.
        for behind in (1..instances.len().min(4)).rev() {
            let offset = 4.0 * behind as f64;
            svg.rect(x + offset, y + offset, *width, *height, fill);
        }
        svg.rect(*x, *y, *width, *height, fill);
        let times = if instances.len() > 1 { format!("{} x ", instances.len()) } else { String::new() };
        let mut lines =
            vec![(13, INK, format!("{times}{}", self.design.module(module).name)), (13, GREY, (*what).to_owned())];
        for part in *parts {
            let count = self.total(module, &|module| u64::from(module.name == *part));
            lines.push((13, INK, format!("{count} {part}")));
        }
        if bits > 0 {
            lines.push((13, INK, format!("{} of memory", size(bits))));
        }
        for (place, (size, color, line)) in lines.into_iter().enumerate() {
            let each = if instances.len() > 1 && color == INK && place > 0 { " each" } else { "" };
            svg.text(x + width / 2.0, y + 13.0 + 17.0 * place as f64, size, color, Anchor::Middle, line + each);
        }
    }

    /// The sum of `f` over a module and all below it.
    fn total(&self, module: ModuleId, f: &dyn Fn(&Module) -> u64) -> u64 {
        let module = self.design.module(module);
        f(module) + module.instances.iter().map(|instance| self.total(instance.module, f)).sum::<u64>()
    }

    fn port(&self, name: &str) -> &Port {
        self.top.ports.iter().find(|port| port.name == name).expect(name)
    }

    /// How many sources a connection has, and the bits of each.
    fn width(&self, from: &str, to: &str) -> (usize, u32) {
        let sources = self.sources_of(to);
        let Some((name, port)) = from.split_once('.') else {
            assert!(sources.contains(&(None, from.to_owned())), "{from} does not reach {to}");
            return (1, self.port(from).width);
        };
        let instances = self.instances(name);
        for (_, instance) in &instances {
            assert!(sources.contains(&(Some(instance.name.clone()), port.to_owned())), "{from} does not reach {to}");
        }
        let ports = &self.design.module(instances[0].1.module).ports;
        (instances.len(), ports.iter().find(|found| found.name == port).expect(from).width)
    }

    /// The ports, of instances or of the core, from which something reaches the inputs of an instance, or an output of the core.
    fn sources_of(&self, to: &str) -> BTreeSet<(Option<String>, String)> {
        let mut open: Vec<NodeId> = match self.top.ports.iter().find(|port| port.name == to) {
            Some(port) => vec![port.node],
            None => self.instances(to).into_iter().flat_map(|(number, _)| self.inputs(InstId(number as u32))).collect(),
        };
        let mut seen = BTreeSet::new();
        let mut sources = BTreeSet::new();
        while let Some(node) = open.pop() {
            if !seen.insert(node) {
                continue;
            }
            match &self.top.node(node).op {
                Op::Input(port) => drop(sources.insert((None, self.top.ports[port.index()].name.clone()))),
                Op::Reg(reg) => open.extend(self.top.regs[reg.index()].next),
                Op::InstOut { inst, port } => {
                    let instance = &self.top.instances[inst.index()];
                    let name = instance.name.trim_end_matches(|last: char| last.is_ascii_digit());
                    if TRANSPARENT.iter().any(|suffix| name.ends_with(suffix)) {
                        open.extend(self.inputs(*inst));
                    } else {
                        let port = &self.design.module(instance.module).ports[port.index()];
                        sources.insert((Some(instance.name.clone()), port.name.clone()));
                    }
                }
                _ => self.top.for_each_operand(node, |operand| open.push(operand)),
            }
        }
        sources
    }

    /// What drives the inputs of an instance.
    fn inputs(&self, instance: InstId) -> Vec<NodeId> {
        let instance = &self.top.instances[instance.index()];
        let ports = self.design.module(instance.module).ports.iter().zip(&instance.connections);
        ports.filter(|(port, _)| port.dir == Dir::Input).filter_map(|(_, driver)| *driver).collect()
    }
}

/// Bits, in units that can be read.
fn size(bits: u64) -> String {
    if bits < 10_000 { format!("{bits} bits") } else { format!("{} kbit", bits / 1024) }
}
