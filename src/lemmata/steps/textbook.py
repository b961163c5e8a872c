"""What the textbook algorithm tells while it works: one value per step, as in sections 2.3.1 and 2.3.2 of Werner's thesis.

A step holds literals, not text: words are the reader's business. A *cube* is a sorted tuple of latch
literals of the circuit; a clause is given by the cube that it forbids. A *state* is a cube with a literal for every
latch.
"""

from __future__ import annotations

from lemmata.events import Step
from lemmata.values import dataclass

BitCube = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class BitFrame:
    """``[P ∧] ⋀ ¬cube``: what the algorithm believes of the states that a number of steps can reach."""

    has_property: bool
    cubes: tuple[BitCube, ...] = ()


@dataclass(frozen=True, slots=True)
class PosedObligation:
    """State number ``number`` leads to a bad one: show that it is unreachable within ``level`` steps."""

    number: int
    state: BitCube
    level: int
    inputs: tuple[int, ...]  # the inputs, 0 or 1, with which the state leads on


@dataclass(frozen=True, slots=True)
class Query:
    """Is ``F_level [∧ ¬relative] ∧ T ∧ goal′`` satisfiable? Before the first frame: ``I ∧ goal``, without transition."""

    level: int
    frame: BitFrame
    goal: BitCube | None  # None is ¬P
    relative: BitCube | None = None
    primed: bool = True


@dataclass(frozen=True, slots=True)
class QuerySat:
    """Yes: this state takes this step."""

    state: BitCube
    inputs: tuple[int, ...]
    successor: BitCube


@dataclass(frozen=True, slots=True)
class QueryUnsat:
    """No: these clauses of the frame (with T) contradict these literals of the goal; ``None`` if the reason was not sought."""

    clauses: tuple[BitCube, ...] | None = None
    goal: BitCube | None = None  # None is all of the goal


QueryAnswer = QuerySat | QueryUnsat


@dataclass(frozen=True, slots=True)
class Posed(Step):
    """The question: the bad states as cubes (P forbids each of them) and the clauses of I."""

    bad: tuple[BitCube, ...]
    initial: BitFrame


@dataclass(frozen=True, slots=True)
class ZeroCheck(Step):
    """Is an initial state bad? ``I ∧ ¬P``."""

    query: Query
    answer: QueryAnswer
    frames: tuple[BitFrame, ...]


@dataclass(frozen=True, slots=True)
class NextTransition(Step):
    """Does the last frame reach a bad state in one step? ``F_k ∧ T ∧ ¬P′``; if so, there is a new obligation."""

    query: Query
    answer: QueryAnswer
    obligation: PosedObligation | None
    frames: tuple[BitFrame, ...]


@dataclass(frozen=True, slots=True)
class Blocking(Step):
    """Can the frame before reach the obligation's state? ``F_{i-1} ∧ T ∧ s′``: a predecessor, or the state is blocked."""

    obligation: PosedObligation
    query: Query
    answer: QueryAnswer
    predecessor: PosedObligation | None
    frames: tuple[BitFrame, ...]


@dataclass(frozen=True, slots=True)
class Push:
    """Does a clause c of ``F_level`` hold one step later? ``F_level ∧ T ∧ ¬c′``; if unsatisfiable, ``F_{level+1}`` gets c."""

    cube: BitCube
    query: Query
    answer: QueryAnswer
    after: BitFrame  # F_{level+1} as it is then


@dataclass(frozen=True, slots=True)
class Propagation(Step):
    """A new last frame, which starts as P, and the clauses that were pushed; ``fixpoint`` is i where ``F_i = F_{i+1}``."""

    pushes: tuple[Push, ...]
    frames: tuple[BitFrame, ...]
    fixpoint: int | None


TextbookStep = Posed | ZeroCheck | NextTransition | Blocking | Propagation
