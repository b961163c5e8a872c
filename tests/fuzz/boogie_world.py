"""Boogie: tiny programs; which assertions fail, by a second parser and interpreter, and by the graph that was read."""

from __future__ import annotations

import re
from random import Random

from lemmata.frontends.boogie import parse_boogie
from lemmata.models.graph import Graph
from tests.fuzz.boogie_naive import Malformed, Runs
from tests.fuzz.boogie_text import Program
from tests.fuzz.engines import verdicts
from tests.fuzz.graph_facts import reached
from tests.fuzz.world import FILE, Beyond, Case, Disagreement, Outcome, judged

ENGINES = 0.03  # how often engines are asked, too
_BROKEN = (Malformed, ValueError, TypeError, AttributeError, KeyError, IndexError)


class BoogieWorld:
    """See above."""

    name, suffix = "boogie", ".bpl"
    covers = ("frontends/boogie",)
    words = re.compile(rb"//[^\n]*|[A-Za-z0-9_'~#$^.?`\\]+|\s+|<==>|==>|<==|&&|\|\||==|!=|<=|>=|\+\+|:=|::|\{:|.", re.DOTALL)

    def generate(self, rng: Random) -> Case:
        """A program of one or two procedures."""
        return Case(Program(rng).text().encode(), is_legal=True)

    def read(self, data: bytes) -> Graph:
        """By Lemmata."""
        return parse_boogie(data, FILE)

    def judge(self, data: bytes) -> Outcome:
        """Compare which assertions fail."""
        return judged(self, data, lambda model, rng: _compare(data, model, rng))

    def accepts(self, data: bytes) -> bool:
        """The second parser and interpreter do."""
        try:
            Runs(data.decode("utf-8")).violated()
        except (UnicodeError, Beyond, RecursionError, *_BROKEN):
            return False
        return True


def _compare(data: bytes, model: object, rng: Random) -> str:
    assert isinstance(model, Graph)
    if model.origin.inexact:
        raise Beyond("inexact edges")
    if any(re.search(r" at line \d+~\d+$", question.name) for question in model.questions):
        raise Beyond("two assertions on one line")
    try:
        wanted = Runs(data.decode("utf-8", "replace")).violated()
    except RecursionError:
        raise Beyond("deep expressions") from None
    except _BROKEN as error:
        raise Disagreement(f"accepted, but is no Boogie: {type(error).__name__}", str(error)) from None
    is_asked = rng.random() < ENGINES
    for inline in (True, False) if rng.random() < 0.3 else (True,):
        graph = model if inline else parse_boogie(data, FILE, inline=False)
        found = {q.name for q, bad in zip(graph.questions, reached(graph, zeros=True), strict=True) if bad}
        if found != wanted:
            missing, extra = sorted(wanted - found), sorted(found - wanted)
            if not extra and any(len(edge.sources) > 1 for edge in graph.edges):
                is_asked = True  # a call whose start has other values than those that inputs are given here
                continue
            raise Disagreement("reading", f"inline={inline}: missing {missing}, too many {extra}")
    truth = [question.name in wanted for question in model.questions]
    if is_asked:
        verdicts(model, truth, (data, ".bpl"), lambda: _truth(data, model))
    return "; ".join(f"{q.name} {'fails' if bad else 'holds'}" for q, bad in zip(model.questions, truth, strict=True))


def _truth(data: bytes, model: Graph) -> list[bool]:
    wanted = Runs(data.decode("utf-8", "replace")).violated()
    return [question.name in wanted for question in model.questions]


WORLD = BoogieWorld()
