"""The Python interface, from scripts, threads and notebooks."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
import time

import pytest

import lemmata
from tests.support.clock import HANGS, LATE
from tests.support.fake_engines import SAFE, TWO, UNSAFE, Raising, Sleepy, install
from tests.support.paths import ROOT


@pytest.fixture
def two(tmp_path):
    path = tmp_path / "two.aag"
    path.write_text(TWO)
    return path


def words(result: lemmata.Result) -> list[str]:
    return [p.verdict.word for p in result.properties]


BLOCKS = re.findall(r"```(?:python)?\n(.*?)```", (ROOT / "docs" / "api.md").read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize(("code", "shown"), list(zip(BLOCKS[::2], BLOCKS[1::2], strict=True)))
def test_the_examples_of_the_documentation_run_and_print_what_they_say(monkeypatch, capsys, code, shown):
    monkeypatch.chdir(ROOT)
    exec(compile(code, "docs/api.md", "exec"), {})
    printed = capsys.readouterr().out.splitlines()
    assert sorted(printed) == sorted(shown.splitlines())  # clauses come as the engine found them


def test_events_come_with_a_callback(two):
    heard: list[str] = []
    lemmata.check(two, engine="pdr", on_event=lambda news: heard.append(type(news.event).__name__))
    assert {"PropertyStarted", "Certified"} <= set(heard)


def test_a_watched_run_that_fails_raises(tmp_path):
    with pytest.raises(lemmata.InputError):
        list(lemmata.watch(tmp_path / "missing.aag"))


def test_witnesses_are_judged(two, tmp_path):
    (tmp_path / "bug.wit").write_text("1\nb0\n00\n\n\n.\n")
    judged = lemmata.replay_file(two, tmp_path / "bug.wit")
    assert judged and judged.evidence[0].states
    (tmp_path / "bug.wit").write_text("1\nb1\n00\n\n\n.\n")
    assert not lemmata.replay_file(two, tmp_path / "bug.wit")


def test_clauses_are_terms(two):
    (prop,) = lemmata.check(two, property=1, engine="pdr").properties
    (lemmas,) = lemmata.invariant_terms(prop.verdict.invariant).values()
    assert [lemmata.term_text(lemma) for lemma in lemmas] == prop.verdict.invariant.describe().splitlines()


def test_a_path_a_string_and_a_model_give_the_same(two):
    results = [lemmata.check(source) for source in (two, str(two), lemmata.load(two))]
    assert [words(result) for result in results] == [["unsafe", "safe"]] * 3
    assert {result.file for result in results} == {str(two)}


def test_properties_engines_and_techniques_can_be_chosen(two):
    result = lemmata.check(
        two, property=1, engine="pdr", technique={"lift": "ternary"}, timeout=300, memory=2000, seed=3, workers=1
    )
    assert [p.name for p in result.properties] == ["cold"]
    assert result.properties[0].certified


@pytest.mark.parametrize(
    ("error", "options"),
    [(lemmata.UsageError, {"timeout": 0}), (lemmata.UsageError, {"property": "warm"}), (lemmata.UsageError, {"engine": "x"})],
)
def test_wrong_calls_raise(two, error, options):
    with pytest.raises(error):
        lemmata.check(two, **options)


def test_a_preset_that_is_none_is_a_wrong_call(two):
    with pytest.raises(lemmata.UsageError, match="there is no preset 'weak': choose one of textbook, strong"):
        lemmata.explain_file(two, preset="weak")  # type: ignore[arg-type]


def test_wrong_input_raises_with_its_place(tmp_path):
    path = tmp_path / "bad.aag"
    path.write_text("aag 1 0 1 0 0 1\n2 99\n2\n")
    with pytest.raises(lemmata.InputError) as caught:
        lemmata.check(path)
    assert caught.value.place.line == 2
    assert str(caught.value).startswith(f"{path}:2:")


def test_everything_shows_itself_in_a_notebook(two):
    result = lemmata.check(two, engine="pdr")
    assert "<table>" in result._repr_html_()
    for prop in result.properties:
        evidence = prop.verdict.trace if isinstance(prop.verdict, lemmata.Unsafe) else prop.verdict.invariant
        assert evidence._repr_html_().startswith("<")


def test_it_works_beside_other_threads(two):
    stop = threading.Event()
    other = threading.Thread(target=stop.wait)
    other.start()
    try:
        assert words(lemmata.check(two, timeout=300)) == ["unsafe", "safe"]
    finally:
        stop.set()
        other.join()


def test_a_script_with_threads_needs_no_main_guard(two):
    script = (
        "import threading, lemmata\n"
        "threading.Thread(target=threading.Event().wait, daemon=True).start()\n"
        f"print(lemmata.check({str(two)!r}, timeout=300).verdict)\n"
    )
    path = two.with_name("script.py")
    path.write_text(script)
    done = subprocess.run([sys.executable, str(path)], capture_output=True, text=True, timeout=HANGS, check=False)
    assert (done.stdout, done.stderr) == ("unsafe\n", "")


def test_it_can_be_called_from_a_thread(two):
    results = []
    thread = threading.Thread(target=lambda: results.append(lemmata.check(two, timeout=300)))
    thread.start()
    thread.join()
    assert words(results[0]) == ["unsafe", "safe"]


def test_a_bug_is_a_warning_and_an_unknown(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    install(monkeypatch, Raising)
    (tmp_path / "m.aag").write_text(SAFE)
    with pytest.warns(RuntimeWarning, match="lemmata-bug-m-1"):
        result = lemmata.check("m.aag", workers=1)
    assert result.properties[0].verdict == lemmata.Unknown("error")


def test_ctrl_c_raises_with_the_partial_result(monkeypatch, tmp_path):
    install(monkeypatch, Sleepy)
    path = tmp_path / "m.aag"
    path.write_text(UNSAFE)
    previous = signal.signal(signal.SIGALRM, lambda *_: signal.raise_signal(signal.SIGINT))
    signal.setitimer(signal.ITIMER_REAL, 2)
    started = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt) as caught:
            lemmata.check(path)
    finally:
        signal.signal(signal.SIGALRM, previous)
    assert time.monotonic() - started < LATE
    (prop,) = caught.value.args[0].properties
    assert (prop.verdict, prop.bound) == (lemmata.Unknown("interrupted"), 7)


def test_progress_writes_a_line_and_wipes_it(monkeypatch, capsys, two):
    install(monkeypatch, Sleepy)
    lemmata.check(two, timeout=2, progress=True)
    shown = capsys.readouterr().err
    assert "bound 7" in shown
    assert shown.endswith("\r")


def test_the_module_offers_its_names_without_importing_anything():
    code = (
        "import lemmata, sys; assert 'check' in dir(lemmata); print(*(m for m in sys.modules if 'lemmata.' in m));"
        "import lemmata as l; print(all(hasattr(l, n) for n in l.__all__))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"]


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="lemmata"):
        lemmata.frobnicate  # noqa: B018
