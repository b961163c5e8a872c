"""The command line: verdict words, exit codes, formats, files, messages."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from lemmata import __version__
from lemmata.cli import HOMES, app
from lemmata.run.task import Wanted
from tests.support.clock import HANGS
from tests.support.fake_engines import SAFE, TWO, UNSAFE, Helpless, Lying, Raising, Sleepy, install
from tests.support.in_process import caller
from tests.support.paths import ROOT

GARBAGE = "aag 1 0 1 0 0 1\n2 99\n2\n"
NOTHING = "aag 0 0 0 0 0\n"
JUSTICE = "aag 1 0 1 0 0 1 0 1\n2 2\n2\n1\n2\n"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of tiny circuits, which is the current one."""
    texts = {"safe": SAFE, "unsafe": UNSAFE, "two": TWO, "garbage": GARBAGE, "nothing": NOTHING, "justice": JUSTICE}
    for name, text in texts.items():
        (tmp_path / f"{name}.aag").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lemmata(folder, monkeypatch, capsys):
    """Call the program in this process; exit code, standard output, standard error."""
    return caller(monkeypatch, capsys)


@pytest.mark.parametrize(
    ("file", "word", "code"), [("safe.aag", "safe", 0), ("unsafe.aag", "unsafe", 10), ("two.aag", "unsafe", 10)]
)
@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_first_line_is_the_verdict_and_the_exit_code_agrees(lemmata, file, word, code, workers):
    ended, out, err = lemmata("check", file, "--workers", workers)
    assert (ended, out.split("\n")[0], err) == (code, word, "")


def test_every_property_has_a_line_in_file_order(lemmata):
    _, out, _ = lemmata("check", "two.aag")
    lines = [line.split() for line in out.splitlines()]
    assert lines[1] == ["property", "verdict", "engine", "bound", "depth", "certified", "seconds"]
    assert lines[2][:2] == ["hot", "unsafe"]
    assert lines[2][4:6] == ["1", "yes"]
    assert lines[3][:2] == ["cold", "safe"]


def test_a_proof_is_shown_in_the_names_of_the_file(lemmata):
    _, out, _ = lemmata("check", "safe.aag", "--engine", "pdr")
    assert "invariant of moved:\n  ¬still\n" in out


def test_a_trace_is_shown_step_by_step(lemmata):
    _, out, _ = lemmata("check", "unsafe.aag")
    assert "trace to hot:\n  step     0  1\n" in out


def test_short_evidence_of_several_properties_is_shown(lemmata):
    out = lemmata("check", "two.aag", "--engine", "pdr")[1]
    assert "trace to hot" in out
    assert "invariant of cold" in out


def test_long_evidence_is_cut_with_a_hint(lemmata, folder):
    bits = 30
    shift = [f"{2 * k} {2 * (k - 1) if k > 1 else 1}" for k in range(1, bits + 1)]
    Path("shift.aag").write_text("\n".join([f"aag {bits} 0 {bits} 0 0 1", *shift, str(2 * bits), ""]))
    code, out, _ = lemmata("check", "shift.aag", "--engine", "bmc")
    assert code == 10
    assert " more lines: -v shows them, --witness FILE writes them" in out
    assert "step 30" in lemmata("check", "shift.aag", "--engine", "bmc", "-v")[1]


def test_json_is_the_documented_object(lemmata):
    code, out, _ = lemmata("check", "two.aag", "--format", "json", "--engine", "pdr")
    document = json.loads(out)
    assert code == 10
    assert list(document) == [
        *("tool", "version", "file", "verdict", "time_s", "cpu_s", "memory_mb", "properties", "not_checked"),
        *("notes", "sha256", "seed", "options", "versions"),
    ]
    assert (document["tool"], document["version"], document["verdict"]) == ("lemmata", __version__, "unsafe")
    hot, cold = document["properties"]
    keys = ["name", "verdict", "reason", "why", "engine", "bound", "depth", "certified", "by", "read_by"]
    keys += ["time_s", "invariant", "checks", "trace", "statistics", "engines", "most_returned", "kind", "file", "line"]
    assert list(hot) == list(cold) == keys
    assert hot["trace"] == {"property": 0, "depth": 1, "initial": "00", "inputs": ["", ""]} | {
        "latch_names": ["toggle", "zero"],
        "input_names": [],
        "states": ["00", "10"],
        "relevant_inputs": ["", ""],
    }
    assert cold["invariant"] == {"kind": "clauses", "clauses": ["¬zero"]}
    assert hot["reason"] is cold["reason"] is hot["invariant"] is cold["trace"] is None


