"""``--engine traces`` as a user meets it: options, statistics, and how far a run came that hit its limit."""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from lemmata import check
from lemmata.config import Config, TraceOptions
from lemmata.engines.traces.engine import Traces
from lemmata.engines.traces.trace import EdgeTrace, Feasible, Infeasible
from lemmata.engines.traces.unrolled import Unrolled
from lemmata.errors import GaveUp, UsageError
from lemmata.events import Event
from lemmata.frontends import load
from lemmata.report.text import report
from lemmata.result import Result
from lemmata.run.ledger import Ledger
from lemmata.run.options import make_config
from lemmata.run.processes.messages import EventTold, Listed
from tests.support.clock import HANGS

GROWING = """procedure main() {
  var x, y: int;
  x := 0; y := 0;
  while (*) { x := x + 1; y := y + 1; }
  assert y >= 0;
}
"""
BROKEN = """procedure main() {
  var x: int;
  x := 0;
  while (x < 3) { x := x + 1; }
  assert x != 3;
}
"""


@pytest.fixture
def program(tmp_path: Path) -> Callable[[str], Path]:
    def write(text: str) -> Path:
        path = tmp_path / "program.bpl"
        path.write_text(text)
        return path

    return write


def numbers_of(result: Result) -> dict[str, object]:
    numbers = result.to_json()["properties"][0]["statistics"]  # type: ignore[index]
    assert isinstance(numbers, dict)
    return numbers


@pytest.mark.parametrize("checker", ["interpolants", "pdr"])
@pytest.mark.parametrize("blocks", ["large", "statement"])
def test_programs_are_proved_and_refuted(program: Callable[[str], Path], checker: str, blocks: str) -> None:
    for text, verdict in ((GROWING, "safe"), (BROKEN, "unsafe")):
        result = check(program(text), engine="traces", checker=checker, technique={"blocks": blocks}, timeout=HANGS)
        assert result.verdict == verdict and result.properties[0].engine == "traces" and result.properties[0].certified
        numbers = numbers_of(result)
        assert numbers["checker"] == checker and numbers["engine"] == "traces"
        assert numbers.keys() >= {"iterations", "trace", "states", "transitions", "predicates", "triples", "seconds"}
        json.dumps(numbers)


class Tired(Unrolled):
    """A checker that has no time for more than two traces."""

    count = 0

    def check(self, trace: EdgeTrace, until: float | None = None) -> Feasible | Infeasible:
        self.count += 1
        if self.count > 2:
            raise GaveUp("timeout")
        return super().check(trace, until)


def test_a_run_that_hits_its_limit_says_how_far_it_came(program: Callable[[str], Path]) -> None:
    graph = load(program(BROKEN))
    heard: list[Event] = []
    engine = Traces(graph, Tired(graph), heard.append)
    with pytest.raises(GaveUp, match="timeout"):
        engine.check(0)
    ledger = Ledger("program.bpl", Config(engine="traces"), time.monotonic())
    ledger.note("traces", Listed(((0, "assert at line 5"),)))
    for event in heard:
        ledger.note("traces", EventTold(0, event))
    result = ledger.result("timeout", 1.0)
    assert numbers_of(result) == engine.statistics()
    text = report(result)
    assert "statistics of assert at line 5:\n  engine traces, checker unrolled, iterations 3, predicates " in text
    assert "  trace: last " in text and ", longest " in text and "  states: now " in text


def test_what_an_answer_took_is_told_to_those_who_want_to_know(program: Callable[[str], Path]) -> None:
    result = check(program(BROKEN), engine="traces", timeout=HANGS)
    assert "statistics of" not in report(result) and "statistics of assert at line 5:" in report(result, verbose=True)


def test_other_engines_have_no_statistics(program: Callable[[str], Path]) -> None:
    result = check(program(BROKEN), engine="bmc", timeout=HANGS)
    assert result.properties[0].statistics is None


def test_options_of_traces_are_set_by_name() -> None:
    config = make_config(engine="traces", checker="pdr", technique={"blocks": "statement", "order": "new", "minimise": "off"})
    assert config.traces == TraceOptions("pdr", "statement", "new", False)
    assert make_config(engine="traces", technique={"checker": "pdr"}).traces.checker == "pdr"
    assert make_config(engine="traces", preset="thesis", checker="pdr", technique={"dnf": "on"}).thesis.dnf


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ({"engine": "traces", "checker": "magic"}, "interpolants, pdr"),
        ({"engine": "lifted", "checker": "pdr"}, "checker is a technique of engine traces, not of lifted"),
        ({"engine": "traces", "preset": "thesis"}, "with engine traces it belongs to --checker pdr"),
        ({"engine": "traces", "preset": "thesis", "checker": "interpolants"}, "it belongs to --checker pdr"),
        ({"engine": "traces", "technique": {"order": "index"}}, "shortest, new"),
        ({"engine": "pdr", "technique": {"order": "new"}}, "activity, index"),
        ({"engine": "traces", "technique": {"lift": "core"}}, "lift is a technique of engine pdr"),
    ],
)
def test_wrong_options_are_answered_with_the_right_ones(call: dict[str, object], words: str) -> None:
    with pytest.raises(UsageError, match=words):
        make_config(**call)  # type: ignore[arg-type]


def test_circuits_have_no_traces(tmp_path: Path) -> None:
    path = tmp_path / "one.aag"
    path.write_text("aag 1 1 0 1 0\n2\n2\n")
    with pytest.raises(UsageError, match="engine traces works on graphs"):
        check(path, engine="traces")
