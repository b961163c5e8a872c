"""From the free numbering of ``aag`` to the normal form: constant, inputs, latches, gates in topological order.

Variables are numbered as they are listed: inputs, latches, gates. Most files then are in normal form already. Where a gate
reads one that is listed later, the gates are visited depth first, in file order, with a stack of our own (a chain of a million
gates is no problem), and numbered after the two that they read.

``reset_cycle`` looks at reset functions: a latch may start as the value of any literal, as long as no latch's start depends on
itself. A latch that starts as 0, 1 or free (its own literal) depends on nothing, every other one on its reset literal, a gate
on what it reads, an input on nothing. A cycle would leave the initial states undefined.
"""

from __future__ import annotations

from operator import lt

from lemmata.errors import InputError
from lemmata.frontends.aiger.text import Section
from lemmata.models.aig import Aig
from lemmata.values import dataclass

_NEW, _OPEN, _DONE = 0, 1, 2


def reset_cycle(model: Aig) -> int | None:
    """The position of a latch whose reset depends on itself, or None."""
    state = bytearray(model.variables)
    for position, reset in enumerate(model.resets):
        if reset > 1 and reset != model.latch_lit(position):
            found = _search(model, model.first_latch + position, state)
            if found is not None:
                return found
    return None


def _search(model: Aig, root: int, state: bytearray) -> int | None:
    stack = [root]
    while stack:
        variable = stack[-1]
        if state[variable] != _NEW:
            state[variable] = _DONE
            stack.pop()
            continue
        state[variable] = _OPEN
        for child in _reads(model, variable):
            if state[child] == _OPEN:
                return _latch_on_cycle(model, child, stack, state)
            if state[child] == _NEW:
                stack.append(child)
    return None


def _reads(model: Aig, variable: int) -> tuple[int, ...]:
    gate = variable - model.first_gate
    if gate >= 0:
        return model.lefts[gate] >> 1, model.rights[gate] >> 1
    position = variable - model.first_latch
    if position < 0:
        return ()
    reset = model.resets[position]
    return () if reset < 2 or reset == 2 * variable else (reset >> 1,)


def _latch_on_cycle(model: Aig, child: int, stack: list[int], state: bytearray) -> int:
    """Gates alone are acyclic, so a cycle meets a latch: the last open one on the stack from ``child`` on."""
    on_cycle = [variable for variable in stack[stack.index(child) :] if state[variable] == _OPEN]
    return next(v for v in reversed(on_cycle) if v < model.first_gate) - model.first_latch


_OPEN, _DONE = 1, 2  # a gate that waits for the ones it reads; one that is in the order


@dataclass(frozen=True, slots=True)
class Numbering:
    """``table[lit]`` is our literal for the file's ``lit``; what is missing or -1 is not defined."""

    maximum: int  # M of the header
    table: range | list[int] | dict[int, int]

    def lits(self, section: Section, field: int) -> list[int]:
        """Our literals for one field of a section."""
        lits = section.column(field)
        try:
            ours = lits if isinstance(self.table, range) else list(map(self.table.__getitem__, lits))
        except LookupError:
            raise self._undefined(section, field, lits) from None
        if ours and (min(ours) < 0 or max(ours) >= len(self.table)):
            raise self._undefined(section, field, lits)
        return ours

    def then(self, new: list[int]) -> Numbering:
        """Renumber once more: our literal ``lit`` becomes ``new[lit]``."""
        if isinstance(self.table, range):
            return Numbering(self.maximum, new)
        if isinstance(self.table, dict):
            return Numbering(self.maximum, {lit: new[ours] for lit, ours in self.table.items()})
        return Numbering(self.maximum, [new[ours] if ours >= 0 else -1 for ours in self.table])

    def _undefined(self, section: Section, field: int, lits: list[int]) -> InputError:
        row = next(row for row, lit in enumerate(lits) if not self._defines(lit))
        return undefined(section, row, field, self.maximum)

    def _defines(self, lit: int) -> bool:
        if isinstance(self.table, dict):
            return lit in self.table
        return lit < len(self.table) and self.table[lit] >= 0


