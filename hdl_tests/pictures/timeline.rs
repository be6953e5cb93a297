//! What the units of a core do in each cycle, from the waves of a simulation.

use std::collections::HashMap;
use std::fs::File;
use std::io::BufReader;

use eva_rtl::config::CoreConfig;
use eva_rtl::cosim::{Command, Job, Native, RunOptions, run};
use eva_rtl::golden::vq_gemv;
use eva_rtl::rtl::eva_core;
use eva_rtl::vq::{Distribution, LayerShape, Planner, random_activations, random_layer};
use vcd::{Parser, ScopeItem, Value};

use super::svg::{AMBER, Anchor, BLUE, GREEN, GREY, INK, Svg};

/// The core: the smallest preset, with so many units that an index word fills a beat, room for the codebooks of a second layer, and
/// blocks that take a little longer than the array does for a step.
fn config() -> CoreConfig {
    let mut cfg = CoreConfig::preset("tiny").unwrap();
    (cfg.epilogue.units, cfg.vq.max_codebooks, cfg.buffers.max_n_block) = (4, 4, 80);
    cfg.validate().unwrap();
    cfg
}

const LAYERS: usize = 3;
/// Of each layer.
const COLORS: [&str; LAYERS] = [BLUE, AMBER, GREEN];
const SHAPE: LayerShape = LayerShape { inputs: 64, outputs: 80, dim: 4, index_bits: 4, codebooks: 2 };

/// The signals that are looked at.
const SIGNALS: [&str; 17] = [
    "u_w_skid.m_valid",
    "u_w_skid.m_ready",
    "u_x_skid.m_valid",
    "u_x_skid.m_ready",
    "codebook_busy",
    "scale_busy",
    "u_weight_control.to_index",
    "u_gemm_control.go",
    "u_gemm_control.entry",
    "u_gemm_control.step_last",
    "u_gemm_control.half",
    "u_epilogue_control.fire",
    "u_epilogue_control.step_last",
    "u_epilogue_control.half",
    "m_axis_y_tvalid",
    "m_axis_y_tready",
    "m_axis_y_tlast",
];

/// What a unit does from one cycle to before another one.
struct Bar {
    from: usize,
    to: usize,
    layer: usize,
    text: String,
    /// Cycles in which something begins within it.
    marks: Vec<usize>,
}

/// One unit, with its bars.
struct Row(&'static str, Vec<Bar>);

impl Row {
    /// Cycle `at` belongs to this: to the last bar, if that is called the same and has just ended.
    fn add(&mut self, at: usize, layer: usize, text: String) {
        match self.1.last_mut() {
            Some(last) if last.to == at && last.text == text && last.layer == layer => last.to += 1,
            _ => self.1.push(Bar { from: at, to: at + 1, layer, text, marks: Vec::new() }),
        }
    }
}

/// The picture.
pub fn picture() -> String {
    let cfg = config();
    let waves = simulate(&cfg);
    let [mut w, mut x, mut array, mut epilogue, mut y] =
        ["weights", "activations", "array", "epilogue", "outputs"].map(|name| Row(name, Vec::new()));
    let steps = SHAPE.inputs / SHAPE.dim / cfg.tile_vectors() as usize * SHAPE.codebooks;
    let (mut filled, mut looked_up, mut sent) = (0, 0, 0);
    let (mut codebooks, mut was_loading) = (0, false);
    for (at, now) in waves.iter().enumerate() {
        let on = |name: &str| now[name] == 1;
        if on("u_w_skid.m_valid") && on("u_w_skid.m_ready") {
            if on("codebook_busy") {
                w.add(at, codebooks, "C".into());
            } else if on("scale_busy") {
                w.add(at, looked_up / steps, "s".into());
            } else if on("u_weight_control.to_index") {
                w.add(at, looked_up / steps, "index words".into());
            }
        }
        codebooks += usize::from(was_loading && !on("codebook_busy"));
        was_loading = on("codebook_busy");
        if on("u_x_skid.m_valid") && on("u_x_skid.m_ready") {
            x.add(at, 0, "x".into());
        }
        if on("u_gemm_control.go") {
            array.add(at, filled / steps, format!("{}{}", filled % steps, half(now["u_gemm_control.half"])));
            if now["u_gemm_control.entry"] == 0 {
                array.1.last_mut().expect("just added").marks.push(at);
            }
            filled += usize::from(on("u_gemm_control.step_last"));
        }
        if on("u_epilogue_control.fire") {
            epilogue.add(
                at,
                looked_up / steps,
                format!("{}{}", looked_up % steps, half(now["u_epilogue_control.half"])),
            );
            looked_up += usize::from(on("u_epilogue_control.step_last"));
        }
        if on("m_axis_y_tvalid") && on("m_axis_y_tready") {
            y.add(at, sent, "y".into());
            sent += usize::from(on("m_axis_y_tlast"));
        }
    }
    assert_eq!((filled, looked_up, sent, codebooks), (LAYERS * steps, LAYERS * steps, LAYERS, LAYERS));
    draw(&[w, x, array, epilogue, y], waves.len())
}

/// The half of the OC banks.
fn half(bit: u64) -> char {
    if bit == 0 { 'a' } else { 'b' }
}

/// The values of all signals in each cycle from the one in which the first beat is taken.
fn simulate(cfg: &CoreConfig) -> Vec<HashMap<&'static str, u64>> {
    let x = random_activations(SHAPE.inputs, Distribution::Realistic, 1);
    let layers: Vec<_> =
        (1..=LAYERS as u64).map(|seed| random_layer(SHAPE, Distribution::Realistic, seed).unwrap()).collect();
    let mut planner = Planner::new(1, cfg);
    layers.iter().for_each(|layer| planner.push(layer.into(), 0).unwrap());
    let plan = planner.finish();
    let commands: Vec<Command> = plan
        .steps
        .iter()
        .map(|step| {
            let outputs = match step.sent(1) {
                0 => Vec::new(),
                _ => vq_gemv(&x, &layers[step.layer].golden()).into_iter().map(u32::from).collect(),
            };
            Command { bits: step.command.to_bytes(), status: 0, outputs }
        })
        .collect();
    let activations = plan.activations(&[&x], cfg).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("waves.vcd");
    let job = Job { commands: &commands, weights: &plan.image, activations: &activations, reference: None };
    let options = RunOptions { waves: Some(file.clone()), ..RunOptions::default() };
    let mut sim = Native::new(&eva_core(cfg).unwrap().design, 1, true).unwrap();
    let report = run(&mut sim, &job, &options, &mut |_| {}).unwrap();
    assert!(report.passed() && report.outputs > 0, "{report:#?}");
    read(&file)
}

