"""The text of a BTOR2 witness: a status, a property, and frames with assignments. What they mean is not looked at here."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lemmata.errors import InputError, Place, Unsupported
from lemmata.logic.sorts import Array, BitVec, Sort
from lemmata.logic.terms import Term, name_of
from lemmata.models.graph import Graph

_STATUS = {"unsat": "the witness says that the property was proved", "unknown": "the witness says that nothing is known"}
_PART = re.compile(r"([#@])([0-9]{1,18})")
_ASSIGNMENT = re.compile(r"([0-9]{1,18})[ \t]+(?:\[([01x]+)\][ \t]*)?([01x]+)(?:[ \t].*)?")


@dataclass(frozen=True, slots=True)
class Assignment:
    """``leaf`` (at ``index``, if it is an array) has ``value``."""

    leaf: Term
    index: int | None
    value: int
    line: int
    column: int


@dataclass(slots=True)
class Frame:
    """What a witness says about one step."""

    states: list[Assignment] = field(default_factory=list)
    inputs: list[Assignment] = field(default_factory=list)
    has_inputs: bool = False  # has its ``@`` part begun?


@dataclass(frozen=True, slots=True)
class _Line:
    file: str
    number: int
    text: str

    def fault(self, cause: str, remedy: str = "", column: int = 1) -> InputError:
        return InputError(Place(self.file, self.number, column), cause, remedy)


def read_witness(text: str, graph: Graph, file: str) -> tuple[int, list[Frame]]:
    """The property and the frames, of which there is at least one."""
    lines = _lines(text, file)
    _read_status(next(lines))
    prop = _read_property(next(lines), graph)
    frames: list[Frame] = []
    part: list[Assignment] = []
    leaves: Sequence[Term] = ()
    taken: set[tuple[Term, int | None]] = set()  # what this part has given a value
    for line in lines:
        if line.text == ".":
            if not frames or not frames[-1].has_inputs:
                raise line.fault("the last step has no inputs", f"give a part @{max(len(frames) - 1, 0)}, even an empty one")
            return prop, frames
        if found := _PART.fullmatch(line.text):
            frame = _open(line, found[1], int(found[2]), frames)
            taken.clear()
            part, leaves = (frame.states, graph.origin.states) if found[1] == "#" else (frame.inputs, graph.origin.inputs)
        elif not frames:
            raise line.fault(f"expected #0 or @0, not {line.text[:20]!r}")
        else:
            assignment = _assignment(line, leaves, "states" if part is frames[-1].states else "inputs")
            if (assignment.leaf, assignment.index) in taken:
                raise line.fault(f"a second value for {name_of(assignment.leaf)} in this step")
            taken.add((assignment.leaf, assignment.index))
            part.append(assignment)
    raise AssertionError("the lines of a witness do not end")


def _lines(text: str, file: str) -> Iterator[_Line]:
    """The lines that count; the end of the file is an error, since a witness ends with a dot."""
    number = 0
    for number, line in enumerate(text.split("\n"), 1):
        if (stripped := line.rstrip()) and not stripped.startswith(";"):
            yield _Line(file, number, stripped)
    raise InputError(Place(file, number, 1), "the witness ends too early", "it must end with a line '.'")


def _read_status(line: _Line) -> None:
    if line.text in _STATUS:
        raise line.fault(f"{_STATUS[line.text]}: there is no trace in it", "give a witness that starts with sat")
    if line.text != "sat":
        raise line.fault(f"a witness starts with sat, not {line.text[:20]!r}")


def _read_property(line: _Line, graph: Graph) -> int:
    words = line.text.split()
    if not all(re.fullmatch(r"[bj][0-9]{1,18}", word) for word in words):
        raise line.fault(f"expected a property such as b0, not {line.text[:20]!r}")
    if words[0][0] == "j":
        raise Unsupported(Place(line.file, line.number, 1), "a justice property: liveness is not supported yet")
    prop, count = int(words[0][1:]), len(graph.questions)
    if prop >= count:
        raise line.fault(f"b{prop} does not exist: {graph.file} has {count} properties")
    return prop


def _open(line: _Line, mark: str, step: int, frames: list[Frame]) -> Frame:
    """The frame that a header opens or goes on with; parts come in order: #0 @0 #1 @1 …, where a # part may be missing."""
    is_open = bool(frames) and not frames[-1].has_inputs
    expected = [f"@{len(frames) - 1}"] if is_open else [f"#{len(frames)}", f"@{len(frames)}"]
    if f"{mark}{step}" not in expected:
        raise line.fault(f"{mark}{step} does not follow here", f"expected {' or '.join(expected)}")
    if not is_open:
        frames.append(Frame())
    frames[-1].has_inputs = mark == "@"
    return frames[-1]


def _assignment(line: _Line, leaves: Sequence[Term], noun: str) -> Assignment:
    found = _ASSIGNMENT.fullmatch(line.text)
    if found is None:
        raise line.fault(f"{line.text[:20]!r} is no assignment", "expected '<position> <bits>' or '<position> [<bits>] <bits>'")
    position = int(found[1])
    if position >= len(leaves):
        raise line.fault(f"there is no {position}: the model has {len(leaves)} {noun}", "positions count from 0")
    leaf = leaves[position]
    is_array = isinstance(leaf.sort, Array)
    if is_array and found[2] is None:
        raise line.fault(f"{name_of(leaf)} is an array", "give the index of a cell: [<bits>]", found.start(3) + 1)
    if not is_array and found[2] is not None:
        raise line.fault(f"{name_of(leaf)} is no array", "", found.start(2) + 1)
    index = _number(line, found[2], leaf.sort.index, found.start(2)) if isinstance(leaf.sort, Array) else None
    value = _number(line, found[3], leaf.sort.element if isinstance(leaf.sort, Array) else leaf.sort, found.start(3))
    return Assignment(leaf, index, value, line.number, found.start(3) + 1)


def _number(line: _Line, bits: str, sort: Sort, start: int) -> int:
    assert isinstance(sort, BitVec)
    if len(bits) != sort.width:
        raise line.fault(f"{len(bits)} bits instead of {sort.width}", "", start + 1)
    return int(bits.replace("x", "0"), 2)
