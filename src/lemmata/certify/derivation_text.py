"""Derivations as text: for people in comments, and as S-expressions that can be read again (``derivation_reader``).

    (property 0)
    ; 0: inv(x = 0)  (line 3)
    (fact inv (edge 0) (from) (inputs) (values 0))
    ; 1: inv(x = 2)  from 0  (line 4)
    (fact inv (edge 1) (from 0) (inputs (n 2)) (values 2))
    …

A fact after a stretch has ``(repeat …)`` in the place of its inputs (``derive_stretch_text``).
Edges count from 0 in the order of the file's clauses, facts in that of the text. Values are written as in SMT-LIB.
"""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.certify.derive_stretch_text import format_stretch
from lemmata.escapes import printable
from lemmata.logic.smtlib import symbol, value_to_text
from lemmata.logic.terms import name_of
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Graph


def format_derivation(graph: Graph, derivation: Derivation) -> str:
    """The whole derivation."""
    lines = [f"; how {printable(graph.questions[derivation.prop].name)} is reached", f"(property {derivation.prop})"]
    for told, fact in zip(derivation.told(), derivation.facts, strict=True):
        lines += [f"; {printable(told)}", _fact(fact)]
    return "\n".join([*lines, ""])


def _fact(fact: Fact) -> str:
    inputs = [f"({symbol(name_of(v))} {value_to_text(value, v.sort)})" for v, value in fact.inputs]
    values = [value_to_text(value, v.sort) for v, value in zip(fact.place.variables, fact.values, strict=True)]
    how = _listed("inputs", inputs) if fact.stretch is None else format_stretch(fact.stretch)
    parts = [_listed("from", map(str, fact.premises)), how, _listed("values", values)]
    place = "false" if fact.place.name == "false" else symbol(fact.place.name)
    return f"(fact {place} (edge {fact.edge}) {' '.join(parts)})"


def _listed(head: str, items: Iterable[str]) -> str:
    return f"({' '.join([head, *items])})"
