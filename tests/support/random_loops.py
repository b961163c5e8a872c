"""Random BTOR2 loops over two or three words: linear steps under linear guards, and a linear question.

``btor2_random`` has every operator but hardly ever asks for a relation between words. These models do: their proofs need
boundaries, slanted ones, sums that wrap, single bits, and they are few enough to enumerate. All that is random comes from
``rng``.
"""

from __future__ import annotations

import random

COMPARISONS = ("ult", "ulte", "ugt", "ugte", "slt", "slte", "sgt", "sgte", "eq", "neq")


def random_loop(rng: random.Random) -> str:
    """The text of a random loop."""
    writer = _Writer(rng)
    writer.declare()
    writer.step()
    writer.ask()
    return "\n".join(writer.lines) + "\n"


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        self.width = rng.randint(2, 4)
        self.words: list[int] = []
        self.inputs: list[int] = []
        self.free: list[int] = []
        self.bit, self.word = self.line("sort bitvec 1"), self.line("sort bitvec", self.width)

    def line(self, *parts: object) -> int:
        number = len(self.lines) + 1
        self.lines.append(" ".join(map(str, (number, *parts))))
        return number

    def constant(self, most: int | None = None) -> int:
        return self.line("constd", self.word, self.rng.randint(0, (1 << self.width) - 1 if most is None else most))

    def declare(self) -> None:
        for _ in range(2 if self.width == 4 else self.rng.randint(2, 3)):
            start = self.constant(2) if self.rng.random() < 0.7 else self.constant()
            state = self.line("state", self.word, f"x{len(self.words)}")
            if self.rng.random() < 0.8:
                self.line("init", self.word, state, start)
            else:
                self.free.append(state)
            self.words.append(state)
        if self.rng.random() < 0.5:
            self.inputs.append(self.line("input", self.bit, "go"))

    def linear(self) -> int:
        """A sum of words, some of them twice or negated, and perhaps a constant."""
        total = self.rng.choice(self.words)
        for word in self.rng.sample(self.words, self.rng.randint(0, len(self.words))):
            for _ in range(self.rng.choice((1, 1, 2))):
                total = self.line(self.rng.choice(("add", "sub")), self.word, total, word)
        if self.rng.random() < 0.4:
            total = self.line("add", self.word, total, self.constant(3))
        return total

    def condition(self) -> int:
        right = self.constant() if self.rng.random() < 0.6 else self.rng.choice(self.words)
        return self.line(self.rng.choice(COMPARISONS), self.bit, self.linear(), right)

    def moved(self, word: int) -> int:
        match self.rng.randrange(6):
            case 0:
                return self.line("inc", self.word, word)
            case 1:
                return self.line("dec", self.word, word)
            case 2:
                return self.line("add", self.word, word, self.constant(3))
            case 3:
                return self.line("add", self.word, word, self.rng.choice(self.words))
            case 4:
                return self.line("sub", self.word, word, self.rng.choice(self.words))
            case _:
                return word

    def step(self) -> None:
        guard = self.condition() if self.rng.random() < 0.7 else None
        for word in self.words:
            after = self.moved(word)
            if guard is not None and self.rng.random() < 0.8:
                after = self.line("ite", self.word, guard, after, word)
            if self.inputs and self.rng.random() < 0.6:
                after = self.line("ite", self.word, self.inputs[0], after, word)
            self.line("next", self.word, word, after)

    def ask(self) -> None:
        if self.rng.random() < 0.3:
            self.line("constraint", self.condition())
        if self.free and self.rng.random() < 0.7:
            self.begin()
        for _ in range(self.rng.randint(1, 2)):
            bad = self.condition()
            if self.rng.random() < 0.6:
                bad = self.line("and", self.bit, bad, self.condition())
            self.line("bad", bad)

    def begin(self) -> None:
        """A flag that is 0 in the first step only, where it lets a condition restrict the free words."""
        zero, one = self.line("zero", self.bit), self.line("one", self.bit)
        started = self.line("state", self.bit, "started")
        self.line("init", self.bit, started, zero)
        self.line("next", self.bit, started, one)
        self.line("constraint", self.line("or", self.bit, started, self.condition()))
