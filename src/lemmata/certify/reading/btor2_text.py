"""A BTOR2 file as SMT-LIB text, line by line from the table of the paper: a solver's own parser reads the rest.

Node 12 at time 3 is the constant ``n12_3``, defined by its line; inputs are declared, and so are states at a time when nothing
determines them. One bit is a word of one bit, as in the file; conditions compare it with ``#b1``.
"""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.certify.reading.btor2_lines import Btor2Lines, LineSort, ReadLine
from lemmata.errors import GaveUp
from lemmata.work import is_over

_UNARY = {"not": "(bvnot {0})", "neg": "(bvneg {0})", "inc": "(bvadd {0} {one})", "dec": "(bvsub {0} {one})"}
_WORDS = {
    "and": "(bvand {0} {1})",
    "nand": "(bvnot (bvand {0} {1}))",
    "nor": "(bvnot (bvor {0} {1}))",
    "or": "(bvor {0} {1})",
    "xnor": "(bvnot (bvxor {0} {1}))",
    "xor": "(bvxor {0} {1})",
    "sll": "(bvshl {0} {1})",
    "srl": "(bvlshr {0} {1})",
    "sra": "(bvashr {0} {1})",
    "add": "(bvadd {0} {1})",
    "sub": "(bvsub {0} {1})",
    "mul": "(bvmul {0} {1})",
    "udiv": "(bvudiv {0} {1})",
    "urem": "(bvurem {0} {1})",
    "sdiv": "(bvsdiv {0} {1})",
    "srem": "(bvsrem {0} {1})",
    "smod": "(bvsmod {0} {1})",
    "rol": "(bvor (bvshl {0} (bvurem {1} {width})) (bvlshr {0} (bvsub {width} (bvurem {1} {width}))))",
    "ror": "(bvor (bvlshr {0} (bvurem {1} {width})) (bvshl {0} (bvsub {width} (bvurem {1} {width}))))",
    "concat": "(concat {0} {1})",
    "read": "(select {0} {1})",
    "write": "(store {0} {1} {2})",
    "ite": "(ite (= {0} #b1) {1} {2})",
}
_CONDITIONS = {
    "redand": "(= {0} {ones})",
    "redor": "(distinct {0} {zero})",
    "iff": "(= {0} {1})",
    "implies": "(=> (= {0} #b1) (= {1} #b1))",
    "eq": "(= {0} {1})",
    "neq": "(distinct {0} {1})",
    "sgt": "(bvsgt {0} {1})",
    "ugt": "(bvugt {0} {1})",
    "sgte": "(bvsge {0} {1})",
    "ugte": "(bvuge {0} {1})",
    "slt": "(bvslt {0} {1})",
    "ult": "(bvult {0} {1})",
    "slte": "(bvsle {0} {1})",
    "ulte": "(bvule {0} {1})",
    "uaddo": "(bvuaddo {0} {1})",
    "saddo": "(bvsaddo {0} {1})",
    "usubo": "(bvusubo {0} {1})",
    "ssubo": "(bvssubo {0} {1})",
    "umulo": "(bvumulo {0} {1})",
    "smulo": "(bvsmulo {0} {1})",
    "sdivo": "(bvsdivo {0} {1})",
}
_LOOK_LINES = 4096  # lines between two looks at the clock
_TEXT_LINES = 3_000_000  # of text; a solver needs a hundred times the memory


def sort_text(sort: LineSort) -> str:
    """The sort in SMT-LIB."""
    if isinstance(sort, int):
        return f"(_ BitVec {sort})"
    return f"(Array (_ BitVec {sort[0]}) (_ BitVec {sort[1]}))"


def literal(value: int, width: int) -> str:
    """A word; the value wraps."""
    return f"#b{value % (1 << width):0{width}b}"


def name(node: int, now: int) -> str:
    """An operand at a time."""
    return f"n{node}_{now}" if node > 0 else f"(bvnot n{-node}_{now})"


def is_true(node: int, now: int) -> str:
    """The formula that a node of one bit is 1."""
    return f"(= n{node}_{now} #b1)" if node > 0 else f"(= n{-node}_{now} #b0)"


