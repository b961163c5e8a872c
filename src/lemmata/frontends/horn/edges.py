"""Clauses become edges: what stands in a body is a source, what stands in the head is the target with its updates.

An argument of a body predicate that is a variable, and no source has it yet, is the source's own name for its variable; any
other argument gets a variable of its own and an equation in the guard. The remaining variables of a clause are the inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.frontends.horn.clauses import Clause
from lemmata.frontends.horn.skeleton import Names
from lemmata.logic.build import conj, equal
from lemmata.logic.sorts import Sort
from lemmata.logic.terms import Term, name_of, topological, var
from lemmata.models.graph import Edge, Location, Source


def location_of(name: str, sorts: Sequence[Sort], clauses: Sequence[Clause], line: int | None) -> Location:
    """The location of a predicate; its variables are called as in the first head, or body, where they are all different."""
    heads = [clause.head for clause in clauses if clause.head is not None and clause.head.data[0] == name]
    bodies = [atom for clause in clauses for atom in clause.body if atom.data[0] == name]
    for atom in (*heads, *bodies):
        if all(arg.is_var for arg in atom.args) and len(set(atom.args)) == len(atom.args):
            return Location(name, atom.args, line)
    return Location(name, tuple([var(f"x{position}", sort) for position, sort in enumerate(sorts, 1)]), line)


def edge_of(clause: Clause, positions: Mapping[str, int], locations: Sequence[Location], error: int) -> Edge:
    """The clause as an edge; ``positions`` are those of the predicates among the locations."""
    taken = Names(name_of(v) for v in clause.bound)
    used: set[Term] = set()
    equations: list[Term] = []
    sources = []
    for atom in clause.body:
        position = positions[atom.data[0]]
        variables = []
        for arg, own in zip(atom.args, locations[position].variables, strict=True):
            variable = arg
            if not arg.is_var or arg in used:
                variable = var(taken.free(name_of(arg if arg.is_var else own)), arg.sort)
                equations.append(equal(variable, arg))
            used.add(variable)
            variables.append(variable)
        sources.append(Source(position, tuple(variables)))
    updates = () if clause.head is None else clause.head.args
    guard = conj([*equations, clause.guard])
    below = topological([guard, *updates])
    assert not any(term.op == "apply" for term in below), "a predicate is left in a constraint"
    rest = {term for term in below if term.is_var} - used
    inputs = tuple([v for v in clause.bound if v in rest])
    target = error if clause.head is None else positions[clause.head.data[0]]
    return Edge(tuple(sources), target, inputs, guard, updates, clause.line)