def test_jsonl_streams_documented_events_and_ends_with_that_object(lemmata):
    _, out, _ = lemmata("check", "two.aag", "--format", "jsonl", "--engine", "pdr")
    *events, result = [json.loads(line) for line in out.splitlines()]
    assert result["tool"] == "lemmata"
    documented = (ROOT / "docs" / "json.md").read_text()
    for event in events:
        assert {"event", "time_s", "engine", "property"} <= set(event)
        assert f"`{event['event']}`" in documented
    kinds = [(event["event"], event["property"]) for event in events]
    assert kinds.index(("property_started", "hot")) < kinds.index(("certified", "hot"))
    assert [event["time_s"] for event in events] == sorted(event["time_s"] for event in events)


@pytest.mark.parametrize(("file", "word", "code"), [("safe.aag", "unsat", 0), ("unsafe.aag", "sat", 10)])
def test_hwmcc_words_and_evidence_files(lemmata, file, word, code):
    assert lemmata("check", "--format", "hwmcc", file, "cert.sat", "cert.unsat")[:2] == (code, f"{word}\n")
    assert Path("cert.sat").exists() == (word == "sat")
    assert Path("cert.unsat").exists() == (word == "unsat")


def test_hwmcc_says_so_when_unknown(lemmata, monkeypatch):
    install(monkeypatch, Helpless)
    assert lemmata("check", "--format", "hwmcc", "safe.aag") == (5, "unknown\n", "")


def test_html_is_a_page_with_escaped_names(lemmata):
    Path("evil.aag").write_text(SAFE.replace("moved", "<script>evil"))
    code, out, _ = lemmata("check", "evil.aag", "--format", "html")
    assert code == 0
    assert out.startswith("<!doctype html>")
    assert "<script>evil" not in out and "\\u003cscript\\u003eevil" in out


def test_unknown_has_its_reason_and_exit_code_5(lemmata, monkeypatch):
    install(monkeypatch, Helpless)
    code, out, _ = lemmata("check", "safe.aag")
    assert code == 5
    assert out.startswith("unknown\n")
    assert re.search(r"^moved +unknown +incomplete +\w+ +2 ", out, re.M)


def test_a_timeout_is_unknown_and_never_an_error(lemmata, monkeypatch):
    install(monkeypatch, Sleepy)
    code, out, err = lemmata("check", "safe.aag", "--timeout", "2", "--format", "json")
    assert (code, err) == (5, "")
    (prop,) = json.loads(out)["properties"]
    assert (prop["verdict"], prop["reason"], prop["bound"], prop["certified"]) == ("unknown", "timeout", 7, False)


