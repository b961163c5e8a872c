"""What is asked of a system over words: I, T, C and bad of one property, as the front end gave them.

The checks of this package read nothing else of a graph. ``variables_of_interest`` is the word-level cone of influence: the
variables that, with the inputs, decide the given formulas in this step and all later ones.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from lemmata.errors import CertificateError
from lemmata.logic.evaluate import evaluate
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, Value, make, name_of
from lemmata.logic.text import infix, value_text
from lemmata.logic.walk import substitute, variables
from lemmata.models.graph import Graph
from lemmata.models.system import System, primed, system_of

_SHOWN_VALUES = 8  # values in an error message


def question(graph: Graph, prop: int) -> tuple[System, Term]:
    """The system and the bad states of a property that must exist; bad includes the constraint."""
    if not 0 <= prop < len(graph.questions):
        raise CertificateError(f"{graph.file} has no property {prop}: it has {len(graph.questions)}")
    system = system_of(graph)
    if system is None:
        raise CertificateError(f"{graph.file} is not a transition system: no check is known for its evidence")
    return system, make("and", (system.constraint, system.bads[prop]))


def transition(system: System, among: Iterable[Term]) -> list[Term]:
    """``x′ = next(x, i)`` for some variables."""
    return [make("=", (primed(v), system.nexts[v])) for v in among]


def later(terms: Sequence[Term], system: System) -> list[Term]:
    """The terms about the state one step later."""
    return substitute(terms, {v: primed(v) for v in system.variables})


def require_formulas(system: System, lemmas: Sequence[Term]) -> None:
    """Raise ``CertificateError`` unless every lemma is a formula over the variables."""
    known = set(system.variables)
    for number, lemma in enumerate(lemmas):
        if lemma.sort is not BOOL:
            raise CertificateError(f"lemma {number} is a {lemma.sort}, not a formula")
        for v in variables([lemma]):
            if v not in known:
                raise CertificateError(f"lemma {number} speaks of {name_of(v)}, which is not a variable of the model")


def variables_of_interest(system: System, roots: Sequence[Term]) -> tuple[Term, ...]:
    """The variables that decide ``roots`` now and later, in the order of the system."""
    wanted = set(system.variables)
    seen: set[Term] = set()
    fresh = [v for v in variables(roots) if v in wanted]
    while fresh:
        seen.update(fresh)
        fresh = [v for v in variables([system.nexts[v] for v in fresh]) if v in wanted and v not in seen]
    return tuple(v for v in system.variables if v in seen)


def violated(lemmas: Sequence[Term], state: Mapping[Term, Value]) -> str:
    """The first lemma that a state violates, as text."""
    holds = evaluate(lemmas, state)
    return infix(next(lemma for lemma, value in zip(lemmas, holds, strict=True) if not value))


def word_state_text(values: Mapping[Term, Value], first: Iterable[Term] = ()) -> str:
    """Some values of a state, those of ``first`` before the others."""
    order = dict.fromkeys([*first, *values])
    shown = [f"{name_of(v)} = {value_text(values[v], v.sort)}" for v in list(order)[:_SHOWN_VALUES]]
    return "(" + ", ".join(shown + ["…"] * (len(order) > _SHOWN_VALUES)) + ")"
