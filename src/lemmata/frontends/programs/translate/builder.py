"""``GraphBuilder``: locations, edges and properties as they come; ``graph`` puts them together.

Locations are called ``procedure:line``, with a number where a line has several. A property has an error location, made when
its first edge is; properties are listed in the order of the file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.frontends.programs.source import SourceText
from lemmata.frontends.programs.spelling import Spelling
from lemmata.frontends.programs.translate.draft import Draft
from lemmata.frontends.programs.tree import Choice, Variable
from lemmata.frontends.skeleton import TakenNames
from lemmata.logic.terms import FALSE, Term
from lemmata.models.code import Code, CodeChoice, CodeVariable
from lemmata.models.graph import Edge, Graph, GraphProperty, Location, Origin, Source

_NOTHING: Mapping[Term, Term] = {}
_UNSPELLED = CodeVariable("")
EdgeChoices = Sequence[tuple[Term, Choice]]  # inputs, and what the source says of them
EdgeKey = tuple[int, int]  # offsets: of the statement, and of a clause that belongs to it


class GraphBuilder:
    """A graph in the making."""

    def __init__(self, text: SourceText) -> None:
        self._text = text
        self._names = TakenNames()
        self._locations: list[Location] = []
        self._where: list[tuple[str, int]] = []  # the body that they belong to, and the offset there
        self._ats: list[int] = []  # the offsets of locations in the text
        self._edges: list[Edge] = []
        self._inexact: list[int] = []
        self._errors: dict[EdgeKey, int] = {}
        self._named: dict[str, dict[Term, Variable]] = {}  # what the variables of a body are
        self._loops: set[int] = set()
        self._edge_ats: list[int] = []
        self._choices: dict[int, EdgeChoices] = {}
        self._places: dict[int, dict[Term, int]] = {}  # of variables, by the identity of the tuple, which locations share

    def line(self, at: int) -> int:
        """The line of an offset."""
        return self._text.line(at)

    def place(self, path: str, at: int, variables: Sequence[Term]) -> int:
        """A new location."""
        line = self.line(at)
        return self._add(f"{path}:{line}", tuple(variables), at, (path, at), self._text.words(at))

    def first(self, path: str, at: int, variables: Sequence[Term]) -> int:
        """The location before a body."""
        return self._add(f"{path}:start", tuple(variables), at, (path, -1))

    def last(self, path: str, at: int, variables: Sequence[Term]) -> int:
        """The location after a body."""
        return self._add(f"{path}:end", tuple(variables), at, (path, len(self._text.text)))

    def error(self, key: EdgeKey, name: str) -> int:
        """The error location of a property, the same for the same ``key``."""
        if key not in self._errors:
            self._errors[key] = self._add(name, (), key[0], ("", key[0]))
        return self._errors[key]

    def _add(self, name: str, variables: tuple[Term, ...], at: int, where: tuple[str, int], words: str = "") -> int:
        self._where.append(where)
        self._ats.append(at)
        self._locations.append(Location(self._names.free(name), variables, self.line(at), words))
        return len(self._locations) - 1

    def variables(self, place: int) -> tuple[Term, ...]:
        """The variables that live there."""
        return self._locations[place].variables

    def tell_names(self, path: str, names: Mapping[Variable, Term], outer: int | None = None) -> None:
        """The variables of a body stand for these terms, and for those of the body around it."""
        around = {} if outer is None else self._named.get(self._where[outer][0], {})
        self._named[path] = {**around, **{term: variable for variable, term in names.items()}}

    def tell_loop(self, place: int, at: int) -> None:
        """The location is the head of a loop that is at that offset."""
        self._loops.add(place)
        self._ats[place] = at

    def start(self, target: int, draft: Draft, at: int) -> None:
        """An initial edge; the inputs of ``draft`` have the names of the variables that they are for."""
        self._edge((), target, draft, at, _NOTHING)

    def step(
        self,
        source: int,
        target: int,
        draft: Draft,
        at: int,
        changes: Mapping[Term, Term] = _NOTHING,
        choices: EdgeChoices = (),
    ) -> None:
        """An edge; variables that ``changes`` does not speak of keep their values."""
        self._edge((Source(source, self.variables(source)),), target, draft, at, changes, choices)

    def join(
        self, source: int, summary: Source, target: int, draft: Draft, at: int, changes: Mapping[Term, Term] = _NOTHING
    ) -> None:
        """The same, with a summary of what was called."""
        self._edge((Source(source, self.variables(source)), summary), target, draft, at, changes)

    def _edge(
        self,
        sources: tuple[Source, ...],
        target: int,
        draft: Draft,
        at: int,
        changes: Mapping[Term, Term],
        choices: EdgeChoices = (),
    ) -> None:
        guard = draft.guard
        if guard is FALSE:
            return
        updates = self._updated(self.variables(target), changes)
        if not draft.is_exact:
            self._inexact.append(len(self._edges))
        if choices:
            self._choices[len(self._edges)] = choices
        self._edge_ats.append(at)
        self._edges.append(Edge(sources, target, tuple(draft.inputs), guard, updates, self.line(at)))

    def _updated(self, variables: tuple[Term, ...], changes: Mapping[Term, Term]) -> tuple[Term, ...]:
        """The variables as ``changes`` has them. Most keep their values: a statement changes few of a thousand."""
        places = self._places.get(id(variables))
        if places is None:
            places = self._places[id(variables)] = {v: k for k, v in enumerate(variables)}
        found = [(k, term) for v, term in changes.items() if (k := places.get(v)) is not None]
        if not found:
            return variables
        updates = list(variables)
        for k, term in found:
            updates[k] = term
        return tuple(updates)

    def graph(self, file: str, kind: str, spelling: Spelling | None = None) -> Graph:
        """All of it, made from a file of that kind, the locations of a body in the order of its text, errors last.

        With a ``spelling`` it also tells what the source says.
        """
        groups = {path: n for n, path in enumerate(dict.fromkeys(path for path, _ in self._where if path))}
        groups[""] = len(groups)
        order = sorted(range(len(self._locations)), key=lambda n: (groups[self._where[n][0]], self._where[n][1]))
        at = {old: new for new, old in enumerate(order)}
        locations = tuple([self._locations[n] for n in order])
        places = [(at[self._errors[key]], self._text.place(key[0])) for key in sorted(self._errors)]
        questions = [GraphProperty(n, locations[error].name, error, place=place) for n, (error, place) in enumerate(places)]
        edges = tuple([_moved(edge, at) for edge in self._edges])
        origin = Origin(kind, inexact=tuple(self._inexact))
        if spelling is None:
            return Graph(locations, edges, tuple(questions), origin, file)
        return Graph(locations, edges, tuple(questions), origin, file, code=self._code(order, spelling))

    def _code(self, order: Sequence[int], spelling: Spelling) -> Code:
        """What the source says, of locations in that order."""
        at = {old: new for new, old in enumerate(order)}
        tables: dict[tuple[str, tuple[Term, ...]], tuple[CodeVariable, ...]] = {}
        variables = [self._spelled(self._where[n][0], self._locations[n].variables, spelling, tables) for n in order]
        choices = {edge: self._told(found, spelling) for edge, found in self._choices.items()}
        return Code(
            tuple(variables),
            spelling.objects,
            tuple([self._text.place(self._ats[n]) for n in order]),
            tuple([self._ats[n] for n in order]),
            tuple([self._text.spot(self._ats[n]) for n in order]),
            tuple([self._where[n][0] for n in order]),
            frozenset([at[n] for n, (_, offset) in enumerate(self._where) if offset == -1]),
            frozenset([at[n] for n in self._loops]),
            tuple([self._text.place(offset) for offset in self._edge_ats]),
            choices,
            spelling.notes,
            spelling.source,
            spelling.placed,
            spelling.refused,
        )

    def _spelled(
        self,
        path: str,
        terms: tuple[Term, ...],
        spelling: Spelling,
        tables: dict[tuple[str, tuple[Term, ...]], tuple[CodeVariable, ...]],
    ) -> tuple[CodeVariable, ...]:
        """How the source writes the variables of a location; those of one body share a table."""
        key = path, terms
        if key not in tables:
            named = self._named.get(path, {})
            found = [named.get(term) for term in terms]
            tables[key] = tuple([_UNSPELLED if v is None else spelling.variables.get(v, _UNSPELLED) for v in found])
        return tables[key]

    def _told(self, found: EdgeChoices, spelling: Spelling) -> tuple[CodeChoice, ...]:
        return tuple(
            [
                CodeChoice(
                    term,
                    self._text.place(c.at),
                    c.function,
                    c.text or spelling.variables.get(c.variable, _UNSPELLED).text,
                    c.type,
                    c.is_signed,
                    self._text.spot(c.at),
                    c.stride,
                    c.is_array,
                )
                for term, c in found
            ]
        )


def _moved(edge: Edge, at: Mapping[int, int]) -> Edge:
    sources = tuple([Source(at[source.location], source.variables) for source in edge.sources])
    return Edge(sources, at[edge.target], edge.inputs, edge.guard, edge.updates, edge.line)
