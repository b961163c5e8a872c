"""``implicant``: a few literals that are true at a point and imply a formula.

The formula is evaluated at the point, once; then the walk goes from the root to the literals. A true conjunction needs all its
arguments, a true disjunction one, ``a = b`` on Booleans both. A choice ``ite`` inside a literal is replaced by the branch that
the point takes, and its condition becomes one more formula to imply. Disjunctions are decided last: an argument that is implied
by what was chosen already is free, otherwise the one with the fewest literals is taken, counted from below. (Prime implicants
would be fewer literals and cost a solver; see Déharbe, Fontaine, Le Berre, Mazure 2013.)

Literals come in the form that ``logic.linear`` writes; ``a ≠ b`` on numbers is the side that holds, ``a < b`` or ``b < a``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from lemmata.errors import GaveUp
from lemmata.logic.build import build, negate
from lemmata.logic.evaluate import Program
from lemmata.logic.linear.atoms import canonical, comparison, normal
from lemmata.logic.sorts import BOOL
from lemmata.logic.terms import FALSE, TRUE, Term, Value, topological

_JUNCTIONS = frozenset({"and", "or", "=>"})
_KEPT_PLANS = 4096  # plans that are kept
_AVOIDED_COST = 100  # what a literal with variables that are to be avoided costs


class _Plan:
    """What there is to know about a formula before the point is: its Boolean nodes, and which literals hold choices."""

    __slots__ = ("choices", "mentions", "nodes", "position", "program")

    def __init__(self, formula: Term) -> None:
        order = topological([formula])
        self.nodes = [term for term in order if term.sort is BOOL and term.op != "const"]
        self.position = {term: at for at, term in enumerate(self.nodes)}
        self.program = Program(self.nodes)
        self.choices: set[Term] = set()  # terms below which, numbers and words only, there is an ite
        for term in order:
            if (term.op == "ite" and term.sort is not BOOL) or any(a in self.choices for a in term.args if a.sort is not BOOL):
                self.choices.add(term)
        self.mentions: dict[Term, frozenset[Term]] = {}


_PLANS: dict[Term, _Plan] = {}


def _plan(formula: Term) -> _Plan:
    found = _PLANS.get(formula)
    if found is None:
        if len(_PLANS) >= _KEPT_PLANS:
            _PLANS.clear()
        found = _PLANS[formula] = _Plan(formula)
    return found


def implicant(formula: Term, values: Mapping[Term, Value], avoid: Collection[Term] = ()) -> list[Term]:
    """Literals, true at ``values``, whose conjunction implies ``formula``; those with variables in ``avoid`` only if need be.

    ``formula`` is true at ``values``, which has every variable of it; if it is not (a solver may divide numbers by zero in
    its own way) nothing is implied, and this gives up.
    """
    if formula is TRUE:
        return []
    if formula is FALSE:
        raise GaveUp("incomplete")
    plan = _plan(formula)
    return _Walk(plan, plan.program.run(values), values, frozenset(avoid)).literals(formula)


class _Walk:
    """One formula at one point."""

    def __init__(self, plan: _Plan, truth: list[Value], values: Mapping[Term, Value], avoid: frozenset[Term]) -> None:
        self._plan = plan
        self._truth = truth
        self._values = values
        self._avoid = avoid
        self._chosen: dict[Term, None] = {}
        self._done: set[Term] = set()  # nodes whose truth is implied, or will be by what is on the stack
        self._stack: list[Term] = []
        self._open: list[list[tuple[Term, ...]]] = []  # of each node that is not decided, its ways
        self._costs: dict[Term, int] | None = None

    def literals(self, root: Term) -> list[Term]:
        if not self._is_true(root):
            raise GaveUp("incomplete")
        self._stack.append(root)
        while self._stack or self._open:
            if self._stack:
                self._visit(self._stack.pop())
            else:
                self._decide(self._open.pop(0))
        return list(self._chosen)

    def _is_true(self, node: Term) -> bool:
        return node is TRUE if node.op == "const" else bool(self._truth[self._plan.position[node]])

    def _visit(self, node: Term) -> None:
        """Make sure that the truth of ``node``, whatever it is, will be implied."""
        if node in self._done or node.op == "const":
            return
        self._done.add(node)
        op = node.op
        if _needs_both(node) or (op in _JUNCTIONS and self._needs_all(node)):
            self._stack += node.args[::-1]
        elif op in _JUNCTIONS or op == "ite":
            ways = self._ways(node)
            if len(ways) > 1:
                self._open.append(ways)
            else:
                self._stack += ways[0][::-1]
        else:
            self._choose(node)

    def _needs_all(self, node: Term) -> bool:
        return (node.op == "and") == self._is_true(node)

    def _decide(self, ways: list[tuple[Term, ...]]) -> None:
        """One way is enough: one that is implied already, or the cheapest."""
        if not any(all(part in self._done or part.op == "const" for part in way) for way in ways):
            self._stack += min(ways, key=self._price)[::-1]

    def _price(self, way: tuple[Term, ...]) -> int:
        costs = self._all_costs()
        return sum([costs.get(part, 0) for part in way if part not in self._done])

    def _ways(self, node: Term) -> list[tuple[Term, ...]]:
        """Sets of arguments whose truth, as it is, implies that of ``node``."""
        args, truth = node.args, self._is_true(node)
        match node.op:
            case "ite":
                condition, a, b = args
                ways: list[tuple[Term, ...]] = [(condition, a if self._is_true(condition) else b)]
                return [*ways, (a, b)] if self._is_true(a) == self._is_true(b) else ways
            case "=>":
                return [(part,) for part, decides in zip(args, (False, True), strict=True) if self._is_true(part) == decides]
            case _:
                return [(arg,) for arg in args if self._is_true(arg) == truth]

    def _all_costs(self) -> dict[Term, int]:
        """How many literals each node needs, counted as if nothing were shared; computed when first wanted."""
        if self._costs is None:
            self._costs = {}
            for node in self._plan.nodes:
                self._costs[node] = self._node_cost(node, self._costs)
        return self._costs

    def _node_cost(self, node: Term, costs: Mapping[Term, int]) -> int:
        op, args = node.op, node.args
        if op in _JUNCTIONS or op == "ite":
            ways = [args] if op != "ite" and self._needs_all(node) else self._ways(node)
            return min(sum(costs.get(part, 0) for part in way) for way in ways)
        if _needs_both(node):
            return sum(costs.get(arg, 0) for arg in args)
        return 1 + (_AVOIDED_COST if self._avoid and self._mentions(node) else 0)

    def _mentions(self, leaf: Term) -> bool:
        found = self._plan.mentions.get(leaf)
        if found is None:
            found = self._plan.mentions[leaf] = frozenset(term for term in topological([leaf]) if term.is_var)
        return not found.isdisjoint(self._avoid)

    def _choose(self, leaf: Term) -> None:
        literal = self._resolved(leaf) if leaf in self._plan.choices else leaf
        if not self._is_true(leaf):
            literal = negate(literal)
        for part in _sides(literal, self._values):
            if part is not TRUE:
                self._chosen[part] = None

    def _resolved(self, leaf: Term) -> Term:
        """``leaf`` without choices; their conditions go on the stack."""
        choices, done = self._plan.choices, dict[Term, Term]()
        stack = [leaf]
        while stack:
            term = stack[-1]
            if term.op == "ite" and term.sort is not BOOL:
                condition, a, b = term.args
                below: tuple[Term, ...] = (a if self._is_true(condition) else b,)
            else:
                below = term.args
            waiting = [part for part in below if part in choices and part not in done]
            if waiting:
                stack += waiting
                continue
            stack.pop()
            if term in done:
                continue
            parts = tuple([done.get(part, part) for part in below])
            if term.op == "ite":
                self._stack.append(term.args[0])
                done[term] = parts[0]
            else:
                done[term] = build(term.op, parts, term.data)
        return done[leaf]


def _needs_both(node: Term) -> bool:
    """Does the node's truth depend on that of every argument, always?"""
    return node.op in ("not", "xor") or (node.op == "=" and node.args[0].sort is BOOL)


def _sides(literal: Term, values: Mapping[Term, Value]) -> list[Term]:
    """The literal as its atom writes it; ``t ≠ 0`` as the side that holds."""
    found = comparison(literal)
    if found is None or found.kind != "ne":
        return [canonical(literal)]
    is_below = found.form.evaluate(values) < 0
    return [normal("lt", found.form if is_below else -found.form).to_term()]
