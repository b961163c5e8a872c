"""Transforms of systems over words: what a step returns, how ways back compose, and the cone of influence.

``reduce_system_cone`` keeps the variables and inputs that some chosen property or the constraint reads, through next-state and
start functions, and drops the rest. That is exact: a dropped variable is a function of what was kept and never hinders a step.
An invariant of the cone is one of the whole; a run gets a start value for each dropped variable and 0 for each dropped input.
Constraints are never dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Set

from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.terms import Term, Value
from lemmata.logic.values import default_value
from lemmata.models.system import System
from lemmata.models.words import Values, WordInvariant, WordTrace
from lemmata.transforms import Reduction, WayBack
from lemmata.values import dataclass

WordBack = WayBack[WordInvariant, WordTrace]
WordReduction = Reduction[System, WordInvariant, WordTrace]


@dataclass(frozen=True, slots=True)
class Dropped:
    """The way back from ``reduce_system_cone``."""

    old: System
    properties: tuple[int, ...]  # old index of each new property

    def invariant(self, invariant: WordInvariant) -> WordInvariant:
        """The same formulas."""
        return invariant

    def trace(self, trace: WordTrace) -> WordTrace:
        """The same run with a legal value for everything that was dropped."""
        initial = initial_values(self.old, dict(trace.initial))
        lines = tuple(_fill(self.old.inputs, dict(line)) for line in trace.inputs)
        return WordTrace(self.properties[trace.prop], initial, lines)


def initial_values(system: System, chosen: Mapping[Term, Value]) -> Values:
    """An initial state: free variables as ``chosen``, else 0; the others as their start functions say."""
    values = {v: chosen.get(v, default_value(v.sort)) for v in system.variables if system.starts[v] is None}
    given = [(v, start) for v in system.variables if (start := system.starts[v]) is not None]
    values |= zip([v for v, _ in given], evaluate([start for _, start in given], values), strict=True)
    return tuple((v, values[v]) for v in system.variables)


def _fill(wanted: Sequence[Term], known: Mapping[Term, Value]) -> Values:
    return tuple((v, known[v] if v in known else default_value(v.sort)) for v in wanted)


def is_run(system: System, trace: WordTrace) -> bool:
    """Is this a run from an initial state to a bad one, as the system itself says?"""
    state = dict(trace.initial)
    if trace.initial != initial_values(system, state):
        return False
    step = Program([system.constraint, system.bads[trace.prop], *(system.nexts[v] for v in system.variables)])
    holds: Value = False
    for line in trace.inputs:
        valid, holds, *values = step.run({**state, **dict(line)})
        if not valid:
            return False
        state = dict(zip(system.variables, values, strict=True))
    return bool(holds)


def reduce_system_cone(system: System, props: Sequence[int] | None = None) -> WordReduction:
    """The part of the system that the chosen properties (all, if ``None``) and the constraint depend on."""
    chosen = tuple(range(len(system.bads)) if props is None else props)
    bads = tuple(_own_part(system, system.bads[p]) for p in chosen)
    smaller = restricted(system, leaves_that_matter(system, [*bads, system.constraint]), bads)
    return WordReduction(smaller, Dropped(system, chosen))


def restricted(system: System, kept: Set[Term], bads: tuple[Term, ...]) -> System:
    """The system with only the variables and inputs in ``kept``."""
    return System(
        tuple(v for v in system.variables if v in kept),
        tuple(v for v in system.inputs if v in kept),
        {v: system.starts[v] for v in system.variables if v in kept},
        {v: system.nexts[v] for v in system.variables if v in kept},
        system.constraint,
        bads,
    )


def _own_part(system: System, bad: Term) -> Term:
    """A graph's error edges repeat the constraint; a system says it once."""
    repeats = bad.op == "and" and len(bad.args) == 2 and bad.args[0] is system.constraint
    return bad.args[1] if repeats else bad


def leaves_that_matter(system: System, roots: Iterable[Term], also: Mapping[Term, Term] | None = None) -> set[Term]:
    """All variables and inputs that the roots read, now or earlier; ``also`` says what else a leaf depends on."""
    below = {v: (system.nexts[v],) if (start := system.starts[v]) is None else (system.nexts[v], start) for v in system.nexts}
    below |= {leaf: (term,) for leaf, term in (also or {}).items()}
    seen = set(roots)
    stack = list(seen)
    while stack:
        term = stack.pop()
        for arg in below.get(term, ()) if term.op == "var" else term.args:
            if arg not in seen:
                seen.add(arg)
                stack.append(arg)
    return {term for term in seen if term.op == "var"}
