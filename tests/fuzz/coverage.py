"""Line coverage of the modules that read, by ``sys.settrace`` (``sys.monitoring`` from Python 3.12 on).

Only code below the given folders of ``lemmata`` is traced; with ``sys.monitoring`` every line is reported once and then costs
nothing any more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import lemmata

ROOT = Path(lemmata.__file__).parent
Line = tuple[str, int]


class Coverage:
    """The lines reached so far of the modules below ``parts`` (paths relative to ``lemmata``)."""

    def __init__(self, parts: tuple[str, ...]) -> None:
        self.files = sorted(file for part in parts for file in _modules(ROOT / part))
        self._names = frozenset(map(str, self.files))
        self._all = {file: frozenset(_lines(compile(file.read_text(), str(file), "exec"))) for file in self.files}
        self.seen: set[Line] = set()
        self._tracer = _Monitor(self) if hasattr(sys, "monitoring") else _Tracer(self)

    def new_lines(self, work: Callable[[], object]) -> int:
        """Do the work (which may raise); how many lines were reached for the first time."""
        before = len(self.seen)
        with self._tracer.tracing(), suppress(Exception):
            work()
        return len(self.seen) - before

    def knows(self, file: str) -> bool:
        """Is the file one of ours?"""
        return file in self._names

    def report(self) -> dict[str, tuple[int, int]]:
        """For each module how many lines were reached, and how many there are."""
        result = {}
        for file in self.files:
            reached = {line for name, line in self.seen if name == str(file)}
            result[str(file.relative_to(ROOT))] = (len(self._all[file] & reached), len(self._all[file]))
        return result

    def share(self) -> float:
        """The part of all lines that was reached, in percent."""
        rows = self.report().values()
        return 100 * sum(reached for reached, _ in rows) / max(1, sum(lines for _, lines in rows))


class _Tracer:
    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage

    @contextmanager
    def tracing(self) -> Iterator[None]:
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        return self._line if self._coverage.knows(frame.f_code.co_filename) else None

    def _line(self, frame: FrameType, event: str, arg: Any) -> Any:
        if event == "line":
            self._coverage.seen.add((frame.f_code.co_filename, frame.f_lineno))
        return self._line


class _Monitor:
    _TOOL = 4  # one of the numbers that no debugger, profiler or coverage tool takes

    def __init__(self, coverage: Coverage) -> None:
        self._coverage = coverage

    @contextmanager
    def tracing(self) -> Iterator[None]:
        monitoring = sys.monitoring  # type: ignore[attr-defined]
        monitoring.use_tool_id(self._TOOL, "lemmata fuzz")
        monitoring.register_callback(self._TOOL, monitoring.events.LINE, self._line)
        monitoring.set_events(self._TOOL, monitoring.events.LINE)
        try:
            yield
        finally:
            monitoring.set_events(self._TOOL, 0)
            monitoring.free_tool_id(self._TOOL)

    def _line(self, code: CodeType, line: int) -> Any:
        if self._coverage.knows(code.co_filename):
            self._coverage.seen.add((code.co_filename, line))
        return sys.monitoring.DISABLE  # type: ignore[attr-defined]


def _modules(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _lines(code: CodeType) -> Iterator[int]:
    """The lines inside functions: those of modules and classes run at import, before anybody traces."""
    if code.co_flags & 2:  # a function has fast locals
        yield from (line for _, _, line in code.co_lines() if line is not None and line != code.co_firstlineno)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _lines(constant)
