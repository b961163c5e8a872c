"""Does this trace over words really reach a bad state?

It is run with concrete values and no solver: the first state must have its start values (a free variable may have any), the
constraint must hold in every step, the last one included, and in the last step the state must be bad. Every variable and
every input must have exactly one value of its sort: what a trace leaves open, it does not show.

Kept apart from ``certify.graph.derivation``: a trace has no facts to compare with (states follow from the inputs), total
functions leave no value open, and a failure is told by step and constraint, not by fact and edge. Both share ``is_of``.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.graph.fitting import is_of
from lemmata.certify.words.question import question
from lemmata.errors import CertificateError
from lemmata.logic.evaluate import Program, evaluate
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.text import value_text
from lemmata.models.graph import Graph
from lemmata.models.system import System
from lemmata.models.words import Values, WordTrace

_State = dict[Term, Value]


def replay_words(graph: Graph, trace: WordTrace) -> None:
    """Raise ``CertificateError`` unless ``trace`` runs from an initial state of ``graph`` to a bad one."""
    system, bad = question(graph, trace.prop)
    if not trace.inputs:
        raise CertificateError("the trace has no step")
    state = _complete("the initial state", trace.initial, system.variables)
    _check_start(system, state)
    program = Program([system.constraint, bad, *(system.nexts[v] for v in system.variables)])
    first_bad = None
    for step, line in enumerate(trace.inputs):
        values = state | _complete(f"step {step}", line, system.inputs)
        holds, reached, *after = program.run(values)
        if not holds:
            raise CertificateError(f"the constraints are violated in step {step}")
        if reached and first_bad is None:
            first_bad = step
        state = dict(zip(system.variables, after, strict=True))
    if not reached:
        name = graph.questions[trace.prop].name
        hint = "" if first_bad is None else f" (it is in step {first_bad}: the trace should end there)"
        raise CertificateError(f"the trace does not reach {name}: not bad in its last step, {trace.depth}{hint}")


def _complete(what: str, given: Values, expected: Sequence[Term]) -> _State:
    """One value of the right sort for everything that is expected, and nothing else."""
    values = dict(given)
    if len(values) != len(given):
        raise CertificateError(f"the trace does not fit: {what} has two values for the same name")
    for v in expected:
        if v not in values:
            raise CertificateError(f"the trace does not fit: {what} has no value for {name_of(v)}")
        if not is_of(values[v], v.sort):
            raise CertificateError(f"the trace does not fit: in {what} the value of {name_of(v)} is not a {v.sort}")
    if strange := values.keys() - set(expected):
        name = min(map(name_of, strange))
        raise CertificateError(f"the trace does not fit: {what} has a value for {name}, which the model does not have there")
    return values


def _check_start(system: System, state: _State) -> None:
    starts = [(v, start) for v in system.variables if (start := system.starts[v]) is not None]
    for (v, _), value in zip(starts, evaluate([start for _, start in starts], state), strict=True):
        if state[v] != value:
            texts = value_text(state[v], v.sort), value_text(value, v.sort)
            where = f"{name_of(v)} is {texts[0]}, it starts as {texts[1]}"
            raise CertificateError(f"the trace does not start in an initial state: {where}")
