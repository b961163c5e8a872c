"""The arithmetic of scores, on records written by hand."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from lemmata.bench import tables
from lemmata.bench.contestants import Lemmata, PeerAnswer
from lemmata.bench.peers import PeerCommand
from lemmata.bench.records import RecordStore, judge
from lemmata.bench.runners import Finished, RunLimits
from lemmata.bench.scores import disagreements, par2, ratio, score, subsets
from lemmata.errors import InputError
from tests.support.bench_records import BASE, TIMED_OUT

DONE = Finished(0, "", 1.0, 1.0, 1.0, "", "")


def test_par2_is_cpu_time_if_solved_and_twice_the_limit_otherwise() -> None:
    outcomes = ("wrong", "uncertified", "timeout", "memory", "unknown", "error")
    assert par2(BASE) == 1.0
    assert [par2(replace(BASE, outcome=outcome)) for outcome in outcomes] == [20.0] * 6


def test_a_score_counts_every_outcome_once() -> None:
    records = [
        BASE,
        replace(BASE, verdict="unsafe", cpu_s=2.5),
        TIMED_OUT,
        replace(TIMED_OUT, outcome="memory"),
        replace(TIMED_OUT, outcome="unknown"),
        replace(BASE, outcome="wrong"),
        replace(BASE, outcome="uncertified"),
        replace(TIMED_OUT, outcome="error"),
    ]
    got = score("s", "a", records)
    assert (got.files, got.solved, got.safe, got.unsafe) == (8, 2, 1, 1)
    assert (got.wrong, got.uncertified, got.unknown, got.timeout, got.memory, got.error) == (1, 1, 3, 1, 1, 1)
    assert (got.par2_s, got.par2_mean_s) == (3.5 + 6 * 20, pytest.approx(123.5 / 8, abs=1e-3))
    assert got.solved + got.wrong + got.uncertified + got.unknown + got.error == got.files


def test_a_ratio_compares_common_files_only_and_floors_short_times() -> None:
    records = [
        replace(BASE, file="1", cpu_s=4.0),
        replace(BASE, file="1", contestant="b", cpu_s=1.0),
        replace(BASE, file="2", cpu_s=0.01),  # counts as 0.1
        replace(BASE, file="2", contestant="b", cpu_s=0.1),
        replace(TIMED_OUT, file="3"),
        replace(BASE, file="3", contestant="b", cpu_s=2.0),
        replace(BASE, file="4", cpu_s=9.0),  # b has not run it
    ]
    got = ratio("s", "a", "b", records)
    assert (got.files, got.both_solved) == (3, 2)
    assert got.par2 == pytest.approx((4.0 + 0.01 + 20.0) / (1.0 + 0.1 + 2.0))
    assert got.time == pytest.approx((4.0 * 1.0) ** 0.5)


def test_a_ratio_of_nothing_is_none() -> None:
    got = ratio("s", "a", "b", [BASE])
    assert (got.files, got.par2, got.both_solved, got.time) == (0, None, 0, None)


@pytest.mark.parametrize(
    ("answer", "finished", "expected", "outcome"),
    [
        (PeerAnswer("safe", certified=True), DONE, "safe", "solved"),
        (PeerAnswer("safe"), DONE, "unknown", "solved"),
        (PeerAnswer("safe", certified=True), DONE, "unsafe", "wrong"),
        (PeerAnswer("unsafe"), replace(DONE, stopped="cpu"), "safe", "wrong"),
        (PeerAnswer("safe", certified=False), DONE, "safe", "uncertified"),
        (PeerAnswer("unknown", "uncertified", certified=False), DONE, "safe", "uncertified"),
        (PeerAnswer("safe"), replace(DONE, stopped="cpu"), "safe", "timeout"),
        (PeerAnswer("unknown"), replace(DONE, stopped="wall"), "safe", "timeout"),
        (PeerAnswer("unknown"), replace(DONE, stopped="memory"), "safe", "memory"),
        (PeerAnswer("unknown", "timeout"), DONE, "safe", "timeout"),
        (PeerAnswer("unknown", "memory"), DONE, "safe", "memory"),
        (PeerAnswer("unknown", "incomplete"), DONE, "safe", "unknown"),
        (PeerAnswer("unknown", "signal 6", is_error=True), DONE, "safe", "error"),
        (PeerAnswer("unknown", is_error=True), replace(DONE, stderr="what():  std::bad_alloc"), "safe", "memory"),
    ],
)
def test_every_answer_gets_the_outcome_it_deserves(answer: PeerAnswer, finished: Finished, expected: str, outcome: str) -> None:
    assert judge(answer, finished, expected) == outcome


def test_contradictions_show_only_where_nobody_knows_the_verdict() -> None:
    open_case = replace(BASE, expected="unknown")
    records = [
        open_case,
        replace(open_case, contestant="b", verdict="unsafe"),
        replace(open_case, contestant="c", verdict="unknown"),
    ]
    (found,) = disagreements([*records, replace(BASE, file="2"), replace(BASE, file="2", contestant="b", verdict="unsafe")])
    assert (found.file, found.safe, found.unsafe) == ("x/1.aig", ("a",), ("b",))


def test_a_stored_record_comes_back_and_a_torn_row_does_not(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "results.csv")
    odd = replace(BASE, options='--x "a,b"', reason="line\nbreak", certified=None)
    store.append(BASE)
    with store.path.open("a") as file:
        file.write("a,torn,row")
    store.append(odd)
    assert list(store.load().values()) == [BASE, odd]


def test_results_of_another_version_are_not_mixed_in(tmp_path: Path) -> None:
    store = RecordStore(tmp_path / "results.csv")
    store.path.write_text("contestant,file\na,b\n")
    with pytest.raises(InputError, match=r"results.csv:1:1: .*--fresh"):
        store.load()


def test_limits_and_options_are_part_of_the_key_but_the_build_is_not() -> None:
    others = [
        replace(BASE, timeout_s=20.0),
        replace(BASE, memory_limit_mb=7),
        replace(BASE, options="-x"),
        replace(BASE, digest="e"),
    ]
    assert len({record.key for record in [BASE, *others]}) == 5
    assert replace(BASE, version="2").key == BASE.key


def test_a_report_names_references_totals_and_alarms() -> None:
    records = [
        BASE,
        replace(BASE, contestant="peer", cpu_s=2.0),
        replace(BASE, subset="y", file="y/2.aig", verdict="unsafe", outcome="wrong"),
        replace(BASE, subset="y", file="y/2.aig", contestant="peer", cpu_s=5.0),
    ]
    shown = tables.bench_report(records, [Lemmata("a"), PeerCommand("peer", "{file}")], RunLimits(10.0, 100))
    assert shown.references == ("peer",)
    assert [(one.subset, one.contestant, one.solved) for one in shown.scores] == [
        ("x", "a", 1),
        ("x", "peer", 1),
        ("y", "a", 0),
        ("y", "peer", 1),
        ("total", "a", 1),
        ("total", "peer", 2),
    ]
    assert shown.ratios[-1].par2 == pytest.approx(21 / 7)
    assert shown.is_alarming
    page = tables.tables_markdown(shown)
    assert "| total | a | 2 | 1 | 1 | 0 | 1 | 0 | 0 | 0 | 21.0 | 10.50 |" in page
    assert "| total | a | peer | 2 | 3.00 | 1 | 0.50 |" in page
    assert "WRONG: a says unsafe on s/y/2.aig, expected safe" in page
    assert json.loads(tables.to_json(shown))["scores"][0]["par2_s"] == 1.0


def test_subsets_of_several_suites_are_told_apart() -> None:
    parts = subsets([BASE, replace(BASE, suite="t"), replace(BASE, suite="t", subset="t")])
    assert list(parts) == ["s/x", "t/x", "t", "total"]


def test_runs_that_wall_time_ended_are_pointed_out() -> None:
    records = [TIMED_OUT, replace(TIMED_OUT, file="2", cpu_s=3.0)]
    assert "1 runs were ended by wall time" in tables.tables_markdown(
        tables.bench_report(records, [Lemmata("a")], RunLimits(10.0, 100))
    )


def test_several_runs_of_lemmata_are_compared_with_the_first() -> None:
    records = [BASE, replace(BASE, contestant="b", cpu_s=3.0)]
    shown = tables.bench_report(records, [Lemmata("a"), Lemmata("b")], RunLimits(10.0, 100))
    assert [(one.contestant, one.reference, one.time) for one in shown.ratios] == [("b", "a", pytest.approx(3.0))]
    assert {one.subset for one in shown.scores} == {"total"}
