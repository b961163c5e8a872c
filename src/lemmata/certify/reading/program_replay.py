"""A derivation followed by the program itself, statement by statement.

Facts say what was chosen: each has the line of the statement that led to it, and the values of all variables after that. So
the program is executed with these choices: what is arbitrary takes the value of the next fact, everything else is computed
and must come out as the next fact says; where several ways are open (``goto``, ``if (*)``, labels, which may or may not be a
fact of their own) each is tried. In the end the assertion that the property names must fail.

Facts about a procedure by itself (a summary) are put where it was called: a call is followed by the facts of its
body, then by the fact that joins both.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from lemmata.certify.reading.program_code import CompiledBody, CompiledProcedures, Instruction, is_assumed
from lemmata.certify.reading.program_machine import CallFrame, axioms, broken_promise, refused, relies
from lemmata.certify.reading.program_places import StorageSlot, depth_of, path_from_file, slots_of
from lemmata.certify.reading.program_values import ExpressionCompiler, ProgramText, ProgramWorld, Storage, Unclear
from lemmata.errors import CertificateError, GaveUp
from lemmata.logic.terms import name_of
from lemmata.models.derivation import Derivation, Fact
from lemmata.models.graph import Graph
from lemmata.values import dataclass
from lemmata.work import STATEMENT, is_over, tally

_FACTS = 50_000
_WAYS = 2_000  # that may be left open, times the number of facts


@dataclass(slots=True)
class _State:
    """``number`` facts were met."""

    number: int
    now: Storage
    stack: list[CallFrame]

    def copy(self) -> _State:
        return _State(self.number, dict(self.now), [frame.copy() for frame in self.stack])


class _Reached(Exception):
    """The assertion fails."""


class _Stuck(Exception):
    """The program does not do this."""


def facts_in_order(derivation: Derivation) -> list[Fact]:
    """The facts as the program meets them; ``GaveUp`` if there are too many, or loops that are not told."""
    facts = derivation.facts
    order: list[Fact] = []
    stack: list[tuple[int, bool]] = [(len(facts) - 1, False)]  # and whether it is the summary of a call
    while stack:  # from the last one backwards
        number, is_summary = stack.pop()
        fact = facts[number]
        if fact.stretch is not None or len(order) > _FACTS:
            raise GaveUp("incomplete")
        order.append(fact)
        if is_summary and fact.place.name.endswith(":start"):
            continue
        if fact.premises:
            stack.append((fact.premises[0], is_summary))
        if len(fact.premises) > 1:
            stack.append((fact.premises[1], True))
    order.reverse()
    return order


class Replay:
    """One derivation on one program."""

    def __init__(self, program: ProgramText, graph: Graph, derivation: Derivation, until: float) -> None:
        self._program = program
        self._until = until
        self._facts = facts_in_order(derivation)
        self._lines = [graph.edges[fact.edge].line for fact in self._facts]
        self._name = graph.questions[derivation.prop].name
        self._world = ProgramWorld(lambda sort: ())
        self._world.until = until
        self._library = CompiledProcedures(program, ExpressionCompiler(program, self._world))
        self._slots: dict[Any, tuple[StorageSlot | None, ...]] = {}
        self._met = 0
        self._is_unclear = False

    def run(self) -> int:
        """How many statements were executed; ``CertificateError`` if the program cannot go that way, ``GaveUp`` if unclear."""
        ways = list(self._starts())
        budget = _WAYS + 20 * len(self._facts)
        steps = 0
        while ways:
            state = ways.pop()
            try:
                while True:
                    more = self._step(state)
                    steps += 1
                    tally[STATEMENT] += 1
                    if steps > budget or (steps % 256 == 0 and is_over(self._until)):
                        raise GaveUp("timeout")
                    if not more:
                        raise _Stuck
                    state, *others = more
                    ways += reversed(others)
            except _Reached:
                return steps
            except _Stuck:
                continue
            except (Unclear, KeyError):
                self._is_unclear = True
        if self._is_unclear:
            raise GaveUp("incomplete")
        raise CertificateError(f"the program does not follow the trace {self._where()}")

    def _where(self) -> str:
        if self._met >= len(self._facts):
            return "at its end"
        return f"behind {self._met} of {len(self._facts)} facts, at {self._facts[self._met]} (line {self._lines[self._met]})"

    # Facts.

    def _fact(self, state: _State, line: int) -> Fact:
        """The next fact, which must have this line."""
        if state.number >= len(self._facts) - 1 or self._lines[state.number] != line:
            raise _Stuck
        return self._facts[state.number]

    def _values(self, fact: Fact, codes: list[CompiledBody]) -> Iterator[tuple[StorageSlot, Any]]:
        key = (id(fact.place), *map(id, codes))
        if key not in self._slots:
            self._slots[key] = slots_of(self._program, fact.place, codes)
        for slot, value in zip(self._slots[key], fact.values, strict=True):
            if slot is not None:
                yield slot, value

    def _met_by(self, state: _State, fact: Fact, open_ones: frozenset[Any] = frozenset()) -> None:
        """Go past a fact: take what is open from it, compare the rest."""
        depth = depth_of(fact.place)
        frames = state.stack[-depth:]
        if (
            len(frames) < depth
            or path_from_file(fact.place).split("/")[-1].partition(":")[0].rstrip("*") != frames[-1].code.contract.name
        ):
            raise _Stuck
        for (kind, at, variable), value in self._values(fact, [frame.code for frame in frames]):
            if kind == "own":
                own = frames[at].own
                if at == len(frames) - 1 and variable in open_ones:
                    own[variable] = value
                elif own.get(variable) != value:
                    raise _Stuck
            elif kind == "global":
                if variable in open_ones:
                    state.now[variable] = value
                elif state.now.get(variable) != value:
                    raise _Stuck
        state.number += 1
        self._met = max(self._met, state.number)

    # Starts.

    def _starts(self) -> Iterator[_State]:
        """The first fact is the start of an entry."""
        first = self._facts[0]
        name, _, kind = first.place.name.rpartition(":")
        if kind != "start" or name not in self._program.procedures:
            raise GaveUp("incomplete")
        for code in self._library.codes(name):
            state = self._started(code, first)
            if state is not None:
                yield state

    def _started(self, code: CompiledBody, first: Fact) -> _State | None:
        now: Storage = {}  # globals that the procedure needs; a value that is missing is unclear
        own: Storage = {}
        for (kind, _, variable), value in self._values(first, [code]):
            {"own": own, "global": now, "constant": self._world.constants, "function": self._world.tables}[kind][variable] = (
                value
            )
        for fact in self._facts:
            if not fact.premises:
                self._symbols(fact, now if fact is first else {})
        frame = CallFrame(code, own, now)
        try:
            self._require_start(code, now, own)
        except (Unclear, KeyError):
            self._is_unclear = True
            return None
        except _Stuck:
            return None
        state = _State(1, now, [frame])
        self._met = max(self._met, 1)
        try:
            self._enter(state, code.start_line)
        except _Stuck:
            return None
        return state

    def _symbols(self, fact: Fact, now: Storage) -> None:
        """Constants and functions that only axioms speak of are inputs of the initial edge; so are globals of ``where``."""
        for term, value in fact.inputs:
            name = name_of(term)
            if name in self._program.constants:
                self._world.constants.setdefault(self._program.constants[name], value)
            elif name in self._program.variables:
                now.setdefault(self._program.variables[name], value)
            elif name.removesuffix("()") in self._program.functions:
                self._world.tables.setdefault(name.removesuffix("()"), value)

    def _require_start(self, code: CompiledBody, now: Storage, own: Storage) -> None:
        formals = code.formal(own)
        if not all(axiom({}, {}, {}) for axiom in axioms(self._program, self._library)):
            raise _Stuck
        known = self._world.constants
        unique = [v for v in self._program.constants.values() if v.is_unique and v in known]
        if len({(self._program.type_of(v), known[v]) for v in unique}) < len(unique):
            raise _Stuck
        if not relies(self._program, self._library, code.contract, now, formals):
            raise _Stuck

    def _enter(self, state: _State, line: int) -> None:
        """The edge into a body: results and variables are open, as far as ``where`` allows."""
        frame = state.stack[-1]
        frame.before = dict(state.now)
        fact = self._fact(state, line)
        self._met_by(state, fact, frozenset(frame.code.opened))
        if not all(frame.own[v] is True for v in frame.code.implementation.variables if is_assumed(v)):
            raise _Stuck
        if not self._library.formal_promises(frame.code, frame.code.opened, state.now, frame.own):
            raise _Stuck

    # Statements.

    def _step(self, state: _State) -> list[_State]:
        """The states after one step; ``_Stuck`` if there is none."""
        frame = state.stack[-1]
        step = frame.code.steps[frame.at]
        now, own, before = state.now, frame.own, frame.before
        match step.kind:
            case "mark":
                frame.at += 1
                return [state]
            case "jump":
                frame.at = step.jumps[0]
                return [state]
            case "label":
                return self._label(state, step)
            case "assert" | "assume":
                assert step.test is not None
                is_skipped = step.kind == "assert" and frame.is_loose
                if not is_skipped and not step.test(now, own, before):
                    self._fail(state, f"{step.what} at line {step.line}", step.line, step.kind == "assert")
                return self._plain(state, step, frame.at + 1)
            case "assign":
                new = [f(now, own, before) for f in step.values]
                for variable, value in zip(step.targets, new, strict=True):
                    (now if variable.kind == "global" else own)[variable] = value
                return self._plain(state, step, frame.at + 1)
            case "havoc":
                return self._havoc(state, step)
            case "if" | "while":
                return self._branch(state, step)
            case "goto" | "return":
                return self._ways(state, step, step.jumps)
            case "call":
                return self._call(state, step)
            case "inexact":
                raise _Stuck
        return self._leave(state, step)

    def _fail(self, state: _State, name: str, line: int, counts: bool = True) -> None:
        """An assertion fails: the end of the trace, if it is the one that the property names."""
        is_last = state.number == len(self._facts) - 1 and self._lines[-1] == line
        if counts and is_last and (self._name == name or self._name.startswith(f"{name}~")):
            self._met = len(self._facts)
            raise _Reached
        raise _Stuck

    def _plain(self, state: _State, step: Instruction, target: int) -> list[_State]:
        state.stack[-1].at = target
        self._met_by(state, self._fact(state, step.line))
        return [state]

    def _ways(self, state: _State, step: Instruction, targets: list[int]) -> list[_State]:
        self._met_by(state, self._fact(state, step.line))
        states = [state, *[state.copy() for _ in targets[1:]]]
        for way, target in zip(states, targets, strict=True):
            way.stack[-1].at = target
        return states

    def _label(self, state: _State, step: Instruction) -> list[_State]:
        """It has a fact of its own if a ``goto`` was met before it; at the end of a block there may be another one."""
        ways = []
        taken = state.copy()
        state.stack[-1].at += 1
        ways.append(state)
        for _ in range(2):
            try:
                taken = taken.copy()
                self._met_by(taken, self._fact(taken, step.line))
            except _Stuck:
                break
            way = taken.copy()
            way.stack[-1].at += 1
            ways.append(way)
        return ways

    def _havoc(self, state: _State, step: Instruction) -> list[_State]:
        frame = state.stack[-1]
        held = [v for v in step.targets if is_assumed(v) and not (state.now if v.kind == "global" else frame.own)[v]]
        frame.at += 1
        self._met_by(state, self._fact(state, step.line), frozenset(step.targets))
        if any((state.now if v.kind == "global" else frame.own)[v] for v in held):
            raise _Stuck
        if not self._library.formal_promises(frame.code, step.targets, state.now, frame.own):
            raise _Stuck
        if step.test is not None and not step.test(state.now, frame.own, frame.before):
            raise _Stuck
        return [state]

    def _branch(self, state: _State, step: Instruction) -> list[_State]:
        frame = state.stack[-1]
        for check in step.checks:
            if frame.is_loose and not check.is_free:
                continue
            if not check.holds(state.now, frame.own, frame.before):
                self._fail(state, f"invariant at line {check.line}", check.line, not check.is_free)
        if step.test is None:
            return self._ways(state, step, step.jumps)
        holds = step.test(state.now, frame.own, frame.before)
        return self._plain(state, step, step.jumps[0 if holds else 1])

    # Calls.

    def _call(self, state: _State, step: Instruction) -> list[_State]:
        frame, now = state.stack[-1], state.now
        contract = self._library.contract(step.procedure)
        arguments = [f(now, frame.own, frame.before) for f in step.values]
        formals = dict(zip(contract.procedure.parameters, arguments, strict=True))
        if not frame.is_loose and not step.is_free and refused(contract, now, formals):
            self._fail(state, f"requires of {contract.name} at line {step.line}", step.line)
        codes = self._library.codes(step.procedure)
        if not codes:
            return self._trusted(state, step, formals)
        is_loose = frame.is_loose or not relies(self._program, self._library, contract, now, formals)
        ways = []
        for code in codes:
            way = state.copy()
            own = dict(zip(code.implementation.parameters, arguments, strict=True))
            way.stack.append(CallFrame(code, own, {}, is_loose, call=step))
            try:
                self._into(way, step, code)
            except _Stuck:
                continue
            ways.append(way)
        return ways

    def _into(self, state: _State, step: Instruction, code: CompiledBody) -> None:
        """Into a copy of a body right away, or to the start of the procedure by itself and then into its body."""
        number = state.number
        if number < len(self._facts) and self._facts[number].place.name.endswith(":start"):
            self._met_by(state, self._facts[number])
            self._enter(state, code.start_line)
        else:
            self._enter(state, step.line)

    def _trusted(self, state: _State, step: Instruction, formals: Storage) -> list[_State]:
        """What a contract without a body allows; the results are in the variables that take them."""
        frame, contract = state.stack[-1], self._library.contract(step.procedure)
        before = dict(state.now)
        frame.at += 1
        self._met_by(state, self._fact(state, step.line), frozenset((*step.targets, *contract.modifies)))
        hidden = [v for v in step.targets if v in contract.modifies]
        if hidden:
            raise Unclear("a result replaces what the call changed")
        now = {v: value if v in contract.modifies else before[v] for v, value in state.now.items()}
        if any(now[v] and not before[v] for v in contract.modifies if is_assumed(v)):
            raise _Stuck
        taken = [(state.now if v.kind == "global" else frame.own)[v] for v in step.targets]
        own = formals | dict(zip(contract.procedure.results, taken, strict=True))
        if not self._library.promised((*contract.procedure.results, *contract.modifies), now, own):
            raise _Stuck
        if not all(check.holds(now, own, before) for check in contract.ensures):
            raise _Stuck
        return [state]

    def _leave(self, state: _State, step: Instruction) -> list[_State]:
        frame = state.stack[-1]
        if not frame.is_loose and (line := broken_promise(frame.code, state.now, frame.own, frame.before)) is not None:
            self._fail(state, f"ensures at line {line}", line)
        ways = [state]
        if not frame.code.implementation.body:  # which may have a fact for doing nothing
            way = state.copy()
            try:
                self._met_by(way, self._fact(way, step.line))
                ways.append(way)
            except _Stuck:
                pass
        found = []
        for way in ways:
            try:
                self._back(way, step)
            except _Stuck:
                continue
            found.append(way)
        return found

    def _back(self, state: _State, step: Instruction) -> None:
        frame = state.stack[-1]
        call = frame.call
        fact = self._fact(state, step.line)
        if fact.place.name.endswith(":end"):
            self._met_by(state, fact)
            line = call.line if call is not None else 0
        else:
            line = step.line
        state.stack.pop()
        if not state.stack or call is None:
            raise _Stuck
        outer = state.stack[-1]
        results = [frame.own[v] for v in frame.code.implementation.results]
        for variable, value in zip(call.targets, results, strict=True):
            (state.now if variable.kind == "global" else outer.own)[variable] = value
        outer.at += 1
        self._met_by(state, self._fact(state, line))
