"""An AIGER file as clauses: one variable per input, latch and gate and step, three clauses per gate (Tseitin 1968)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lemmata.certify.reading.aiger_lines import AigerLines
from lemmata.certify.reading.aiger_order import gates_below, start_order
from lemmata.errors import GaveUp
from lemmata.solvers.checker import Backend, CertificateSolver, CheckedSat
from lemmata.work import CLAUSE, is_over, tally

StepVariables = dict[int, int]  # variable (its positive literal) → literal of the solver
SOLVER: Backend = "glucose4"
_LOOK_GATES = 1 << 14  # gates between two looks at the clock


class StepClauses:
    """Steps of the circuit in one solver."""

    def __init__(self, lines: AigerLines, until: float | None) -> None:
        self._lines = lines
        self._until = until
        self._solver = CertificateSolver(SOLVER, until)
        self._last = 1
        self._solver.add([1])

    def fresh(self) -> int:
        """A new variable."""
        self._last += 1
        return self._last

    def add(self, clause: Sequence[int]) -> None:
        """State a clause."""
        self._solver.add(clause or [-1])

    def model(self, *assumptions: int) -> CheckedSat | None:
        """A model, if there is one."""
        answer = self._solver.solve(assumptions)
        return answer if isinstance(answer, CheckedSat) else None

    def frame(self) -> StepVariables:
        """A step in which nothing is known yet; the constant is false."""
        return {0: -1}

    def follow(self, frame: StepVariables, roots: Iterable[int]) -> list[int]:
        """The literals of the roots; the gates below them are encoded now, what is no gate and not known is free."""
        roots = list(roots)
        self._encode(frame, [gate for gate in gates_below(self._lines, roots) if gate not in frame])
        return [self._literal(frame, root) for root in roots]

    def start(self, roots: Iterable[int]) -> StepVariables:
        """The first step: latches have their resets; all that the roots need is encoded."""
        frame = self.frame()
        lines = self._lines
        for latch in lines.latches:
            if (reset := lines.resets_to(latch)) is not None and reset < 2:
                frame[latch] = 1 if reset else -1
        order = start_order(lines, [*roots, *(latch for latch in lines.latches if latch not in frame)])
        for variable in order:
            if variable in lines.gates:
                self._encode(frame, [variable])
            else:
                frame[variable] = self._literal(frame, lines.resets[variable])
        return frame

    def _encode(self, frame: StepVariables, gates: Sequence[int]) -> None:
        add, literal, lines = self._solver.add, self._literal, self._lines.gates
        for number, gate in enumerate(gates):
            if number % _LOOK_GATES == 0 and is_over(self._until):
                raise GaveUp("timeout")
            tally[CLAUSE] += 3
            left, right = lines[gate]
            a, b = literal(frame, left), literal(frame, right)
            frame[gate] = self._last = value = self._last + 1
            add((-value, a))
            add((-value, b))
            add((value, -a, -b))

    def _literal(self, frame: StepVariables, literal: int) -> int:
        variable = literal & ~1
        found = frame.get(variable)
        if found is None:
            frame[variable] = found = self.fresh()
        return -found if literal & 1 else found
