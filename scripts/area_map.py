"""Maps one module to the cells of a library, for scripts/area; a process of its own, since Yosys is one per process.

usage: area_map.py JOB.json, a `Job` with the recipe to use; prints nothing, leaves the netlist and `Mapped` as JSON.

The same recipes serve every module of every design. All have in common:

- Registers become plain flip-flops: enables and resets are multiplexers and gates in front of them.
- Modules without a clock are dissolved in those that use them; those with one stay and are mapped once.
- ABC optimises the logic between flip-flops, maps it, buffers what drives too much, sizes cells up where the clock
  demands it and down everywhere else. It does not see the flip-flops, so that its share of the period is `LOGIC`.

They differ in how multipliers and adders are built and in what ABC strives for, `Recipe`. All are tried on each
module, and of those that meet the clock the smallest is taken, as a synthesiser would.
"""

import json
import os
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

LOGIC = 0.9

RIPPLE = Path(__file__).with_name("area_ripple.v")

COMPRESS = "ifraig; scorr; dc2; dc2"
# Collects logic into wide gates and rebuilds each with the fewest levels.
FLATTEN = "if -g -K 6; strash"
COVER = "dch -f; amap -m; topo; buffer -p -N 16; upsize {D}; dnsize {D}; stime -p"
SCRIPTS = {
    "area": f"strash; {COMPRESS}; {COVER}",
    "middle": f"strash; {COMPRESS}; {FLATTEN}; {COVER}",
    "speed": f"strash; {FLATTEN}; {COVER}",
}


@dataclass(frozen=True)
class Recipe:
    goal: str
    """One of `SCRIPTS`."""
    booth: bool
    """Multipliers with radix-4 Booth recoding instead of one partial product per bit, merged with the additions after
    them."""
    full_adders: bool
    """Full adders of the library wherever the logic has one; ABC neither changes them nor sees through them."""
    ripple: bool
    """Adders that ripple instead of carry look-ahead."""

    def __str__(self) -> str:
        parts = {"booth": self.booth, "full adders": self.full_adders, "ripple": self.ripple}
        return ", ".join([self.goal, *(name for name, used in parts.items() if used)])


def recipes(multiplies: bool, full_adders: bool) -> list[Recipe]:
    """Those to try on a module with or without multipliers, with full adders or not."""
    booth = (False, True) if multiplies else (False,)
    found = [Recipe(goal, b, False, False) for goal in SCRIPTS for b in booth]
    if full_adders:
        found += [Recipe(goal, b, True, False) for goal in SCRIPTS for b in booth]
        found += [Recipe("area", b, True, True) for b in booth]
    return found


@dataclass
class Job:
    module: str
    source: str
    """Its Verilog."""
    dissolved: list[str]
    """Verilog of modules to be dissolved in it."""
    children: list[str]
    """Verilog of modules of which only the ports count."""
    liberty: str
    special: list[str]
    """Cells not to use."""
    full_adder: dict | None
    """Fields of `area_liberty.FullAdder`."""
    driver: str
    load: float
    """At outputs, in fF."""
    clock: float
    """Period in ns."""
    recipe: dict
    """Fields of `Recipe`."""
    stem: str
    """Path of the results without suffix."""


@dataclass
class Mapped:
    cells: dict[str, int]
    """How many there are of each kind, children included."""
    delay: float | None
    """The longest path through logic, in ns, as ABC sees it."""


def full_adder_map(adder: dict) -> str:
    """Verilog that turns Yosys's $fa into the cell."""
    pins = ", ".join(
        f".{pin}({signal})"
        for pin, signal in zip([*adder["inputs"], adder["carry"], adder["sum"]], ["A", "B", "C", "X", "Y"])
    )
    return f"""(* techmap_celltype = "$fa" *)
module full_adder (A, B, C, X, Y);
    parameter WIDTH = 1;
    input [WIDTH-1:0] A, B, C;
    output [WIDTH-1:0] X, Y;
    generate if (WIDTH == 1)
        {adder["cell"]} _TECHMAP_REPLACE_ ({pins});
    else
        wire _TECHMAP_FAIL_ = 1;
    endgenerate
endmodule
"""


def run(job: Job) -> None:
    from pyosys import libyosys as yosys

    recipe = Recipe(**job.recipe)
    design = yosys.Design()

    def do(*commands: str) -> None:
        for command in commands:
            yosys.run_pass(command, design)

    avoid = " ".join(f"-dont_use {cell}" for cell in job.special)
    for child in job.children:
        do(f"read_verilog -lib {child}")
    for source in [job.source, *job.dissolved]:
        do(f"read_verilog {source}")
    do(f"hierarchy -check -top {job.module}", "proc", "flatten", "opt_expr", "opt_clean", "opt -nodffe -nosdff")
    do("wreduce", "peepopt", "opt_clean")
    if recipe.booth:
        do("booth")
    do("alumacc", "share", "opt", "memory", "opt_clean")
    if recipe.ripple:
        do("maccmap", f"techmap -map {RIPPLE}")
    do("opt -fast -full", "techmap", "opt -fast")
    if recipe.full_adders:
        do("extract_fa -fa", "opt_clean")
    do("dfflegalize -cell $_DFF_P_ x", "opt_expr", "opt_clean", "simplemap")
    do(f"dfflibmap {avoid} -liberty {job.liberty}")
    if recipe.full_adders:
        rules = Path(f"{job.stem}.full_adder.v")
        rules.write_text(full_adder_map(job.full_adder))
        do(f"techmap -map {rules}")
    do("opt_expr", "opt_clean")
    script, constraints = Path(f"{job.stem}.abc"), Path(f"{job.stem}.constr")
    picoseconds = round(1000 * LOGIC * job.clock)
    # Yosys fills in {D} only in its own scripts, and ABC takes what it does not know for no period at all.
    script.write_text(SCRIPTS[recipe.goal].replace("{D}", f"-D {picoseconds}"))
    constraints.write_text(f"set_driving_cell {job.driver}\nset_load {job.load}\n")
    do(f"abc -liberty {job.liberty} {avoid} -constr {constraints} -D {picoseconds} -script {script}")
    do("opt_clean -purge", "setundef -zero")
    do(f"tee -q -o {job.stem}.stat stat -json", f"write_verilog -noattr -noexpr -simple-lhs {job.stem}.v")


def abc_delay(log: str) -> float | None:
    """From ABC's last line of statistics, in ns."""
    lines = [line for line in log.splitlines() if "Delay =" in line]
    return float(lines[-1].split("Delay =")[1].split()[0]) / 1000 if lines else None


def main() -> int:
    job = Job(**json.loads(Path(sys.argv[1]).read_text()))
    log = Path(f"{job.stem}.log")
    with log.open("w") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    # An error that Yosys finds ends the process.
    run(job)
    sys.stdout.flush()
    statistics = json.loads(Path(f"{job.stem}.stat").read_text())["modules"][f"\\{job.module}"]
    mapped = Mapped(cells=statistics["num_cells_by_type"], delay=abc_delay(log.read_text(errors="replace")))
    Path(f"{job.stem}.json").write_text(json.dumps(asdict(mapped)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
