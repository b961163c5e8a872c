"""Mistakes of certify itself on circuits and on systems of words, which true and bogus evidence brings to light."""

from __future__ import annotations

from collections.abc import Callable

from lemmata.certify.circuit.check import certify
from lemmata.certify.graph.check import certify_graph
from lemmata.frontends.aiger import parse_aiger
from lemmata.frontends.btor2 import parse_btor2
from lemmata.logic.sorts import BitVec
from lemmata.logic.terms import Term, Value, bv, make, var
from lemmata.models.invariant import Invariant, KInductive
from lemmata.models.trace import Trace
from lemmata.models.words import WordInvariant, WordTrace
from lemmata.verdict import Safe, Unsafe
from tests.seeded.bug import SeededBug, edit
from tests.seeded.certify_graphs import suite

Check = Callable[[], object]

# Circuits. Twins: p and q (2, 4) start as 0 and swap; bad is p ∧ ¬q.
TWINS = parse_aiger(b"aag 3 0 2 0 1 1\n2 4\n4 2\n6\n6 2 5\n", "twins")
# Kept: p copies the input, which a constraint keeps at 0; bad is p.
KEPT = parse_aiger(b"aag 2 1 1 0 0 1 1\n2\n4 2\n4\n3\n", "kept")
ONCE = parse_aiger(b"aag 1 0 1 0 0 1\n2 0 1\n2\n", "once")  # p starts as 1; bad is p
STAYS = parse_aiger(b"aag 1 0 1 0 0 2\n2 2 1\n3\n2\n", "stays")  # p starts as 1 and stays; bad is ¬p, and p
FREE = parse_aiger(b"aag 2 1 1 0 0 1 1\n2\n4 4 2\n4\n3\n", "free")  # p starts as the input, which the constraint keeps at 0


def bits(model: object, evidence: object) -> Check:
    verdict = Unsafe(evidence) if isinstance(evidence, Trace) else Safe(evidence)  # type: ignore[arg-type]
    return lambda: certify(model, 0, verdict)  # type: ignore[arg-type]


BITS_TRUE: dict[str, Check] = {
    "both are 0": bits(TWINS, Invariant(((2,), (4,)))),
    "kept by a constraint": bits(KEPT, Invariant(((4,),))),
    "started by a constraint": bits(FREE, Invariant(((4,),))),
    "stays 1": bits(STAYS, Invariant(((3,),))),
    "2-inductive": bits(TWINS, KInductive(2, simple=True)),
}
BITS_BOGUS: dict[str, Check] = {
    "no lemma": bits(TWINS, Invariant(())),
    "no initial state": bits(TWINS, Invariant(((3,), (5,)))),
    "not inductive": bits(TWINS, Invariant(((2,),))),
    "allows the bad state": bits(TWINS, Invariant(((3, 4),))),
    "a lemma about a gate": bits(TWINS, Invariant(((6,),))),
    "k is too small": bits(TWINS, KInductive(0)),
    "the base is wrong": bits(ONCE, KInductive(1)),
    "the start is not the reset": bits(TWINS, Trace(0, (1, 0), ((),))),
    "a constraint is violated": bits(KEPT, Trace(0, (0,), ((1,), (0,)))),
    "the last state is not bad": bits(TWINS, Trace(0, (0, 0), ((), ()))),
    "no step at all": bits(TWINS, Trace(0, (0, 0), ())),
    "another property": lambda: certify(STAYS, 0, Unsafe(Trace(1, (1,), ((),)))),
}

