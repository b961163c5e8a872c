"""Invariant sets of other tools as candidates: they are checked, completed and certified; each entry gets a word.

Every entry becomes an assertion at its place (``frontends.c.translate.claims``), and what was asserted is assumed from there
on. Engines then settle all assertions, those of the program and those of the witness, and prove whatever the entries alone do
not. An entry that is violated, or that nobody settles in time, is taken out, and the others are asked again. What is left
holds: then the invariants of all proofs together are an invariant of the program *without* any entries, since each assumption
follows from the proof that it holds; that is certified once more, on that graph. An entry was not needed where the property is
proved without assuming it, in about the time that it takes with it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from lemmata.budgets import WITNESS_AGAIN_S, WITNESS_AGAIN_SHARE, WITNESS_ROUND_SHARE, WITNESS_ROUNDS, WITNESS_S
from lemmata.certify.graph.check import certify_graph, checkers
from lemmata.config import Config, SourceClaim
from lemmata.errors import CertificateError, GaveUp
from lemmata.frontends import load
from lemmata.models.derivation import Claim, GraphInvariant
from lemmata.models.graph import Graph, GraphProperty
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.rounds import rounds
from lemmata.run.svcomp.witness import read_invariants
from lemmata.run.task import YAML, Task, Wanted
from lemmata.values import dataclass
from lemmata.verdict import Safe, Unsafe
from lemmata.work import FOREVER, now, wall_left

_ENTRY = "entry "


@dataclass(frozen=True, slots=True)
class EntryResult:
    """One entry: ``word`` is ``holds``, ``violated``, ``unknown``, ``nowhere`` (no such place) or ``refused``."""

    claim: SourceClaim
    word: str
    detail: str = ""
    is_needed: bool | None = None

    def __str__(self) -> str:
        needed = {True: "", False: ", not needed", None: ""}[self.is_needed if self.word == "holds" else None]
        words = {"nowhere": "there is no such place in the program", "refused": f"not understood: {self.detail}"}
        return f"line {self.claim.line}: {self.claim.value}: {words.get(self.word, self.word)}{needed}"


@dataclass(frozen=True, slots=True)
class Validation:
    """``verdict`` is that of all properties of the program: ``safe``, ``unsafe`` or ``unknown``."""

    entries: tuple[EntryResult, ...]
    verdict: str
    names: tuple[str, ...]

    @property
    def is_wrong(self) -> bool:
        """Does the witness claim something that is not so, or cannot be read?"""
        return self.verdict == "unsafe" or any(entry.word in ("violated", "nowhere", "refused") for entry in self.entries)


def validate(file: Path, witness: Path, config: Config) -> Validation:
    """Check the invariant set in ``witness`` about the program in ``file``."""
    seconds = wall_left()
    return _Validator(file, read_invariants(witness), config, now() + (WITNESS_S if seconds is None else seconds)).run()


class _Validator:
    def __init__(self, file: Path, claims: list[SourceClaim], config: Config, until: float) -> None:
        self._file = file
        self._claims = claims
        self._config = config
        self._until = until
        self._words: dict[int, tuple[str, str]] = {}

    def run(self) -> Validation:
        """All rounds."""
        active = frozenset(range(len(self._claims)))
        for number in range(WITNESS_ROUNDS):
            graph = self._graph(active)
            assert graph.code is not None
            for entry in sorted(active):
                if entry in graph.code.refused:
                    self._words[entry] = "refused", graph.code.refused[entry]
                elif entry not in graph.code.placed:
                    self._words[entry] = "nowhere", ""
            active -= self._words.keys()
            later = self._until if number == WITNESS_ROUNDS - 1 else now() + WITNESS_ROUND_SHARE * (self._until - now())
            verdicts = self._settled(graph, "all", later)
            wrong = {n for n in active if isinstance(verdicts.get(self._index(graph, n)), Unsafe)}
            open_ = {n for n in active - wrong if not isinstance(verdicts.get(self._index(graph, n)), Safe)}
            open_ = {n for n in open_ if self._index(graph, n) is not None}  # one without an error needs no proof
            self._words |= dict.fromkeys(wrong, ("violated", ""))
            if not wrong and open_:
                self._words |= dict.fromkeys(open_, ("unknown", ""))
            if not wrong and not open_:
                break
            active -= self._words.keys()
        self._words |= {n: ("holds", "") for n in active if n not in self._words}
        return self._concluded(graph, active, verdicts)

    def _concluded(self, graph: Graph, active: frozenset[int], verdicts: Mapping[int | None, Safe | Unsafe]) -> Validation:
        own = [p for p in graph.questions if not p.name.startswith(_ENTRY)]
        names = tuple([p.name for p in own])
        found = [verdicts.get(p.index) for p in own]
        if any(isinstance(verdict, Unsafe) for verdict in found):
            return Validation(self._entries(frozenset()), "unsafe", names)
        if not all(isinstance(verdict, Safe) for verdict in found):
            return Validation(self._entries(None), "unknown", names)
        whole = _together(graph, [v.invariant for v in verdicts.values() if isinstance(v, Safe)])
        bare = self._graph(frozenset())
        for prop in bare.questions:
            if not prop.name.startswith(_ENTRY):
                certify_graph(bare, prop.index, Safe(whole), checkers((), numbers=True), FOREVER)
        return Validation(self._entries(self._needed(active, own)), "safe", names)

    def _needed(self, active: frozenset[int], own: list[GraphProperty]) -> frozenset[int] | None:
        """Entries without which some property of the program is not proved as well; ``None`` if nobody knows."""
        needed: frozenset[int] = frozenset()
        for prop in own:
            graph, started = self._graph(active), now()
            verdict = self._settled(graph, prop.name, self._until).get(_named(graph, prop.name))
            if not isinstance(verdict, Safe):
                return None
            again = WITNESS_AGAIN_SHARE * (now() - started) + WITNESS_AGAIN_S
            open_ = sorted(active - needed)
            needed |= {n for n in open_ if not self._stands(prop.name, verdict, active - {n}, again)}
        return needed

    def _stands(self, name: str, verdict: Safe, active: frozenset[int], seconds: float) -> bool:
        """Is the property proved with these entries alone, by the same proof, or by another one that is found as quickly?"""
        graph = self._graph(active)
        index = _named(graph, name)
        assert index is not None
        try:
            certify_graph(graph, index, _of(graph, verdict), checkers((), numbers=True), self._until)
            return True
        except (CertificateError, GaveUp):
            until = min(self._until, now() + seconds)
            return isinstance(self._settled(graph, name, until).get(index), Safe)

    def _entries(self, needed: frozenset[int] | None) -> tuple[EntryResult, ...]:
        return tuple(
            [
                EntryResult(claim, *self._words.get(n, ("unknown", "")), None if needed is None else n in needed)
                for n, claim in enumerate(self._claims)
            ]
        )

    def _graph(self, active: frozenset[int]) -> Graph:
        claims = tuple([replace(claim, is_asserted=n in active) for n, claim in enumerate(self._claims)])
        graph = load(self._file, self._config.entry, c=replace(self._config.c, claims=claims))
        assert isinstance(graph, Graph)
        return graph

    def _index(self, graph: Graph, entry: int) -> int | None:
        return next((p.index for p in graph.questions if p.name.startswith(f"{_ENTRY}{entry} ")), None)

    def _settled(self, graph: Graph, prop: str, until: float) -> dict[int | None, Safe | Unsafe]:
        """The certified verdicts that are found in time."""
        found: dict[int | None, Safe | Unsafe] = {}
        config = replace(self._config, property=prop, workers=1)
        flow = Flow(Task(graph, config, wanted=Wanted(certificate=YAML)), lambda event: None)
        flow.prepare()
        pending = set(range(len(flow.chosen)))
        for position, slice_end in rounds(pending):
            if now() >= until:
                break
            try:
                message = flow.settle(position, min(slice_end, until))
            except GaveUp as gave_up:
                if gave_up.reason != "timeout":
                    pending.discard(position)
                continue
            pending.discard(position)
            if isinstance(message, Settled) and isinstance(message.verdict, Safe | Unsafe):
                found[message.prop] = message.verdict
        return found


def _named(graph: Graph, name: str) -> int | None:
    return next((p.index for p in graph.questions if p.name == name), None)


def _inner(graph: Graph) -> Iterator[int]:
    errors = {question.location for question in graph.questions}
    return (n for n in range(len(graph.locations)) if n not in errors)


def _together(graph: Graph, proofs: list[object]) -> GraphInvariant:
    """All lemmas of all proofs."""
    lemmas: dict[int, dict[object, None]] = {n: {} for n in _inner(graph)}
    for proof in proofs:
        if not isinstance(proof, GraphInvariant):
            raise CertificateError("a proof by k-induction cannot be joined with others")
        for claim in proof.claims:
            lemmas[claim.location] |= dict.fromkeys(claim.lemmas)
    return GraphInvariant(tuple([Claim(n, graph.locations[n], tuple(found)) for n, found in lemmas.items()]))  # type: ignore[arg-type]


def _of(graph: Graph, verdict: Safe) -> Safe:
    """The proof, about a graph with the same locations."""
    assert isinstance(verdict.invariant, GraphInvariant)
    claims = [Claim(c.location, graph.locations[c.location], c.lemmas) for c in verdict.invariant.claims]
    return Safe(GraphInvariant(tuple(claims)))
