"""Worlds: what a run does with each kind of model, behind one seam.

``circuit`` is for bits, ``words`` for transition systems over words, ``graph`` for everything else: numbers, programs, clauses.
A world builds the engines of a worker (``engines.registry``), each in one wrapper that knows the way back (``transformed``),
and has their evidence shortened and certified on the model as it was read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from lemmata.engines import Engine
from lemmata.engines.names import LIA_TEXTBOOK
from lemmata.engines.registry import AUTO, ENGINES
from lemmata.events import Listener
from lemmata.models.aig import Aig
from lemmata.run.task import Model, Task
from lemmata.verdict import Safe, Unsafe

if TYPE_CHECKING:
    from lemmata.certify.journal import Journal


class World(Protocol):
    """One model and the engines that work on it."""

    engine: Engine  # answers about the model as it was read; a property counts among those that were asked for
    label: str  # how the worker is called

    @property
    def fingerprint(self) -> int:
        """A number that is the same in every process that read the same model."""
        ...

    def prepare(self) -> None:
        """Build ``engine``, on what the chosen properties need."""
        ...

    def shorten(self, prop: int, verdict: Safe | Unsafe, spent: float) -> Safe | Unsafe:
        """A proof without redundant parts, as far as a small share of the time ``spent`` on it allows."""
        ...

    def answered(self) -> set[int]:
        """The pending positions whose answer the engine knows already."""
        ...

    def certify(self, prop: int, verdict: Safe | Unsafe, until: float, journal: Journal | None = None) -> str:
        """Who checked the evidence, or ``CertificateError``; ``GaveUp`` where nobody can do so until then.

        ``journal`` gets what a proof owes.
        """
        ...

    def has_others(self, position: int) -> bool:
        """Beside the engine that answered last, is there one that can go on about this property?"""
        ...

    def leave_out(self, position: int) -> None:
        """The engine that answered last is not asked about this property any more, nor is its answer told again."""
        ...


def world_of(
    model: Model,
    task: Task,
    chosen: Sequence[int],
    listener: Listener,
    read: Model | None = None,
    pending: set[int] | None = None,
) -> World:
    """The world of a model; each is loaded when it is needed. ``pending`` are the positions that nobody has settled yet.

    ``read`` is the model as it was read, on which evidence is certified, where ``model`` is that one with constraints that
    are known to hold: then there is no k-induction, which would owe them its success.
    """
    if isinstance(model, Aig):
        from lemmata.run.worlds.circuit import CircuitWorld

        return CircuitWorld(model, task, chosen, listener, read, pending)
    from lemmata.run.worlds.classification import is_over_words, is_system_of_words

    engine, preset = task.config.engine, task.config.preset
    is_for_graphs = preset == LIA_TEXTBOOK or (engine != AUTO and _works_only_on_graphs(engine))
    if not is_for_graphs and is_over_words(model):
        from lemmata.models.system import system_of
        from lemmata.run.worlds.words import WordsWorld

        if is_system_of_words(model) and (system := system_of(model)) is not None:
            return WordsWorld(model, system, task, chosen, listener, read=read, pending=pending)
        from lemmata.transforms.system.functional import functional

        if (way := functional(model)) is not None and (system := system_of(way.graph)) is not None:
            return WordsWorld(model, system, task, chosen, listener, way, read, pending)
    from lemmata.run.worlds.graph import GraphWorld

    return GraphWorld(model, task, chosen, listener, read)


def _works_only_on_graphs(engine: str) -> bool:
    return not (ENGINES[engine].works_on("circuit") or ENGINES[engine].works_on("words"))
