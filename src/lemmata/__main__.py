"""The program ``lemmata``, also as ``python -m lemmata``; here Ctrl-C is quiet from the first import on.

The collector of cyclic garbage rests while modules are loaded, which leave none, until a command begins (``cli.guard``). And
the program ends without taking itself apart: both together cost as much as loading the libraries of the command line.
"""

import gc
import os
import sys
from typing import NoReturn


def main() -> NoReturn:
    """Run the command line."""
    gc.disable()
    try:
        from lemmata.cli import command_line

        sys.set_int_max_str_digits(0)  # verdicts may have numbers of any length
        command_line()
    except KeyboardInterrupt:
        _leave(130)
    except SystemExit as end:
        _leave(end.code)
    _leave(0)


def _leave(code: str | int | None) -> NoReturn:
    """End at once, if everything is written and the code is a number; else as usual."""
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        sys.exit(code)
    if not isinstance(code, int):
        sys.exit(code)
    os._exit(code)


if __name__ == "__main__":
    main()
