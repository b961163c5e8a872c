"""One file, measured in a process of its own: ``python -m tests.scaling.measure FILE check|simplify`` prints JSON.

``check`` goes the way of ``lemmata check --workers 1`` in one process and tells CPU seconds to read the file, to settle its
properties (simplification included, as far as the run wanted it) and to certify them (second reader included). ``simplify`` is
the whole simplification of the first property alone, whether a run needs it or not. Both tell the peak of memory.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from collections.abc import Callable
from typing import Any

from lemmata.config import Config
from lemmata.events import NOBODY
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.task import Model, Task
from lemmata.solvers.smt import preferred
from lemmata.transforms.circuit.reduce import reduce
from lemmata.transforms.graph import simplify_graph


def main() -> None:
    path, what = sys.argv[1:]
    began = time.process_time()
    model = load(path, None, None)
    found: dict[str, Any] = {"read": time.process_time() - began}
    began = time.process_time()
    if what == "check":
        found |= _check(path, model)
        found["query"] = time.process_time() - began - found["certify"]
    else:
        _simplify(model)
        found["simplify"] = time.process_time() - began
    found["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(json.dumps(found))


def _check(path: str, model: Model) -> dict[str, Any]:
    spent = [0.0]
    flow = Flow(Task(path, Config(workers=1)), NOBODY, model)
    world, second = flow._world, flow._second_reader
    world.certify = _timed(world.certify, spent)  # type: ignore[method-assign]
    second.read_by = _timed(second.read_by, spent)  # type: ignore[method-assign]
    flow.prepare()
    gc.freeze()  # as workers do
    outcomes = [flow.settle(position, None) for position in range(len(flow.chosen))]
    words = [outcome.verdict.word if isinstance(outcome, Settled) else "uncertified" for outcome in outcomes]
    return {"certify": spent[0], "verdict": "unsafe" if "unsafe" in words else words[0]}


def _timed(call: Callable[..., Any], spent: list[float]) -> Callable[..., Any]:
    def timed(*args: Any) -> Any:
        began = time.process_time()
        try:
            return call(*args)
        finally:
            spent[0] += time.process_time() - began

    return timed


def _simplify(model: Model) -> None:
    if isinstance(model, Aig):
        reduce(model, [0])
    else:
        simplify_graph(model, 0, preferred())


if __name__ == "__main__":
    main()
