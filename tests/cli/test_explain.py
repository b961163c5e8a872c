"""``lemmata explain``: the words of a run, its cuts, its verdicts, and the pages that quote it."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from lemmata import work
from lemmata.cli import app
from lemmata.cli import explain as command
from lemmata.cli.explain import View, explained
from lemmata.config import ExplainPresetName
from lemmata.engines.names import LIA_TEXTBOOK, TEXTBOOK, THESIS, WORD
from lemmata.errors import CertificateError, UsageError
from lemmata.events import Event, Step
from lemmata.frontends import load
from lemmata.frontends.aiger import parse_aiger
from lemmata.models.aig import Aig
from lemmata.models.graph import Graph
from lemmata.report.explanation.formula import Notation, subscript
from lemmata.report.explanation.lines import ReportLine, ordinal
from lemmata.run.flow import Flow
from lemmata.run.task import Task
from lemmata.steps import graph as graph_steps
from lemmata.steps import lia, textbook, thesis, words
from lemmata.steps.given import Given
from tests.support.clock import HANGS, in_time, ticking
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"


def tell(
    model: Aig | Graph, prop: str = "", preset: ExplainPresetName = TEXTBOOK, most: int = 200, seconds: float = HANGS
) -> tuple[int, str]:
    lines: list[ReportLine] = []
    code = explained(model, View(preset, prop, max_steps=most), work.now() + seconds, lines.append)
    return code, "\n".join(line.text for line in lines)


@pytest.mark.parametrize("name", ["thesis-2.3.1.aag", "thesis-2.3.2.aag"])
def test_the_documentation_quotes_the_runs_of_the_thesis_as_they_are(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "explain.md").read_text(encoding="utf-8")
    quoted = re.search(rf"```\n\$ lemmata explain examples/{re.escape(name)}\n(.*?)```", page, re.DOTALL)
    assert quoted is not None
    result = CliRunner().invoke(app, ["explain", f"examples/{name}"])
    assert quoted[1] == result.output


def test_an_unsafe_run_has_the_steps_of_the_thesis_as_titles() -> None:
    code, text = tell(load(EXAMPLES / "thesis-2.3.1.aag"))
    assert code == 10
    assert re.findall(r"^\d+\. Step: .*$", text, re.MULTILINE) == [
        "1. Step: check for a 0-counterexample",
        "2. Step: first transition",
        "3. Step: first propagation phase",
        "4. Step: second transition",
        "5. Step: second propagation phase",
        "6. Step: third transition",
        "7. Step: first blocking phase",
    ]
    assert "s₃ → s₂ → s₁ → ¬P" in text
    assert "Replayed on the file by simulation" in text


def test_a_blocked_state_is_added_to_all_frames_up_to_its_level() -> None:
    _, text = tell(load(EXAMPLES / "mutex-broken.aag"), most=8)
    assert "s₁ is blocked: add the clause ¬s₁ = " in text
    after = text[text.index("s₁ is blocked") :].split("\n")
    assert after[1].startswith("    F₁ = P ∧ ")
    assert after[2].startswith("    F₂ = P ∧ ")
    assert "Step: third transition, again" in text


def test_a_long_run_is_cut_and_counted_and_still_has_its_verdict() -> None:
    code, text = tell(load(EXAMPLES / "mutex-broken.aag"), most=5)
    assert code == 10
    assert text.count(". Step: ") == 5
    assert re.search(r"… and \d+ more steps, which --max-steps would show", text)
    assert "The counterexample has 6 transitions:" in text


def test_a_property_is_chosen_by_name_and_its_cone_is_all_that_is_shown() -> None:
    code, text = tell(load(EXAMPLES / "fifo.aag"), prop="overflow")
    assert code == 0
    assert text.startswith(f"{EXAMPLES / 'fifo.aag'}, property overflow\n4 latches, 2 inputs\n")
    assert "write0" not in text


def test_without_a_choice_the_first_property_is_explained_and_the_others_are_named() -> None:
    _, text = tell(load(EXAMPLES / "dead-end.aag"))
    assert "property one" in text
    assert "(the first of 3; --property chooses another: two, three)" in text


def test_constraints_and_reset_functions_are_part_of_the_head() -> None:
    _, text = tell(load(EXAMPLES / "dead-end.aag"), prop="three")
    assert "   and only with count0 ∨ ¬count1" in text
    _, text = tell(load(EXAMPLES / "ring-reset-function.aag"), prop="copy_differs")
    assert "I = (ring0 ∨ ¬copy) ∧ (¬ring0 ∨ copy)\n   and ring0 = ¬start0 ∧ ¬start1 ∧ ¬start2\n" in text
    assert "F₀ ∧ T ∧ ¬P′:  I ∧ T ∧ ¬P′" in text


def test_a_bad_initial_state_is_a_counterexample_without_a_transition() -> None:
    code, text = tell(load(EXAMPLES / "lfsr-free-start.aag"), prop="starts_at_zero")
    assert code == 10
    assert "An initial state is bad: a counterexample without a transition." in text
    assert "0 transitions" in text


def test_several_bad_cubes_stay_the_letter_p() -> None:
    _, text = tell(load(EXAMPLES / "gray-counter.aag"), prop="codes_differ", most=3)
    assert re.search(r"F₀ ∧ T ∧ ¬P′: .* ∧ T ∧ ¬P′", text)


def test_the_strong_preset_tells_bounds_and_lemmas() -> None:
    code, text = tell(load(EXAMPLES / "traffic-light.aag"), preset="strong", most=1000)
    assert code == 0
    assert "No bad state is reachable within 1 step." in text
    assert re.search(r"lemma, good for \d+ steps?: .*¬phase", text)
    assert "Checked again by cadical153" in text


def test_the_strong_preset_is_cut_too() -> None:
    _, text = tell(load(EXAMPLES / "traffic-light.aag"), preset="strong", most=3)
    assert re.search(r"… and \d+ more steps", text)


def test_past_its_time_a_run_is_unknown_and_says_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "now", ticking().__next__)
    code, text = tell(load(EXAMPLES / "traffic-light.aag"), most=1, seconds=200)  # looks at the clock
    assert code == 5
    assert "Verdict: unknown (timeout)" in text
    assert "lemmata check" in text


def test_a_large_circuit_is_refused_politely(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(command.MOST_LATCHES, TEXTBOOK, 10)
    with pytest.raises(UsageError, match="14 latches that crash depends on"):
        tell(load(EXAMPLES / "traffic-light.aag"))


def test_the_command_line_has_the_exit_codes_of_check() -> None:
    runner = CliRunner()
    assert runner.invoke(app, ["explain", str(EXAMPLES / "thesis-2.3.1.aag")]).exit_code == 10
    assert runner.invoke(app, ["explain", str(EXAMPLES / "thesis-2.3.2.aag")]).exit_code == 0
    assert runner.invoke(app, ["explain", str(EXAMPLES / "no-such-file.aag")]).exit_code == 2
    assert runner.invoke(app, ["explain", str(EXAMPLES / "fifo.aag"), "--property", "nothing"]).exit_code == 2
    assert runner.invoke(app, ["explain", str(EXAMPLES / "fifo.aag"), "--preset", "weak"]).exit_code == 2


def test_a_file_is_read_again_by_a_second_reader() -> None:
    done = CliRunner().invoke(app, ["explain", str(EXAMPLES / "thesis-2.3.1.aag")])
    assert "It holds for another reading of the file, too: second reader" in done.output


@pytest.mark.parametrize("preset", [TEXTBOOK, "strong"])
def test_evidence_that_fails_its_check_is_no_verdict(
    preset: ExplainPresetName, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def reject(*_: object) -> str:
        raise CertificateError("nobody believes it")

    monkeypatch.setattr("lemmata.run.worlds.circuit.certify", reject)
    code, text = tell(load(EXAMPLES / "thesis-2.3.2.aag"), preset=preset)
    assert code == 1 and "Verdict" not in text
    assert "this is a bug, please report it: the safe verdict was not certified: nobody believes it" in capsys.readouterr().err


RELATION = """(declare-fun x () (_ BitVec 3))
(declare-fun y () (_ BitVec 3))
(define-fun s () (_ BitVec 3) (! x :next y))
(define-fun i () Bool (! (= x #b000) :init true))
(define-fun t () Bool (! (= y (bvadd x #b010)) :trans true))
(define-fun p () Bool (! (not (= x #b101)) :invar-property 0))
"""


def test_words_that_are_a_relation_are_shown_bit_by_bit_too(tmp_path: Path) -> None:
    (tmp_path / "even.vmt").write_text(RELATION)
    code, text = tell(load(tmp_path / "even.vmt"), most=3)
    assert code == 0 and "(words are shown bit by bit: x[3] is bit 3 of x)" in text
    assert "1. Step: check for a 0-counterexample" in text


RUNS = [
    ("thesis-2.3.1.aag", TEXTBOOK, textbook.ZeroCheck),
    ("thesis-2.3.1.aag", "strong", Given),
    ("welp/simple.btor2", WORD, words.Snapshot),
    ("lia/slope.vmt", "strong", graph_steps.Learned),
    ("lia/slope.vmt", LIA_TEXTBOOK, lia.LiaZeroCheck),
    ("lia/slope.vmt", THESIS, thesis.ThesisZeroCheck),
]


@pytest.mark.parametrize(("name", "preset", "kind"), RUNS, ids=[f"{name} {preset}" for name, preset, _ in RUNS])
def test_steps_are_told_where_a_run_is_recorded_and_nowhere_else(
    name: str, preset: ExplainPresetName, kind: type[Step]
) -> None:
    model = load(EXAMPLES / name)
    for record in (True, False):
        heard: list[Event] = []
        config = replace(command.config_of(model, preset, 0, View()), record=record)
        flow = Flow(Task(model, config), heard.append)
        flow.prepare()
        flow.settle(0, in_time())
        steps = [event for event in heard if isinstance(event, Step)]
        if record:
            assert isinstance(steps[0], Given) and any(isinstance(step, kind) for step in steps)
        else:
            assert steps == []


def test_names_cannot_talk_to_the_terminal() -> None:
    model = parse_aiger(b"aag 1 0 1 0 0 1\n2 2\n2\nl0 a\x1b[31mb\n", "evil.aag")
    _, text = tell(model)
    assert "\x1b" not in text
    assert "a\\x1b[31mb" in text


# x, y, z are latches 2, 4, 6; gates: 8 = x ∧ y, 10 = ¬x ∧ ¬y, 12 = ¬8 ∧ ¬10 (x ⊕ y), 14 = 12 ∧ z, 16 = ¬14 ∧ x
FORMULAS = b"aag 8 0 3 0 5 1\n2 2\n4 4\n6 6\n16\n8 4 2\n10 5 3\n12 11 9\n14 12 6\n16 15 2\nl0 x\nl1 y\nl2 z\n"


@pytest.mark.parametrize(
    ("lit", "text"),
    [
        (0, "false"),
        (1, "true"),
        (2, "x"),
        (5, "¬y"),
        (8, "x ∧ y"),
        (9, "¬x ∨ ¬y"),
        (10, "¬x ∧ ¬y"),
        (11, "x ∨ y"),
        (12, "x ⊕ y"),
        (13, "x ↔ y"),
        (14, "z ∧ (x ⊕ y)"),
        (15, "¬z ∨ (x ↔ y)"),
        (16, "x ∧ (¬z ∨ (x ↔ y))"),
    ],
)
def test_a_function_is_written_as_the_papers_write_it(lit: int, text: str) -> None:
    assert Notation(parse_aiger(FORMULAS, "formulas.aag")).function(lit) == text


def test_a_long_function_says_what_it_reads() -> None:
    model = load(EXAMPLES / "combination-lock.aag")
    progress = next(i for i in range(model.latches) if model.latch_name(i) == "progress0")
    assert Notation(model).function(model.nexts[progress]).startswith("a function of key0, key1, progress0")


def test_long_clauses_and_frames_are_cut_and_say_how_long_they_are() -> None:
    model = load(EXAMPLES / "delay-lines.aig")
    text = Notation(model)
    cube = tuple(model.latch_lit(i) for i in range(20))
    assert text.clause(cube).endswith("∨ … (20 literals)")
    assert text.clauses([(lit,) for lit in cube]).endswith("∧ … (20 clauses)")
    assert text.some_cube([(lit,) for lit in cube]).endswith("∨ … (20 cubes)")
    assert text.cube(()) == "true"
    assert text.clause(()) == "false"


def test_numbers_are_written_as_in_a_lecture() -> None:
    assert [ordinal(n) for n in (1, 3, 10, 11, 12, 21, 22, 23, 111)] == [
        "first", "third", "tenth", "11th", "12th", "21st", "22nd", "23rd", "111th",
    ]  # fmt: skip
    assert subscript("F", 102) == "F₁₀₂"
