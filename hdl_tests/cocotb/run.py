"""Builds the core in a folder that `eva generate` has written with Icarus and runs the cocotb tests on it.

Usage: run.py FOLDER. Prints a summary; exits with 1 if a test fails.
"""

import pathlib
import sys
import tempfile

from cocotb_tools.runner import get_results, get_runner


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1]).resolve()
    sources = [folder / line for line in (folder / "eva_core.f").read_text().splitlines()]
    with tempfile.TemporaryDirectory() as build:
        runner = get_runner("icarus")
        runner.build(sources=sources, hdl_toplevel="eva_core", build_dir=build, timescale=("1ns", "1ps"))
        results = runner.test(
            test_module="test_eva_core",
            hdl_toplevel="eva_core",
            build_dir=build,
            test_dir=build,
            seed=1,
            timescale=("1ns", "1ps"),
            extra_env={"EVA_CORE": str(folder), "PYTHONDONTWRITEBYTECODE": "1"},
        )
        tests, failed = get_results(results)
    print(f"cocotb: {tests} tests, {failed} failed")
    sys.exit(1 if failed or not tests else 0)


if __name__ == "__main__":
    main()
