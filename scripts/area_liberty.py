"""What scripts/area needs to know of a cell library: areas, flip-flops, a full adder, a cell that drives inputs."""

import gzip
import itertools
import re
import zlib
from dataclasses import dataclass
from pathlib import Path

# Cells for power domains would pass for ordinary gates.
SPECIAL = re.compile(r"\b(is_isolation_cell|is_level_shifter|always_on|dont_use)\s*:\s*\"?true")
GROUP = r"\b{}\s*\(\s*\"?([\w\[\]]+)\"?\s*\)\s*\{{"


class LibertyError(Exception):
    """A library that cannot be read."""


@dataclass
class FullAdder:
    """A cell with two outputs: the sum and the carry of three bits."""

    cell: str
    inputs: tuple[str, ...]
    carry: str
    sum: str


@dataclass
class Library:
    name: str
    path: Path
    """Uncompressed."""
    areas: dict[str, float]
    flip_flops: set[str]
    special: list[str]
    """Cells that must not be used."""
    full_adder: FullAdder | None
    driver: str
    """The smallest inverter, taken for what drives the inputs of a piece of logic."""
    femtofarads: float
    """Input capacitance of the driver."""


def read(path: Path, folder: Path) -> Library:
    """Reads a library, gzipped or not; an uncompressed copy goes to `folder`, which is made."""
    try:
        return parse(path, folder)
    except LibertyError as error:
        raise LibertyError(f"{path}: {error}") from error


def parse(path: Path, folder: Path) -> Library:
    try:
        data = path.read_bytes()
        data = gzip.decompress(data) if path.suffix == ".gz" else data
        text = data.decode()
    except (OSError, EOFError, zlib.error, UnicodeDecodeError) as error:
        raise LibertyError(getattr(error, "strerror", None) or str(error)) from error
    cells = groups("cell", text)
    if not cells:
        raise LibertyError("no cells in it; a library in the Liberty format is needed")
    areas = {name: number("area", body) for name, body in cells.items()}
    special = [name for name, body in cells.items() if SPECIAL.search(body)]
    usable = sorted((name for name in cells if name not in special), key=lambda name: areas[name])
    pins = {name: functions(cells[name]) for name in usable}
    adders = (full_adder(name, pins[name]) for name in usable)
    driver = next((name for name in usable if is_inverter(pins[name])), None)
    if driver is None:
        raise LibertyError("no inverter in it")
    folder.mkdir()
    # The tools' own languages do not agree on how to quote a name.
    copy = folder / "library.lib"
    copy.write_bytes(data)
    return Library(
        name=Path(path.name.removesuffix(".gz")).stem,
        path=copy,
        areas=areas,
        flip_flops={name for name, body in cells.items() if re.search(r"\bff\s*\(", body)},
        special=special,
        full_adder=next((adder for adder in adders if adder), None),
        driver=driver,
        femtofarads=number("capacitance", cells[driver]) * femtofarads(text),
    )


def groups(kind: str, text: str) -> dict[str, str]:
    """The groups of a kind, by name: their text, and what comes between them and the next."""
    parts = re.split(GROUP.format(kind), text)
    return dict(zip(parts[1::2], parts[2::2]))


def number(attribute: str, text: str) -> float:
    """The first value of an attribute; 0 if there is none."""
    found = re.search(rf"\b{attribute}\s*:\s*\"?([-+.\deE]+)", text)
    return parse_number(attribute, found[1]) if found else 0.0


def parse_number(attribute: str, text: str) -> float:
    try:
        return float(text)
    except ValueError as error:
        raise LibertyError(f"{attribute} {text} is not a number") from error


def femtofarads(text: str) -> float:
    """The unit of capacitance."""
    unit = re.search(r"\bcapacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*\"?(\w+)", text)
    if not unit:
        return 1000.0
    return parse_number("capacitive_load_unit", unit[1]) * (1000.0 if unit[2].lower() == "pf" else 1.0)


def functions(cell: str) -> dict[str, str]:
    """The logic functions of the outputs of a cell without state."""
    found = {}
    for pin, body in groups("pin", cell).items():
        function = re.search(r"\bfunction\s*:\s*\"([^\"]*)\"", body)
        if function and "three_state" not in body:
            found[pin] = function[1]
    return found


def table(function: str, inputs: tuple[str, ...]) -> list[int] | None:
    """Truth table, first input slowest; None if there is more to the function than these inputs."""
    python = re.sub(r"\s*([!*+&|^()])\s*", r"\1", function)
    # Side by side is another way to write a conjunction.
    python = re.sub(r"(?<=[\w)])[ ]+(?=[\w(!])|(?<=[\w)])(?=[(!])|(?<=\))(?=\w)", "&", python)
    python = python.replace("!", "~").replace("*", "&").replace("+", "|")
    if set(re.findall(r"\w+", python)) - set(inputs) or re.search(r"[^\w~&|^()]", python):
        return None
    try:
        code = compile(python, function, "eval")
    except SyntaxError:
        return None
    rows = itertools.product((0, 1), repeat=len(inputs))
    return [eval(code, {"__builtins__": {}}, dict(zip(inputs, row))) & 1 for row in rows]


def variables(function: str) -> tuple[str, ...]:
    return tuple(sorted(set(re.findall(r"[A-Za-z_]\w*", function))))


def full_adder(name: str, outputs: dict[str, str]) -> FullAdder | None:
    if len(outputs) != 2:
        return None
    inputs = variables(next(iter(outputs.values())))
    if len(inputs) != 3:
        return None
    tables = {pin: table(function, inputs) for pin, function in outputs.items()}
    carry = [pin for pin, bits in tables.items() if bits == [0, 0, 0, 1, 0, 1, 1, 1]]
    total = [pin for pin, bits in tables.items() if bits == [0, 1, 1, 0, 1, 0, 0, 1]]
    return FullAdder(name, inputs, carry[0], total[0]) if carry and total else None


def is_inverter(outputs: dict[str, str]) -> bool:
    if len(outputs) != 1:
        return False
    (function,) = outputs.values()
    inputs = variables(function)
    return len(inputs) == 1 and table(function, inputs) == [1, 0]
