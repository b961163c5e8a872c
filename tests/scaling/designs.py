"""Designs with as many properties as one wants, in BTOR2: a register file, and a mesh of routers.

Each property is a fact that somebody would want to know of such a design. Most hold; the others (``…_never``) say that what
the design is there for never happens, and fail after as many steps as that takes. A function returns the text and, by property,
its verdict.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partialmethod, reduce


@dataclass(slots=True)
class Lines:
    """Lines of BTOR2 under construction; a word is a pair (number of its line, width)."""

    text: list[str] = field(default_factory=list)
    verdicts: dict[str, str] = field(default_factory=dict)
    _sorts: dict[int, int] = field(default_factory=dict)
    _constants: dict[tuple[int, int], Word] = field(default_factory=dict)

    def _line(self, *parts: object) -> int:
        self.text.append(" ".join(map(str, (len(self.text) + 1, *parts))))
        return len(self.text)

    def sort(self, width: int) -> int:
        if width not in self._sorts:
            self._sorts[width] = self._line("sort", "bitvec", width)
        return self._sorts[width]

    def constant(self, value: int, width: int) -> Word:
        if (value, width) not in self._constants:
            self._constants[value, width] = self._line("constd", self.sort(width), value), width
        return self._constants[value, width]

    def input(self, name: str, width: int) -> Word:
        return self._line("input", self.sort(width), name), width

    def register(self, name: str, width: int, start: int = 0) -> Word:
        first = self.constant(start, width)
        word = self._line("state", self.sort(width), name), width
        self._line("init", self.sort(width), word[0], first[0])
        return word

    def next(self, register: Word, value: Word) -> None:
        self._line("next", self.sort(register[1]), register[0], value[0])

    def _same(self, name: str, *words: Word) -> Word:
        return self._line(name, self.sort(words[0][1]), *(number for number, _ in words)), words[0][1]

    def _bit(self, name: str, *words: Word) -> Word:
        return self._line(name, self.sort(1), *(number for number, _ in words)), 1

    both = partialmethod(_same, "and")
    either = partialmethod(_same, "or")
    invert = partialmethod(_same, "not")
    add = partialmethod(_same, "add")
    subtract = partialmethod(_same, "sub")
    equal = partialmethod(_bit, "eq")
    differ = partialmethod(_bit, "neq")
    below = partialmethod(_bit, "ult")
    above = partialmethod(_bit, "ugt")
    parity = partialmethod(_bit, "redxor")

    def choose(self, condition: Word, then: Word, other: Word) -> Word:
        return self._line("ite", self.sort(then[1]), condition[0], then[0], other[0]), then[1]

    def bit(self, word: Word, position: int) -> Word:
        return self._line("slice", self.sort(1), word[0], position, position), 1

    def extend(self, word: Word, width: int) -> Word:
        return self._line("uext", self.sort(width), word[0], width - word[1]), width

    def is_value(self, word: Word, value: int) -> Word:
        return self.equal(word, self.constant(value, word[1]))

    def bad(self, name: str, bad: Word, verdict: str = "safe") -> None:
        self._line("bad", bad[0], name)
        self.verdicts[name] = verdict

    def done(self) -> tuple[str, dict[str, str]]:
        return "\n".join(self.text) + "\n", self.verdicts


Word = tuple[int, int]


def register_file(registers: int, width: int = 8, failing: int = 20) -> tuple[str, dict[str, str]]:
    """A register file whose writes arrive two cycles later, beside one that is written at once.

    Of each register: its parity bit is right; each of its bits is the other file's unless a write is on the way; what was never
    written is 0; a lock keeps its value. ``failing`` properties count writes, and fail one after the other.
    """
    b = Lines()
    address = max(1, (registers - 1).bit_length())
    enable, where, data = b.input("we", 1), b.input("waddr", address), b.input("wdata", width)
    lock = b.input("lock", 1)
    stages = [(b.register(f"v{k}", 1), b.register(f"a{k}", address), b.register(f"d{k}", width)) for k in (1, 2)]
    for stage, before in zip(stages, [(enable, where, data), stages[0]], strict=True):
        for register, value in zip(stage, before, strict=True):
            b.next(register, value)
    (v1, a1, _), (v2, a2, d2) = stages
    for k in range(registers):
        here = b.both(v2, b.is_value(a2, k))
        coming = b.both(v1, b.is_value(a1, k))
        now = b.both(enable, b.is_value(where, k))
        stored, golden = b.register(f"r{k}", width), b.register(f"g{k}", width)
        parity, written = b.register(f"p{k}", 1), b.register(f"w{k}", 1)
        locked, kept = b.register(f"l{k}", 1), b.register(f"k{k}", width)
        b.next(stored, b.choose(here, d2, stored))
        b.next(golden, b.choose(now, data, golden))
        b.next(parity, b.choose(here, b.parity(d2), parity))
        b.next(written, b.either(written, here))
        idle = b.invert(b.either(b.either(here, coming), now))
        locking = b.both(lock, idle)
        b.next(locked, b.both(b.either(locked, locking), idle))
        b.next(kept, b.choose(locked, kept, stored))
        b.bad(f"parity_{k}", b.differ(b.parity(stored), parity))
        b.bad(f"unwritten_{k}", b.both(b.invert(written), b.differ(stored, b.constant(0, width))))
        b.bad(f"locked_{k}", b.both(locked, b.differ(stored, kept)))
        quiet = b.invert(b.either(here, coming))
        for bit in range(width):
            b.bad(f"bit_{k}_{bit}", b.both(quiet, b.differ(b.bit(stored, bit), b.bit(golden, bit))))
    count = b.register("count", 6)
    b.next(count, b.choose(b.both(v2, b.below(count, b.constant(63, 6))), b.add(count, b.constant(1, 6)), count))
    for k in range(1, failing + 1):
        b.bad(f"writes_{k}_never", b.is_value(count, k), "unsafe")
    return b.done()


def mesh(side: int, channels: int = 2, room: int = 4, failing: int = 8) -> tuple[str, dict[str, str]]:
    """Routers in a square; between neighbours, channels with credits, a flit and a credit on the way, and a queue.

    Of each channel: credits, what is under way and the queue together are ``room``; the queue never overflows, and nothing is
    sent without credit. Of each output: its grant is one-hot, and so is the pointer that turns. The first ``failing`` channels
    are said never to be full.
    """
    b = Lines()
    width = room.bit_length() + 1
    zero, full = b.constant(0, width), b.constant(room, width)
    links = [
        ((x, y), (x + dx, y + dy)) for x in range(side) for y in range(side) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    links = [link for link in links if all(0 <= c < side for c in link[1])]
    number = 0
    for (x, y), (u, v) in links:
        name = f"{x}{y}_{u}{v}"
        pointer = b.register(f"turn_{name}", channels, 1)
        asking = [b.input(f"ask_{name}_{c}", 1) for c in range(channels)]
        taking = [b.input(f"take_{name}_{c}", 1) for c in range(channels)]
        grants = [b.both(asking[c], b.bit(pointer, c)) for c in range(channels)]
        top, rest = b.bit(pointer, channels - 1), [b.bit(pointer, c) for c in range(channels - 1)]
        turned = reduce(lambda high, low: _joined(b, high, low), [*reversed(rest), top])
        b.next(pointer, turned)
        for c in range(channels):
            credit, queue = b.register(f"credit_{name}_{c}", width, room), b.register(f"queue_{name}_{c}", width)
            flit, token = b.register(f"flit_{name}_{c}", 1), b.register(f"token_{name}_{c}", 1)
            sent = b.both(grants[c], b.differ(credit, zero))
            taken = b.both(taking[c], b.differ(queue, zero))
            credit_next = b.subtract(b.add(credit, b.extend(token, width)), b.extend(sent, width))
            b.next(credit, credit_next)
            b.next(queue, b.subtract(b.add(queue, b.extend(flit, width)), b.extend(taken, width)))
            b.next(flit, sent)
            b.next(token, taken)
            total = reduce(b.add, [credit, queue, b.extend(flit, width), b.extend(token, width)])
            b.bad(f"sum_{name}_{c}", b.differ(total, full))
            b.bad(f"overflow_{name}_{c}", b.above(queue, full))
            b.bad(f"credit_{name}_{c}", b.above(credit, full))
            b.bad(f"lost_{name}_{c}", b.both(flit, b.equal(queue, full)))
            b.bad(f"spare_{name}_{c}", b.both(token, b.equal(credit, full)))
            if number < failing:
                b.bad(f"full_{name}_{c}_never", b.equal(queue, b.constant(room - number % 3, width)), "unsafe")
            number += 1
        pairs = [(c, d) for c in range(channels) for d in range(c)]
        if pairs:
            b.bad(f"grants_{name}", reduce(b.either, [b.both(grants[c], grants[d]) for c, d in pairs]))
        b.bad(f"turn_{name}", b.invert(reduce(b.either, [b.is_value(pointer, 1 << c) for c in range(channels)])))
    return b.done()


def _joined(b: Lines, high: Word, low: Word) -> Word:
    width = high[1] + low[1]
    return b._line("concat", b.sort(width), high[0], low[0]), width
