#!/usr/bin/env python3
"""Yosys as a command, for the Yosys of the Python package pyosys, which brings none.

usage: yosys_cli.py [-q] [-l LOG] [-p COMMANDS] [-s SCRIPT] [FILE...], or -V

Reads the files, then runs the script and then the commands, which are separated by `;` or line ends, as `yosys` does
with these options. Exits with 1 and the message at the first error. -q says errors only, -l writes everything that is
said to a file as well. scripts/setup makes it .tools/bin/yosys.
"""

import argparse
import os
import shutil
import sys
import tempfile


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="yosys", description=__doc__.splitlines()[0], allow_abbrev=False)
    parser.add_argument("-V", "--version", action="store_true", help="say the version")
    parser.add_argument("-q", dest="quiet", action="store_true", help="say errors only")
    parser.add_argument("-l", dest="log", metavar="LOG", help="file to write everything to as well")
    parser.add_argument("-p", dest="commands", action="append", default=[], metavar="COMMANDS", help="commands to run")
    parser.add_argument("-s", dest="script", metavar="SCRIPT", help="file of commands to run")
    parser.add_argument("files", nargs="*", metavar="FILE", help="Verilog (.v, .sv) or RTLIL (.il) to read first")
    return parser.parse_args()


def run(options: argparse.Namespace) -> None:
    """Runs Yosys in this process, which an error that it finds ends."""
    from pyosys import libyosys as yosys

    if options.version:
        print(yosys.yosys_maybe_version())
        return
    design = yosys.Design()
    for file in options.files:
        reader = {".il": "read_rtlil", ".sv": "read_verilog -sv"}.get(os.path.splitext(file)[1], "read_verilog")
        yosys.run_pass(f'{reader} "{file}"', design)
    if options.script is not None:
        # The command has no way to quote a name.
        if any(char.isspace() for char in options.script):
            sys.exit(f"ERROR: the name of a script must be without spaces: {options.script}")
        yosys.run_pass(f"script {options.script}", design)
    for commands in options.commands:
        for line in commands.splitlines():
            yosys.run_pass(line, design)


def main() -> int:
    options = arguments()
    if not options.quiet and options.log is None:
        run(options)
        return 0
    # Yosys logs to standard output, and leaves by itself on an error: a child keeps its log apart.
    with tempfile.TemporaryFile() if options.log is None else open(options.log, "w+b") as log:
        child = os.fork()
        if child == 0:
            os.dup2(log.fileno(), 1)
            run(options)
            sys.stdout.flush()
            os._exit(0)
        status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
        if not options.quiet:
            log.seek(0)
            shutil.copyfileobj(log, sys.stdout.buffer)
        return status


if __name__ == "__main__":
    sys.exit(main())
