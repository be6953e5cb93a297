//! Yosys scripts that map one module to the cells of a library.
//!
//! The same recipes serve every module. All have in common:
//!
//! - Registers become plain flip-flops: enables and resets are multiplexers and gates in front of them.
//! - Modules without a clock are dissolved in those that use them; those with one stay and are mapped once.
//! - ABC optimises the logic between flip-flops, maps it, buffers what drives too much, sizes cells up where the clock
//!   demands it and down everywhere else. It does not see the flip-flops, so that its share of the period is [`LOGIC`].
//!
//! They differ in how multipliers and adders are built and in what ABC strives for. Several are tried on each module, and
//! of those that meet the clock the smallest is taken, as a synthesiser would.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::liberty::{FullAdder, Library};

/// Share of the period that the logic between flip-flops may take.
pub const LOGIC: f64 = PERCENT as f64 / 100.0;
/// The same in percent.
pub const PERCENT: u8 = 90;

const COMPRESS: &str = "ifraig; scorr; dc2; dc2";
/// Collects logic into wide gates and rebuilds each with the fewest levels.
const FLATTEN: &str = "if -g -K 6; strash";
/// `{D}` is the time that the logic has.
const COVER: &str = "dch -f; amap -m";
const COVER_FAST: &str = "dch -f; map -B 0.9 {D}";
const SIZE: &str = "topo; buffer -p -N 16; upsize {D}; dnsize {D}; stime -p";

/// Adders that ripple, in terms of Yosys's own cells.
const RIPPLE: &str = include_str!("ripple.v");

/// What ABC strives for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Goal {
    Area,
    Middle,
    Speed,
    /// The shortest paths at any price.
    Delay,
}

impl Goal {
    fn script(self, picoseconds: f64) -> String {
        let before = match self {
            Self::Area => COMPRESS.to_owned(),
            Self::Middle | Self::Delay => format!("{COMPRESS}; {FLATTEN}"),
            Self::Speed => FLATTEN.to_owned(),
        };
        let cover = if self == Self::Delay { COVER_FAST } else { COVER };
        // Yosys fills in {D} only in its own scripts, and ABC takes what it does not know for no period at all.
        let period = format!("-D {picoseconds:.0}");
        format!("strash; {before}; {cover}; {SIZE}\n").replace("{D}", &period)
    }
}

/// How one module is mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Recipe {
    pub goal: Goal,
    /// Multipliers with radix-4 Booth recoding instead of one partial product per bit, merged with the additions after
    /// them.
    pub booth: bool,
    /// Full adders of the library wherever the logic has one; ABC neither changes them nor sees through them.
    pub full_adders: bool,
    /// Adders that ripple instead of carry look-ahead.
    pub ripple: bool,
    /// Percent of the period that ABC sizes the logic for: [`PERCENT`], or less where paths go on in other modules.
    pub percent: u8,
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let goal = match self.goal {
            Goal::Area => "area",
            Goal::Middle => "middle",
            Goal::Speed => "speed",
            Goal::Delay => "delay",
        };
        f.write_str(goal)?;
        let parts = [(self.booth, "booth"), (self.full_adders, "full adders"), (self.ripple, "ripple")];
        parts.iter().filter(|(used, _)| *used).try_for_each(|(_, name)| write!(f, ", {name}"))?;
        if self.percent == PERCENT { Ok(()) } else { write!(f, ", {} % of the period", self.percent) }
    }
}

/// How many recipes are tried on each module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// The smallest as a rule, and a fast one where that misses the clock.
    Quick,
    /// With and without full adder cells as well, and what lies between small and fast.
    Normal,
    /// All.
    Full,
}

impl Effort {
    /// The recipes to try on a module, in rounds: the next is for modules that miss the clock with those before.
    /// `multiplies`: whether it has multipliers; `full_adders`: whether full adder cells are worth trying.
    pub fn rounds(self, multiplies: bool, full_adders: bool) -> Vec<Vec<Recipe>> {
        let recipe = |goal, booth, full_adders| Recipe { goal, booth, full_adders, ripple: false, percent: PERCENT };
        let adders: &[bool] = if full_adders { &[false, true] } else { &[false] };
        match self {
            Self::Quick => [Goal::Area, Goal::Speed].map(|goal| vec![recipe(goal, multiplies, false)]).into(),
            Self::Normal => {
                let round = |goals: &[Goal]| {
                    let of = |goal| adders.iter().map(move |fa| recipe(goal, multiplies, *fa));
                    goals.iter().flat_map(|goal| of(*goal)).collect()
                };
                vec![round(&[Goal::Area]), round(&[Goal::Middle, Goal::Speed])]
            }
            Self::Full => {
                let booth: &[bool] = if multiplies { &[false, true] } else { &[false] };
                let mut all = Vec::new();
                for b in booth {
                    for fa in adders {
                        all.extend([Goal::Area, Goal::Middle, Goal::Speed].map(|goal| recipe(goal, *b, *fa)));
                    }
                    all.push(recipe(Goal::Delay, *b, false));
                    if full_adders {
                        all.push(Recipe { ripple: true, ..recipe(Goal::Area, *b, true) });
                    }
                }
                vec![all]
            }
        }
    }
}

