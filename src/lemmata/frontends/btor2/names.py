"""What variables are called: by their symbols where these are unique, otherwise ``state12`` or ``input7`` with the node's id.

No two variables of a system have the same name, whatever symbols the file has. A symbol that ends with a prime is not used:
the prime stands for the next value of a variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lemmata.frontends.btor2.lines import Line

_SYMBOL = 3  # id state sort symbol


class Names:
    """Gives each state and input its name, and invents others that are free."""

    def __init__(self, lines: Iterable[Line]) -> None:
        leaves = [line for line in lines if len(line.words) > _SYMBOL and line.words[1] in (b"state", b"input")]
        symbols = [line.symbol(_SYMBOL) for line in leaves]
        count = Counter(symbols)
        self._symbols = {
            line.number: name
            for line, name in zip(leaves, symbols, strict=True)
            if name is not None and count[name] == 1 and not name.endswith("′")
        }
        self._taken = set(self._symbols.values())

    def of(self, line: Line) -> str:
        """The name of the state or input on this line."""
        found = self._symbols.get(line.number)
        return found if found is not None else self.fresh(f"{line.words[1].decode()}{int(line.words[0])}")

    def fresh(self, name: str) -> str:
        """``name``, or something like it that nothing else is called."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name