class SmtText:
    """An unrolling of the file, written step by step."""

    def __init__(self, lines: Btor2Lines, until: float | None) -> None:
        self._lines = lines
        self._until = until
        self._out: list[str] = []

    def add(self, formula: str) -> None:
        """Assert a formula."""
        self._out.append(f"(assert {formula})")

    def states(self, states: Iterable[int], now: int) -> None:
        """The states at a time, by what the step before says; anything if that says nothing."""
        for state in states:
            sort, after = self._lines.sort(state), self._lines.nexts.get(state)
            if after is None:
                self._declare(state, now, sort)
            else:
                self._define(state, now, sort, name(after, now - 1))

    def initial(self, nodes: Iterable[int]) -> None:
        """All nodes at time 0, in order, with the states as ``init`` says; an initial value comes before its state."""
        for node in nodes:
            value = self._lines.inits.get(node)
            if value is not None:
                self._define(node, 0, self._lines.sort(node), self._start(node, value))
            elif self._lines.nodes[node].tag == "state":
                self._declare(node, 0, self._lines.sort(node))
            else:
                self.node(node, 0)

    def step(self, nodes: Iterable[int], now: int, free: bool) -> None:
        """All nodes but the states at a time; ``free``: the states, too, with any values."""
        for number, node in enumerate(nodes):
            if number % _LOOK_LINES == 0:
                self._look_at_the_clock()
            if self._lines.nodes[node].tag != "state":
                self.node(node, now)
            elif free:
                self._declare(node, now, self._lines.sort(node))

    def node(self, node: int, now: int) -> None:
        """One line that is no state."""
        line = self._lines.nodes[node]
        if line.tag == "input":
            self._declare(node, now, line.sort)
        else:
            self._define(node, now, line.sort, self._meaning(line, now))

    def script(self) -> str:
        """All of it, without a question."""
        return "\n".join(self._out)

    def _look_at_the_clock(self) -> None:
        if is_over(self._until):
            raise GaveUp("timeout")
        if len(self._out) > _TEXT_LINES:
            raise GaveUp("memory")

    def _declare(self, node: int, now: int, sort: LineSort) -> None:
        self._out.append(f"(declare-const n{node}_{now} {sort_text(sort)})")

    def _define(self, node: int, now: int, sort: LineSort, text: str) -> None:
        self._out.append(f"(define-fun n{node}_{now} () {sort_text(sort)} {text})")

    def _start(self, state: int, value: int) -> str:
        sort = self._lines.sort(state)
        is_filled = isinstance(sort, tuple) and isinstance(self._lines.sort(value), int)
        return f"((as const {sort_text(sort)}) {name(value, 0)})" if is_filled else name(value, 0)

    def _meaning(self, line: ReadLine, now: int) -> str:
        """The line in SMT-LIB, from the table."""
        tag, sort, args = line.tag, line.sort, [name(arg, now) for arg in line.args]
        width = self._lines.sort(line.args[0]) if line.args else sort
        if tag in _CONDITIONS:
            known = {"ones": literal(-1, width), "zero": literal(0, width)} if isinstance(width, int) else {}
            return f"(ite {_CONDITIONS[tag].format(*args, **known)} #b1 #b0)"
        if tag in _WORDS or tag in _UNARY:
            known = {"one": literal(1, width), "width": literal(width, width)} if isinstance(width, int) else {}
            return (_WORDS.get(tag) or _UNARY[tag]).format(*args, **known)
        assert isinstance(sort, int) and isinstance(width, int)
        match tag:
            case "zero" | "one" | "ones":
                return literal({"zero": 0, "one": 1, "ones": -1}[tag], sort)
            case "const" | "constd" | "consth":
                return literal(line.detail[0], sort)
            case "slice":
                return f"((_ extract {line.detail[0]} {line.detail[1]}) {args[0]})"
            case "uext":
                return f"((_ zero_extend {line.detail[0]}) {args[0]})"
            case "sext":
                return f"((_ sign_extend {line.detail[0]}) {args[0]})"
            case "redxor":
                bits = [f"((_ extract {k} {k}) {args[0]})" for k in range(width)]
                return bits[0] if width == 1 else f"(bvxor {' '.join(bits)})"
        raise AssertionError(line)
