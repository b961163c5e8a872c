"""Faults on purpose: rounds in which something breaks, and what must hold all the same.

    python -m tests.support.faults 500 faults.log 2      (500 rounds, two at a time; or: make faults ROUNDS=500)

Each round takes a shipped example, whose verdict is known, and a fault, both by its number: a worker or the supervisor gets a
signal at a random moment, memory or disk or descriptors run out, the clock jumps, there is no temporary folder. Afterwards:

- the verdict is the known one or ``unknown``, and the exit code fits what was said;
- two seconds later no process of the round is left;
- every file is whole: a certificate is accepted, a witness is replayed, and nothing else lies around.

A signal counts only if somebody was there to get it: a round whose run was over too soon is tried again, with another moment,
and is *missed* if that never helps. Where a worker gets it, half of the runs have no other worker. Signals that the caller
ignores (as shells do for work in the background) are not ignored in a round. Standard output is a pipe, so that a full disk is
met by the files, not by the report.

The log has a line of JSON per round; rounds that are in it are not run again. The table is printed at the end.
"""

from __future__ import annotations

import csv
import json
import os
import random
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from typing import cast

from lemmata.bench import processes
from tests.support.paths import ROOT

EXAMPLES = ROOT / "examples"
CODES = {"safe": 0, "unsafe": 10, "unknown": 5}
SIGNALS = ("KILL", "TERM", "STOP", "QUIT", "USR1", "ABRT", "SEGV")
PATIENCE_S = 2.0  # until nobody may be left
LIMIT_S = 10.0  # --timeout of a run
TRIES = 8  # to be there while there is something to break
IGNORED = ("INT", "QUIT", "TERM", "HUP", "USR1")  # perhaps, by whoever calls us
CLOCK = """
import random, sys, time
chance, jump, wall, monotonic = random.Random({seed}), [0.0], time.time, time.monotonic
def shifted(clock, only_forward):
    def now():
        if chance.random() < 0.01:
            jump[0] += chance.choice([3600.0, 1e6] if only_forward else [-1e6, 3600.0, 1e6])
        return clock() + jump[0]
    return now
time.time = shifted(wall, False)
if {monotonic}:
    time.monotonic = shifted(monotonic, True)
from lemmata.__main__ import main
main()
"""


@dataclass(slots=True)
class Round:
    """One round while it goes on."""

    number: int
    fault: str
    example: Path
    expected: str
    folder: Path
    chance: random.Random
    options: list[str] = field(default_factory=list)
    environment: dict[str, str] = field(default_factory=dict)
    launcher: list[str] = field(default_factory=lambda: [sys.executable, "-m", "lemmata"])
    closed: tuple[int, ...] = ()
    limits: dict[int, int] = field(default_factory=dict)
    strike: Callable[[int], bool] | None = None  # whether it hit somebody
    needs_worker: bool = True
    where: Path | None = None

    @property
    def proof(self) -> Path:
        """Where the certificate goes."""
        return self.folder / ("proof.aag" if self.example.suffix in (".aag", ".aig") else "proof.smt2")

    @property
    def witness(self) -> Path:
        """Where the witness goes."""
        return self.folder / "bug.wit"


def _workers(root: int) -> list[int]:
    return [p.pid for p in processes.family(root) if p.parent == root and not p.is_zombie]


def _signal_worker(name: str) -> Callable[[Round], None]:
    def prepare(one: Round) -> None:
        def strike(root: int) -> bool:
            workers = _workers(root)
            return bool(workers) and _send(one.chance.choice(workers), name)

        one.strike = strike
        if one.chance.random() < 0.5:  # nobody else can go on
            one.options += ["--workers", "1"]

    return prepare


def _signal_supervisor(name: str) -> Callable[[Round], None]:
    def prepare(one: Round) -> None:
        def strike(root: int) -> bool:
            is_hit = _send(root, name)
            if name == "STOP":
                time.sleep(0.5)
                _send(root, "CONT")
            return is_hit

        one.strike = strike
        one.needs_worker = one.chance.random() < 0.7

    return prepare


def _send(pid: int, name: str) -> bool:
    """Whether there was a process that could get it."""
    found = processes.read_output(pid)
    if found is None or found.is_zombie:
        return False
    try:
        os.kill(pid, getattr(signal, f"SIG{name}"))
    except ProcessLookupError:
        return False
    return True


def _memory(one: Round) -> None:
    one.options += ["--memory", str(one.chance.randint(1, 60))]


