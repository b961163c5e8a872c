"""A simulator of BTOR2 witnesses, as strict as btorsim, on the interpreter of plain integers."""

from __future__ import annotations

import re

from lemmata.logic.terms import Value
from tests.support.btor2_interpreter import Interpreter, Leaf, Values

HEADER = re.compile(r"sat\nb\d+\n")


LINE = re.compile(r"(\d+) (?:\[([01]+)\] )?([01]+)(?: \S+)?")


class Simulator:
    """Reads a witness as strictly as ``btorsim`` does, and runs it with the interpreter of plain integers."""

    def __init__(self, text: str, witness: str) -> None:
        self.model = Interpreter(text)
        assert HEADER.match(witness) and witness.endswith("\n.\n")
        self.prop = int(witness.splitlines()[1][1:])
        self.parts: list[tuple[str, dict[int, Value]]] = []
        for line in witness.splitlines()[2:-1]:
            if line[0] in "#@":
                self.parts.append((line, {}))
            else:
                self.assign(line)
        steps = [name[1:] for name, _ in self.parts if name[0] == "@"]
        assert steps == [str(step) for step in range(len(steps))]
        self.steps = len(steps)

    def assign(self, line: str) -> None:
        name, part = self.parts[-1]
        found = LINE.fullmatch(line)
        assert found
        leaf = (self.model.states if name[0] == "#" else self.model.inputs)[int(found[1])]
        if isinstance(leaf.sort, int):
            assert found[2] is None and len(found[3]) == leaf.sort and leaf.node not in part
            part[leaf.node] = int(found[3], 2)
        else:
            index, element = leaf.sort
            assert len(found[2]) == index and len(found[3]) == element
            cells = list(part.get(leaf.node, (0,) * (1 << index)))  # type: ignore[arg-type]
            cells[int(found[2], 2)] = int(found[3], 2)
            part[leaf.node] = tuple(cells)

    def part(self, name: str, leaves: list[Leaf]) -> Values:
        given = dict(self.parts).get(name, {})
        zeros = {leaf.node: 0 if isinstance(leaf.sort, int) else (0,) * (1 << leaf.sort[0]) for leaf in leaves}
        return tuple(given.get(leaf.node, zeros[leaf.node]) for leaf in leaves)

    def reaches_bad(self) -> bool:
        model, bads = self.model, ()
        state = model.initial(self.part("#0", model.free()))
        for step in range(self.steps):
            inputs, loose = self.part(f"@{step}", model.inputs), self.part(f"#{step + 1}", model.loose())
            state, holds, bads = model.step(state, inputs, loose)
            if not holds:
                return False
        return bads[self.prop]
