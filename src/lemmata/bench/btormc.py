"""A stand-in for the program ``btormc``: Boolector's model checker, driven through its C library.

The wheel ``pyboolector`` ships no program, but its ``libboolector`` contains everything that ``btormc`` calls. What is left to
do is reading BTOR2 and handing it over line by line, which is easy: the library has a function for each operator of the format.
The reader is not Lemmata's, on purpose: a misunderstanding of ours would otherwise be shared by the peer that could show it.

::

    python -m lemmata.bench.btormc [--kind] [--simple-path] [-kmax N] FILE

Without ``--kind`` it is BMC, with it k-induction and BMC together. Prints ``sat`` (a bad state is reachable), ``unsat`` or
``unknown``. Two things are done in the peer's favour. Several properties become one, their disjunction, because it was seen to
use one to prove another (boolector#164). And since the repair of that, its inductive step forgets that earlier steps were good
(boolector#220): a state that remembers it, and a constraint on that state, say so again.
"""

from __future__ import annotations

import argparse
import importlib.util
from collections.abc import Iterator, Sequence
from ctypes import CDLL, CFUNCTYPE, c_bool, c_char_p, c_int32, c_uint32, c_void_p
from pathlib import Path

_STOP_FIRST, _TRACE_GEN, _KINDUCTION, _SIMPLE_PATH = 3, 4, 7, 8  # BtorMCOption
_NO_BOUND = 2**31 - 2
_REACHED = CFUNCTYPE(None, c_void_p, c_int32, c_int32)

_UNARY = "not inc dec neg redand redor redxor"
_BINARY = (
    "iff implies eq neq sgt ugt sgte ugte slt ult slte ulte and nand nor or xnor xor rol ror sll sra srl add mul sdiv udiv "
    "smod srem urem sub saddo uaddo sdivo smulo umulo ssubo usubo concat read"
)
_TERNARY = "ite write"
_ARITY = {op: arity for arity, ops in enumerate((_UNARY, _BINARY, _TERNARY), 1) for op in ops.split()}
_RENAMED = {"neq": "ne", "ite": "cond"}
_SILENT = {"output", "fair", "justice"}


def library() -> Path | None:
    """``libboolector`` inside the wheel ``pyboolector``."""
    wheel = importlib.util.find_spec("pyboolector")
    if wheel is None or wheel.origin is None:
        return None
    return next(iter(sorted(Path(wheel.origin).parent.glob("pyboolector.libs/libboolector*.so*"))), None)


