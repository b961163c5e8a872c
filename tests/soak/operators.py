"""Evaluation and every solver agree on what each operator means.

The suite takes two thousand applications per solver; ``python -m tests.soak.operators 100000 [SOLVER …]``
takes as many as one likes (``make soak`` does).
"""

from __future__ import annotations

import sys
import time

from lemmata.solvers.smt import open_solver
from tests.support.smt_applications import BATCH, OPERATORS_OF, Applications, complaints
from tests.support.solvers import available


def soak(name: str, count: int) -> int:
    """Try ``count`` applications on one solver; the number of disagreements."""
    start, wrong = time.monotonic(), 0
    applications = Applications(OPERATORS_OF[name], seed=2)
    for _ in range(-(-count // BATCH)):
        found = complaints(open_solver(name), applications.batch())
        wrong += len(found)
        print("\n".join(found[:3]), end="\n" if found else "", flush=True)
    print(f"{name}: {count} applications, {wrong} disagreements, {time.monotonic() - start:.0f} s", flush=True)
    return wrong


if __name__ == "__main__":
    total = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    sys.exit(1 if sum(soak(name, total) for name in sys.argv[2:] or available()) else 0)
