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
from typing import TYPE_CHECKING

from lemmata.escapes import in_html, printable
from lemmata.logic.decimals import grouped_digits_of
from lemmata.logic.terms import FALSE, Term, Value
from lemmata.logic.text import infix, shown_name, value_text
from lemmata.models.code import CodeClaim, CodeStep
from lemmata.models.graph import Location
from lemmata.models.words import Values
from lemmata.values import dataclass

if TYPE_CHECKING:
    from lemmata.models.timeline import Timeline

_HEADING_VARIABLES = 8  # variables in a heading
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
        """One line per location and lemma; of a program what holds at loops and at the borders of functions.

        Locations where anything may hold are left out, unreachable ones come last.
        """
        if self.told:
            return "\n".join([line for claim in self.told if claim.at for line in claim.lines()] or [_NO_CLAIM])
        never = [claim.place.shown for claim in self.claims if FALSE in claim.lemmas]
        lines = ["\n".join(_lines(claim)) for claim in self.claims if claim.lemmas and FALSE not in claim.lemmas]
        lines += [f"never reached: {', '.join(dict.fromkeys(never))}"] if never else []
        return "\n".join(dict.fromkeys(lines)) or "true (there is nothing to claim)"

    def to_json(self) -> object:
        """``{"kind": "locations", "locations": {name: [text, …]}}``; of programs ``"places": {name: {"line", "text"}}``."""
        places = {c.place.name: {"line": c.place.line, "text": c.place.words} for c in self.claims if c.place.words}
        locations = {c.place.name: [infix(lemma) for lemma in c.lemmas] for c in self.claims}
        source = {"source": [claim.to_json() for claim in self.told]} if self.told else {}
        return {"kind": "locations", "locations": locations} | ({"places": places} if places else {}) | source

    def _repr_html_(self) -> str:
        items: list[str] = []
        for line in self.describe().splitlines():
            item = f"<code>{in_html(line.strip())}</code>"
            if line.startswith(" ") and items:  # one of several lemmas of the place above it
                items[-1] += f"<br>&emsp;{item}"
            else:
                items.append(item)
        return f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"


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
        return f"{grouped_digits_of(self.count)} times {body if len(parts) + (edges > 0) < 2 else f'({body})'}"


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

    def __repr__(self) -> str:
        """Numbers may be longer than Python writes them."""
        return f"<Fact {printable(str(self))}>"

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
        """Steps from the first state to the bad one: edges on the longest path but the initial one and that to the error."""
        heights: list[int] = []
        for fact in self.facts:  # which nobody has checked yet
            below = max((heights[p] for p in fact.premises if 0 <= p < len(heights)), default=-1)
            heights.append(below + (1 if fact.stretch is None else fact.stretch.length))
        return max(heights[-1] - 1, 0) if heights else 0

    @property
    def is_run(self) -> bool:
        """Is every fact but the first taken from the one before it?"""
        return all(fact.premises == ((k - 1,) if k else ()) for k, fact in enumerate(self.facts))

    def timeline(self) -> Timeline | None:
        """The run of a transition system as a table: step by step at one place; ``None`` where it is no such run."""
        from lemmata.models.timeline import Timeline
        from lemmata.models.word_rows import word_rows

        facts = self.facts[:-1]
        if not self.is_run or len({fact.place for fact in facts}) != 1 or any(fact.stretch is not None for fact in facts):
            return None
        variables = facts[0].place.variables
        rows = [row for k, v in enumerate(variables) for row in word_rows(v, [fact.values[k] for fact in facts])]
        return Timeline(tuple(rows), len(facts))

    def lines(self, width: int, verbose: bool) -> list[str]:
        """A table where the run is at one place, what is new where it is a run; all facts if ``verbose`` or a tree."""
        if self.steps:
            return list(map(str, self.steps))
        if (timeline := self.timeline()) is not None:
            return timeline.lines(width, verbose)
        return self.changes() if self.is_run and not verbose else self.told()

    def changes(self) -> list[str]:
        """One line per fact of a run, with the statement that led there and what is new: ``2: line 7 ‹havoc i›  i = 2000``."""
        known: dict[Term, Value] = {}
        lines = []
        for number, fact in enumerate(self.facts):
            pairs = zip(fact.place.variables, fact.values, strict=True)
            news = [(v, value) for v, value in pairs if v not in known or known[v] != value]
            known |= dict(news)
            values = ", ".join(f"{shown_name(v)} = {value_text(value, v.sort)}" for v, value in news)
            times = "" if fact.stretch is None else f"  after {fact.stretch}"
            lines.append(f"{number}: {self._told_place(number)}{times}{'  ' * bool(values)}{values}")
        return lines

    def _told_place(self, number: int) -> str:
        """The statement that was executed, where a program has it; else the place that was reached."""
        fact, before = self.facts[number], self.facts[max(number - 1, 0)].place
        line = "" if fact.line is None else f"  (line {fact.line})"
        is_known = bool(before.words) and before.line == fact.line and fact.stretch is None and number + 1 < len(self.facts)
        if not is_known and not fact.place.words:
            return f"{fact.place.name}{line}"
        place = before if is_known else fact.place
        path = "" if place.path == self.facts[0].place.path else f"{place.path} "
        return f"{'' if is_known else 'before '}{path}line {place.line} ‹{place.words}›"

    def __repr__(self) -> str:
        return f"<Derivation of {len(self.facts)} facts, depth {self.depth}>"

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
        """``{"property", "depth", "variables": {location: [name, …]}, "facts": [fact, …]}``.

        A fact is ``{"location", "values", "premises", "edge", "line"}``.

        A fact after a stretch also has ``"stretch": {"count", "steps"}``. A run of a program also has ``"steps"``.
        """
        places = {fact.place.name: fact.place for fact in self.facts if fact.values}
        return {
            "property": self.prop,
            "depth": self.depth,
            "variables": {name: [shown_name(v) for v in place.variables] for name, place in places.items()},
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
    names = [] if claim.place.words else [shown_name(v) for v in claim.place.variables]
    head = claim.place.shown + (f"({', '.join(names)})" if 0 < len(names) <= _HEADING_VARIABLES else "")
    lemmas = [infix(lemma) for lemma in claim.lemmas]
    return [f"{head}: {''.join(lemmas) or 'true'}"] if len(lemmas) < 2 else [f"{head}:", *(f"  {lemma}" for lemma in lemmas)]


def _valued(place: Location, values: tuple[Value, ...]) -> list[str]:
    return [f"{shown_name(v)} = {value_text(value, v.sort)}" for v, value in zip(place.variables, values, strict=True)]
