"""A system unrolled: what its terms are at step 0, 1, 2 … of a run.

A state is never given variables of its own after step 0: the next-state functions are put into each other, so step t is a term
over the variables at step 0 and the inputs at steps 0 to t (``x@0``, ``i@3``). Hash-consing shares what steps have in common,
and what a constant start decides folds away on the way. Only the cone of influence is unrolled: the variables that the roots
read, those that their next-state functions read, and so on.

Measured on designs with memories: giving each step variables of its own, with equations between them, goes up to twice as deep
where every bound is easy, but needs three times as long where one is hard, in BMC and in the inductive step, and twice the
memory.

Unrolled from the initial states, a variable with a start has that start at step 0; otherwise, and for the inductive step
everywhere, step 0 is free. The nodes of the cone are put in order once; a step is one loop over them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lemmata.logic.build import build
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.terms import Term, Value, topological
from lemmata.logic.walk import substitute, variables
from lemmata.models.system import System, at
from lemmata.work import NODE, tally


def _read_in_run(system: System, roots: Iterable[Term]) -> frozenset[Term]:
    """The variables and inputs that the roots read, now or in a later step of a run that leads to them."""
    seen = set(roots)
    stack = list(seen)
    while stack:
        term = stack.pop()
        below = (system.nexts[term],) if term in system.nexts else term.args
        for other in below:
            if other not in seen:
                seen.add(other)
                stack.append(other)
    return frozenset(term for term in seen if term.is_var)


def at_start(system: System) -> dict[Term, Term]:
    """Each variable in an initial state, over the free ones at step 0."""
    free = {v: at(v, 0) for v in system.variables if system.starts[v] is None}
    given = [(v, start) for v in system.variables if (start := system.starts[v]) is not None]
    terms = substitute([start for _, start in given], free)
    return free | dict(zip([v for v, _ in given], terms, strict=True))


class Unrolling:
    """``roots`` and the variables in their cone at any step; it grows as later steps are asked for."""

    def __init__(self, system: System, roots: Sequence[Term], initial: bool) -> None:
        reach = _read_in_run(system, roots)
        self.variables = tuple([v for v in system.variables if v in reach])
        self.inputs = tuple([i for i in system.inputs if i in reach])
        self._roots = roots
        self._nexts = [system.nexts[v] for v in self.variables]
        self._simulator = Program(self._nexts)
        self._order = [term for term in topological([*roots, *self._nexts]) if not term.is_var]
        start = at_start(system) if initial else {v: at(v, 0) for v in self.variables}
        self._states = [tuple([start[v] for v in self.variables])]
        self._roots_at: list[tuple[Term, ...]] = []
        self._free = variables(self._states[0])

    def roots(self, step: int) -> tuple[Term, ...]:
        """The roots at ``step``."""
        while len(self._roots_at) <= step:
            self._advance()
        return self._roots_at[step]

    def state(self, step: int) -> tuple[Term, ...]:
        """The variables at ``step``, in the order of ``variables``."""
        while len(self._states) <= step:
            self._advance()
        return self._states[step]

    def leaves(self, step: int) -> list[Term]:
        """All variables that the roots at steps up to ``step`` can read."""
        return [*self._free, *(at(i, t) for t in range(step + 1) for i in self.inputs)]

    def simulate(self, values: Mapping[Term, Value], step: int) -> list[tuple[Value, ...]]:
        """The values of the state at steps 0 to ``step``, where the leaves have ``values``."""
        states = [tuple(evaluate(self._states[0], values))]
        for t in range(step):
            here = dict(zip(self.variables, states[t], strict=True)) | {i: values[at(i, t)] for i in self.inputs}
            states.append(tuple(self._simulator.run(here)))
        return states

    def _advance(self) -> None:
        """The roots at the last step that has a state, and the state after it."""
        step = len(self._roots_at)
        here = dict(zip(self.variables, self._states[step], strict=True))
        here |= {i: at(i, step) for i in self.inputs}
        tally[NODE] += len(self._order)
        for term in self._order:
            args = term.args
            here[term] = build(term.op, tuple([here[arg] for arg in args]), term.data) if args else term
        self._roots_at.append(tuple([here[root] for root in self._roots]))
        self._states.append(tuple([here[term] for term in self._nexts]))
