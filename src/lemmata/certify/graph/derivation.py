"""Does this derivation really reach the error?

It is gone through fact by fact, with concrete values and no solver: the edge of a fact must exist, its premises must be earlier
facts at its sources, its inputs must each have a value of their sort, its guard must hold, and what its updates give must be
the values of the fact. The last fact is the error of the property.

SMT-LIB leaves numbers divided by zero open. Horn clauses with such terms are satisfiable if they are so for *some* meaning of
x / 0, so a refutation must hold for *every* meaning. Therefore such a term has no value here, and what depends on it has none
(a disjunction with a true part and the branch of an ``ite`` that is not taken do not depend on it). Where a guard or a value
stays open the derivation shows nothing: ``GaveUp("incomplete")``, which is an unknown and no bug. The same goes for
uninterpreted functions.

An edge that does more than the file says (``Origin.inexact``) is no step of a derivation: whoever takes it shows nothing.

A fact that says that a loop is taken so many times is checked as a whole (``stretch``), and that may take a solver.
"""

from __future__ import annotations

from collections.abc import Sequence

from lemmata.certify.graph.claims import edge_text, error_of, require_shape
from lemmata.certify.graph.fitting import is_of
from lemmata.certify.graph.open_values import OPEN
from lemmata.certify.graph.stretch import Runner, check_stretch, runner
from lemmata.certify.query import Panel
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.terms import Term, Value, name_of
from lemmata.logic.text import value_text
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Edge, Graph

_SOLVERS = ("cvc5", "z3")


def replay_derivation(
    graph: Graph, derivation: Derivation, solvers: Sequence[str] = _SOLVERS, until: float | None = None
) -> str:
    """Who checked it: "evaluation", and solvers if there are long stretches.

    ``CertificateError`` unless ``derivation`` reaches the error of its property in ``graph``; ``GaveUp`` if nobody can tell.
    """
    error = error_of(graph, derivation.prop)
    if not derivation.facts:
        raise CertificateError("the derivation is empty")
    runs: dict[int, Runner] = {}
    panel = Panel(solvers, until)
    for number, fact in enumerate(derivation.facts):
        if not 0 <= fact.edge < len(graph.edges):
            raise CertificateError(f"fact {number}: there is no edge {fact.edge}")
        edge = graph.edges[fact.edge]
        if fact.edge not in runs:
            require_shape(graph, edge)
            runs[fact.edge] = runner([edge.guard, *edge.updates])
        _require_exact(graph, number, fact)
        if fact.stretch is None:
            _check_fact(graph, derivation, number, runs[fact.edge])
        else:
            _check_stretch(graph, derivation, number, panel)
    last = graph.edges[derivation.facts[-1].edge].target
    if last != error:
        raise CertificateError(f"the derivation ends at {graph.locations[last].name}, not at {graph.locations[error].name}")
    return ", ".join(["evaluation", *panel.answered])


def _require_exact(graph: Graph, number: int, fact: Fact) -> None:
    for taken in fact.edges if graph.origin.inexact else ():
        if taken in graph.origin.inexact:
            raise CertificateError(
                f"fact {number}: {edge_text(graph.edges[taken])} does more than the file says: it shows nothing"
            )


def _check_stretch(graph: Graph, derivation: Derivation, number: int, panel: Panel) -> None:
    fact = derivation.facts[number]
    _require_place(graph, number, fact)
    if len(fact.premises) != 1 or not 0 <= fact.premises[0] < number:
        raise CertificateError(f"fact {number}: a stretch begins at one earlier fact")
    check_stretch(graph, f"fact {number}", derivation.facts[fact.premises[0]], fact, panel)


def _require_place(graph: Graph, number: int, fact: Fact) -> None:
    edge = graph.edges[fact.edge]
    place = graph.locations[edge.target]
    if fact.place != place:
        raise CertificateError(f"fact {number}: {edge_text(edge)} leads to {place.name}, not to {fact.place.name}")
    _require_sorts(f"fact {number}", place.variables, fact.values)


def _check_fact(graph: Graph, derivation: Derivation, number: int, run: Runner) -> None:
    fact = derivation.facts[number]
    edge = graph.edges[fact.edge]
    place = graph.locations[edge.target]
    _require_place(graph, number, fact)
    values = _premises(graph, derivation, number) | _inputs(number, edge, fact)
    holds, *reached = run(values)
    if holds is OPEN or any(value is OPEN for value in reached):
        raise GaveUp("incomplete")
    if not holds:
        raise CertificateError(f"fact {number}: the guard of {edge_text(edge)} does not hold")
    for v, value, expected in zip(place.variables, fact.values, reached, strict=True):
        if value != expected:
            texts = value_text(value, v.sort), value_text(expected, v.sort)
            raise CertificateError(f"fact {number}: {name_of(v)} is {texts[0]}, {edge_text(edge)} gives {texts[1]}")


def _premises(graph: Graph, derivation: Derivation, number: int) -> dict[Term, Value]:
    """The values of the sources' variables, in the names of the edge."""
    fact = derivation.facts[number]
    edge = graph.edges[fact.edge]
    if len(fact.premises) != len(edge.sources):
        raise CertificateError(f"fact {number}: {edge_text(edge)} needs {len(edge.sources)} facts, not {len(fact.premises)}")
    values: dict[Term, Value] = {}
    for source, premise in zip(edge.sources, fact.premises, strict=True):
        if not 0 <= premise < number:
            raise CertificateError(f"fact {number}: {premise} is no earlier fact")
        before = derivation.facts[premise]
        found = graph.edges[before.edge].target
        if found != source.location:
            names = [graph.locations[location].name for location in (found, source.location)]
            raise CertificateError(f"fact {number}: fact {premise} is at {names[0]}, {edge_text(edge)} starts at {names[1]}")
        values |= zip(source.variables, before.values, strict=True)
    return values


def _inputs(number: int, edge: Edge, fact: Fact) -> dict[Term, Value]:
    """One value for each input, and nothing else."""
    values = dict(fact.inputs)
    if len(values) != len(fact.inputs) or values.keys() != set(edge.inputs):
        names = ", ".join(name_of(v) for v in edge.inputs) or "none"
        raise CertificateError(f"fact {number}: {edge_text(edge)} needs exactly one value for each input ({names})")
    _require_sorts(f"fact {number}", list(values), list(values.values()))
    return values


def _require_sorts(what: str, names: Sequence[Term], values: Sequence[Value]) -> None:
    if len(names) != len(values):
        raise CertificateError(f"{what}: {len(values)} values for {len(names)} variables")
    for v, value in zip(names, values, strict=True):
        if not is_of(value, v.sort):
            raise CertificateError(f"{what}: the value of {name_of(v)} is not a {v.sort}")
