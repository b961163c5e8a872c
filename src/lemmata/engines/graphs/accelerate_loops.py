"""``accelerated``: a lap that leads back to where it began, taken n times as one lap with an input n.

First the choices in the updates are made, each way a lap of its own. Then each number gets a step: d where the update is
``v + d`` (a remainder around it is looked through), otherwise that of its update, if variables in it move; all else
stays. That is a guess, and the guard asks for it: ``update = v + d`` in every round, together with the lap's own guard. So a
variable that is reset, or lags behind, joins in from the second round on; inputs are the same in all rounds. After n rounds v
is ``v + n·d``. A lap in which nothing moves counts nothing, and is left alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from lemmata.engines.graphs.accelerate_laps import Lap, Loop, Names
from lemmata.engines.graphs.accelerate_rounds import Number, Rounds, times
from lemmata.errors import GaveUp
from lemmata.logic.build import build, conj, negate
from lemmata.logic.linear import linearize
from lemmata.logic.sorts import INT, REAL
from lemmata.logic.terms import FALSE, Term, const, topological
from lemmata.logic.walk import fold, substitute
from lemmata.models.graph import Graph

_CASES = 8  # ways through the choices of the updates
_LAGS = 4  # variables that lag behind each other


def accelerated(graph: Graph, lap: Lap, names: Names) -> list[Lap]:
    """Laps that are ``lap`` taken some number of times; none if it does not count."""
    variables = graph.locations[lap.place].variables
    found: list[Lap] = []
    for case in _cases(lap):
        steps = _steps(variables, case, names)
        if steps:
            try:
                found.append(_repeated(variables, case, steps, names))
            except GaveUp:
                continue
    return [lap for lap in found if lap.guard is not FALSE]


def _cases(lap: Lap) -> list[Lap]:
    """One lap for each way through the choices of the updates; not all of them if they are many."""
    done: list[Lap] = []
    waiting = [lap]
    while waiting and len(done) < _CASES:
        one = waiting.pop()
        choice = next((t for t in topological(one.updates) if t.op == "ite" and t.sort in (INT, REAL)), None)
        if choice is None:
            done.append(one)
            continue
        condition, if_true, if_false = choice.args
        for fact, branch in ((negate(condition), if_false), (condition, if_true)):
            guard = conj((one.guard, fact))
            updates = tuple(substitute(one.updates, {choice: branch}))
            if guard is not FALSE:
                waiting.append(Lap(one.place, one.target, one.inputs, guard, updates, one.plan))
    return done


def _steps(variables: tuple[Term, ...], lap: Lap, names: Names) -> dict[Term, Number]:
    """How far each number moves in a round; those that stay are left out."""
    pairs = [(v, update) for v, update in zip(variables, lap.updates, strict=True) if v.sort in (INT, REAL)]
    plain = _without_remainders([update for _, update in pairs])
    sums = [(v, linearize(build("-", (update, v)))) for (v, _), update in zip(pairs, plain, strict=True)]
    own = {v: form.constant for v, form in sums if not form.terms}
    others = [(v, update) for v, update in pairs if v not in own]
    known = own
    for _ in range(_LAGS):
        rounds = Rounds(const(1, INT), known, names)
        drifts = [(v, rounds.drift(update)) for v, update in others]
        known = own | {v: drift.step for v, drift in drifts if drift is not None}
    return {v: step if v.sort is INT else Fraction(step) for v, step in known.items() if step}


def _repeated(variables: tuple[Term, ...], lap: Lap, steps: dict[Term, Number], names: Names) -> Lap:
    """The lap, n times."""
    count = names.fresh("rounds", INT)
    rounds = Rounds(count, steps, names)
    moves = [build("+", (v, const(steps[v], v.sort))) if v in steps else v for v in variables]
    demands = [build("=", (update, move)) for update, move in zip(lap.updates, moves, strict=True)]
    guard = conj([build("<=", (const(1, INT), count)), *(rounds.always(part) for part in (lap.guard, *demands))])
    updates = [build("+", (v, times(count, steps[v], v.sort))) if v in steps else v for v in variables]
    inputs = (*lap.inputs, count, *rounds.inputs)
    return Lap(lap.place, lap.target, inputs, guard, tuple(updates), (Loop(count, lap.plan),))


def _without_remainders(terms: list[Term]) -> list[Term]:
    """``t mod m`` becomes t."""

    def visit(term: Term, args: Sequence[Term]) -> Term:
        if term.op == "mod":
            return args[0]
        return term if tuple(args) == term.args else build(term.op, tuple(args), term.data)

    results = fold(terms, visit)
    return [results[term] for term in terms]
