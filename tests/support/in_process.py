"""The program ``lemmata`` in this process, where what it does can be patched."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable

import pytest

from lemmata.cli import command_line

Call = Callable[..., tuple[int, str, str]]


def caller(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Call:
    """A call of the command line: exit code, standard output, standard error."""

    def call(*arguments: str) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["lemmata", *arguments])
        monkeypatch.setattr("lemmata.cli.check.STARTED", time.monotonic())
        with pytest.raises(SystemExit) as ended:
            command_line()
        captured = capsys.readouterr()
        return int(ended.value.code or 0), captured.out, captured.err

    return call
