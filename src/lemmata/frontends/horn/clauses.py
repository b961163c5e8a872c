"""A closed formula becomes clauses, and clauses become edges.

*Cutting.* A clause is a disjunction of at most one predicate, negated predicates, and a constraint. A formula is a disjunction
of one. What is pending in a disjunction is taken apart by its sign: a disjunction (or a negated conjunction, an implication)
puts its parts in the place of itself, a conjunction (or a negated disjunction) makes several disjunctions, one per part with
predicates and one for all other parts. Nothing else happens to what has no predicates: the and-or structure of constraints
stays as it is. A quantifier is dropped where it may move to the front as *for all*. Two positive predicates in one disjunction
are not Horn. Their number could still shrink by another way of cutting; that is not tried, as no solver tries it.

*Edges.* What stands in a body is a source, what stands in the head is the target with its updates. An argument of a body
predicate that is a variable, and no source has it yet, is the source's own name for its variable; any other argument gets a
variable of its own and an equation in the guard. The remaining variables of a clause are the inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lemmata.frontends.skeleton import QUANTIFIERS, Skeleton, TakenNames
from lemmata.logic.build import conj, disj, equal, negate
from lemmata.logic.smtlib.term_reader import FORALL
from lemmata.logic.sorts import BOOL, Sort
from lemmata.logic.terms import FALSE, Term, name_of, topological, var
from lemmata.models.graph import Edge, Location, Source
from lemmata.values import dataclass

_MOST_CLAUSES = 10_000  # that one formula is cut into
_Signed = tuple[Term, bool]


class NotHorn(ValueError):
    """Why a formula is no set of Horn clauses."""


class UnsupportedFormula(ValueError):
    """What is not supported in a formula."""


@dataclass(frozen=True, slots=True)
class HornClause:
    """``body ∧ guard → head``; no head is a query. ``bound`` are the variables of the formula, in their order."""

    head: Term | None
    body: tuple[Term, ...]
    guard: Term
    bound: tuple[Term, ...]
    line: int


class _Disjunction:
    """One clause in the making; ``pending`` is taken from its end."""

    __slots__ = ("body", "constraints", "head", "pending", "seen")

    def __init__(self, pending: list[_Signed]) -> None:
        self.pending = pending
        self.seen: set[_Signed] = set()
        self.head: Term | None = None
        self.body: dict[Term, None] = {}
        self.constraints: list[Term] = []  # their conjunction implies the rest

    def with_part(self, parts: list[_Signed]) -> _Disjunction:
        """Another one, in which ``parts`` are pending, too."""
        other = _Disjunction([*self.pending, *parts])
        other.seen = set(self.seen)
        other.head = self.head
        other.body = dict(self.body)
        other.constraints = list(self.constraints)
        return other


class Cutter:
    """Cuts formulas over one skeleton."""

    def __init__(self, skeleton: Skeleton) -> None:
        self._skeleton = skeleton

    def clauses(self, formula: Term, line: int) -> list[HornClause]:
        """The clauses of a formula, in their order; those whose constraint is false are left out."""
        todo = [_Disjunction([(formula, True)])]
        found: list[HornClause] = []
        bound = tuple(self._skeleton.bound)
        while todo:
            parts = self._settle(todo.pop(), found, line, bound)
            todo += reversed(parts)
            if len(found) + len(todo) > _MOST_CLAUSES:
                raise UnsupportedFormula(f"this formula makes more than {_MOST_CLAUSES} clauses")
        return found

    def _settle(self, now: _Disjunction, found: list[HornClause], line: int, bound: tuple[Term, ...]) -> list[_Disjunction]:
        """Finish a disjunction, or cut it into several."""
        while now.pending:
            signed = now.pending.pop()
            if signed in now.seen:
                continue
            now.seen.add(signed)
            term, is_positive = signed
            if not self._skeleton.has_predicates(term):
                plain = self._without_quantifiers(term, is_positive)
                now.constraints.append(negate(plain) if is_positive else plain)
            elif term.op == "apply" and term.data not in QUANTIFIERS:
                self._take_predicate(now, term, is_positive)
            else:
                choices = self._cut(term, is_positive)
                if len(choices) != 1:
                    return [now.with_part(choice[::-1]) for choice in choices]
                now.pending += reversed(choices[0])
        guard = conj(now.constraints)
        if guard is not FALSE:
            found.append(HornClause(now.head, tuple(now.body), guard, bound, line))
        return []

    def _take_predicate(self, now: _Disjunction, term: Term, is_positive: bool) -> None:
        name = term.data[0]
        if self._skeleton.is_marked_any(term.args):
            raise NotHorn(f"there is a predicate or a quantifier in an argument of '{name}'")
        if not is_positive:
            now.body[term] = None
        elif now.head is None or now.head is term:
            now.head = term
        else:
            raise NotHorn(f"this is not a Horn clause: both '{now.head.data[0]}' and '{name}' are in its head")

    def _cut(self, term: Term, is_positive: bool) -> list[list[_Signed]]:
        """``term``, or its negation, as a conjunction of disjunctions."""
        args = term.args
        match term.op:
            case "not":
                return [[(args[0], not is_positive)]]
            case "apply" if (term.data is FORALL) == is_positive:
                return [[(args[0], is_positive)]]
            case "apply":
                raise UnsupportedFormula(_WRONG[is_positive])
            case "=>" if is_positive:
                return [[(args[0], False), (args[1], True)]]
            case "=>":
                return [[(args[0], True)], [(args[1], False)]]
            case "and" | "or" if (term.op == "or") == is_positive:
                return [[(arg, is_positive) for arg in args]]
            case "and" | "or":
                return self._each(term, is_positive)
            case "=" | "xor" if args[0].sort is BOOL:
                a, b = args
                is_same = (term.op == "=") == is_positive
                return [[(a, False), (b, is_same)], [(a, True), (b, not is_same)]]
            case "ite" if term.sort is BOOL:
                return [[(args[0], False), (args[1], is_positive)], [(args[0], True), (args[2], is_positive)]]
        raise NotHorn(f"a predicate is used as a value below '{term.op}'")

    def _each(self, term: Term, is_positive: bool) -> list[list[_Signed]]:
        """Every part alone, but those without predicates together."""
        has_predicates = self._skeleton.has_predicates
        plain = [self._without_quantifiers(arg, is_positive) for arg in term.args if not has_predicates(arg)]
        parts = [[(arg, is_positive)] for arg in term.args if has_predicates(arg)]
        join = conj if term.op == "and" else disj
        return [*parts, [(join(plain), is_positive)]] if plain else parts

    def _without_quantifiers(self, root: Term, is_positive: bool) -> Term:
        """A formula without predicates, its quantifiers moved to the front of the clause."""
        if not self._skeleton.has_quantifiers(root):
            return root
        done: dict[_Signed, Term] = {}
        stack: list[tuple[Term, bool, bool]] = [(root, is_positive, False)]
        while stack:
            term, sign, is_ready = stack.pop()
            if (term, sign) in done:
                continue
            parts = self._signed_parts(term, sign) if self._skeleton.has_quantifiers(term) else []
            if parts and not is_ready:
                stack.append((term, sign, True))
                stack += [(arg, s, False) for arg, s in parts]
            else:
                below = tuple([done[part] for part in parts])
                done[term, sign] = self._again(term, below) if parts else term
        return done[root, is_positive]

    def _signed_parts(self, term: Term, sign: bool) -> list[_Signed]:
        args = term.args
        match term.op:
            case "and" | "or":
                return [(arg, sign) for arg in args]
            case "not":
                return [(args[0], not sign)]
            case "=>":
                return [(args[0], not sign), (args[1], sign)]
            case "ite" if not self._skeleton.has_quantifiers(args[0]):
                return [(arg, sign) for arg in args]
            case "apply" if (term.data is FORALL) == sign:
                return [(args[0], sign)]
            case "apply":
                raise UnsupportedFormula(_WRONG[sign])
        raise UnsupportedFormula(f"a quantifier below '{term.op}' is not supported")

    def _again(self, term: Term, args: tuple[Term, ...]) -> Term:
        return args[0] if term.op == "apply" else self._skeleton.construct(term.op, args)


_WRONG = {
    True: "'exists' in the head of a clause is not supported",
    False: "'forall' in the body of a clause is not supported",
}


def atoms_by_name(clauses: Sequence[HornClause]) -> dict[str, list[Term]]:
    """Where predicates are used: in heads first, then in bodies."""
    found: dict[str, list[Term]] = {}
    for clause in clauses:
        if clause.head is not None:
            found.setdefault(clause.head.data[0], []).append(clause.head)
    for clause in clauses:
        for atom in clause.body:
            found.setdefault(atom.data[0], []).append(atom)
    return found


def location_of(name: str, sorts: Sequence[Sort], atoms: Sequence[Term], line: int | None) -> Location:
    """The location of a predicate; its variables are called as in the first of ``atoms`` where they are all different."""
    for atom in atoms:
        if all(arg.is_var for arg in atom.args) and len(set(atom.args)) == len(atom.args):
            return Location(name, atom.args, line)
    return Location(name, tuple([var(f"x{position}", sort) for position, sort in enumerate(sorts, 1)]), line)


def edge_of(clause: HornClause, positions: Mapping[str, int], locations: Sequence[Location], error: int) -> Edge:
    """The clause as an edge; ``positions`` are those of the predicates among the locations."""
    taken = TakenNames(name_of(v) for v in clause.bound)
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