def undefined(section: Section, row: int, field: int, maximum: int) -> InputError:
    """The error for a literal that no input, latch or gate defines."""
    lit = section.numbers[row * section.width + field]
    if lit > 2 * maximum + 1:
        return section.error(
            row, field, f"literal {lit} is out of range", f"with M = {maximum} the largest is {2 * maximum + 1}"
        )
    return section.error(row, field, f"literal {lit} is not defined", f"no input, latch or gate defines {lit & ~1}")


def number(maximum: int, inputs: Section, latches: Section, gates: Section) -> tuple[Numbering, list[int], list[int]]:
    """The numbering of an ``aag`` file and the gates' two operands in our literals, the larger one first."""
    leaves = inputs.column(0) + latches.column(0)
    numbering = _as_listed(maximum, leaves + gates.column(0), inputs, latches, gates)
    lefts, rights = numbering.lits(gates, 1), numbering.lits(gates, 2)
    first = len(leaves) + 1
    if not _is_topological(first, lefts, rights):
        order = _visit(first, gates, lefts, rights)
        new = _places(first, order)
        numbering = numbering.then(new)
        lefts, rights = [new[lefts[row]] for row in order], [new[rights[row]] for row in order]
    return numbering, list(map(max, lefts, rights)), list(map(min, lefts, rights))


def _as_listed(maximum: int, lits: list[int], *sections: Section) -> Numbering:
    """Number the variables in the order of their definitions."""
    count = len(lits)
    if lits == list(range(2, 2 * count + 2, 2)):
        return Numbering(maximum, range(2 * count + 2))
    _check_definitions(maximum, *sections)
    table: list[int] | dict[int, int] = [-1] * (2 * maximum + 2) if maximum < 4 * count else {}
    for ours, lit in enumerate([0, *lits]):
        table[lit] = 2 * ours
        table[lit + 1] = 2 * ours + 1
    return Numbering(maximum, table)


def _places(first: int, order: list[int]) -> list[int]:
    """From the literals as listed to those with the gates in ``order``."""
    new = list(range(2 * (first + len(order))))
    for place, row in enumerate(order, first):
        new[2 * (first + row)] = 2 * place
        new[2 * (first + row) + 1] = 2 * place + 1
    return new


def _is_topological(first: int, lefts: list[int], rights: list[int]) -> bool:
    outs = range(2 * first, 2 * (first + len(lefts)), 2)
    return all(map(lt, lefts, outs)) and all(map(lt, rights, outs))


def _check_definitions(maximum: int, *sections: Section) -> None:
    seen: set[int] = set()
    for section in sections:
        for row, lit in enumerate(section.column(0)):
            if lit & 1:
                raise section.error(row, 0, f"{section.what} {lit} is negated", f"define {lit - 1} instead")
            if not lit:
                raise section.error(
                    row,
                    0,
                    f"the constant 0 cannot be a {section.what}".replace(" a input", " an input"),
                    "variables start at literal 2",
                )
            if lit > 2 * maximum:
                raise undefined(section, row, 0, maximum)
            if lit in seen:
                raise section.error(row, 0, f"literal {lit} is defined twice", "each variable is one input, latch or gate")
            seen.add(lit)


def _visit(first: int, gates: Section, lefts: list[int], rights: list[int]) -> list[int]:
    """The rows of the gates in topological order."""
    states = bytearray([_DONE]) * first + bytearray(len(lefts))
    order: list[int] = []
    for root in range(first, len(states)):
        stack = [] if states[root] else [root]
        while stack:
            variable = stack[-1]
            row = variable - first
            states[variable] = _OPEN
            child = lefts[row] >> 1
            if states[child] == _DONE:
                child = rights[row] >> 1
            if states[child] == _DONE:
                states[variable] = _DONE
                order.append(row)
                stack.pop()
            elif states[child] == _OPEN:
                raise _cycle(first, gates, stack, child)
            else:
                stack.append(child)
    return order


def _cycle(first: int, gates: Section, stack: list[int], child: int) -> InputError:
    cycle = [gates.numbers[3 * (variable - first)] for variable in [*stack[stack.index(child) :], child]]
    path = " → ".join(map(str, cycle if len(cycle) < 10 else [*cycle[:4], "…", *cycle[-4:]]))
    row = stack[-1] - first
    field = 1 if gates.numbers[3 * row + 1] >> 1 == cycle[-1] >> 1 else 2
    return gates.error(row, field, f"gates depend on each other in a cycle: {path}", "break it with a latch")
