"""Several properties of a graph asked at once, so that many assertions cost little more than one.

``JointGraphProperties`` asks whether any open property fails. A proof is one for all of them: it loses redundant lemmas once,
and is certified once. A derivation settles one property, and the others are asked again. A hard property holds up the others,
so each of them is also asked alone; the question to all gets as much time as those to single ones take together, and comes
first: the more properties there are, the longer it would take to prepare the other questions. Properties that begin at
different entries of a program have little in common, and are not asked together unless there are dozens of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from lemmata.budgets import JOINT_EACH_S, JOINT_FIRST_S
from lemmata.certify.graph.minimize import minimize_claims
from lemmata.engines import Engine
from lemmata.errors import CertificateError, GaveUp
from lemmata.models.derivation import Derivation, GraphInvariant
from lemmata.models.graph import Graph
from lemmata.run.evidence import minimizing_time
from lemmata.transforms import Chain
from lemmata.transforms.graph import GraphReduction
from lemmata.transforms.graph.cone import reduce_graph_cone
from lemmata.transforms.graph.joint import joint
from lemmata.verdict import Safe, Unsafe
from lemmata.work import FOREVER, now, wall_left

_SINGLE_PROPERTIES = 32  # with an entry of their own that are asked one by one
_PACKS = 16  # of them, if there are more


def groups(graph: Graph, props: Sequence[int]) -> list[list[int]]:
    """The properties, those together that can be reached from the same initial edges; none of them alone."""
    found: dict[tuple[int, ...], list[int]] = {}
    leaving: dict[int, list[int]] = {}
    for edge in graph.edges:
        for source in edge.sources:
            leaving.setdefault(source.location, []).append(edge.target)
    reached = [_reached(leaving, edge.target) for edge in graph.edges if not edge.sources]
    for prop in props:
        error = graph.questions[prop].location
        found.setdefault(tuple([n for n, places in enumerate(reached) if error in places]), []).append(prop)
    together = [group for group in found.values() if len(group) > 1]
    return together + _packed([prop for group in found.values() if len(group) == 1 for prop in group])


def _packed(props: Sequence[int]) -> list[list[int]]:
    """Properties that have nothing in common, many at once, if they are too many: each question costs a look at everything."""
    if len(props) <= _SINGLE_PROPERTIES:
        return []
    size = -(-len(props) // _PACKS)
    return [list(props[at : at + size]) for at in range(0, len(props), size)]


def _reached(leaving: Mapping[int, Sequence[int]], start: int) -> set[int]:
    """The locations that edges lead to from ``start``, whatever their guards."""
    stack = [start]
    reached = set(stack)
    while stack:
        new = [place for place in leaving.get(stack.pop(), ()) if place not in reached]
        reached.update(new)
        stack += dict.fromkeys(new)
    return reached


class JointGraphProperties:
    """The properties ``props`` of a graph; ``make`` makes an engine for a graph with one property."""

    def __init__(self, graph: Graph, props: Sequence[int], make: Callable[[Graph], Engine], solver: str) -> None:
        self._graph = graph
        self._open = list(props)
        self._make = make
        self._solver = solver
        self._answers: dict[int, tuple[Safe | Unsafe, str, int]] = {}
        self._asked: tuple[GraphReduction, Engine] | None = None  # the question at hand, and who answers it
        self._spent = 0.0
        self._is_refused = False
        self.alone = 0.0  # work on single properties
        self.proofs: list[tuple[GraphInvariant, tuple[int, ...]]] = []

    def ask(self, prop: int, until: float | None) -> tuple[Safe | Unsafe, str, int] | None:
        """The answer about a property, the engine that gave it, and its bound; ``None`` where there is none (yet).

        ``until`` is when the turn of this property ends.
        """
        began, left_s = now(), wall_left()
        half = 0.0 if until is None or until == FOREVER else (until - began) / 2
        first = JOINT_FIRST_S + JOINT_EACH_S * len(self._open)
        if left_s is not None:
            first = min(first, (left_s + self._spent) / 2)
        end = began + max(half, max(self.alone, first) - self._spent)
        while prop not in self._answers and len(self._open) > 1 and not self._is_refused and now() < end:
            try:
                self._turn(end)
            except GaveUp as gave_up:
                self._is_refused = gave_up.reason != "timeout"
                break
        self._spent += now() - began
        return self._answers.get(prop)

    def refuse(self) -> None:
        """Ask no more; answers stay."""
        self._is_refused = True

    def _question(self) -> GraphReduction:
        """All open properties as one, and nothing but what they need: the rest of a large graph is not looked at again."""
        together = joint(self._graph, self._open)
        needed = reduce_graph_cone(together.model, 0)
        return GraphReduction(needed.model, Chain((together.back, needed.back)))

    def _turn(self, end: float) -> None:
        """One answer to the question whether any open property fails."""
        if self._asked is None:
            question = self._question()
            self._asked = question, self._make(question.model)
        question, engine = self._asked
        verdict = engine.check(0, end)
        source = (engine.name, engine.bound)
        match verdict:
            case Safe(GraphInvariant() as invariant):
                with suppress(CertificateError):  # which is for the check to say
                    invariant = minimize_claims(question.model, 0, invariant, self._solver, minimizing_time(self._spent))
                proof = question.back.invariant(invariant)
                self.proofs.append((proof, tuple(self._open)))
                self._answers |= {prop: (Safe(proof), *source) for prop in self._open}
                self._open = []
            case Unsafe(Derivation() as derivation):
                found = question.back.trace(derivation)
                self._answers[found.prop] = (Unsafe(found), *source)
                self._open.remove(found.prop)
                self._asked = None
            case _:
                raise GaveUp("incomplete")
