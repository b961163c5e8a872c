"""What the PDR page may ask, and nothing more.

A ``Cube`` is a sorted tuple of literals, read as *and*; the page never looks inside. An oracle knows what the literals mean
and keeps solvers for ``F_0 = I, F_1, …``; the page tells it which lemmas hold where. Inputs and whole states are in the
oracle's own notation: the page only carries them.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

Cube = tuple[int, ...]
INFINITY = 1 << 30  # the level of lemmas that hold for ever


class Inductive(NamedTuple):
    """Consecution holds; ``core`` ⊆ cube still does and meets no initial state."""

    core: Cube


class Cti(NamedTuple):
    """Consecution fails: every state of ``cube`` steps with ``inputs`` into the cube that was asked about."""

    cube: Cube
    inputs: tuple[Any, ...]
    state: frozenset[int] = frozenset()  # one whole state of the cube, where it was asked for


class Oracle(Protocol):
    """The questions of PDR."""

    @property
    def queries(self) -> int:
        """How many questions a solver was asked."""
        ...

    def initial(self, cube: Cube) -> bool:
        """Is I ∧ cube satisfiable?"""
        ...

    def bad(self, level: int) -> Cti | None:
        """F_level ∧ C ∧ bad: a cube of states that are bad with ``inputs``."""
        ...

    def consecution(self, cube: Cube, level: int, whole: bool = False) -> Inductive | Cti:
        """F_level ∧ ¬cube ∧ C ∧ T ∧ cube′; with ``whole`` a failure also tells one whole state."""
        ...

    def inductive(self, cube: Cube, level: int) -> Cube | None:
        """Like ``consecution``, but a failure is not worth a lifted predecessor: the core, or ``None``."""
        ...

    def pushes(self, cube: Cube, level: int) -> Cube | Any:
        """F_level ∧ C ∧ T ∧ cube′ for a lemma of F_level: the core, or a state of F_level that steps into the cube."""
        ...

    def block(self, cube: Cube, lower: int, upper: int) -> None:
        """¬cube holds in F_lower … F_upper."""
        ...

    def open(self) -> None:
        """Make room for one more level."""
        ...
