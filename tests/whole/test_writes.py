"""No half file, ever: full disks, limits and interruptions leave the old file or the new one."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lemmata import writes
from lemmata.config import Config
from lemmata.errors import UsageError
from lemmata.run import bundle
from lemmata.run.ledger import Bug
from lemmata.writes import write_whole
from tests.support.clock import HANGS
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
SOURCES = Path(writes.__file__).parent


@contextmanager
def small_disk(size: int) -> Iterator[None]:
    """No file of this process may become larger, as if the disk were full."""
    import signal

    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)


def test_a_file_is_whole_or_not_there(tmp_path: Path) -> None:
    target = tmp_path / "proof.aag"
    with small_disk(10), pytest.raises(UsageError, match=r"proof\.aag: cannot write: file too large"):
        write_whole(target, b"x" * 100_000)
    assert list(tmp_path.iterdir()) == []
    write_whole(target, b"old")
    with small_disk(10), pytest.raises(UsageError):
        write_whole(target, b"x" * 100_000)
    assert target.read_bytes() == b"old" and list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("moment", ["fsync", "replace"])
def test_a_disk_that_fills_late_leaves_nothing(moment: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(writes.os, moment, full)
    with pytest.raises(UsageError, match="no space left on device"):
        write_whole(tmp_path / "proof.aag", b"x")
    assert list(tmp_path.iterdir()) == []


def test_an_interruption_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(writes.os, "fsync", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_whole(tmp_path / "proof.aag", b"x")
    assert list(tmp_path.iterdir()) == []


def test_a_disk_without_fsync_is_a_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: object) -> None:
        raise OSError(errno.EINVAL, "")

    monkeypatch.setattr(writes.os, "fsync", unknown)
    write_whole(tmp_path / "a", b"x")
    assert (tmp_path / "a").read_bytes() == b"x"


def test_a_device_is_written_to_and_says_what_is_wrong() -> None:
    with pytest.raises(UsageError, match="/dev/full: cannot write: no space left on device"):
        write_whole("/dev/full", b"x")


def run(arguments: list[str], folder: Path, size: int | None = None) -> subprocess.CompletedProcess[str]:
    """``lemmata`` in ``folder``, on a disk where files may have so many bytes."""
    code = "import resource, signal, sys; from lemmata.__main__ import main\n"
    if size is not None:
        code += f"signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))\n"
    return subprocess.run(
        [sys.executable, "-c", f"{code}sys.argv[1:] = {arguments!r}\nmain()"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=HANGS,
    )


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (["check", str(EXAMPLES / "mutex-peterson.aag"), "--certificate"], "proof.aag"),
        (["check", str(EXAMPLES / "mutex-peterson.aag"), "--certificate"], "proof.txt"),
        (["check", str(EXAMPLES / "mutex-broken.aag"), "--witness"], "bug.wit"),
        (["check", str(EXAMPLES / "lia/even.vmt"), "--certificate"], "proof.smt2"),
        (["convert", str(EXAMPLES / "mutex-peterson.aag")], "out.aig"),
        (["convert", str(EXAMPLES / "lia/even.vmt")], "out.smt2"),
        (["info", str(EXAMPLES / "lia/even.vmt"), "--graph"], "out.dot"),
        (["explain", str(EXAMPLES / "welp/simple.btor2"), "--max-steps", "2", "--plot"], "plots"),
    ],
)
def test_every_command_writes_whole_files(call: list[str], name: str, tmp_path: Path) -> None:
    if "--plot" in call:
        pytest.importorskip("matplotlib")
    done = run([*call, name], tmp_path, size=8)
    assert done.returncode == 2 and "cannot write: file too large" in done.stderr, done.stderr
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_bench_says_that_the_disk_is_full(tmp_path: Path) -> None:
    for size, cause in ((0, "no temporary folder can be made"), (4, "cannot write: file too large")):
        done = run(["bench", str(EXAMPLES / "mutex-broken.aag"), "--timeout", "20", "--no-plots"], tmp_path, size)
        assert done.returncode == 2 and cause in done.stderr, done.stderr
        assert not any(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file())


def test_a_certificate_appears_under_its_name_only_when_it_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The path is tried before the work; a run that is killed leaves no empty file."""
    from lemmata.cli.files import reserve

    model, target = tmp_path / "m.aag", tmp_path / "proof.aag"
    model.write_bytes(b"")
    target.write_bytes(b"old")
    seen = list[list[str]]()
    force = Path.unlink

    def unlink(path: Path, missing_ok: bool = False) -> None:
        force(path, missing_ok)
        seen.append(sorted(found.name for found in tmp_path.iterdir()))

    monkeypatch.setattr(Path, "unlink", unlink)
    reserve(target, model)
    assert seen == [["m.aag", "proof.aag"], ["m.aag"]]
    reserve(target, model)
    assert seen[2:] == [["m.aag"], ["m.aag"]]


def test_a_bundle_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    bug = Bug("crash", "pdr", "a", "cause\x1b", "detail\n" * 10_000)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(bundle, "gettempdir", lambda: str(tmp_path))
    model = tmp_path / "evil\x1b.aag"
    model.write_bytes(b"aag 0 0 0 0 0\n")
    with small_disk(5000), pytest.raises(OSError, match="no folder"):
        bundle.write_bundle(bug, str(model), Config(), [])
    assert list(tmp_path.iterdir()) == [model]
    folder = bundle.write_bundle(bug, str(model), Config(), [])
    again = bundle.write_bundle(bug, str(model), Config(), [])
    assert (folder.name, again.name) == ("lemmata-bug-evil-1", "lemmata-bug-evil-2")
    assert sorted(path.name for path in folder.iterdir()) == ["bug.txt", "events.jsonl", r"evil\x1b.aag", "run.json"]
    assert "\x1b" not in (folder / "bug.txt").read_text()


WRITERS = {  # everything else goes through write_whole
    "writes.py": "the one place",
    "run/cluster/executor.py": "the file, into a scratch folder of its site",
    "run/bundle.py": "into a folder that gets its name when it is complete",
    "bench/peers.py": "into the scratch folder of a run",
    "bench/runners.py": "the output of a run, into its scratch folder",
    "frontends/verilog/yosys.py": "the log of Yosys that was asked for; rewritten sources in a scratch folder",
    "frontends/slang/elaborate.py": "edited sources, in a scratch folder",
    "frontends/slang/desugar.py": "sources without imports and returns, in that folder",
    "run/sby/job.py": "into the folder of the task, as sby does",
    "bench/records.py": "rows are appended; one that is cut off is not read",
}


def test_nothing_else_opens_files_for_writing() -> None:
    signs = ("write_text(", "write_bytes(", '.open("w', '.open("a', '.open("x', "savefig(path", "NamedTemporaryFile")
    found = {
        str(path.relative_to(SOURCES)) for path in SOURCES.rglob("*.py") if any(sign in path.read_text() for sign in signs)
    }
    assert found == set(WRITERS)
