"""The sort rules of BTOR2 (Niemetz, Preiner, Wolf, Biere, CAV 2018, figures 1 and 2), line by line: what a legal file keeps."""

from __future__ import annotations

import re

from tests.fuzz.world import Beyond

Sort = int | tuple["Sort", "Sort"]
_ID = re.compile(r"0*[1-9]\d{0,17}")  # zeros in front are more than the paper allows
_SAME1 = ["not", "inc", "dec", "neg"]
_BIT1 = ["redand", "redor", "redxor"]
_SAME2 = [
    "and",
    "nand",
    "nor",
    "or",
    "xnor",
    "xor",
    "rol",
    "ror",
    "sll",
    "sra",
    "srl",
    "add",
    "mul",
    "sdiv",
    "udiv",
    "smod",
    "srem",
    "urem",
    "sub",
]
_ORDER = [
    "sgt",
    "ugt",
    "sgte",
    "ugte",
    "slt",
    "ult",
    "slte",
    "ulte",
    "saddo",
    "uaddo",
    "sdivo",
    "smulo",
    "umulo",
    "ssubo",
    "usubo",
]


class Malformed(Exception):
    """This is not BTOR2."""


class Rules:
    """Reads a text and raises ``Malformed`` at the first line that breaks a rule."""

    def __init__(self, text: str) -> None:
        self._sorts: dict[int, Sort] = {}
        self._nodes: dict[int, Sort] = {}
        self._states: set[int] = set()
        self._done: set[tuple[str, int]] = set()
        self._last = 0
        for line in text.split("\n"):
            words = line.partition(";")[0].split()
            if words:
                self._line(words)

    def _line(self, words: list[str]) -> None:
        node = self._number(words[0])
        if node <= self._last or len(words) < 2:
            raise Malformed("ids do not grow")
        self._last = node
        tag, rest = words[1], words[2:]
        if tag == "sort":
            self._sorts[node] = self._sort(rest)
        elif tag in ("init", "next"):
            self._assign(tag, node, rest)
        elif tag in ("bad", "constraint", "fair", "output"):
            self._need(tag == "output" or self._of(rest, 0) == 1, f"{tag} wants a bit")
        elif tag == "justice":
            raise Beyond("liveness")
        else:
            self._nodes[node] = self._known(rest, 0)
            self._need(self._is_right(node, tag, self._nodes[node], rest[1:]), f"sorts of {tag}")

    def _need(self, holds: bool, why: str) -> None:
        if not holds:
            raise Malformed(why)

    def _number(self, word: str) -> int:
        if not _ID.fullmatch(word):
            raise Malformed("an id is wanted")
        return int(word)

    def _sort(self, rest: list[str]) -> Sort:
        match rest:
            case ["bitvec", width, *_]:
                return self._number(width)
            case ["array", index, element, *_]:
                return self._known([index], 0), self._known([element], 0)
        raise Malformed("sort")

    def _known(self, rest: list[str], at: int) -> Sort:
        if at >= len(rest) or self._number(rest[at]) not in self._sorts:
            raise Malformed("an unknown sort")
        return self._sorts[int(rest[at])]

    def _of(self, rest: list[str], at: int) -> Sort:
        """The sort of an argument."""
        if at >= len(rest):
            raise Malformed("an argument is missing")
        word = rest[at].removeprefix("-")
        if self._number(word) not in self._nodes:
            raise Malformed("an unknown node")
        sort = self._nodes[int(word)]
        self._need(isinstance(sort, int) or word == rest[at], "an array denied")
        return sort

    def _assign(self, tag: str, node: int, rest: list[str]) -> None:
        sort, target = self._known(rest, 0), self._number(rest[1]) if len(rest) > 1 else 0
        self._need(target in self._states and self._nodes[target] == sort, f"{tag} of no state")
        self._need((tag, target) not in self._done, f"{tag} twice")
        self._done.add((tag, target))
        value = self._of(rest, 2)
        self._need(value == sort or (tag == "init" and isinstance(sort, tuple) and value == sort[1]), f"sort of {tag}")

    def _is_right(self, node: int, tag: str, sort: Sort, rest: list[str]) -> bool:
        def of(at: int) -> Sort:
            return self._of(rest, at)

        match tag:
            case "state":
                self._states.add(node)
                return True
            case "input":
                return True
            case "zero" | "one" | "ones":
                return isinstance(sort, int)
            case "const" | "constd" | "consth":
                return isinstance(sort, int) and bool(rest) and _fits(tag, rest[0], sort)
            case "iff" | "implies":
                return sort == of(0) == of(1) == 1
            case "eq" | "neq":
                return sort == 1 and of(0) == of(1)
            case "slice":
                high, low = (self._natural(rest, 1), self._natural(rest, 2))
                wide = of(0)
                return isinstance(wide, int) and wide > high >= low and sort == high - low + 1
            case "uext" | "sext":
                narrow = of(0)
                return isinstance(narrow, int) and sort == narrow + self._natural(rest, 1)
            case "concat":
                left, right = of(0), of(1)
                return isinstance(left, int) and isinstance(right, int) and sort == left + right
            case "read":
                array = of(0)
                return isinstance(array, tuple) and array == (of(1), sort)
            case "write":
                return isinstance(sort, tuple) and of(0) == sort and sort == (of(1), of(2))
            case "ite":
                return of(0) == 1 and of(1) == of(2) == sort
        if tag in _SAME1:
            return isinstance(sort, int) and of(0) == sort
        if tag in _BIT1:
            return sort == 1 and isinstance(of(0), int)
        if tag in _SAME2:
            return isinstance(sort, int) and of(0) == of(1) == sort
        if tag in _ORDER:
            return sort == 1 and isinstance(of(0), int) and of(0) == of(1)
        raise Malformed(f"{tag} is no operator")

    def _natural(self, rest: list[str], at: int) -> int:
        if at >= len(rest) or not re.fullmatch(r"\d{1,18}", rest[at]):
            raise Malformed("a number is missing")
        return int(rest[at])


def _fits(tag: str, digits: str, width: int) -> bool:
    match tag:
        case "const":
            return re.fullmatch("[01]+", digits) is not None and len(digits) == width
        case "consth":
            return re.fullmatch("[0-9a-fA-F]+", digits) is not None and int(digits, 16) < 1 << width
    if re.fullmatch(r"-?\d+", digits) is None or len(digits) > 400:
        return False
    value = int(digits)
    return -(1 << width - 1) <= value < 1 << width