def _address_space(one: Round) -> None:
    one.limits[resource.RLIMIT_AS] = one.chance.randint(60, 600) << 20


def _disk(one: Round) -> None:
    one.limits[resource.RLIMIT_FSIZE] = one.chance.choice([0, 1, 40, 200, 1000])


def _descriptors(one: Round) -> None:
    one.closed = tuple(fd for fd in (0, 1, 2) if one.chance.random() < 0.6)
    if one.chance.random() < 0.5:
        one.limits[resource.RLIMIT_NOFILE] = one.chance.randint(3, 24)


def _clock(one: Round) -> None:
    code = CLOCK.format(seed=one.number, monotonic=one.chance.random() < 0.5)
    one.launcher = [sys.executable, "-c", code]


def _no_temporary_folder(one: Round) -> None:
    one.environment["TMPDIR"] = one.chance.choice(["/proc", str(one.folder / "nowhere"), "/dev/null"])
    if one.chance.random() < 0.7:  # a crash, whose bundle has nowhere to go
        _signal_worker("ABRT")(one)
        one.where = Path("/proc")


FAULTS: dict[str, Callable[[Round], None]] = {
    **{f"worker {name}": _signal_worker(name) for name in SIGNALS},
    **{f"supervisor {name}": _signal_supervisor(name) for name in ("KILL", "TERM", "STOP", "QUIT", "USR1", "INT", "HUP")},
    "memory limit": _memory,
    "address space": _address_space,
    "full disk": _disk,
    "closed descriptors": _descriptors,
    "clock jumps": _clock,
    "no temporary folder": _no_temporary_folder,
}


def examples() -> list[tuple[Path, str]]:
    """Every shipped model with its verdict."""
    found = []
    for index in sorted(EXAMPLES.rglob("index.csv")):
        with index.open(encoding="utf-8") as file:
            found += [(index.parent / row["file"], row["expected"]) for row in csv.DictReader(file)]
    return [(path, expected) for path, expected in found if expected in ("safe", "unsafe")]


def perform(number: int) -> dict[str, object]:
    """One round; what happened, and what was wrong in any of its tries."""
    wrong: list[str] = []
    for attempt in range(TRIES):
        row = _attempt(number, attempt)
        wrong += cast("list[str]", row["wrong"])
        if row["hit"]:
            break
    return {**row, "wrong": wrong}


def _attempt(number: int, attempt: int) -> dict[str, object]:
    chance = random.Random(number * TRIES + attempt)
    fault = list(FAULTS)[number % len(FAULTS)]
    example, expected = chance.choice(examples())
    with tempfile.TemporaryDirectory(prefix="lemmata-fault-") as name:
        one = Round(number, fault, example, expected, Path(name), chance)
        FAULTS[fault](one)
        started = time.monotonic()
        ran = _run(one)
        seconds = time.monotonic() - started
        wrong = [*_wrong_answers(one, ran.code, ran.said), *ran.left, *_wrong_files(one, ran.code)]
    outcome = ran.said or ("no answer" if ran.code >= 0 else f"ended by {signal.Signals(-ran.code).name}")
    return {
        "round": number,
        "fault": fault,
        "example": example.name,
        "hit": ran.hit,
        "code": ran.code,
        "outcome": outcome,
        "seconds": round(seconds, 1),
        "wrong": wrong,
    }


@dataclass(frozen=True, slots=True)
class _Ran:
    """Exit code, the verdict's word if one was printed, whether the fault hit, complaints about what is left."""

    code: int
    said: str
    hit: bool
    left: list[str]


