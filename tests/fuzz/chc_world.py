"""Horn clauses over a few values: is ``false`` derivable, by the file and by the graph that was read?

The naive reading knows nothing of clauses. It tries all values of the quantified variables, and where an assertion does not
hold yet it looks for the one fact that makes it hold: that is what Horn means. No such fact: ``false`` is derived. Every
clause bounds its integers, so this is exact; the facts must be those of the graph. Engines and Spacer are asked now and
then; that Spacer says *safe* is no finding where a derivation was found, since it was seen to be wrong on shapes such as
``(=> (= (P x) true) …)``.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import z3

from lemmata.frontends.horn import parse_horn
from lemmata.frontends.smtlib import is_vmt
from lemmata.frontends.vmt import parse_vmt
from lemmata.models.graph import Graph
from tests.fuzz import vmt_world
from tests.fuzz.engines import settled, verdicts
from tests.fuzz.graph_facts import facts
from tests.fuzz.smt_naive import Evaluator, Malformed, Open, Script, Sort, Token, Tree, name
from tests.fuzz.smt_terms import Terms, sort_tree
from tests.fuzz.smt_text import Names, Sym, written
from tests.fuzz.smt_text import Tree as Shape
from tests.fuzz.smt_values import all_of, ints, mine
from tests.fuzz.smtlib_world import SMT_WORDS
from tests.fuzz.world import FILE, Beyond, Case, Disagreement, Outcome, judged

ENGINES = 0.03  # how often engines are asked, too
PEER = 0.05  # how often Spacer is
_PEER_MS = 500
_TRIES = 60_000  # evaluations of an assertion
_SORTS: tuple[Sort, ...] = ("Bool", ("BitVec", 1), ("BitVec", 2), "Int", "Int")
_BROKEN = (Malformed, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError)


class ChcWorld:
    """See above."""

    name, suffix = "chc", ".smt2"
    covers = ("frontends/horn", "frontends/smtlib", "logic/smtlib")
    words = SMT_WORDS

    def generate(self, rng: Random) -> Case:
        """Facts, rules and queries about one to three predicates; now and then VMT-LIB, which the same suffix may have."""
        if rng.random() < 0.05:
            return vmt_world.WORLD.generate(rng)
        return Case(written(_Clauses(rng).commands(), rng).encode(), is_legal=True)

    def read(self, data: bytes) -> Graph:
        """By Lemmata."""
        return parse_vmt(data, FILE) if is_vmt(data, FILE) else parse_horn(data, FILE)

    def judge(self, data: bytes) -> Outcome:
        """Compare what can be derived."""
        return judged(self, data, lambda model, rng: _compare(data, model, rng))

    def accepts(self, data: bytes) -> bool:
        """z3 does, and the clauses are Horn by the naive reading."""
        text = data.decode("utf-8", "surrogateescape")
        try:
            z3.parse_smt2_string(text)
            script = Script(text)
            Facts(script).derives_false()
        except (z3.Z3Exception, Open, Beyond, NotHorn, *_BROKEN):
            return False
        return script.is_asked


class _Clauses:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._names = Names(rng, rng.choice((0.0, 0.3, 0.7)), ("x", "y"))
        self._predicates = {
            self._names.fresh(): [rng.choice(_SORTS) for _ in range(rng.choice((0, 1, 1, 2, 2)))]
            for _ in range(rng.randint(1, 3))
        }

        self._macro: Sym | None = None
        self._macro_sorts: list[Sort] = []

    def commands(self) -> list[Shape]:
        """Declarations, then clauses."""
        rng = self._rng
        commands: list[Shape] = [["set-logic", "HORN"]]
        if rng.random() < 0.2:
            commands.append(["set-info", ":status", rng.choice(("sat", "unsat", "unknown"))])
        commands += [["declare-fun", p, [sort_tree(s) for s in sorts], "Bool"] for p, sorts in self._predicates.items()]
        if rng.random() < 0.3:
            commands.append(self._define())
        clauses: list[Shape] = [self._clause("fact") for _ in range(rng.randint(1, 2))]
        clauses += [self._clause("rule") for _ in range(rng.randint(0, 3))]
        clauses += [self._clause("query") for _ in range(rng.choice((1, 1, 1, 2)))]
        rng.shuffle(clauses)
        asserts: list[Shape] = [["assert", self._named(clause)] for clause in clauses]
        return [*commands, *asserts, ["check-sat"], *([["exit"]] if rng.random() < 0.2 else [])]

    def _named(self, clause: Shape) -> Shape:
        return ["!", clause, ":named", self._names.fresh()] if self._rng.random() < 0.05 else clause

    def _define(self) -> Shape:
        """A function that stands for an atom with its bounds."""
        predicate, sorts = self._rng.choice(list(self._predicates.items()))
        self._macro, self._macro_sorts = self._names.fresh(), sorts
        parameters = {self._names.fresh(): sort for sort in sorts}
        atom: Shape = [predicate, *parameters] if parameters else predicate
        bounds: list[Shape] = [["<=", "0", p, "2"] for p, sort in parameters.items() if sort == "Int"]
        declared: list[Shape] = [[p, sort_tree(sort)] for p, sort in parameters.items()]
        return ["define-fun", self._macro, declared, "Bool", ["and", "true", atom, *bounds]]

    def _clause(self, kind: str) -> Shape:
        rng = self._rng
        variables: dict[Sym, Sort] = {}
        for _ in range(rng.randint(1, 3)):
            variables[self._name()] = rng.choice(_SORTS)
        sorts = tuple(dict.fromkeys(["Bool", *variables.values()]))
        terms = Terms(rng, self._names, variables, sorts)
        body: list[Shape] = [
            self._premise(variables) for _ in range({"fact": 0, "rule": rng.choice((1, 1, 2)), "query": 1}[kind])
        ]
        body += [
            self._condition(terms, variables, rng.choice((1, 2)) if kind != "query" else 1)
            for _ in range(rng.choice((0, 1, 1, 2)))
        ]
        rng.shuffle(body)
        body += [["<=", "0", v, "2"] for v, sort in variables.items() if sort == "Int"]
        head: Shape = "false" if kind == "query" else self._head(variables)
        return self._shaped(variables, body, head)

    def _name(self) -> Sym:
        """Variables may be called like those of other clauses."""
        symbol = self._rng.choice((Sym("x"), Sym("y"), self._names.fresh(), self._names.fresh()))
        return self._names.fresh() if symbol in self._predicates else symbol

    def _condition(self, terms: Terms, variables: dict[Sym, Sort], depth: int) -> Shape:
        if self._rng.random() < 0.5:
            variable, sort = self._rng.choice(list(variables.items()))
            return ["=", variable, terms.of(sort, depth)]
        return terms.of("Bool", depth + 1)

    def _argument(self, variables: dict[Sym, Sort], sort: Sort) -> Shape:
        fitting = [v for v, s in variables.items() if s == sort]
        if not fitting:
            symbol = self._name()
            while symbol in variables:
                symbol = self._names.fresh()
            variables[symbol] = sort
            return symbol
        return self._rng.choice(fitting)

    def _atom(self, variables: dict[Sym, Sort]) -> Shape:
        predicate, sorts = self._rng.choice(list(self._predicates.items()))
        arguments = [self._argument(variables, sort) for sort in sorts]
        return [predicate, *arguments] if arguments else predicate

    def _premise(self, variables: dict[Sym, Sort]) -> Shape:
        """An atom, or something that is as good as one in a body."""
        rng = self._rng
        match rng.randrange(9):
            case 0 if self._macro is not None and self._macro not in variables:
                arguments = [self._argument(variables, sort) for sort in self._macro_sorts]
                return [self._macro, *arguments] if arguments else self._macro
            case 1:
                return ["or", self._atom(variables), self._atom(variables)]
            case 2:
                return ["ite", "true", self._atom(variables), "false"]
            case 3:
                inner, sort = self._names.fresh(), rng.choice(_SORTS)
                scope = {inner: sort, **variables}
                atom = self._atom(scope)
                variables.update({symbol: s for symbol, s in scope.items() if symbol != inner})
                bound: list[Shape] = [["<=", "0", inner, "2"]] if sort == "Int" else []
                return ["exists", [[inner, sort_tree(sort)]], ["and", atom, *bound, "true"]]
            case 4:
                return ["not", ["not", self._atom(variables)]]
        return self._atom(variables)

    def _head(self, variables: dict[Sym, Sort]) -> Shape:
        atom = self._atom(variables)
        if isinstance(atom, list) and self._rng.random() < 0.4:
            at = self._rng.randrange(1, len(atom))
            sort = variables[atom[at]]  # type: ignore[index]
            if sort == "Int":
                atom[at] = ["mod", ["+", atom[at], "1"], "3"]
            elif isinstance(sort, tuple):
                atom[at] = [self._rng.choice(("bvnot", "bvneg")), atom[at]]
        return atom

    def _shaped(self, variables: dict[Sym, Sort], body: list[Shape], head: Shape) -> Shape:
        """One of many ways to write the clause."""
        rng = self._rng
        bound: Shape = [[v, sort_tree(sort)] for v, sort in variables.items()]
        conjunction: Shape = ["and", *body] if len(body) > 1 else body[0] if body else "true"
        match rng.randrange(9):
            case 0:
                return ["forall", bound, ["or", ["not", conjunction], head]]
            case 1:
                return ["not", ["exists", bound, ["and", conjunction, ["not", head]]]]
            case 2:
                return ["forall", bound, ["=>", *(body or ["true"]), head]]
            case 3:
                return (
                    ["forall", bound, ["=>", body[0], ["=>", ["and", "true", *body[1:]], head]]]
                    if body
                    else ["forall", bound, head]
                )
            case 4:
                return ["forall", bound, ["not", ["and", conjunction, ["not", head]]]]
            case 5 if len(variables) > 1:
                items = list(variables.items())
                outer: Shape = [[v, sort_tree(sort)] for v, sort in items[:1]]
                inner: Shape = [[v, sort_tree(sort)] for v, sort in items[1:]]
                return ["forall", outer, ["forall", inner, ["=>", conjunction, head]]]
            case 6:
                symbol = self._names.fresh()
                return ["forall", bound, ["let", [[symbol, conjunction]], ["=>", symbol, head]]]
        return ["forall", bound, ["=>", conjunction, head]]


class NotHorn(Exception):
    """No single fact makes an assertion hold."""


class Facts:
    """The facts that the assertions demand."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self.facts: set[tuple[str, tuple[Any, ...]]] = set()
        self._asked: set[tuple[str, tuple[Any, ...]]] = set()
        self._evaluator = Evaluator(script, all_of, self._holds)
        self._tries = 0

    def _holds(self, predicate: str, arguments: tuple[Any, ...]) -> bool:
        self._asked.add((predicate, arguments))
        return (predicate, arguments) in self.facts

    def derives_false(self) -> bool:
        """Do the assertions contradict each other?"""
        before, is_false = -1, False
        while before < len(self.facts):
            before = len(self.facts)
            for assertion in self._script.asserted:
                is_false |= not self._demand(assertion, {})
        return is_false

    def _demand(self, formula: Tree, local: dict[str, Any]) -> bool:
        """Add the facts without which the formula does not hold; false if it never will."""
        match formula:
            case [Token("reserved", "forall"), list(variables), body]:
                return self._instances(variables, lambda new: self._demand(body, {**local, **new}))
            case [Token("symbol", "not"), [Token("reserved", "exists"), list(variables), body]]:
                return self._instances(variables, lambda new: self._demand([Token("symbol", "not"), body], {**local, **new}))
            case [Token("reserved", "!"), body, *_]:
                return self._demand(body, local)
            case [Token("symbol", "and"), *parts] if parts:
                return all(self._demand(part, local) for part in parts)
        self._tries += 1
        if self._tries > _TRIES:
            raise Beyond("too many evaluations")
        self._asked.clear()
        if self._evaluator.value(formula, local, {}):
            return True
        missing = self._asked - self.facts
        helping = [fact for fact in missing if self._helps(fact, formula, local)]
        if len(helping) > 1:
            raise NotHorn(str(helping))
        self.facts.update(helping)
        return bool(helping)

    def _helps(self, fact: tuple[str, tuple[Any, ...]], formula: Tree, local: dict[str, Any]) -> bool:
        self.facts.add(fact)
        holds = bool(self._evaluator.value(formula, local, {}))
        self.facts.discard(fact)
        return holds

    def _instances(self, variables: list[Tree], demand: Any) -> bool:
        pairs = [(name(v[0]), self._script.sort(v[1])) for v in variables if isinstance(v, list)]
        holds = True
        for values in product(*[all_of(sort) for _, sort in pairs]):
            holds &= demand({symbol: value for (symbol, _), value in zip(pairs, values, strict=True)})
        return holds


