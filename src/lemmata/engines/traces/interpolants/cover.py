"""``Cover``: cubes over some variables that contain one side of a contradiction and still contradict the other.

Models of the one side are taken one by one. Literals that are true there and imply the side are freed of the variables that
the other side does not know: by Fourier and Motzkin if the result still contradicts the other side, else by model-based
projection, which always does. Then the cube is weakened: equations become two bounds, and of everything only what the other
side contradicts is kept. Differences of variables come first: where x = 3 and y = 3 the cube also has x = y, and if that is
enough the numbers, which depend on how often a loop was taken, are not looked at.

The union of the cubes is an interpolant (compare Bjørner, Gurfinkel, Korovin, Lahav 2013, who take the other side's models).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lemmata.engines.traces.interpolants.ask import Asker, Desk
from lemmata.engines.traces.interpolants.shadow import shadow
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.implicant import implicant
from lemmata.logic.linear import Atom, canonical, comparison, normal, split
from lemmata.logic.project import project
from lemmata.logic.terms import FALSE, Term, Value
from lemmata.logic.walk import variables

Cube = tuple[Term, ...]

_MANY = 12  # cubes
_PAIRS = 6  # variables with a known value whose differences are looked at


def cover(asker: Asker, side: Sequence[Term], shared: Collection[Term], other: Desk) -> list[Cube] | None:
    """Cubes over ``shared``: ``side`` implies their union, which contradicts the desk; ``None`` if there are many."""
    if FALSE in side:
        return []
    desk = asker.desk(side)
    names = variables(side)
    doomed = {v for v in names if v not in shared}
    cubes: list[Cube] = []
    while (values := desk.model(names)) is not None:
        if len(cubes) == _MANY:
            return None
        cube = _cube(side, values, doomed, other)
        if cube is None:
            return None
        cubes.append(cube)
        desk.add([negate(conj(cube))])
    return cubes


def _cube(side: Sequence[Term], values: dict[Term, Value], doomed: Collection[Term], other: Desk) -> Cube | None:
    literals = list(dict.fromkeys([literal for formula in side for literal in implicant(formula, values)]))
    found = _weakened(shadow(literals, doomed), other)
    return found if found is not None else _weakened(project(literals, values, doomed), other)


def _weakened(literals: Sequence[Term], other: Desk) -> Cube | None:
    """What the other side contradicts; differences alone if they are enough."""
    differences = _differences(literals)
    bounds = [part for literal in literals for part in _halves(literal)]
    core = other.least_core([part for literal in differences for part in _halves(literal)]) if differences else None
    if core is None:
        core = other.least_core(bounds)
    return None if core is None else _joined(core)


def _halves(literal: Term) -> list[Term]:
    """An equation of numbers as two bounds."""
    atom = comparison(literal)
    if atom is None or atom.kind != "eq":
        return [literal]
    return [half.to_term() for half in split(atom)]


def _joined(literals: Sequence[Term]) -> Cube:
    """Two opposite bounds as an equation again."""
    found: dict[Term, None] = {}
    atoms = {literal: comparison(literal) for literal in literals}
    for literal in literals:
        atom = atoms[literal]
        if atom is not None and atom.kind == "le":
            opposite = normal("le", -atom.form).to_term()
            if opposite in atoms:
                literal = normal("eq", atom.form).to_term()
        found[literal] = None
    return tuple(found)


def _differences(literals: Sequence[Term]) -> list[Term]:
    """x - y = c - d where x = c and y = d."""
    known: list[Atom] = []
    for literal in literals:
        atom = comparison(literal)
        if atom is not None and atom.kind == "eq" and len(atom.form.terms) == 1 and abs(atom.form.terms[0][1]) == 1:
            known.append(atom)
    known = known[:_PAIRS]
    return [
        canonical(normal("eq", a.form - b.form).to_term())
        for i, a in enumerate(known)
        for b in known[:i]
        if a.form.sort is b.form.sort
    ]


def union(cubes: Sequence[Cube]) -> Term:
    """Their disjunction, without cubes that have all literals of another."""
    return disj([conj(cube) for cube in _widest(cubes)])


def outside(cubes: Sequence[Cube]) -> Term:
    """What is in none of them."""
    return conj([disj([canonical(negate(literal)) for literal in cube]) for cube in _widest(cubes)])


def _widest(cubes: Sequence[Cube]) -> list[Cube]:
    sets = [frozenset(cube) for cube in cubes]
    return [
        cube
        for i, cube in enumerate(cubes)
        if not any(other < sets[i] or (other == sets[i] and j < i) for j, other in enumerate(sets))
    ]
