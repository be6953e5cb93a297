"""What a core must answer, and how to ask, written from docs/interface.md and docs/numerics.md alone.

Numbers are exact: a finite one is a `Fraction` (or an integer), infinities and NaN are Python floats.
"""

import dataclasses
import json
import pathlib
from fractions import Fraction

import numpy as np

LOAD_CODEBOOKS, LOAD_X, VQ_GEMV, INT8_GEMM = 1, 2, 3, 4
DONE, UNKNOWN_OPCODE, OUT_OF_RANGE, RESERVED_BIT, NOT_LOADED, NO_CHAIN = range(6)

# Lowest bit of every field of a command.
FIELDS = dict(opcode=0, first=8, last=9, scale_fp32=10, raw=11, slot=12, tag=16, codebooks=32, tokens=40)
FIELDS |= dict(vectors=64, k_tiles=64, outputs=96)


def decode(bits, exponent_bits, fraction_bits):
    """The value of an IEEE 754 number with this many bits."""
    sign = -1 if bits >> (exponent_bits + fraction_bits) else 1
    exponent = (bits >> fraction_bits) & (2**exponent_bits - 1)
    fraction = bits & (2**fraction_bits - 1)
    if exponent == 2**exponent_bits - 1:
        return float("nan") if fraction else sign * float("inf")
    significand = fraction + (2**fraction_bits if exponent else 0)
    unit = max(exponent, 1) - (2 ** (exponent_bits - 1) - 1) - fraction_bits
    return sign * significand * Fraction(2) ** unit


def fp16(bits):
    return decode(int(bits), 5, 10)


def fp32(bits):
    return decode(int(bits), 8, 23)


def product(a, b):
    if not isinstance(a, float) and not isinstance(b, float):
        return a * b

    def direction(value):
        return value if isinstance(value, float) else float((value > 0) - (value < 0))

    return direction(a) * direction(b)


def total(terms):
    terms = list(terms)
    special = [term for term in terms if isinstance(term, float)]
    return sum(special) if special else sum(terms)


def rne16(value):
    """The bits of the FP16 number nearest to a value, ties to even."""
    if value != value:
        return 0x7E00
    sign = 0x8000 if value < 0 else 0
    if isinstance(value, float):
        return sign | 0x7C00
    if value == 0:
        return 0
    magnitude = Fraction(abs(value))
    exponent = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    if magnitude < Fraction(2) ** exponent:
        exponent -= 1
    exponent = max(exponent, -14)
    # `round` of a fraction is exact, and to even where it ties.
    significand = round(magnitude / Fraction(2) ** (exponent - 10))
    return sign | min(((exponent + 14) << 10) + significand, 0x7C00)


@dataclasses.dataclass
class Core:
    """The sizes of a core, in the symbols of the documentation."""

    R: int
    F: int
    d: int
    n: int
    E: int
    W: int
    max_codebooks: int

    @classmethod
    def read(cls, folder):
        p = json.loads(pathlib.Path(folder, "eva_core.json").read_text())["parameters"]
        return cls(
            R=p["array"]["rows"],
            F=p["array"]["cols"] // 4,
            d=p["vq"]["dim"],
            n=p["vq"]["index_bits"],
            E=p["epilogue"]["units"],
            W=p["stream"]["width"],
            max_codebooks=p["vq"]["max_codebooks"],
        )

    @property
    def S(self):
        return self.F // self.d

    @property
    def L(self):
        return self.R * self.S

    @property
    def B(self):
        return self.E * self.L


