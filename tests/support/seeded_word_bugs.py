"""Bugs of the word-level engine on purpose, and small systems on which each of them shows.

Like ``seeded_bugs`` for circuits: every bug is one that somebody could write, and while its context lasts the real code runs
with that one mistake in it. Most lead to wrong evidence, which certify must reject; some only keep the engine from an answer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache
from random import Random
from typing import Any

from lemmata.config import WordOptions
from lemmata.engines.pdr.loop import PdrLoop
from lemmata.engines.pdr.oracle import Cti, Cube
from lemmata.engines.pdr.word import lift
from lemmata.engines.pdr.word.engine import WordPdr
from lemmata.engines.pdr.word.expand import Expand
from lemmata.engines.pdr.word.frames import CubeLimits, WordFrames
from lemmata.engines.pdr.word.lift import WordLifter
from lemmata.engines.pdr.word.oracle import WordOracle
from lemmata.engines.pdr.word.units import Bound, Form, Vocabulary
from lemmata.logic.build import build
from lemmata.logic.terms import TRUE, Term, bv
from lemmata.models.graph import Graph
from lemmata.models.system import System
from lemmata.models.words import WordTrace
from lemmata.verdict import Unsafe, Verdict
from tests.support.btor2_interpreter import reachable
from tests.support.btor2_terms import read
from tests.support.paper_systems import as_graph, balance, capped, chase, deep, downwards, lin, parity, simple, upwards
from tests.support.random_loops import random_loop
from tests.support.seeded_bugs import Patch, _all, _instead, _too_early

Make = Callable[[Any], Callable[..., Any]]


@dataclass(frozen=True, slots=True)
class WordBug:
    """A mistake: while ``patch()`` lasts, the engine makes it. ``options`` let it show."""

    patch: Patch
    options: WordOptions = field(default_factory=WordOptions)
    is_harmless: bool = False  # it may cost answers, but never leads to wrong evidence
    is_rare: bool = False  # whether it leads to wrong evidence depends on the order of terms


def _engine_sees(change: Callable[[System], System]) -> Patch:
    """The engine works on another system than the one it was given."""
    return _instead(WordPdr, "__init__", lambda real: lambda self, model, *args: real(self, change(model), *args))


def _lifter_sees(change: Callable[[System], System]) -> Patch:
    return _instead(WordLifter, "__init__", lambda real: lambda self, model, *args: real(self, change(model), *args))


def _relative_to(level: Callable[[int], int]) -> Patch:
    """Consecution relative to another frame than the one that was asked for."""

    def make(real: Callable[..., Any]) -> Callable[..., Any]:
        return lambda self, cube, at, *args, **kwargs: real(self, cube, level(at), *args, **kwargs)

    return _instead(WordOracle, "_relative", make)


def _unconstrained(model: System) -> System:
    return replace(model, constraint=TRUE)


def _from_zero(model: System) -> System:
    return replace(model, starts={v: bv(0, v.width) if start is None else start for v, start in model.starts.items()})


def _moved_on(real: Callable[..., Cube]) -> Callable[..., Cube]:
    """A boundary ends one further out than the last question allowed."""

    def relax(self: Expand, cube: Cube, number: int, level: int) -> Cube:
        before, after = set(cube), real(self, cube, number, level)
        for new in set(after) - before:
            literal = self._vocabulary.literals[new]
            assert isinstance(literal, Bound)
            further = self._vocabulary.bound(literal.form, literal.is_upper, literal.limit + (1 if literal.is_upper else -1))
            after = tuple(sorted({*after, further} - {new})) if further else after
        return after

    return relax


def _drop_one(real: Callable[..., Cti]) -> Callable[..., Cti]:
    def lift(self: WordLifter, *args: Any) -> Cti:
        cti = real(self, *args)
        return Cti(cti.cube[1:], cti.inputs)

    return lift


def _believed(real: Callable[..., Cube | None]) -> Callable[..., Cube | None]:
    """Literals that do not suffice are taken to suffice."""

    def core(self: WordLifter, literals: Any, *args: Any) -> Cube | None:
        literals = tuple(sorted(literals))
        return real(self, literals, *args) or literals

    return core


def _narrow(real: Callable[..., tuple[Term, int]]) -> Callable[..., tuple[Term, int]]:
    """Sums have the width of their words: they overflow."""

    def total(self: Vocabulary, form: Form, at: Any) -> tuple[Term, int]:
        width = max(v.width for v, _ in form.parts)
        word, _ = real(self, form, at)
        return build("extract", (word,), (width - 1, 0)), width

    return total


def _one_off(real: Callable[..., Term]) -> Callable[..., Term]:
    """Boundaries after the step are one off."""

    def primed(self: Vocabulary, number: int) -> Term:
        literal = self.literals[number]
        if isinstance(literal, Bound):
            number = self.bound(literal.form, literal.is_upper, literal.limit + (-1 if literal.is_upper else 1)) or number
        return real(self, number)

    return primed


def _implies_too_much(real: Callable[..., bool]) -> Callable[..., bool]:
    def implies(self: CubeLimits, vocabulary: Vocabulary, number: int) -> bool:
        literal = vocabulary.literals[number]
        if isinstance(literal, Bound):
            low, high = self.span(vocabulary, literal.form)
            return high <= literal.limit + 1 if literal.is_upper else low >= literal.limit - 1
        return real(self, vocabulary, number)

    return implies


def _swap_steps(real: Callable[..., Verdict]) -> Callable[..., Verdict]:
    def check(self: WordPdr, *args: Any) -> Verdict:
        verdict = real(self, *args)
        if isinstance(verdict, Unsafe) and isinstance(verdict.trace, WordTrace):
            first, *others = verdict.trace.inputs
            return Unsafe(replace(verdict.trace, inputs=(*others[:1], first, *others[1:])))
        return verdict

    return check


def _constant(value: object) -> Make:
    return lambda _: lambda *args, **kwargs: value


BUGS: dict[str, WordBug] = {
    # what literals mean
    "sums of words overflow": WordBug(_instead(Vocabulary, "_sum", _narrow), WordOptions(unit="polytope"), is_rare=True),
    "literals after the step speak of the state before it": WordBug(
        _instead(Vocabulary, "primed", lambda _: lambda self, number: self.term(number))
    ),
    "boundaries after the step are one off": WordBug(_instead(Vocabulary, "primed", _one_off), WordOptions("integer-cube")),
    "signed words are taken as unsigned": WordBug(
        _instead(Vocabulary, "read", lambda _: lambda self, variable, value: value), is_harmless=True
    ),
    "half-spaces have the wrong sign": WordBug(
        _instead(
            Vocabulary, "half_space", lambda real: lambda self, form, limit: real(self, {v: -a for v, a in form.items()}, limit)
        ),
        is_harmless=True,
    ),
    # frames
    "inclusion is turned round": WordBug(
        _instead(WordFrames, "includes", lambda real: lambda self, larger, smaller: real(self, smaller, larger))
    ),
    "a box implies boundaries that it crosses by one": WordBug(_instead(CubeLimits, "implies", _implies_too_much)),
    "every obligation counts as blocked": WordBug(_instead(WordFrames, "blocks", _constant(True)), is_harmless=True),
    "propagation is skipped": WordBug(_instead(PdrLoop, "_propagate", _constant(None)), is_harmless=True),
    "the fix-point is declared too early": WordBug(_instead(PdrLoop, "_propagate", _too_early)),
    "a lemma is stated one level too high": WordBug(
        _instead(WordOracle, "block", lambda real: lambda self, cube, lower, upper: real(self, cube, lower, upper + 1))
    ),
    # queries
    "consecution is relative to the frame below": WordBug(_relative_to(lambda level: max(0, level - 1))),
    "consecution is relative to the initial states": WordBug(_relative_to(lambda level: 0)),
    "the core may meet initial states": WordBug(_instead(WordOracle, "_away", lambda _: lambda self, core, cube: core)),
    "the initiation check is skipped": WordBug(
        _all(_instead(WordOracle, "initial", _constant(False)), _instead(WordOracle, "meets", _constant(None)))
    ),
    "lemmas are pushed without a check": WordBug(_instead(WordOracle, "pushes", lambda _: lambda self, cube, level: cube)),
    "the engine asks about the first property only": WordBug(
        _instead(WordOracle, "ask", lambda real: lambda self, prop: real(self, 0))
    ),
    # generalizing
    "a boundary moves one too far": WordBug(_instead(Expand, "_relax", _moved_on), WordOptions("integer-cube")),
    "expansion does not ask": WordBug(_instead(Expand, "_breaks", _constant(None)), WordOptions("integer-cube")),
    # lifting
    "lifting drops a literal too many": WordBug(_instead(WordLifter, "predecessor", _drop_one)),
    "lifting forgets the constraint": WordBug(_lifter_sees(_unconstrained)),
    "interval simulation takes unknown as true": WordBug(_instead(lift, "_holds", _constant(True)), WordOptions("polytope")),
    "a justification is believed without a query": WordBug(_instead(WordLifter, "_core", _believed)),
    # the model
    "the engine forgets the constraint": WordBug(_engine_sees(_unconstrained)),
    "free words start as 0": WordBug(_engine_sees(_from_zero)),
    # counterexamples
    "the inputs of two steps are swapped": WordBug(_instead(WordPdr, "check", _swap_steps)),
    "a trace starts anywhere": WordBug(
        _instead(WordOracle, "start", lambda _: lambda self, cube: dict.fromkeys(self._wanted, 0))
    ),
}


# the corpus

LOOPS = (1, 9, 11, 28, 36)  # of the first forty, those on which some bug shows


@dataclass(frozen=True, slots=True)
class Case:
    """A system as certify and the engine know it, and the true answer to each of its properties."""

    name: str
    graph: Graph
    system: System
    words: tuple[str, ...]


@cache
def corpus() -> tuple[Case, ...]:
    """The systems of the paper and their relatives, in few bits, and random loops."""
    made = {
        "simple": (simple(4), ("safe",)),
        "lin": (lin(4), ("safe",)),
        "parity": (parity(4), ("safe",)),
        "balance": (balance(4), ("safe",)),
        "downwards": (downwards(4), ("safe",)),
        "upwards": (upwards(5), ("safe",)),
        "deep": (deep(6, 4), ("unsafe",)),
        "capped": (capped(4), ("safe", "unsafe", "safe")),
        "chase": (chase(3), ("safe",)),
    }
    return (*[Case(name, as_graph(model), model, words) for name, (model, words) in made.items()], *map(_random, LOOPS))


def _random(seed: int) -> Case:
    text = random_loop(Random(seed))
    graph, model = read(text)
    return Case(f"loop {seed}", graph, model, tuple("safe" if depth is None else "unsafe" for depth in reachable(text)))
