"""AIGER 1.9, text and binary: how near bad states are, by the naive reading and by the model that was read."""

from __future__ import annotations

import re
from random import Random

from lemmata.frontends.aiger import parse_aiger
from lemmata.models.aig import Aig
from tests.fuzz import peers
from tests.fuzz.aiger_naive import Circuit, Malformed
from tests.fuzz.engines import verdicts
from tests.fuzz.world import FILE, Beyond, Case, Disagreement, Outcome, judged
from tests.support.enumerate import shortest_depths

PEER = 0.01  # how often ABC is asked
ENGINES = 0.1  # how often engines are asked, too
_NAMES = ("a", "a b", "l0 = 2", "[3]", "|x|", "é", "c", "i0", "=", "x;y", " lead", "0", "\x7f", "b" * 70)


class AigerWorld:
    """See above."""

    name, suffix = "aiger", ".aag"
    covers = ("frontends/aiger",)
    words = re.compile(rb"\d+|[A-Za-z]+|\n| |.", re.DOTALL)

    def generate(self, rng: Random) -> Case:
        """A circuit with at most three inputs and four latches."""
        circuit = _Drawn(rng)
        return Case(circuit.binary() if rng.random() < 0.35 else circuit.text(), is_legal=True)

    def read(self, data: bytes) -> Aig:
        """By Lemmata."""
        return parse_aiger(data, FILE)

    def judge(self, data: bytes) -> Outcome:
        """Compare depths."""
        return judged(self, data, lambda model, rng: _compare(data, model, rng))

    def accepts(self, data: bytes) -> bool:
        """The naive reading does."""
        try:
            Circuit(data).depths()
        except (Malformed, Beyond):
            return False
        return True


class _Drawn:
    """A circuit over variables 1, 2, …: inputs, latches, gates in order; text may number them anew."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.inputs, self.latches, self.gates = rng.randint(0, 3), rng.randint(0, 4), rng.randint(0, 8)
        base = self.inputs + self.latches
        self._first = 2 * (base + 1)
        self.ands = []
        for gate in range(self.gates):
            below = self._first + 2 * gate
            left, right = sorted((rng.randrange(below), rng.randrange(below)), reverse=True)
            self.ands.append((left, right))
        self._end = self._first + 2 * self.gates
        self.nexts = [self._lit() for _ in range(self.latches)]
        self.resets = [rng.choice((None, 0, 0, 1, "self")) for _ in range(self.latches)]
        self.outputs = [self._lit() for _ in range(rng.choice((0, 1, 1, 2)))]
        self.bads = [self._lit() for _ in range(rng.choice((0, 0, 1, 1, 2)))]
        self.constraints = [self._lit() for _ in range(rng.choice((0, 0, 0, 1, 2)))]
        has_liveness = rng.random() < 0.1
        self.justice = [
            [self._lit() for _ in range(rng.randint(1, 2))] for _ in range(rng.randint(0, 2) if has_liveness else 0)
        ]
        self.fairness = [self._lit() for _ in range(rng.randint(0, 2) if has_liveness else 0)]

    def _lit(self) -> int:
        return (
            self._rng.randrange(self._end)
            if self._rng.random() < 0.5
            else self._end - 1 - self._rng.randrange(min(6, self._end))
        )

    def _counts(self, magic: str, top: int) -> str:
        more = [len(self.bads), len(self.constraints), len(self.justice), len(self.fairness)]
        while more and more[-1] == 0 and self._rng.random() < 0.8:
            more.pop()
        return " ".join(map(str, (magic, top, self.inputs, self.latches, len(self.outputs), self.gates, *more)))

    def _tail(self) -> bytes:
        rng = self._rng
        counts = {"i": self.inputs, "l": self.latches, "o": len(self.outputs), "b": len(self.bads)}
        counts |= {"c": len(self.constraints), "j": len(self.justice), "f": len(self.fairness)}
        symbols = [f"{kind}{at} {rng.choice(_NAMES)}" for kind, n in counts.items() for at in range(n) if rng.random() < 0.3]
        rng.shuffle(symbols)
        if rng.random() < 0.3:
            symbols += ["c", rng.choice(("", "a comment", "aag 0 0 0 0 0", "i0 x\r", "c"))]
        return "".join(line + "\n" for line in symbols).encode()

    def _middle(self, new: dict[int, int]) -> list[str]:
        def n(lit: int) -> str:
            return str(new[lit & ~1] | lit & 1)

        lines = [n(lit) for lit in (*self.outputs, *self.bads, *self.constraints)]
        lines += [str(len(lits)) for lits in self.justice] + [n(lit) for lits in self.justice for lit in lits]
        return lines + [n(lit) for lit in self.fairness]

    def _reset(self, position: int, own: int) -> str:
        reset = self.resets[position]
        return "" if reset is None else f" {own if reset == 'self' else reset}"

    def text(self) -> bytes:
        """With any numbering, and gates in any order."""
        rng = self._rng
        variables = self.inputs + self.latches + self.gates
        top = variables + rng.choice((0, 0, 0, 1, 5))
        numbers = rng.sample(range(1, top + 1), variables) if rng.random() < 0.5 else range(1, variables + 1)
        new = {0: 0} | {2 * (old + 1): 2 * number for old, number in enumerate(numbers)}

        def n(lit: int) -> str:
            return str(new[lit & ~1] | lit & 1)

        lines = [self._counts("aag", top)] + [n(2 * (i + 1)) for i in range(self.inputs)]
        for k in range(self.latches):
            own = 2 * (self.inputs + k + 1)
            lines.append(f"{n(own)} {n(self.nexts[k])}{self._reset(k, new[own])}")
        lines += self._middle(new)
        gates = [(n(self._first + 2 * k), *rng.sample([n(left), n(right)], 2)) for k, (left, right) in enumerate(self.ands)]
        rng.shuffle(gates)
        lines += [" ".join(gate) for gate in gates]
        return "".join(line + "\n" for line in lines).encode() + self._tail()

    def binary(self) -> bytes:
        """With deltas."""
        new = {lit: lit for lit in range(0, self._end, 2)}
        lines = [self._counts("aig", self.inputs + self.latches + self.gates)]
        lines += [f"{self.nexts[k]}{self._reset(k, 2 * (self.inputs + k + 1))}" for k in range(self.latches)]
        lines += self._middle(new)
        data = bytearray("".join(line + "\n" for line in lines).encode())
        for gate, (left, right) in enumerate(self.ands):
            for delta in (self._first + 2 * gate - left, left - right):
                while delta > 127:
                    data.append(delta & 127 | 128)
                    delta >>= 7
                data.append(delta)
        return bytes(data) + self._tail()


def _compare(data: bytes, model: object, rng: Random) -> str:
    assert isinstance(model, Aig)
    if model.inputs + model.latches > 9:
        raise Beyond("many states")
    found = shortest_depths(model)
    try:
        circuit = Circuit(data)
        wanted = circuit.depths()
    except Malformed as error:
        raise Disagreement(f"accepted, but is no AIGER: {error}") from None
    if found != wanted:
        raise Disagreement("reading", f"depths by the model: {found}, by the file: {wanted}")
    if rng.random() < ENGINES:
        verdicts(model, [depth is not None for depth in wanted], (data, ".aig" if data.startswith(b"aig") else ".aag"))
    if rng.random() < PEER and wanted and not model.justice and not model.fairness:
        peers.compare(data, ".aag" if data.startswith(b"aag") else ".aig", any(depth is not None for depth in wanted))
    return " ".join("safe" if depth is None else f"unsafe in {depth}" for depth in wanted) or "no property"


WORLD = AigerWorld()
