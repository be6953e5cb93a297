//! Static timing analysis by OpenSTA.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};

use serde::{Deserialize, Serialize};

use super::SynthError;
use super::cache::{Cache, digest};
use super::process::Batch;
use super::tool::OpenSta;

/// A path from a flip-flop, a memory or an input to a flip-flop, a memory or an output.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TimedPath {
    /// The period that it needs: all delays, and the time its end needs before the clock edge.
    pub ns: f64,
    /// Gates on it.
    pub gates: u64,
    /// Pins on it, the outputs of cells; first the clock pin it starts from or an input, last its end.
    pub points: Vec<Point>,
}

/// A pin on a path.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// With the path of instances it is in.
    pub pin: String,
    /// Name of its cell in the library, or of the module.
    pub cell: String,
    /// When it changes, after the clock edge.
    pub ns: f64,
}

/// What is to be analysed.
pub struct Analysis<'a> {
    pub top: &'a str,
    /// The clock port, if the module has one.
    pub clock: Option<&'a str>,
    /// The other inputs.
    pub inputs: Vec<&'a str>,
    pub period_ns: f64,
    /// After the clock edge.
    pub input_delay_ns: f64,
    pub netlists: Vec<&'a str>,
    /// How many ends of paths to report, of each group.
    pub ends: usize,
    pub groups: Groups<'a>,
    /// A library of the modules that are used but not in `netlists`.
    pub modules: Option<String>,
}

