"""What is found in a design: refusals with places, edits of the text, and what the netlist has to look like.

Offsets are those of the bytes in a file. The report is plain data: it leaves the process as JSON.
"""

from __future__ import annotations

from typing import Any

from pyslang import SourceLocation, SourceManager, SourceRange

DIFFERS = "its width or type differs between instances"


class Findings:
    """The report while it grows; the same place is reported once, however many instances there are."""

    def __init__(self, sources: SourceManager) -> None:
        self._sources = sources
        self._refusals: dict[tuple[str, int, int], dict[str, Any]] = {}
        self._edits: dict[tuple[str, int, int], str] = {}
        self._declared: dict[tuple[str, int, str], str] = {}
        self._calls: dict[tuple[str, int, int], str] = {}
        self.report: dict[str, Any] = {}

    def refuse(self, where: SourceLocation | SourceRange, cause: str, remedy: str = "") -> None:
        """Yosys would read this as something else, or the language forbids it."""
        place = self.place(where)
        self._refusals.setdefault(place, {"place": place, "cause": cause, "remedy": remedy})

    def edit(self, where: SourceRange, text: str, cause: str, remedy: str) -> None:
        """Replace a part of a file; what a macro made cannot be edited and is refused for ``cause``."""
        if self._sources.isMacroLoc(where.start) or self._sources.isMacroLoc(where.end):
            self.refuse(where, cause, remedy)
            return
        key = str(self._sources.getFullPath(where.start.buffer)), where.start.offset, where.end.offset
        if self._edits.setdefault(key, text) != text:
            self.refuse(where, f"{cause}: {DIFFERS}", remedy)

    def insert(self, where: SourceLocation, text: str, cause: str) -> None:
        """Put a text there, once, beside others."""
        if self._sources.isMacroLoc(where):
            self.refuse(where, cause)
            return
        file = str(self._sources.getFullPath(where.buffer))
        before = self._edits.get((file, where.offset, where.offset), "")
        if text not in before:
            self._edits[file, where.offset, where.offset] = before + text

    def declare(self, where: SourceLocation, name: str, text: str, cause: str) -> bool:
        """Put the declaration of a name there, once; false where it was declared there in another way."""
        file = str(self._sources.getFullPath(where.buffer))
        is_same = self._declared.setdefault((file, where.offset, name), text) == text
        if is_same:
            self.insert(where, text, cause)
        return is_same

    def wrap(self, where: SourceRange, function: str) -> bool:
        """Make it the argument of a function (none: leave it); false for what a macro made, or where instances differ."""
        if self._sources.isMacroLoc(where.start) or self._sources.isMacroLoc(where.end):
            return not function
        file = str(self._sources.getFullPath(where.start.buffer))
        return self._calls.setdefault((file, where.start.offset, where.end.offset), function) == function

    def place(self, where: SourceLocation | SourceRange) -> tuple[str, int, int]:
        """File, line and column; for what a macro made those of its use."""
        location = where.start if isinstance(where, SourceRange) else where
        while self._sources.isMacroLoc(location):
            location = self._sources.getExpansionLoc(location)
        file = str(self._sources.getFullPath(location.buffer))
        return file, self._sources.getLineNumber(location), self._sources.getColumnNumber(location)

    def as_data(self) -> dict[str, Any]:
        """Everything that was found, in the order of the source."""
        edits = [{"file": file, "start": start, "end": end, "text": text} for (file, start, end), text in self._edits.items()]
        for (file, start, end), function in self._calls.items():
            if not function:
                continue
            edits.append({"file": file, "start": end, "end": end, "text": ")"})
            edits.append({"file": file, "start": start, "end": start, "text": f"{function}("})
        refusals = [self._refusals[place] for place in sorted(self._refusals)]
        return {**self.report, "refusals": refusals, "edits": edits}
