#!/usr/bin/env python3
"""Checks Verilog with slang, warnings counted as errors: usage: slang_check.py TOP FILE.v...

Runs under .tools/bin/python.
"""

import sys


def main() -> int:
    if len(sys.argv) < 3:
        print(__doc__, file=sys.stderr)
        return 2
    from pyslang.driver import Driver

    driver = Driver()
    driver.addStandardArgs()
    arguments = ["slang_check", "-Wextra", "-Werror", "--std=1364-2005", "--top", *sys.argv[1:]]
    command = " ".join(f'"{argument}"' for argument in arguments)
    accepted = (
        driver.parseCommandLine(command)
        and driver.processOptions()
        and driver.parseAllSources()
        and driver.runFullCompilation(quiet=True)
    )
    if not accepted:
        print(f"slang_check: slang refuses {sys.argv[1]}", file=sys.stderr)
    return 0 if accepted else 1


if __name__ == "__main__":
    sys.exit(main())