# Words.
TEXT = """1 sort bitvec 4
2 sort bitvec 1
3 zero 1
4 state 1 x
5 init 1 4 3
6 input 1 i
7 constd 1 2
8 ulte 2 6 7
9 constraint 8
10 slice 2 6 0 0
11 constraint -10
12 add 1 4 6
13 next 1 4 12
14 slice 2 4 0 0
15 bad 14 odd
16 constd 1 3
17 eq 2 4 7
18 bad 17 two
"""
WORDS = parse_btor2(TEXT.encode(), "words")
XW, IW = var("x", BitVec(4)), var("i", BitVec(4))
EVEN: Term = make("=", (make("extract", (XW,), (0, 0)), bv(0, 1)))
# x runs 0 1 2 3 and stays, like all above; bad is 3, or 5
RUN = parse_btor2(
    b"1 sort bitvec 3\n2 sort bitvec 1\n3 zero 1\n4 state 1 x\n5 init 1 4 3\n"
    b"6 constd 1 3\n7 ult 2 4 6\n8 inc 1 4\n9 ite 1 7 8 4\n10 next 1 4 9\n"
    b"11 eq 2 4 6\n12 bad 11\n13 constd 1 5\n14 eq 2 4 13\n15 bad 14\n",
    "run",
)


def words(evidence: object, prop: int = 0, graph: object = WORDS) -> Check:
    verdict = Unsafe(evidence) if isinstance(evidence, WordTrace) else Safe(evidence)  # type: ignore[arg-type]
    return lambda: certify_graph(graph, prop, verdict)  # type: ignore[arg-type]


def walk(start: Value, *inputs: Value, prop: int = 1) -> WordTrace:
    return WordTrace(prop, ((XW, start),), tuple(((IW, i),) for i in inputs))


WORDS_TRUE: dict[str, Check] = {
    "even": words(WordInvariant((EVEN,))),
    "two": words(walk(0, 2, 0), 1),
    "1-inductive": words(KInductive(1), 1, RUN),
}
WORDS_BOGUS: dict[str, Check] = {
    "no lemma": words(WordInvariant(())),
    "no initial state": words(WordInvariant((EVEN, make("not", (make("=", (XW, bv(0, 4))),))))),
    "no state at all": words(WordInvariant((make("bvult", (XW, bv(0, 4))),))),
    "not inductive": words(WordInvariant((EVEN, make("bvule", (XW, bv(6, 4)))))),
    "reachable": words(WordInvariant((EVEN,)), 1),
    "a lemma about the input": words(WordInvariant((make("not", (make("=", (make("bvor", (XW, IW)), bv(15, 4))),)), EVEN))),
    "k is too small": words(KInductive(0), 1, RUN),
    "the base is wrong": words(KInductive(9, simple=True), 0, RUN),
    "only the last of the base is wrong": words(KInductive(4, simple=True), 0, RUN),
    "the start is another": words(walk(2, 0), 1),
    "a constraint is violated": words(walk(0, 3, 0, prop=0), 0),
    "a constraint is violated at the end": words(walk(0, 2, 1), 1),
    "the last state is not bad": words(walk(0, 2, 2, 0), 1),
    "a value that is too large": words(walk(0, -14, 0), 1),
    "no input in the last step": words(WordTrace(1, ((XW, 0),), (((IW, 2),), ())), 1),
    "about another property": words(walk(0, 2, 0), 0),
}

CIRCUITS = suite("evidence about circuits", BITS_TRUE, BITS_BOGUS)
SYSTEMS = suite("evidence about words", WORDS_TRUE, WORDS_BOGUS)
V, K, R = "certify.circuit.invariant", "certify.circuit.kinduction", "certify.circuit.replay"
WI, WK, WR = "certify.words.invariant", "certify.words.kinduction", "certify.words.replay"

