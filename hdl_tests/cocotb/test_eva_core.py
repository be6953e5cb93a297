"""Drives a core through cocotbext-axi as a stranger would who has read docs/interface.md."""

import itertools
import logging
import os

import cocotb
import model
import numpy as np
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, with_timeout
from cocotb.utils import get_sim_time
from cocotbext.axi import AxiStreamBus, AxiStreamSink, AxiStreamSource

logging.getLogger("cocotb.eva_core").setLevel(logging.ERROR)
CORE = model.Core.read(os.environ["EVA_CORE"])
PERIOD = 10  # ns


class Bench:
    """The streams of a core, each with pauses of its own."""

    def __init__(self, dut, rng):
        self.dut = dut

        def stream(kind, prefix):
            bus = AxiStreamBus.from_prefix(dut, prefix)
            end = kind(bus, dut.aclk, dut.aresetn, reset_active_level=False)
            share = rng.choice([0.0, 0.2, 0.5, 0.8])
            end.set_pause_generator(bool(rng.random() < share) for _ in itertools.count())
            return end

        self.cmd, self.w, self.x = (stream(AxiStreamSource, f"s_axis_{name}") for name in ("cmd", "w", "x"))
        self.y, self.sts = (stream(AxiStreamSink, f"m_axis_{name}") for name in ("y", "sts"))
        dut.aresetn.value = 0
        cocotb.start_soon(Clock(dut.aclk, PERIOD, "ns").start())

    async def reset(self, cycles):
        """Resets core and streams; what they held is forgotten."""
        self.dut.aresetn.value = 0
        await ClockCycles(self.dut.aclk, cycles)
        for end in (self.cmd, self.w, self.x, self.y, self.sts):
            end.clear()
        self.dut.aresetn.value = 1
        await ClockCycles(self.dut.aclk, 1)

    def send(self, program):
        for command in program.commands:
            self.cmd.send_nowait(command)
        self.w.send_nowait(bytes(program.w))
        self.x.send_nowait(bytes(program.x))

    async def run(self, program):
        """Runs a program on a core just reset and checks all that comes back."""
        started = get_sim_time("ns")
        self.send(program)
        for opcode, status, tag in program.statuses:
            frame = await with_timeout(self.sts.recv(), 1, "ms")
            word = int.from_bytes(frame.tdata, "little")
            answer = (word & 0xFF, word >> 8 & 0xFF, word >> 16 & 0xFFFF)
            assert answer == (opcode, status, tag), f"status {answer} instead of {(opcode, status, tag)}"
            assert 0 < word >> 32 <= (get_sim_time("ns") - started) / PERIOD, "cycles of the status"
        # A frame ends where tlast is: it must be on the last output of each command, and nowhere else.
        for number, expected in enumerate(program.outputs):
            assert not self.y.empty(), f"product {number}: the last output came without tlast, or not at all"
            outputs = np.frombuffer(bytes(self.y.recv_nowait().tdata), "<u4").tolist()
            assert len(outputs) == len(expected), f"product {number}: {len(outputs)} outputs, not {len(expected)}"
            for i, (output, wanted) in enumerate(zip(outputs, expected)):
                assert output == wanted, f"product {number}, output {i}: {output:08x} instead of {wanted:08x}"

        await ClockCycles(self.dut.aclk, 50)
        assert self.y.empty() and self.y.idle() and self.sts.empty(), "something came after the end"
        assert self.w.idle() and self.x.idle() and self.cmd.idle(), "not everything was taken"
        assert self.dut.busy.value == 0
        assert int(self.dut.stat_w_beats.value) == len(program.w) * 8 // CORE.W


def halves(rng, *shape):
    """Bits of FP16 values of many magnitudes, some of them zero or subnormal."""
    values = rng.normal(size=shape) * 2.0 ** rng.integers(-6, 6, shape)
    tiny = rng.random(shape) < 0.1
    return np.where(tiny, values * 2.0**-18, values).astype(np.float16).view(np.uint16)


def program(seed, vectors, outputs, product):
    """A decode with refused commands in it, then INT8 products of `N, K, M` as in `product`, scaled and raw."""
    rng = np.random.default_rng(seed)
    job = model.Program(CORE, rng)
    C = CORE.max_codebooks

    codebooks = halves(rng, C, 2**CORE.n, CORE.d)
    codebooks[0, 0, 0] = 0x7C00  # an infinity, which the last output alone uses
    x = halves(rng, vectors, CORE.d)
    indices = rng.integers(1, 2**CORE.n, (C, vectors, outputs))
    indices[0, 0, -1] = 0
    scales = halves(rng, outputs)
    scales[0] = 0x7E01  # not a number

    job.load_codebooks(codebooks, slot=0)
    job.load_x(x)
    gemv = dict(opcode=model.VQ_GEMV, first=1, last=1, codebooks=C, tokens=1, vectors=vectors, outputs=outputs)
    refusals = [
        (model.UNKNOWN_OPCODE, gemv | dict(opcode=9)),
        (model.OUT_OF_RANGE, gemv | dict(vectors=0)),
        (model.RESERVED_BIT, gemv | dict(bit=model.FIELDS["raw"])),
        (model.NOT_LOADED, gemv | dict(vectors=vectors + 1)),
        (model.NO_CHAIN, gemv | dict(first=0)),
    ]
    for status, fields in refusals:
        job.refused(status, **fields)
    job.vq_gemv(x, codebooks, 0, indices, scales)

    N, K, M = product
    w8 = rng.integers(-128, 128, (N, K)).astype(np.int8)
    x8 = rng.integers(-128, 128, (M, K)).astype(np.int8)
    scales = (rng.normal(size=N) * 2.0 ** rng.integers(-24, 2, N)).astype(np.float32).view(np.uint32)
    job.int8_gemm(w8, x8, scales)
    job.refused(model.NOT_LOADED, **gemv)  # the INT8 product has taken the place of the activations
    job.int8_gemm(w8, x8)
    return job


@cocotb.test()
@cocotb.parametrize(seed=range(1, 7))
async def decode_and_int8(dut, seed):
    print(f"seed {seed}")
    rng = np.random.default_rng([seed, 1])
    bench = Bench(dut, rng)
    await bench.reset(cycles=2)
    # Neither whole tiles nor whole passes; in the second half fewer k tiles than passes for an output.
    sizes = [(7, 13, (5, 41, 7)), (5, 9, (3, 17, 3))][seed % 2]
    await bench.run(program(seed, *sizes))


@cocotb.test()
@cocotb.parametrize(seed=range(7, 15))
async def reset_in_the_middle(dut, seed):
    print(f"seed {seed}")
    rng = np.random.default_rng([seed, 1])
    bench = Bench(dut, rng)
    await bench.reset(cycles=2)
    bench.send(program(seed, 7, 13, (5, 41, 7)))
    await ClockCycles(dut.aclk, int(rng.integers(30, 400)))
    assert dut.busy.value == 1, "the core was to be reset at work"
    await bench.reset(cycles=1)
    await bench.run(program(seed + 100, 6, 11, (4, 50, 2)))
