"""Files of any size, made from a number: programs, Horn clauses, circuits, words.

All of a kind have the same shape at every size, so that the cost per line, byte, gate or node can be compared. The safe ones
have a proof that does not grow with the file. The others have an error a step or two away, and everything else of the file
lies on the way to the same error (a loop around it all), so that nothing can be left out for being unrelated.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_VARIABLES = 8  # of a program, of a predicate
_SEED = 14


@dataclass(frozen=True, slots=True)
class Family:
    """One kind of files; ``sizes`` are in ``unit``, ``write`` writes one of a size."""

    name: str
    unit: str
    suffix: str
    sizes: tuple[int, ...]
    write: Callable[[int, Path], None]
    verdict: str


def straight(lines: int, is_safe: bool) -> Iterator[str]:
    """A loop around assignments. ``x0`` is never negative; the error is that ``x1`` is 7 at the first assertion."""
    yield from _head(is_safe)
    rest = lines - _VARIABLES - 12
    for n in range(rest):
        yield f"    {_assignment(n)}"
    yield from ("  }", "}")


def branching(lines: int, is_safe: bool) -> Iterator[str]:
    """The same with branches of five lines each."""
    yield from _head(is_safe)
    for n in range((lines - _VARIABLES - 12) // 5):
        condition = "*" if n % 3 == 0 else f"x{n % _VARIABLES} > {n % 11}"
        yield f"    if ({condition}) {{"
        yield f"      {_assignment(2 * n)}"
        yield "    } else {"
        yield f"      {_assignment(2 * n + 1)}"
        yield "    }"
    yield from ("  }", "}")


def _head(is_safe: bool) -> Iterator[str]:
    yield "procedure main()"
    yield "{"
    yield from (f"  var x{k}: int;" for k in range(_VARIABLES))
    yield "  assume x0 >= 0;"
    yield "  while (*)"
    yield "  {"
    yield "    assert x0 >= 0;" if is_safe else "    assert x0 >= 0 && x1 != 7;"
    yield "    havoc x1;"


def _assignment(n: int) -> str:
    """``x0`` never becomes negative; everything may depend on everything."""
    a, b, c = n % _VARIABLES, (n * 3 + 1) % _VARIABLES, n % 13
    if a == 0:
        return f"x0 := x0 + {c};"
    return f"x{a} := x{b} + {c};" if n % 2 else f"x{a} := x{a} - x{b};"


def procedures(lines: int, is_safe: bool) -> Iterator[str]:
    """Procedures of 50 lines with variables of their own and an assertion each, called one after the other."""
    count = max(1, (lines - 10) // 52)
    yield "var g: int;"
    for p in range(count):
        yield f"procedure p{p}() modifies g;"
        yield "{"
        yield "  var a, b, c: int;"
        yield "  assume g >= 0;"
        for n in range(44):
            yield f"  {'abc'[n % 3]} := {'abc'[(n + 1) % 3]} + {n % 7};"
        yield f"  g := g + {p % 5};"
        yield "  assert g >= 0;" if is_safe or p else "  assert g >= 0 && a != 5;"
        yield "}"
    yield "procedure main() modifies g;"
    yield "{"
    yield from (f"  call p{p}();" for p in range(count))
    yield "}"


def variables(lines: int, is_safe: bool) -> Iterator[str]:
    """Straight code in which every twentieth line brings a new variable."""
    count = max(_VARIABLES, lines // 20)
    yield "procedure main()"
    yield "{"
    yield from (f"  var v{k}: int;" for k in range(count))
    yield "  assume v0 >= 0;"
    yield "  while (*)"
    yield "  {"
    yield "    assert v0 >= 0;" if is_safe else "    assert v0 >= 0 && v1 != 7;"
    for n in range(lines - count - 10):
        k = n // 20 % count
        yield f"    v{k} := v{k} + {n % 9};" if k == 0 else f"    v{k} := v{k - 1} + {n % 9};"
    yield from ("  }", "}")


def clauses(size: int, is_safe: bool) -> Iterator[str]:
    """Predicates in a ring, with a loop at each; about ``size`` bytes."""
    names = [f"x{k}" for k in range(4)]
    count = max(2, size // 720)
    sorts = " ".join("Int" for _ in names)
    yield "(set-logic HORN)"
    yield from (f"(declare-fun P{p} ({sorts}) Bool)" for p in range(count))
    old, new = " ".join(names), " ".join(f"{v}!" for v in names)
    every = " ".join(f"({v} Int)" for v in names)
    both = every + " " + " ".join(f"({v}! Int)" for v in names)
    yield f"(assert (forall ({every}) (=> (and (>= x0 0) (= x1 0)) (P0 {old}))))"
    for p in range(count):
        q, c = (p + 1) % count, p % 17
        step = f"(= x0! (+ x0 {c})) (= x1! (+ x1 x2)) (= x2! (ite (> x3 {c}) x2 (- x2 1))) (= x3! (+ x3 {c}))"
        yield f"(assert (forall ({both}) (=> (and (P{p} {old}) (< x1 {1000 + c}) {step}) (P{p} {new}))))"
        move = f"(= x0! (+ x0 1)) (= x1! x2) (= x2! (- x1 x3)) (or (= x3! x3) (= x3! {c}))"
        yield f"(assert (forall ({both}) (=> (and (P{p} {old}) (> x1 {c}) {move}) (P{q} {new}))))"
    bad = "(< x0 0)" if is_safe else "(or (< x0 0) (= x2 7))"
    yield f"(assert (forall ({every}) (=> (and (P1 {old}) {bad}) false)))"
    yield "(check-sat)"


def write_circuit(gates: int, path: Path, is_safe: bool) -> None:
    """Conjunctions and exclusive ors of near and far literals, a latch for every 20 gates.

    Bad is a latch that keeps its 0, and a gate; or one that is 1 after a step, or a gate.
    """
    source = random.Random(_SEED)
    latches, inputs = max(4, gates // 20), 64
    first = 2 * (inputs + latches + 1)
    body = bytearray()

    def gate(at: int, a: int, b: int) -> int:
        body.extend(_delta(at - max(a, b)) + _delta(abs(a - b)))
        return at

    last = first + 2 * (gates - 4)
    out = first
    while out < last:
        a, b = source.randrange(max(2, out - 4000), out), source.randrange(2, out)
        if source.random() < 0.5 or a >> 1 == b >> 1:
            out = gate(out, a, b) + 2
        else:
            both, neither = gate(out, a, b), gate(out + 2, a ^ 1, b ^ 1)
            out = gate(out + 4, both ^ 1, neither ^ 1) + 2
    kept = 2 * (inputs + 1)  # the first latch; the second one becomes 1
    top = out - 2
    bad = gate(out, top, kept) if is_safe else gate(out, top ^ 1, (kept + 2) ^ 1) ^ 1
    count = (out - first) // 2 + 1
    nexts = [kept, 1] + [source.randrange(first, out) for _ in range(latches - 2)]
    with path.open("wb") as file:
        file.write(f"aig {inputs + latches + count} {inputs} {latches} 0 {count} 1\n".encode())
        file.write("".join(f"{lit}\n" for lit in [*nexts, bad]).encode())
        file.write(body)


def _delta(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append((number & 127) | 128)
        number >>= 7
    out.append(number)
    return bytes(out)


def words(nodes: int, is_safe: bool) -> Iterator[str]:
    """Operators over near and far words of 4 bits; a state for every 50 nodes."""
    source = random.Random(_SEED)
    states = max(4, nodes // 50)
    yield "1 sort bitvec 4"
    yield "2 sort bitvec 1"
    yield "3 zero 1"
    yield "4 one 1"
    number = 5
    first = number
    for _ in range(states):
        yield f"{number} state 1"
        number += 1
    inputs = 8
    for _ in range(inputs):
        yield f"{number} input 1"
        number += 1
    for k in range(2):
        yield f"{number} init 1 {first + k} 3"
        number += 1
    nodes_from = number
    known = list(range(3, first + states + inputs))
    operators = ("add", "sub", "and", "or", "xor", "add", "and", "xor")
    budget = nodes - 2 * states - inputs - 10
    for n in range(budget):
        near = known[-1 - source.randrange(min(500, len(known)))]
        far = known[source.randrange(len(known))]
        yield f"{number} {operators[n % 8]} 1 {near} {far}"
        known.append(number)
        number += 1
    yield f"{number} next 1 {first} {first}"
    yield f"{number + 1} next 1 {first + 1} 4"
    number += 2
    for k in range(2, states):
        yield f"{number} next 1 {first + k} {source.randrange(nodes_from, nodes_from + budget)}"
        number += 1
    yield f"{number} and 1 {known[-1]} {first if is_safe else first + 1}"
    yield f"{number + 1} redor 2 {number}"
    yield f"{number + 2} bad {number + 1}"


def _text(make: Callable[[int, bool], Iterator[str]], is_safe: bool) -> Callable[[int, Path], None]:
    def write(size: int, path: Path) -> None:
        with path.open("w") as file:
            file.writelines(f"{line}\n" for line in make(size, is_safe))

    return write


def _circuit(is_safe: bool) -> Callable[[int, Path], None]:
    return lambda size, path: write_circuit(size, path, is_safe)


_LINES = (5_000, 10_000, 20_000, 40_000)
_BYTES = (1_000_000, 5_000_000, 20_000_000)
_GATES = (100_000, 1_000_000, 5_000_000)
_NODES = (100_000, 1_000_000)


def families() -> Iterator[Family]:
    """All of them, each safe and with an error."""
    for is_safe, verdict in ((False, "unsafe"), (True, "safe")):
        for program in (straight, branching, procedures, variables):
            yield Family(f"{program.__name__}, {verdict}", "lines", ".bpl", _LINES, _text(program, is_safe), verdict)
        yield Family(f"clauses, {verdict}", "bytes", ".smt2", _BYTES, _text(clauses, is_safe), verdict)
        yield Family(f"circuit, {verdict}", "gates", ".aig", _GATES, _circuit(is_safe), verdict)
        yield Family(f"words, {verdict}", "nodes", ".btor2", _NODES, _text(words, is_safe), verdict)
