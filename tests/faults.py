"""Faults on purpose: rounds in which something breaks, and what must hold all the same.

    python -m tests.faults 500 faults.log 2      (500 rounds, two at a time; or: make faults ROUNDS=500)

Each round takes a shipped example, whose verdict is known, and a fault, both by its number: a worker or the supervisor gets a
signal at a random moment, memory or disk or descriptors run out, the clock jumps, there is no temporary folder. Afterwards:

- the verdict is the known one or ``unknown``, and the exit code fits what was said;
- two seconds later no process of the round is left;
- every file is whole: a certificate is accepted, a witness is replayed, and nothing else lies around.

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

from lemmata.bench import processes

EXAMPLES = Path(__file__).parent.parent / "examples"
CODES = {"safe": 0, "unsafe": 10, "unknown": 5}
SIGNALS = ("KILL", "TERM", "STOP", "QUIT", "USR1", "ABRT", "SEGV")
PATIENCE_S = 2.0  # until nobody may be left
LIMIT_S = 6.0  # --timeout of a run
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
    strike: Callable[[int], None] | None = None
    where: Path | None = None

    @property
    def proof(self) -> Path:
        """Where the certificate goes."""
        return self.folder / ("proof.aag" if self.example.suffix in (".aag", ".aig") else "proof.smt2")

    @property
    def witness(self) -> Path:
        """Where the witness goes."""
        return self.folder / "bug.wit"


def _signal_worker(name: str) -> Callable[[Round], None]:
    def prepare(one: Round) -> None:
        def strike(root: int) -> None:
            workers = [p.pid for p in processes.family(root) if p.parent == root and not p.is_zombie]
            if workers:
                _send(one.chance.choice(workers), name)

        one.strike = strike

    return prepare


def _signal_supervisor(name: str) -> Callable[[Round], None]:
    def prepare(one: Round) -> None:
        def strike(root: int) -> None:
            _send(root, name)
            if name == "STOP":
                time.sleep(0.5)
                _send(root, "CONT")

        one.strike = strike

    return prepare


def _send(pid: int, name: str) -> None:
    try:
        os.kill(pid, getattr(signal, f"SIG{name}"))
    except ProcessLookupError:
        return


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
    """One round; what happened, and what was wrong."""
    chance = random.Random(number)
    fault = list(FAULTS)[number % len(FAULTS)]
    example, expected = chance.choice(examples())
    with tempfile.TemporaryDirectory(prefix="lemmata-fault-") as name:
        one = Round(number, fault, example, expected, Path(name), chance)
        FAULTS[fault](one)
        started = time.monotonic()
        code, said, left = _run(one)
        seconds = time.monotonic() - started
        wrong = [*_wrong_answers(one, code, said), *left, *_wrong_files(one, code)]
    outcome = said or ("no answer" if code >= 0 else f"ended by {signal.Signals(-code).name}")
    return {
        "round": number,
        "fault": fault,
        "example": example.name,
        "code": code,
        "outcome": outcome,
        "seconds": round(seconds, 1),
        "wrong": wrong,
    }


def _run(one: Round) -> tuple[int, str, list[str]]:
    """Exit code, the verdict's word if one was printed, and complaints about processes that are left."""
    out = one.folder.parent / f"{one.folder.name}.out"
    call = [*one.launcher, "check", str(one.example), "--format", "json", "--timeout", str(LIMIT_S)]
    call += ["--certificate", str(one.proof), "--witness", str(one.witness), *one.options]
    with out.open("wb") as stdout:
        child = subprocess.Popen(
            call,
            cwd=one.where or one.folder,
            env={**os.environ, **one.environment},
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=lambda: _break(one),
        )
    if one.strike is not None:
        time.sleep(one.chance.random() ** 2 * 2.5)
        if child.poll() is None:
            one.strike(child.pid)
    try:
        code = child.wait(timeout=LIMIT_S + 30)
    except subprocess.TimeoutExpired:
        processes.kill(child.pid)
        child.wait()
        return -signal.SIGALRM, "", ["it never ended"]
    left = _left_over(child.pid)
    try:
        said = json.loads(out.read_bytes())["verdict"]
    except (ValueError, KeyError):
        said = ""
    out.unlink()
    return code, said, left


def _break(one: Round) -> None:
    """In the child, before it becomes the program."""
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
    lines = ["| fault | rounds | outcomes (exit code) | wrong |", "|---|---:|---|---:|"]
    for fault in FAULTS:
        own = [row for row in rows if row["fault"] == fault]
        seen = Counter(f"{row['outcome']} ({row['code']})" for row in own)
        outcomes = ", ".join(f"{count} × {what}" for what, count in seen.most_common())
        lines.append(f"| {fault} | {len(own)} | {outcomes} | {sum(bool(row['wrong']) for row in own)} |")
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
