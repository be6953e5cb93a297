//! Commands that are not executed, each with its reason.

/// What is done with such a command instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Check {
    /// Its flags and values are read.
    Flags,
    /// It runs up to the point where it looks for the tool that this environment variable names, and there is none.
    WithoutTool(&'static str),
    /// The program in this project that it calls is there.
    Script,
    /// Nothing can be done.
    Nothing,
}

impl Check {
    /// The commands of a shell that do it for `command`.
    pub fn command(self, command: &str) -> String {
        match self {
            Self::Flags => format!("{command} --help >bin/log"),
            Self::WithoutTool(variable) => {
                format!("{{ code=0; {variable}=/nonexistent {command} || code=$?; test $code = 3; }} 2>bin/log")
            }
            Self::Script => format!("test -x {}", command.split(' ').next().unwrap_or_default()),
            Self::Nothing => ":".to_owned(),
        }
    }
}

/// Where a command stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    Page,
    Help,
    Both,
}

/// The commands, what is done instead, and why.
pub struct NotRun(&'static [(&'static str, Check, Place, &'static str)]);

impl NotRun {
    /// Those that stand in such a place.
    pub fn on(&self, place: Place) -> Vec<&'static str> {
        let there = self.0.iter().filter(|(_, _, at, _)| *at == place || *at == Place::Both);
        there.map(|(command, ..)| *command).collect()
    }

    /// What is done with `command`, if it is one of them.
    pub fn check(&self, command: &str) -> Option<Check> {
        self.0.iter().find(|(listed, ..)| *listed == command).map(|(_, check, ..)| *check)
    }
}

const EXAMPLE: &str = "hdl_tests/examples runs it";
const MAPPING: &str = "maps for minutes; hdl_tests/synth maps smaller cores";

const MEASURING: &str = "compiles and measures for minutes";

