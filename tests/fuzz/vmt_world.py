"""VMT-LIB: tiny transition systems; which properties fail, by the naive reading of the file and by the graph that was read.

Variables are truth values, words of one or two bits, or integers that ``init`` and ``trans`` keep in 0 … 2; so all runs can
be listed. Names are odd, commands come in many orders, relations are functional or not, properties have any numbers.
"""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

from lemmata.frontends.vmt import parse_vmt
from lemmata.logic.terms import name_of
from lemmata.models.graph import Graph
from tests.fuzz.engines import verdicts
from tests.fuzz.graph_facts import facts
from tests.fuzz.smt_naive import Evaluator, Malformed, Open, Script, Sort, Token, Tree, is_word, name
from tests.fuzz.smt_terms import Terms, sort_tree
from tests.fuzz.smt_text import Names, Sym, written
from tests.fuzz.smt_text import Tree as Shape
from tests.fuzz.smt_values import all_of, mine
from tests.fuzz.smtlib_world import SMT_WORDS, noted, smt_accepts
from tests.fuzz.world import FILE, Beyond, Case, Disagreement, Outcome, judged

ENGINES = 0.03  # how often engines are asked, too
_POINTS = 6000  # pairs of states with inputs, at most
_SORTS: tuple[tuple[Sort, int], ...] = (("Bool", 2), (("BitVec", 1), 2), (("BitVec", 2), 4), ("Int", 4))
_BROKEN = (Malformed, ValueError, TypeError, AttributeError, IndexError, KeyError, RecursionError)


class VmtWorld:
    """See above."""

    name, suffix = "vmt", ".vmt"
    covers = ("frontends/vmt", "frontends/smtlib", "logic/smtlib")
    words = SMT_WORDS

    def generate(self, rng: Random) -> Case:
        """A system with one to three states."""
        return Case(written(_System(rng).commands(), rng).encode(), is_legal=True)

    def read(self, data: bytes) -> Graph:
        """By Lemmata."""
        return parse_vmt(data, FILE)

    def judge(self, data: bytes) -> Outcome:
        """Compare which properties fail."""
        return judged(self, data, lambda model, rng: compare(data, model, rng))

    def accepts(self, data: bytes) -> bool:
        """z3 and the naive reading do, and the annotations are all there."""
        if not smt_accepts(data):
            return False
        script = Script(data.decode("utf-8", "surrogateescape"))
        return all(len(noted(script, key)) == 1 for key in (":init", ":trans")) and bool(noted(script, ":invar-property"))


class _System:
    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._names = Names(rng, rng.choice((0.0, 0.3, 0.7)), ("p",))
        self._states: dict[Sym, tuple[Sym, Sort]] = {}
        self._inputs: dict[Sym, Sort] = {}
        size = 1
        for _ in range(rng.randint(1, 3)):
            sort, values = rng.choice(_SORTS)
            if size * values <= 32:
                self._states[self._names.fresh()] = self._names.fresh(), sort
                size *= values
        if rng.random() < 0.5:
            self._inputs[self._names.fresh()] = rng.choice(_SORTS[:2])[0]

    def commands(self) -> list[Shape]:
        """Declarations anywhere before their first use."""
        rng = self._rng
        now = {symbol: sort for symbol, (_, sort) in self._states.items()}
        after = dict(self._states.values())
        sorts = tuple(dict.fromkeys(["Bool", *now.values()]))
        declared = [*now.items(), *after.items(), *self._inputs.items()]
        rng.shuffle(declared)
        commands: list[Shape] = [self._declare(symbol, sort) for symbol, sort in declared]
        macros: dict[Sym, tuple[list[Sort], Sort]] = {}
        if rng.random() < 0.3:
            macro, sort = self._names.fresh(), rng.choice(sorts)
            terms = Terms(rng, self._names, {**now, Sym("p"): sort}, sorts)
            commands.append(["define-fun", macro, [[Sym("p"), sort_tree(sort)]], "Bool", terms.of("Bool", 2)])
            macros[macro] = [sort], "Bool"
        notes: list[Shape] = [
            ["define-fun", self._names.fresh(), [], sort_tree(sort), ["!", symbol, ":next", following]]
            for symbol, (following, sort) in self._states.items()
        ]
        start = Terms(rng, self._names, now, sorts)
        notes.append(self._formula([*self._starts(now, start), *self._bounds(now)], ":init", "true"))
        terms = Terms(rng, self._names, {**now, **self._inputs}, sorts)
        both = Terms(rng, self._names, {**now, **after, **self._inputs}, sorts)
        terms.functions = both.functions = start.functions = macros
        notes.append(self._formula([*self._steps(terms, both), *self._bounds(after)], ":trans", "true"))
        start.functions = macros
        numbers = rng.sample(range(6), rng.randint(1, 2))
        notes += [self._formula([self._property(now, start)], ":invar-property", str(number)) for number in numbers]
        rng.shuffle(notes)
        return [*commands, *notes]

    def _declare(self, symbol: Sym, sort: Sort) -> Shape:
        return ["declare-fun", symbol, [], sort_tree(sort)]

    def _formula(self, parts: list[Shape], key: str, value: str) -> Shape:
        body: Shape = ["and", *parts] if len(parts) > 1 else parts[0]
        return ["define-fun", self._names.fresh(), [], "Bool", ["!", body, key, value]]

    def _bounds(self, variables: dict[Sym, Sort]) -> list[Shape]:
        return [["<=", "0", symbol, "2"] for symbol, sort in variables.items() if sort == "Int"]

    def _starts(self, now: dict[Sym, Sort], terms: Terms) -> list[Shape]:
        fixed: list[Shape] = [["=", symbol, terms.of(sort, 1)] for symbol, sort in now.items() if self._rng.random() < 0.8]
        return fixed or ["true"]

    def _steps(self, terms: Terms, both: Terms) -> list[Shape]:
        steps: list[Shape] = [
            ["=", *self._rng.sample([following, terms.of(sort, 3)], 2)]
            for following, sort in self._states.values()
            if self._rng.random() < 0.8
        ]
        return [*steps, both.of("Bool", 2)] if not steps or self._rng.random() < 0.3 else steps

    def _property(self, now: dict[Sym, Sort], terms: Terms) -> Shape:
        if self._rng.random() < 0.5:
            return terms.of("Bool", 2)
        return ["not", ["and", "true", *(["=", symbol, terms.constant(sort)] for symbol, sort in now.items())]]


