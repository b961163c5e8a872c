"""Variables out of linear atoms, at a point: virtual substitution for reals, Cooper's method and shadows for integers.

Given atoms that are true at a point, ``eliminate`` finds atoms without x, true at the point, that imply ∃x. ⋀ atoms. Each
disjunct of a quantifier elimination would do; the point tells which.

* An equation solves for x: substitution, with a divisibility over ℤ where the coefficient is no unit. Nothing is lost.
* No lower bounds, or no upper ones: x goes to infinity and takes its bounds with it. Nothing is lost.
* Otherwise x is put on the greatest lower bound at the point (the least upper one if those are fewer, since there are as many
  disjuncts as bounds to choose from). Reals: Loos, Weispfenning 1993. Integers: where all coefficients allow it, the *dark
  shadow* (Pugh 1991) says that an integer lies between two bounds without a divisibility; else x is the bound plus the
  remainder that it has at the point (Cooper 1972), with a divisibility.

The atoms are in an ``AtomStore``, indexed by the variables that are to go: of bounds on the same sum only the strongest is
kept, and two opposite ones that meet become an equation.

Model-based projection: Komuravelli, Gurfinkel, Chaki 2014; Bjørner, Janota 2015. Tried and left out: fixing the remainder
always, which makes congruences that no lemma wants.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from lemmata.logic.linear.atoms import Atom, normal
from lemmata.logic.linear.sums import Linear, Number, total
from lemmata.logic.sorts import INT
from lemmata.logic.terms import Term, Value

_Sum = tuple[tuple[Term, Number], ...]


class AtomStore:
    """Atoms in the order in which they came."""

    __slots__ = ("_atoms", "_bounds", "_places")

    def __init__(self, atoms: Sequence[Atom], variables: Sequence[Term]) -> None:
        self._atoms: dict[Atom, None] = {}
        self._bounds: dict[_Sum, Atom] = {}
        self._places: dict[Term, dict[Atom, None]] = {v: {} for v in sorted(variables, key=lambda v: v.number)}
        for atom in atoms:
            self.add(atom)

    def add(self, atom: Atom) -> None:
        """One more; what it makes superfluous goes."""
        if atom.is_true or atom in self._atoms:
            return
        if atom.kind in ("le", "lt"):
            known = self._bounds.get(atom.form.terms)
            if known is not None:
                if not _is_stronger(atom, known):
                    return
                self._remove(known)
            opposite = self._bounds.get(_negative(atom.form.terms))
            if opposite is not None and opposite.form.constant == -atom.form.constant:  # both hold at the point: no strict one
                self._remove(opposite)
                atom = normal("eq", atom.form)
            else:
                self._bounds[atom.form.terms] = atom
        self._atoms[atom] = None
        for variable in self._doomed(atom):
            self._places[variable][atom] = None

    def _remove(self, atom: Atom) -> None:
        del self._atoms[atom]
        if atom.kind in ("le", "lt"):
            del self._bounds[atom.form.terms]
        for variable in self._doomed(atom):
            self._places[variable].pop(atom, None)

    def _doomed(self, atom: Atom) -> list[Term]:
        variables = [v.args[0] if v.op == "to_real" else v for v, _ in atom.form.terms]
        return [v for v in variables if v in self._places]

    def take(self, variable: Term) -> list[Atom]:
        """The atoms with ``variable``, which go, and so does the variable."""
        atoms = list(self._places[variable])
        for atom in atoms:
            self._remove(atom)
        del self._places[variable]
        return atoms

    def cheapest(self) -> Term | None:
        """The variable that is best eliminated next."""
        for variable in [v for v, atoms in self._places.items() if not atoms]:
            del self._places[variable]
        return min(self._places, key=self._cost, default=None)

    def _cost(self, variable: Term) -> tuple[int, ...]:
        """Equations with unit coefficients first, then unbounded variables, then few pairs; integers among reals last."""
        lowers, uppers, congruences, equations = 0, 0, 0, 0
        for atom in self._places[variable]:
            if atom.form.sort is not variable.sort:
                return 4, 0
            c = atom.form.coefficient(variable)
            if atom.kind == "eq":
                if abs(c) == 1:
                    return 0, len(atom.form.terms)
                equations += 1
            elif atom.kind in ("le", "lt"):
                lowers, uppers = (lowers + 1, uppers) if c < 0 else (lowers, uppers + 1)
            elif atom.kind != "ne":
                congruences += 1
        if equations:
            return 2, 0
        return 3 if congruences else 2 if lowers and uppers else 1, lowers * uppers

    def pruned(self) -> list[Atom]:
        """What is left, without bounds that an equation implies."""
        equal = {atom.form.terms for atom in self._atoms if atom.kind == "eq"}
        return [
            atom
            for atom in self._atoms
            if atom.kind == "eq" or not equal or (atom.form.terms not in equal and _negative(atom.form.terms) not in equal)
        ]


def _is_stronger(atom: Atom, known: Atom) -> bool:
    """Of two bounds on the same sum."""
    if atom.form.constant == known.form.constant:
        return atom.kind == "lt" and known.kind == "le"
    return atom.form.constant > known.form.constant


def _negative(terms: _Sum) -> _Sum:
    return tuple([(v, -c) for v, c in terms])


_Bound = tuple[int, Linear]  # c, t: c·x + t ≤ 0
_Congruence = tuple[int, Linear, int]  # c, t, m: c·x + t ≡ 0 (m)


def eliminate(atoms: Sequence[Atom], variables: Sequence[Term], values: Mapping[Term, Value]) -> list[Atom]:
    """Atoms without ``variables``, true at ``values``, that imply ∃ variables. ⋀ atoms; the atoms are true at ``values``.

    The variables are numbers and occur in no unknown but themselves (or read as reals); ``values`` has every unknown.
    """
    store = AtomStore(atoms, variables)
    while (x := store.cheapest()) is not None:
        touched = store.take(x)
        for atom in _without(x, touched, values):
            store.add(atom)
    return store.pruned()


def _without(x: Term, atoms: list[Atom], values: Mapping[Term, Value]) -> list[Atom]:
    if any(atom.form.sort is not x.sort for atom in atoms):
        return [_at_value(atom, x, values[x]) for atom in atoms]
    equations = [atom for atom in atoms if atom.kind == "eq"]
    if equations:
        best = min(equations, key=lambda atom: (abs(atom.form.coefficient(x)), len(atom.form.terms)))
        return _solved(best, [atom for atom in atoms if atom is not best], x)
    return _bounded_integer(atoms, x, values) if x.sort is INT else _bounded_real(atoms, x, values)


def _at_value(atom: Atom, x: Term, value: Number) -> Atom:
    """x := value; an integer among reals."""
    form = atom.form
    for unknown, c in form.terms:
        if unknown is x or (unknown.op == "to_real" and unknown.args[0] is x):
            form = form.without(unknown).shift(c * value)
    return normal(atom.kind, form, atom.modulus)


# Equations.


def _solved(equation: Atom, others: list[Atom], x: Term) -> list[Atom]:
    """c·x + t = 0 put into the others; exact."""
    form = equation.form
    if form.sort is not INT:
        return [_plus(atom, 1, form, -Fraction(atom.form.coefficient(x)) / form.coefficient(x)) for atom in others]
    c = int(form.coefficient(x))
    result = [normal("mod", form.without(x), abs(c))] if abs(c) > 1 else []
    for atom in others:
        d = int(atom.form.coefficient(x))
        common = gcd(c, d)
        result.append(_plus(atom, abs(c) // common, form, -d // common * (1 if c > 0 else -1)))
    return result


def _plus(atom: Atom, factor: Number, form: Linear, times: Number) -> Atom:
    """factor · atom + times · form, where form = 0 and factor > 0."""
    return normal(atom.kind, total(((atom.form, factor), (form, times)), form.sort), atom.modulus * int(factor))


# Reals.


def _bounded_real(atoms: list[Atom], x: Term, values: Mapping[Term, Value]) -> list[Atom]:
    lowers, uppers = _sides_of(atoms, x)
    if not lowers or not uppers:
        return []
    lowers, uppers = _sides_of([_on_one_side(atom, values) for atom in atoms], x)
    if len(uppers) < len(lowers):
        lowers, uppers = uppers, lowers
    pivot = max(lowers, key=lambda atom: (_solved_at(atom, x, values), atom.kind == "lt"))
    a = abs(Fraction(pivot.form.coefficient(x)))
    result = []
    for atom in lowers:  # t / a ≤ pivot, or < where only that one is strict
        if atom is not pivot:
            kind = "lt" if atom.kind == "lt" and pivot.kind == "le" else "le"
            b = abs(Fraction(atom.form.coefficient(x)))
            result.append(normal(kind, total(((atom.form, 1 / b), (pivot.form, -1 / a)), x.sort)))
    for atom in uppers:
        kind = "lt" if "lt" in (atom.kind, pivot.kind) else "le"
        b = abs(Fraction(atom.form.coefficient(x)))
        result.append(normal(kind, total(((atom.form, 1 / b), (pivot.form, 1 / a)), x.sort)))
    return result


def _solved_at(atom: Atom, x: Term, values: Mapping[Term, Value]) -> Number:
    """How near to x the bound is at the point: the larger the nearer."""
    return Fraction(atom.form.evaluate(values)) / abs(Fraction(atom.form.coefficient(x)))


def _sides_of(atoms: list[Atom], x: Term) -> tuple[list[Atom], list[Atom]]:
    bounds = [atom for atom in atoms if atom.kind in ("le", "lt")]
    return [atom for atom in bounds if atom.form.coefficient(x) < 0], [a for a in bounds if a.form.coefficient(x) > 0]


def _on_one_side(atom: Atom, values: Mapping[Term, Value]) -> Atom:
    """``ne`` as the side that holds, ``nmod`` as the remainder that it has."""
    match atom.kind:
        case "ne":
            return normal("lt", atom.form if atom.form.evaluate(values) < 0 else -atom.form)
        case "nmod":
            return normal("mod", atom.form.shift(-(atom.form.evaluate(values) % atom.modulus)), atom.modulus)
        case _:
            return atom


# Integers.


def _bounded_integer(atoms: list[Atom], x: Term, values: Mapping[Term, Value]) -> list[Atom]:
    lowers, uppers = _sides_of(atoms, x)
    is_free = not lowers or not uppers
    kept = [_on_one_side(atom, values) for atom in atoms if not (is_free and atom.kind in ("ne", "le"))]
    congruences = [(int(a.form.coefficient(x)), a.form.without(x), a.modulus) for a in kept if a.kind == "mod"]
    if is_free:
        return _congruent(congruences, values[x], values)
    lowers, uppers = _sides_of(kept, x)
    at_least = [_bound(atom, x, -1) for atom in lowers]
    at_most = [_bound(atom, x, 1) for atom in uppers]
    mirrored = [(-c, t, m) for c, t, m in congruences]
    ways = [(at_least, at_most, congruences, values[x]), (at_most, at_least, mirrored, -values[x])]
    if len(at_most) < len(at_least):
        ways.reverse()
    if not congruences:
        for near, far, _, _ in ways:
            shadow = _shadow(near, far, values)
            if shadow is not None:
                return shadow
    return _cooper(*ways[0], values)


def _bound(atom: Atom, x: Term, sign: int) -> _Bound:
    """a, t with a > 0: t ≤ a·x for lower bounds (sign -1), t ≤ a·(-x) for upper ones."""
    return sign * int(atom.form.coefficient(x)), atom.form.without(x)


def _shadow(near: list[_Bound], far: list[_Bound], values: Mapping[Term, Value]) -> list[Atom] | None:
    """The near bound t ≤ a·x that is greatest at the point is so everywhere, and leaves an integer to each far one.

    With the far bound b·x ≤ -s: a·s + b·t + (a - 1)·(b - 1) ≤ 0. ``None`` if that is false at the point.
    """
    a, t = max(near, key=lambda bound: (Fraction(int(bound[1].evaluate(values)), bound[0]), -bound[0]))
    result = []
    for b, s in far:
        form = total(((s, a), (t, b)), INT, (a - 1) * (b - 1))
        if form.evaluate(values) > 0:
            return None
        result.append(normal("le", form))
    return result + [normal("le", total(((s, a), (t, -b)), INT)) for b, s in near if s is not t]


def _cooper(
    near: list[_Bound], far: list[_Bound], congruences: list[_Congruence], at: int, values: Mapping[Term, Value]
) -> list[Atom]:
    """a·x := t + r for the greatest near bound and the r that x has there, moved to it by whole periods."""
    a, t = max(near, key=lambda bound: (-(-int(bound[1].evaluate(values)) // bound[0]), -bound[0]))
    here = int(t.evaluate(values))
    period = lcm(*[m // gcd(c, m) for c, _, m in congruences])
    place = at - (at + -here // a) // period * period
    point = t.shift(a * place - here)
    result = [normal("mod", point, a)] if a > 1 else []
    result += [normal("le", total(((s, a), (point, b)), INT)) for b, s in far]
    result += [normal("le", total(((s, a), (point, -b)), INT)) for b, s in near if s is not t]
    result += [normal("mod", total(((s, a), (point, c)), INT), a * m) for c, s, m in congruences]
    return result


def _congruent(congruences: list[_Congruence], at: int, values: Mapping[Term, Value]) -> list[Atom]:
    """c·x + t ≡ 0 (m), and no bounds: one is solved, the others get what x is then at the point."""
    if len(congruences) <= 1:
        return [normal("mod", t, gcd(c, m)) for c, t, m in congruences]
    units = [entry for entry in congruences if gcd(entry[0], entry[2]) == 1]
    if not units:
        return [normal("mod", t.shift(c * at), m) for c, t, m in congruences]
    c, t, m = pivot = max(units, key=lambda entry: entry[2])
    solution = t.scale(-pow(c, -1, m))
    solution = solution.shift(at - solution.evaluate(values))  # a multiple of m away
    return [
        normal("mod", total(((s, 1), (solution, d)), INT), n)
        for entry in congruences
        if entry is not pivot
        for d, s, n in [entry]
    ]
