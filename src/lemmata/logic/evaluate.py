"""Terms at a point. ``Program`` prepares once and runs many times: a trace replays the same design at every step.

Preparing turns the DAG into a list of instructions over slots: constants, then leaves, then one slot per node, in topological
order; an operator with n arguments becomes n - 1 instructions. Running is one loop over that list.

Leaves are variables and applications of uninterpreted functions; the values of both are given by the caller. Numbers divided by
zero are 0 here (see ``logic.values``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lemmata.logic.terms import Term, Value, topological, value_of
from lemmata.logic.values import ASSOCIATIVE, MEANINGS, Meaning, detail
from lemmata.work import EVALUATION, tally

_Instruction = tuple[Meaning, Any, int, int, int]  # meaning, detail, slots of the arguments (-1: none)


class Program:
    """``terms``, ready to be evaluated at many points."""

    __slots__ = ("_constants", "_instructions", "_roots", "leaves")

    def __init__(self, terms: Sequence[Term]) -> None:
        order = topological(terms)
        constants = [term for term in order if term.is_const]
        self.leaves = [term for term in order if term.op in ("var", "apply")]
        self._constants: list[Value] = [value_of(term) for term in constants]
        self._instructions: list[_Instruction] = []
        slots = {term: slot for slot, term in enumerate([*constants, *self.leaves])}
        for term in order:
            if term not in slots:
                slots[term] = self._compile(term, [slots[arg] for arg in term.args])
        self._roots = [slots[term] for term in terms]

    def _compile(self, term: Term, args: list[int]) -> int:
        """Append the instructions of one node; the slot of its value."""
        op = term.op
        meaning, what = MEANINGS[op], detail(op, term.data, [arg.sort for arg in term.args])
        if op not in ASSOCIATIVE:
            return self._emit((meaning, what, *args, -1, -1)[:5])
        result = args[0]
        for arg in args[1:]:
            result = self._emit((meaning, what, result, arg, -1))
        return result

    def _emit(self, instruction: Any) -> int:
        self._instructions.append(instruction)
        return len(self._constants) + len(self.leaves) + len(self._instructions) - 1

    def run(self, values: Mapping[Term, Value]) -> list[Value]:
        """The values of the terms where the leaves have ``values``; a leaf without a value is a ``KeyError``."""
        slots = [*self._constants, *[values[leaf] for leaf in self.leaves]]
        tally[EVALUATION] += len(slots) + len(self._instructions)
        append = slots.append
        for meaning, what, i, j, k in self._instructions:
            if j < 0:
                append(meaning(what, slots[i]))
            elif k < 0:
                append(meaning(what, slots[i], slots[j]))
            else:
                append(meaning(what, slots[i], slots[j], slots[k]))
        return [slots[root] for root in self._roots]


def evaluate(terms: Sequence[Term], values: Mapping[Term, Value]) -> list[Value]:
    """The values of ``terms`` at one point; prepare a ``Program`` where there are many."""
    return Program(terms).run(values)