/// Reads a dump; the first cycle is the one in which `u_w_skid.m_valid` rises.
fn read(file: &std::path::Path) -> Vec<HashMap<&'static str, u64>> {
    let mut parser = Parser::new(BufReader::new(File::open(file).unwrap()));
    let header = parser.parse_header().unwrap();
    let core = header.items.iter().find_map(|item| match item {
        ScopeItem::Scope(scope) => Some(scope.identifier.clone()),
        _ => None,
    });
    let core = core.expect("there is a scope");
    let codes = SIGNALS.map(|name| {
        let path: Vec<&str> = std::iter::once(core.as_str()).chain(name.split('.')).collect();
        header.find_var(&path).unwrap_or_else(|| panic!("no {name}")).code
    });
    let mut now = [0; SIGNALS.len()];
    let mut waves = Vec::new();
    let mut begun = false;
    let mut samples = 0u64;
    for command in parser {
        let (code, value) = match command.unwrap() {
            vcd::Command::ChangeScalar(code, value) => (code, u64::from(value == Value::V1)),
            vcd::Command::ChangeVector(code, value) => {
                (code, value.iter().fold(0, |number, bit| number << 1 | u64::from(bit == Value::V1)))
            }
            // The clock falls half-way through each cycle, when all values are there.
            vcd::Command::Timestamp(_) => {
                samples += 1;
                begun |= now[0] == 1;
                if begun && samples.is_multiple_of(2) {
                    waves.push(SIGNALS.into_iter().zip(now).collect());
                }
                continue;
            }
            _ => continue,
        };
        codes.iter().zip(&mut now).filter(|(known, _)| **known == code).for_each(|(_, held)| *held = value);
    }
    waves
}

const LEFT: f64 = 90.0;
const TOP: f64 = 40.0;
const HEIGHT: f64 = 30.0;

fn draw(rows: &[Row], cycles: usize) -> String {
    let at = |cycle: usize| LEFT + 0.8 * cycle as f64;
    let bottom = TOP + 45.0 * rows.len() as f64;
    let mut svg = Svg::new((at(cycles) + 30.0) as u32, (bottom + 55.0) as u32);
    for (layer, color) in COLORS.iter().enumerate() {
        let x = LEFT + 90.0 * layer as f64;
        svg.rect(x, 10.0, 14.0, 14.0, color).text(x + 20.0, 17.0, 12, INK, Anchor::Start, format!("layer {layer}"));
    }
    for (place, Row(name, bars)) in rows.iter().enumerate() {
        let y = TOP + 45.0 * place as f64;
        svg.text(LEFT - 10.0, y + HEIGHT / 2.0, 13, INK, Anchor::End, name);
        for bar in bars {
            let width = at(bar.to) - at(bar.from);
            svg.rect(at(bar.from), y, width, HEIGHT, COLORS[bar.layer]);
            for mark in bar.marks.iter().skip(1) {
                svg.line(format!("M{},{} v-7", at(*mark), y + HEIGHT));
            }
            // Where there is room for it.
            if width > 6.5 * bar.text.len() as f64 {
                svg.text(at(bar.from) + width / 2.0, y + HEIGHT / 2.0 - 2.0, 12, INK, Anchor::Middle, &bar.text);
            }
        }
    }
    svg.line(format!("M{LEFT},{bottom} H{}", at(cycles)));
    for cycle in (0..=cycles).step_by(100) {
        svg.line(format!("M{},{bottom} v5", at(cycle)));
        svg.text(at(cycle), bottom + 14.0, 12, GREY, Anchor::Middle, cycle);
    }
    let caption = format!(
        "cycles of a simulation: {LAYERS} layers of {} inputs and {} outputs, {} codebooks each",
        SHAPE.inputs, SHAPE.outputs, SHAPE.codebooks
    );
    svg.text(LEFT, bottom + 38.0, 12, GREY, Anchor::Start, caption);
    svg.finish()
}
