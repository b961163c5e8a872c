"""BTOR2: values of nodes at corners, and which bad states are reached, by the interpreter of ``tests`` and by the graph.

Models come from ``tests.support.btor2_random`` (every operator, arrays, free and loose states), spelled in odd ways: comments,
symbols that look like numbers and keywords, outputs, gaps in ids, constants at the corners. ``btor2_rules`` says what is
legal.
"""

from __future__ import annotations

import re
from random import Random
from unittest import mock

from lemmata.frontends.btor2 import parse_btor2
from lemmata.models.graph import Graph
from tests.fuzz import peers
from tests.fuzz.btor2_rules import Malformed, Rules
from tests.fuzz.engines import verdicts
from tests.fuzz.graph_facts import reached
from tests.fuzz.world import FILE, Beyond, Case, Disagreement, Outcome, judged
from tests.support import btor2_agreement as agreement
from tests.support.btor2_interpreter import Interpreter, Leaf, Value, count, reachable
from tests.support.btor2_random import Shape, random_model

ENGINES = 0.05  # how often engines are asked, too
PEER = 0.01  # how often Boolector is
_BITS = 10  # of states and inputs, where all are listed
_SHAPES = (
    Shape(state_bits=4, input_bits=2, nodes=8),
    Shape(state_bits=5, input_bits=2, nodes=10, constraints=0.6),
    Shape(state_bits=40, input_bits=20, widest=8, nodes=20, arrays=False),
    Shape(state_bits=140, input_bits=70, widest=70, nodes=16, arrays=False),
)
_SYMBOLS = (
    "a",
    "0",
    "-1",
    "12",
    "#x0",
    "|q|",
    "state",
    "next",
    "top.m[3]",
    "é",
    "'",
    "(",
    '"s"',
    "$",
    "#b1",
    ":next",
    "let",
    "x'",
    "\\a",
)
_LEAVES = re.compile(r"\d+ (?:state|input) \d+")


class Btor2World:
    """See above."""

    name, suffix = "btor2", ".btor2"
    covers = ("frontends/btor2",)
    words = re.compile(rb";[^\n]*|-?\d+|[A-Za-z]+|\n|[ \t]+|.", re.DOTALL)

    def generate(self, rng: Random) -> Case:
        """A model, spelled in odd ways."""
        lines = random_model(rng, rng.choice(_SHAPES)).splitlines()
        if rng.random() < 0.7:
            lines = [_spelled(line, rng) for line in lines]
        if rng.random() < 0.3:
            lines.insert(rng.randrange(len(lines) + 1), rng.choice((";", "; bad 1", "", ";; 1 sort bitvec 1", "; é")))
        if rng.random() < 0.2:
            lines.append(f"{int(lines[-1].split()[0]) + 1} output {_a_node(lines)}" if lines[-1][:1].isdigit() else "")
        return Case(("\n".join(lines) + rng.choice(("\n", "\n", "", "\n\n"))).encode(), is_legal=True)

    def read(self, data: bytes) -> Graph:
        """By Lemmata."""
        return parse_btor2(data, FILE)

    def judge(self, data: bytes) -> Outcome:
        """Compare values and reachable bads."""
        return judged(self, data, lambda model, rng: _compare(data, model, rng))

    def accepts(self, data: bytes) -> bool:
        """The rules do."""
        try:
            Rules(data.decode("utf-8", "replace"))
        except (Malformed, Beyond):
            return False
        return True


def _a_node(lines: list[str]) -> str:
    return next(line.split()[0] for line in lines if _LEAVES.match(line))


def _spelled(line: str, rng: Random) -> str:
    """The line with a symbol, a comment, more space."""
    words = line.split()
    if _LEAVES.fullmatch(line) and rng.random() < 0.5:
        words.append(rng.choice(_SYMBOLS))
    text = " ".join(words)
    if rng.random() < 0.1:
        text += rng.choice((" ; comment", " ;", " ; 1 sort bitvec 1", " ;; é"))
    return text


def _corner(rng: Random, leaf: Leaf) -> Value:
    """A value of a state or an input, mostly at a corner."""

    def word(width: int) -> int:
        top = 1 << width
        return rng.choice((0, 1, top - 1, top // 2, top // 2 - 1, rng.randrange(top))) % top

    if isinstance(leaf.sort, int):
        return word(leaf.sort)
    return tuple(word(leaf.sort[1]) for _ in range(1 << leaf.sort[0]))


def _compare(data: bytes, model: object, rng: Random) -> str:
    assert isinstance(model, Graph)
    text = data.decode("utf-8", "replace").replace("\r", " ").replace("\x0c", " ").replace("\x0b", " ")  # no ends of lines
    try:
        Rules(text)
    except Malformed as error:
        raise Disagreement(f"accepted, but is no BTOR2: {error}") from None
    interpreter = Interpreter(text)
    if any(isinstance(leaf.sort, tuple) and leaf.sort[0] > 3 for leaf in (*interpreter.states, *interpreter.inputs)):
        raise Beyond("large arrays")
    if not interpreter.bads:
        return "no property"
    with mock.patch.object(agreement, "random_value", _corner):
        try:
            agreement.compare(text, rng)
        except AssertionError as error:
            raise Disagreement("value", str(error)) from None
    if count([*interpreter.states, *interpreter.inputs, *interpreter.loose()]) > 1 << _BITS:
        return "values agree"
    wanted = reachable(text)
    found = reached(model)
    if found != [depth is not None for depth in wanted]:
        raise Disagreement("reading", f"reached by the graph: {found}, by the file: {wanted}")
    if rng.random() < ENGINES:
        verdicts(model, found, (data, ".btor2"))
    if rng.random() < PEER and wanted:
        peers.compare(data, ".btor2", any(found))
    return " ".join("safe" if depth is None else f"unsafe in {depth}" for depth in wanted)


WORLD = Btor2World()