@pytest.mark.parametrize(("kind", "file", "reason"), [(Lying, "unsafe.aag", "uncertified"), (Raising, "safe.aag", "error")])
def test_a_bug_of_ours_is_unknown_exit_1_and_names_its_bundle(lemmata, monkeypatch, kind, file, reason):
    install(monkeypatch, kind)
    code, out, err = lemmata("check", file, "--engine", "pdr", "--bundle-dir", "bugs")
    assert code == 1
    assert out.startswith("unknown\n")
    assert reason in out
    assert "Traceback" not in err
    (bundle,) = Path("bugs").iterdir()
    assert str(bundle) in err
    assert (bundle / file).read_text() == Path(file).read_text()
    assert (bundle / "events.jsonl").exists()


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        (["missing.aag"], "missing.aag: there is no such file"),
        (["--format", "hwmcc", "."], "directory"),
        (["garbage.aag"], "garbage.aag:2:"),
        (["nothing.aag"], "no property to check"),
        (["justice.aag", "-p", "j0"], "liveness is not supported yet"),
        (["two.aag", "-p", "7"], "there is no property 7"),
        (["two.aag", "--timeout", "0"], "above 0"),
        (["two.aag", "--timeout=-3"], "above 0"),
        (["two.aag", "--timeout", "nan"], "above 0"),
        (["two.aag", "--timeout", "soon"], "--timeout"),
        (["two.aag", "--memory", "0"], "memory"),
        (["two.aag", "--memory", "lots"], "--memory"),
        (["two.aag", "--engine", "magic"], "--engine"),
        (["two.aag", "--format", "xml"], "--format"),
        (["two.aag", "--technique", "lift"], "NAME=VALUE"),
        (["two.aag", "--technique", "lift=up"], "none, ternary, core"),
        (["two.aag", "--witness", "no/where/w"], "cannot write"),
        (["two.aag", "--certificate", "."], "suffix"),
        (["two.aag", "--certificate", "proof.pdf"], ".aag, .aig"),
        (["two.aag", "--certificate", "two.aag"], "is the model"),
        (["two.aag", "safe.aag", "--witness", "w.txt"], "are about one file"),
        (["two.aag", "safe.aag", "--format", "html"], "is about one file"),
        (["--format", "hwmcc", "two.aag", "one"], "CERT_SAT CERT_UNSAT"),
        ([], "FILE"),
    ],
)
def test_wrong_calls_and_inputs_are_one_message_and_exit_2(lemmata, arguments, hint):
    code, out, err = lemmata("check", *arguments)
    assert (code, out) == (2, "")
    assert hint.lower() in err.lower()
    assert "Traceback" not in err


def test_a_wrong_call_leaves_old_files_alone(lemmata):
    Path("old.wit").write_text("precious")
    assert lemmata("check", "two.aag", "--witness", "old.wit", "--timeout", "0")[0] == 2
    assert Path("old.wit").read_text() == "precious"


def test_no_stale_evidence_survives_a_run(lemmata):
    Path("old.wit").write_text("stale")
    assert lemmata("check", "safe.aag", "--witness", "old.wit")[0] == 0
    assert not Path("old.wit").exists()


def test_witnesses_are_replayed_and_mutants_rejected(lemmata):
    assert lemmata("check", "unsafe.aag", "--witness", "w")[0] == 10
    assert Path("w").read_text() == "1\nb0\n0\n\n\n.\n"
    code, out, _ = lemmata("replay", "unsafe.aag", "w", "-v")
    assert (code, out.split("\n")[0]) == (0, "accepted: hot is reached in 1 step")
    Path("w").write_text("1\nb0\n0\n\n.\n")
    code, out, _ = lemmata("replay", "unsafe.aag", "w")
    assert code == 1
    assert out.startswith("rejected: ")
    assert lemmata("replay", "unsafe.aag", "safe.aag")[0] == 2


def test_several_witnesses_in_one_file_are_all_replayed(lemmata):
    Path("both.aag").write_text("aag 1 0 1 0 0 2\n2 3\n2\n3\n")
    assert lemmata("check", "both.aag", "--witness", "w")[0] == 10
    assert Path("w").read_text().count("1\nb") == 2
    assert lemmata("replay", "both.aag", "w")[1].count("accepted") == 2
    Path("w").write_text(Path("w").read_text().replace("b1\n0", "b1\n1"))
    code, out, _ = lemmata("replay", "both.aag", "w")
    assert (code, out.count("accepted"), out.count("rejected")) == (1, 1, 1)


@pytest.mark.parametrize("suffix", [".aag", ".aig", ".txt", ".inv"])
def test_certificates_of_every_kind_are_accepted_by_certify(lemmata, suffix):
    assert lemmata("check", "two.aag", "-p", "cold", "--certificate", f"proof{suffix}")[0] == 0
    assert lemmata("certify", "two.aag", f"proof{suffix}", "-p", "cold") == (0, "accepted: cold is safe\n", "")
    code, out, _ = lemmata("certify", "two.aag", f"proof{suffix}", "-p", "hot")
    assert code == 1
    assert out.startswith("rejected: ")


@pytest.mark.parametrize("suffix", [".aag", ".txt"])
def test_proofs_by_kinduction_are_accepted_by_certify(lemmata, suffix):
    assert lemmata("check", "safe.aag", "--engine", "kinduction", "--certificate", f"proof{suffix}")[0] == 0
    assert lemmata("certify", "safe.aag", f"proof{suffix}")[0] == 0
    assert lemmata("certify", "unsafe.aag", f"proof{suffix}")[0] == 1