class _Reader:
    """One model, built line by line inside the library; nothing is released, since the process ends after the answer."""

    def __init__(self, library: Path) -> None:
        self._library = CDLL(str(library))
        self.checker = self._call("mc_new", c_void_p)
        self._core = self._call("mc_get_btor", c_void_p, c_void_p(self.checker))
        self._sorts: dict[str, c_void_p] = {}
        self._nodes: dict[str, c_void_p] = {}
        self._arrays: set[str] = set()  # sorts and nodes
        self.bads: list[c_void_p] = []

    def read(self, lines: Iterator[str]) -> None:
        """All lines of a file."""
        for line in lines:
            words = line.partition(";")[0].split()
            if words:
                self._line(words)

    def finish(self, kind: bool) -> None:
        """One property that says what all do; for induction, steps after a bad one are of no interest."""
        if not self.bads:
            return
        bad = self.bads[0]
        for other in self.bads[1:]:
            bad = self._build("or", bad, other)
        self.mc("bad", bad)
        if kind:
            bit = self._build("bitvec_sort", c_uint32(1))
            was_good = c_void_p(self.mc("state", bit, None, result=c_void_p))
            self.mc("init", was_good, self._build("one", bit))
            self.mc("next", was_good, self._build("not", bad))
            self.mc("constraint", was_good)

    def mc(self, name: str, *args: object, result: type | None = None) -> int:
        """Call ``boolector_mc_name`` on the checker."""
        return self._call(f"mc_{name}", result, c_void_p(self.checker), *args)

    def _call(self, name: str, result: type | None, *args: object) -> int:
        function = self._library[f"boolector_{name}"]
        function.restype = result
        return function(*args)  # type: ignore[no-any-return]

    def _build(self, name: str, *args: object) -> c_void_p:
        return c_void_p(self._call(name, c_void_p, c_void_p(self._core), *args))

    def _line(self, words: list[str]) -> None:
        number, op, *rest = words
        match op:
            case "sort":
                self._sorts[number] = self._sort(number, rest)
            case "init" if rest[0] in self._arrays and rest[2] not in self._arrays:
                self._fill(self._node(rest[1]), self._node(rest[2]))
            case "init" | "next":
                self.mc(op, self._node(rest[1]), self._node(rest[2]))
            case "bad":
                self.bads.append(self._node(rest[0]))
            case "constraint":
                self.mc(op, self._node(rest[0]))
            case _ if op not in _SILENT:
                self._nodes[number] = self._term(op, self._sorts[rest[0]], rest)
                if rest[0] in self._arrays:
                    self._arrays.add(number)

    def _fill(self, memory: c_void_p, word: c_void_p) -> None:
        if not self._call("is_const", c_bool, c_void_p(self._core), word):
            raise SystemExit("a memory can be filled with a constant only")
        self.mc("init", memory, word)

    def _sort(self, number: str, rest: list[str]) -> c_void_p:
        if rest[0] == "bitvec":
            return self._build("bitvec_sort", c_uint32(int(rest[1])))
        self._arrays.add(number)
        return self._build("array_sort", self._sorts[rest[1]], self._sorts[rest[2]])

    def _term(self, op: str, sort: c_void_p, rest: list[str]) -> c_void_p:
        match op:
            case "input" | "state":
                return c_void_p(self.mc(op, sort, None, result=c_void_p))
            case "zero" | "one" | "ones":
                return self._build(op, sort)
            case "const":
                return self._build("const", c_char_p(rest[1].encode()))
            case "constd" | "consth":
                return self._build(op, sort, c_char_p(rest[1].encode()))
            case "sext" | "uext":
                return self._build(op, self._node(rest[1]), c_uint32(int(rest[2])))
            case "slice":
                return self._build(op, self._node(rest[1]), c_uint32(int(rest[2])), c_uint32(int(rest[3])))
            case _ if op in _ARITY:
                return self._build(_RENAMED.get(op, op), *map(self._node, rest[1 : 1 + _ARITY[op]]))
        raise SystemExit(f"no such operator: {op}")

    def _node(self, number: str) -> c_void_p:
        if number.startswith("-"):
            return self._build("not", self._nodes[number[1:]])
        return self._nodes[number]


def answer(library: Path, lines: Iterator[str], kind: bool, simple_path: bool, bound: int = _NO_BOUND) -> str:
    """``sat``, ``unsat``, or ``unknown`` if the bound was reached."""
    reader = _Reader(library)
    for option, value in ((_STOP_FIRST, 0), (_TRACE_GEN, simple_path), (_KINDUCTION, kind), (_SIMPLE_PATH, simple_path)):
        reader.mc("set_opt", c_int32(option), c_uint32(value))
    reader.read(lines)
    reader.finish(kind)
    if not reader.bads:
        return "unsat"
    reached: list[int] = []
    listener = _REACHED(lambda _state, _bad, depth: reached.append(depth))
    reader.mc("set_reached_at_bound_call_back", c_void_p(reader.checker), listener)
    depth = reader.mc("kind" if kind else "bmc", c_int32(0), c_int32(bound), result=c_int32)
    return "sat" if reached else "unknown" if depth < 0 else "unsat"


def run_btormc(arguments: Sequence[str] | None = None) -> None:
    """The program."""
    parser = argparse.ArgumentParser(prog="lemmata.bench.btormc")
    parser.add_argument("file", type=Path)
    parser.add_argument("--kind", action="store_true")
    parser.add_argument("--simple-path", action="store_true")
    parser.add_argument("-kmax", type=int, default=_NO_BOUND)
    options = parser.parse_args(arguments)
    found = library()
    if found is None:
        raise SystemExit("no libboolector here: install the wheel pyboolector")
    with options.file.open(encoding="latin-1", newline="\n") as lines:
        print(answer(found, lines, options.kind, options.simple_path, options.kmax))


if __name__ == "__main__":
    run_btormc()
