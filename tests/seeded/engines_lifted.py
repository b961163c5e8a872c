"""Mistakes of PDR on graphs."""

from __future__ import annotations

from lemmata.config import LiftedOptions
from lemmata.engines.pdr.graph.engine import LiftedPdr
from tests.seeded.bug import SeededBug, edit
from tests.seeded.graph_corpus import catchers

NAMES = ("counter", "phases, missed", "two sources, reached", "two sources, missed")
BY = catchers("lifted PDR", lambda graph: LiftedPdr(graph, options=LiftedOptions(guidance=False)), NAMES)
LIFTED = "engines.pdr.graph"
ORACLE, LOOP, FRAMES, EDGES, EVIDENCE = (
    f"{LIFTED}.oracle:SmtOracle",
    f"{LIFTED}.loop:GraphPdrLoop",
    f"{LIFTED}.frames:GraphFrames",
    f"{LIFTED}.edges:FramedEdge",
    f"{LIFTED}.evidence",
)

BUGS: tuple[SeededBug, ...] = (
    edit(
        "consecution looks at the first edge only",
        f"{ORACLE}.consecution",
        "list(self._into[cube.location])",
        "list(self._into[cube.location])[:1]",
        BY["certify"],
        (f"{ORACLE}.transition", "list(self._into[cube.location])", "list(self._into[cube.location])[:1]"),
    ),
    edit("consecution is relative to the level below", f"{ORACLE}.step", "level - 1", "max(level - 2, 0)", BY["certify"]),
    edit("the core of an edge is lost", f"{ORACLE}._core", "if term in back}", "if term in back and False}", BY["certify"]),
    edit(
        "only the core of the last edge counts",
        f"{ORACLE}.consecution",
        "needed |= self._core",
        "needed = self._core",
        BY["certify"],
        (f"{ORACLE}.transition", "needed |= self._core", "needed = self._core"),
    ),
    edit(
        "lemmas are pushed without a question",
        f"{LOOP}._push",
        "core = self.oracle.inductive(lemma.cube, lemma.level + 1)",
        "core = lemma.cube",
        BY["certify"],
    ),
    edit(
        "lemmas hold for ever without a question",
        f"{LOOP}._learn",
        "self.oracle.inductive(cube, INFINITY) is not None",
        "True",
        BY["certify"],
    ),
    edit(
        "an empty frontier is a fix-point", f"{LOOP}._propagate", "self._immortalize()", "return self.frontier", BY["certify"]
    ),
    edit(
        "a new lemma removes stronger ones",
        f"{FRAMES}.add",
        "limits_imply(old.shape, cube.literals)",
        "limits_imply(shape(cube.literals), old.cube.literals)",
        BY["certify"],
    ),
    edit(
        "the invariant leaves the last lemma out",
        f"{EVIDENCE}:invariant_of_frames",
        "for lemma in frames.at(number, level)]",
        "for lemma in frames.at(number, level)[:-1]]",
        BY["certify"],
    ),
    edit(
        "the invariant has cubes instead of clauses",
        f"{EVIDENCE}:invariant_of_frames",
        "disj([negate(x) for x in lemma.cube.literals])",
        "disj(lemma.cube.literals)",
        BY["certify"],
    ),
    edit(
        "facts are derived from their first premise alone",
        f"{EVIDENCE}:DerivationBuilder._conclude",
        "for premise in premises])",
        "for premise in premises[:1]])",
        BY["replay"],
    ),
)