class Program:
    """Commands, the beats they take, and what has to come of them. Beats are bytes, lowest first."""

    def __init__(self, core, rng):
        self.core, self.rng = core, rng
        self.commands = []
        self.w, self.x = bytearray(), bytearray()
        self.outputs = []  # for each command with outputs: their 32-bit words
        self.statuses = []  # for each command: opcode, status and tag

    def command(self, status, opcode, **fields):
        """Adds a command that ends with `status`."""
        tag = int(self.rng.integers(2**16))
        fields |= dict(opcode=opcode, tag=tag)
        word = sum(int(value) << FIELDS[name] for name, value in fields.items())
        self.commands.append(word.to_bytes(16, "little"))
        self.statuses.append((opcode, status, tag))

    def refused(self, status, bit=None, **fields):
        """Adds a command that is refused; `bit` is one that should have been zero."""
        self.command(status, **fields)
        if bit is not None:
            word = int.from_bytes(self.commands[-1], "little") | 1 << bit
            self.commands[-1] = word.to_bytes(16, "little")

    def load_codebooks(self, codebooks, slot):
        """`codebooks`: the bits of FP16 values, [C][2^n][d]."""
        self.command(DONE, LOAD_CODEBOOKS, codebooks=len(codebooks), slot=slot)
        for codebook in codebooks:
            if self.core.W < 16 * self.core.d:
                entries = [values.tobytes() for values in codebook]
                self.w += b"".join(_pad(entry, self.core.W // 8) for entry in entries)
            else:
                self.w += _pad(codebook.tobytes(), self.core.W // 8)

    def load_x(self, x):
        """`x`: the bits of FP16 values, [V][d]."""
        self.command(DONE, LOAD_X, vectors=len(x))
        self.x += _pad(x.tobytes(), self.core.F * 4, self.rng)

    def vq_gemv(self, x, codebooks, slot, indices, scales):
        """A whole product of what has been loaded; `indices`: [C][V][N], `scales`: the bits of N values, FP16 or FP32."""
        core = self.core
        C, V, N = indices.shape
        is_fp32 = scales.dtype == np.uint32
        self.command(
            DONE, VQ_GEMV, first=1, last=1, scale_fp32=is_fp32, slot=slot, codebooks=C, tokens=1, vectors=V, outputs=N
        )
        self.w += _pad(scales.tobytes(), core.W // 8)
        tiles = -(-V // core.B)
        # Indices beyond the last vector are ignored, whatever they are.
        padded = self.rng.integers(0, 2**core.n, (C, tiles * core.B, N))
        padded[:, :V] = indices
        for tile in range(tiles):
            for codebook in padded[:, tile * core.B : (tile + 1) * core.B]:
                words = [sum(int(index) << (b * core.n) for b, index in enumerate(column)) for column in codebook.T]
                self.w += _pack(words, core.B * core.n, core.W)

        x = [[fp16(value) for value in vector] for vector in x]
        weights = [[[fp16(value) for value in entry] for entry in codebook] for codebook in codebooks]
        output_codebooks = [
            [[fp16(rne16(total(map(product, vector, entry)))) for entry in codebook] for vector in x]
            for codebook in weights
        ]
        scale = fp32 if is_fp32 else fp16
        sums = (total(output_codebooks[c][v][indices[c, v, o]] for c in range(C) for v in range(V)) for o in range(N))
        self.outputs.append([rne16(product(s, scale(bits))) for s, bits in zip(sums, scales)])

    def int8_gemm(self, w, x, scales=None):
        """`w`: INT8, [N][K]; `x`: INT8, [M][K]; `scales`: the bits of N FP32 values, or none for the sums themselves."""
        core, rng = self.core, self.rng
        (N, K), M = w.shape, len(x)
        d4 = 4 * core.d
        T = -(-K // d4)
        Q = max(T, core.L + 1)
        P = Q * ((N - 1) // core.L + 1) + (N - 1) % core.L
        self.command(DONE, INT8_GEMM, raw=scales is None, tokens=M, k_tiles=T, outputs=N)
        if scales is not None:
            self.w += _pad(scales.tobytes(), core.W // 8)
        padded_x = np.zeros((M, T * d4), np.int8)
        padded_x[:, :K] = x
        padded_w = rng.integers(-128, 128, (N, T * d4)).astype(np.int8)
        padded_w[:, :K] = w
        for p in range(P):
            inputs = slice(p % Q * d4, (p % Q + 1) * d4)
            if p % Q >= T:
                continue
            # Lanes without an output are given anything.
            lanes = rng.integers(-128, 128, (core.L, d4)).astype(np.int8)
            for lane in range(min(core.L, p + 1)):
                output = lane + core.L * ((p - lane) // Q)
                if output < N:
                    lanes[lane] = padded_w[output, inputs]
            rows = lanes.reshape(core.R, 4 * core.F)
            self.w += _pack([int.from_bytes(row.tobytes(), "little") for row in rows], 32 * core.F, core.W)
            self.x += _pad(padded_x[:, inputs].tobytes(), core.F * 4, rng)

        sums = (sum(int(a) * int(b) for a, b in zip(w[o], x[m])) for o in range(N) for m in range(M))
        if scales is None:
            self.outputs.append([s % 2**32 for s in sums])
        else:
            self.outputs.append([rne16(product(s, fp32(scales[i // M]))) for i, s in enumerate(sums)])


def _pad(data, size, rng=None):
    """Fills up to whole beats of `size` bytes: with zeros, or with anything."""
    missing = -len(data) % size
    return data + (bytes(missing) if rng is None else rng.bytes(missing))


def _pack(words, bits, width):
    """Words of `bits` bits in beats of `width` bits, several in a beat or several beats for each."""
    if bits > width:
        beats = -(-bits // width)
        return b"".join(word.to_bytes(beats * width // 8, "little") for word in words)
    per_beat = width // bits
    groups = (words[i : i + per_beat] for i in range(0, len(words), per_beat))
    return b"".join(
        sum(word << (i * bits) for i, word in enumerate(group)).to_bytes(width // 8, "little") for group in groups
    )
