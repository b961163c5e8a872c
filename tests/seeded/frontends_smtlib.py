"""Misreadings of SMT-LIB terms, Horn clauses and VMT-LIB, which z3's own parser or a known answer notices."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

import z3

from lemmata.errors import LemmataError
from lemmata.frontends.horn import parse_horn
from lemmata.frontends.vmt import parse_vmt
from lemmata.logic.evaluate import evaluate
from lemmata.logic.smtlib.formula_reader import TermReader
from lemmata.logic.smtlib.sexprs import SexprText
from lemmata.logic.sorts import BOOL, INT, REAL, BitVec
from lemmata.logic.terms import Term, name_of, var
from tests.seeded.bug import Catcher, SeededBug, edit
from tests.support.graph_states import reached
from tests.support.horn_meanings import HEADER, holds, meanings, text_of
from tests.support.horn_text import asked

CRASHES = (LemmataError, AssertionError, LookupError, ValueError, TypeError, z3.Z3Exception)

# Terms.

NAMES = [var("i", INT), var("j", INT), var("r", REAL), var("b", BOOL), var("v", BitVec(4)), var("w", BitVec(4))]
POINTS: list[tuple[Any, ...]] = [
    (7, 4, Fraction(1, 2), True, 9, 3),
    (-7, 2, Fraction(-5, 2), False, 5, 14),
    (0, -3, Fraction(3), True, 15, 1),
]
TERMS = (
    "(let ((i j) (j i)) (< (- i j) 1))",
    "(let ((i (+ i 1))) (let ((j i)) (= j 8)))",
    "(and (let ((i j)) (= i 4)) (= i 7))",
    "(= (- i j 1) 2)",
    "(= (- i) (- 7))",
    "(= (div (- i) 2) (- 4))",
    "(= (mod (- i) 4) 1)",
    "(< i 5 j)",
    "(<= j i 7)",
    "(> i j 3)",
    "(>= i 7 j)",
    "(=> b (< r 1) (> r 1))",
    "(=> (=> b (< r 1)) (> r 1))",
    "(distinct i j 7)",
    "(xor b (< i 0) (< j 0))",
    "(= (abs i) 7)",
    "(= (to_int r) (- 3))",
    "(is_int (+ r r))",
    "(= (/ i j) (/ 7 4))",
    "(= (+ r i) 7.50)",
    "(= (ite b r i) (- 7))",
    "(= ((_ extract 2 1) v) #b00)",
    "(= ((_ sign_extend 2) v) #b111001)",
    "(= ((_ rotate_left 1) v) #x3)",
    "(= ((_ repeat 2) v) #x99)",
    "(bvslt v w)",
    "(bvuge v w)",
    "(bvsgt v w)",
    "(= (bvnor v w) #x4)",
    "(= (bvsub v w) (_ bv6 4))",
    "(= (bvcomp v #x9) #b1)",
    "(= (concat v w) #x93)",
    "(= (bvsrem v w) #x0)",
    "(! (= |i| 7) :named seven)",
    "(and b (! (< i j) :note (odd)) (= i ; a comment )\n 7))",
)


def _z3_value(value: Any, term: Term) -> z3.ExprRef:
    if isinstance(term.sort, BitVec):
        return z3.BitVecVal(value, term.sort.width)
    return z3.BoolVal(value) if term.sort is BOOL else z3.IntVal(value) if term.sort is INT else z3.RealVal(str(value))


@cache
def _expected() -> dict[str, list[bool]]:
    declared = "".join(f"(declare-const {name_of(v)} {v.sort})" for v in NAMES)
    found = {}
    for text in TERMS:
        (theirs,) = z3.parse_smt2_string(f"{declared}(assert {text})")
        values = [[_z3_value(value, v) for v, value in zip(NAMES, point, strict=True)] for point in POINTS]
        pairs = [[(z3.Const(name_of(v), x.sort()), x) for v, x in zip(NAMES, line, strict=True)] for line in values]
        found[text] = [z3.is_true(z3.simplify(z3.substitute(theirs, *line))) for line in pairs]
    return found


def _look_at_terms(_: float) -> Iterator[str]:
    for text, expected in _expected().items():
        try:
            reader = TermReader(SexprText(text, "f"))
            reader.scope.names.update((name_of(v), v) for v in NAMES)
            term = reader.term()
            ours = [evaluate([term], dict(zip(NAMES, point, strict=True)))[0] for point in POINTS]
        except CRASHES as error:
            yield f"{text}: {error!r}"
            continue
        if ours != expected:
            yield f"{text}: {ours}, but z3 says {expected}"


# Clauses.

CLAUSES = (
    "(forall ((x Int) (y Int)) (=> (and (P x) (< y x)) (Q y (> x 1))))",
    "(forall ((x Int)) (=> (and (P x) (P (+ x 1)) (< x 9)) R))",
    "(forall ((x Int) (b Bool)) (=> (and (Q x b) (Q x (not b))) (P x)))",
    "(forall ((x Int)) (=> (or (P x) (and R (> x 2))) (Q x true)))",
    "(forall ((x Int)) (not (and (P x) (exists ((x Int)) (and (Q x true) (> x 2))))))",
    "(forall ((x Int)) (=> (P x) (and (Q x true) (P (twice x)))))",
    "(forall ((x Int)) (or (not (P x)) (<= x 1) R))",
    "(forall ((x Int) (r Real)) (=> (and (S r) (S x)) (P x)))",
    "(forall ((x Int)) (=> (ite (> x 1) (P x) R) (Q x false)))",
    "(forall ((x Int)) (=> (=> (> x 1) (P x)) R))",
    "(forall ((x Int)) (=> (and (= x 1) (exists ((x Int)) (and (= x 2) (P x)))) R))",
    "(forall ((x Int)) (=> (and (P x) (P x) (Q x true)) false))",
    "(forall ((x Int)) (=> (let ((y (+ x 1)) (x 2)) (and (P x) (P y))) R))",
    "(=> R false)",
    "(forall ((x Int)) (=> (not (=> (P x) (< x 2))) R))",
    "(forall ((x Int)) (forall ((y Int)) (=> (P x) (= x y) (P y))))",
)
ROUNDS = 6  # meanings of the predicates


@cache
def _clauses_of_z3() -> dict[str, list[Any]]:
    return {clause: list(z3.parse_smt2_string(f"{HEADER}(assert {clause})")) for clause in CLAUSES}


@cache
def _answers() -> dict[tuple[str, int], str]:
    return {
        (clause, turn): holds(theirs, *meanings(Random(turn)))
        for clause, theirs in _clauses_of_z3().items()
        for turn in range(ROUNDS)
    }


def _look_at_clauses(_: float) -> Iterator[str]:
    for clause in CLAUSES:
        try:
            graph = parse_horn(asked(f"{HEADER}(assert {clause})").encode(), "f")
            ours = list(z3.parse_smt2_string(HEADER + "\n".join(text_of(graph, edge) for edge in graph.edges)))
            for turn in range(ROUNDS):
                answers = {holds(ours, *meanings(Random(turn))), _answers()[clause, turn]} - {"unknown"}
                if len(answers) > 1:
                    yield f"{clause} means something else to z3"
                    break
        except CRASHES as error:
            yield f"{clause}: {error!r}"


# Systems.

SYSTEM = """
(declare-fun x () Int) (declare-fun x.next () Int) (declare-fun b () Bool) (declare-fun b.next () Bool)
(declare-fun i () Int)
(define-fun .x () Int (! x :next x.next))
(define-fun .b () Bool (! b :next b.next))
(define-fun .i () Bool (! (and (= x 0) (not b)) :init true))
(define-fun .t () Bool (! (and (= x.next (ite b x (+ x 1))) (<= x.next 2) (= b.next (= i x))) :trans true))
"""
SYSTEMS: tuple[tuple[str, set[str]], ...] = (
    (SYSTEM + "(define-fun low () Bool (! (<= x 1) :invar-property 0))", {"low"}),
    (SYSTEM + "(define-fun high () Bool (! (<= x 2) :invar-property 0))", set()),
    (
        SYSTEM
        + "(define-fun two () Bool (! (not b) :invar-property 7)) (define-fun one () Bool (! (>= x 0) :invar-property 3))",
        {"two"},
    ),
    (SYSTEM + "(define-fun ever () Bool (! (or (not b) (>= x 2) (= i 1)) :invar-property 0))", {"ever"}),
    (
        SYSTEM.replace("(declare-fun x.next () Int)", "") + "(define-fun stays () Bool (! (or b (<= x 1)) :invar-property 0))",
        {"stays"},
    ),
    (SYSTEM + "(define-fun first () Bool (! (=> (= x 0) (not b)) :invar-property 0))", set()),
)


def _look_at_systems(_: float) -> Iterator[str]:
    for text, expected in SYSTEMS:
        try:
            found = reached(parse_vmt(text.encode(), "f.vmt"), range(-1, 4))
        except CRASHES as error:
            yield f"{text.splitlines()[-1]}: {error!r}"
            continue
        if found != expected:
            yield f"{text.splitlines()[-1]}: {found} instead of {expected}"


TERM_READING = Catcher("z3's parser: terms", "terms read by z3 and by us have the same values at some points", _look_at_terms)
CLAUSE_READING = Catcher(
    "z3's parser: clauses",
    "with any meaning of the predicates the file, as z3 reads it, and our edges are valid together",
    _look_at_clauses,
)
KNOWN = Catcher(
    "VMT-LIB with known answers",
    "small systems whose violated properties are known, by enumeration of the graph",
    _look_at_systems,
)

OPERATORS, NUMBERS, WORDS, SCOPE = (
    "logic.smtlib.operators",
    "logic.smtlib.operators",
    "logic.smtlib.operators",
    "logic.smtlib.scope",
)
CLAUSE, EDGES, SKELETON, VMT = "frontends.horn.clauses", "frontends.horn.clauses", "frontends.skeleton", "frontends.vmt"

BUGS: tuple[SeededBug, ...] = (
    edit(
        "let binds one name after the other",
        "logic.smtlib.term_reader:_Let.__call__",
        "self._reader._next_binding",
        "self._reader.scope.bind(self.names[-1:], self.values[-1:]); self._reader._next_binding",
        TERM_READING,
    ),
    edit(
        "names of a let stay bound",
        "logic.smtlib.term_reader:_Let.leave",
        "self._reader.scope.restore(self.names, self.before)",
        "pass",
        TERM_READING,
    ),
    edit(
        "- joins from the right",
        f"{NUMBERS}:_minus",
        'return reduce(lambda a, b: construct("-", (a, b)), mixed(construct, args))',
        'return reduce(lambda a, b: construct("-", (b, a)), mixed(construct, args)[::-1])',
        TERM_READING,
    ),
    edit(
        "=> joins from the left",
        f"{OPERATORS}:_right",
        'reduce(lambda b, a: construct("=>", (a, b)), reversed(args))',
        'reduce(lambda a, b: construct("=>", (a, b)), args)',
        TERM_READING,
    ),
    edit(
        "a chain compares its first two only",
        f"{OPERATORS}:_chain",
        "len(args) == 2",
        "True",
        TERM_READING,
        (f"{OPERATORS}:_chain", "args[::-1] if is_swapped else args", "args[1::-1] if is_swapped else args[:2]"),
    ),
    edit(
        "> is not turned round", f"{OPERATORS}:_chain", "(b, a) if is_swapped else", "(a, b) if is_swapped else", TERM_READING
    ),
    edit(
        "distinct compares neighbours only",
        f"{OPERATORS}:_distinct",
        "combinations(mixed(construct, args), 2)",
        "zip(args, args[1:], strict=False)",
        TERM_READING,
    ),
    edit(
        "abs of a negative number stays negative",
        f"{NUMBERS}:absolute",
        'construct("neg", args), args[0]',
        "args[0], args[0]",
        TERM_READING,
    ),
    edit("rotate_left goes to the right", f"{WORDS}:rotate", "if is_left else by", "if not is_left else by", TERM_READING),
    edit("bvnor is or", f"{WORDS}:negated", 'construct("bvnot", (construct(op, args),))', "construct(op, args)", TERM_READING),
    edit(
        "decimals lose their fraction",
        "logic.smtlib.numerals:numeral",
        "Fraction(value, 10 ** len(rest))",
        "Fraction(value // 10 ** len(rest))",
        TERM_READING,
    ),
    edit("a head with a predicate is a query", f"{CLAUSE}:Cutter._take_predicate", "now.head = term", "pass", CLAUSE_READING),
    edit(
        "=> in a body is cut with the wrong sign",
        f"{CLAUSE}:Cutter._cut",
        "return [[(args[0], True)], [(args[1], False)]]",
        "return [[(args[0], True)], [(args[1], True)]]",
        CLAUSE_READING,
    ),
    edit(
        "a disjunction in a body keeps its first part", f"{CLAUSE}:Cutter._each", "else parts", "else parts[:1]", CLAUSE_READING
    ),
    edit(
        "the constraint of a head is not negated",
        f"{CLAUSE}:Cutter._settle",
        "negate(plain) if is_positive else plain",
        "plain",
        CLAUSE_READING,
    ),
    edit(
        "ite of predicates takes both branches when it holds",
        f"{CLAUSE}:Cutter._cut",
        "[(args[0], True), (args[2]",
        "[(args[0], False), (args[2]",
        CLAUSE_READING,
    ),
    edit(
        "an argument that is no variable is free",
        f"{EDGES}:edge_of",
        "equations.append(equal(variable, arg))",
        "pass",
        CLAUSE_READING,
    ),
    edit(
        "a variable that occurs twice is not equated",
        f"{EDGES}:edge_of",
        "or arg in used",
        "or (arg in used and not equations)",
        CLAUSE_READING,
        (
            f"{EDGES}:edge_of",
            "equations.append(equal(variable, arg))",
            "equations.append(equal(variable, arg) if not arg.is_var else equal(arg, arg))",
        ),
    ),
    edit(
        "inner quantifiers capture outer names", f"{SKELETON}:Skeleton.bind", "self._taken.free(name)", "name", CLAUSE_READING
    ),
    edit(
        "a fact that is asserted twice counts once, whatever its arguments",
        f"{CLAUSE}:Cutter._take_predicate",
        "now.body[term] = None",
        "now.body.setdefault(next((a for a in now.body if a.data == term.data), term))",
        CLAUSE_READING,
    ),
    edit("the property is not negated", "frontends.vmt.reader:make_graph", "negate(part.formula)", "part.formula", KNOWN),
    edit(
        "the initial formula is ignored",
        "frontends.vmt.reader:make_graph",
        "init.formula, states",
        "trans.formula, states",
        KNOWN,
    ),
    edit(
        "properties lose their inputs",
        "frontends.vmt.reader:make_graph",
        "Edge((here,), 1 + index, inputs,",
        "Edge((here,), 1 + index, (),",
        KNOWN,
    ),
    edit(
        "next values are those of the state",
        "frontends.vmt.reader:make_graph",
        "trans.formula, nexts, line",
        "trans.formula, states, line",
        KNOWN,
    ),
    edit(
        "next values come in the order of their annotations turned round",
        f"{VMT}.reader:_Reader.graph",
        "tuple(self._nexts[v] for v in states)",
        "tuple(self._nexts.values())[::-1]",
        KNOWN,
    ),
    edit(
        "only the first property is kept",
        f"{VMT}.reader:_Reader.graph",
        "for index in sorted(self._properties)]",
        "for index in sorted(self._properties)][:1]",
        KNOWN,
    ),
)
