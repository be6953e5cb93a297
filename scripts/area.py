"""Area of what EVA adds to a plain INT8 array. Run it as scripts/area.

Generates a core and the INT8 array of the same size, maps every module of the array, of a row and of the epilogue units
to a cell library, each once, by the same recipes (area_map.py), and prints what they take: for each block the cells,
area and flip-flops of one instance with all in it, and the longest path. Memories are black boxes without area. Timing
is OpenSTA's if `sta` is on the PATH, else ABC's estimate; neither knows of wires. All unknown options go to
`eva generate`.
"""

import argparse
import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import area_design
import area_liberty
import area_map
from area_design import Block, Size
from area_liberty import Library

REPOSITORY = Path(__file__).resolve().parent.parent
# Where scripts/setup and where Debian put it.
OSU018 = "usr/share/qflow/tech/osu018/osu018_stdcells.lib"
LIBERTIES = [REPOSITORY / ".tools/osu018" / OSU018, Path("/") / OSU018]
ARRAY, ROW, EPILOGUE = "eva_array", "eva_row", "eva_epilogue_unit"
BASELINE_ARRAY, BASELINE_ROW = "eva_baseline_array", "eva_baseline_row"
# Inputs of a module come from flip-flops: this share of the period after the clock.
INPUT_DELAY = 0.05


class Failure(Exception):
    """What went wrong, and the exit code for it."""

    def __init__(self, message: str, code: int):
        super().__init__(message)
        self.code = code


def path_given(text: str) -> Path:
    if not text:
        raise argparse.ArgumentTypeError("the name is empty")
    return Path(text)


def arguments() -> tuple[argparse.Namespace, list[str]]:
    parser = argparse.ArgumentParser(
        prog="scripts/area",
        description=__doc__,
        epilog="example: scripts/area --preset paper --liberty sky130_fd_sc_hd__tt_025C_1v80.lib.gz --clock 10",
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "--liberty",
        type=path_given,
        action="append",
        metavar="FILE[.gz]",
        help="cell library; may be repeated (default: OSU 0.18 um, from Debian's qflow-tech-osu018)",
    )
    parser.add_argument("--clock", type=float, default=10.0, metavar="NS", help="period to meet (default: 10)")
    parser.add_argument("--json", type=path_given, metavar="FILE", help="write everything to a file as well")
    parser.add_argument("--only", choices=["row"], help="leave out array and epilogue units: quick, for experiments")
    parser.add_argument("--no-sta", action="store_true", help="take ABC's estimate even if OpenSTA is there")
    parser.add_argument("--keep", type=path_given, metavar="DIR", help="keep Verilog, netlists and logs in this folder")
    parser.add_argument(
        "--eva", default=os.environ.get("EVA") or None, metavar="PATH", help="the program (default: EVA, else built by cargo)"
    )
    known, core = parser.parse_known_args()
    if not 0 < known.clock < 1e6:
        parser.error(f"--clock {known.clock}: a period in ns is needed")
    return known, core


def generate(eva: str | None, core: list[str], folder: Path) -> tuple[dict[str, area_design.Module], dict]:
    """Both designs' modules, and the parameters of the core."""
    if eva is None:
        manifest = str(REPOSITORY / "Cargo.toml")
        say("building eva")
        cargo = ["cargo", "build", "--locked", "--release", "--quiet", "--manifest-path", manifest]
        try:
            built = subprocess.run(cargo).returncode == 0
        except OSError as error:
            raise Failure(f"cargo: {error.strerror}; --eva or EVA names the program if it is built already", 3) from error
        if not built:
            raise Failure("eva could not be built", 3)
        eva = str(Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "release/eva")
    modules = {}
    for design, top in (("core", "eva_core"), ("baseline", BASELINE_ARRAY)):
        out = folder / design
        command = [eva, "generate", "--design", design, *core, "--memory-style", "macro", "--out", str(out)]
        try:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        except OSError as error:
            raise Failure(f"{eva}: {error.strerror}; --eva or EVA names the program", 2) from error
        if done.returncode != 0:
            raise Failure(done.stderr.strip() or f"{eva} exits with {done.returncode}", 2)
        try:
            modules |= area_design.read(out / f"{top}.json")
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise Failure(f"{eva} did not write a design: is it the program of this repository?", 2) from error
    try:
        parameters = json.loads((folder / "core/eva_core.json").read_text())["parameters"]
        for top in (ARRAY, ROW, EPILOGUE, BASELINE_ARRAY, BASELINE_ROW):
            area_design.below(modules, top)
        parameters["epilogue"]["units"]
    except (ValueError, LookupError, TypeError) as error:
        raise Failure(f"{eva} wrote another design: is it the program of this repository?", 2) from error
    return modules, parameters