def _compare(data: bytes, model: object, rng: Random) -> str:
    assert isinstance(model, Graph)
    if model.origin.kind == "vmt":
        return vmt_world.compare(data, model, rng)
    text = data.decode("utf-8", "surrogateescape")
    wanted, derived = _derived(text)
    points = facts(model)
    found = any(points[question.location] for question in model.questions)
    if found != wanted:
        raise Disagreement("reading", f"unsafe by the graph: {found}, by the file: {wanted}")
    graphs = {(place.name, point) for place, here in zip(model.locations, points, strict=True) for point in here}
    graphs -= {(model.locations[question.location].name, ()) for question in model.questions}
    beyond = set() if wanted else graphs - derived  # an instance that nothing makes true may demand facts all the same
    if differing := (derived - graphs) | beyond:
        raise Disagreement("facts", f"by one of graph and file: {sorted(differing, key=repr)[:3]}")
    if rng.random() < ENGINES:
        verdicts(model, [wanted], (data, ".smt2"), lambda: [_derived(text)[0]])
    word = "unsafe" if wanted else "safe"
    is_readable = "|!|" not in text  # Z3 takes (|!| x) for x with annotations
    if is_readable and rng.random() < PEER and (answer := _spacer(text)) != "unknown" and (answer == "unsat") != wanted:
        if not wanted and all(answer is None or answer[0].word == "safe" for answer in settled(model)):
            raise Disagreement("peer", "safe, but Spacer says unsafe")  # else integers beyond those that are tried matter
        return f"{word} (Spacer: {'safe' if wanted else 'unsafe'})"
    return word


