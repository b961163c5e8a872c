"""States of the file become variables and inputs of a transition system.

- A state with ``next`` is a variable. Without ``init`` its start is free.
- A state with neither is an input: any value at each step. It stays a variable only if an initial value depends on it.
- A state with ``init`` but without ``next`` is a variable whose next value is an input that the file does not know.

An initial value may depend on states that come before its own. Their initial values are put in, so that every start is a term
over the variables that are free.

Variables are called by their symbols where these are unique; those without a symbol by that of an output, or of a copy
(an extension by 0 bits), as Yosys writes them; otherwise ``state12`` or ``input7`` with the node's id (``LeafNames``): no two
variables of a system have the same name, whatever symbols the file has. A symbol that ends with a prime is not used: the prime
stands for the next value of a variable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from lemmata.frontends.btor2.lines import MOST_ID_DIGITS, Btor2Line
from lemmata.logic.terms import Term, name_of, var
from lemmata.logic.walk import substitute, variables
from lemmata.models.system import System
from lemmata.values import dataclass

_SYMBOL = 3  # id state sort symbol


class LeafNames:
    """Gives each state and input its name, and invents others that are free."""

    def __init__(self, lines: Sequence[Btor2Line]) -> None:
        leaves = [line for line in lines if len(line.words) > _SYMBOL and line.words[1] in (b"state", b"input")]
        symbols = [line.symbol(_SYMBOL) for line in leaves]
        count = Counter(symbols)
        self._symbols = {
            line.number: name
            for line, name in zip(leaves, symbols, strict=True)
            if name is not None and count[name] == 1 and not name.endswith("′")
        }
        self._taken = set(self._symbols.values())
        unnamed = {int(line.words[0]): line.number for line in lines if _is_leaf(line) and line.number not in self._symbols}
        for line in lines:
            number, name = _alias(line)
            if number in unnamed and name and name not in count and name not in self._taken:
                self._symbols[unnamed.pop(number)] = name
                self._taken.add(name)

    def of(self, line: Btor2Line) -> str:
        """The name of the state or input on this line."""
        found = self._symbols.get(line.number)
        return found if found is not None else self.fresh(f"{line.words[1].decode()}{int(line.words[0])}")

    def fresh(self, name: str) -> str:
        """``name``, or something like it that nothing else is called."""
        while name in self._taken:
            name += "_"
        self._taken.add(name)
        return name


def _is_leaf(line: Btor2Line) -> bool:
    return (
        len(line.words) > 1
        and line.words[1] in (b"state", b"input")
        and line.words[0].isdigit()
        and len(line.words[0]) <= MOST_ID_DIGITS
    )


def _alias(line: Btor2Line) -> tuple[int, str]:
    """The node that this line gives another name, and the name; nobody has checked the line yet."""
    match line.words:
        case [_, b"output", number, symbol] | [_, b"uext", _, number, b"0", symbol] if (
            number.isdigit() and len(number) <= MOST_ID_DIGITS
        ):
            name = symbol.decode(errors="replace")
            return int(number), name if name.isprintable() and "\ufffd" not in name and not name.endswith("′") else ""
    return -1, ""


@dataclass(slots=True)
class StateLine:
    """A state of the file as far as it has been read."""

    id: int
    term: Term
    init: Term | None = None
    next: Term | None = None


def make_system(
    states: Sequence[StateLine], inputs: Sequence[Term], constraint: Term, bads: tuple[Term, ...], names: LeafNames
) -> System:
    """The transition system; ``states`` in file order."""
    needed = set(variables([state.init for state in states if state.init is not None]))
    loose = [s.term for s in states if s.next is None and s.init is None and s.term not in needed]
    is_loose = set(loose)
    kept = [state for state in states if state.term not in is_loose]
    nexts = {state.term: state.next if state.next is not None else _any(state.term, names) for state in kept}
    anything = [nexts[state.term] for state in kept if state.next is None]
    return System(
        tuple(state.term for state in kept),
        (*inputs, *loose, *anything),
        _starts(kept),
        nexts,
        constraint,
        bads,
    )


def _any(state: Term, names: LeafNames) -> Term:
    return var(names.fresh(f"{name_of(state)}.next"), state.sort)


def _starts(states: Sequence[StateLine]) -> dict[Term, Term | None]:
    known: dict[Term, Term] = {}
    starts: dict[Term, Term | None] = {}
    for state in states:
        start = state.init
        if start is not None:
            if not start.is_const:
                (start,) = substitute([start], {v: known[v] for v in variables([start]) if v in known})
            known[state.term] = start
        starts[state.term] = start
    return starts
