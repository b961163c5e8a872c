"""The second reading of a program is execution.

An ``unsafe`` is replayed by the program itself, statement by statement (``program_replay``). A ``safe`` is a proof on the
graph; whether the graph is the program is cross-checked by random runs (``program_runs``): none may violate the property, and
at locations that belong to one statement the states of the runs must be as the proof claims. That is a smoke test of the
reading, not a second proof.

Both start from the syntax tree, which ``run`` hands in; what the front end makes of the tree (copies and summaries of bodies,
edges, guards, names) plays no part. The rules are those of Boogie's manual ("This is Boogie 2").
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from lemmata.budgets import PROGRAM_CLAIMS_S, PROGRAM_IDLE_RUNS, PROGRAM_REPLAY_S, PROGRAM_RUNS, PROGRAM_RUNS_S
from lemmata.certify.reading.program_places import depth_of, path_from_file, slots_of
from lemmata.certify.reading.program_replay import Replay
from lemmata.certify.reading.program_runs import Runs, Seen, Visit
from lemmata.certify.reading.program_values import ProgramText, Unclear
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import Term
from lemmata.models.derivation import Derivation, GraphInvariant, GraphKInductive
from lemmata.models.graph import Graph, Location
from lemmata.verdict import Safe, Unsafe
from lemmata.work import is_over, now


class ProgramReading:
    """A program as its syntax tree tells it, beside the graph that was made of it. Runs are made once, for all properties."""

    def __init__(self, program: ProgramText, graph: Graph, seed: int = 0) -> None:
        self._program = program
        self._graph = graph
        self._seed = seed
        self._seen: Seen | None = None
        self._held: list[GraphInvariant] = []  # whose claims are true of all runs; several properties may have one proof

    def read_again(self, prop: int, verdict: Safe | Unsafe, until: float | None) -> str | None:
        """Who agrees: ``execution``, or ``execution (300 runs)``; ``None`` where execution has no opinion.

        ``CertificateError`` where it contradicts the verdict.
        """
        try:
            match verdict:
                case Unsafe(Derivation() as derivation):
                    return self._replay(derivation, until)
                case Safe(GraphInvariant() as invariant) | Safe(GraphKInductive(_, invariant)):
                    return self._compare(prop, invariant, until)
        except (GaveUp, Unclear, RecursionError):
            pass
        return None

    def _replay(self, derivation: Derivation, until: float | None) -> str:
        inexact = self._graph.origin.inexact
        if inexact and any(edge in inexact for fact in derivation.facts for edge in fact.edges):
            raise GaveUp("incomplete")
        Replay(self._program, self._graph, derivation, _soon(PROGRAM_REPLAY_S, until)).run()
        return "execution"

    def _compare(self, prop: int, invariant: GraphInvariant, until: float | None) -> str | None:
        seen = self._runs(until)
        name = self._graph.questions[prop].name
        others = [question.name for question in self._graph.questions if question.index != prop]
        if name in seen.violated and not any(other.startswith(f"{name}~") for other in others):
            raise CertificateError(f"a run of the program violates {name}")
        if not any(held is invariant for held in self._held):
            self._hold(invariant, seen)
            self._held.append(invariant)
        return f"execution ({seen.runs} runs)" if seen.steps else None

    def _hold(self, invariant: GraphInvariant, seen: Seen) -> None:
        """Compare the claims with the states of the runs, as far as there is time."""
        end = now() + PROGRAM_CLAIMS_S
        for claim in invariant.claims:
            visits = seen.visits.get(claim.place.name, ()) if claim.lemmas else ()
            lemmas = [(lemma, Program([lemma])) for lemma in claim.lemmas] if visits else []
            for visit in visits:
                if is_over(end):
                    break
                self._claim(claim.place, lemmas, visit)

    def _runs(self, until: float | None) -> Seen:
        if self._seen is None:
            program, graph = self._program, self._graph
            starts = {edge.target for edge in graph.edges if not edge.sources} or set(range(len(graph.locations)))
            names = [graph.locations[start].name.rpartition(":") for start in sorted(starts)]
            entries = [name for name, _, kind in names if kind == "start" and name in program.procedures]
            paths = frozenset(map(path_from_file, graph.locations))
            if not entries:
                raise GaveUp("incomplete")
            runs = Runs(program, list(dict.fromkeys(entries)), paths, list(_numbers(program)), self._seed)
            self._seen = runs.more(PROGRAM_RUNS, PROGRAM_RUNS_S, until, PROGRAM_IDLE_RUNS)
        return self._seen

    def _claim(self, place: Location, lemmas: Sequence[tuple[Term, Program]], visit: Visit) -> None:
        if depth_of(place) != len(visit.frames):
            return
        point: dict[Term, Any] = {}
        for variable, slot in zip(place.variables, slots_of(self._program, place, [c for c, _ in visit.frames]), strict=True):
            match slot:
                case "own", depth, name:
                    point[variable] = visit.frames[depth][1][name]
                case "global", _, name:
                    point[variable] = visit.now[name]
                case "constant", _, name if name in visit.constants:
                    point[variable] = visit.constants[name]
        for lemma, program in lemmas:
            if _value(program, point) is False:
                raise CertificateError(f"a run of the program is at {place.name}, where the proof's claim is false: {lemma}")


def _value(lemma: Program, point: dict[Term, Any]) -> bool | None:
    try:
        return bool(lemma.run(point)[0])
    except KeyError:
        return None


def _soon(seconds: float, until: float | None) -> float:
    end = now() + seconds
    return end if until is None else min(end, until)


def _numbers(program: ProgramText) -> Iterator[int]:
    """The literals of a program."""
    stack: list[Any] = [*program.axioms, *program.functions.values(), *program.procedures.values()]
    seen = 0
    while stack and seen < 200_000:
        node = stack.pop()
        seen += 1
        if type(node).__name__ == "Literal":
            if not isinstance(node.value, bool):
                yield int(node.value)
        elif isinstance(node, tuple | list):
            stack += node
        elif hasattr(node, "__dataclass_fields__"):
            stack += [getattr(node, name) for name in node.__dataclass_fields__]
