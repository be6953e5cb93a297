//! The report of `eva synth` for people.

use comfy_table::CellAlignment;
use eva_rtl::synth::{ModuleReport, PathReport, Report, Resources, Target, Timing};

use super::terminal::{self, count, number};

/// Paths that are shown; the JSON report has more.
const SHOWN_PATHS: usize = 8;

/// Of a path: a single cell that takes more is shown.
const SLOW_SHARE: f64 = 0.25;

/// A column: heading, and the value of a module.
type Column = (&'static str, fn(&Row) -> String);

/// A module or the total.
struct Row<'a> {
    module: &'a str,
    instances: Option<u64>,
    resources: &'a Resources,
    memory_bits: u64,
    share: f64,
    path_ns: Option<f64>,
    recipe: &'a str,
}

pub fn text(report: &Report) -> String {
    let columns = columns(report.target);
    let headings: Vec<&str> = columns.iter().map(|(heading, _)| *heading).collect();
    let mut table = terminal::table(&headings);
    let total = Row {
        module: "total",
        instances: None,
        resources: &report.total,
        memory_bits: report.total.memory_bits,
        share: report.modules.iter().map(|module| module.share).sum(),
        path_ns: None,
        recipe: "",
    };
    for row in report.modules.iter().map(row).chain([total]) {
        table.add_row(columns.iter().map(|(_, value)| value(&row)));
    }
    for (index, (heading, _)) in columns.iter().enumerate() {
        let is_text = ["module", "recipe"].contains(heading);
        if let Some(column) = table.column_mut(index).filter(|_| !is_text) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut lines = vec![heading(report), String::new(), table.trim_fmt(), String::new()];
    if let Some(memory) = report.memory.filter(|_| report.total.memory_bits > 0) {
        lines.push(format!(
            "memories are black boxes: {} um2 of the total at {} um2 for each bit, access in {} ns",
            number(report.total.memory_area.round() as u64),
            memory.area_per_bit,
            memory.access_ns
        ));
    }
    if report.target == Target::Generic && report.total.memory_bits > 0 {
        lines.push("memories are black boxes without cells".to_owned());
    }
    if let Some(timing) = &report.timing {
        lines.extend(timing_lines(timing, report.clock_ns.unwrap_or_default()));
    }
    lines.push(format!(
        "{} of Yosys, {} of them from the cache; {:.1} s",
        count(report.jobs as usize, "run"),
        number(report.cached_jobs),
        report.seconds
    ));
    lines.join("\n")
}

fn heading(report: &Report) -> String {
    let target = match report.target {
        Target::Generic => "gates of no technology".to_owned(),
        Target::Asic => {
            format!("{} at {} ns", report.library.as_deref().unwrap_or_default(), report.clock_ns.unwrap_or_default())
        }
        Target::Ice40 => "iCE40".to_owned(),
        Target::Ecp5 => "ECP5".to_owned(),
        Target::Xilinx => "Xilinx 7 series".to_owned(),
    };
    format!(
        "{}: {target}, {}. Each line is all instances of a module, without the modules in it.",
        report.top, report.tool
    )
}

fn row(module: &ModuleReport) -> Row<'_> {
    Row {
        module: &module.module,
        instances: Some(module.instances),
        resources: &module.all,
        memory_bits: module.memory_bits,
        share: module.share,
        path_ns: module.path_ns,
        recipe: module.recipe.as_deref().unwrap_or_default(),
    }
}

fn columns(target: Target) -> Vec<Column> {
    let mut columns: Vec<Column> = vec![
        ("module", |row| row.module.to_owned()),
        ("instances", |row| row.instances.map(number).unwrap_or_default()),
    ];
    match target {
        Target::Generic => columns.push(("cells", |row| number(row.resources.cells))),
        Target::Asic => columns.extend([
            ("cells", (|row| number(row.resources.cells)) as fn(&Row) -> String),
            ("area um2", |row| number(row.resources.area.round() as u64)),
        ]),
        Target::Ice40 | Target::Ecp5 | Target::Xilinx => {
            columns.push(("LUTs", |row| number(row.resources.luts)));
        }
    }
    columns.push(("flip-flops", |row| number(row.resources.flip_flops)));
    if target.is_fpga() {
        columns.extend([
            ("DSPs", (|row| number(row.resources.dsps)) as fn(&Row) -> String),
            ("block RAMs", |row| number(row.resources.block_rams)),
            ("LUT RAMs", |row| number(row.resources.lut_rams)),
        ]);
    }
    columns.extend([
        ("memory bits", (|row| number(row.memory_bits)) as fn(&Row) -> String),
        ("share", |row| format!("{:.1} %", 100.0 * row.share)),
    ]);
    if target == Target::Asic {
        columns.extend([
            ("path ns", (|row| row.path_ns.map(|ns| format!("{ns:.2}")).unwrap_or_default()) as fn(&Row) -> String),
            ("recipe", |row| row.recipe.to_owned()),
        ]);
    }
    columns
}

fn timing_lines(timing: &Timing, clock_ns: f64) -> Vec<String> {
    let Some((longest, fmax)) = timing.longest_ns.zip(timing.fmax_mhz) else {
        return vec![format!("timing by {}: there are no paths", timing.by)];
    };
    let verdict = if timing.meets_clock { "meets" } else { "misses" };
    let mut lines =
        vec![format!("longest path by {}: {longest:.2} ns, {fmax:.1} MHz; {verdict} {clock_ns} ns", timing.by)];
    if !timing.across_modules {
        lines.push("paths across modules are not seen: the longest path of the whole may be longer".to_owned());
    }
    let path = |path: &PathReport| {
        let end = |end: &eva_rtl::synth::End| format!("{} {} ({})", end.module, end.name, end.pin);
        // A share that is worth a look at what the cell drives.
        let is_slow = path.slowest_cell_ns > SLOW_SHARE * path.ns;
        let slow = if is_slow {
            format!(", {:.2} ns of it {}", path.slowest_cell_ns, path.slowest_cell)
        } else {
            String::new()
        };
        format!("  {:.2} ns, {} gates{slow}: {}\n    -> {}", path.ns, path.gates, end(&path.start), end(&path.end))
    };
    lines.extend(timing.paths.iter().take(SHOWN_PATHS).map(path));
    lines
}
