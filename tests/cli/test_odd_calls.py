"""Odd calls: files that are none, paths that must not be touched, outputs that do not take what we say."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from lemmata.cli.output import is_rich
from tests.support.clock import HANGS
from tests.support.fake_engines import SAFE, TWO, UNSAFE, Fake, Raising, Sleepy, install
from tests.support.in_process import caller
from tests.support.paths import ROOT, with_tests
from tests.support.processes import children, wait_for

FAKES = str(ROOT / "tests" / "support" / "fake_engines.py")
WRONG = "aag 1 0 1 0 0 1\n2 99\n2\n"


class Killed(Fake):
    """What the kernel does when memory is short."""

    def check(self, prop, until=None):
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder of tiny circuits, which is the current one."""
    for name, text in {"safe": SAFE, "unsafe": UNSAFE, "two": TWO, "wrong\nname": WRONG, "safe\nname": SAFE}.items():
        (tmp_path / f"{name}.aag").write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def lemmata(folder, monkeypatch, capsys):
    """Call the program in this process; exit code, standard output, standard error."""
    return caller(monkeypatch, capsys)


def shell(call: str, **options) -> subprocess.CompletedProcess[str]:
    """Run a line of shell, in which ``lemmata`` is the program."""
    line = call.replace("lemmata", f"{sys.executable} -m lemmata")
    return subprocess.run(["bash", "-c", line], capture_output=True, text=True, timeout=HANGS, check=False, **options)


def refused(outcome: tuple[int, str, str]) -> str:
    """The one line of a wrong call or input."""
    code, out, err = outcome
    assert (code, out, err.count("\n")) == (2, "", 1), outcome
    return err


# files that are none


@pytest.mark.parametrize(
    "call", ["check {}", "info {}", "explain {}", "convert {} new.aag", "certify safe.aag {}", "replay safe.aag {}"]
)
def test_a_device_that_never_ends_is_refused_at_once(lemmata, call):
    assert "/dev/zero: this is a device" in refused(lemmata(*call.format("/dev/zero").split()))


def test_a_large_file_of_another_kind_is_refused_without_reading_it(lemmata, folder):
    for name in ("holes.aag", "holes"):
        with (folder / name).open("wb") as file:
            file.truncate(1 << 40)
        refused(lemmata("info", name))


@pytest.mark.parametrize("workers", ["1", "2"])
def test_the_time_limit_holds_for_a_pipe_that_says_nothing(lemmata, workers):
    os.mkfifo("pipe.aag")
    code, out, _ = lemmata("check", "pipe.aag", "--timeout", "0.3", "--workers", workers)
    assert (code, out.split("\n")[0]) == (5, "unknown")


@pytest.mark.parametrize("name", ["x" * 300 + ".aag", "/".join(["x" * 200] * 30) + ".aag"])
@pytest.mark.parametrize("call", ["check {}", "info {}", "bench {}", "check safe.aag --certificate {}"])
def test_a_path_that_is_too_long_is_a_wrong_path(lemmata, call, name):
    refused(lemmata(*call.format(name).split()))


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
@pytest.mark.parametrize("call", ["check {}", "info {}", "explain {}", "bench {}", "check safe.aag --witness {}"])
@pytest.mark.parametrize("locked", ["file.aag", "folder/file.aag"])
def test_what_may_not_be_touched_is_one_line(lemmata, folder, call, locked):
    path = folder / locked
    path.parent.mkdir(exist_ok=True)
    path.write_text(SAFE)
    (path if path.parent == folder else path.parent).chmod(0)
    try:
        refused(lemmata(*call.format(locked).split()))
    finally:
        path.parent.chmod(0o700)


@pytest.mark.parametrize("command", ["check", "info", "explain"])
def test_a_message_is_one_line_also_when_the_file_name_is_not(lemmata, command):
    assert refused(lemmata(command, "wrong\nname.aag")).startswith("lemmata: wrong\\nname.aag:2:3: ")


# paths that must not be touched


def test_a_numbered_certificate_never_overwrites_the_model(lemmata, folder):
    (folder / "proof-1.aag").write_text(TWO)
    assert "proof-1.aag is the model" in refused(lemmata("check", "proof-1.aag", "--certificate", "proof.aag"))
    (folder / "link-1.aag").symlink_to("two.aag")
    code, _, err = lemmata("check", "two.aag", "--certificate", "link.aag")
    assert code == 2
    assert "link-1.aag is the model" in err
    assert (folder / "proof-1.aag").read_text() == (folder / "two.aag").read_text() == TWO


def test_what_an_earlier_run_left_as_a_numbered_certificate_is_removed(lemmata, folder):
    for index in (0, 1):
        (folder / f"proof-{index}.txt").write_text("stale\n")
    assert lemmata("check", "two.aag", "--certificate", "proof.txt")[0] == 10
    assert not (folder / "proof-0.txt").exists()  # this property is unsafe
    assert (folder / "proof-1.txt").read_text() == "¬zero\n"


