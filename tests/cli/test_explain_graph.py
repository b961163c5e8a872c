"""``lemmata explain`` on graphs over numbers: both presets, in words."""

from __future__ import annotations

import re

import pytest

from lemmata import work
from lemmata.cli.explain import View, explained
from lemmata.config import ExplainPresetName
from lemmata.engines.names import LIA_TEXTBOOK, TEXTBOOK, TRACES
from lemmata.errors import UsageError
from lemmata.frontends import load
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph, Location
from lemmata.report.explanation.lemmas import shown_places
from lemmata.report.explanation.lines import ReportLine
from tests.support.clock import HANGS, ticking
from tests.support.lia_graphs import X, Y, add, le, loop, phases
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"

LOOKS = 1000  # at a clock that ticks with each, for runs that would go on for ever


def tell(
    model: Aig | Graph, preset: ExplainPresetName | None, prop: str = "", most: int = 200, seconds: float = HANGS
) -> tuple[int, str]:
    lines: list[ReportLine] = []
    code = explained(model, View(preset, prop, max_steps=most), work.now() + seconds, lines.append)
    return code, "\n".join(line.text for line in lines)


def test_the_run_of_an_unsafe_example_is_told_with_the_proposals_words() -> None:
    code, text = tell(load(EXAMPLES / "lia" / "counter.vmt"), LIA_TEXTBOOK, most=1000)
    assert code == 10
    expected = """PDR(1)
  F₁ ∧ T ∧ ¬P′:  satisfiable; (x = 9) leads to a bad state.
  The pre-image of ¬P in F₁, as 1 cube:
    x = 9

  Block(⟨s, 1⟩) with s = x = 9
    F₁ ∧ ¬s ∧ T ∧ s′:  satisfiable
    F₀ ∧ ¬s ∧ T ∧ s′:  unsatisfiable, already because of x = 9
    x ≠ 9 is added to F₁:
      F₀ = x = 0
      F₁ = x < 10 ∧ x ≠ 9
"""
    assert expected in text
    assert "Even F₀ reaches s" in text and "Verdict: unsafe" in text and "Replayed on the file by evaluation" in text


def test_the_run_of_a_safe_example_ends_with_equal_frames() -> None:
    code, text = tell(load(EXAMPLES / "lia" / "slope.vmt"), LIA_TEXTBOOK, "kept")
    assert code == 0
    assert "F₂ and F₁ are the same states: P is valid." in text and "Verdict: safe" in text and "Checked again by " in text


def test_long_runs_are_cut_and_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "now", ticking().__next__)
    code, text = tell(load(EXAMPLES / "lia" / "even.vmt"), LIA_TEXTBOOK, most=9, seconds=LOOKS)
    assert code == 5 and "Verdict: unknown (timeout)" in text
    assert "more steps, which --max-steps would show" in text


def test_a_graph_with_several_locations_is_given_up_with_a_reason() -> None:
    code, text = tell(phases(3), LIA_TEXTBOOK)
    assert code == 5 and "one location" in text


def test_without_a_preset_the_strong_engine_is_shown_with_its_locations() -> None:
    code, text = tell(load(EXAMPLES / "lia" / "slope.vmt"), None, "bound")
    assert code == 0
    assert "Level 1: no derivation of the error is so deep." in text
    assert "lemma" in text and " at main: " in text and "obligation at level" in text


def test_presets_for_other_models_are_refused() -> None:
    circuit = load(EXAMPLES / "fifo.aag")
    with pytest.raises(UsageError, match="circuit of bits"):
        tell(circuit, LIA_TEXTBOOK)
    with pytest.raises(UsageError, match="there is lia-textbook"):
        tell(loop((0, 0), le(X, 3), (add(X, 1), Y), le(9, X)), TEXTBOOK)


def test_the_documentation_quotes_a_run_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "now", ticking().__next__)
    page = (EXAMPLES.parent / "docs" / "integers.md").read_text(encoding="utf-8")
    quoted = re.search(r"--preset lia-textbook --max-steps 30\n…\n(.*?)```", page, re.DOTALL)
    assert quoted is not None
    _, text = tell(load(EXAMPLES / "lia" / "even.vmt"), LIA_TEXTBOOK, most=30, seconds=LOOKS)
    assert quoted[1] in text + "\n"


def test_trace_abstraction_is_told_trace_by_trace() -> None:
    code, text = tell(load(EXAMPLES / "boogie" / "lock.bpl"), TRACES)
    assert code == 0
    assert "The automaton of all ways to the error has 16 states and 18 transitions." in text
    assert "  7: line 15: lock ≠ 0 → assert at line 15\n  It cannot be run.\n" in text
    assert "    after 2: lock = 0\n" in text and "nothing is left. No way to the error can be run." in text


def test_trace_abstraction_tells_the_trace_that_can_be_run() -> None:
    code, text = tell(load(EXAMPLES / "boogie" / "account-broken.bpl"), TRACES, "1")
    assert code == 10 and "  It can be run: the error is reached.\n" in text and "Verdict: unsafe" in text


def test_trace_abstraction_is_for_graphs() -> None:
    with pytest.raises(UsageError):
        tell(load(EXAMPLES / "thesis-2.3.1.aag"), TRACES)


def test_the_way_to_an_error_is_told_obligation_by_obligation() -> None:
    code, text = tell(load(EXAMPLES / "boogie" / "search-broken.bpl"), "strong")
    assert code == 10
    assert len(re.findall(r"obligation at level \d+", text)) > 5
    assert "A walk" not in text


def test_an_error_that_is_too_deep_for_the_frames_is_found_by_a_walk_that_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lemmata.engines.pdr.graph.engine._TOLD_LEVELS", 2)
    code, text = tell(load(EXAMPLES / "lia" / "counter.vmt"), "strong")
    assert code == 10
    assert re.search(r"A walk along \d+ edges meets the error", text)


def test_locations_of_one_statement_are_told_apart() -> None:
    places = [Location("f:3", (), 3, "x := 1"), Location("f:3~2", (), 3, "x := 1"), Location("f:4", (), 4, "y := 1")]
    told = shown_places(Graph(tuple(places), (), ()))
    assert told == {"f:3": "f:3 ‹x := 1›", "f:3~2": "f:3~2 ‹x := 1›", "f:4": "f:4 ‹y := 1›"}
