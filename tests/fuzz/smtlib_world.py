"""Terms and formulas: what they are worth at corner values, by Lemmata's reading, by z3's, and by the naive one.

A file is a VMT-LIB script without steps: each formula is an ``:invar-property`` over variables that are inputs, and the guard
of its error edge is the formula denied. z3 reads the same text. Points where the standard leaves the value open are skipped.
"""

from __future__ import annotations

import re
from random import Random
from typing import Any

import z3

from lemmata.frontends.vmt import parse_vmt
from lemmata.logic.evaluate import Program
from lemmata.logic.terms import name_of
from lemmata.models.graph import Graph
from tests.fuzz.smt_naive import Evaluator, Malformed, Open, Script, Sort, Token, Tree, is_word
from tests.fuzz.smt_terms import WIDTHS, Terms, sort_tree
from tests.fuzz.smt_text import Names, Sym, written
from tests.fuzz.smt_text import Tree as Shape
from tests.fuzz.smt_values import corner, mine, z3_value
from tests.fuzz.world import FILE, Beyond, Case, Disagreement, Outcome, judged

POINTS = 4
PEER = 0.4  # how often z3 is asked, too
SMT_WORDS = re.compile(rb"\|[^|]*\||\"[^\"]*\"|;[^\n]*|[^\s()|\";]+|\s+|.", re.DOTALL)

z3.set_param("warning", False)


class SmtlibWorld:
    """See above."""

    name, suffix = "smtlib", ".vmt"
    covers = ("frontends/smtlib", "logic/smtlib")
    words = SMT_WORDS

    def generate(self, rng: Random) -> Case:
        """Declarations, a few definitions, a few formulas."""
        names = Names(rng, rng.choice((0.0, 0.3, 0.7)))
        sorts = _sorts(rng)
        commands: list[Shape] = [["set-logic", rng.choice(("ALL", "QF_AUFBV", "QF_LIA"))]] if rng.random() < 0.3 else []
        scope: dict[Sym, Sort] = {}
        for _ in range(rng.randint(2, 5)):
            symbol, sort = names.fresh(), rng.choice(sorts)
            scope[symbol] = sort
            short = rng.random() < 0.3
            commands.append(
                ["declare-const", symbol, sort_tree(sort)] if short else ["declare-fun", symbol, [], sort_tree(sort)]
            )
        terms = Terms(rng, names, scope, sorts)
        commands += [_definition(rng, names, terms) for _ in range(rng.choice((0, 0, 1, 2)))]
        commands.append(["define-fun", names.fresh(), [], "Bool", ["!", "true", ":init", "true"]])
        commands.append(["define-fun", names.fresh(), [], "Bool", ["!", "true", ":trans", "true"]])
        for number in range(rng.randint(1, 4)):
            formula = terms.of("Bool", rng.choice((2, 3, 3, 4)))
            commands.append(["define-fun", names.fresh(), [], "Bool", ["!", formula, ":invar-property", str(number)]])
        text = written(commands, rng)
        return Case(text.encode(), is_legal="((as const" not in text)

    def read(self, data: bytes) -> Graph:
        """By Lemmata."""
        return parse_vmt(data, FILE)

    def judge(self, data: bytes) -> Outcome:
        """Compare values at corners."""
        return judged(self, data, lambda model, rng: _compare(data, model, rng))

    def accepts(self, data: bytes) -> bool:
        """z3 and the naive reading do."""
        return smt_accepts(data)


def smt_accepts(data: bytes) -> bool:
    """Is this a script that z3 reads, with formulas that have values?"""
    text = data.decode("utf-8", "surrogateescape")
    try:
        script = Script(text)
        point = {symbol: corner(Random(0), sort) for symbol, sort in script.constants.items()}
        for parameters, body in script.functions.values():
            if not parameters:
                Evaluator(script).value(body, {}, point)
    except (Malformed, Open, Beyond, TypeError, ValueError, AttributeError, IndexError, RecursionError):
        return False
    return z3_formulas(text, list(noted_names(script))) is not None


def noted_names(script: Script) -> list[str]:
    """The properties of a script."""
    return [symbol for symbol, _, _ in _properties(script)]


def _properties(script: Script) -> list[tuple[str, Tree, Tree]]:
    """By their numbers; that two may be one formula, written twice, is not known here."""
    found = sorted(noted(script, ":invar-property"), key=lambda note: _number(note[2]))
    if len({_number(note[2]) for note in found}) < len(found):
        raise Beyond("a number twice")
    return found


def _number(value: Tree) -> int:
    return value.text if isinstance(value, Token) and isinstance(value.text, int) else -1


def _sorts(rng: Random) -> tuple[Sort, ...]:
    width = rng.choice(WIDTHS)
    kinds: list[tuple[Sort, ...]] = [
        ("Bool", "Int"),
        ("Bool", "Int", "Real"),
        ("Bool", ("BitVec", width), ("BitVec", rng.choice(WIDTHS))),
        ("Bool", ("BitVec", 64), ("BitVec", 65)),
        ("Bool", "Int", ("Array", "Int", "Int")),
        ("Bool", ("BitVec", 2), ("BitVec", width), ("Array", ("BitVec", 2), ("BitVec", width))),
    ]
    return rng.choice(kinds)