def compare(data: bytes, model: object, rng: Random) -> str:
    """Which properties fail, and which states are reached."""
    assert isinstance(model, Graph)
    points = facts(model)
    found = [bool(points[question.location]) for question in model.questions]
    text = data.decode("utf-8", "surrogateescape")
    runs = _runs(text)
    wanted = runs.violated
    if len(found) != len(wanted):
        raise Disagreement("number of properties", f"{len(found)}, not {len(wanted)}")
    if found != wanted:
        raise Disagreement("reading", f"violated by the graph: {found}, by the file: {wanted}")
    states = {frozenset(zip(map(name_of, model.locations[0].variables), point, strict=True)) for point in points[0]}
    if states != runs.states:
        odd = sorted(map(sorted, states ^ runs.states), key=repr)
        raise Disagreement("states", f"reached by one of graph and file: {odd[:3]}")
    if rng.random() < ENGINES:
        verdicts(model, wanted, (data, ".vmt"), lambda: violated(text))
    return " ".join("unsafe" if bad else "safe" for bad in wanted)


def violated(text: str) -> list[bool]:
    """For each property, by its number, whether some run violates it."""
    return _runs(text).violated


def _runs(text: str) -> _Runs:
    try:
        return _Runs(Script(text))
    except Open:
        raise Beyond("division by zero") from None
    except _BROKEN as error:
        raise Disagreement("accepted, but means nothing", f"{type(error).__name__}: {error}") from None


class _Runs:
    def __init__(self, script: Script) -> None:
        self._script = script
        self._evaluator = Evaluator(script)
        self._nexts = {name(term): name(value) for _, term, value in noted(script, ":next")}
        for current, following in self._nexts.items():  # Lemmata declares a next value that nobody declared
            script.constants.setdefault(following, script.constants[current])
        self._inputs = [c for c in script.constants if c not in self._nexts and c not in self._nexts.values()]
        self._init = [term for _, term, value in noted(script, ":init") if _is_true(value)]
        self._trans = [term for _, term, value in noted(script, ":trans") if _is_true(value)]
        numbered = sorted(noted(script, ":invar-property"), key=lambda note: _number(note[2]))
        self._properties = [term for _, term, _ in numbered]
        size = len(self._all([*self._nexts, *self._nexts.values(), *self._inputs], _POINTS))
        if size > _POINTS:
            raise Beyond("too many states")
        self.states: set[frozenset[tuple[str, Any]]] = set()
        self.violated = self._walk()

    def _all(self, symbols: list[str], most: int) -> list[dict[str, Any]]:
        domains = [all_of(self._script.constants[symbol]) for symbol in symbols]
        size = 1
        for domain in domains:
            size *= len(domain)
        if size > most:
            raise Beyond("too many states")
        return [dict(zip(symbols, values, strict=True)) for values in product(*domains)]

    def _holds(self, terms: list[Tree], world: dict[str, Any]) -> bool:
        return all(self._evaluator.value(term, {}, world) for term in terms)

    def _walk(self) -> list[bool]:
        states, inputs = self._all(list(self._nexts), _POINTS), self._all(self._inputs, _POINTS)
        bad = [False] * len(self._properties)
        layer = [s for s in states if any(self._holds(self._init, {**s, **i}) for i in inputs)]
        seen: set[tuple[Any, ...]] = {tuple(s.values()) for s in layer}
        while layer:
            state = layer.pop()
            self.states.add(frozenset((symbol, mine(value, self._script.constants[symbol])) for symbol, value in state.items()))
            for i in inputs:
                bad = [
                    b or not self._evaluator.value(p, {}, {**state, **i}) for b, p in zip(bad, self._properties, strict=True)
                ]
            for after in states:
                primed = {self._nexts[symbol]: value for symbol, value in after.items()}
                key = tuple(after.values())
                if key not in seen and any(self._holds(self._trans, {**state, **i, **primed}) for i in inputs):
                    seen.add(key)
                    layer.append(after)
        return bad


def _number(value: Tree) -> int:
    if isinstance(value, Token) and isinstance(value.text, int):
        return value.text
    raise Beyond("a property without number")


def _is_true(value: Tree) -> bool:
    return is_word(value, "true")


WORLD = VmtWorld()
