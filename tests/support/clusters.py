"""Clusters of a few small nodes on this machine, their processes, and campaigns that lose some of them.

Every process that is started from here has a word in its environment by which it is found again, whoever its parent is now.
"""

from __future__ import annotations

import json
import os
import secrets
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

MARK = "LEMMATA_TEST_CLUSTER"
FORK_SERVER = "lemmata.run.cluster.fork_server"
STORE_BYTES = 80_000_000  # of each node


def marked(word: str) -> dict[int, str]:
    """The processes with this word in their environment, but us: command lines by number; those that are gone are not."""
    found = {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit() and int(folder.name) != os.getpid():
            try:
                if f"{MARK}={word}".encode() in (folder / "environ").read_bytes():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            except OSError:
                continue
    return found


def worked(word: str) -> dict[int, float]:
    """The processor seconds of each process; those of a fork server's forks are its own once they have ended."""
    found = {}
    names = marked(word)
    for pid, name in names.items():
        try:
            fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        except OSError:
            continue
        is_fork_server = FORK_SERVER in name
        if is_fork_server and FORK_SERVER in names.get(int(fields[1]), ""):
            continue
        found[pid] = sum(map(int, fields[11 : 15 if is_fork_server else 13])) / os.sysconf("SC_CLK_TCK")
    return found


@contextmanager
def nodes(number: int, cpus: int = 1) -> Iterator[tuple[Any, str]]:
    """A head without processors and nodes with some, on 127.0.0.1: the cluster, and the word of its processes."""
    word = secrets.token_hex(8)
    os.environ |= {MARK: word, "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0", "RAY_USAGE_STATS_ENABLED": "0"}
    from ray.cluster_utils import Cluster

    common = {"node_ip_address": "127.0.0.1", "object_store_memory": STORE_BYTES, "include_dashboard": False}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **common})
    try:
        for _ in range(number):
            cluster.add_node(num_cpus=cpus, **common)
        yield cluster, word
    finally:
        cluster.shutdown()
        del os.environ[MARK]


def driver(folder: Path, address: str, journal: Path, *options: str) -> subprocess.Popen[bytes]:
    """``lemmata check FOLDER --cluster ADDRESS`` in a process of its own, whose output is a file beside the journal."""
    command = [sys.executable, "-m", "lemmata", "check", str(folder), "--cluster", address, "--journal", str(journal)]
    with journal.with_suffix(".out").open("wb") as output:
        return subprocess.Popen([*command, "--format", "jsonl", *options], stdout=output)


def finished(process: subprocess.Popen[bytes], journal: Path, seconds: float) -> dict[str, tuple[str, ...]]:
    """The verdicts of a driver that has so long for the rest."""
    process.wait(seconds)
    return verdicts(documents(journal.with_suffix(".out").read_text()))


def lines(journal: Path) -> list[dict[str, Any]]:
    """What a journal has, without a last line that is being written."""
    text = journal.read_text() if journal.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n") and line.strip()]


def wait_for_lines(journal: Path, number: int, process: subprocess.Popen[bytes], seconds: float) -> None:
    """Until so many items are settled."""
    until = time.monotonic() + seconds
    while len(lines(journal)) < number and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)


def wait_until_gone(word: str, seconds: float, pids: dict[int, str] | None = None) -> dict[int, str]:
    """The processes of a cluster that are still there after so many seconds."""
    until = time.monotonic() + seconds
    while (left := {pid: name for pid, name in marked(word).items() if pids is None or pid in pids}) and (
        time.monotonic() < until
    ):
        time.sleep(0.01)
    return left


def verdicts(documents: list[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """The verdicts of each file; twice the same file is an error."""
    found = {one["file"]: tuple(p["verdict"] for p in one["properties"]) for one in documents}
    assert len(found) == len(documents)
    return found


def documents(output: str) -> list[dict[str, Any]]:
    """Those of ``--format jsonl``, without events."""
    return [one for one in map(json.loads, output.splitlines()) if one.get("tool") == "lemmata"]


def kill(process: subprocess.Popen[bytes]) -> None:
    """With SIGKILL, as a machine does that loses its power."""
    process.send_signal(signal.SIGKILL)
    process.wait()
