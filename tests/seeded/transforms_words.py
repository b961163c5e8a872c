"""Mistakes of transforms of circuits, of words to bits, of arrays, and of their ways back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from random import Random

from lemmata.certify.circuit.check import certify
from lemmata.certify.graph.check import certify_graph
from lemmata.config import PdrOptions
from lemmata.errors import CertificateError, GaveUp
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.models.invariant import Invariant
from lemmata.models.trace import Trace
from lemmata.transforms.system.blast import blast
from lemmata.verdict import Safe, Unknown, Unsafe, Verdict
from tests.seeded.bug import Catcher, SeededBug, WrongAccepted, edit
from tests.support.btor2_interpreter import reachable
from tests.support.btor2_random import random_model
from tests.support.enumerate import shortest_depths
from tests.support.evidence import settle
from tests.support.planted import planted_circuit
from tests.support.small_graphs import CAPPED, EVEN, MEMORY, PAIR, graph

CRASHES = (AssertionError, AttributeError, LookupError, TypeError, ValueError, ArithmeticError)
MODELS = (4, 5, 9, 14)
COPIED = """1 sort bitvec 2
2 sort bitvec 1
3 state 1 y
4 state 1 x
5 init 1 4 3
6 next 1 3 3
7 next 1 4 4
8 ones 1
9 eq 2 4 8
10 bad 9
"""
PLANTED = range(0, 60, 5)
Told = Iterator[tuple[str, str]]


@cache
def _models() -> tuple[tuple[str, Graph, tuple[str, ...]], ...]:
    texts = {"even": EVEN, "capped": CAPPED, "pair": PAIR} | {f"model {s}": random_model(Random(s)) for s in MODELS}
    known = {"pair": ("safe",), "even": ("safe", "unsafe")}
    cases = [(name, graph(text), known.get(name) or _words(reachable(text))) for name, text in texts.items()]
    memory = MEMORY.format(bits=2)
    return (
        *cases,
        ("memory", graph(memory), ("safe", "unsafe")),
        ("free memory", graph(memory.replace("9 init 4 8 7\n", "")), ("unsafe", "unsafe")),
        ("copied start", graph(COPIED), ("unsafe",)),
    )


@cache
def _circuits() -> tuple[tuple[str, Aig, tuple[str, ...]], ...]:
    models = [planted_circuit(seed).model for seed in PLANTED]
    return tuple((f"circuit {n}", model, _words(shortest_depths(model))) for n, model in zip(PLANTED, models, strict=True))


def _words(depths: list[int | None]) -> tuple[str, ...]:
    return tuple("safe" if depth is None else "unsafe" for depth in depths)


def _judged(check: Callable[[], object], verdict: Verdict, word: str, where: str) -> Told:
    try:
        check()
    except CertificateError as error:
        yield ("certify" if isinstance(verdict, Safe) else "replay"), f"{where} ({word}): {error}"
    except GaveUp as error:
        yield "answers", f"{where} ({word}): {error.reason}"
    else:
        if verdict.word != word:
            raise WrongAccepted(f"{where} is {word}, and was accepted as {verdict.word}")


def _through_bits(seconds: float) -> Told:
    for name, model, words in _models():
        try:
            blasted = blast(model)
            for prop, found in settle(blasted.aig, PdrOptions(), seconds):
                verdict: Verdict = Unknown("nothing")
                match found:
                    case Safe(Invariant() as invariant):
                        verdict = Safe(blasted.invariant(invariant))
                    case Unsafe(Trace() as trace):
                        verdict = Unsafe(blasted.trace(trace))
                where = f"{name}, property {prop}"
                yield from _judged(lambda p=prop, v=verdict, m=model: certify_graph(m, p, v), verdict, words[prop], where)
        except (GaveUp, *CRASHES) as error:
            yield "answers", f"{name}: {error!r}"


def _reduced(seconds: float) -> Told:
    for name, model, words in _circuits():
        try:
            for prop, verdict in settle(model, PdrOptions(), seconds):
                where = f"{name}, property {prop}"
                yield from _judged(lambda p=prop, v=verdict, m=model: certify(m, p, v), verdict, words[prop], where)
        except (GaveUp, *CRASHES) as error:
            yield "answers", f"{name}: {error!r}"


def _catchers(title: str, tell: Callable[[float], Told], what: str) -> dict[str, Catcher]:
    def looking(kind: str) -> Callable[[float], Iterator[str]]:
        return lambda seconds: (text for found, text in tell(seconds) if found == kind)

    return {kind: Catcher(f"{kind}, {title}", what, looking(kind), is_whole=True) for kind in ("certify", "replay", "answers")}


WORDS = _catchers(
    "words through bits", _through_bits, "PDR on bits settles small BTOR2 models; evidence about words is checked on words"
)
BITS = _catchers("reduced circuits", _reduced, "PDR settles reduced circuits; evidence is checked on the circuits as they were")
ARRAYS, BLAST, CIRCUITS, FACTS = (
    "transforms.system.arrays",
    "transforms.system.blast",
    "logic.blast:Circuits",
    "transforms.system.blast",
)
REBUILD, STUCK = "transforms.circuit.rebuild", "transforms.circuit.stuck_latches"

BUGS: tuple[SeededBug, ...] = (
    edit(
        "the carry of an adder is lost",
        f"{CIRCUITS}.add",
        "bit, carry = self._full_adder",
        "bit, _ = self._full_adder",
        WORDS["certify"],
    ),
    edit("the bits of a value are told backwards", f"{BLAST}:_words", "bits[at:end][::-1]", "bits[at:end]", WORDS["replay"]),
    edit(
        "the circuit starts with zeros",
        f"{BLAST}:circuit_of",
        "resets=bits(v if (start := system.starts[v]) is None else start for v in system.variables)",
        "resets=(0,) * len(latches)",
        WORDS["certify"],
    ),
    edit("the circuit has no constraints", f"{BLAST}:circuit_of", "if lit != 1)", "if lit > 999999)", WORDS["replay"]),
    edit(
        "the words of lemmas are shifted by a bit",
        f"{BLAST}:Blasted.invariant",
        "self.aig.first_latch)",
        "self.aig.first_latch - 1)",
        WORDS["certify"],
    ),
    edit("facts about words lose their sign", f"{FACTS}:_wrong", "lit & 1 ^ 1", "lit & 1", WORDS["certify"]),
    edit(
        "writes change the first element only",
        f"{ARRAYS}:_written",
        "for i, old in enumerate(elements)])",
        "if i == 0 else old for i, old in enumerate(elements)])",
        WORDS["certify"],
    ),
    edit(
        "reads look at the odd element for even bits",
        f"{ARRAYS}:_Expansion._read",
        "ite(is_odd, odd, even)",
        "ite(is_odd, even, odd)",
        WORDS["replay"],
    ),
    edit(
        "arrays of a run lose their first element",
        f"{ARRAYS}:Expanded._array",
        "enumerate(known[word] for word in self.words[array])",
        "enumerate([known[word] for word in self.words[array]][1:])",
        WORDS["replay"],
    ),
    edit(
        "the cone forgets what start values read",
        "transforms.system.cone:leaves_that_matter",
        "(system.nexts[v], start)",
        "(system.nexts[v],)",
        WORDS["answers"],
    ),
    edit(
        "dropped variables start as 0",
        "transforms.system.cone:Dropped.trace",
        "initial_values(self.old, dict(trace.initial))",
        "_fill(self.old.variables, dict(trace.initial))",
        WORDS["replay"],
    ),
    edit("a latch that may change is stuck", f"{STUCK}:stuck_values", "while changed:", "while False:", WORDS["certify"]),
    edit(
        "two-level rules: a ∧ ¬(a ∧ b) is a ∧ b",
        f"{REBUILD}:AigBuilder._two_level",
        "return self.conjoin(y, right ^ 1)",
        "return self.conjoin(y, right)",
        WORDS["certify"],
    ),
    edit(
        "two-level rules: a ∧ ¬(¬a ∧ b) is 0", f"{REBUILD}:AigBuilder._two_level", "return y\n", "return 0\n", BITS["certify"]
    ),
    edit(
        "gates are hashed by one operand",
        f"{REBUILD}:AigBuilder.conjoin",
        "a << 40 | b",
        "a << 40",
        WORDS["certify"],
    ),
    edit(
        "the way back mixes up the inputs",
        f"{REBUILD}:Replaced.trace",
        "bits[position] = bit",
        "bits[-1 - position] = bit",
        BITS["replay"],
    ),
    edit(
        "dropped latches start as 0 whatever their reset",
        f"{REBUILD}:Replaced.trace",
        "initial_state(self.old, chosen, lines[0])",
        "tuple(chosen.get(i, 0) for i in range(self.old.latches))",
        BITS["replay"],
    ),
    edit("the way back loses the sign of a literal", f"{REBUILD}:Replaced.invariant", "| lit & 1", "", BITS["certify"]),
)
