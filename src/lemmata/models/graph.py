"""``Graph``: locations with typed variables, and edges between them. Everything that is not a circuit of bits is one.

An edge leads from its sources to its target: when ``guard`` holds, ``target.v := update(source variables, inputs)``. No source
means that the edge is initial; two sources join a call with its callee's summary. A transition system is one location with a
self-loop; a control-flow graph has a location per cut point; Horn clauses map one to one. Weakest precondition is therefore
substitution, and interval simulation is evaluation. Bad states are *error* locations, one per property.

Variables are terms; their names are those of the file, made unique by the front end. Within one edge the variables of its
sources and its inputs are pairwise different; guard and updates speak of these only. Where a relation has no functions (VMT,
Horn clauses), inputs stand for the next values and the relation is in the guard.
"""

from __future__ import annotations

from dataclasses import field
from itertools import compress, count
from operator import is_not

from lemmata.errors import Place
from lemmata.logic.terms import Term
from lemmata.models.code import Code
from lemmata.models.design import Design
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Location:
    """A place with the variables that live there; ``line`` is where the file has it, ``words`` what a program says there."""

    name: str
    variables: tuple[Term, ...] = ()
    line: int | None = None
    words: str = field(default="", compare=False)

    @property
    def path(self) -> str:
        """The procedure that a place of a program belongs to, with the calls that led there."""
        return self.name.rpartition(":")[0]

    @property
    def shown(self) -> str:
        """For people: places of a program by their line and its words, others by their names."""
        return f"{self.path}:{self.line} ‹{self.words}›" if self.words else self.name


@dataclass(frozen=True, slots=True)
class Source:
    """Where an edge starts, and the names under which its terms speak of the variables that live there."""

    location: int
    variables: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Edge:
    """``updates[i]`` is the new value of the target's i-th variable; ``inputs`` are local to one use of the edge."""

    sources: tuple[Source, ...]
    target: int
    inputs: tuple[Term, ...]
    guard: Term
    updates: tuple[Term, ...] = ()
    line: int | None = None


def changed(edge: Edge) -> list[int]:
    """The positions of the updates that do more than keep the value that the first source has in the same place.

    In a large program an edge has an update for each of a thousand variables, and changes one.
    """
    before = edge.sources[0].variables if edge.sources else ()
    found = list(compress(count(), map(is_not, before, edge.updates)))
    return found + list(range(min(len(before), len(edge.updates)), len(edge.updates)))


@dataclass(frozen=True, slots=True)
class GraphProperty:
    """One safety question: can the error ``location`` be reached?"""

    index: int
    name: str
    location: int
    is_cover: bool = False  # reaching it is what is hoped for
    place: Place | None = None  # in the source, where a front end knows it


@dataclass(frozen=True, slots=True)
class Origin:
    """How the file lists what the graph calls variables and inputs, where a witness has to follow that order.

    A state without ``next`` and ``init`` is an input of the graph; it is still a state of the file.
    """

    kind: str = ""  # btor2, vmt, horn, …
    states: tuple[Term, ...] = ()
    inputs: tuple[Term, ...] = ()
    liveness: tuple[int, ...] = ()  # the lines of justice properties, which nobody here answers
    inexact: tuple[int, ...] = ()  # edges that do more than the file says: an error that is reached through one is none
    fairness: tuple[int, ...] = ()  # the lines of fairness constraints, which are about justice properties only
    notes: tuple[str, ...] = ()  # what a reader of the verdict has to know about the file


@dataclass(frozen=True, slots=True)
class Graph:
    """A program, a transition system, or a set of Horn clauses."""

    locations: tuple[Location, ...]
    edges: tuple[Edge, ...]
    questions: tuple[GraphProperty, ...]
    origin: Origin = field(default_factory=Origin)
    file: str = "<memory>"
    design: Design | None = None  # of a hardware description
    code: Code | None = None  # of a program in a language that answers are told in

    def __hash__(self) -> int:
        """Quick, however many edges there are."""
        return hash((self.file, len(self.locations), len(self.edges)))

    def properties(self) -> tuple[GraphProperty, ...]:
        """The safety properties in file order, with their names."""
        return self.questions
