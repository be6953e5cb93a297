#!/usr/bin/env python3
"""Time, memory and output size of `eva generate`, next to Verilator reading the same files in the same minute (not for
the largest core, which takes it minutes).

Usage: scripts/bench_generate.py EVA VERILATOR
"""

import pathlib
import subprocess
import sys
import tempfile
import time

ROUNDS = 5
CORES = {
    "tiny": ["--preset", "tiny"],
    "paper (32 x 32)": ["--preset", "paper"],
    "128 x 128": ["--preset", "paper", "--rows", "128", "--cols", "128"],
}


def seconds(command):
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def peak_mib(command):
    """Peak memory of one run, measured in a child of its own: the maximum over children never falls."""
    script = (
        "import resource, subprocess, sys;"
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL);"
        "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
    )
    result = subprocess.run([sys.executable, "-c", script, *command], check=True, capture_output=True, text=True)
    return int(result.stdout) / 1024


def main():
    eva, verilator = sys.argv[1:]
    paper = None
    for name, parameters in CORES.items():
        with tempfile.TemporaryDirectory() as folder:
            generate = [eva, "generate", *parameters, "--out", folder]
            made = min(seconds(generate) for _ in range(ROUNDS))
            files = list(pathlib.Path(folder, "rtl").glob("*.v"))
            lines = sum(len(f.read_text().splitlines()) for f in files)
            print(f"{name}: {made:.3f} s, {peak_mib(generate):.0f} MiB, {len(files)} modules, {lines} lines", end="")
            if name.startswith("128"):
                print(f"; {made / paper:.1f} x the time of paper")
                continue
            paper = made
            lint = [verilator, "--lint-only", "-Wall", "--top-module", "eva_core", "-F", f"{folder}/eva_core.f"]
            print(f"; reading it takes Verilator {seconds(lint) / made:.0f} x as long")


if __name__ == "__main__":
    main()