def _definition(rng: Random, names: Names, terms: Terms) -> Shape:
    """A function, whose parameters may hide what is declared."""
    symbol, sort = names.fresh(), rng.choice(terms.sorts)
    hides = [s for s in terms.scope if rng.random() < 0.3]
    parameters = {rng.choice([*hides, names.fresh()]): rng.choice(terms.sorts) for _ in range(rng.randrange(3))}
    outer, terms.scope = terms.scope, {**terms.scope, **parameters}
    body = terms.of(sort, 2)
    terms.scope = outer
    terms.functions[symbol] = list(parameters.values()), sort
    return ["define-fun", symbol, [[p, sort_tree(s)] for p, s in parameters.items()], sort_tree(sort), body]


def noted(script: Script, key: str) -> list[tuple[str, Tree, Tree]]:
    """The definitions that are annotated with ``key``: name, term, value of the annotation (true where none is written)."""
    found = []
    for symbol, (parameters, body) in script.functions.items():
        if isinstance(body, list) and body and is_word(body[0], "!", "reserved") and not parameters:
            notes = body[2:]
            values = [*notes[1:], Token("symbol", "true")]
            for note, value in zip(notes, values, strict=False):
                if is_word(note, key, "keyword"):
                    bare = isinstance(value, Token) and value.kind == "keyword"
                    found.append((symbol, body[1], Token("symbol", "true") if bare else value))
    return found


def _compare(data: bytes, model: object, rng: Random) -> str:
    assert isinstance(model, Graph)
    text = data.decode("utf-8", "surrogateescape")
    try:
        script = Script(text)
    except Malformed as error:
        raise Disagreement("accepted, but is no SMT-LIB", str(error)) from None
    if noted(script, ":next"):
        raise Beyond("has states")
    formulas = _properties(script)
    if len(formulas) != len(model.questions):
        raise Disagreement("number of properties", f"{len(model.questions)}, not {len(formulas)}")
    theirs = z3_formulas(text, noted_names(script)) if rng.random() < PEER else None
    points = [{symbol: corner(rng, sort) for symbol, sort in script.constants.items()} for _ in range(POINTS)]
    values = [[_naive(script, formula, point) for point in points] for _, formula, _ in formulas]
    word = []
    for number, question in enumerate(model.questions):
        (edge,) = [edge for edge in model.edges if edge.target == question.location]
        program = Program([edge.guard])
        for point, wanted in zip(points, values[number], strict=True):
            found = not program.run({leaf: _given(leaf, point, script) for leaf in program.leaves})[0]
            second = None if theirs is None else _z3_value(theirs[number], point, script)
            _settle(question.name, found, wanted, second, point)
            word.append("?" if wanted is None else str(int(wanted)))
    return "values " + "".join(word)


def _given(leaf: Any, point: dict[str, Any], script: Script) -> Any:
    word = name_of(leaf)
    if word not in point:
        raise Disagreement("a variable that the file does not have", word)
    return mine(point[word], script.constants[word])


def _settle(question: str, found: bool, wanted: bool | None, second: bool | None, point: dict[str, Any]) -> None:
    if wanted is None:
        return
    if second is not None and second != wanted:
        raise Disagreement("oracles differ", f"{question}: z3 says {second}, we {found}, the naive reading {wanted} at {point}")
    if found != wanted:
        raise Disagreement("value", f"{question} is {found}, not {wanted} (z3: {second}) at {point}")


def _naive(script: Script, formula: Tree, point: dict[str, Any]) -> bool | None:
    try:
        return bool(Evaluator(script).value(formula, {}, point))
    except Open:
        return None
    except (Malformed, ValueError, TypeError, AttributeError, IndexError) as error:
        raise Disagreement("accepted, but means nothing", str(error)) from None


def z3_formulas(text: str, symbols: list[str]) -> list[Any] | None:
    """What z3 reads; None if it refuses, which says little: its language is not quite the standard's.

    It takes symbols in bars for the reserved words within them, ``(|!| x)`` for an annotation, and the symbol -5 for a number.
    """
    if re.search(r"\|(!|_|as|let|forall|exists)\||(?<![\w.~!@$%^&*+=<>?/-])-[0-9]", text):
        return None
    asserts = "".join(f"\n(assert |{symbol}|)" for symbol in symbols)
    try:
        return list(z3.parse_smt2_string(text + asserts))
    except (z3.Z3Exception, UnicodeError):
        return None


def _z3_value(formula: Any, point: dict[str, Any], script: Script) -> bool | None:
    pairs = []
    for symbol, sort in script.constants.items():
        value = z3_value(point[symbol], sort)
        pairs.append((z3.Const(symbol, value.sort()), value))
    result = z3.simplify(z3.substitute(formula, *pairs))
    return True if z3.is_true(result) else False if z3.is_false(result) else None


WORLD = SmtlibWorld()