impl Recipe {
    /// Ways to make a module that is mapped like this faster, for paths through others too: ABC sizes for `percent` of
    /// the period.
    pub fn faster(self, effort: Effort, percent: u8) -> Vec<Self> {
        let goals: &[Goal] = match effort {
            Effort::Quick => &[Goal::Speed, Goal::Delay],
            Effort::Normal | Effort::Full => &[Goal::Middle, Goal::Speed, Goal::Delay],
        };
        // ABC does not see through full adders and has nothing to size in them.
        let own = (!goals.contains(&self.goal)).then_some(self.goal);
        let goals = own.into_iter().chain(goals.iter().copied());
        goals.map(|goal| Self { goal, full_adders: false, ripple: false, percent, ..self }).collect()
    }
}

/// Names of the files in the folder where a script runs.
pub mod files {
    pub const SOURCE: &str = "source.v";
    pub const STUBS: &str = "stubs.v";
    pub const SCRIPT: &str = "map.ys";
    pub const NETLIST: &str = "netlist.v";
    pub const STATISTICS: &str = "statistics.json";
    /// One for all scripts.
    pub const LIBERTY: &str = "../library.lib";
}

impl Recipe {
    /// The script for the module `top`, and the files beside those of [`files`] that it reads. The logic of a period
    /// of `clock_ns` is to fit into it.
    pub fn script(&self, top: &str, library: &Library, clock_ns: f64) -> (String, Vec<(&'static str, String)>) {
        const ABC_SCRIPT: &str = "abc.script";
        const ABC_CONSTRAINTS: &str = "abc.constraints";
        const RIPPLE_FILE: &str = "ripple.v";
        const FULL_ADDER_FILE: &str = "full_adder.v";
        let liberty = files::LIBERTY;
        let avoid: String = library.special.iter().map(|cell| format!(" -dont_use {cell}")).collect();
        let picoseconds = 10.0 * f64::from(self.percent) * clock_ns;
        let mut more = vec![
            (ABC_SCRIPT, self.goal.script(picoseconds)),
            (ABC_CONSTRAINTS, format!("set_driving_cell {}\nset_load {}\n", library.driver, library.femtofarads)),
        ];
        let mut lines = vec![
            format!("read_verilog -lib {}", files::STUBS),
            format!("read_verilog {}", files::SOURCE),
            format!("hierarchy -check -top {top}"),
            "proc; flatten; opt_expr; opt_clean; opt -nodffe -nosdff; wreduce; peepopt; opt_clean".to_owned(),
        ];
        let mut add = |line: &str| lines.push(line.to_owned());
        if self.booth {
            add("booth");
        }
        add("alumacc; share; opt; memory; opt_clean");
        if self.ripple {
            more.push((RIPPLE_FILE, RIPPLE.to_owned()));
            add(&format!("maccmap; techmap -map {RIPPLE_FILE}"));
        }
        add("opt -fast -full; techmap; opt -fast");
        let full_adder = library.full_adder.as_ref().filter(|_| self.full_adders);
        if full_adder.is_some() {
            add("extract_fa -fa; opt_clean");
        }
        add("dfflegalize -cell $_DFF_P_ x; opt_expr; opt_clean; simplemap");
        add(&format!("dfflibmap{avoid} -liberty {liberty}"));
        if let Some(adder) = full_adder {
            more.push((FULL_ADDER_FILE, full_adder_map(adder)));
            add(&format!("techmap -map {FULL_ADDER_FILE}"));
        }
        add("opt_expr; opt_clean");
        add(&format!(
            "abc -liberty {liberty}{avoid} -constr {ABC_CONSTRAINTS} -D {picoseconds:.0} -script {ABC_SCRIPT}"
        ));
        add("opt_clean -purge; setundef -zero");
        add(&format!("tee -q -o {} stat -json", files::STATISTICS));
        add(&format!("write_verilog -noattr -noexpr -simple-lhs {}", files::NETLIST));
        (lines.join("\n") + "\n", more)
    }
}

/// Verilog that turns Yosys's `$fa` into the cell.
fn full_adder_map(adder: &FullAdder) -> String {
    let pins = adder.inputs.iter().chain([&adder.carry, &adder.sum]);
    let pins: Vec<String> = pins.zip(["A", "B", "C", "X", "Y"]).map(|(pin, net)| format!(".{pin}({net})")).collect();
    format!(
        "(* techmap_celltype = \"$fa\" *)
module full_adder (A, B, C, X, Y);
    parameter WIDTH = 1;
    input [WIDTH-1:0] A, B, C;
    output [WIDTH-1:0] X, Y;
    generate if (WIDTH == 1)
        {} _TECHMAP_REPLACE_ ({});
    else
        wire _TECHMAP_FAIL_ = 1;
    endgenerate
endmodule
",
        adder.cell,
        pins.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_round_is_faster_and_nothing_is_tried_twice() {
        for effort in [Effort::Quick, Effort::Normal, Effort::Full] {
            for (multiplies, full_adders) in [(false, false), (true, false), (false, true), (true, true)] {
                let rounds = effort.rounds(multiplies, full_adders);
                let all: Vec<Recipe> = rounds.concat();
                assert!(all.iter().enumerate().all(|(i, recipe)| !all[..i].contains(recipe)), "{all:?}");
                assert!(all.iter().any(|recipe| recipe.goal == Goal::Speed));
                assert!(all.iter().all(|recipe| !recipe.full_adders || full_adders));
                assert!(all.iter().all(|recipe| !recipe.booth || multiplies));
            }
        }
        assert_eq!(Effort::Full.rounds(true, true).concat().len(), 16);
    }
}
