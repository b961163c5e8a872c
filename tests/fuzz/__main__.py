"""``python -m tests.fuzz WORLD --time SECONDS [--seed N] [--first N] [--out DIR] [--gather | --record]``.

Exit code 1 if there are findings.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from tests.fuzz.gather import again, gather
from tests.fuzz.loop import Fuzzer
from tests.fuzz.worlds import WORLDS, world_of


def main() -> int:
    """Fuzz one world."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("world", choices=WORLDS)
    parser.add_argument("--time", type=float, default=60.0, metavar="S", help="seconds of processor time in all (60)")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, other files")
    parser.add_argument("--first", type=int, default=0, metavar="N", help="go on at this execution")
    parser.add_argument("--out", type=Path, default=Path("fuzz-out"), metavar="DIR", help="findings and summary (fuzz-out)")
    parser.add_argument("--gather", action="store_true", help="add files that trigger new error messages to the corpus")
    parser.add_argument("--record", action="store_true", help="record what becomes of the corpus now")
    options = parser.parse_args()
    world = world_of(options.world)
    if options.record:
        print(f"{again(world)} files of the corpus have changed")
        return 0
    if options.gather:
        print(f"{gather(world, options.time, options.seed)} files were added")
        return 0
    return 1 if Fuzzer(world, options.seed, options.out, options.first).run(options.time).findings else 0


if __name__ == "__main__":
    sys.exit(main())