/// Paths among which the longest are looked for.
pub enum Groups<'a> {
    /// All together.
    One,
    /// Those that come from inputs or from registers, and go to outputs or to registers, each by itself. What is outside
    /// are the ports and these instances in it.
    Ways(Vec<&'a str>),
    /// Those that end in the registers of the instances with these paths, for each module.
    Modules(Vec<(&'a str, Vec<String>)>),
}

/// Runs OpenSTA in a folder.
pub struct Analyst<'a> {
    pub sta: &'a OpenSta,
    pub cache: &'a Cache,
    pub batch: &'a Batch,
    pub work: &'a Path,
    /// Digest of the library, which is in `work` as [`LIBRARY`].
    pub library: String,
    /// A library of memories.
    pub memories: String,
    next: AtomicU64,
}

/// Name of the library in the folder of work.
pub const LIBRARY: &str = "library.lib";
/// Name of a library of modules beside a script.
const MODULES: &str = "modules.lib";

impl<'a> Analyst<'a> {
    pub fn new(
        sta: &'a OpenSta,
        cache: &'a Cache,
        batch: &'a Batch,
        work: &'a Path,
        library: String,
        memories: String,
    ) -> Self {
        Self { sta, cache, batch, work, library, memories, next: AtomicU64::new(0) }
    }

    /// The longest paths, the worst first; none if there are no paths.
    pub fn paths(&self, analysis: &Analysis) -> Result<Vec<TimedPath>, SynthError> {
        let names: Vec<String> = (0..analysis.netlists.len()).map(|i| format!("netlist{i}.v")).collect();
        let script = script(analysis, &names);
        let mut texts = vec!["sta", self.sta.version(), &self.library, &self.memories, &script];
        texts.extend(&analysis.netlists);
        texts.extend(analysis.modules.as_deref());
        let name = digest(&texts);
        if let Some(found) = self.cache.get(&name) {
            return Ok(found);
        }
        let folder = self.work.join(format!("sta{}", self.next.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir(&folder).map_err(SynthError::io("create", &folder))?;
        let modules = analysis.modules.as_deref().unwrap_or_default();
        let own = [("memories.lib", self.memories.as_str()), (MODULES, modules), ("analyse.tcl", &script)];
        let netlists = names.iter().map(String::as_str).zip(analysis.netlists.iter().copied());
        for (name, text) in netlists.chain(own) {
            let path = folder.join(name);
            fs::write(&path, text).map_err(SynthError::io("write", &path))?;
        }
        let step = format!("timing analysis of {}", analysis.top);
        let log = folder.join("log");
        let mut command = Command::new(self.sta.executable());
        command.current_dir(&folder).args(["-no_init", "-no_splash", "-exit", "analyse.tcl"]);
        self.batch.run(&step, &mut command, &log)?;
        let text = fs::read(&log).map_err(SynthError::io("read", &log))?;
        let paths = parse(&String::from_utf8_lossy(&text), analysis.period_ns)
            .map_err(|output| SynthError::Failed { step, output })?;
        self.cache.put(&name, &paths)?;
        fs::remove_dir_all(&folder).map_err(SynthError::io("remove", &folder))?;
        Ok(paths)
    }
}

fn script(analysis: &Analysis, netlists: &[String]) -> String {
    let Analysis { top, ends, .. } = analysis;
    let mut lines = vec![
        format!("read_liberty ../{LIBRARY}"),
        // Times are in ns, whatever the unit of the library.
        "set_cmd_units -time ns".to_owned(),
        "read_liberty memories.lib".to_owned(),
    ];
    lines.extend(analysis.modules.iter().map(|_| format!("read_liberty {MODULES}")));
    lines.extend(netlists.iter().map(|name| format!("read_verilog {name}")));
    lines.push(format!("link_design {top}"));
    lines.extend(constraints(analysis));
    match &analysis.groups {
        Groups::One => {}
        Groups::Ways(inner) => lines.push(way_commands(inner)),
        Groups::Modules(groups) => lines.extend(group_commands(groups)),
    }
    lines.extend([
        format!("report_checks -path_delay max -format full -digits 4 -group_count {ends}"),
        // So that a script that ended early is noticed.
        format!("puts \"{COMPLETE}\""),
        "exit".to_owned(),
    ]);
    lines.join("\n") + "\n"
}

/// Constraints in the SDC format, line by line.
pub fn constraints(analysis: &Analysis) -> Vec<String> {
    let Analysis { clock, inputs, period_ns, input_delay_ns, .. } = analysis;
    let (name, port) = clock.map_or(("clock", String::new()), |port| (port, format!(" [get_ports {port}]")));
    // By their names: `all_inputs` has the clock too, and not every program can leave it out.
    let inputs = (!inputs.is_empty()).then(|| inputs.join(" "));
    let delay = |ports| format!("set_input_delay {input_delay_ns} -clock {name} [get_ports {{{ports}}}]");
    let clock = format!("create_clock -name {name} -period {period_ns}{port}");
    let output = format!("set_output_delay 0 -clock {name} [all_outputs]");
    [Some(clock), inputs.map(delay), Some(output)].into_iter().flatten().collect()
}

/// Groups of paths by where they come from and go to; registers to registers are what is left.
fn way_commands(inner: &[&str]) -> String {
    format!(
        "set from [all_inputs]
set to [all_outputs]
array set outside {{{}}}
foreach cell [all_registers -cells] {{
  if {{[info exists outside([get_full_name $cell])]}} {{ lappend from $cell; lappend to $cell }} else {{ lappend inside $cell }}
}}
group_path -name in_out -from $from -to $to
if {{[info exists inside]}} {{
  group_path -name in_register -from $from -to $inside
  group_path -name register_out -from $inside -to $to
}}",
        inner.iter().map(|name| format!("{name} 1")).collect::<Vec<_>>().join(" ")
    )
}

/// Puts each register into the group of the instance that it is in.
fn group_commands(groups: &[(&str, Vec<String>)]) -> Vec<String> {
    let mut lines = Vec::new();
    for (group, instances) in groups {
        lines.extend(instances.iter().map(|instance| format!("set group({instance}) {group}")));
    }
    lines.push(
        "foreach cell [all_registers -cells] {
  set name [get_full_name $cell]
  set end [string last / $name]
  set instance [string range $name 0 [expr {$end - 1}]]
  if {[info exists group($instance)]} { lappend cells($group($instance)) $cell }
}
foreach name [array names cells] { group_path -name $name -to $cells($name) }"
            .to_owned(),
    );
    lines
}

const COMPLETE: &str = "analysis complete";

/// Paths from what OpenSTA says.
fn parse(text: &str, period_ns: f64) -> Result<Vec<TimedPath>, String> {
    /// More of it would bury the message.
    const SHOWN_LINES: usize = 15;
    if !text.lines().any(|line| line == COMPLETE) {
        let errors: Vec<&str> = text.lines().filter(|line| line.starts_with("Error")).take(SHOWN_LINES).collect();
        let end: Vec<&str> = text.lines().rev().take(SHOWN_LINES).collect();
        return Err(if errors.is_empty() { end.into_iter().rev().collect::<Vec<_>>() } else { errors }.join("\n"));
    }
    let mut paths: Vec<TimedPath> = Vec::new();
    let mut points: Vec<Point> = Vec::new();
    let mut is_data = false;
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.as_slice() {
            ["Startpoint:", ..] => {
                points.clear();
                is_data = true;
            }
            [.., "data", "arrival", "time"] => is_data = false,
            [delay, time, "^" | "v", pin, cell] if is_data && delay.parse::<f64>().is_ok() => {
                let ns = time.parse().map_err(|_| format!("a time is expected: {line}"))?;
                let cell = cell.trim_matches(['(', ')']);
                points.push(Point { pin: (*pin).to_owned(), cell: cell.to_owned(), ns });
            }
            [slack, "slack", _] => {
                let slack: f64 = slack.parse().map_err(|_| format!("a time is expected: {line}"))?;
                if points.len() < 2 {
                    return Err(format!("a path without pins ends with: {line}"));
                }
                // As exact as the digits are.
                let ns = (1e4 * (period_ns - slack)).round() / 1e4;
                paths.push(TimedPath { ns, gates: gates(&points), points: std::mem::take(&mut points) });
            }
            _ => {}
        }
    }
    if paths.is_empty() && !text.contains("No paths found") {
        return Err("it reports neither a path nor that there is none".to_owned());
    }
    // The groups follow one another.
    paths.sort_by(|a, b| b.ns.total_cmp(&a.ns));
    Ok(paths)
}

/// Cells between the start and the end.
fn gates(points: &[Point]) -> u64 {
    let instance = |point: &Point| point.pin.rsplit_once('/').map(|(instance, _)| instance.to_owned());
    let ends = [points.first(), points.last()].map(|end| end.and_then(instance));
    let between: BTreeSet<String> = points.iter().filter_map(instance).collect();
    between.into_iter().filter(|cell| !ends.iter().flatten().any(|end| end == cell)).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
Warning: netlist0.v, line 7 module child not found.  Creating black box for c.
Startpoint: u_m/_1_ (rising edge-triggered flip-flop clocked by clock)
Endpoint: u_n/u_m2 (rising edge-triggered flip-flop clocked by clock)
Path Group: clock
Path Type: max

   Delay      Time   Description
------------------------------------------------------------------
  0.0000    0.0000   clock clock (rise edge)
  0.0000    0.0000   clock network delay (ideal)
  0.0000    0.0000 ^ u_m/_1_/CLK (DFF)
  0.5000    0.5000 v u_m/_1_/Q (DFF)
  0.1000    0.6000 ^ u_m/_2_/Y (INV)
  0.2000    0.8000 v u_n/_7_/Y (NAND)
  0.0000    0.8000 v u_n/u_m2/w0_data[0] (eva_mem)
            0.8000   data arrival time

  8.0000    8.0000   clock clock (rise edge)
  0.0000    8.0000 ^ u_n/u_m2/aclk (eva_mem)
 -0.1000    7.9000   library setup time
            7.9000   data required time
------------------------------------------------------------------
            7.1000   slack (MET)

analysis complete
";

    #[test]
    fn paths_are_read() {
        let [path] = parse(REPORT, 8.0).unwrap().try_into().unwrap();
        assert!((path.ns - 0.9).abs() < 1e-9);
        assert_eq!(path.gates, 2);
        let pins: Vec<&str> = path.points.iter().map(|point| point.pin.as_str()).collect();
        assert_eq!(pins, ["u_m/_1_/CLK", "u_m/_1_/Q", "u_m/_2_/Y", "u_n/_7_/Y", "u_n/u_m2/w0_data[0]"]);
        assert_eq!(path.points[3].cell, "NAND");
        assert_eq!(parse("No paths found.\nanalysis complete\n", 8.0).unwrap(), []);
    }

    #[test]
    fn what_is_no_report_is_an_error() {
        let problem = |text: &str| parse(text, 8.0).unwrap_err();
        assert!(problem("Error: analyse.tcl, 3 unknown command\nmore").starts_with("Error: analyse.tcl"));
        assert_eq!(problem(""), "");
        assert!(problem("analysis complete\n").contains("neither a path"));
        assert!(problem(&REPORT.replace("7.1000   slack", "much   slack")).contains("much"));
        let without_pins: String =
            REPORT.lines().filter(|l| !l.contains(" ^ ") && !l.contains(" v ")).map(|l| format!("{l}\n")).collect();
        assert!(problem(&without_pins).contains("without pins"));
    }
}
