"""What Yosys cannot read, written in a longer way before the files are judged: imports, and returns from functions.

slang parses the files, copies get the edits, and slang judges the copies: what Yosys reads is what was judged. Ends of lines
stay where they are; ``original_column`` leads from a column of a copy to that of its file. What a macro or an included file
made stays as it is, and with it everything of its kind in the design.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pyslang import SourceRange, syntax

from lemmata.frontends.slang.imports import qualify_imports
from lemmata.frontends.slang.returns import without_returns

_WORTH_A_LOOK = re.compile(rb"\bimport\b|\breturn\b")
ChangedColumns = dict[str, list[tuple[int, int, int, int]]]  # by file: line, column, length before, length after


class _Unplaced(Exception):
    """An edit of what is not in a file of the design."""


def is_sugared(files: Sequence[str]) -> bool:
    """May there be something to do?"""
    return any(_WORTH_A_LOOK.search(Path(file).read_bytes()) for file in files)


def desugared(driver: Any, files: Sequence[str], folder: Path) -> tuple[list[str], ChangedColumns]:
    """The files, or copies that say the same without imports and returns."""
    edits: dict[str, list[tuple[int, int, str]]] = {}
    for tree in driver.syntaxTrees:
        for change in (_imports, _returns):
            found: dict[str, list[tuple[int, int, str]]] = {}
            try:
                change(tree.root, driver.sourceManager, files, found)
            except _Unplaced:
                continue
            for file, more in found.items():
                edits.setdefault(file, []).extend(more)
    copies, places = [], {}
    for number, file in enumerate(files):
        if file not in edits:
            copies.append(file)
            continue
        (folder / f"plain{number}").mkdir(exist_ok=True)
        copy = folder / f"plain{number}" / Path(file).name
        data, places[str(copy)] = _edited(Path(file).read_bytes(), edits[file])
        copy.write_bytes(data)
        copies.append(str(copy))
    return copies, places


def _imports(root: Any, sources: Any, files: Sequence[str], found: dict[str, list[tuple[int, int, str]]]) -> None:
    qualify_imports(root, lambda where, text: _put(sources, files, found, where, text))
    for file, edits in found.items():
        found[file] = list(dict.fromkeys(edits))  # a name may be imported twice


def _returns(root: Any, sources: Any, files: Sequence[str], found: dict[str, list[tuple[int, int, str]]]) -> None:
    def look(node: Any) -> None:
        if isinstance(node, syntax.FunctionDeclarationSyntax):
            without_returns(node, lambda where, text: _put(sources, files, found, where, text))

    root.visit(look)


def _put(
    sources: Any, files: Sequence[str], found: dict[str, list[tuple[int, int, str]]], where: SourceRange, text: str
) -> None:
    if where.start == where.end and sources.isMacroArgLoc(where.start):  # what stands between its brackets
        start = sources.getOriginalLoc(where.start)
        where = SourceRange(start, start)
    file = str(sources.getFullPath(where.start.buffer))
    if sources.isMacroLoc(where.start) or sources.isMacroLoc(where.end) or file not in files:
        raise _Unplaced
    found.setdefault(file, []).append((where.start.offset, where.end.offset, text))


def _edited(data: bytes, edits: list[tuple[int, int, str]]) -> tuple[bytes, list[tuple[int, int, int, int]]]:
    """The new text, and where it differs."""
    new, last, places = b"", 0, []
    for start, end, text in sorted(edits, key=lambda edit: edit[:2]):
        put = text.encode() or re.sub(rb"[^\n]", b" ", data[start:end])
        line, column = data.count(b"\n", 0, start) + 1, start - data.rfind(b"\n", 0, start)
        if text:
            places.append((line, column, end - start, len(put)))
        new += data[last:start] + put
        last = end
    return new + data[last:], places


def original_column(places: ChangedColumns, file: str, line: int, column: int) -> int:
    """The column in the file that a copy was made of."""
    shift = 0
    for at, start, before, after in places.get(file, ()):
        if at != line or column < start + shift:
            continue
        if column < start + shift + after:
            return start
        shift += after - before
    return column - shift
