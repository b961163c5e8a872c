"""Justification of a state's path: what it proposes holds in the state, and neither depth nor sharing of terms is a danger."""

from __future__ import annotations

import time

import pytest

from lemmata.engines.pdr.oracle import Cube
from lemmata.engines.pdr.word.justify import Justification
from lemmata.engines.pdr.word.lift import point_of
from lemmata.engines.pdr.word.readings import signed_variables
from lemmata.engines.pdr.word.units import Vocabulary, WordState
from lemmata.logic.build import build, conj, disj, ite, negate, truth
from lemmata.logic.evaluate import evaluate
from lemmata.logic.terms import TRUE, Term, bv
from lemmata.models.system import System
from tests.support.paper_systems import op, word

X, Y, IN = word("x", 8), word("y", 8), word("i", 8)


def model(step: Term, bad: Term) -> System:
    return System((X, Y), (IN,), {X: bv(0, 8), Y: None}, {X: step, Y: Y}, TRUE, (bad,))


class Asked:
    """Justifications of one system."""

    def __init__(self, of: System) -> None:
        self.of = of
        self.vocabulary = Vocabulary(of.nexts, signed_variables(of))
        self._justification = Justification(of, self.vocabulary)

    def truth(self, state: WordState) -> Cube | None:
        return self._justification.truth((self.of.constraint, self.of.bads[0]), state)

    def step(self, state: WordState) -> Cube | None:
        after = dict(zip(self.of.variables, evaluate(list(self.of.nexts.values()), state), strict=True))
        return self._justification.step(point_of(self.vocabulary, self.of.variables, after), state)


def shared(formula: Term, count: int) -> Term:
    """A formula in which every part is read twice by the next one."""
    for j in range(count):
        low = op("bvult", X, 37 * j % 256)
        formula = build("xor", (conj([formula, low]), disj([formula, negate(low)])))
    return formula


def nested(count: int) -> Term:
    """A word that is chosen by a bit of a word that is chosen by a bit …"""
    chosen = X
    for j in range(count):
        lowest = truth(build("extract", (chosen,), (0, 0)))
        chosen = ite(lowest, build("bvxor" if j % 2 else "bvadd", (chosen, IN)), Y if j % 2 else op("bvadd", Y, 1))
    return chosen


def test_what_is_shared_is_explained_once() -> None:
    asked = Asked(model(X, shared(op("bvult", X, 200), 60)))
    began = time.process_time()
    for value in range(0, 256, 50):
        asked.truth({X: value, Y: 0, IN: 0})
    assert time.process_time() - began < 5  # a few milliseconds; without sharing for ever


@pytest.mark.parametrize("count", [3, 50, 600])
def test_words_that_choose_each_other_may_be_nested_as_deep_as_they_like(count: int) -> None:
    chosen = nested(count)
    asked = Asked(model(chosen, truth(build("extract", (chosen,), (0, 0)))))
    state = {X: 3, Y: 5, IN: 2}
    asked.step(state)
    asked.truth(state)


@pytest.mark.parametrize(
    "step",
    [
        op("bvadd", X, IN),
        op("bvsub", Y, X),
        ite(op("bvslt", X, Y), op("bvadd", X, 1), op("bvmul", Y, 3)),
        ite(truth(build("extract", (Y,), (3, 3))), X, op("bvshl", Y, 1)),
        nested(2),
    ],
)
def test_a_justification_holds_in_its_state(step: Term) -> None:
    asked = Asked(model(step, op("bvult", X, Y)))
    proposals = 0
    for value in range(0, 256, 5):
        state = {X: value, Y: (7 * value + 100) % 256, IN: value % 9}
        for cube in [asked.step(state), asked.truth(state) if state[X] < state[Y] else None]:
            if cube is not None:
                proposals += 1
                assert asked.vocabulary.contains(cube, state)
    assert proposals
