"""The second reading of programs: it agrees where the graph is the program, and contradicts what a wrong front end reads."""

from __future__ import annotations

import random
import time
from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.certify.reading import programs
from lemmata.certify.reading.program_runs import Runs, Seen
from lemmata.certify.reading.program_words import builtin
from lemmata.certify.reading.programs import PROGRAM_IDLE_RUNS, PROGRAM_RUNS, ProgramReading
from lemmata.config import Config
from lemmata.errors import CertificateError, GaveUp
from lemmata.events import NOBODY
from lemmata.frontends.boogie import parse_boogie
from lemmata.frontends.boogie.reader import read_program
from lemmata.logic.build import build
from lemmata.logic.evaluate import evaluate
from lemmata.logic.smtlib.operators import operators
from lemmata.logic.sorts import INT, BitVec
from lemmata.logic.terms import Term, const, name_of
from lemmata.models.derivation import Claim, Derivation, GraphInvariant
from lemmata.models.graph import Graph, Location
from lemmata.run.flow import Flow
from lemmata.run.processes.messages import Settled
from lemmata.run.second_reader import program_reading
from lemmata.run.task import Task
from lemmata.verdict import Safe, Unsafe
from lemmata.work import now
from tests.support.boogie_programs import random_program
from tests.support.clock import LATE, in_time
from tests.support.misread_programs import MISREADINGS, Misreading

SEEDS = 14


def settled(graph: Graph, seconds: float = 20) -> dict[str, tuple[int, Safe | Unsafe]]:
    """The certified verdicts about a graph, by the names of the properties."""
    if not graph.questions:
        return {}
    flow = Flow(Task(graph, Config(), in_time()), NOBODY)
    flow.prepare()
    found = {}
    for position, prop in enumerate(flow.chosen):
        try:
            answer = flow.settle(position, now() + seconds)
        except GaveUp:
            continue
        assert isinstance(answer, Settled), answer
        found[prop.name] = (prop.index, answer.verdict)
    return found


def readings(text: str, *, inline: bool = True) -> dict[str, tuple[str, str | None]]:
    """Verdict and second opinion about each property."""
    graph = parse_boogie(text.encode(), "p.bpl", inline=inline)
    reading = ProgramReading(read_program(text.encode(), "p.bpl"), graph)
    return {name: (v.word, reading.read_again(prop, v, None)) for name, (prop, v) in settled(graph).items()}


RICH = """const unique red, blue: int;
type T;
var g: int where g >= 0;
var m: [int][int]bool;
function f(x: int) returns (int);
function twice(x: int) returns (int) { 2 * x }
procedure free_one(x: int) returns (r: int);
  requires x > 0;
  modifies g;
  ensures r > x && g == old(g) + 1;
procedure sum(n: int) returns (s: int)
  ensures n >= 0 ==> s >= n;
{
  if (n <= 0) {
    s := 0;
  } else {
    call s := sum(n - 1);
    s := s + n;
  }
}
procedure main(a: int, t: T)
  modifies g, m;
{
  var i, x: int;
  var b: bool where b;
  i := 0;
  m[1][2] := true;
outer:
  while (i < 3)
    invariant i <= 3;
  {
    i := i + 1;
    while (*) {
      if (*) {
        break outer;
      }
    }
  }
  assert b;
  assert m[1][2];
  assert i <= 2;
  goto first, second;
first:
  x := twice(3);
  goto done;
second:
  x := f(7);
done:
  assert x == 6 || x == f(7);
  assert x == 6;
  call x := free_one(5);
  assert g >= 1;
  assert x > 6;
  call x := sum(2);
  assert x == 3;
  assert x != 3;
  call x := free_one(x - 3);
  assert red != blue;
}
"""


@pytest.mark.parametrize("inline", [True, False])
def test_execution_agrees_on_a_program_with_a_bit_of_everything(inline: bool) -> None:
    found = readings(RICH, inline=inline)
    assert {name for name, (word, _) in found.items() if word == "unsafe"} == {
        "assert at line 41",
        "assert at line 50",
        "assert at line 53",
        "assert at line 56",
    }
    assert all(opinion is not None for _, opinion in found.values()), found
    assert {opinion for word, opinion in found.values() if word == "unsafe"} == {"execution"}


def test_the_run_layer_hands_the_tree_in(tmp_path: Path) -> None:
    file = tmp_path / "p.bpl"
    file.write_text("procedure p(x: int) {\n  assert x < 3;\n}")
    graph = parse_boogie(file.read_bytes(), str(file))
    prop, verdict = settled(graph)["assert at line 2"]
    assert program_reading(str(file), graph).read_again(prop, verdict, None) == "execution"


