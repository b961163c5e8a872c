"""Model checkers of others, where they are installed: Boolector's on BTOR2, ABC on AIGER; a process each, so asked rarely."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from lemmata.bench.peers import Abc, Btormc, find_abc, find_btormc
from lemmata.bench.runners import Finished, RunLimits
from tests.fuzz.world import Disagreement

SECONDS = 20


@cache
def peer(suffix: str) -> Abc | Btormc | None:
    """Who reads such files."""
    return find_btormc("btormc", "--kind -kmax 40") if suffix == ".btor2" else find_abc()


def compare(data: bytes, suffix: str, is_unsafe: bool) -> None:
    """Does the peer say the same of all properties together? What it does not know is no finding."""
    found = peer(suffix)
    if found is None:
        return
    with TemporaryDirectory() as folder:
        file = Path(folder, "x" + suffix)
        file.write_bytes(data)
        scratch = Path(folder, "scratch")
        scratch.mkdir()
        command = found.command(found.prepare(file, scratch), RunLimits(SECONDS, 1000))
        try:
            done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, timeout=SECONDS, check=False)
        except subprocess.TimeoutExpired:
            return
    answer = found.read(Finished(done.returncode, "", 0.0, 0.0, 0.0, done.stdout, done.stderr))  # type: ignore[arg-type]
    if answer.verdict in ("safe", "unsafe") and (answer.verdict == "unsafe") != is_unsafe:
        raise Disagreement("peer", f"{found.label} says {answer.verdict}, the file is {'unsafe' if is_unsafe else 'safe'}")
