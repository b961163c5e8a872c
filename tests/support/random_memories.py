"""Random BTOR2 models around one or two tiny memories: writes and reads decide what is asked.

In ``btor2_random`` few properties depend on an array. Here all do: through reads at fixed, stored and given addresses, chains
of writes, ``ite`` and equations of memories. All that is random comes from ``rng``.
"""

from __future__ import annotations

import random


def random_memory(rng: random.Random) -> str:
    """The text of a random model with memories."""
    writer = _Writer(rng)
    writer.declare()
    writer.step()
    writer.ask()
    return "\n".join(writer.lines) + "\n"


class _Writer:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.lines: list[str] = []
        index, element = rng.choice(((1, 1), (1, 2), (2, 1)))
        self.bit = self.line("sort bitvec 1")
        self.index = self.bit if index == 1 else self.line("sort bitvec", index)
        self.element = self.bit if element == 1 else self.line("sort bitvec", element)
        self.memory = self.line("sort array", self.index, self.element)
        self.most = {self.bit: 1, self.index: 2**index - 1, self.element: 2**element - 1}
        self.memories: list[int] = []
        self.pool: dict[int, list[int]] = {sort: [] for sort in self.most}

    def line(self, *parts: object) -> int:
        number = len(self.lines) + 1
        self.lines.append(" ".join(map(str, (number, *parts))))
        return number

    def constant(self, sort: int) -> int:
        return self.line("constd", sort, self.rng.randint(0, self.most[sort]))

    def pick(self, sort: int) -> int:
        known = self.pool[sort]
        return self.rng.choice(known) if known and self.rng.random() < 0.8 else self.constant(sort)

    def add(self, sort: int, *parts: object) -> int:
        node = self.line(*parts)
        self.pool[sort].append(node)
        return node

    def declare(self) -> None:
        for _ in range(self.rng.randint(1, 2)):
            start = self.constant(self.element)
            node = self.line("state", self.memory)
            if self.rng.random() < 0.75:
                self.line("init", self.memory, node, start)
            self.memories.append(node)
        for sort in self.rng.choices((self.bit, self.index, self.element), k=self.rng.randint(1, 2)):
            start = self.constant(sort)
            node = self.add(sort, "state", sort)
            self.line("init", sort, node, start)
            after = self.line("inc", sort, node) if self.rng.random() < 0.5 else self.contents(sort)
            self.line("next", sort, node, after)
        if self.rng.random() < 0.7:
            self.add(self.index, "input", self.index)
        if self.rng.random() < 0.4:
            self.add(self.bit, "input", self.bit)

    def contents(self, sort: int) -> int:
        """Something of that sort, out of a memory where that is possible."""
        return self.read(self.rng.choice(self.memories)) if sort == self.element else self.pick(sort)

    def read(self, memory: int) -> int:
        return self.add(self.element, "read", self.element, memory, self.pick(self.index))

    def written(self, memory: int) -> int:
        for _ in range(self.rng.choice((1, 1, 2))):
            value = self.pick(self.element) if self.rng.random() < 0.6 else self.read(self.rng.choice(self.memories))
            memory = self.line("write", self.memory, memory, self.pick(self.index), value)
        return memory

    def step(self) -> None:
        for memory in self.memories:
            source = memory if self.rng.random() < 0.8 else self.rng.choice(self.memories)
            after = self.written(source) if self.rng.random() < 0.85 else source
            if self.rng.random() < 0.4:
                after = self.line("ite", self.memory, self.pick(self.bit), after, memory)
            if self.rng.random() < 0.9:
                self.line("next", self.memory, memory, after)

    def condition(self) -> int:
        if len(self.memories) == 2 and self.rng.random() < 0.3:
            return self.line(self.rng.choice(("eq", "neq")), self.bit, *self.memories)
        left = self.read(self.rng.choice(self.memories))
        right = self.constant(self.element) if self.rng.random() < 0.6 else self.read(self.rng.choice(self.memories))
        return self.line(self.rng.choice(("eq", "neq", "ult", "sgt")), self.bit, left, right)

    def ask(self) -> None:
        if self.rng.random() < 0.3:
            self.line("constraint", self.condition())
        for _ in range(self.rng.randint(1, 2)):
            bad = self.condition()
            for _ in range(self.rng.randint(0, 2)):
                bad = self.line("and", self.bit, bad, self.condition())
            self.line("bad", bad)
