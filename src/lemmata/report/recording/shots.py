"""What a film is made of: shots, and cameras that take them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from lemmata.events import Event
from lemmata.report.explanation.lines import ReportLine
from lemmata.values import dataclass

if TYPE_CHECKING:
    from lemmata.report.drawing.frames import Plane, Scene

Column = tuple[tuple[str, ...], ...]  # a frame: for each place its lemmas
NodeState = Literal["open", "blocked", "reached", "met"]  # met: nothing is told of its end


@dataclass(frozen=True, slots=True)
class ShownObligation:
    """An obligation, and the one that it came from."""

    number: int
    parent: int | None
    text: str
    level: int
    state: NodeState = "open"


@dataclass(frozen=True, slots=True)
class Shot:
    """One step: its words, the frames and obligations after it, the obligation that it is about, and marks to jump to."""

    lines: tuple[ReportLine, ...] = ()
    columns: tuple[Column, ...] = ()
    nodes: tuple[ShownObligation, ...] = ()
    now: int | None = None
    marks: tuple[str, ...] = ()
    scene: Scene | None = None
    drawing: Mapping[str, object] | None = None  # of a graph,
    path: tuple[int, ...] = ()  # and the edges in it that stand out
    left: int | None = None  # states of an automaton that are left, drawn or not


class Camera(ABC):
    """Makes shots of the steps of one algorithm."""

    places: tuple[str, ...] = ("",)  # rows of the frames
    first_level = 0  # that is shown

    def __init__(self) -> None:
        self._nodes: list[ShownObligation] = []

    @abstractmethod
    def shots(self, event: Event, lines: tuple[ReportLine, ...]) -> Iterator[Shot]:
        """The shots of one event, in order; ``lines`` were told of it."""

    def plane(self) -> Plane | None:
        """The plane of the scenes, where the shots have any."""
        return None

    def _owe(self, text: str, level: int, parent: int | None = None, state: NodeState = "open") -> int:
        """A new obligation; its number."""
        self._nodes.append(ShownObligation(len(self._nodes), parent, text, level, state))
        return len(self._nodes) - 1

    def _turn(self, number: int, state: NodeState) -> None:
        self._nodes[number] = replace(self._nodes[number], state=state)

    def _find(self, text: str, level: int) -> int | None:
        """The newest obligation of this text and level."""
        return next((n.number for n in reversed(self._nodes) if (n.text, n.level) == (text, level)), None)

    def _reach(self, number: int | None) -> None:
        """An initial state is met: this obligation, and those that it came from, are a counterexample."""
        while number is not None:
            self._turn(number, "reached")
            number = self._nodes[number].parent