/// All of them; a test fails if one of them is on no page any more.
pub const NOT_RUN: NotRun = NotRun(&[
    ("cargo install --path .", Check::Nothing, Place::Page, "compiles everything once more, with optimisation"),
    ("scripts/test", Check::Script, Place::Page, "runs this test"),
    ("scripts/block", Check::Script, Place::Page, "simulates for minutes on Verilator"),
    (
        "eva cosim --program build/block",
        Check::Flags,
        Place::Page,
        "simulates 400,000 cycles; the examples of the help run a program",
    ),
    (
        "eva cosim --preset paper --random 4096,4096 --sim verilator",
        Check::WithoutTool("EVA_VERILATOR"),
        Place::Page,
        "Verilator's model is built for minutes; hdl_tests/core runs others",
    ),
    (
        "eva cosim --preset tiny --random 64,16 --sim verilator",
        Check::WithoutTool("EVA_VERILATOR"),
        Place::Help,
        "Verilator's model is built for a minute; hdl_tests/cli runs one",
    ),
    ("eva synth --preset small --clock 10", Check::WithoutTool("EVA_YOSYS"), Place::Page, MAPPING),
    ("eva synth --preset small --clock 10ns", Check::WithoutTool("EVA_YOSYS"), Place::Both, MAPPING),
    ("eva synth --preset small --target asic --clock 10ns", Check::WithoutTool("EVA_YOSYS"), Place::Help, MAPPING),
    (
        "eva synth --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 8ns --picture paper.svg",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Page,
        MAPPING,
    ),
    (
        "eva synth --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 8 --report paper.json --picture paper.svg",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Page,
        MAPPING,
    ),
    (
        "eva synth --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 8ns \\\n    --report paper.json --picture paper.svg",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Help,
        MAPPING,
    ),
    (
        "eva synth --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 12 --pipe-tree 1 --pipe-epilogue 1 --pipe-scale 2",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Page,
        MAPPING,
    ),
    (
        "eva synth --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 8",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Page,
        MAPPING,
    ),
    (
        "eva synth --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 5.5 --pipe-pe 2 --pipe-tree 4 --pipe-epilogue 4 --pipe-scale 5",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Page,
        MAPPING,
    ),
    (
        "scripts/fo4 sky130_fd_sc_hd__tt_025C_1v80.lib.gz sky130_fd_sc_hd__inv_1",
        Check::Script,
        Place::Page,
        "needs that library",
    ),
    ("eva synth --preset small --max-k 16384 --effort quick", Check::WithoutTool("EVA_YOSYS"), Place::Page, MAPPING),
    (
        "eva synth --stream-width 512 --max-k 11008 --rows 8 --epilogue-units 8 --effort quick",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Page,
        MAPPING,
    ),
    ("eva synth --preset paper --design baseline", Check::WithoutTool("EVA_YOSYS"), Place::Page, MAPPING),
    ("eva synth --preset tiny --top eva_dot --effort full", Check::WithoutTool("EVA_YOSYS"), Place::Page, MAPPING),
    ("eva synth --preset fpga --target ecp5", Check::WithoutTool("EVA_YOSYS"), Place::Both, MAPPING),
    ("eva synth --preset fpga --target ecp5 --report fpga.json", Check::WithoutTool("EVA_YOSYS"), Place::Page, MAPPING),
    (
        "scripts/area --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 10",
        Check::Script,
        Place::Page,
        "maps for an hour; hdl_tests/synth/area.rs tries the script on less",
    ),
    (
        "scripts/area --preset paper",
        Check::Script,
        Place::Page,
        "maps for an hour; hdl_tests/synth/area.rs tries the script on less",
    ),
    (
        "eva synth --preset paper --top eva_row --effort full --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Page,
        MAPPING,
    ),
    (
        "eva synth --preset paper --top eva_baseline_row --design baseline --effort full --liberty \
         sky130_fd_sc_hd__tt_025C_1v80.lib.gz",
        Check::WithoutTool("EVA_YOSYS"),
        Place::Page,
        MAPPING,
    ),
    (
        "scripts/place 25k --preset fpga --rows 2 --cols 8 --dim 2 --stream-width 32 --pipe-pe 2 --pipe-scale 5",
        Check::Script,
        Place::Page,
        "places and routes for minutes, with a nextpnr that need not be there",
    ),
    (
        "yosys -p \"read_verilog $(tr '\\n' ' ' <eva_board.f); synth_ice40 -top eva_board_pins -run begin:coarse; opt; wreduce; opt; booth; \\\n    \
         synth_ice40 -run coarse: -top eva_board_pins -json netlist.json\"",
        Check::Nothing,
        Place::Page,
        "maps for minutes",
    ),
    (
        "nextpnr-ice40 --hx8k --package ct256 --json netlist.json --pack-only",
        Check::Nothing,
        Place::Page,
        "needs the netlist, and a nextpnr that need not be there",
    ),
    ("fusesoc --cores-root . run --target=lint eva_core", Check::Nothing, Place::Page, "hdl_tests/flows runs it"),
    ("fusesoc --cores-root . run --target=sim eva_core", Check::Nothing, Place::Page, "hdl_tests/flows runs it"),
    ("fusesoc --cores-root . run --target=synth eva_core", Check::Nothing, Place::Page, "maps for minutes"),
    ("cd OpenROAD-flow-scripts/flow", Check::Nothing, Place::Page, "is for those who have it"),
    (
        "make DESIGN_CONFIG=/path/to/build/small/flows/openroad/config.mk",
        Check::Nothing,
        Place::Page,
        "OpenROAD's flow is not at hand; hdl_tests/flows reads the files as it does",
    ),
    (
        "vivado -mode batch -source flows/vivado.tcl -tclargs xc7a200tfbg676-2 reports",
        Check::Nothing,
        Place::Page,
        "Vivado is not at hand; hdl_tests/flows runs the script on a stand-in",
    ),
    (
        "vivado -mode batch -source flows/vivado.tcl -tclargs xc7a200tfbg676-2 reports route",
        Check::Nothing,
        Place::Page,
        "Vivado is not at hand; hdl_tests/flows runs the script on a stand-in",
    ),
    (
        "EVA_FUZZ=500 EVA_SEED=1000 cargo test --test hdl_verilog",
        Check::Nothing,
        Place::Page,
        "compiles and tests for minutes",
    ),
    (
        "cargo run --features rust-hdl --example rust_hdl build/rust_hdl",
        Check::Nothing,
        Place::Page,
        "compiles with another feature; hdl_tests/interop runs the example",
    ),
    ("scripts/rust_hdl", Check::Script, Place::Page, MEASURING),
    ("scripts/rust_hdl --sizes 16", Check::Script, Place::Page, MEASURING),
    ("scripts/rust_hdl --sizes 32 --no-yosys", Check::Script, Place::Page, MEASURING),
    ("cargo run --example fir_filter build/fir_filter", Check::Nothing, Place::Page, EXAMPLE),
    ("cargo run --example axis_fifo build/axis_fifo", Check::Nothing, Place::Page, EXAMPLE),
    ("cargo run --example uart_receiver build/uart_receiver", Check::Nothing, Place::Page, EXAMPLE),
    ("scripts/mutate", Check::Script, Place::Page, "takes minutes"),
]);