def test_certificates_of_several_properties_get_the_index(lemmata):
    assert lemmata("check", "two.aag", "--certificate", "proof.aag")[0] == 10
    assert sorted(path.name for path in Path().glob("proof*")) == ["proof-1.aag"]
    assert lemmata("certify", "two.aag", "proof-1.aag")[0] == 2  # which property?


def test_clauses_may_be_written_by_hand(lemmata):
    Path("mine.txt").write_text("# nothing moves\n! still\n")
    assert lemmata("certify", "safe.aag", "mine.txt")[0] == 0
    Path("mine.txt").write_text("still | ~l0\n")
    assert lemmata("certify", "safe.aag", "mine.txt")[0] == 1
    Path("mine.txt").write_text("\n¬nobody\n")
    code, _, err = lemmata("certify", "safe.aag", "mine.txt")
    assert code == 2
    assert "mine.txt:2:1: there is no latch 'nobody'" in err


def test_info_as_text_and_as_json(lemmata):
    assert "properties   2: hot, cold" in lemmata("info", "two.aag")[1]
    assert json.loads(lemmata("info", "two.aag", "--format", "json")[1])["latches"] == 2
    assert lemmata("info", "garbage.aag")[0] == 2


def test_convert_there_and_back(lemmata):
    assert lemmata("convert", "two.aag", "two.aig")[0] == 0
    assert lemmata("convert", "two.aig", "again.aag")[0] == 0
    assert Path("again.aag").read_text() == TWO


@pytest.mark.parametrize("command", ["check", "info", "certify", "replay", "convert", "explain", "bench"])
def test_every_command_has_help_with_examples(lemmata, command):
    code, out, _ = lemmata(command, "--help")
    assert code == 0
    assert re.search(rf"Examples?:\s.*lemmata {command}", out, re.S)


def test_version_and_overview(lemmata):
    assert lemmata("--version")[:2] == (0, f"lemmata {__version__}\n")
    out = lemmata("--help")[1]
    assert all(command in out for command in ("check", "info", "certify", "replay", "convert", "explain", "bench"))
    assert lemmata("frobnicate")[0] == 2


def test_names_cannot_talk_to_the_terminal(lemmata):
    Path("evil.aag").write_text(SAFE.replace("moved", "\x1b[31mred"))
    _, out, _ = lemmata("check", "evil.aag")
    assert "\x1b" not in out
    assert "\\x1b[31mred" in out


def test_techniques_and_presets_reach_the_engine(lemmata, monkeypatch):
    seen = []

    def check(source, config, **rest):
        seen.append((config, rest["wanted"]))
        raise KeyboardInterrupt

    monkeypatch.setattr("lemmata.run.supervise", check)
    options = ["--technique", "lift=none", "--technique", "renew=9", "--seed", "5", "--no-preprocess", "--memory", "99"]
    assert lemmata("check", "safe.aag", *options)[0] == 130
    assert lemmata("check", "safe.aag", "--preset", "textbook")[0] == 130
    (config, wanted), (textbook, _) = seen
    assert (config.pdr.lift, config.pdr.renew, config.seed, config.preprocess) == ("none", 9, 5, False)
    assert (config.memory_mb, wanted) == (99, Wanted())
    assert (textbook.preset, textbook.engine) == ("textbook", "pdr")


def program(*arguments: str, **options) -> subprocess.CompletedProcess[str]:
    call = [sys.executable, "-m", "lemmata", *arguments]
    return subprocess.run(call, capture_output=True, text=True, timeout=HANGS, check=False, **options)


def test_numbers_of_thousands_of_digits_are_worked_with_and_shown(tmp_path):
    long = "1" + "0" * 2999 + "7"
    text = f"procedure p() {{ var x : int; x := {long} * {long}; assert x > 0; assert x > {long} * {long}; }}"
    (tmp_path / "long.bpl").write_text(text)
    done = program("check", "long.bpl", "--workers", "1", "--timeout", "300", "--format", "json", cwd=tmp_path)
    square = "1" + "0" * 2998 + "14" + "0" * 2998 + "49"
    assert (done.returncode, done.stderr) == (10, "") and square in done.stdout