def say(what: str) -> None:
    """Progress."""
    print(what, file=sys.stderr, flush=True)


class Mapper:
    """Maps modules to a library, several at a time."""

    def __init__(self, modules: dict[str, area_design.Module], library: Library, clock: float, folder: Path):
        self.modules, self.library, self.clock, self.folder = modules, library, clock, folder
        self.sta: str | None = None
        """OpenSTA, if it is to be used."""
        self.running: set[subprocess.Popen] = set()
        self.stopped = False
        folder.mkdir()

    def map(self, names: list[str], pool: ThreadPoolExecutor) -> dict[str, Block]:
        """The smallest mapping of each module that meets the clock, or the fastest if none does."""
        # ABC does not see through full adders: without OpenSTA their delay would be anyone's guess.
        full_adders = self.library.full_adder is not None and self.sta is not None
        jobs = {}
        for name in names:
            recipes = area_map.recipes(self.modules[name].multiplies, full_adders)
            jobs[name] = [pool.submit(self.attempt, name, recipe) for recipe in recipes]
        blocks = {}
        for number, name in enumerate(names, 1):
            say(f"mapping {name} ({number} of {len(names)})")
            blocks[name] = self.best([job.result() for job in jobs[name]])
        return blocks

    def call(self, command: list[str], **options) -> tuple[int, str]:
        """Runs a program; its exit code and what it says."""
        process = subprocess.Popen(command, text=True, stdin=subprocess.DEVNULL, **options)
        self.running.add(process)
        if self.stopped:
            process.terminate()
        text, _ = process.communicate()
        self.running.discard(process)
        return process.returncode, text

    def stop(self) -> None:
        """Ends all programs that run, and those that are about to."""
        self.stopped = True
        for process in list(self.running):
            process.terminate()

    def best(self, blocks: list[Block]) -> Block:
        met = [block for block in blocks if block.path is None or block.path <= self.clock]
        return min(met, key=lambda block: block.own.area) if met else min(blocks, key=lambda block: block.path)

    def attempt(self, name: str, recipe: area_map.Recipe) -> Block:
        module, library = self.modules[name], self.library
        dissolved = area_design.dissolved(self.modules, name)
        children = [other for other in area_design.below(self.modules, name)[1:] if other not in dissolved]
        stem = self.folder / f"{name}.{str(recipe).replace(', ', '.').replace(' ', '_')}"
        job = area_map.Job(
            module=name,
            source=str(module.source),
            dissolved=[str(self.modules[other].source) for other in dissolved],
            children=[str(self.modules[other].source) for other in children],
            liberty=str(library.path),
            special=library.special,
            ripple=str(self.folder.parent / area_map.RIPPLE.name),
            full_adder=library.full_adder and asdict(library.full_adder),
            driver=library.driver,
            load=library.femtofarads,
            clock=self.clock,
            recipe=asdict(recipe),
            stem=str(stem),
        )
        description = Path(f"{stem}.job")
        description.write_text(json.dumps(asdict(job)))
        status, _ = self.call([sys.executable, area_map.__file__, str(description)])
        if status != 0:
            log_file = Path(f"{stem}.log")
            log = log_file.read_text(errors="replace").splitlines() if log_file.exists() else []
            raise Failure("\n".join([*log[-15:], f"Yosys failed to map {name} ({recipe})"]), 1)
        mapped = area_map.Mapped(**json.loads(Path(f"{stem}.json").read_text()))
        own = Size()
        inside = {}
        for cell, count in mapped.cells.items():
            if cell in library.areas:
                own.add(Size(1, library.areas[cell], int(cell in library.flip_flops)), count)
            elif cell in self.modules:
                inside[cell] = count
            else:
                raise Failure(f"{name} ({recipe}): {cell} was not mapped", 1)
        netlist = Path(f"{stem}.v")
        if self.sta:
            path = self.longest_path(name, [netlist])
        else:
            path = mapped.delay and mapped.delay + (1 - area_map.LOGIC) * self.clock
        return Block(name, recipe, own, inside, netlist, path)

    def longest_path(self, top: str, netlists: list[Path]) -> float | None:
        """From OpenSTA, in ns; None if there are no paths."""
        script = self.folder / f"{netlists[0].name}.{len(netlists)}.tcl"
        lines = [
            f"read_liberty {{{self.library.path}}}",
            *(f"read_verilog {{{netlist}}}" for netlist in netlists),
            f"link_design {top}",
            f"create_clock -name aclk -period {self.clock} [get_ports aclk]",
            f"set_input_delay {INPUT_DELAY * self.clock} -clock aclk [all_inputs]",
            "set_output_delay 0 -clock aclk [all_outputs]",
            "report_checks -path_delay max -format full",
            "exit",
        ]
        script.write_text("\n".join(lines) + "\n")
        command = [self.sta, "-no_splash", "-exit", str(script)]
        status, text = self.call(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        script.with_suffix(".log").write_text(text)
        slack = [line.split()[0] for line in text.splitlines() if " slack (" in line]
        if status != 0 or (not slack and "No paths found" not in text):
            raise Failure(f"{text}\nOpenSTA failed on {top}", 1)
        return self.clock - float(slack[0]) if slack else None


@contextmanager
def workers(mapper: Mapper) -> Iterator[ThreadPoolExecutor]:
    """Threads for the mapper; if anything goes wrong, what has not been done is not."""
    with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            mapper.stop()
            raise


def measure(modules, parameters: dict, library: Library, options: argparse.Namespace, folder: Path) -> dict:
    """Maps everything to one library; all results, ready for JSON."""
    tops = [ROW, BASELINE_ROW] if options.only == "row" else [ARRAY, EPILOGUE, BASELINE_ARRAY]
    wanted = []
    for top in tops:
        for name in area_design.below(modules, top):
            module = modules[name]
            if module.is_clocked and not module.is_black_box and name not in wanted:
                wanted.append(name)
    mapper = Mapper(modules, library, options.clock, folder)
    mapper.sta = None if options.no_sta else shutil.which("sta")
    with workers(mapper) as pool:
        blocks = mapper.map(wanted, pool)
        parents = [name for name in wanted if any(child in blocks for child in blocks[name].children)]

        def whole(name: str) -> float | None:
            return mapper.longest_path(name, [blocks[other].netlist for other in area_design.instances(blocks, name)])

        if mapper.sta:
            for name, path in zip(parents, pool.map(whole, parents)):
                blocks[name].path = path
    for name in parents:
        if not mapper.sta:
            paths = [blocks[other].path for other in area_design.instances(blocks, name)]
            blocks[name].path = max((path for path in paths if path is not None), default=None)

    rows = []
    for top in tops:
        # Of array and baseline a core has one.
        copies = parameters["epilogue"]["units"] if top == EPILOGUE else 1
        counts = area_design.instances(blocks, top)
        for name, depth in area_design.depths(blocks, top).items():
            block = blocks[name]
            rows.append(
                {
                    "top": top,
                    "module": name,
                    "depth": depth,
                    "instances": copies * counts[name],
                    **asdict(area_design.total(blocks, name)),
                    "path": block.path,
                    "meets_clock": block.path is None or block.path <= options.clock,
                    "own": asdict(block.own),
                    "children": block.children,
                    "recipe": str(block.recipe),
                }
            )
    area = {name: area_design.total(blocks, name).area for name in blocks}
    ratios = {"row": area[ROW] / area[BASELINE_ROW]}
    if options.only is None:
        ratios["array"] = area[ARRAY] / area[BASELINE_ARRAY]
        ratios["epilogue_units"] = parameters["epilogue"]["units"] * area[EPILOGUE] / area[ARRAY]
    return {
        "library": library.name,
        "clock": options.clock,
        "timing": "OpenSTA" if mapper.sta else "ABC",
        "blocks": rows,
        "ratios": ratios,
    }


def print_table(result: dict, units: int) -> None:
    print(f"{result['library']}, clock {result['clock']:g} ns, paths by {result['timing']}")
    heading = ("block", "instances", "cells", "area um2", "flip-flops", "path ns ", "recipe")
    form = "  {:<28} {:>9} {:>9} {:>12} {:>10} {:>9} {}"
    print(form.format(*heading))
    for block in result["blocks"]:
        path = "-" if block["path"] is None else f"{block['path']:.2f}"
        path += " " if block["meets_clock"] else "!"
        indent = "  " * block["depth"]
        print(
            form.format(
                indent + block["module"],
                block["instances"],
                block["cells"],
                f"{block['area']:.0f}",
                block["flip_flops"],
                path,
                block["recipe"],
            )
        )
    if not all(block["meets_clock"] for block in result["blocks"]):
        print(f"  ! longer than the clock: sizes are those of the fastest mappings found")
    ratios = result["ratios"]
    if "array" in ratios:
        print(f"  array: mixed / INT8                 {ratios['array']:.3f}")
    print(f"  row: mixed / INT8                   {ratios['row']:.3f}")
    if "epilogue_units" in ratios:
        print(f"  {units} epilogue units / mixed array     {ratios['epilogue_units']:.3f}")
    print()


def run(options: argparse.Namespace, core: list[str], folder: Path) -> dict:
    """Measures and prints; all results."""
    paths = options.liberty or [path for path in LIBERTIES if path.exists()][:1]
    if not paths:
        raise Failure(f"no {LIBERTIES[0]}; scripts/setup fetches it, or name a library with --liberty", 3)
    libraries = [area_liberty.read(path, folder / f"library{number}") for number, path in enumerate(paths)]
    shutil.copy(area_map.RIPPLE, folder)
    modules, parameters = generate(options.eva, core, folder)
    results = []
    for number, library in enumerate(libraries):
        result = measure(modules, parameters, library, options, folder / f"mapped{number}")
        print_table(result, parameters["epilogue"]["units"])
        sys.stdout.flush()
        results.append(result)
    return {"command": shlex.join(["scripts/area", *sys.argv[1:]]), "parameters": parameters, "results": results}


@contextmanager
def folder_for_work(keep: Path | None) -> Iterator[Path]:
    """A folder under a name without spaces, since ABC has no way to write them."""
    if " " in tempfile.gettempdir():
        os.environ["TMPDIR"] = tempfile.tempdir = "/tmp"
    with tempfile.TemporaryDirectory(prefix="eva-area-") as folder:
        work = Path(folder) / "work"
        if keep:
            keep.mkdir(parents=True)
            work.symlink_to(keep.resolve())
        else:
            work.mkdir()
        yield work


@contextmanager
def result_file(path: Path | None) -> Iterator[Callable[[dict], None]]:
    """Where results are written to in the end; that it can be written is known at once."""
    if path is None:
        yield lambda results: None
        return
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise Failure(f"--json {path}: it is not a file", 2)
    staged = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        staged.touch()
    except OSError as error:
        raise Failure(f"--json {path}: {error.strerror}", 2) from error

    def complete(results: dict) -> None:
        staged.write_text(json.dumps(results, indent=2) + "\n")
        staged.replace(target)

    try:
        yield complete
    finally:
        staged.unlink(missing_ok=True)


def main() -> int:
    options, core = arguments()
    try:
        if importlib.util.find_spec("pyosys") is None:
            raise Failure(f"{sys.executable} has no pyosys; scripts/setup installs it", 3)
        with result_file(options.json) as complete, folder_for_work(options.keep) as folder:
            complete(run(options, core, folder))
    except area_liberty.LibertyError as error:
        print(f"area: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"area: {error.filename}: {error.strerror}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("area: interrupted", file=sys.stderr)
        return 130
    except Failure as failure:
        print(f"area: {failure}", file=sys.stderr)
        return failure.code
    return 0


if __name__ == "__main__":
    sys.exit(main())
