"""The process in which Yosys works: ``python child.py PARENT COMMAND…`` runs the commands, its log on standard output.

Yosys ends its process on an error, and no signal reaches Python while it works; so it never works in a process of ours. This
file is run as a script and imports nothing of Lemmata.
"""

from __future__ import annotations

import ctypes
import os
import signal
import sys

MISSING = 77  # exit code: there is no pyosys
_PR_SET_PDEATHSIG = 1


def run_commands(parent: int, commands: list[str]) -> int:
    """Run the commands; the process dies with its parent."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            return 1
    try:
        from pyosys import libyosys
    except ImportError as error:
        print(error)
        return MISSING
    design = libyosys.Design()
    for command in commands:
        libyosys.run_pass(command, design)
    sys.stdout.flush()
    os._exit(0)  # at once: nobody needs the design to be taken apart


if __name__ == "__main__":
    sys.exit(run_commands(int(sys.argv[1]), sys.argv[2:]))
