"""Random runs of a program: what they violate, and the states that they pass.

Arbitrary values are drawn from the constants of the program and their neighbours, from small numbers and corner values, and a
few from far away. Where a ``where`` clause or a precondition says no, others are drawn; where an assumption fails, the last
``havoc`` of the same body is tried again a few times. A run ends with the program, at an assertion that fails, where it is
blocked, where nobody can say how it goes on, or after ``_STEPS`` steps; a few runs may be longer. The same seed gives the same
runs. There are no more of them once many in a row have shown nothing new: no statement that no run met before, and no state at
a location of which few are known. The loop is written for speed: most programs take a thousand runs in a fraction of a second.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import field
from fractions import Fraction
from random import Random
from typing import Any

from lemmata.certify.reading.program_code import CompiledBody, CompiledProcedures, Instruction, is_assumed
from lemmata.certify.reading.program_machine import CallFrame, axioms, broken_promise, refused, relies
from lemmata.certify.reading.program_values import ExpressionCompiler, ProgramText, ProgramWorld, Storage, Unclear
from lemmata.logic.sorts import BOOL, INT, REAL, Array, BitVec, Sort
from lemmata.logic.values import ArrayValue
from lemmata.values import dataclass
from lemmata.work import STATEMENT, is_over, now, tally

_STEPS = 100  # of one run
_LONG_STEPS = (10, 600)  # every tenth run may have more steps
_POOL = 4099  # random numbers that are drawn ahead
_UNSEEN_VISITS = 63  # of visits to a location, after the first ones: one in 64 is looked at
_DRAWS = 30  # of values that a clause may refuse
_RETRIES = 12  # of choices that an assumption refused, per run
_KEPT_STATES = 24  # states per location,
_FEW_STATES = 8  # of which so many are worth more runs
_FRAMES = 60  # bodies at work


@dataclass(slots=True)
class Visit:
    """A state at a location: globals, and the bodies at work, from the outside to the inside."""

    now: Storage
    frames: tuple[tuple[CompiledBody, Storage], ...]
    constants: Storage
    tables: dict[tuple[str, tuple[Any, ...]], Any]


@dataclass(slots=True)
class Seen:
    """What some runs have shown."""

    runs: int = 0
    steps: int = 0
    violated: set[str] = field(default_factory=set)
    visits: dict[str, list[Visit]] = field(default_factory=dict)


class Runs:
    """Runs of one program from its ``entries``; ``paths`` are those that the graph has locations for."""

    def __init__(
        self, program: ProgramText, entries: Sequence[str], paths: frozenset[str], numbers: Sequence[int], seed: int = 0
    ) -> None:
        self._program = program
        self._entries = entries
        self._paths = paths
        self._random = Random(seed)
        self._numbers = sorted({*numbers, *[n + 1 for n in numbers], *[n - 1 for n in numbers], -1, 0, 1, 2})
        self._pool = [self._drawn_ahead() for _ in range(_POOL)]
        self._choices = [self._random.getrandbits(30) for _ in range(_POOL)]
        self._next = 0
        self._sorts: dict[Any, Sort] = {}
        self._world = ProgramWorld(self._samples, self._value)
        self.library = CompiledProcedures(program, ExpressionCompiler(program, self._world))
        self._globals = list(program.variables.values())
        self._unique = [v for v in program.constants.values() if v.is_unique]
        self.seen = Seen()
        self._is_new = False  # has the run shown something?

    def more(self, count: int, seconds: float, until: float | None, idle_runs: int) -> Seen:
        """That many more runs, or as many as these seconds of work allow, or until so many in a row show nothing new."""
        end = now() + seconds
        self._world.until = end if until is None else min(end, until)
        idle = 0
        for _ in range(count):
            if idle == idle_runs or is_over(self._world.until):
                break
            steps = self.seen.steps
            self._is_new = False
            with suppress(Unclear):
                self._run()
            self.seen.runs += 1
            tally[STATEMENT] += self.seen.steps - steps + 4
            idle = 0 if self._is_new else idle + 1
        return self.seen

    # Values.

    def _samples(self, sort: Sort) -> Sequence[Any]:
        return [self._value(sort) for _ in range(8)]

    def _value(self, sort: Sort) -> Any:
        draw = self._random
        if sort is INT:
            return self._number()
        if sort is BOOL:
            return self._bit() == 1
        if isinstance(sort, BitVec):
            return self._number() & (1 << sort.width) - 1 if draw.random() < 0.7 else draw.getrandbits(sort.width)
        if isinstance(sort, Array):
            cells = {self._value(sort.index): self._value(sort.element) for _ in range(draw.randrange(3))}
            return ArrayValue(sort, self._value(sort.element), cells)
        if sort is REAL:
            return Fraction(self._number(), 1 + self._bit(3))
        raise Unclear(f"values of {sort}")

    def _number(self) -> int:
        self._next += 1
        return self._pool[self._next % _POOL]

    def _drawn_ahead(self) -> int:
        draw = self._random
        kind = draw.random()
        if kind < 0.6:
            return draw.choice(self._numbers)
        return draw.randrange(-3, 8) if kind < 0.9 else draw.randrange(-(1 << 33), 1 << 33)

    def _bit(self, ways: int = 2) -> int:
        """One of so many ways."""
        self._next += 1
        return self._choices[self._next % _POOL] % ways

    def _draw(self, variables: Sequence[Any]) -> Storage:
        return {v: self._value(self._sort_of(v)) for v in variables}

    def _sort_of(self, variable: Any) -> Sort:
        sort = self._sorts.get(variable)
        if sort is None:
            sort = self._sorts[variable] = self._program.sort_of(variable)
        return sort

    def _drawn(self, variables: Sequence[Any], accept: Callable[[Storage], bool]) -> Storage | None:
        for _ in range(_DRAWS):
            values = self._draw(variables)
            if accept(values):
                return values
        return None

    # One run.

    def _run(self) -> None:
        self._world.constants.clear()
        self._world.memory.clear()
        library = self.library
        if not self._axioms_hold():
            return
        name = self._random.choice(self._entries)
        contract, codes = library.contract(name), library.codes(name)
        formals: Storage = {}

        def accept(values: Storage) -> bool:
            formals.clear()
            formals.update({v: values[v] for v in contract.procedure.parameters})
            return relies(self._program, library, contract, values, formals)

        drawn = self._drawn([*self._globals, *contract.procedure.parameters], accept)
        if drawn is None:
            return
        now = {v: drawn[v] for v in self._globals}
        code = self._random.choice(codes)
        frame = self._entered(code, list(formals.values()), now, is_loose=False, path=name if len(codes) == 1 else "")
        if frame is not None:
            self._go(now, [frame])

    def _axioms_hold(self) -> bool:
        functions = axioms(self._program, self.library)
        for _ in range(_DRAWS):
            if self._draw_unique() and all(f({}, {}, {}) for f in functions):
                return True
            self._world.constants.clear()
            self._world.memory.clear()
        return False

    def _draw_unique(self) -> bool:
        """Unique constants of one type differ; in a type of the program's own nobody can tell them from 0, 1, …."""
        program, found = self._program, set()
        numbers: Counter[Any] = Counter()
        for variable in self._unique:
            kind = program.type_of(variable)
            is_own = type(kind).__name__ == "NamedType"
            value = numbers[kind] if is_own else self._value(program.sort_of(variable))
            numbers[kind] += 1
            found.add((kind, value))
            self._world.constants[variable] = value
        return len(found) == len(self._unique)

    def _entered(self, code: CompiledBody, arguments: list[Any], now: Storage, is_loose: bool, path: str) -> CallFrame | None:
        body = code.implementation
        own = dict(zip(body.parameters, arguments, strict=True))
        for _ in range(_DRAWS):
            own |= self._draw(code.opened)
            own |= {v: True for v in body.variables if is_assumed(v)}
            if self.library.formal_promises(code, code.opened, now, own):
                return CallFrame(code, own, dict(now), is_loose, path=path)
        return None

    def _go(self, now: Storage, stack: list[CallFrame]) -> None:
        choice: tuple[CallFrame, int, Storage, Storage] | None = None
        retries = _RETRIES
        seen, every = self.seen, _LONG_STEPS[0]
        for _ in range(_STEPS if seen.runs % every else _LONG_STEPS[1]):
            frame = stack[-1]
            step = frame.code.steps[frame.at]
            kind, own = step.kind, frame.own
            if kind == "mark":
                step.visits += 1
                self._is_new |= step.visits == 1
                if frame.path and not (step.visits & _UNSEEN_VISITS and step.visits > _KEPT_STATES):
                    self._visit(f"{frame.path}:{step.line}", now, stack)
                frame.at += 1
                continue
            seen.steps += 1
            if kind == "assign":
                if len(step.targets) == 1:
                    variable = step.targets[0]
                    value = step.values[0](now, own, frame.before)
                    (now if variable.kind == "global" else own)[variable] = value
                else:
                    new = [f(now, own, frame.before) for f in step.values]
                    for variable, value in zip(step.targets, new, strict=True):
                        (now if variable.kind == "global" else own)[variable] = value
                frame.at += 1
            elif kind == "label":
                frame.at += 1
            elif kind in ("if", "while"):
                if kind == "while" and not self._invariants(step, now, frame):
                    return
                is_then = self._bit() if step.test is None else step.test(now, own, frame.before)
                frame.at = step.jumps[0 if is_then else 1]
            elif kind in ("jump", "return"):
                frame.at = step.jumps[0]
            elif kind == "goto":
                frame.at = step.jumps[self._bit(len(step.jumps)) if len(step.jumps) > 1 else 0]
            elif kind == "assume":
                assert step.test is not None
                if step.test(now, own, frame.before):
                    frame.at += 1
                elif choice is not None and choice[0] is frame and retries:
                    retries -= 1
                    frame.at = choice[1]
                    now.clear()
                    now.update(choice[2])
                    frame.own = dict(choice[3])
                else:
                    return
            elif kind == "assert":
                assert step.test is not None
                if not frame.is_loose and not step.test(now, own, frame.before):
                    self.seen.violated.add(f"{step.what} at line {step.line}")
                    return
                frame.at += 1
            elif kind == "havoc":
                choice = (frame, frame.at, dict(now), dict(own))
                if not self._havoc(step, now, frame):
                    return
                frame.at += 1
            elif kind == "call":
                if not self._call(step, now, stack):
                    return
            elif kind == "inexact" or not self._leave(now, stack):
                return

    def _visit(self, name: str, now: Storage, stack: list[CallFrame]) -> None:
        kept = self.seen.visits.setdefault(name, [])
        frames = tuple([(f.code, dict(f.own)) for f in stack[-1 - stack[-1].path.count("/") :]])
        visit = Visit(dict(now), frames, dict(self._world.constants), dict(self._world.memory))
        if len(kept) < _KEPT_STATES:
            kept.append(visit)
            self._is_new |= len(kept) <= _FEW_STATES
        else:
            kept[self._bit(_KEPT_STATES)] = visit

    def _invariants(self, step: Instruction, now: Storage, frame: CallFrame) -> bool:
        for check in step.checks:
            if frame.is_loose and not check.is_free:
                continue
            if not check.holds(now, frame.own, frame.before):
                if not check.is_free:
                    self.seen.violated.add(f"invariant at line {check.line}")
                return False
        return True

    def _havoc(self, step: Instruction, now: Storage, frame: CallFrame) -> bool:
        if step.is_plain:
            for variable in step.targets:
                (now if variable.kind == "global" else frame.own)[variable] = self._value(self._sort_of(variable))
            return True
        targets = step.targets
        fixed = {v: (now if v.kind == "global" else frame.own)[v] for v in targets if is_assumed(v)}
        for _ in range(_DRAWS):
            for variable, value in self._draw(targets).items():
                if variable in fixed and not fixed[variable]:
                    continue
                (now if variable.kind == "global" else frame.own)[variable] = value
            is_allowed = step.test is None or step.test(now, frame.own, frame.before)
            if is_allowed and self.library.formal_promises(frame.code, targets, now, frame.own):
                return True
        return False

    def _call(self, step: Instruction, now: Storage, stack: list[CallFrame]) -> bool:
        frame, library = stack[-1], self.library
        contract = library.contract(step.procedure)
        arguments = [f(now, frame.own, frame.before) for f in step.values]
        formals = dict(zip(contract.procedure.parameters, arguments, strict=True))
        if not frame.is_loose and not step.is_free and refused(contract, now, formals):
            self.seen.violated.add(f"requires of {contract.name} at line {step.line}")
            return False
        codes = library.codes(step.procedure)
        if not codes:
            return self._trusted(step, now, frame, formals)
        if len(stack) >= _FRAMES:
            return False
        is_loose = frame.is_loose or not relies(self._program, library, contract, now, formals)
        path = "" if is_loose or len(codes) > 1 else self._path(frame.path, step)
        inner = self._entered(self._random.choice(codes), arguments, now, is_loose, path)
        if inner is None:
            return False
        inner.call = step
        stack.append(inner)
        return True

    def _path(self, outer: str, step: Instruction) -> str:
        copied = f"{outer}:{step.line}/{step.procedure}"
        if outer and step.is_alone and copied in self._paths:
            return copied
        return step.procedure if step.procedure in self._paths else ""

    def _trusted(self, step: Instruction, now: Storage, frame: CallFrame, formals: Storage) -> bool:
        """A procedure without a body does what its contract allows."""
        contract = self.library.contract(step.procedure)
        results, before = contract.procedure.results, dict(now)
        fixed = [v for v in contract.modifies if is_assumed(v) and not before[v]]
        for _ in range(_DRAWS):
            after = before | self._draw(contract.modifies) | dict.fromkeys(fixed, False)
            own = formals | self._draw(results)
            if self.library.promised((*results, *contract.modifies), after, own) and all(
                check.holds(after, own, before) for check in contract.ensures
            ):
                now.update(after)
                self._receive(step, now, frame, [own[v] for v in results])
                return True
        return False

    def _receive(self, step: Instruction, now: Storage, frame: CallFrame, results: list[Any]) -> None:
        for variable, value in zip(step.targets, results, strict=True):
            (now if variable.kind == "global" else frame.own)[variable] = value
        frame.at += 1

    def _leave(self, now: Storage, stack: list[CallFrame]) -> bool:
        frame = stack.pop()
        if not frame.is_loose and (line := broken_promise(frame.code, now, frame.own, frame.before)) is not None:
            self.seen.violated.add(f"ensures at line {line}")
            return False
        if not stack:
            return False
        assert frame.call is not None
        self._receive(frame.call, now, stack[-1], [frame.own[v] for v in frame.code.implementation.results])
        return True
