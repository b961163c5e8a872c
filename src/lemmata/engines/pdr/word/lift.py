"""Lifting: from one state that the solver found to a cube of states that all do the same.

Three ways lead to a cube, and the largest one is taken.

*Interval simulation* (Welp, Kuehlmann 2013, section 3.1.1) relaxes each variable's lower and upper end by binary search, as
long as simulation over intervals shows that every state of the box is bad (check 1) or steps into the successor's cube
(check 2); constraints must hold, too. The paper's check 1 also wants the box uncovered; a larger box whose covered part was
excluded before is as good an obligation, so that part is left out.

*Cores* (Chockler et al. 2011): with the inputs fixed, assume that the successor is missed; the literals in the unsat core are
enough. Over ends of intervals this says which variables matter before simulation; over single bits it is the lifting of
binary PDR.

*Justification*: follow the branches that the state takes through the terms and turn comparisons into half-spaces over the
state variables, as a weakest precondition does, ignoring overflow; a query decides whether the half-spaces suffice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lemmata.config import WordOptions
from lemmata.engines.pdr.oracle import Cti, Cube
from lemmata.engines.pdr.word.justify import Justification
from lemmata.engines.pdr.word.patience import Patience, PatientSolver
from lemmata.engines.pdr.word.units import Bound, Slice, Vocabulary, WordState
from lemmata.logic.build import conj, equal, negate
from lemmata.logic.domains.interval_simulation import Simulation, WordInterval
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import Term, const
from lemmata.logic.walk import variables
from lemmata.models.system import System
from lemmata.solvers.smt import Unsat

_SIMULATIONS = 200  # prepared simulations that are kept
_RENEW_QUERIES = 3000  # queries after which the solver is built anew


class WordLifter:
    """From a model of a query to an obligation."""

    def __init__(self, system: System, vocabulary: Vocabulary, options: WordOptions) -> None:
        self._system = system
        self._vocabulary = vocabulary
        self._options = options
        self._inputs = frozenset(system.inputs)
        self._solver = PatientSolver(options.solver)
        self._asked = 0
        self._justification = Justification(system, vocabulary)
        self._boxes: dict[tuple[Term, ...], Boxes] = {}
        self.until: float | None = None

    def bad(self, bad: Term, values: WordState) -> Cti:
        """A cube of states that are bad with the same inputs: check (1)."""
        roots = (self._system.constraint, bad)
        return self._lift(values, roots, roots, lambda: self._justification.truth(roots, values), _all_true)

    def predecessor(self, cube: Cube, values: WordState) -> Cti:
        """A cube of states that step into ``cube`` with the same inputs: check (2)."""
        vocabulary, system = self._vocabulary, self._system
        touched = {v for number in cube for v in vocabulary.variables(number)}
        order = [v for v in system.variables if v in touched]
        roots = (system.constraint, *[system.nexts[v] for v in order])
        target = (system.constraint, *[vocabulary.primed(number) for number in cube])

        def steps_into(arcs: Sequence[WordInterval]) -> bool:
            after = dict(zip(order, arcs[1:], strict=True))
            return arcs[0].umin == 1 and all(_holds(vocabulary, number, after) for number in cube)

        return self._lift(values, roots, target, lambda: self._justification.step(cube, values), steps_into)

    def _lift(
        self,
        values: WordState,
        roots: tuple[Term, ...],
        target: tuple[Term, ...],
        justify: Callable[[], Cube | None],
        check: Callable[[Sequence[WordInterval]], bool],
    ) -> Cti:
        support = variables(target)
        state = [v for v in support if v not in self._inputs]
        inputs = tuple([(v, values[v]) for v in support if v in self._inputs])
        miss = [negate(conj(target)), conj([equal(v, const(value, v.sort)) for v, value in inputs])]
        cubes = [self._by_box(state, values, roots, miss, check)]
        if self._options.unit == "mixed":
            cubes += self._by_bits(state, values, miss)
            cubes += self._by_reason(justify(), values, miss)
        return Cti(min(cubes, key=self._vocabulary.size), inputs)

    # cores

    def _core(self, literals: Iterable[int], miss: list[Term], patience: Patience = Patience.QUICK) -> Cube | None:
        """Literals out of these that suffice to hit the target with the inputs of ``miss``; ``None`` if that was not shown."""
        self._asked += 1
        if self._asked > _RENEW_QUERIES:
            self._asked = 0
            self._solver = PatientSolver(self._options.solver)
        back = {self._vocabulary.term(number): number for number in literals}
        answer = self._solver.ask([*miss, *back], (), self.until, patience)
        if not isinstance(answer, Unsat):
            return None
        return tuple(sorted([back[term] for term in answer.core if term in back]))

    def _smaller(self, cube: Cube, miss: list[Term]) -> Cube:
        """The core of a cube that is known to suffice, if the solver finds one soon."""
        core = self._core(cube, miss)
        return cube if core is None else core

    def _by_bits(self, state: list[Term], values: WordState, miss: list[Term]) -> list[Cube]:
        core = self._core(_bits_of(self._vocabulary, state, values), miss)
        return [] if core is None else [core]

    def _by_reason(self, reason: Cube | None, values: WordState, miss: list[Term]) -> list[Cube]:
        """The justification, if it suffices, perhaps only where its words are far from overflow."""
        if reason is None:
            return []
        core = self._core(reason, miss, Patience.THOROUGH)
        if core is None:
            calm = overflow_free_bounds(self._vocabulary, {v for x in reason for v in self._vocabulary.variables(x)}, values)
            core = self._core({*reason, *calm}, miss) if calm else None
        return [] if core is None else [core]

    # intervals

    def _by_box(
        self,
        state: list[Term],
        values: WordState,
        roots: tuple[Term, ...],
        miss: list[Term],
        check: Callable[[Sequence[WordInterval]], bool],
    ) -> Cube:
        point = point_of(self._vocabulary, state, values)
        core = self._smaller(point, miss)
        if not self._options.simulate:
            return core
        boxes = self._boxes.get(roots)
        if boxes is None:
            if len(self._boxes) >= _SIMULATIONS:
                self._boxes.clear()
            boxes = self._boxes[roots] = Boxes(roots, self._vocabulary)
        needed = {v for number in core for v in self._vocabulary.variables(number)}
        box = boxes.widen(state, needed, values, check)
        # the ends that the core does not need are gone already if simulation saw it; else the core of the box drops them
        return self._smaller(box, miss)


class Boxes:
    """Interval simulation of some roots: how far may a state be widened?"""

    def __init__(self, roots: tuple[Term, ...], vocabulary: Vocabulary) -> None:
        self._roots = roots
        self._vocabulary = vocabulary
        self._simulation = Simulation(roots)
        self._leaves = dict.fromkeys(variables(roots))

    def widen(
        self, state: list[Term], needed: set[Term], values: WordState, check: Callable[[Sequence[WordInterval]], bool]
    ) -> Cube:
        """A box around the state in which ``check`` still holds; variables outside ``needed`` go first."""
        simulation, roots, leaves = self._simulation, self._roots, self._leaves
        simulation.assign({v: _point(v, values[v]) for v in leaves})

        def still() -> bool:
            return check([simulation.value(root) for root in roots])

        def free(some: Iterable[Term]) -> bool:
            mark = simulation.mark()
            for v in some:
                simulation.widen(v, _top(v))
            if still():
                return True
            simulation.rollback(mark)
            return False

        mine = [v for v in state if v in leaves]
        others = [v for v in mine if v not in needed]
        kept = [v for v in mine if v in needed] + ([] if free(others) else [v for v in others if not free([v])])
        literals: list[int] = []
        for v in kept:
            if not free([v]):
                literals += self._ends(v, values[v], still)
        return tuple(sorted(literals))

    def _ends(self, variable: Term, value: int, still: Callable[[], bool]) -> list[int]:
        """The literals of one variable, each end as far out as binary search finds."""
        vocabulary, simulation = self._vocabulary, self._simulation
        if variable.sort is BOOL or variable.width == 1:
            return [vocabulary.slice(variable, 0, 0, value)]
        form = vocabulary.unary(variable)
        here = vocabulary.read(variable, value)
        ends = [here, here]
        for side, far in ((1, form.high), (0, form.low)):
            good, bad = ends[side], far + (1 if side else -1)
            guess = far
            while good != guess:
                trial = [ends[0], guess] if side else [guess, ends[1]]
                mark = simulation.mark()
                simulation.widen(variable, _arc(variable, trial, variable in vocabulary.signed))
                if still():
                    good = guess
                    ends[side] = guess
                else:
                    simulation.rollback(mark)
                    bad = guess
                guess = (good + bad) // 2 if side else -((-good - bad) // 2)
        literals = [vocabulary.bound(form, False, ends[0]), vocabulary.bound(form, True, ends[1])]
        return [number for number in literals if number]


def _arc(variable: Term, ends: list[int], is_signed: bool) -> WordInterval:
    make = WordInterval.signed if is_signed else WordInterval.unsigned
    return make(ends[0], ends[1], variable.width)


def _point(variable: Term, value: int) -> WordInterval:
    return WordInterval.point(value, 1 if variable.sort is BOOL else variable.width)


def _top(variable: Term) -> WordInterval:
    return WordInterval.top(1 if variable.sort is BOOL else variable.width)


def _all_true(arcs: Sequence[WordInterval]) -> bool:
    return all(arc.umin == 1 for arc in arcs)


def _holds(vocabulary: Vocabulary, number: int, after: dict[Term, WordInterval]) -> bool:
    """Does the literal hold for all values of the variables?"""
    match vocabulary.literals[number]:
        case Bound(form, is_upper, limit):
            low, high = form.offset, form.offset
            for v, a in form.parts:
                arc = after[v]
                ends = (arc.smin, arc.smax) if v in vocabulary.signed else (arc.umin, arc.umax)
                low += a * ends[a < 0]
                high += a * ends[a > 0]
            if form.wraps:
                if low >> form.wraps != high >> form.wraps:
                    return False
                low, high = low & form.high, high & form.high
            return high <= limit if is_upper else low >= limit
        case Slice(variable, high, low, value):
            arc = after[variable]
            mask = ((2 << (high - low)) - 1) << low
            return arc.known & mask == mask and arc.bits & mask == value << low


def point_of(vocabulary: Vocabulary, state: Iterable[Term], values: WordState) -> Cube:
    """The state as ends of intervals; words of one bit as bits."""
    literals: list[int] = []
    for v in state:
        if v.sort is BOOL or v.width == 1:
            literals.append(vocabulary.slice(v, 0, 0, int(values[v])))
            continue
        form, value = vocabulary.unary(v), vocabulary.read(v, values[v])
        ends = [vocabulary.bound(form, False, value), vocabulary.bound(form, True, value)]
        literals += [number for number in ends if number]
    return tuple(sorted(literals))


def overflow_free_bounds(vocabulary: Vocabulary, some: Iterable[Term], values: WordState) -> Cube:
    """Bounds that keep words in the middle half of their range, where small sums do not overflow; those that hold here."""
    literals: list[int] = []
    for v in sorted(some, key=lambda v: v.number):
        if v.sort is not BOOL and v.width > 2:
            form, quarter = vocabulary.unary(v), 1 << (v.width - 2)
            ends = [vocabulary.bound(form, False, -quarter), vocabulary.bound(form, True, quarter)]
            literals += [number for number in ends if number and vocabulary.holds(number, values)]
    return tuple(literals)


def _bits_of(vocabulary: Vocabulary, state: Iterable[Term], values: WordState) -> Cube:
    """The state bit by bit."""
    literals = []
    for v in state:
        width = 1 if v.sort is BOOL else v.width
        literals += [vocabulary.slice(v, j, j, (values[v] >> j) & 1) for j in range(width)]
    return tuple(sorted(literals))
