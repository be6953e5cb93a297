#!/usr/bin/env python3
"""Checks that Yosys can take a design: usage: yosys_check.py TOP FILE.v...

Elaborates the hierarchy, turns processes into netlists, and fails on anything unresolved, multiply driven, or
undriven, on combinational loops, and on latches. Prints Yosys's log only on failure. Runs under .tools/bin/python.
"""

import os
import sys
import tempfile


def check(top: str, files: list[str]) -> None:
    """Runs Yosys in this process; a mistake it finds ends the process with its error status."""
    from pyosys import libyosys as yosys

    design = yosys.Design()
    for file in files:
        yosys.run_pass(f'read_verilog "{file}"', design)
    yosys.run_pass(f"hierarchy -check -top {top}", design)
    yosys.run_pass("proc", design)
    yosys.run_pass("check -assert", design)
    yosys.run_pass("select -assert-none t:$dlatch t:$adlatch t:$dlatchsr t:$sr", design)


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    # Yosys logs to standard output, and leaves by itself on an error: a child keeps its log apart.
    with tempfile.TemporaryFile() as log:
        child = os.fork()
        if child == 0:
            os.dup2(log.fileno(), 1)
            os.dup2(log.fileno(), 2)
            check(sys.argv[1], sys.argv[2:])
            sys.stdout.flush()
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if status != 0:
            log.seek(0)
            sys.stderr.write(log.read().decode(errors="replace"))
            print(f"yosys_check: Yosys refuses {sys.argv[1]}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
