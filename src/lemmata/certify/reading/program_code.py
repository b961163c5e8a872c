"""Bodies of programs as lists of steps, which runs go through by number.

``CompiledBody`` is one implementation. A step is a statement, with its line and functions for its expressions; ``jumps`` are
numbers of steps. Labels are steps that do nothing. A *mark* stands where the graph has a location of that line which no other
statement can have: there the claims of a proof can be compared with the states of runs. Who comes by ``goto`` enters behind
the mark.

A loop checks its invariants whenever its head is visited, then its condition. ``break`` leaves the loop around, or the
statement behind the label that it names. The last step of a body is ``end``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from lemmata.certify.reading.program_values import CompiledExpression, ExpressionCompiler, ProgramText, Storage
from lemmata.values import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """A clause: its line, what it says, whether it is only assumed."""

    line: int
    holds: CompiledExpression
    is_free: bool


@dataclass(slots=True)
class Instruction:
    """``kind``: assert, assume, inexact, havoc, assign, call, goto, if, while, jump, return, label, mark, end."""

    kind: str
    line: int
    test: CompiledExpression | None = None
    targets: tuple[Any, ...] = ()
    values: tuple[CompiledExpression, ...] = ()
    checks: tuple[Check, ...] = ()
    jumps: list[int] = field(default_factory=list)
    procedure: str = ""
    is_free: bool = False
    is_alone: bool = True  # no other call of the same procedure in this line
    is_plain: bool = True  # of a havoc: any value will do
    visits: int = 0  # of a mark
    what: str = "assert"  # what the property of an assert is called


@dataclass(frozen=True, slots=True)
class Contract:
    """What is known of a procedure without its bodies."""

    procedure: Any
    requires: tuple[Check, ...]
    ensures: tuple[Check, ...]
    modifies: tuple[Any, ...]

    @property
    def name(self) -> str:
        """Of the procedure."""
        return str(self.procedure.name)


@dataclass(frozen=True, slots=True, eq=False)
class CompiledBody:
    """One implementation."""

    contract: Contract
    implementation: Any
    steps: list[Instruction]
    start_line: int
    end_line: int

    @property
    def opened(self) -> tuple[Any, ...]:
        """What is arbitrary when the body starts."""
        return (*self.implementation.results, *self.implementation.variables)

    def formal(self, own: Storage) -> Storage:
        """The parameters and results in the names of the contract, too."""
        procedure, body = self.contract.procedure, self.implementation
        pairs = zip((*procedure.parameters, *procedure.results), (*body.parameters, *body.results), strict=True)
        return {formal: own[mine] for formal, mine in pairs if mine in own}


class CompiledProcedures:
    """The contracts and bodies of a program, each made when it is needed."""

    def __init__(self, program: ProgramText, expressions: ExpressionCompiler) -> None:
        self._program = program
        self._expressions = expressions
        self._contracts: dict[str, Contract] = {}
        self._codes: dict[str, tuple[CompiledBody, ...]] = {}

    def line(self, at: int) -> int:
        """The line of an offset."""
        return int(self._program.text.line(at))

    def contract(self, name: str) -> Contract:
        """What a procedure promises."""
        if name not in self._contracts:
            procedure = self._program.procedures[name]
            modified = dict.fromkeys(map(self._program.variable_of, procedure.modifies))
            requires, ensures = self.checks(procedure.requires), self.checks(procedure.ensures)
            self._contracts[name] = Contract(procedure, requires, ensures, tuple(modified))
        return self._contracts[name]

    def codes(self, name: str) -> tuple[CompiledBody, ...]:
        """The bodies of a procedure."""
        if name not in self._codes:
            bodies = self._program.procedures[name].implementations
            self._codes[name] = tuple([_Assembler(self, self.contract(name), body).code() for body in bodies])
        return self._codes[name]

    def checks(self, clauses: Sequence[Any]) -> tuple[Check, ...]:
        """Clauses with functions."""
        return tuple([Check(self.line(c.at), self.function(c.condition), c.is_free) for c in clauses])

    def function(self, expression: Any) -> CompiledExpression:
        """An expression as a function."""
        return self._expressions.function(expression)

    def variable(self, name: Any) -> Any:
        """What a name stands for."""
        return self._program.variable_of(name)

    def promised(self, variables: Sequence[Any], now: Storage, own: Storage) -> bool:
        """Do the ``where`` clauses of these variables hold?"""
        return all(self.function(v.where)(now, own, now) for v in variables if v.where is not None)

    def formal_promises(self, code: CompiledBody, variables: Sequence[Any], now: Storage, own: Storage) -> bool:
        """The same for variables of a body; what is a result in the contract has its ``where`` there."""
        procedure, body = code.contract.procedure, code.implementation
        formals = dict(zip(body.results, procedure.results, strict=True))
        named = [formals.get(v, v) for v in variables]
        if all(v.where is None for v in named):
            return True
        return self.promised(named, now, own | code.formal(own))


def is_assumed(variable: Any) -> bool:
    """``{:assumption}``: true at first, and never true again once it is false."""
    return any(attribute.name == "assumption" for attribute in variable.attributes)


class _Assembler:
    """Flattens one body."""

    def __init__(self, library: CompiledProcedures, contract: Contract, implementation: Any) -> None:
        self._library = library
        self._contract = contract
        self._implementation = implementation
        self._steps: list[Instruction] = []
        self._labels: dict[str, int] = {}
        self._gotos: list[tuple[Instruction, list[str]]] = []
        self._lines: Counter[int] = Counter()

    def code(self) -> CompiledBody:
        """The whole body."""
        implementation, line = self._implementation, self._library.line
        self._block(implementation.body, [])
        end_line = line(implementation.end)
        last = len(self._steps)
        self._mark(end_line)
        self._add(Instruction("end", end_line))
        for step in self._steps:
            if step.kind == "return":
                step.jumps = [last]
        for step, labels in self._gotos:
            step.jumps = [self._labels[label] for label in labels]
        calls = Counter((step.line, step.procedure) for step in self._steps if step.kind == "call")
        for number, step in enumerate(self._steps):
            step.is_alone = calls[step.line, step.procedure] < 2
            if step.kind == "mark" and self._lines[step.line] > 1:
                step.kind, step.line = "jump", 0
                step.jumps = [number + 1]
        return CompiledBody(self._contract, implementation, self._steps, line(implementation.at), end_line)

    def _add(self, step: Instruction) -> int:
        self._steps.append(step)
        return len(self._steps) - 1

    def _mark(self, line: int) -> int:
        self._lines[line] += 1
        return self._add(Instruction("mark", line))

    def _block(self, block: Sequence[Any], exits: list[tuple[set[str], bool, list[Instruction]]]) -> None:
        labels: list[str] = []
        for position, statement in enumerate(block):
            is_label = type(statement).__name__ == "Label"
            line = self._library.line(statement.at)
            mark = None
            if position == 0 or type(block[position - 1]).__name__ != "Label":
                mark = self._mark(line)
            if is_label:
                labels.append(statement.name)
                self._labels[statement.name] = self._add(Instruction("label", line))
                continue
            self._statement(statement, line, set(labels), mark, exits)
            labels = []

    def _statement(
        self, s: Any, line: int, labels: set[str], mark: int | None, exits: list[tuple[set[str], bool, list[Instruction]]]
    ) -> None:
        function, variable = self._library.function, self._library.variable
        match type(s).__name__:
            case "Assert":
                self._add(Instruction("assert", line, function(s.condition), what=s.what))
            case "Assume":
                self._add(Instruction("assume", line, function(s.condition)))
            case "Inexact":
                self._add(Instruction("inexact", line))
            case "Havoc":
                targets = tuple(dict.fromkeys(map(variable, s.targets)))
                formals = dict(zip(self._implementation.results, self._contract.procedure.results, strict=True))
                promises = [formals.get(target, target).where for target in targets]
                is_plain = not any(map(is_assumed, targets)) and all(where is None for where in promises)
                test = None if s.such_that is None else function(s.such_that)
                self._add(Instruction("havoc", line, test, targets, is_plain=is_plain and test is None))
            case "Assign":
                values = tuple([function(value) for value in s.values])
                self._add(Instruction("assign", line, targets=tuple(map(variable, s.targets)), values=values))
            case "Call":
                arguments = tuple([function(argument) for argument in s.arguments])
                results = tuple(map(variable, s.results))
                self._add(
                    Instruction("call", line, targets=results, values=arguments, procedure=s.procedure, is_free=s.is_free)
                )
            case "Goto":
                step = Instruction("goto", line)
                self._lines[line] += 1  # a label that is met here first has this line in the graph
                self._gotos.append((step, [label for label, _ in s.labels]))
                self._add(step)
            case "If":
                self._if(s, line, labels, exits)
            case "While":
                self._while(s, line, labels, mark, exits)
            case "Break":
                step = Instruction("goto", line)
                self._add(step)
                for names, is_loop, waiting in reversed(exits):
                    if is_loop if s.label is None else s.label in names:
                        waiting.append(step)
                        break
            case "Return":
                self._add(Instruction("return", line))
            case other:
                raise TypeError(other)

    def _if(self, s: Any, line: int, labels: set[str], exits: list[tuple[set[str], bool, list[Instruction]]]) -> None:
        step = Instruction("if", line, None if s.condition is None else self._library.function(s.condition))
        waiting: list[Instruction] = []
        inner = [*exits, (labels, False, waiting)]
        self._add(step)
        first = len(self._steps)
        self._block(s.then, inner)
        over = Instruction("jump", 0)
        self._add(over)
        second = len(self._steps)
        self._block(s.otherwise, inner)
        step.jumps, over.jumps = [first, second], [len(self._steps)]
        for broken in waiting:
            broken.jumps = [len(self._steps)]

    def _while(
        self, s: Any, line: int, labels: set[str], mark: int | None, exits: list[tuple[set[str], bool, list[Instruction]]]
    ) -> None:
        test = None if s.condition is None else self._library.function(s.condition)
        step = Instruction("while", line, test, checks=self._library.checks(s.invariants))
        waiting: list[Instruction] = []
        head = self._add(step)
        self._block(s.body, [*exits, (labels, True, waiting)])
        self._add(Instruction("jump", 0, jumps=[head if mark is None else mark]))
        step.jumps = [head + 1, len(self._steps)]
        for broken in waiting:
            broken.jumps = [len(self._steps)]