def test_the_program_as_a_program(folder):
    done = program("check", "two.aag", "--engine", "pdr")
    assert (done.returncode, done.stderr) == (10, "")
    assert done.stdout.startswith("unsafe\n")


def test_an_encoding_without_logic_signs_gets_ascii(folder):
    done = program("check", "safe.aag", "--engine", "pdr", env=os.environ | {"PYTHONIOENCODING": "ascii"})
    assert done.returncode == 0
    assert "  !still\n" in done.stdout


def test_a_reader_that_goes_away_is_no_error(folder):
    call = f"{sys.executable} -m lemmata check two.aag --format jsonl --engine pdr | true; echo ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", call], capture_output=True, text=True, timeout=HANGS, check=False)
    assert (done.stdout, done.stderr) == ("10\n", "")


def test_a_model_may_come_through_a_pipe_although_two_workers_want_it(folder):
    done = program("check", "/dev/stdin", "--workers", "2", input=TWO)
    assert (done.returncode, done.stdout.split("\n")[0], done.stderr) == (10, "unsafe", "")


def test_only_the_command_that_is_called_is_imported():
    code = "import sys, lemmata.cli; lemmata.cli.command_line()"
    seen = "import lemmata, sys; print(sorted(m for m in sys.modules if m.startswith('lemmata')))"
    assert subprocess.run([sys.executable, "-c", seen], capture_output=True, text=True, check=True).stdout == "['lemmata']\n"
    listed = "import atexit; atexit.register(lambda: print(*sys.modules))"
    done = subprocess.run([sys.executable, "-c", f"{code[:10]};{listed};{code}", "--version"], capture_output=True, text=True)
    assert "lemmata.cli.guard" in done.stdout
    for heavy in ("lemmata.run", "lemmata.engines", "lemmata.bench", "matplotlib", "rich", "multiprocessing"):
        assert f" {heavy} " not in done.stdout


def test_the_overview_needs_no_command_and_says_what_they_say(lemmata):
    listed = "import atexit, sys; atexit.register(lambda: print(*sys.modules)); from lemmata.__main__ import main; main()"
    done = subprocess.run([sys.executable, "-c", listed, "--help"], capture_output=True, text=True, check=True)
    for name, (home, summary) in HOMES.items():
        assert f" {home} " not in done.stdout
        command = app.get_command(click.Context(app), name)
        assert command.help.startswith(summary.partition(" Answer")[0])
    assert "rich" not in done.stdout.split()


def test_without_a_command_there_is_the_overview_and_exit_code_2(lemmata):
    code, out, err = lemmata()
    assert (code, err) == (2, "")
    assert out == lemmata("--help")[1]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_asks_the_program(lemmata, folder, monkeypatch, shell):
    monkeypatch.setenv("SHELL", f"/bin/{shell}")
    monkeypatch.setenv("HOME", str(folder))
    code, out, _ = lemmata("--show-completion")
    assert code == 0
    assert f"_LEMMATA_COMPLETE={shell}_complete" in out
    start = folder / {"bash": ".bashrc", "zsh": ".zshrc", "fish": ".config/fish/completions/lemmata.fish"}[shell]
    start.parent.mkdir(parents=True, exist_ok=True)
    start.write_text("# mine")
    for _ in range(2):
        assert lemmata("--install-completion")[0] == 0
    mine, ours = start.read_text().splitlines()
    assert mine == "# mine"
    assert f"_LEMMATA_COMPLETE={shell}_source lemmata" in ours


def test_completion_of_an_unknown_shell_is_refused(lemmata, monkeypatch):
    monkeypatch.setenv("SHELL", "/bin/tcsh")
    code, out, err = lemmata("--install-completion")
    assert (code, out, err) == (2, "", "lemmata: SHELL=tcsh: completion is for bash, zsh, fish\n")


def test_completion_answers_with_engines_and_techniques():
    for words, expected in {"--engine lif": ["plain,lifted"], "--technique lift=c": ["plain,lift=core"]}.items():
        call = {"COMP_WORDS": f"lemmata check {words}", "COMP_CWORD": "3", "_LEMMATA_COMPLETE": "bash_complete"}
        done = subprocess.run([sys.executable, "-m", "lemmata"], env={**os.environ, **call}, capture_output=True, text=True)
        assert done.stdout.split() == expected
