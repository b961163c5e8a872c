"""Evidence over graphs: ``GraphInvariant`` (what holds at each location), ``GraphKInductive`` (claims, and a k for which no
k edges in a row lead from them to the error), and ``Derivation`` (how an error is reached).

They are to Horn clauses and programs what ``WordInvariant`` and ``WordTrace`` are to transition systems. A derivation is a list
of facts; each is an edge taken from earlier facts, one per source, with values for its inputs. Where every edge has at most one
source the facts are a run; otherwise they form a tree whose common parts are told once.

An error behind a thousand million turns of a loop has more facts than anybody can write. A ``Stretch`` says that some edges are
taken again and again, so many times; its fact is what holds after the last round.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

from lemmata.escapes import in_html
from lemmata.logic.terms import Term, Value
from lemmata.logic.text import infix, shown_name, value_text
from lemmata.models.code import CodeClaim, CodeStep
from lemmata.models.graph import Location
from lemmata.models.words import Values
from lemmata.values import dataclass

_FEW = 8  # variables in a heading
_NO_CLAIM = "1 (nothing has to be known at loops and calls)"


@dataclass(frozen=True, slots=True)
class Claim:
    """Whenever ``location`` is reached its variables satisfy every lemma; a lemma ``false`` says that it never is."""

    location: int
    place: Location
    lemmas: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class GraphInvariant:
    """One claim per location that is no error, in the order of the locations; error locations are claimed unreachable."""

    claims: tuple[Claim, ...]
    told: tuple[CodeClaim, ...] = field(default=(), compare=False)  # the same in the language of a program

    def describe(self) -> str:
        """One line per location and lemma; of a program what holds at loops and at the borders of functions."""
        if self.told:
            return "\n".join([line for claim in self.told if claim.at for line in claim.lines()] or [_NO_CLAIM])
        return "\n".join(line for claim in self.claims for line in _lines(claim)) or "true (there is nothing to claim)"

    def to_json(self) -> object:
        """``{"kind": "locations", "locations": {name: [text, …]}}``."""
        locations = {c.place.name: [infix(lemma) for lemma in c.lemmas] for c in self.claims}
        source = {"source": [claim.to_json() for claim in self.told]} if self.told else {}
        return {"kind": "locations", "locations": locations} | source

    def _repr_html_(self) -> str:
        items = "".join(f"<li><code>{in_html(line)}</code></li>" for line in self.describe().splitlines())
        return f"<ul>{items}</ul>"


@dataclass(frozen=True, slots=True)
class GraphKInductive:
    """For graphs whose edges have at most one source: ``invariant`` is inductive, but need not exclude the error; yet

    - base: no run of at most ``k`` edges, the initial one and the last one included, reaches the error;
    - step: no ``k`` edges in a row end in the error, where every state on the way, the first included, satisfies its claim,
      and no state but the last one has an edge to the error that can be taken.

    So a shortest run to the error can neither be short nor long; ``k`` is at least 1.
    """

    k: int
    invariant: GraphInvariant

    def describe(self) -> str:
        """A sentence, and what it rests on."""
        claims = [claim for claim in self.invariant.told if claim.at]
        lemmas = "\n".join(line for claim in self.invariant.claims if claim.lemmas for line in _lines(claim))
        if self.invariant.told:
            lemmas = "\n".join(line for claim in claims for line in claim.lines())
        sentence = f"the property is {self.k}-inductive"
        return f"{sentence}, given that\n{lemmas}" if lemmas else sentence

    def to_json(self) -> object:
        """``{"kind": "k-inductive", "k", "locations": {name: [text, …]}}``."""
        claims = self.invariant.claims
        locations = {c.place.name: [infix(lemma) for lemma in c.lemmas] for c in claims if c.lemmas}
        return {"kind": "k-inductive", "k": self.k, "locations": locations}

    def _repr_html_(self) -> str:
        return f"<p>the property is {self.k}-inductive</p>" + self.invariant._repr_html_()


@dataclass(frozen=True, slots=True)
class Turn:
    """An edge with one source within a stretch, and a term for each of its inputs.

    Inputs may differ from round to round: the terms speak of the variables of a location, with the values that they had
    when the round began; or, if another stretch is part of the round, when the last one ended.
    """

    edge: int
    inputs: tuple[tuple[Term, Term], ...] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """``count`` rounds of ``steps``, which lead from a location back to it."""

    count: int
    steps: tuple[Turn | Stretch, ...]

    @property
    def length(self) -> int:
        """How many edges are taken in all."""
        return self.count * sum(1 if isinstance(step, Turn) else step.length for step in self.steps)

    def turns(self) -> Iterator[Turn]:
        """The turns, each once, in their order."""
        for step in self.steps:
            if isinstance(step, Turn):
                yield step
            else:
                yield from step.turns()

    def to_json(self) -> object:
        """``{"count", "steps": [edge or stretch, …]}``."""
        return {"count": self.count, "steps": [s.edge if isinstance(s, Turn) else s.to_json() for s in self.steps]}

    def __str__(self) -> str:
        parts = [str(s) for s in self.steps if isinstance(s, Stretch)]
        edges = sum(isinstance(s, Turn) for s in self.steps)
        body = " and ".join([*([f"{edges} edge{'s' * (edges > 1)}"] if edges else []), *parts])
        return f"{self.count:,} times {body if len(parts) + (edges > 0) < 2 else f'({body})'}"


@dataclass(frozen=True, slots=True)
class Fact:
    """``edge`` was taken from ``premises`` (positions of earlier facts, one per source) with ``inputs``.

    ``values`` are those of the target's variables, in their order; ``line`` is where the file has the edge, as far as known.
    With a ``stretch`` all its rounds were taken, from one premise at the same place; ``edge`` is the last one, and ``inputs``
    are told by the stretch.
    """

    edge: int
    premises: tuple[int, ...]
    inputs: Values
    place: Location
    values: tuple[Value, ...]
    line: int | None = field(default=None, compare=False)
    stretch: Stretch | None = None

    @property
    def edges(self) -> tuple[int, ...]:
        """The edges that were taken, each once."""
        if self.stretch is None:
            return (self.edge,)
        return tuple(dict.fromkeys(turn.edge for turn in self.stretch.turns()))

    def __str__(self) -> str:
        return f"{self.place.name}({', '.join(_valued(self.place, self.values))})" if self.values else self.place.name


@dataclass(frozen=True, slots=True)
class Derivation:
    """The last fact is the error location of property ``prop``."""

    prop: int
    facts: tuple[Fact, ...]
    steps: tuple[CodeStep, ...] = field(default=(), compare=False)  # the run in the language of a program

    @property
    def depth(self) -> int:
        """Edges on the longest path from an initial edge to the error, without the last one."""
        heights: list[int] = []
        for fact in self.facts:  # which nobody has checked yet
            below = max((heights[p] for p in fact.premises if 0 <= p < len(heights)), default=-1)
            heights.append(below + (1 if fact.stretch is None else fact.stretch.length))
        return heights[-1] if heights else 0

    def told(self) -> list[str]:
        """One line per fact: ``1: inv(x = 2)  from 0  (line 4)``; after a stretch ``from 0, 999,999 times 1 edge``."""
        return [
            f"{number}: {fact}"
            + (f"  from {', '.join(map(str, fact.premises))}" if fact.premises else "")
            + ("" if fact.stretch is None else f", {fact.stretch}")
            + ("" if fact.line is None else f"  (line {fact.line})")
            for number, fact in enumerate(self.facts)
        ]

    def describe(self) -> str:
        """One line per fact, or per step of a program."""
        return "\n".join(map(str, self.steps)) if self.steps else "\n".join(self.told())

    def to_json(self) -> object:
        """``{"property", "depth", "facts": [{"location", "values", "premises", "edge", "line"}, …]}``.

        A fact after a stretch also has ``"stretch": {"count", "steps"}``. A run of a program also has ``"steps"``.
        """
        return {
            "property": self.prop,
            "depth": self.depth,
            "facts": [
                {
                    "location": fact.place.name,
                    "values": [value_text(value, v.sort) for v, value in zip(fact.place.variables, fact.values, strict=True)],
                    "premises": list(fact.premises),
                    "edge": fact.edge,
                    "line": fact.line,
                }
                | ({} if fact.stretch is None else {"stretch": fact.stretch.to_json()})
                for fact in self.facts
            ],
        } | ({"steps": [step.to_json() for step in self.steps]} if self.steps else {})

    def _repr_html_(self) -> str:
        return "<ol start='0'>" + "".join(f"<li>{in_html(str(fact))}</li>" for fact in self.facts) + "</ol>"


def _lines(claim: Claim) -> list[str]:
    """``inv(x, y): x ≤ y``, or a heading and its lemmas."""
    names = [shown_name(v) for v in claim.place.variables]
    head = claim.place.name + (f"({', '.join(names)})" if 0 < len(names) <= _FEW else "")
    lemmas = [infix(lemma) for lemma in claim.lemmas]
    return [f"{head}: {''.join(lemmas) or 'true'}"] if len(lemmas) < 2 else [f"{head}:", *(f"  {lemma}" for lemma in lemmas)]


def _valued(place: Location, values: tuple[Value, ...]) -> list[str]:
    return [f"{shown_name(v)} = {value_text(value, v.sort)}" for v, value in zip(place.variables, values, strict=True)]
