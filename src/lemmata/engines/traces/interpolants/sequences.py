"""Two sequences of interpolants along a relaxed trace, one from each end.

*Relaxed* (``relax``): parts outside an unsatisfiable core are left out. A guard that is left out is ``true``, an update that is
left out lets its variable be anything. Proofs of the relaxed trace prove the trace, and do not speak of what does not matter
(Dietsch, Heizmann, Musa, Nutz, Podelski 2017). A part that several steps demand is kept in the first of them. Of all cores the
one with the latest parts is taken: what the last round of a loop needs to know of the rounds before it is more often an
invariant than what the first ones did.

*Forwards* (strongest postconditions, weakened): the premises' formulas and the parts of a step are one side; all later steps,
and what was found for steps that they still need, are the other. *Backwards* (weakest preconditions, strengthened): what leads
to the error after a step is one side, all earlier steps are the other; the formula is the negation of the union. Either way a
step takes from the last one what that gave, so the sequence fits together by construction. Backwards a step with two premises
is dealt with from left to right: the first one's side has all steps below the second, and the second's has the formula that the
first one got.

*One interpolant* is a ``cover``: cubes over some variables that contain one side of a contradiction and still contradict the
other. Models of the one side are taken one by one. Literals that are true there and imply the side are freed of the variables
that the other side does not know: by Fourier and Motzkin if the result still contradicts the other side, else by model-based
projection, which always does. Then the cube is weakened: equations become two bounds, and of everything only what the other
side contradicts is kept. Differences of variables come first: where x = 3 and y = 3 the cube also has x = y, and if that is
enough the numbers, which depend on how often a loop was taken, are not looked at. (Compare Bjørner, Gurfinkel, Korovin, Lahav
2013, who take the other side's models.)
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from lemmata.engines.traces.interpolants.core_solver import CoreSolver, SolverLimits
from lemmata.engines.traces.interpolants.fourier_motzkin import fourier_motzkin
from lemmata.engines.traces.interpolants.unfolding import StepFormulas, Unfolding, spoken_of
from lemmata.logic.asserted import asserted_conjuncts
from lemmata.logic.build import conj, disj, negate
from lemmata.logic.linear import Atom, canonical, comparison, normal, split_equation
from lemmata.logic.projection.implicant import implicant
from lemmata.logic.projection.project import project
from lemmata.logic.terms import FALSE, TRUE, Term, Value
from lemmata.logic.walk import variables


def relax(unfolding: Unfolding, limits: SolverLimits, patience: float) -> StepFormulas | None:
    """The parts of each step that are needed; ``None`` if the trace can be run. ``patience`` is for the choice of a core."""
    owner: dict[Term, int] = {}
    for number, parts in enumerate(unfolding.parts):
        for part in parts:
            owner.setdefault(part, number)
    if FALSE in owner:
        return tuple([(FALSE,) if number == owner[FALSE] else () for number in range(len(unfolding))])
    all_parts = list(owner)
    core = limits.core_solver().core(all_parts)
    if core is None:
        return None
    needed = set(limits.patiently(lambda limits: limits.core_solver().last_core(all_parts), patience) or core)
    return tuple(
        [
            tuple([part for part in parts if part in needed and owner[part] == number])
            for number, parts in enumerate(unfolding.parts)
        ]
    )


_Cube = tuple[Term, ...]

_CUBES = 12  # cubes
_PAIRS = 6  # variables with a known value whose differences are looked at


def cover(limits: SolverLimits, side: Sequence[Term], shared: Collection[Term], other: CoreSolver) -> list[_Cube] | None:
    """Cubes over ``shared``: ``side`` implies their union, which contradicts ``other``; ``None`` if there are many."""
    if FALSE in side:
        return []
    solver = limits.core_solver(side)
    names = variables(side)
    doomed = {v for v in names if v not in shared}
    cubes: list[_Cube] = []
    while (values := solver.model(names)) is not None:
        if len(cubes) == _CUBES:
            return None
        cube = _cube(side, values, doomed, other)
        if cube is None:
            return None
        cubes.append(cube)
        solver.add([negate(conj(cube))])
    return cubes


def _cube(side: Sequence[Term], values: dict[Term, Value], doomed: Collection[Term], other: CoreSolver) -> _Cube | None:
    literals = list(dict.fromkeys([literal for formula in side for literal in implicant(formula, values)]))
    found = _weakened(fourier_motzkin(literals, doomed), other)
    return found if found is not None else _weakened(project(literals, values, doomed), other)


def _weakened(literals: Sequence[Term], other: CoreSolver) -> _Cube | None:
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
    return [half.to_term() for half in split_equation(atom)]


def _joined(literals: Sequence[Term]) -> _Cube:
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


def union(cubes: Sequence[_Cube]) -> Term:
    """Their disjunction, without cubes that have all literals of another."""
    return disj([conj(cube) for cube in _widest(cubes)])


def outside(cubes: Sequence[_Cube]) -> Term:
    """What is in none of them."""
    return conj([disj([canonical(negate(literal)) for literal in cube]) for cube in _widest(cubes)])


def _widest(cubes: Sequence[_Cube]) -> list[_Cube]:
    sets = [frozenset(cube) for cube in cubes]
    return [
        cube
        for i, cube in enumerate(cubes)
        if not any(other < sets[i] or (other == sets[i] and j < i) for j, other in enumerate(sets))
    ]


_Formulas = tuple[Term, ...]


def forwards(unfolding: Unfolding, parts: StepFormulas, limits: SolverLimits) -> _Formulas | None:
    """A formula per step, with the names of the step; ``None`` if one of them grows large."""
    solver = limits.core_solver()
    for formulas in reversed(parts[1:]):
        solver.push(formulas)
    later = _spoken_after(parts)
    open_steps: dict[int, Term] = {}  # whose formula a later step needs
    result: list[Term] = []
    for number, formulas in enumerate(parts):
        side = [*[open_steps.pop(premise) for premise in unfolding.premises(number)], *formulas]
        side = asserted_conjuncts(side)
        others = list(open_steps.values())
        elsewhere = {*later[number], *variables(others)}
        solver.push(others)
        shared = [v for v in unfolding.states[number] if v in elsewhere]
        found = [] if number == len(parts) - 1 else cover(limits, side, set(shared), solver)
        if found is None:
            return None
        solver.pop()
        if number < len(parts) - 1:
            solver.pop()
        open_steps[number] = union(found)
        result.append(open_steps[number])
    return tuple(result)


def _spoken_after(parts: StepFormulas) -> list[dict[Term, None]]:
    """Per step, the variables of all later ones."""
    result: list[dict[Term, None]] = []
    known: dict[Term, None] = {}
    for formulas in reversed(parts):
        result.append(dict(known))
        known |= spoken_of([formulas])
    return result[::-1]


def backwards(unfolding: Unfolding, parts: StepFormulas, limits: SolverLimits) -> _Formulas | None:
    """The same from the error on."""

    def below(step: int) -> list[Term]:
        return [part for under in sorted(unfolding.under[step]) for part in parts[under]]

    result: list[Term] = [TRUE] * len(parts)
    result[-1] = FALSE
    for number in reversed(range(len(parts))):
        premises = unfolding.premises(number)
        for place, premise in enumerate(premises):
            beside = [result[p] for p in premises[:place]] + [part for p in premises[place + 1 :] for part in below(p)]
            side = asserted_conjuncts([*parts[number], negate(result[number]), *beside])
            solver = limits.core_solver(below(premise))
            spoken = spoken_of([below(premise)])
            shared = {v for v in unfolding.states[premise] if v in spoken}
            found = cover(limits, side, shared, solver)
            if found is None:
                return None
            result[premise] = outside(found)
    return tuple(result)


def is_proof(unfolding: Unfolding, parts: StepFormulas, formulas: Sequence[Term], limits: SolverLimits) -> bool:
    """Does every step lead from the formulas before it to its own, and the last one to ``false``?"""
    if formulas[-1] is not FALSE:
        return False
    for number, own in enumerate(formulas):
        if not set(variables([own])) <= set(unfolding.states[number]):
            return False
        before = [formulas[premise] for premise in unfolding.premises(number)]
        if own is TRUE or own in before or FALSE in before:
            continue
        if limits.core_solver([*before, *parts[number], negate(own)]).core(()) is None:
            return False
    return True
