"""From the free numbering of ``aag`` to the normal form: constant, inputs, latches, gates in topological order.

A file in normal form already, as most are, is recognised by a few comparisons of whole lists and kept as it is. Otherwise the
gates are visited depth first, in file order, with a stack of our own (a chain of a million gates is no problem); a gate is
numbered after the two that it reads. So gates that are listed in a topological order keep that order.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import ge, lt

from lemmata.errors import InputError
from lemmata.frontends.aiger.text import Section

_OPEN = -1  # in place of a number: the gate is being visited


@dataclass(frozen=True, slots=True)
class Numbering:
    """``table`` maps the file's variables to ours; without it they are the same, and all up to ``defined`` exist."""

    maximum: int  # M of the header
    defined: int
    table: dict[int, int] | None = None

    def lits(self, section: Section, field: int) -> tuple[int, ...]:
        """Our literals for one field of a section."""
        lits = section.column(field)
        if self.table is None:
            if lits and max(lits) > 2 * self.defined + 1:
                raise self._undefined(section, field, lits)
            return tuple(lits)
        table = self.table
        try:
            return tuple([2 * table[lit >> 1] | lit & 1 for lit in lits])
        except KeyError:
            raise self._undefined(section, field, lits) from None

    def _undefined(self, section: Section, field: int, lits: list[int]) -> InputError:
        table = range(self.defined + 1) if self.table is None else self.table
        row = next(row for row, lit in enumerate(lits) if lit >> 1 not in table)
        return undefined(section, row, field, self.maximum)


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
    lefts, rights = gates.column(1), gates.column(2)
    defined = [inputs.column(0), latches.column(0), gates.column(0)]
    count = sum(map(len, defined))
    if _is_normal(defined, lefts, rights):
        return Numbering(maximum, count), *_sort(lefts, rights)
    _check_definitions(maximum, inputs, latches, gates)
    leaves = [0, *(lit >> 1 for lit in inputs.column(0)), *(lit >> 1 for lit in latches.column(0))]
    order, table = _visit(maximum, gates, {variable: i for i, variable in enumerate(leaves)})
    lefts = [2 * table[lefts[g] >> 1] | lefts[g] & 1 for g in order]
    rights = [2 * table[rights[g] >> 1] | rights[g] & 1 for g in order]
    return Numbering(maximum, count, table), *_sort(lefts, rights)


def _is_normal(defined: list[list[int]], lefts: list[int], rights: list[int]) -> bool:
    start = 2
    for lits in defined:
        if lits != list(range(start, start + 2 * len(lits), 2)):
            return False
        start += 2 * len(lits)
    return all(map(lt, lefts, defined[2])) and all(map(lt, rights, defined[2]))


def _sort(lefts: list[int], rights: list[int]) -> tuple[list[int], list[int]]:
    if all(map(ge, lefts, rights)):
        return lefts, rights
    return list(map(max, lefts, rights)), list(map(min, lefts, rights))


def _check_definitions(maximum: int, *sections: Section) -> None:
    seen: set[int] = set()
    for section in sections:
        for row, lit in enumerate(section.column(0)):
            if lit & 1:
                raise section.error(row, 0, f"{section.what} {lit} is negated", f"define {lit - 1} instead")
            if not lit:
                raise section.error(row, 0, f"the constant 0 cannot be a {section.what}", "variables start at literal 2")
            if lit > 2 * maximum:
                raise undefined(section, row, 0, maximum)
            if lit in seen:
                raise section.error(row, 0, f"literal {lit} is defined twice", "each variable is one input, latch or gate")
            seen.add(lit)


def _visit(maximum: int, gates: Section, table: dict[int, int]) -> tuple[list[int], dict[int, int]]:
    """The gates in topological order; ``table`` comes with the leaves and goes with all variables."""
    numbers = gates.numbers
    rows = {lit >> 1: row for row, lit in enumerate(gates.column(0))}
    order: list[int] = []
    first = len(table)
    for root in rows:
        if root in table:
            continue
        stack = [root]
        while stack:
            variable = stack[-1]
            row = rows[variable]
            waiting = False
            for field in (1, 2):
                child = numbers[3 * row + field] >> 1
                state = table.get(child)
                if state is None:
                    if child not in rows:
                        raise undefined(gates, row, field, maximum)
                    table[variable] = _OPEN
                    stack.append(child)
                    waiting = True
                    break
                if state == _OPEN:
                    raise _cycle(gates, row, field, stack)
            if not waiting:
                stack.pop()
                table[variable] = first + len(order)
                order.append(row)
    return order, table


def _cycle(gates: Section, row: int, field: int, stack: list[int]) -> InputError:
    back = gates.numbers[3 * row + field] >> 1
    cycle = [2 * variable for variable in stack[stack.index(back) :]]
    path = " → ".join(map(str, cycle[:8])) + (" → …" if len(cycle) > 8 else "") + f" → {2 * back}"
    return gates.error(row, field, f"gates depend on each other in a cycle: {path}", "break it with a latch")