def test_a_witness_may_go_to_standard_output_although_that_is_a_file(folder):
    assert shell("echo before > out; lemmata check unsafe.aag --witness /dev/stdout >> out").returncode == 10
    written = (folder / "out").read_text()
    assert written.startswith("before\nunsafe\n")
    assert written.endswith("1\nb0\n0\n\n\n.\n")


def test_a_certificate_can_be_written_for_a_model_with_any_name(lemmata, folder):
    assert lemmata("check", "safe\nname.aag", "--certificate", "proof.aag")[0] == 0
    assert lemmata("certify", "safe\nname.aag", "proof.aag")[0] == 0


@pytest.mark.parametrize("names", [("a", "a"), ("a ∨ b", "!c"), ("# a", " b"), ("true", "¬l0"), ("l1", "l0"), ("x | y", "")])
def test_a_readable_certificate_is_accepted_whatever_the_latches_are_called(lemmata, folder, names):
    (folder / "odd.aag").write_text(
        "aag 2 0 2 0 0 1\n2 4\n4 4\n2\n" + "".join(f"l{i} {name}\n" for i, name in enumerate(names))
    )
    assert lemmata("check", "odd.aag", "--certificate", "proof.txt")[0] == 0
    assert lemmata("certify", "odd.aag", "proof.txt")[0] == 0


# outputs that do not take what we say


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("call", ["check safe.aag", "check safe.aag --format jsonl", "explain safe.aag", "check --help"])
def test_a_full_disk_is_named_and_is_no_bug_of_ours(folder, call):
    done = shell(f"lemmata {call} > /dev/full")
    assert done.returncode == 1
    assert "no space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


def test_messages_do_not_go_to_standard_output_when_standard_error_is_closed(folder):
    done = shell("lemmata check nothing.aag 2>&-")
    assert (done.returncode, done.stdout) == (2, "")


@pytest.mark.parametrize(("encoding", "expected"), [("utf-8", True), ("UTF8", True), ("ascii", False), ("latin-1", False)])
def test_a_terminal_that_knows_no_logic_signs_gets_the_plain_report(monkeypatch, encoding, expected):
    class Screen(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr(sys, "stdout", Screen(io.BytesIO(), encoding))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert is_rich() is expected


def test_colours_can_be_forced_and_forbidden(monkeypatch):
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(io.BytesIO(), "utf-8"))
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert is_rich()
    monkeypatch.setenv("NO_COLOR", "1")
    assert not is_rich()


# numbers without end, signals, bugs


@pytest.mark.parametrize(
    "option",
    ["--property=" + "9" * 5000, "--technique=renew=" + "9" * 5000, "--memory=" + "9" * 30, "--seed=" + "9" * 30],
)
def test_a_number_without_end_is_a_wrong_number(lemmata, option):
    refused(lemmata("check", "safe.aag", option))


def test_a_property_may_have_leading_zeros(lemmata):
    assert lemmata("check", "two.aag", "--property", "0" * 5000 + "1")[0] == 0


def test_certify_gives_back_the_handler_of_ctrl_c(lemmata, folder):
    (folder / "proof.txt").write_text("¬still\n")
    assert lemmata("certify", "safe.aag", "proof.txt")[0] == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_under_nohup_a_hangup_does_not_end_the_run(folder):
    call = [sys.executable, FAKES, "Sleepy", "check", "safe.aag", "--timeout", "2"]
    ignoring = f"import os, signal; signal.signal(signal.SIGHUP, signal.SIG_IGN); os.execv({sys.executable!r}, {call!r})"
    environment = with_tests()
    with subprocess.Popen([sys.executable, "-c", ignoring], stdout=subprocess.PIPE, text=True, env=environment) as running:
        assert wait_for(lambda: children(running.pid))  # it ignores hangups, and works
        running.send_signal(signal.SIGHUP)
        out, _ = running.communicate(timeout=HANGS)
    assert running.returncode == 5
    assert "timeout" in out


def test_a_bug_is_told_also_where_its_bundle_cannot_be_written(lemmata, folder, monkeypatch):
    install(monkeypatch, Raising)
    monkeypatch.setattr("lemmata.run.bundle.gettempdir", lambda: "/dev/null")
    gone = folder / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    code, out, err = lemmata("check", str(folder / "safe.aag"))
    assert (code, out.split("\n")[0]) == (1, "unknown")
    assert err.endswith("; please report it\n")


def test_a_worker_that_was_killed_is_mentioned_when_the_others_found_nothing(lemmata, monkeypatch):
    install(monkeypatch, Killed, Sleepy)
    code, out, err = lemmata("check", "safe.aag", "--workers", "2", "--timeout", "6")
    assert (code, out.split("\n")[0]) == (5, "unknown")
    assert err.startswith("lemmata: the process of pdr was killed")
