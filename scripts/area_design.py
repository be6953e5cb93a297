"""The modules of a generated design, and what their mapping gave."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from area_map import Recipe


@dataclass
class Module:
    name: str
    source: Path
    children: dict[str, int] = field(default_factory=dict)
    """How many instances of which modules."""
    is_clocked: bool = True
    is_black_box: bool = False
    multiplies: bool = False


def read(manifest: Path) -> dict[str, Module]:
    """All modules of a design that `eva generate` wrote, by name."""
    modules = {}
    files = [manifest.parent / file for file in json.loads(manifest.read_text())["files"]]
    instance = re.compile(rf"^ *({'|'.join(file.stem for file in files)}) \w+ \($", re.MULTILINE)
    for file in files:
        code = re.sub(r"//.*", "", file.read_text())
        module = Module(file.stem, file)
        for child in instance.findall(code.split(");", 1)[1]):
            module.children[child] = module.children.get(child, 0) + 1
        module.is_clocked = re.search(r"\baclk\b", code) is not None
        module.is_black_box = "(* blackbox *)" in code
        module.multiplies = " * " in code.replace("(* ", "").replace(" *)", "")
        modules[module.name] = module
    return modules


def below(modules: dict[str, Module], top: str) -> list[str]:
    """A module and those in it, each once, parents first."""
    found = []

    def visit(name: str) -> None:
        if name in found:
            found.remove(name)
        found.append(name)
        for child in modules[name].children:
            visit(child)

    visit(top)
    return found


def dissolved(modules: dict[str, Module], name: str) -> list[str]:
    """The modules without a clock that are part of a module."""
    return [other for other in below(modules, name)[1:] if not modules[other].is_clocked]


@dataclass
class Size:
    cells: int = 0
    area: float = 0.0
    flip_flops: int = 0

    def add(self, other: "Size", times: int) -> None:
        self.cells += times * other.cells
        self.area += times * other.area
        self.flip_flops += times * other.flip_flops


@dataclass
class Block:
    """A module after mapping."""

    module: str
    recipe: Recipe
    own: Size
    """Without its children."""
    children: dict[str, int]
    netlist: Path
    path: float | None
    """The longest path in it alone, in ns."""


def total(blocks: dict[str, Block], name: str) -> Size:
    """Size of a module with all in it. Black boxes have none."""
    size = Size()
    if name in blocks:
        size.add(blocks[name].own, 1)
        for child, times in blocks[name].children.items():
            size.add(total(blocks, child), times)
    return size


def depths(blocks: dict[str, Block], top: str) -> dict[str, int]:
    """The modules in `top`, itself first, parents before children, each once: how deep they are in those before them."""
    found: dict[str, int] = {}
    done: list[str] = []

    def visit(name: str, depth: int) -> None:
        if name in blocks and name not in found:
            found[name] = depth
            for child in blocks[name].children:
                visit(child, depth + 1)
            done.append(name)

    visit(top, 0)
    return {name: found[name] for name in reversed(done)}


def instances(blocks: dict[str, Block], top: str) -> dict[str, int]:
    """How often each module occurs in `top`, itself first, parents before children."""
    order = list(depths(blocks, top))
    counts = dict.fromkeys(order, 0)
    counts[top] = 1
    for name in order:
        for child, times in blocks[name].children.items():
            if child in counts:
                counts[child] += times * counts[name]
    return counts