BUGS: tuple[SeededBug, ...] = (
    edit(
        "initiation is not asked",
        f"{V}:check_invariant",
        "_check_initiation(model, invariant, CertificateSolver(backend, until))",
        "pass",
        CIRCUITS,
    ),
    edit(
        "consecution is not asked",
        f"{V}:check_invariant",
        "_check_consecution(model, invariant, CertificateSolver(backend, until))",
        "pass",
        CIRCUITS,
    ),
    edit(
        "safety is not asked",
        f"{V}:check_invariant",
        "_check_safety(model, bad, invariant, CertificateSolver(backend, until))",
        "pass",
        CIRCUITS,
    ),
    edit(
        "consecution asks about the state before",
        f"{V}:_check_consecution",
        "model.nexts[(lit >> 1) - model.first_latch] ^ (lit & 1)",
        "lit",
        CIRCUITS,
    ),
    edit("consecution loses the sign of a literal", f"{V}:_check_consecution", "^ (lit & 1)", "", CIRCUITS),
    edit(
        "safety looks at any state under the constraints",
        f"{V}:_check_safety",
        "(*model.constraints, bad)",
        "(*model.constraints, 0)",
        CIRCUITS,
    ),
    edit(
        "initiation forgets the constraints",
        f"{V}:_check_initiation",
        "cnf.hold(frame.lits(model.constraints))",
        "pass",
        CIRCUITS,
    ),
    edit("lemmas are about anything", f"{V}:require_latch_cubes", "if not low <= lit < high", "if False", CIRCUITS),
    edit("the base of k-induction is not asked", f"{K}:_check_base", "for j in range(depth)", "for j in range(0)", CIRCUITS),
    edit(
        "the step of k-induction is not asked",
        f"{K}:_check_step",
        "if not isinstance(answer, CheckedUnsat)",
        "if False",
        CIRCUITS,
    ),
    edit("resets are not compared", f"{R}:_check_resets", "if bit != reset", "if False", CIRCUITS),
    edit("constraints of a trace are not evaluated", f"{R}:_check_constraints", "if not value", "if False", CIRCUITS),
    edit("the end of a trace is not looked at", f"{R}:replay", "if not reached", "if False", CIRCUITS),
    edit(
        "the property of a trace of bits is not compared",
        "certify.circuit.check:certify",
        "if trace.prop != prop",
        "if False",
        CIRCUITS,
    ),
    edit(
        "initiation over words is not asked",
        f"{WI}:check_word_invariant",
        "_check_initiation(system, lemmas, panel)",
        "pass",
        SYSTEMS,
    ),
    edit(
        "consecution over words is not asked",
        f"{WI}:check_word_invariant",
        "_check_consecution(system, lemmas, panel)",
        "pass",
        SYSTEMS,
    ),
    edit(
        "safety over words is not asked",
        f"{WI}:check_word_invariant",
        "_check_safety(system, bad, lemmas, panel)",
        "pass",
        SYSTEMS,
    ),
    edit("all lemmas over words must be broken at once", f"{WI}:_some_fails", 'make("or"', 'make("and"', SYSTEMS),
    edit(
        "consecution forgets the constraint",
        f"{WI}:_check_consecution",
        "system.constraint, *transition",
        "*transition",
        SYSTEMS,
    ),
    edit(
        "lemmas about words may speak of inputs",
        "certify.words.question:require_formulas",
        "if v not in known",
        "if False",
        SYSTEMS,
    ),
    edit(
        "the bad states of the first property are asked",
        "certify.words.question:question",
        "system.bads[prop]",
        "system.bads[0]",
        SYSTEMS,
    ),
    edit("the base over words is not asked", f"{WK}:_check_base", "for j in range(k)", "for j in range(0)", SYSTEMS),
    edit("the base over words is one too short", f"{WK}:_check_base", "for j in range(k)", "for j in range(k - 1)", SYSTEMS),
    edit(
        "the step over words is one too short of bad",
        f"{WK}:_check_step",
        "formulas = [paths.bad(k)]",
        'formulas = [paths.bad(k), make("not", (paths.bad(k),))]',
        SYSTEMS,
    ),
    edit("values over words need not fit", f"{WR}:_complete", "if not is_of(values[v], v.sort)", "if False", SYSTEMS),
    edit("the start over words is not compared", f"{WR}:_check_start", "if state[v] != value", "if False", SYSTEMS),
    edit("the constraint of a step over words is not evaluated", f"{WR}:replay_words", "if not holds", "if False", SYSTEMS),
    edit(
        "the end of a trace over words is not looked at",
        f"{WR}:replay_words",
        "if not reached",
        "if first_bad is None",
        SYSTEMS,
    ),
    edit(
        "the state over words does not move",
        f"{WR}:replay_words",
        "state = dict(zip(system.variables, after, strict=True))",
        "pass",
        SYSTEMS,
    ),
)
