"""Small systems over words whose answers can be worked out on paper, and a replay of their traces by evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.logic.build import build, conj, ite, negate
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL, Array, BitVec
from lemmata.logic.terms import TRUE, Term, Value, bv, make, var
from lemmata.models.system import System
from lemmata.models.words import WordTrace

MEMORY = Array(BitVec(4), BitVec(8))


def word(name: str, width: int) -> Term:
    return var(name, BitVec(width))


def equals(term: Term, value: int) -> Term:
    return build("=", (term, bv(value, term.width)))


def successor(term: Term) -> Term:
    return build("bvadd", (term, bv(1, term.width)))


def system(
    nexts: Mapping[Term, Term],
    starts: Mapping[Term, Term],
    bads: Sequence[Term],
    constraint: Term = TRUE,
    inputs: Sequence[Term] = (),
) -> System:
    """A system; variables without a start are free."""
    return System(tuple(nexts), tuple(inputs), {v: starts.get(v) for v in nexts}, nexts, constraint, tuple(bads))


def counter(width: int, targets: Sequence[int], forbidden: Sequence[int] = ()) -> System:
    """Counts from 0 when enabled; bad at each target; the constraint forbids some values."""
    x, enable = word("x", width), var("enable", BOOL)
    constraint = conj([negate(equals(x, value)) for value in forbidden])
    step = ite(enable, successor(x), x)
    return system({x: step}, {x: bv(0, width)}, [equals(x, target) for target in targets], constraint, [enable])


def memory(bad_value: int) -> System:
    """A memory of zeros; each step writes the counter at an address of the environment's choice. Bad: a cell has the value."""
    m, x = var("m", MEMORY), word("x", 8)
    where, look = word("where", 4), word("look", 4)
    written = make("store", (m, where, x))
    bad = equals(make("select", (m, look)), bad_value)
    starts = {m: make("filled", (bv(0, 8),), MEMORY), x: bv(1, 8)}
    return system({m: written, x: successor(x)}, starts, [bad], inputs=[where, look])


def replays(system: System, trace: WordTrace) -> bool:
    """Does the trace start rightly, keep the constraint in every step, and end in a bad state?"""
    state = dict(trace.initial)
    starts = [(v, start) for v, start in system.starts.items() if start is not None]
    if evaluate([start for _, start in starts], state) != [state[v] for v, _ in starts]:
        return False
    reached: list[Value] = [False]
    for values in trace.inputs:
        here = state | dict(values)
        holds, *reached = evaluate([system.constraint, system.bads[trace.prop]], here)
        if not holds:
            return False
        state = dict(zip(system.variables, evaluate([system.nexts[v] for v in system.variables], here), strict=True))
    return bool(reached[0])
