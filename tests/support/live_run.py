"""A run of ``lemmata check --watch`` that goes on until somebody stops it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from tests.support.clock import HANGS
from tests.support.paths import ROOT

ENDLESS = ROOT / "examples" / "fifo-data.aag"  # for k-induction, which does not settle it within minutes


class LiveRun:
    """The process, and its address as it says it."""

    def __init__(self, file: Path, *options: str) -> None:
        call = [sys.executable, "-m", "lemmata", "check", str(file), "--watch", "--timeout", str(HANGS), *options]
        self.process = subprocess.Popen(call, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT)
        assert self.process.stderr is not None
        said = re.search(r"http://\S+", self.process.stderr.readline())
        assert said is not None
        self.address = said[0]
        self.host, self.path = urlsplit(self.address).netloc, urlsplit(self.address).path

    def ask(
        self, path: str, method: str = "GET", body: str | None = None, host: str | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """The answer to a request: code, headers, body."""
        connection = HTTPConnection(self.host, timeout=HANGS)
        connection.request(method, path, body, {"Host": host or self.host})
        answer = connection.getresponse()
        found = answer.status, dict(answer.getheaders()), answer.read()
        connection.close()
        return found

    def ended(self) -> tuple[int, str]:
        """The exit code and the output, when the run is over."""
        out, _ = self.process.communicate(timeout=HANGS)
        return self.process.returncode, out


@contextmanager
def live_run(file: Path = ENDLESS, *options: str) -> Iterator[LiveRun]:
    """A run that is ended afterwards, whatever happened."""
    run = LiveRun(file, *(options or ("--engine", "kinduction")))
    try:
        yield run
    finally:
        if run.process.poll() is None:
            os.kill(run.process.pid, 15)
            run.process.wait(HANGS)
        for stream in (run.process.stdout, run.process.stderr):
            assert stream is not None
            stream.close()
