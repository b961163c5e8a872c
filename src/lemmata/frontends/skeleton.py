"""``Skeleton``: makes the terms of clauses. What has predicates or quantifiers in it stays as it is, all else is simplified.

Predicates are applications of functions without a meaning. A term above one keeps its operator and the order of its arguments,
so that clauses come out as the file has them; a term without any is built with the rules of ``logic.build``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from lemmata.logic.build import build
from lemmata.logic.smtlib.term_reader import EXISTS, FORALL
from lemmata.logic.sorts import BOOL, Sort
from lemmata.logic.terms import Term, make, var

QUANTIFIERS = (FORALL, EXISTS)


class Skeleton:
    """Knows which terms have predicates or quantifiers in them, and the variables that the present clause binds."""

    def __init__(self) -> None:
        self._with_predicates: set[Term] = set()
        self._with_quantifiers: set[Term] = set()
        self._taken = TakenNames()
        self.bound: list[Term] = []

    def construct(self, op: str, args: tuple[Term, ...], data: Any = None) -> Term:
        """The term, and whether it is to be remembered."""
        is_marked = op == "apply"
        if not (is_marked or self.is_marked_any(args)):
            return build(op, args, data)
        term = make(op, args, data)
        is_quantifier = is_marked and data in QUANTIFIERS
        if is_quantifier or not self._with_quantifiers.isdisjoint(args):
            self._with_quantifiers.add(term)
        if (is_marked and not is_quantifier) or not self._with_predicates.isdisjoint(args):
            self._with_predicates.add(term)
        return term

    def is_marked_any(self, args: tuple[Term, ...]) -> bool:
        """Has any of the terms predicates or quantifiers in it?"""
        return not (self._with_predicates.isdisjoint(args) and self._with_quantifiers.isdisjoint(args))

    def has_predicates(self, term: Term) -> bool:
        """Is there a predicate in the term?"""
        return term in self._with_predicates

    def has_quantifiers(self, term: Term) -> bool:
        """Is there a quantifier in the term?"""
        return term in self._with_quantifiers

    def proposition(self, name: str) -> Term:
        """A predicate without arguments."""
        return self.construct("apply", (), (name, (), BOOL))

    def begin(self) -> None:
        """Another clause: all names of variables are free again."""
        self.bound = []
        self._taken = TakenNames()

    def bind(self, name: str, sort: Sort) -> Term:
        """The variable for a bound name, which is another one each time."""
        variable = var(self._taken.free(name), sort)
        self.bound.append(variable)
        return variable


class TakenNames:
    """Names that are taken; a name that is asked for twice gets a number."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._last = dict.fromkeys(names, 1)

    def free(self, name: str) -> str:
        """The name, or one like it, that is taken from now on."""
        number, result = self._last.get(name, 0), name
        while result in self._last:
            number += 1
            result = f"{name}~{number}"
        self._last[name] = max(number, 1)
        self._last[result] = 1 if result != name else self._last[name]
        return result