def _run(one: Round) -> _Ran:
    call = [*one.launcher, "check", str(one.example), "--format", "json", "--timeout", str(LIMIT_S)]
    call += ["--certificate", str(one.proof), "--witness", str(one.witness), *one.options]
    child = subprocess.Popen(
        call,
        cwd=one.where or one.folder,
        env={**os.environ, **one.environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        preexec_fn=lambda: _break(one),
    )
    printed: list[bytes] = []
    assert child.stdout is not None
    reader = Thread(target=lambda stream=child.stdout: printed.append(stream.read()), daemon=True)
    reader.start()
    hit = one.strike is None or _strike(one, child, one.strike)
    try:
        code = child.wait(timeout=LIMIT_S + 30)
    except subprocess.TimeoutExpired:
        processes.kill(child.pid)
        child.wait()
        return _Ran(-signal.SIGALRM, "", hit, ["it never ended"])
    left = _left_over(child.pid)
    reader.join(5)
    try:
        said = json.loads(b"".join(printed))["verdict"]
    except (ValueError, KeyError):
        said = ""
    return _Ran(code, said, hit, left)


def _strike(one: Round, child: subprocess.Popen[bytes], strike: Callable[[int], bool]) -> bool:
    """Wait for a moment, and strike; false if there was nobody any more."""
    while one.needs_worker and child.poll() is None and not _workers(child.pid):
        time.sleep(0.005)
    time.sleep(one.chance.random() ** 3 * (0.5 if one.needs_worker else 1.0))
    return child.poll() is None and strike(child.pid)


def _break(one: Round) -> None:
    """In the child, before it becomes the program."""
    for name in IGNORED:
        signal.signal(getattr(signal, f"SIG{name}"), signal.SIG_DFL)
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    for kind, amount in one.limits.items():
        resource.setrlimit(kind, (amount, amount))
    for fd in one.closed:
        os.close(fd)


def _left_over(session: int) -> list[str]:
    deadline = time.monotonic() + PATIENCE_S
    while orphans := [p.pid for p in processes.family(session) if not p.is_zombie]:
        if time.monotonic() > deadline:
            for pid in orphans:
                _send(pid, "KILL")
            return [f"{len(orphans)} processes are left after {PATIENCE_S:g} s"]
        time.sleep(0.05)
    return []


def _wrong_answers(one: Round, code: int, said: str) -> Iterator[str]:
    if said not in ("", "unknown", one.expected):
        yield f"said {said}, right is {one.expected}"
    if code in (0, 10) and code != CODES[one.expected]:
        yield f"exit code {code}, right is {CODES[one.expected]}"
    if code in (0, 10, 5) and said and code != CODES[said]:
        yield f"exit code {code} after {said}"
    if code not in (0, 10, 5, 1, 2, 120, 130) and code >= 0:
        yield f"exit code {code}"
    if code < 0 and not one.fault.startswith("supervisor"):
        yield f"the supervisor was ended by {signal.Signals(-code).name}"


def _wrong_files(one: Round, code: int) -> Iterator[str]:
    for path in sorted(one.folder.iterdir()):
        if path in (one.proof, one.witness):
            command = "certify" if path == one.proof else "replay"
            checked = subprocess.run(
                [sys.executable, "-m", "lemmata", command, one.example, path], capture_output=True, text=True, timeout=120
            )
            if checked.returncode:
                yield f"{path.name}: {(checked.stdout + checked.stderr).strip()[:200]}"
        elif path.name.startswith("lemmata-bug-"):
            if not {"run.json", "bug.txt", "events.jsonl"} <= {inner.name for inner in path.iterdir()}:
                yield f"half a bundle: {path.name}"
        elif code == -signal.SIGKILL and path.suffix == ".part":
            continue  # nobody can tidy up after that
        elif not path.name.startswith("proof-"):
            yield f"left behind: {path.name}"


def table(rows: list[dict[str, object]]) -> str:
    """Fault, rounds, outcomes with exit codes, and what was wrong."""
    lines = ["| fault | rounds | missed | outcomes (exit code) | wrong |", "|---|---:|---:|---|---:|"]
    for fault in FAULTS:
        own = [row for row in rows if row["fault"] == fault]
        seen = Counter(f"{row['outcome']} ({row['code']})" for row in own if row["hit"])
        outcomes = ", ".join(f"{count} × {what}" for what, count in seen.most_common())
        missed = sum(not row["hit"] for row in own)
        lines.append(f"| {fault} | {len(own)} | {missed} | {outcomes} | {sum(bool(row['wrong']) for row in own)} |")
    return "\n".join(lines)


def main(rounds: int, log: Path, jobs: int = 1) -> int:
    """Run what is missing in the log; 1 if anything was wrong."""
    rows = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    done = {row["round"] for row in rows}
    with ProcessPoolExecutor(jobs) as pool:
        for row in pool.map(perform, [number for number in range(rounds) if number not in done]):
            rows.append(row)
            with log.open("a") as file:
                file.write(json.dumps(row) + "\n")
            if row["wrong"]:
                print(f"round {row['round']}: {row['fault']} on {row['example']}: {row['wrong']}", flush=True)
    print(table(rows))
    return int(any(row["wrong"] for row in rows))


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), Path(sys.argv[2]), *map(int, sys.argv[3:])))