def _derived(text: str) -> tuple[bool, set[tuple[str, tuple[Any, ...]]]]:
    """Is ``false`` derived, and which facts are, in Lemmata's values?"""
    try:
        script = Script(text)
        facts_of_file = Facts(script)
        is_false = facts_of_file.derives_false()
        values = [value for _, arguments in facts_of_file.facts for value in arguments]
        if any(isinstance(value, int) and not isinstance(value, bool) and value not in ints() for value in values):
            raise Beyond("integers that are not tried")
        sorts = {**script.predicates, **{symbol: [] for symbol in script.constants}}
        return is_false, {
            (predicate, tuple(mine(value, sort) for value, sort in zip(arguments, sorts[predicate], strict=True)))
            for predicate, arguments in facts_of_file.facts
        }
    except Open:
        raise Beyond("division by zero") from None
    except NotHorn as error:
        raise Disagreement("accepted, but is not Horn", str(error)) from None
    except _BROKEN as error:
        raise Disagreement("accepted, but means nothing", f"{type(error).__name__}: {error}") from None


def _spacer(text: str) -> str:
    solver = z3.SolverFor("HORN")
    solver.set("timeout", _PEER_MS)
    try:
        solver.from_string(text)
        return str(solver.check())
    except z3.Z3Exception:
        return "unknown"


WORLD = ChcWorld()