def test_a_proof_is_compared_with_runs_until_they_show_nothing_new(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "procedure p(x: int) {\n  assume x > 3;\n  assert x > 2;\n}"
    ((_, told),) = readings(text).values()
    assert told is not None
    number = int(told.removeprefix("execution (").removesuffix(" runs)"))
    assert PROGRAM_IDLE_RUNS < number < PROGRAM_RUNS
    monkeypatch.setattr(programs, "PROGRAM_IDLE_RUNS", PROGRAM_RUNS)
    assert readings(text) == {"assert at line 3": ("safe", f"execution ({PROGRAM_RUNS} runs)")}


def test_a_run_that_goes_where_none_went_before_makes_more_of_them() -> None:
    inner = "havoc x;\n    if (x == 77) {\n      x := 1;\n    }"
    rare = f"procedure p() {{\n  var x: int;\n  havoc x;\n  if (x == 77) {{\n    {inner}\n  }}\n}}"
    plain = "procedure p() {\n  var x: int;\n  havoc x;\n  x := 77;\n}"
    rarely, plainly = (
        Runs(read_program(text.encode(), "p.bpl"), ["p"], frozenset(), [77]).more(1000, 60, None, 20) for text in (rare, plain)
    )
    assert plainly.runs < rarely.runs < 1000


@pytest.mark.parametrize("misreading", MISREADINGS, ids=lambda m: m.name)
def test_a_misreading_is_contradicted(misreading: Misreading) -> None:
    text, misread = misreading.text, misreading.text.replace(misreading.said, misreading.read)
    assert text != misread
    graph = parse_boogie(misread.encode(), "p.bpl")
    reading = ProgramReading(read_program(text.encode(), "p.bpl"), graph)
    prop, verdict = settled(graph)[f"assert at line {misreading.line}"]
    with pytest.raises(CertificateError):
        reading.read_again(prop, verdict, None)


@pytest.mark.parametrize("misreading", MISREADINGS, ids=lambda m: m.name)
def test_what_is_read_rightly_is_not(misreading: Misreading) -> None:
    """The same programs without the misreading; marks that the front end does not read yet, or refuses, are left out."""
    if any(word in misreading.text for word in ("{:", "free ")):
        return
    assert all(opinion is not None for _, opinion in readings(misreading.text).values())


@pytest.mark.parametrize("seed", range(SEEDS))
def test_execution_agrees_on_random_programs(seed: int) -> None:
    readings(random_program(seed), inline=seed % 2 == 0)  # raises nothing


def test_a_trace_with_another_value_is_contradicted() -> None:
    text = "procedure p() {\n  var x: int;\n  x := 4;\n  havoc x;\n  assert x == 4;\n}"
    graph = parse_boogie(text.encode(), "p.bpl")
    prop, verdict = settled(graph)["assert at line 5"]
    assert isinstance(verdict, Unsafe)
    trace = verdict.trace
    assert isinstance(trace, Derivation)
    reading = ProgramReading(read_program(text.encode(), "p.bpl"), graph)
    assert reading.read_again(prop, verdict, None) == "execution"
    fact = next(n for n, fact in enumerate(trace.facts) if fact.place.line == 4)
    forged = [replace(f, values=(5,)) if n == fact else f for n, f in enumerate(trace.facts)]
    with pytest.raises(CertificateError):
        reading.read_again(prop, Unsafe(replace(trace, facts=tuple(forged))), None)


@pytest.mark.parametrize(("number", "is_true"), [(9, False), (3, True)])
def test_a_claim_that_a_run_refutes_is_contradicted(number: int, is_true: bool) -> None:
    text = "procedure p(x: int) {\n  var y: int;\n  y := x;\n  assume y > 3;\n  assert y > 2;\n}"
    graph = parse_boogie(text.encode(), "p.bpl")
    places = [(n, place) for n, place in enumerate(graph.locations) if place.name == "p:5"]
    claims = [Claim(n, place, (build("<", (const(number, INT), _variable(place, "y"))),)) for n, place in places]
    reading = ProgramReading(read_program(text.encode(), "p.bpl"), graph)
    assert len(claims) == 1
    if is_true:
        assert reading.read_again(0, Safe(GraphInvariant(tuple(claims))), None) is not None
    else:
        with pytest.raises(CertificateError, match="claim"):
            reading.read_again(0, Safe(GraphInvariant(tuple(claims))), None)


def _variable(place: Location, name: str) -> Term:
    return next(v for v in place.variables if name_of(v) == name)


@pytest.mark.parametrize(
    "text",
    [
        "procedure p(m: [int]int) {\n  assume (forall i: int :: m[i] > 0);\n  assert m[1] + m[2] > 0 || true;\n}",
        "axiom 1 == 2;\nprocedure p() {\n  assert false;\n}",
        "procedure p(x: int) {\n  assume x div 0 == 1;\n  assert x == x;\n}",
    ],
)
def test_where_nothing_can_be_executed_there_is_no_contradiction(text: str) -> None:
    assert {word for word, _ in readings(text).values()} == {"safe"}


def test_a_loop_that_is_not_told_has_no_second_opinion() -> None:
    text = "procedure p() {\n  var i: int;\n  i := 0;\n  while (i < 1000000000) {\n    i := i + 1;\n  }\n  assert i < 7;\n}"
    assert readings(text) == {"assert at line 7": ("unsafe", None)}


def test_the_same_seed_gives_the_same_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(programs, "PROGRAM_RUNS_S", 60)
    text = RICH.encode()
    graph, program = parse_boogie(text, "p.bpl"), read_program(text, "p.bpl")
    first, second, other = (ProgramReading(program, graph, seed)._runs(None) for seed in (3, 3, 4))
    assert first.runs > PROGRAM_IDLE_RUNS
    assert (first.steps, first.violated) == (second.steps, second.violated)
    assert first.steps != other.steps


def test_runs_find_what_is_violated() -> None:
    graph = parse_boogie(RICH.encode(), "p.bpl")
    seen = ProgramReading(read_program(RICH.encode(), "p.bpl"), graph)._runs(None)
    assert {"assert at line 41", "assert at line 50"} <= seen.violated


ON_WORDS = (
    "bvadd bvsub bvmul bvand bvor bvxor bvnand bvnor bvxnor bvcomp bvudiv bvurem bvsdiv bvsrem bvsmod bvshl bvlshr bvashr "
    "bvult bvule bvugt bvuge bvslt bvsle bvsgt bvsge"
)


@pytest.mark.parametrize("name", ON_WORDS.split())
def test_operators_on_words_are_those_of_smt_lib(name: str) -> None:
    width, draw = 5, random.Random(name)
    ours, sort = builtin(name, (), (width, width)), BitVec(width)
    assert ours is not None
    for _ in range(200):
        a, b = (draw.choice((0, 1, 15, 16, 31, draw.randrange(32))) for _ in range(2))
        term = operators(build)[name]((const(a, sort), const(b, sort)))
        assert ours(a, b) == evaluate([term], {})[0], (name, a, b)


SQUARES = """
procedure main() {
  var x, i: int; var y: real;
  x := 3; y := 1.5; i := 0;
  while (i < 1000) { i := i + 1; GROW }
  assert i >= 0;
}
"""


@pytest.mark.parametrize("grow", ["x := x * x;", "y := y * y;", "y := y + 1.0 / y;", "y := y ** 60.0;"])
def test_numbers_that_grow_without_end_end_a_run(grow: str) -> None:
    runs = seen_by_runs(SQUARES.replace("GROW", grow))
    assert runs.runs > 0
    assert not runs.violated


_DOUBLED = [f"function f{k}(x: int) returns (int) {{ f{k - 1}(x) + f{k - 1}(x + 1) }}\n" for k in range(1, 40)]
_BITS = ", ".join(f"b{k}: bool" for k in range(30))
ENDLESS = (
    f"function f0(x: int) returns (int) {{ x }}\n{''.join(_DOUBLED)}"
    "procedure main() { var x: int; x := f39(1); assert x == x; }",
    f"procedure main() {{ assume (forall {_BITS} :: b0 || !b0); assert true; }}",
)


@pytest.mark.parametrize("text", ENDLESS)
def test_one_expression_does_not_take_for_ever(text: str) -> None:
    started = time.monotonic()
    assert seen_by_runs(text).runs > 0
    assert time.monotonic() - started < 3 * LATE  # without a clock: days


def seen_by_runs(text: str) -> Seen:
    """What a fraction of a second of runs shows."""
    runs = Runs(read_program(text.encode(), "p.bpl"), ["main"], frozenset(), [])
    return runs.more(20, 0.1, None, 20)
