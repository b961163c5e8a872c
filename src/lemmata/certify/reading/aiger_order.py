"""Orders: what must be known before a literal is, without recursion."""

from __future__ import annotations

from collections.abc import Iterable

from lemmata.certify.reading.aiger_lines import AigerLines
from lemmata.errors import CertificateError


def gates_below(lines: AigerLines, roots: Iterable[int]) -> list[int]:
    """The gates (positive literals) that the roots need in one step, each after those that it reads."""
    gates = lines.gates
    if not lines.is_ordered:
        return [variable for variable in _ordered(lines, roots, {}) if variable in gates]
    seen: set[int] = set()
    stack = [root & ~1 for root in roots]
    while stack:
        gate = stack.pop()
        if gate not in seen and gate in gates:
            seen.add(gate)
            left, right = gates[gate]
            stack += (left & ~1, right & ~1)
    return sorted(seen)


def start_order(lines: AigerLines, roots: Iterable[int]) -> list[int]:
    """Gates, and latches that start as a function of others, each after what it needs in the first step."""
    starts = {latch: reset for latch in lines.latches if (reset := lines.resets_to(latch)) is not None and reset > 1}
    gates = lines.gates
    return [variable for variable in _ordered(lines, roots, starts) if variable in gates or variable in starts]


def latches_below(lines: AigerLines, roots: Iterable[int]) -> list[int]:
    """The latches that decide the roots now or later, in the order of the file."""
    seen: set[int] = set()
    stack = [root & ~1 for root in roots]
    gates, nexts = lines.gates, lines.nexts
    while stack:
        variable = stack.pop()
        if variable in seen:
            continue
        seen.add(variable)
        if variable in gates:
            left, right = gates[variable]
            stack += (left & ~1, right & ~1)
        elif variable in nexts:
            stack.append(nexts[variable] & ~1)
    return [latch for latch in lines.latches if latch in seen]


def _ordered(lines: AigerLines, roots: Iterable[int], starts: dict[int, int]) -> list[int]:
    """Depth first; a variable that is met again while it is being followed depends on itself."""
    gates = lines.gates
    done: dict[int, bool] = {}  # False while what it needs is being followed
    order: list[int] = []
    stack = [root & ~1 for root in roots]
    while stack:
        variable = stack[-1]
        state = done.get(variable)
        if state is None:
            done[variable] = False
            if variable in gates:
                left, right = gates[variable]
                below: tuple[int, ...] = (left & ~1, right & ~1)
            else:
                below = (starts[variable] & ~1,) if variable in starts else ()
            for other in below:
                other_state = done.get(other)
                if other_state is None:
                    stack.append(other)
                elif not other_state:
                    raise CertificateError(f"the second reader has {other} depend on itself")
        else:
            stack.pop()
            if not state:
                done[variable] = True
                order.append(variable)
    return order
